//! Evidence: every input in a register, with what it rests on, what stands open about it, and how far it moves the decision.
//!
//! The register is the walk of the scenario: no input is named here. Edits are returned, not made.

mod bulk;
mod columns;
mod copied;
mod list;

use std::cmp::Reverse;
use std::collections::HashSet;

use egui::accesskit::Role;
use egui::{Align, Align2, Event, Layout, RichText, Sense, Ui, WidgetInfo, pos2, vec2};

use self::bulk::Bulk;
use self::columns::Columns;
use self::list::List;
use crate::analysis::register::{Counts, Gap};
use crate::app::command::Command;
use crate::app::dialogs::button;
use crate::app::fields::{Fields, Number};
use crate::app::icons::{self, Icon};
use crate::app::theme::{self, Palette};
use crate::app::widgets::{Entry, Picked, Told, choice_ui, elided, painted_text, search_ui, text_width};
use crate::app::worths::Worths;
use crate::scenario::InputRef;
use crate::show::Figures;

use super::{head_ui, tool_ui};

/// Which inputs are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Shown {
    /// Those that a person has entered; with words to look for, every one that has them.
    #[default]
    All,
    Open(Gap),
    /// Those that stand at the default of their declaration.
    Defaults,
}

/// In what order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Order {
    #[default]
    Swing,
    Worth,
    Place,
    Review,
    Kind,
}

impl Order {
    const ALL: [Self; 5] = [Self::Swing, Self::Worth, Self::Place, Self::Review, Self::Kind];

    fn label(self, subject: &str) -> String {
        match self {
            Self::Swing => format!("Swing, {subject}"),
            Self::Worth => "Worth".to_owned(),
            Self::Place => "Place in the file".to_owned(),
            Self::Review => "Review date".to_owned(),
            Self::Kind => "Kind of evidence".to_owned(),
        }
    }

    fn said(self, subject: &str) -> String {
        match self {
            Self::Swing => format!("sorted by how far each moves {subject}"),
            Self::Worth => "sorted by what measuring each would be worth".to_owned(),
            Self::Place => "by place, as in the file".to_owned(),
            Self::Review => "the earliest review date first".to_owned(),
            Self::Kind => "assumed first".to_owned(),
        }
    }
}

/// How the register is looked at.
#[derive(Default)]
pub struct EvidenceView {
    /// The words that inputs are looked for by.
    words: String,
    /// Whether the field for them is to take the keyboard.
    pub find: bool,
    shown: Shown,
    order: Order,
    picked: Picked,
    bulk: Bulk,
    folded: HashSet<String>,
    listed: Option<Listed>,
    /// The row to bring into sight.
    scroll_to: Option<usize>,
    /// The first and the last row that were in sight.
    seen: Option<(usize, usize)>,
}

/// What is listed, in order, and the widths that show it whole.
struct Listed {
    key: Key,
    /// Places in the walk of the scenario.
    rows: Vec<usize>,
    widths: columns::Widths,
}

/// Everything that the list depends on.
#[derive(Clone, PartialEq)]
struct Key {
    revision: u64,
    swings: Option<u64>,
    worths: Option<u64>,
    inputs: usize,
    asked: Asked,
}

/// What a person has asked to see.
#[derive(Clone, PartialEq)]
struct Asked {
    words: String,
    shown: Shown,
    order: Order,
    subject: String,
    figures: Figures,
}

/// What the page is drawn with besides its fields.
pub struct Page<'a> {
    /// Whether keys go to the page, and not to a dialog before it.
    pub has_keys: bool,
    /// How far the tornado is that is being computed.
    pub progress: Option<(usize, usize)>,
    /// What measuring each input would be worth.
    pub worths: Worths<'a>,
}

