//! The columns of the register: which there is room for, where they stand, and their headings.
//!
//! A name gives way before a figure does; what has no column is told on hover and where the input is opened.

use egui::{Align2, Painter, Rect, Sense, Stroke, Ui, pos2, vec2};

use crate::app::edit;
use crate::app::fields::{Fields, Number, shown_unit};
use crate::app::theme::{self, Palette};
use crate::app::widgets::{Align, growing_width, painted_text, text_width};
use crate::app::worths::Worths;
use crate::scenario::InputRef;

pub const INSET: f32 = 6.0;
/// What the mark of evidence takes before its word.
pub const MARK: f32 = 24.0;
/// Between the two ends of a range.
pub const DASH: f32 = 10.0;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Column {
    Kind,
    Input,
    Where,
    Value,
    Unit,
    Range,
    Source,
    Owner,
    Confidence,
    AsOf,
    Review,
    Swing,
    Worth,
}

/// The widths of figures, so that none is cut.
#[derive(Clone, Copy, Debug)]
pub struct Widths {
    value: f32,
    end: f32,
    unit: f32,
    swing: f32,
    worth: f32,
}

impl Widths {
    pub fn of(ui: &Ui, rows: &[usize], inputs: &[InputRef], fields: &Fields<'_>, worths: &Worths<'_>) -> Self {
        let width = |text: &str| growing_width(ui.painter(), text, &theme::BODY);
        let mut widths = Self { value: 62.0, end: 46.0, unit: 40.0, swing: 52.0, worth: 58.0 };
        for input in rows.iter().filter_map(|row| inputs.get(*row)) {
            let cell = edit::cell(input);
            let shown = |number: Number| number.of(input).map(|value| fields.figures.cell(value.decimal(), cell));
            widths.value = widths.value.max(shown(Number::Value).map_or(0.0, |text| width(&text)));
            for end in [Number::Low, Number::High] {
                widths.end = widths.end.max(shown(end).map_or(0.0, |text| width(&text)));
            }
            widths.unit = widths.unit.max(text_width(ui.painter(), &shown_unit(input), &theme::BODY));
            let bar = fields.swings.swing(&input.path).and_then(|swing| swing.bar());
            widths.swing = widths.swing.max(bar.map_or(0.0, |bar| width(&fields.swings.amount(bar.swing))));
            widths.worth = widths.worth.max(worths.worth(input).map_or(0.0, |worth| width(&worths.text(&worth))));
        }
        Self {
            value: (widths.value + 2.0 * INSET + 2.0).ceil(),
            end: (widths.end + 2.0 * INSET).ceil(),
            unit: widths.unit.ceil(),
            swing: (widths.swing + 2.0 * INSET).ceil(),
            worth: (widths.worth + 2.0 * INSET).ceil(),
        }
    }

    pub const fn end(&self) -> f32 {
        self.end
    }
}

impl Column {
    const ALL: [Self; 13] = [
        Self::Kind,
        Self::Input,
        Self::Where,
        Self::Value,
        Self::Unit,
        Self::Range,
        Self::Source,
        Self::Owner,
        Self::Confidence,
        Self::AsOf,
        Self::Review,
        Self::Swing,
        Self::Worth,
    ];
    /// Where there is no room for all, these go first.
    const GIVE_WAY: [Self; 5] = [Self::Confidence, Self::AsOf, Self::Source, Self::Owner, Self::Where];

    pub const fn heading(self) -> &'static str {
        match self {
            Self::Kind => "Kind",
            Self::Input => "Input",
            Self::Where => "Where",
            Self::Value => "Value",
            Self::Unit => "Unit",
            Self::Range => "Low – high",
            Self::Source => "Source",
            Self::Owner => "Owner",
            Self::Confidence => "Confid.",
            Self::AsOf => "As of",
            Self::Review => "Review by",
            Self::Swing => "Swing",
            Self::Worth => "Worth",
        }
    }

    const fn align(self) -> Align {
        match self {
            Self::Value | Self::Range | Self::Swing | Self::Worth => Align::Right,
            _ => Align::Left,
        }
    }

    /// The least width, and what it takes of the room that is left, up to a most.
    fn width(self, widths: Widths) -> (f32, f32, f32) {
        match self {
            Self::Kind => (MARK + 74.0, 0.0, 0.0),
            Self::Input => (164.0, 0.46, 380.0),
            Self::Where => (112.0, 0.24, 220.0),
            Self::Value => (widths.value, 0.0, 0.0),
            // A long unit is cut, and told on hover.
            Self::Unit => (widths.unit.min(84.0) + 2.0 * INSET, 0.1, widths.unit + 2.0 * INSET),
            Self::Range => (2.0 * widths.end + DASH, 0.0, 0.0),
            Self::Source => (106.0, 0.3, 420.0),
            Self::Owner => (90.0, 0.06, 140.0),
            Self::Confidence => (62.0, 0.0, 0.0),
            Self::AsOf | Self::Review => (88.0, 0.0, 0.0),
            Self::Swing => (widths.swing, 0.0, 0.0),
            Self::Worth => (widths.worth, 0.0, 0.0),
        }
    }
}

