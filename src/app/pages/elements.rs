//! The elements of the scenario, one list a page: workload classes, environments, placements; and the scenario itself.
//!
//! At the left the list, at the right the form of the element in focus with the sheets of its records. Which fields there
//! are stands in their declarations.

use std::collections::HashMap;
use std::rc::Rc;

use egui::accesskit::Role;
use egui::{Align2, Key, Modifiers, Popup, Rect, RichText, ScrollArea, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2};
use serde_json::Value;

use crate::analysis::line_totals::line_totals;
use crate::app::charts::{Charts, Seen};
use crate::app::dialogs::button;
use crate::app::form::sheet::{self, Sheet, SheetColumn, Source, State, Written};
use crate::app::form::{Form, blocks, form_ui, link_ui};
use crate::app::icons::{self, Icon};
use crate::app::theme::{self, Palette};
use crate::app::view::View;
use crate::app::widgets::{Align, Told, elided, painted_text, wrapped};
use crate::chart::{Kind, Which};
use crate::engine::PlacementResult;
use crate::scenario::id::{free_id, free_name};
use crate::scenario::structure::{self, Change, outline};
use crate::scenario::templates;

use super::head_ui;

/// One list of elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum List {
    Workloads,
    Environments,
    Placements,
}

impl List {
    /// The list in which an element with this path stands.
    pub fn of_path(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|list| path.split('.').next() == Some(list.field()))
    }

    /// The field of the scenario that holds it.
    pub const fn field(self) -> &'static str {
        match self {
            Self::Workloads => "workloads",
            Self::Environments => "environments",
            Self::Placements => "placements",
        }
    }

    pub const ALL: [Self; 3] = [Self::Workloads, Self::Environments, Self::Placements];

    const fn title(self) -> &'static str {
        match self {
            Self::Workloads => "Workload classes",
            Self::Environments => "Environments",
            Self::Placements => "Placements",
        }
    }

    pub const fn one(self) -> &'static str {
        match self {
            Self::Workloads => "workload class",
            Self::Environments => "environment",
            Self::Placements => "placement",
        }
    }

    const fn type_name(self) -> &'static str {
        match self {
            Self::Workloads => "Workload",
            Self::Environments => "Environment",
            Self::Placements => "Placement",
        }
    }

    /// What to do where the list is empty.
    const fn empty(self) -> &'static str {
        match self {
            Self::Workloads => {
                "No workload class yet. A class is work that behaves alike: training, a service, batch inference. Begin with one of these:"
            }
            Self::Environments => {
                "No environment yet. An environment is a place where work can run: an owned cluster, a cloud region, a GPU service. Begin with one of these:"
            }
            Self::Placements => {
                "No placement yet. A placement says which class runs where. It needs a workload class and an environment first."
            }
        }
    }
}

/// What can be done with an element takes so much of the line of its name.
const ACTIONS: f32 = 420.0;

/// What these pages remember.
#[derive(Default)]
pub struct Memory {
    selected: HashMap<List, String>,
    /// Where the selected element stood, for when its id has changed or it has gone.
    stood: HashMap<List, usize>,
    sheets: HashMap<String, State>,
    /// An element that is to go, with what depends on it.
    removing: Option<Removing>,
}

struct Removing {
    path: String,
    name: String,
    depends: Vec<String>,
}

impl Memory {
    /// Forgets what belongs to another scenario.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Looks at the element of a path, and opens the line it leads to.
    pub fn go_to(&mut self, path: &str) {
        let steps: Vec<&str> = path.split('.').collect();
        let (Some(list), Some(id)) = (List::of_path(path), steps.get(1)) else { return };
        self.selected.insert(list, (*id).to_owned());
        if let (Some(sheet @ ("costs" | "assignments" | "performance")), Some(row)) =
            (steps.get(2).copied(), steps.get(3))
        {
            let state = self.sheets.entry(format!("{}.{id}.{sheet}", list.field())).or_default();
            state.go_to = Some((*row).to_owned());
            state.details = true;
        }
    }
}