/// Draws the page.
pub fn evidence_ui(ui: &mut Ui, page: &Page<'_>, view: &mut EvidenceView, fields: &mut Fields<'_>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let inputs = &fields.document.now().inputs;
    relist(ui, page, view, fields, inputs);
    let Some(listed) = view.listed.take() else { return };
    let rows: Vec<&InputRef> = listed.rows.iter().filter_map(|row| inputs.get(*row)).collect();
    title_ui(ui, page, view, fields, &rows);
    controls_ui(ui, view, fields);
    if view.order == Order::Worth {
        worths_ui(ui, page, fields);
    }
    ui.add_space(4.0);
    if rows.is_empty() {
        ui.add_space(16.0);
        ui.label(nothing(view));
    } else {
        let has_worths = view.order == Order::Worth || page.worths.stamp().is_some();
        let columns = Columns::of(ui.available_width() - 12.0, listed.widths, has_worths);
        let list = List { columns, rows: &rows, page };
        list.ui(ui, ui.available_height() - bulk::HEIGHT, view, fields);
        if view.picked.count() > 1 {
            let picked = picked(view, &rows);
            if view.bulk.ui(ui, &picked, fields) {
                view.picked.clear();
            }
        } else {
            foot_ui(ui, page, view, fields, rows.len());
        }
        copy_by_key(ui, page, view, fields, &rows);
    }
    view.listed = Some(listed);
}

/// The inputs that are selected.
fn picked<'a>(view: &EvidenceView, rows: &[&'a InputRef]) -> Vec<&'a InputRef> {
    rows.iter().enumerate().filter(|(row, _)| view.picked.contains(*row)).map(|(_, input)| *input).collect()
}

/// What copying takes: the selection, where there is one of several rows, or everything that is listed.
fn to_copy<'a>(view: &EvidenceView, rows: &[&'a InputRef]) -> Vec<&'a InputRef> {
    if view.picked.count() > 1 { picked(view, rows) } else { rows.to_vec() }
}

fn copy_by_key(ui: &Ui, page: &Page<'_>, view: &EvidenceView, fields: &mut Fields<'_>, rows: &[&InputRef]) {
    // A cell that has the keyboard copies its own number.
    let is_here = ui.memory(egui::Memory::focused).is_none_or(|id| id == list::id());
    if page.has_keys && is_here && ui.input(|input| input.events.contains(&Event::Copy)) {
        fields.commands.push(copied::copy(&to_copy(view, rows), &page.worths, fields));
    }
}

/// Lists the inputs anew where something has changed that the list depends on. While a person is at work in it the order
/// stays as it is, so that nothing moves away under the hand.
fn relist(ui: &Ui, page: &Page<'_>, view: &mut EvidenceView, fields: &Fields<'_>, inputs: &[InputRef]) {
    let asked = Asked {
        words: view.words.clone(),
        shown: view.shown,
        order: view.order,
        subject: fields.swings.subject(),
        figures: fields.figures,
    };
    let key = Key {
        revision: fields.document.revision(),
        swings: fields.swings.of_revision,
        worths: page.worths.stamp(),
        inputs: inputs.len(),
        asked,
    };
    if let Some(listed) = &view.listed {
        let is_same_question = listed.key.asked == key.asked && listed.key.inputs == key.inputs;
        if listed.key == key || (is_same_question && is_busy(ui, view, fields, inputs, listed)) {
            return;
        }
    }
    let cursor = view.picked.cursor().and_then(|row| view.listed.as_ref()?.rows.get(row).copied());
    let mut rows: Vec<usize> =
        inputs.iter().filter(|input| is_shown(view, fields, input)).map(|input| input.index).collect();
    sort(&mut rows, view.order, page, fields, inputs);
    view.picked.clear();
    if let Some(row) = cursor.and_then(|cursor| rows.iter().position(|row| *row == cursor)) {
        view.picked.press(row, egui::Modifiers::NONE);
    }
    let widths = columns::Widths::of(ui, &rows, inputs, fields, &page.worths);
    view.listed = Some(Listed { key, rows, widths });
}

fn is_busy(ui: &Ui, view: &EvidenceView, fields: &Fields<'_>, inputs: &[InputRef], listed: &Listed) -> bool {
    let focused = ui.memory(egui::Memory::focused);
    let has_focus = |path: &str| focused.is_some_and(|id| Number::ALL.iter().any(|number| number.id(path) == id));
    let is_in_cell = || listed.rows.iter().filter_map(|row| inputs.get(*row)).any(|input| has_focus(&input.path));
    fields.memory.is_any_open()
        || fields.drafts.unsettled()
        || view.picked.count() > 1
        || (focused.is_some() && is_in_cell())
}

