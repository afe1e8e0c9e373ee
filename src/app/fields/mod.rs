//! One input as it is edited: its row on a form, its cells in a list and, opened in place, all that is known of it.
//!
//! A page says which input stands where, and gives the row, the cells or the opened panel their place. Nothing here knows
//! the pages; edits are asked for, not made.

mod opened;

use std::collections::HashMap;

use egui::accesskit::Role;
use egui::{Align2, Id, Rect, Response, RichText, Sense, TextEdit, Ui, WidgetInfo, pos2, vec2};
use rust_decimal::Decimal;

use self::opened::Opened;
pub use self::opened::{date, unsaid};
use super::command::Command;
use super::document::Document;
use super::edit::{self, Change, Edit};
use super::files;
use super::icons;
use super::live::Wish;
use super::live::panel::pin_at;
use super::swings::Swings;
use super::theme::{self, Palette};
use super::widgets::{DecimalCell, Drafts, Look, Outcome, Told, elided, painted_text, wrapped};
use crate::analysis::register::is_overdue;
use crate::input::Evidence;
use crate::quantity::Exact;
use crate::scenario::InputRef;
use crate::scenario::calendar::Date;
use crate::show::{self, Figures};
pub use crate::words::values::unit_of as shown_unit;

/// How high a row of a form is; what is refused, and what is opened, stands beneath it.
const ROW: f32 = 26.0;
/// What the mark of evidence takes at the right of a row.
const MARK: f32 = 26.0;
/// Between a cell and its unit.
const GAP: f32 = 6.0;

/// Which input is opened, and which is to be gone to.
#[derive(Default)]
pub struct Memory {
    open: Option<Opened>,
    /// The path of the input to bring into view; it takes the keyboard.
    pub go_to: Option<String>,
    /// What values were typed as, where that was a sum, by the path of the input.
    sums: HashMap<String, (Exact, String)>,
}

impl Memory {
    /// Forgets what belongs to another scenario.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Whether the input at this path is opened.
    pub fn is_open(&self, path: &str) -> bool {
        self.open.as_ref().is_some_and(|open| open.path == path)
    }

    /// Whether any input is opened.
    pub const fn is_any_open(&self) -> bool {
        self.open.is_some()
    }

    /// The edit that keeps what has been written into the opened input, where that says something new; before a command
    /// that would leave it behind. What cannot be kept stays, with its reason.
    pub fn settled(&mut self, document: &Document) -> Option<Edit> {
        let open = self.open.as_mut()?;
        let input = document.now().inputs.iter().find(|input| input.path == open.path)?;
        open.settled(input)
    }
}

/// What the fields of a page share: what they show, and where their edits go. A page makes one and draws its inputs with it.
pub struct Fields<'a> {
    pub document: &'a Document,
    pub figures: Figures,
    /// The day by which review dates are judged.
    pub today: Option<Date>,
    pub swings: Swings<'a>,
    pub memory: &'a mut Memory,
    pub drafts: &'a mut Drafts,
    pub commands: &'a mut Vec<Command>,
}

/// The columns of a row on a form; the mark of evidence stands after them.
#[derive(Clone, Copy, Debug)]
pub struct Widths {
    pub label: f32,
    pub cell: f32,
    pub unit: f32,
}

impl Widths {
    /// How wide a row is.
    pub const fn row(self) -> f32 {
        self.label + self.cell + GAP + self.unit + MARK
    }
}

/// The three numbers of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    Value,
    Low,
    High,
}

impl Number {
    pub const ALL: [Self; 3] = [Self::Value, Self::Low, Self::High];

    /// What has the keyboard while this number of the input is edited in its row. The path is what stays the same when a
    /// list changes.
    pub fn id(self, path: &str) -> Id {
        Id::unique((self.name(), path))
    }

    /// The same while it is edited in the opened input.
    pub fn opened_id(self, path: &str) -> Id {
        self.id(path).with("opened")
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Low => "low",
            Self::High => "high",
        }
    }

    pub fn of(self, input: &InputRef) -> Option<Exact> {
        match self {
            Self::Value => Some(input.input.value),
            Self::Low => input.input.range().map(|range| range.low),
            Self::High => input.input.range().map(|range| range.high),
        }
    }

    fn said(self, input: &InputRef) -> String {
        match self {
            Self::Value => input.full_label(),
            Self::Low | Self::High => format!("{}, {}", input.full_label(), self.name()),
        }
    }

    /// What putting this number there means; a value cannot be emptied.
    fn change(self, to: Option<Exact>) -> Option<Change> {
        match self {
            Self::Value => to.map(Change::Value),
            Self::Low => Some(Change::Low(to)),
            Self::High => Some(Change::High(to)),
        }
    }
}