/// The page of one list.
pub fn elements_ui(
    ui: &mut Ui,
    list: List,
    form: &mut Form<'_>,
    (memory, charts): (&mut Memory, &mut Charts),
    view: &View,
) {
    let whole = form.value();
    let empty = Vec::new();
    let elements = whole.get(list.field()).and_then(Value::as_array).unwrap_or(&empty);
    let id_of = |element: &Value| text(element, "id").to_owned();
    let at = memory.selected.get(&list).and_then(|id| elements.iter().position(|element| id_of(element) == *id));
    let stood = memory.stood.get(&list).copied().unwrap_or(0);
    let at = at.unwrap_or(stood).min(elements.len().saturating_sub(1));
    memory.stood.insert(list, at);
    let room = ui.available_rect_before_wrap();
    let list_width = 168.0;
    let left =
        Rect::from_min_max(pos2(room.min.x - 16.0, room.min.y), pos2(room.min.x - 16.0 + list_width, room.max.y));
    let right = Rect::from_min_max(pos2(left.max.x + 16.0, room.min.y), room.max);
    ui.painter().vline(left.max.x - 0.5, left.y_range(), egui::Stroke::new(1.0, Palette::of(ui.visuals()).line));
    let mut at_left = ui.new_child(UiBuilder::new().max_rect(left).id_salt((list.field(), "list")));
    list_ui(&mut at_left, list, form, memory, elements, at);
    let mut at_right = ui.new_child(UiBuilder::new().max_rect(right).id_salt((list.field(), "element")));
    at_right.spacing_mut().item_spacing.y = 0.0;
    match elements.get(at) {
        Some(element) => element_ui(&mut at_right, list, form, (memory, charts), view, element, at),
        None => {
            at_right.add_space(48.0);
            at_right.label(list.empty());
            at_right.add_space(12.0);
            at_right.spacing_mut().item_spacing.y = 4.0;
            for start in starts(list) {
                if link_ui(&mut at_right, &start.name).told(&start.about).clicked() {
                    begin(form, memory, list, start.begins);
                }
            }
        }
    }
}

fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

fn list_ui(ui: &mut Ui, list: List, form: &mut Form<'_>, memory: &mut Memory, elements: &[Value], at: usize) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let palette = Palette::of(ui.visuals());
    let (head, _) = ui.allocate_exact_size(vec2(ui.available_width(), 36.0), Sense::hover());
    let count = match elements.len() {
        1 => format!("1 {}", list.one()),
        many => format!("{many} {}", crate::scenario::inputs::lower_first(list.title())),
    };
    let start = pos2(head.min.x + 16.0, head.center().y + 2.0);
    painted_text(ui.painter(), start, Align2::LEFT_CENTER, &count, &theme::SMALL, palette.text2);
    let plus = Rect::from_center_size(pos2(head.max.x - 20.0, head.center().y + 2.0), vec2(24.0, 24.0));
    add_ui(ui, plus, list, form, memory);
    ScrollArea::vertical().id_salt((list.field(), "names")).auto_shrink(false).show(ui, |ui| {
        for (place, element) in elements.iter().enumerate() {
            if entry_ui(ui, list, form, element, place == at) {
                memory.selected.insert(list, text(element, "id").to_owned());
                memory.removing = None;
            }
        }
    });
}

fn entry_ui(ui: &mut Ui, list: List, form: &Form<'_>, element: &Value, selected: bool) -> bool {
    let palette = Palette::of(ui.visuals());
    let (name, about) = (text(element, "name"), about(list, form, element));
    let room = ui.available_width() - 28.0;
    // One face, selected or not, so that selecting moves nothing.
    let first = wrapped(ui.painter(), name, &theme::BODY, room, palette.text);
    let second = wrapped(ui.painter(), &about, &theme::SMALL, room, palette.text2);
    let height = (first.size().y + second.size().y + 9.0).ceil();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, selected, name));
    if selected {
        ui.painter().rect_filled(rect, 0, palette.sel);
        ui.painter().rect_filled(rect.with_max_x(rect.min.x + 2.0), 0, palette.accent);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 0, palette.hover);
    }
    if response.has_focus() {
        icons::border(ui.painter(), rect, 0, 2.0, palette.accent);
    }
    let below = rect.max.y - 5.0 - second.size().y;
    ui.painter().galley(pos2(rect.min.x + 16.0, rect.min.y + 4.0), first, palette.text);
    ui.painter().galley(pos2(rect.min.x + 16.0, below.round()), second, palette.text2);
    response.clicked()
}

/// A line about an element: its kind, and who uses it.
fn about(list: List, form: &Form<'_>, element: &Value) -> String {
    let reading = form.reading();
    let id = text(element, "id");
    let field = |name: &str| {
        let field = outline().fields(list.type_name()).iter().find(|field| field.decl.name == name);
        field.map_or_else(String::new, |field| {
            reading.text(&field.shape, field.decl, None, element.get(name).unwrap_or(&Value::Null))
        })
    };
    match list {
        List::Workloads => field("class"),
        List::Environments => {
            let kind = field("supply");
            let letters = used_by(form, id);
            if letters.is_empty() { format!("{kind}, not used") } else { format!("{kind}, used by {letters}") }
        }
        List::Placements => {
            let places = element.get("assignments").and_then(Value::as_array).map_or(0, Vec::len);
            if places == 1 { "1 class".to_owned() } else { format!("{places} classes") }
        }
    }
}