fn is_shown(view: &EvidenceView, fields: &Fields<'_>, input: &InputRef) -> bool {
    let is_of = match view.shown {
        Shown::All => input.is_entered() || !view.words.trim().is_empty(),
        Shown::Open(gap) => gap.is_open(input, fields.today),
        Shown::Defaults => !input.is_entered(),
    };
    is_of && matches(input, &view.words)
}

fn matches(input: &InputRef, words: &str) -> bool {
    if words.trim().is_empty() {
        return true;
    }
    let kind = input.input.evidence_kind().label();
    let said = input.input.evidence().map(|evidence| format!("{} {}", evidence.source, evidence.owner));
    let text = format!(
        "{} {} {} {} {kind} {}",
        input.label,
        input.place().unwrap_or("scenario"),
        input.path,
        input.unit,
        said.unwrap_or_default()
    );
    let (text, words) = (text.to_lowercase(), words.to_lowercase());
    words.split_whitespace().all(|word| text.contains(word))
}

fn sort(rows: &mut [usize], order: Order, page: &Page<'_>, fields: &Fields<'_>, inputs: &[InputRef]) {
    let swing = |row: usize| {
        let swing = inputs.get(row).and_then(|input| fields.swings.swing(&input.path));
        swing.and_then(|swing| swing.bar()).map(|bar| bar.swing)
    };
    match order {
        Order::Place => {}
        Order::Swing => rows.sort_by_cached_key(|row| (Reverse(swing(*row)), *row)),
        Order::Worth => {
            let places = page.worths.order();
            rows.sort_by_cached_key(|row| {
                let place = inputs.get(*row).and_then(|input| places.get(&input.path).copied());
                (place.unwrap_or(usize::MAX), *row)
            });
        }
        Order::Review => rows.sort_by_cached_key(|row| {
            let evidence = inputs.get(*row).and_then(|input| input.input.evidence());
            let date = evidence.and_then(|evidence| evidence.review_by.clone());
            (date.is_none(), date, *row)
        }),
        Order::Kind => rows.sort_by_cached_key(|row| {
            let kind = inputs.get(*row).map(|input| input.input.evidence_kind());
            (Reverse(kind), Reverse(swing(*row)), *row)
        }),
    }
}

fn nothing(view: &EvidenceView) -> &'static str {
    match view.shown {
        _ if !view.words.is_empty() => {
            "No input has these words in its name, place, unit or evidence. Esc in the field shows all of them."
        }
        Shown::Open(_) => "Nothing stands open here.",
        Shown::Defaults => "Every input has been entered.",
        Shown::All => "No input has been entered yet. Defaults lists those that can be.",
    }
}

fn title_ui(ui: &mut Ui, page: &Page<'_>, view: &EvidenceView, fields: &mut Fields<'_>, rows: &[&InputRef]) {
    let palette = Palette::of(ui.visuals());
    head_ui(ui, "Evidence", |ui| {
        let count = match rows.len() {
            1 => "1 input".to_owned(),
            many => format!("{} inputs", fields.figures.count(many)),
        };
        let which = match view.shown {
            Shown::All if view.words.trim().is_empty() => " entered",
            Shown::Defaults => " at their defaults",
            Shown::All | Shown::Open(_) => "",
        };
        let text = format!("{count}{which}, {}", view.order.said(&subject(fields)));
        let shown = elided(ui.painter(), &text, &theme::SMALL, (ui.available_width() - 270.0).max(60.0));
        let label = ui.label(RichText::new(&shown).font(theme::SMALL).color(palette.text2));
        label.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let export = tool_ui(ui, Icon::Export, "Export register");
            if export.clicked() && !rows.is_empty() {
                fields.commands.push(copied::export(&to_copy(view, rows), &page.worths, fields));
            }
            export.told("Writes the rows that are listed, or the selected ones, to a CSV file");
            let copy = tool_ui(ui, Icon::Copy, "Copy");
            if copy.clicked() && !rows.is_empty() {
                fields.commands.push(copied::copy(&to_copy(view, rows), &page.worths, fields));
            }
            copy.told("Copies the rows that are listed, or the selected ones, for a spreadsheet (Ctrl+C)");
        });
    });
}