/// Where each column that is shown stands, from the left of the list.
pub struct Columns {
    places: Vec<(Column, f32, f32)>,
    widths: Widths,
    pub width: f32,
}

impl Columns {
    /// What measuring is worth has a column where it is known or asked for.
    pub fn of(room: f32, widths: Widths, has_worths: bool) -> Self {
        let mut shown = Column::ALL.to_vec();
        shown.retain(|column| has_worths || *column != Column::Worth);
        let least = |shown: &[Column]| shown.iter().map(|column| column.width(widths).0).sum::<f32>();
        for column in Column::GIVE_WAY {
            if room < least(&shown) {
                shown.retain(|of| *of != column);
            }
        }
        let mut sizes: Vec<f32> = shown.iter().map(|column| column.width(widths).0).collect();
        // What is left goes to names; what one has no use for goes to the others.
        for _ in 0..3 {
            let free = room - sizes.iter().sum::<f32>();
            let grows = |i: usize, size: f32| {
                let (_, share, most) = shown[i].width(widths);
                if size < most { share } else { 0.0 }
            };
            let shares: f32 = sizes.iter().enumerate().map(|(i, size)| grows(i, *size)).sum();
            if free < 1.0 || shares <= 0.0 {
                break;
            }
            for (i, size) in sizes.iter_mut().enumerate() {
                let most = shown[i].width(widths).2;
                let share = grows(i, *size) / shares;
                if share > 0.0 {
                    *size = (*size + free * share).min(most).floor();
                }
            }
        }
        let mut x = 0.0;
        let places = shown.iter().zip(&sizes).map(|(column, size)| {
            let at = x;
            x += size;
            (*column, at, *size)
        });
        let places: Vec<_> = places.collect();
        Self { places, widths, width: x }
    }

    pub fn has(&self, column: Column) -> bool {
        self.places.iter().any(|(of, ..)| *of == column)
    }

    /// The places of the columns in a row.
    pub fn cells(&self, row: Rect) -> impl Iterator<Item = (Column, Rect)> + '_ {
        let cell = move |(column, x, width): &(Column, f32, f32)| {
            (*column, Rect::from_min_size(pos2(row.min.x + x, row.min.y), vec2(*width, row.height())))
        };
        self.places.iter().map(cell)
    }

    /// The places of the two ends of a range in their column.
    pub fn ends(&self, cell: Rect) -> [Rect; 2] {
        let end = self.widths.end();
        let high = cell.with_min_x(cell.max.x - end);
        let low = Rect::from_min_size(pos2(high.min.x - DASH - end, cell.min.y), vec2(end, cell.height()));
        [low, high]
    }

    pub fn head_ui(&self, ui: &mut Ui) {
        let (rect, _) = ui.allocate_exact_size(vec2(self.width, 24.0), Sense::hover());
        let palette = Palette::of(ui.visuals());
        for (column, cell) in self.cells(rect) {
            let response = ui.interact(cell, ui.scope_id().with(("heading", column.heading())), Sense::hover());
            response
                .widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::ColumnHeader, true, column.heading()));
            heading(ui.painter(), cell, column, palette);
        }
        ui.painter().hline(rect.x_range(), rect.max.y - 0.5, Stroke::new(1.0, palette.line2));
    }
}

fn heading(painter: &Painter, cell: Rect, column: Column, palette: &Palette) {
    let (x, anchor) = match column.align() {
        Align::Left => (cell.min.x + INSET, Align2::LEFT_CENTER),
        Align::Right => (cell.max.x - INSET, Align2::RIGHT_CENTER),
    };
    painted_text(painter, pos2(x, cell.center().y), anchor, column.heading(), &theme::SMALL, palette.text2);
}