/// The letters of the placements that use an environment.
fn used_by(form: &Form<'_>, id: &str) -> String {
    let results = &form.fields.document.now().evaluation.placements;
    let uses = |placement: &PlacementResult| placement.environments.iter().any(|of| of.id == id);
    let letters = results.iter().enumerate().filter(|(_, placement)| uses(placement)).map(|(i, _)| icons::letter(i));
    letters.map(|letter| letter.to_string()).collect::<Vec<_>>().join(", ")
}

/// The button that adds an element: blank, or as a template has it.
fn add_ui(ui: &mut Ui, place: Rect, list: List, form: &mut Form<'_>, memory: &mut Memory) {
    let response = ui.interact(place, egui::Id::unique((list.field(), "add")), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Add {}", with_article(list.one()))));
    let palette = Palette::of(ui.visuals());
    if response.hovered() {
        ui.painter().rect_filled(place, 3, palette.hover);
    }
    if response.has_focus() {
        icons::border(ui.painter(), place, 3, 2.0, palette.accent);
    }
    icons::icon(ui.painter(), Icon::Plus, place.center(), 16.0, palette.text);
    if list == List::Placements {
        if response.told("Adds a placement with every class in the first environment").clicked() {
            begin(form, memory, list, Begins::Assigned);
        }
        return;
    }
    Popup::menu(&response).accessible_name(format!("Add {}", with_article(list.one()))).show(|ui| {
        ui.set_min_width(280.0);
        for start in starts(list) {
            let entry = egui::Button::new(&start.name).shortcut_text(start.kind);
            if ui.add(entry).accessible_name(&start.name).told(&start.about).clicked() {
                begin(form, memory, list, start.begins);
                ui.close();
            }
        }
    });
}

fn with_article(one: &str) -> String {
    let article = if one.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {one}")
}

/// What an element can be begun from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    pub name: String,
    pub kind: &'static str,
    pub about: String,
    pub begins: Begins,
}

/// How a new element begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Begins {
    /// As the template at this place of the list.
    Template(usize),
    /// With this variant of its demand or supply, and nothing more.
    Empty(&'static str),
    /// A placement: with every class in the first environment.
    Assigned,
}

/// What elements of a list can be begun from: templates first.
pub fn starts(list: List) -> Vec<Start> {
    let templates = templates::shipped();
    let offered: Vec<templates::Template<'_>> = match list {
        List::Workloads => templates.workloads().collect(),
        List::Environments => templates.environments().collect(),
        List::Placements => Vec::new(),
    };
    let template = |(place, of): (usize, &templates::Template<'_>)| Start {
        name: of.name.to_owned(),
        kind: of.kind,
        about: of.help.to_owned(),
        begins: Begins::Template(place),
    };
    let mut all: Vec<Start> = offered.iter().enumerate().map(template).collect();
    let field = match list {
        List::Workloads => "demand",
        List::Environments => "supply",
        List::Placements => {
            let about = "Every class in the first environment, to be changed from there.".to_owned();
            return vec![Start { name: "Placement".to_owned(), kind: "", about, begins: Begins::Assigned }];
        }
    };
    let fields = outline().fields(list.type_name());
    let shape = fields.iter().find(|of| of.decl.name == field).map(|of| &of.shape);
    let variants = shape.and_then(|shape| outline().variants(shape)).unwrap_or_default();
    all.extend(variants.iter().map(|of| Start {
        name: format!("Empty: {}", crate::scenario::inputs::lower_first(of.label)),
        kind: "",
        about: of.help.trim().to_owned(),
        begins: Begins::Empty(of.name),
    }));
    all
}

/// Adds an element, and looks at it.
pub fn begin(form: &mut Form<'_>, memory: &mut Memory, list: List, begins: Begins) {
    let whole = form.value();
    let empty = Vec::new();
    let elements = whole.get(list.field()).and_then(Value::as_array).unwrap_or(&empty);
    match begins {
        Begins::Template(place) => add_template(form, memory, list, place, elements.len()),
        Begins::Empty(variant) => add(form, memory, list, elements, variant),
        Begins::Assigned => add_placement(form, memory, elements),
    }
}