impl<'a> Fields<'a> {
    /// A row of a form: label, cell, unit and mark, with the reason beneath where a text is refused, and beneath that the
    /// opened input where it is this one.
    pub fn row_ui(&mut self, ui: &mut Ui, input: &InputRef, widths: Widths) {
        let written = wrapped(ui.painter(), &input.label, &theme::BODY, widths.label - 8.0, egui::Color32::BLACK);
        let below = written.size().y - written.size().y / written.rows.len().max(1) as f32;
        let (rect, _) = ui.allocate_exact_size(vec2(widths.row(), (ROW + below).ceil()), Sense::hover());
        if self.memory.go_to.as_deref() == Some(&input.path) {
            self.memory.go_to = None;
            ui.scroll_to_rect(rect, Some(egui::Align::Center));
            ui.memory_mut(|memory| memory.request_focus(Number::Value.id(&input.path)));
        }
        self.label_ui(ui, rect.with_max_x(rect.min.x + widths.label - 8.0), input, &input.label);
        let cell = Rect::from_min_size(
            pos2(rect.min.x + widths.label, rect.min.y + 2.0),
            vec2(widths.cell, DecimalCell::HEIGHT),
        );
        let refused = self.cell_ui(ui, cell, input, Number::Value, Look::Field);
        let painter = ui.painter();
        let unit = elided(painter, &shown_unit(input), &theme::SMALL, widths.unit);
        let at = pos2(cell.max.x + GAP, cell.center().y);
        painted_text(painter, at, Align2::LEFT_CENTER, &unit, &theme::SMALL, Palette::of(ui.visuals()).text2);
        let mark = Rect::from_min_size(pos2(rect.max.x - MARK, rect.min.y), vec2(MARK, ROW));
        self.mark_ui(ui, mark, input);
        if let Some(reason) = refused {
            reason_ui(ui, &reason, 0.0, widths.row());
        }
        self.opened_ui(ui, input, widths.row());
    }