/// What the order by worth rests on: draws that are made when they are asked for.
fn worths_ui(ui: &mut Ui, page: &Page<'_>, fields: &mut Fields<'_>) {
    let palette = Palette::of(ui.visuals());
    let small = |text: &str| RichText::new(text).font(theme::SMALL).color(palette.text2);
    let (name, why) = match (page.worths.stamp(), page.worths.mark.as_deref()) {
        _ if page.worths.progress.is_some() => ("", String::new()),
        (None, _) => ("Run the draws", "What measuring is worth is counted over draws; none were made yet.".to_owned()),
        (Some(_), _) if !page.worths.fresh => {
            ("Run again", "Out of date: the draws are of the scenario before the last change.".to_owned())
        }
        (Some(_), Some(mark)) if page.worths.is_stopped() => ("Go on", format!("{mark}.")),
        (Some(_), _) => return,
    };
    ui.horizontal(|ui| {
        ui.set_min_height(32.0);
        if let Some((done, all)) = page.worths.progress {
            if button(ui, "Stop", false).clicked() {
                fields.commands.push(Command::StopDraws);
            }
            let [done, all] = [done, all].map(|count| fields.figures.count(count));
            ui.label(small(&format!("{done} of {all} draws")));
            return;
        }
        if button(ui, name, true).clicked() {
            fields.commands.push(Command::RunDraws);
        }
        ui.label(small(&why));
    });
}

/// What swings are swings of.
fn subject(fields: &Fields<'_>) -> String {
    match fields.swings.letters() {
        (one, Some(other)) => format!("the difference between {one} and {other}"),
        (one, None) => format!("the figure of {one}"),
    }
}

fn controls_ui(ui: &mut Ui, view: &mut EvidenceView, fields: &Fields<'_>) {
    let counts = fields.document.now().register;
    let Counts { entered, inputs, .. } = counts;
    let mut buttons = vec![(Shown::All, "All", entered)];
    buttons.extend(Gap::ALL.map(|gap| (Shown::Open(gap), gap.label(), counts.open(gap))));
    buttons.push((Shown::Defaults, "Defaults", inputs.saturating_sub(entered)));
    let wanted: f32 = buttons.iter().map(|(_, name, count)| filter_width(ui, name, *count) + 8.0).sum();
    // The rest of the line is the order, and the field as far as it goes.
    let field = (ui.available_width() - wanted - 240.0).min(160.0);
    let is_roomy = 96.0 <= field;
    ui.horizontal(|ui| {
        ui.set_min_height(32.0);
        ui.spacing_mut().item_spacing.x = 8.0;
        for (shown, name, count) in buttons {
            if filter_button_ui(ui, name, count, view.shown == shown).clicked() {
                view.shown = shown;
                view.scroll_to = Some(0);
            }
        }
        if is_roomy {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                search_ui(ui, "Find an input", field, &mut view.words, &mut view.find);
                order_ui(ui, view, fields);
            });
        }
    });
    if !is_roomy {
        ui.horizontal(|ui| {
            ui.set_min_height(32.0);
            ui.spacing_mut().item_spacing.x = 8.0;
            search_ui(ui, "Find an input", 200.0, &mut view.words, &mut view.find);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| order_ui(ui, view, fields));
        });
    }
}

/// The order, in a line that goes from the right to the left.
fn order_ui(ui: &mut Ui, view: &mut EvidenceView, fields: &Fields<'_>) {
    let subject = fields.swings.subject();
    let entries: Vec<Entry> = Order::ALL.iter().map(|order| Entry::plain(order.label(&subject))).collect();
    let current = Order::ALL.iter().position(|order| *order == view.order).unwrap_or(0);
    if let Some(chosen) = choice_ui(ui, "Sort", &entries, current, 140.0) {
        view.order = Order::ALL[chosen];
        view.scroll_to = Some(0);
    }
    ui.label(RichText::new("Sort").font(theme::SMALL).color(Palette::of(ui.visuals()).text2));
}