/// The element with the least it can hold.
fn add(form: &mut Form<'_>, memory: &mut Memory, list: List, elements: &[Value], variant: &str) {
    let name = free_name(&format!("New {}", list.one()), elements.iter().map(|element| text(element, "name")));
    let id = free_id(&name, elements.iter().map(|element| text(element, "id")));
    let mut value = outline().blank(&crate::input::Shape::Named(list.type_name()), &crate::scenario::ROOT);
    let fields = outline().fields(list.type_name());
    for field in fields.iter().filter(|field| matches!(field.decl.name, "demand" | "supply")) {
        let variants = outline().variants(&field.shape).unwrap_or_default();
        if let (Some(variant), Some(record)) = (variants.iter().find(|of| of.name == variant), value.as_object_mut()) {
            record.insert(field.decl.name.to_owned(), outline().blank_variant(variant, field.decl));
        }
    }
    if let Some(record) = value.as_object_mut() {
        record.insert("id".to_owned(), id.clone().into());
        record.insert("name".to_owned(), name.clone().into());
    }
    insert(form, memory, list, value, id, &name, elements.len());
}

/// Adds an element as a template has it, with the indices that its prices follow.
fn add_template(form: &mut Form<'_>, memory: &mut Memory, list: List, place: usize, at: usize) {
    let scenario = &form.fields.document.base().scenario;
    let templates = templates::shipped();
    if list == List::Workloads {
        let Some(workload) = templates.workload(place, scenario) else { return };
        let (id, name) = (workload.id.clone(), workload.name.clone());
        return insert(form, memory, list, crate::input::written(&workload), id, &name, at);
    }
    let Some(new) = templates.environment(place, scenario) else { return };
    let (id, name) = (new.environment.id.clone(), new.environment.name.clone());
    let put = |path: String, value| Change::Put { path, value };
    let mut changes: Vec<Change> = new
        .indices
        .0
        .iter()
        .map(|(name, index)| put(format!("indices.{name}"), crate::input::written(index)))
        .collect();
    // A price in another currency waits for its rate, which nobody can make up.
    if let Some(currency) = &new.missing_rate {
        form.memory.missing_rate = Some(currency.clone());
    }
    let value = crate::input::written(&new.environment);
    changes.push(Change::Insert { list: list.field().to_owned(), at: Some(at), value });
    memory.selected.insert(list, id);
    form.change(list.field(), Change::All(changes), format!("{name} added"));
}

fn insert(form: &mut Form<'_>, memory: &mut Memory, list: List, value: Value, id: String, name: &str, at: usize) {
    let change = Change::Insert { list: list.field().to_owned(), at: Some(at), value };
    form.memory.go_to = Some(format!("{}.{id}.name", list.field()));
    memory.selected.insert(list, id);
    form.change(list.field(), change, format!("{name} added"));
}

/// A placement serves something from the start: every class, in the first environment.
fn add_placement(form: &mut Form<'_>, memory: &mut Memory, elements: &[Value]) {
    let scenario = &form.fields.document.base().scenario;
    let Some(environment) = scenario.environments.first() else { return };
    let assigned = scenario
        .workloads
        .iter()
        .map(|workload| serde_json::json!({ "workload": workload.id, "environment": environment.id }));
    let assignments: Vec<Value> = assigned.collect();
    if assignments.is_empty() {
        return;
    }
    let name = free_name("New placement", elements.iter().map(|element| text(element, "name")));
    let id = free_id(&name, elements.iter().map(|element| text(element, "id")));
    let value = serde_json::json!({ "id": id, "name": name, "assignments": assignments });
    insert(form, memory, List::Placements, value, id, &name, elements.len());
}

fn element_ui(
    ui: &mut Ui,
    list: List,
    form: &mut Form<'_>,
    (memory, charts): (&mut Memory, &mut Charts),
    view: &View,
    element: &Value,
    at: usize,
) {
    let (id, name) = (text(element, "id").to_owned(), text(element, "name").to_owned());
    let path = format!("{}.{id}", list.field());
    let about = about(list, form, element);
    // The name gives way to what can be done with the element.
    let title = elided(ui.painter(), &name, &theme::semibold(20.0), (ui.available_width() - ACTIONS).max(96.0));
    head_ui(ui, &title, |ui| {
        let palette = Palette::of(ui.visuals());
        ui.label(RichText::new(about).font(theme::SMALL).color(palette.text2));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            actions_ui(ui, list, form, memory, &path, &name, at);
        });
    });
    removing_ui(ui, form, memory);
    ScrollArea::vertical().id_salt((list.field(), &id)).auto_shrink(false).show(ui, |ui| {
        ui.set_max_width(ui.available_width() - 8.0);
        let apart: &[&str] = &["performance", "costs", "assignments"];
        let blocks = blocks("General", &path, list.type_name(), element, apart);
        if list == List::Placements {
            sheet_ui(ui, form, memory, view, &path, &name, "assignments", element);
        }
        let shown = charts_of(list, form, view, &path);
        beside_ui(ui, form, (&blocks, &name), (charts, &shown), view);
        if list == List::Environments {
            sheet_ui(ui, form, memory, view, &path, &name, "performance", element);
        }
        if list != List::Workloads {
            sheet_ui(ui, form, memory, view, &path, &name, "costs", element);
        }
        ui.add_space(32.0);
    });
}