    /// The name of an input as `text`, in several lines where there is room for them, cut where there is not; its help and
    /// its path are told on hover.
    pub fn label_ui(&self, ui: &Ui, place: Rect, input: &InputRef, text: &str) {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let whole = wrapped(painter, text, &theme::BODY, place.width(), palette.text);
        if whole.size().y <= place.height() {
            let top = (place.center().y - whole.size().y / 2.0).round();
            painter.galley(pos2(place.min.x, top), whole, palette.text);
        } else {
            let label = elided(painter, text, &theme::BODY, place.width());
            let at = pos2(place.min.x, place.center().y);
            painted_text(painter, at, Align2::LEFT_CENTER, &label, &theme::BODY, palette.text);
        }
        let response = ui.interact(place, Id::unique(("label", &input.path)), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, input.full_label()));
        response.told_by(|ui| {
            ui.set_max_width(420.0);
            ui.label(RichText::new(input.full_label()).font(theme::semibold(13.0)));
            ui.label(input.decl.help.trim());
            ui.label(RichText::new(&input.path).font(theme::SMALL).color(palette.text2));
        });
    }

    /// The cell of one number of an input at its place in a row. Returns why the text in it is refused, to be shown
    /// beneath by [`reason_ui`].
    pub fn cell_ui(
        &mut self,
        ui: &mut Ui,
        place: Rect,
        input: &InputRef,
        number: Number,
        look: Look,
    ) -> Option<String> {
        self.named_cell_ui(ui, place, input, number, look, (&number.said(input), number.id(&input.path)))
    }

    fn named_cell_ui(
        &mut self,
        ui: &mut Ui,
        place: Rect,
        input: &InputRef,
        number: Number,
        look: Look,
        (name, id): (&str, Id),
    ) -> Option<String> {
        let value = number.of(input);
        let cell = DecimalCell {
            name,
            value: value.map(Exact::decimal),
            cell: edit::cell(input),
            figures: self.figures,
            differs: self.saved(input).is_some_and(|saved| number.of(saved) != value),
            fixed: number == Number::Value && self.document.positions().contains_key(&input.path),
            clearable: number != Number::Value,
            look,
        };
        let check = |value: Option<Decimal>| {
            let change = number.change(value.map(Exact::from_decimal).transpose()?);
            let Some(change) = change else { return Ok(()) };
            let edit = Edit { path: input.path.clone(), change };
            let edited = self.document.edited(&edit, self.figures)?;
            files::evaluated(edited.scenario, self.today).map(|_| ())
        };
        let fixed = cell.fixed;
        let Outcome { response, committed, sum, refused } = cell.show_at(ui, place, id, self.drafts, &check);
        if response.gained_focus() {
            response.scroll_to_me(None);
        }
        let committed = committed.map(|value| value.and_then(|value| Exact::from_decimal(value).ok()));
        let change = committed.and_then(|value| number.change(value)).map(|change| self.noted(input, change, sum));
        self.edit(&input.path, change);
        if !self.drafts.holds(id) && value.is_some() {
            let exactly = self.exactly(input, number);
            response.told(if fixed { format!("{exactly}\n{}", self.said_of_fixed(input)) } else { exactly });
        }
        refused
    }

    /// Why the value is not that of the base, and what typing in its cell changes.
    fn said_of_fixed(&self, input: &InputRef) -> String {
        let base = self.document.base().input(&input.path).map(|base| base.input.value);
        let base = base.map_or_else(String::new, |base| self.figures.cell(base.decimal(), edit::cell(input)));
        let shown = self.document.live().name(&self.document.base().scenario);
        format!(
            "Fixed by the case: {shown}. The base has {base}. Typing moves the lever and leaves the base; B shows the base."
        )
    }

    /// The change with the sum that its value was typed as, which is remembered for the cell too.
    fn noted(&mut self, input: &InputRef, change: Change, sum: Option<String>) -> Change {
        let (Change::Value(value), Some(typed)) = (&change, sum) else { return change };
        self.memory.sums.insert(input.path.clone(), (*value, typed.clone()));
        Change::Sum { value: *value, typed }
    }

    /// A number in full, with its unit; a percentage also as the share that it is, and a sum as it was typed.
    fn exactly(&self, input: &InputRef, number: Number) -> String {
        let Some(value) = number.of(input) else { return String::new() };
        let cell = edit::cell(input);
        let shown = show::in_words(&self.figures.cell(value.decimal(), cell));
        let mut text = format!("{shown} {}", shown_unit(input)).trim_end().to_owned();
        if cell == show::Cell::Percent {
            text = format!("{text}, a share of {}", show::in_words(&self.figures.number(value.decimal())));
        }
        if number == Number::Value
            && let Some(base) = self.document.base().input(&input.path)
            && self.document.positions().contains_key(&input.path)
        {
            let base = self.figures.cell(base.input.value.decimal(), cell);
            let shown = self.document.live().name(&self.document.base().scenario);
            return format!(
                "{text}\nFixed by the case: {shown}. The base has {base}. Typing here moves the lever, and the base stays."
            );
        }
        match self.memory.sums.get(&input.path) {
            Some((of, typed)) if *of == value && number == Number::Value => format!("{text}\ntyped as {typed}"),
            _ => text,
        }
    }

    fn edit(&mut self, path: &str, change: Option<Change>) {
        if let Some(change) = change {
            self.commands.push(Command::Edit(Edit { path: path.to_owned(), change }));
        }
    }

    /// The same input in the saved file.
    fn saved(&self, input: &InputRef) -> Option<&'a InputRef> {
        let saved: &'a [InputRef] = &self.document.saved().inputs;
        let here = saved.get(input.index).filter(|saved| saved.path == input.path);
        here.or_else(|| saved.iter().find(|saved| saved.path == input.path))
    }

    /// Whether something in the row of this input is being typed, or has the keyboard.
    pub fn holds(&self, ui: &Ui, input: &InputRef) -> bool {
        let held = |id| self.drafts.holds(id) || ui.memory(|memory| memory.has_focus(id));
        Number::ALL.into_iter().any(|number| held(number.id(&input.path)))
    }

    /// The mark of evidence; pressing it opens the input in place, or closes it.
    pub fn mark_ui(&mut self, ui: &Ui, place: Rect, input: &InputRef) {
        let response = ui.interact(place.shrink2(vec2(2.0, 1.0)), Id::unique(("mark", &input.path)), Sense::click());
        let kind = input.input.evidence_kind();
        let past_review = is_overdue(input.input.evidence(), self.today);
        let past = if past_review { ", review overdue" } else { "" };
        let name = format!("{}, evidence: {}{past}", input.full_label(), kind.label().to_lowercase());
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, self.memory.is_open(&input.path), &name));
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        if response.hovered() || self.memory.is_open(&input.path) {
            painter.rect_filled(response.rect, 2, palette.hover);
        }
        icons::evidence(painter, response.rect.center(), kind, past_review, palette);
        if response.has_focus() {
            icons::border(painter, response.rect, 2, 2.0, palette.accent);
        }
        if response.clicked() {
            self.toggle(input);
        }
        response.told(whole(input.input.evidence()));
    }

    /// The pin of an input, which makes it a lever.
    pub fn pin_ui(&mut self, ui: &Ui, place: Rect, input: &InputRef) {
        if pin_at(ui, place, self.document, input) {
            self.commands.push(Command::Live(Wish::Pin(input.path.clone())));
        }
    }

    /// Opens an input, or closes it. What was written into the one that is open is kept first; where it cannot be, that
    /// one stays open and says why.
    pub fn toggle(&mut self, input: &InputRef) {
        let (document, is_this) = (self.document, self.memory.is_open(&input.path));
        let kept = self.memory.settled(document);
        self.commands.extend(kept.map(Command::Edit));
        if self.memory.open.as_ref().is_some_and(Opened::is_refused) {
            return;
        }
        self.memory.open = (!is_this).then(|| Opened::of(input));
    }

    /// All that is known of an input, beneath its row and so wide, where it is opened.
    pub fn opened_ui(&mut self, ui: &mut Ui, input: &InputRef, width: f32) {
        if !self.memory.is_open(&input.path) {
            return;
        }
        let Some(mut open) = self.memory.open.take() else { return };
        if !opened::opened_ui(self, ui, input, &mut open, width) {
            self.memory.open = Some(open);
        }
    }
}