fn filter_width(ui: &Ui, name: &str, count: usize) -> f32 {
    let width = |text: &str| text_width(ui.painter(), text, &theme::BODY);
    (width(name) + width(&count.to_string()) + 26.0).ceil()
}

/// A button that narrows the list, with how many it leaves.
fn filter_button_ui(ui: &mut Ui, name: &str, count: usize, is_current: bool) -> egui::Response {
    let (rect, response) = ui.allocate_exact_size(vec2(filter_width(ui, name, count), 24.0), Sense::click());
    let said = format!("{name} {count}");
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_current, &said));
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    let (fill, ink, quiet) = match (is_current, response.hovered()) {
        (true, _) => (palette.accent, palette.onaccent, palette.onaccent),
        (_, true) => (palette.hover, palette.text, palette.text2),
        _ => (palette.surface, palette.text, palette.text2),
    };
    painter.rect_filled(rect, 3, fill);
    match (is_current, response.has_focus()) {
        (true, true) => icons::border(painter, rect.shrink(2.0), 2, 2.0, palette.onaccent),
        (true, false) => {}
        (false, true) => icons::border(painter, rect, 3, 2.0, palette.accent),
        (false, false) => icons::border(painter, rect, 3, 1.0, palette.ctrl),
    }
    let at = pos2(rect.min.x + 10.0, rect.center().y);
    let word = painted_text(painter, at, Align2::LEFT_CENTER, name, &theme::BODY, ink);
    let at = pos2(word.max.x + 6.0, rect.center().y);
    painted_text(painter, at, Align2::LEFT_CENTER, &count.to_string(), &theme::BODY, quiet);
    response
}

/// What is in sight, what swings are counted in, and by which day dates are judged.
fn foot_ui(ui: &mut Ui, page: &Page<'_>, view: &EvidenceView, fields: &Fields<'_>, rows: usize) {
    let palette = Palette::of(ui.visuals());
    let figures = fields.figures;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), bulk::HEIGHT), Sense::hover());
    let mut texts = Vec::new();
    if let Some((first, last)) = view.seen {
        texts.push(format!(
            "Rows {} – {} of {}",
            figures.count(first + 1),
            figures.count(last + 1),
            figures.count(rows)
        ));
    }
    texts.push(swing_said(page, fields));
    if page.worths.stamp().is_some() {
        let mark = page.worths.mark.as_ref().map(|mark| format!(", {mark}")).unwrap_or_default();
        texts.push(format!("Worth in {}{mark}", page.worths.unit()));
    }
    if let Some(today) = fields.today {
        texts.push(format!("Today {today}"));
    }
    texts.push("Several rows selected can be given an owner or a date at once.".to_owned());
    let mut x = rect.min.x;
    for (i, text) in texts.iter().enumerate() {
        let width = text_width(ui.painter(), text, &theme::SMALL);
        if rect.max.x < x + width {
            break;
        }
        let place = egui::Rect::from_min_size(pos2(x, rect.min.y), vec2(width, rect.height()));
        let response = ui.interact(place, ui.scope_id().with(("foot", i)), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
        painted_text(ui.painter(), place.left_center(), Align2::LEFT_CENTER, text, &theme::SMALL, palette.text2);
        x = place.max.x + 20.0;
    }
}

/// What the column of swings shows.
fn swing_said(page: &Page<'_>, fields: &Fields<'_>) -> String {
    let unit = fields.swings.unit();
    let unit = if unit.is_empty() { String::new() } else { format!(" in {unit}") };
    match page.progress {
        Some((done, all)) if all > 0 => format!("Swing{unit}, being computed: {done} of {all}"),
        Some(_) => format!("Swing{unit}, being computed"),
        None if fields.swings.of_revision.is_none() => "Swing not computed".to_owned(),
        None if !fields.swings.fresh => format!("Swing{unit}, from before the last change"),
        None => format!("Swing{unit}, from low to high"),
    }
}