/// The charts that the inputs of an environment shape: its capacity, and the load it carries.
fn charts_of(list: List, form: &Form<'_>, view: &View, path: &str) -> Vec<Which> {
    let Some(id) = path.strip_prefix("environments.").filter(|_| list == List::Environments) else { return Vec::new() };
    let results = &form.fields.document.now().evaluation.placements;
    let uses = |place: &usize| results.get(*place).is_some_and(|of| of.environments.iter().any(|of| of.id == id));
    let place = Some(view.focus).filter(uses).or_else(|| (0..results.len()).find(uses));
    let of = |place: usize| [Kind::Capacity, Kind::Load].map(|kind| Which::of_environment(kind, place, id));
    place.map(of).into_iter().flatten().collect()
}

/// The form, and beside it the charts that its inputs shape; beneath it where there is no room beside.
fn beside_ui(
    ui: &mut Ui,
    form: &mut Form<'_>,
    (blocks, name): (&[crate::app::form::Block], &str),
    (charts, shown): (&mut Charts, &[Which]),
    view: &View,
) {
    const CHART: f32 = 380.0;
    const ROOM: f32 = 1040.0;
    let seen = Seen::of(form.fields.document);
    let drawn = shown.iter().filter(|which| charts.described(which, seen, view).is_ok()).count();
    let (width, top) = (ui.available_width(), ui.cursor().min);
    let beside = drawn > 0 && ROOM <= width;
    let form_width = if beside { width - CHART - 24.0 } else { width };
    let room = |left: f32, width: f32| Rect::from_min_size(pos2(left, top.y), vec2(width, 10_000.0));
    let mut at_left = ui.new_child(UiBuilder::new().max_rect(room(top.x, form_width)).id_salt("form beside"));
    form_ui(&mut at_left, form, blocks, name);
    let mut bottom = at_left.min_rect().max.y;
    let (left, each) = if beside { (top.x + form_width + 24.0, CHART) } else { (top.x, width.min(560.0)) };
    let start = if beside { top.y } else { bottom };
    let place = Rect::from_min_size(pos2(left, start), vec2(each, 10_000.0));
    let mut at_right = ui.new_child(UiBuilder::new().max_rect(place).id_salt("charts beside"));
    at_right.spacing_mut().item_spacing.y = 10.0;
    for which in shown {
        super::kept_chart_ui(&mut at_right, charts, (which, seen), view, each, form.fields.commands);
    }
    if drawn > 0 {
        bottom = bottom.max(at_right.min_rect().max.y + 12.0);
    }
    ui.allocate_rect(Rect::from_min_max(top, pos2(top.x + width, bottom)), Sense::hover());
}

fn actions_ui(ui: &mut Ui, list: List, form: &mut Form<'_>, memory: &mut Memory, path: &str, name: &str, at: usize) {
    ui.spacing_mut().item_spacing.x = 4.0;
    if link_ui(ui, "Remove").clicked() {
        let scenario = &form.fields.document.base().scenario;
        let depends = structure::dependents(scenario, path).iter().map(|of| scenario.named(&of.path)).collect();
        memory.removing = Some(Removing { path: path.to_owned(), name: name.to_owned(), depends });
    }
    let last = form.value().get(list.field()).and_then(Value::as_array).map_or(0, Vec::len).saturating_sub(1);
    if at < last && link_ui(ui, "Move down").clicked() {
        let change = Change::Move { path: path.to_owned(), to: at + 1 };
        form.change(path, change, format!("{name} moved down"));
    }
    if at > 0 && link_ui(ui, "Move up").clicked() {
        let change = Change::Move { path: path.to_owned(), to: at - 1 };
        form.change(path, change, format!("{name} moved up"));
    }
    if list == List::Placements && link_ui(ui, "Duplicate with environments").clicked() {
        duplicate(form, memory, list, path, true);
    }
    if link_ui(ui, "Duplicate").clicked() {
        duplicate(form, memory, list, path, false);
    }
}

fn duplicate(form: &mut Form<'_>, memory: &mut Memory, list: List, path: &str, with_environments: bool) {
    let scenario = &form.fields.document.base().scenario;
    if let Some((change, id, name)) = structure::duplicate(scenario, path, with_environments) {
        memory.selected.insert(list, id);
        form.change(path, change, format!("{name} added"));
    }
}