/// Why a text in the row above is not accepted, whole, from `left` on in the given width.
pub fn reason_ui(ui: &mut Ui, reason: &str, left: f32, width: f32) {
    let palette = Palette::of(ui.visuals());
    let galley = ui.painter().layout(reason.to_owned(), theme::SMALL, palette.error, (width - left).max(120.0));
    let (rect, response) = ui.allocate_exact_size(vec2(width, galley.size().y + 8.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, reason));
    ui.painter().galley(rect.min + vec2(left, 4.0), galley, palette.error);
}

/// A field for words beneath its name, as high as a cell.
pub fn words_ui(ui: &mut Ui, name: &str, text: &mut String, width: f32) -> Response {
    caption_ui(ui, name);
    let field = TextEdit::singleline(text)
        .desired_width(width - 12.0)
        .text_color(Palette::of(ui.visuals()).input)
        .margin(egui::Margin::symmetric(6, 3));
    ui.add_sized(vec2(width, DecimalCell::HEIGHT), field).accessible_name(name)
}

/// The name of a field above it.
pub fn caption_ui(ui: &mut Ui, name: &str) {
    let palette = Palette::of(ui.visuals());
    ui.label(RichText::new(name).font(theme::SMALL).color(palette.text2));
}

fn whole(evidence: Option<&Evidence>) -> String {
    let Some(evidence) = evidence else { return "No evidence entered: counts as assumed".to_owned() };
    let said = |name: &str, text: &str| format!("{name}: {}", if text.is_empty() { "none" } else { text });
    [
        evidence.kind.label().to_owned(),
        said("Source", &evidence.source),
        said("Owner", &evidence.owner),
        said("Confidence", evidence.confidence.map_or("", crate::input::Confidence::label)),
        said("As of", evidence.as_of.as_deref().unwrap_or_default()),
        said("Review by", evidence.review_by.as_deref().unwrap_or_default()),
    ]
    .join("\n")
}