/// What goes with an element, before it goes.
fn removing_ui(ui: &mut Ui, form: &mut Form<'_>, memory: &mut Memory) {
    let Some(removing) = memory.removing.take() else { return };
    let palette = Palette::of(ui.visuals());
    let mut open = true;
    let frame = egui::Frame::new().fill(palette.warnbg).inner_margin(egui::Margin::symmetric(12, 10));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new(format!("Remove {}?", removing.name)).font(theme::semibold(13.0)));
        if removing.depends.is_empty() {
            ui.label("Nothing refers to it.");
        } else {
            let mut shown: Vec<&str> = removing.depends.iter().map(String::as_str).collect();
            shown.dedup();
            let more = shown.len().saturating_sub(10);
            shown.truncate(10);
            let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
            ui.label(format!("What refers to it goes with it: {}{rest}.", shown.join("; ")));
        }
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            let remove = button(ui, "Remove it", true);
            if remove.clicked() {
                let change = Change::Remove { path: removing.path.clone() };
                form.change(&removing.path, change, format!("{} removed", removing.name));
                open = false;
            }
            let escaped = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
            if button(ui, "Keep it", false).clicked() || escaped {
                open = false;
            }
        });
    });
    ui.add_space(8.0);
    if open {
        memory.removing = Some(removing);
    }
}

/// The records of a field as a sheet, with the fields of the current one beneath where they are opened.
#[expect(clippy::too_many_arguments, reason = "a sheet is drawn with all that a page knows")]
fn sheet_ui(
    ui: &mut Ui,
    form: &mut Form<'_>,
    memory: &mut Memory,
    view: &View,
    path: &str,
    place: &str,
    field: &'static str,
    element: &Value,
) {
    let sheet_path = format!("{path}.{field}");
    let value = element.get(field).cloned().unwrap_or(Value::Null);
    let environment = path.strip_prefix("environments.");
    let result = shown_result(form, view, path);
    let (type_name, id, titled, title): (_, _, _, &str) = match field {
        "costs" => ("CostLine", "id", Some("label"), "Cost lines"),
        "assignments" => ("Assignment", "workload", None, "Assignments, first served first"),
        _ => ("Performance", "", None, "Performance by class"),
    };
    let currency = form.fields.document.base().scenario.currency.clone();
    let totals = Totals::of(form, result.as_deref(), environment);
    let months = form.fields.document.base().scenario.horizon_months;
    let total = |id: &str| totals.total(id);
    let behaviour = |id: &str| totals.behaviour(id);
    let kinds: HashMap<String, String> = sheet::rows_of(&value, id)
        .into_iter()
        .map(|(id, _)| (id.clone(), rate_evidence(form, &sheet_path, &id)))
        .collect();
    let evidence = |id: &str| kinds.get(id).cloned().unwrap_or_default();
    let total_heading = format!("Total, {months} months");
    let mut columns: Vec<SheetColumn<'_>> = Vec::new();
    if field == "performance" {
        let source = Source::Key("workloads");
        columns.push(SheetColumn { heading: "Workload class".to_owned(), width: 180.0, align: Align::Left, source });
    }
    // What every line needs stands before what was computed, what few lines need after it.
    let beneath = |of: &&crate::input::FieldType| !matches!(of.decl.name, "id" | "notes" | "rule");
    let is_usual = |of: &crate::input::FieldType| {
        of.default.is_none()
            || of.shape == crate::input::Shape::Input
            || matches!(of.decl.unit, crate::input::Unit::IdOf(_))
    };
    let fields = outline().fields(type_name);
    let (usual, rare): (Vec<_>, Vec<_>) = fields.iter().filter(beneath).partition(|of| is_usual(of));
    columns.extend(usual.into_iter().map(|of| sheet::column(of, &currency)));
    if field == "costs" {
        let figure = |heading: &str, width, align, figure| SheetColumn {
            heading: heading.to_owned(),
            width,
            align,
            source: Source::Figure(figure),
        };
        columns.push(figure("Behaviour", 78.0, Align::Left, &behaviour));
        columns.push(figure("Evidence", 84.0, Align::Left, &evidence));
        columns.push(figure(&total_heading, 124.0, Align::Right, &total));
    }
    columns.extend(rare.into_iter().map(|of| sheet::column(of, &currency)));
    let written = if field == "costs" { totals.written(&value, &total_heading) } else { Vec::new() };
    let mut state = memory.sheets.remove(&sheet_path).unwrap_or_default();
    let sheet = Sheet {
        name: title,
        path: &sheet_path,
        type_name,
        columns,
        written,
        rows: sheet::rows_of(&value, id),
        titled,
        place,
    };
    if let Some(row) = state.go_to.take() {
        state.row = sheet.rows.iter().position(|(of, _)| *of == row).unwrap_or(state.row);
    }
    let palette = Palette::of(ui.visuals());
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.set_min_height(32.0);
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.label(RichText::new(title).font(theme::semibold(13.0)));
        let note = match (field, result.as_deref()) {
            ("costs", Some(result)) => format!("{} lines, totals in {}", sheet.rows.len(), result.name),
            ("costs", None) if environment.is_some() => format!("{} lines, in no placement yet", sheet.rows.len()),
            _ => String::new(),
        };
        ui.label(RichText::new(note).font(theme::SMALL).color(palette.text2));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| match field {
            "costs" => sheet::tools_ui(ui, form, &sheet, &mut state),
            _ => add_by_class_ui(ui, form, &sheet, &mut state, field),
        });
    });
    let rows = sheet.rows.len() + sheet.written.len();
    let height = 24.0 + 20.0 * rows.min(18) as f32 + 14.0;
    if sheet.rows.is_empty() && sheet.written.is_empty() {
        let text = match field {
            "costs" => "No line yet. Add one, or paste lines from a spreadsheet.",
            "assignments" => "Nothing runs here yet.",
            _ => "Every class runs here at the speed of the reference, without waiting or failing.",
        };
        ui.label(RichText::new(text).color(palette.text2));
    }
    sheet.ui(ui, form, &mut state, height);
    if state.details
        && let Some((id, record)) = sheet.current(&state)
    {
        let path = format!("{sheet_path}.{id}");
        let title = match titled.and_then(|title| record.get(title)).and_then(Value::as_str) {
            Some(name) => name.to_owned(),
            None => form.reading().name(Some("workloads"), id),
        };
        let frame = egui::Frame::new().fill(palette.sunken).inner_margin(egui::Margin::symmetric(12, 8));
        let shown = frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            let blocks = blocks(&title, &path, type_name, record, &[]);
            form_ui(ui, form, &blocks, &format!("{title}, {place}"));
        });
        if std::mem::take(&mut state.shows_below) {
            shown.response.scroll_to_me(None);
        }
    }
    memory.sheets.insert(sheet_path.clone(), state);
}

/// Adds what a class lacks: its assignment, or its performance.
fn add_by_class_ui(ui: &mut Ui, form: &mut Form<'_>, sheet: &Sheet<'_>, state: &mut State, field: &str) {
    let choices = form.reading().choices("workloads");
    let left: Vec<&(String, String)> =
        choices.iter().filter(|(id, _)| sheet.rows.iter().all(|(known, _)| known != id)).collect();
    if !sheet.rows.is_empty() {
        sheet::details_ui(ui, state);
        if link_ui(ui, "Remove row").clicked() {
            sheet.remove(form, state);
        }
    }
    if left.is_empty() {
        return;
    }
    let mut entries = vec![crate::app::widgets::Entry::plain("Add a class…")];
    entries.extend(left.iter().map(|(_, name)| crate::app::widgets::Entry::plain(name)));
    let chosen = crate::app::widgets::choice_ui(ui, &format!("Add a class to {}", sheet.name), &entries, 0, 150.0);
    let Some((id, name)) = chosen.and_then(|chosen| left.get(chosen - 1)) else { return };
    let change = if field == "assignments" {
        let environment = form.reading().choices("environments").into_iter().next().map(|(id, _)| id);
        let value = serde_json::json!({ "workload": id, "environment": environment });
        Change::Insert { list: sheet.path.to_owned(), at: None, value }
    } else {
        Change::Put { path: format!("{}.{id}", sheet.path), value: serde_json::json!({}) }
    };
    form.change(sheet.path, change, format!("{name} added · {}", sheet.place));
}

/// The placement whose totals are shown for an element: the one in focus where it uses it, else the first that does.
fn shown_result(form: &Form<'_>, view: &View, path: &str) -> Option<Rc<PlacementResult>> {
    let results = &form.fields.document.now().evaluation.placements;
    let uses = |placement: &&PlacementResult| match path.split_once('.') {
        Some(("environments", id)) => placement.environments.iter().any(|of| of.id == id),
        Some(("placements", id)) => placement.id == id,
        _ => false,
    };
    let focused = results.get(view.focus).filter(uses);
    focused.or_else(|| results.iter().find(uses)).map(|result| Rc::new(result.clone()))
}

/// What the lines of an element come to, as text.
struct Totals {
    /// By id: label, category, boundary, behaviour and total.
    lines: Vec<(String, [String; 5])>,
}

impl Totals {
    fn of(form: &Form<'_>, result: Option<&PlacementResult>, environment: Option<&str>) -> Self {
        let evaluation = &form.fields.document.now().evaluation;
        let digits = evaluation.currency.minor_digits;
        let lines = result.map(|result| line_totals(result, environment)).unwrap_or_default();
        let line = |of: crate::analysis::line_totals::LineTotal<'_>| {
            let texts = [
                of.line.label.clone(),
                of.line.category.label().to_owned(),
                of.line.boundary.label().to_owned(),
                of.behaviour().to_owned(),
                form.fields.figures.posted(of.total().minor(), digits),
            ];
            (of.line.id.clone(), texts)
        };
        Self { lines: lines.into_iter().map(line).collect() }
    }

    fn total(&self, id: &str) -> String {
        self.lines.iter().find(|(of, _)| of == id).map(|(_, texts)| texts[4].clone()).unwrap_or_default()
    }

    fn behaviour(&self, id: &str) -> String {
        self.lines.iter().find(|(of, _)| of == id).map(|(_, texts)| texts[3].clone()).unwrap_or_default()
    }

    /// The lines that no cost line states: those of the supply itself.
    fn written(&self, costs: &Value, total_heading: &str) -> Vec<Written> {
        let stated: Vec<&str> = costs.as_array().into_iter().flatten().map(|line| text(line, "id")).collect();
        let row = |texts: &[String; 5]| Written {
            cells: [("Label", 0), ("Category", 1), ("Boundary", 2), ("Behaviour", 3), (total_heading, 4)]
                .into_iter()
                .map(|(heading, place)| (heading.to_owned(), texts[place].clone()))
                .collect(),
        };
        let generated = self.lines.iter().filter(|(id, _)| !stated.contains(&id.as_str()));
        generated.map(|(_, texts)| row(texts)).collect()
    }
}

/// The kind of evidence of a line's rate.
fn rate_evidence(form: &Form<'_>, sheet: &str, id: &str) -> String {
    let rate = format!("{sheet}.{id}.rate");
    let input = form.input(&rate).or_else(|| form.input(&format!("{rate}.0")));
    input.map(|input| input.input.evidence_kind().label().to_owned()).unwrap_or_default()
}

/// The page of what holds for the whole scenario: time, money, tax, indices, groups.
pub fn scenario_ui(ui: &mut Ui, form: &mut Form<'_>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let whole = form.value();
    head_ui(ui, "Scenario", |ui| {
        let palette = Palette::of(ui.visuals());
        let text = "What holds for every placement: time, money, tax, indices, groups of inputs";
        ui.label(RichText::new(text).font(theme::SMALL).color(palette.text2));
    });
    ScrollArea::vertical().id_salt("scenario form").auto_shrink(false).show(ui, |ui| {
        ui.set_max_width(ui.available_width() - 8.0);
        let apart = ["format", "workloads", "environments", "placements", "groups", "levers", "cases", "decision"];
        form_ui(ui, form, &blocks("General", "", "Scenario", &whole, &apart), "");
        groups_ui(ui, form, &whole);
        ui.add_space(32.0);
    });
}

/// Inputs that move together.
fn groups_ui(ui: &mut Ui, form: &mut Form<'_>, whole: &Value) {
    let palette = Palette::of(ui.visuals());
    let empty = Vec::new();
    let groups = whole.get("groups").and_then(Value::as_array).unwrap_or(&empty);
    ui.horizontal(|ui| {
        ui.label(RichText::new("Groups of inputs").font(theme::semibold(13.0)));
        let note = "Inputs of a group move together in the tornado and in draws.";
        ui.label(RichText::new(note).font(theme::SMALL).color(palette.text2));
        if button(ui, "Add group", false).clicked() {
            let names: Vec<&str> = groups.iter().map(|group| text(group, "name")).collect();
            let ids: Vec<&str> = groups.iter().map(|group| text(group, "id")).collect();
            let name = free_name("New group", names.iter().copied());
            let id = free_id(&name, ids.iter().copied());
            let value = serde_json::json!({ "id": id, "name": name, "inputs": [] });
            let change = Change::Insert { list: "groups".to_owned(), at: None, value };
            form.memory.go_to = Some(format!("groups.{id}.name"));
            form.change("groups", change, format!("{name} added"));
        }
    });
    ui.add_space(4.0);
    for group in groups {
        let (id, name) = (text(group, "id").to_owned(), text(group, "name").to_owned());
        let path = format!("groups.{id}");
        let blocks = blocks(&name, &path, "Group", group, &[]);
        form_ui(ui, form, &blocks, &name);
        if link_ui(ui, &format!("Remove {name}")).clicked() {
            form.change(&path, Change::Remove { path: path.clone() }, format!("{name} removed"));
        }
        ui.add_space(8.0);
    }
}
