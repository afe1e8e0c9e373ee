//! A whole scenario built from nothing, by someone who only types, clicks and presses keys.
//!
//! What is entered is the shipped regional platform, walked along its declarations: no field of it is named here. A field
//! that the window does not offer fails the test.

use outlay::engine;
use outlay::input::{Decl, FieldType, Shape, Unit};
use outlay::scenario::inputs::lower_first;
use outlay::scenario::structure::{outline, written};
use outlay::scenario::{Scenario, Syntax, templates, write};
use outlay::show::Figures;
use outlay::words::values::{self, Reading, current, exact};
use serde_json::Value;

use crate::support::*;

struct Builder {
    window: Window,
    target: Scenario,
}

impl Builder {
    fn now(&self) -> Value {
        written(self.window.state().scenario())
    }

    fn reading(&self) -> Reading<'_> {
        Reading { scenario: &self.target, figures: Figures::default() }
    }

    fn text(&mut self, label: &str, text: &str) {
        self.window.get_by_role_and_label(Role::TextInput, label).focus();
        self.window.run();
        command(&mut self.window, Key::A);
        type_text(&mut self.window, text);
        press(&mut self.window, Key::Enter);
    }

    fn choose(&mut self, label: &str, entry: &str) {
        self.window.get_by_role_and_label(Role::ComboBox, label).click_accesskit();
        self.window.run();
        let Some(line) = self.window.query_all_by_role_and_label(Role::MenuItemRadio, entry).next() else {
            panic!("{label:?} offers no {entry:?}, only {:#?}", self.labels());
        };
        line.click_accesskit();
        self.window.run();
    }

    /// What can be pressed or typed into, and what is said in a line of its own.
    fn labels(&self) -> Vec<String> {
        let shown = self.window.query_all_by(|node| node.label().or_else(|| node.value()).is_some());
        shown.filter_map(|node| node.accesskit_node().label().or_else(|| node.accesskit_node().value())).collect()
    }

    fn press(&mut self, label: &str) {
        let Some(button) = self.window.query_all_by_role_and_label(Role::Button, label).next() else {
            panic!("there is no button {label:?}, only {:#?}", self.labels());
        };
        button.click_accesskit();
        self.window.run();
    }

    /// The number of an input, typed as its cell takes it.
    fn number(&mut self, label: &str, decl: &Decl, value: &Value) {
        let number = exact(value).expect("an input is a number");
        let cell = values::cell(decl);
        let typed = Figures::default().editing(cell.shown(number.decimal()));
        self.text(label, &typed);
    }

    /// Enters every field of a record that is not as the target has it.
    fn record(&mut self, type_name: &str, path: &str, place: &str, apart: &[&str]) {
        for field in outline().fields(type_name) {
            if !apart.contains(&field.decl.name) && field.decl.unit != Unit::Prose {
                let path =
                    if path.is_empty() { field.decl.name.to_owned() } else { format!("{path}.{}", field.decl.name) };
                self.field(field, &path, place);
            }
        }
    }

    fn field(&mut self, field: &FieldType, path: &str, place: &str) {
        self.value(&field.shape, field.decl, None, path, field.decl.label, place);
    }

    fn value(&mut self, shape: &Shape, decl: &Decl, of: Option<&'static str>, path: &str, label: &str, place: &str) {
        let of = if let Unit::IdOf(list) = decl.unit { Some(list) } else { of };
        let wanted = outline().at(&written(&self.target), path);
        let is = outline().at(&self.now(), path);
        let (Some(wanted), true) = (wanted.clone(), wanted != is) else { return };
        let named = if place.is_empty() { label.to_owned() } else { format!("{label} · {place}") };
        match shape {
            Shape::Optional(inner) => {
                if is.is_none() && matches!(&**inner, Shape::Named(name) if !outline().fields(name).is_empty()) {
                    self.press(&format!("Add {}", lower_first(label)));
                }
                self.value(inner, decl, of, path, label, place);
            }
            Shape::Text if of.is_some() => {
                let name = self.reading().name(of, wanted.as_str().unwrap_or_default());
                self.choose(&named, &name);
            }
            Shape::Text => self.text(&named, wanted.as_str().unwrap_or_default()),
            Shape::YesNo => self.choose(&named, if wanted == Value::Bool(true) { "Yes" } else { "No" }),
            Shape::Count => self.text(&named, &wanted.to_string()),
            Shape::Input | Shape::Number => self.input(path, decl, &wanted, &named),
            Shape::Declared(own) => self.input(path, own, &wanted, &format!("{} · {place}", own.label)),
            Shape::List(inner) => self.list(inner, decl, path, label, place, &wanted),
            Shape::Map(inner) => {
                for key in wanted.as_object().into_iter().flatten().map(|(key, _)| key.clone()) {
                    self.text(&format!("Add to {}", lower_first(label)), &key);
                    self.value(inner, decl, None, &format!("{path}.{key}"), &key, place);
                }
            }
            Shape::Beside { .. } => {}
            Shape::Named(name) => match outline().variants(shape) {
                Some(variants) => {
                    let (variant, _) = current(variants, &wanted).expect("the target has one of its variants");
                    let same =
                        is.as_ref().and_then(|is| current(variants, is)).is_some_and(|(of, _)| of.name == variant.name);
                    if !same {
                        self.choose(&named, variant.label);
                    }
                    let Some(held) = &variant.holds else { return };
                    if let Shape::Named(name) = held
                        && !outline().fields(name).is_empty()
                    {
                        return self.record(name, path, place, &[]);
                    }
                    self.held(held, decl, variant.ids_of, path, label, place);
                }
                None => self.record(name, path, place, &[]),
            },
        }
    }

    /// What a variant holds stands at the path of the variant itself.
    fn held(&mut self, shape: &Shape, decl: &Decl, of: Option<&'static str>, path: &str, label: &str, place: &str) {
        let wanted = outline().at(&written(&self.target), path).unwrap_or_default();
        let inner = wanted.as_object().and_then(|object| object.values().next()).cloned().unwrap_or_default();
        match shape {
            Shape::Input => self.input(path, decl, &inner, &format!("{label} · {place}")),
            Shape::Declared(own) => self.input(path, own, &inner, &format!("{} · {place}", own.label)),
            Shape::List(of_list) => self.list(of_list, decl, path, label, place, &inner),
            Shape::Named(name) if outline().variants(shape).is_some() => {
                let _ = name;
                // A rate inside the price of a service: its choice is called as the price is.
                let variants = outline().variants(shape).expect("it has variants");
                let (variant, _) = current(variants, &inner).expect("the target has one of its variants");
                let combo = format!("{label} · {place}");
                let boxes = self.window.get_all_by_role_and_label(Role::ComboBox, &combo).count();
                let last = self.window.get_all_by_role_and_label(Role::ComboBox, &combo).nth(boxes - 1);
                last.expect("the price has a choice of its tiers").click_accesskit();
                self.window.run();
                self.window.get_by_role_and_label(Role::MenuItemRadio, variant.label).click_accesskit();
                self.window.run();
                let value = inner.as_object().and_then(|object| object.values().next()).cloned().unwrap_or_default();
                match variant.holds.as_ref() {
                    Some(Shape::List(of_list)) => self.list(of_list, decl, path, label, place, &value),
                    Some(_) => self.input(path, decl, &value, &combo),
                    None => {}
                }
            }
            _ => self.value(shape, decl, of, path, label, place),
        }
    }

    fn input(&mut self, path: &str, decl: &Decl, wanted: &Value, otherwise: &str) {
        let known = self.window.state().scenario().input(path).ok();
        if known.as_ref().is_some_and(|known| Some(known.input.value) == exact(wanted)) {
            return;
        }
        // While a change waits, its numbers are called by their place in it.
        let known = known.map(|known| known.full_label());
        let is_shown = |label: &String| self.window.query_by_role_and_label(Role::TextInput, label).is_some();
        let label = known.filter(is_shown).unwrap_or_else(|| otherwise.to_owned());
        self.number(&label, decl, wanted);
    }

    fn list(&mut self, inner: &Shape, decl: &Decl, path: &str, label: &str, place: &str, wanted: &Value) {
        let items = wanted.as_array().cloned().unwrap_or_default();
        let held = |now: &Value| match outline().at(now, path) {
            Some(Value::Object(variant)) => variant.values().next().and_then(Value::as_array).map_or(0, Vec::len),
            Some(Value::Array(items)) => items.len(),
            _ => 0,
        };
        match inner {
            Shape::Input | Shape::Declared(_) => {
                while held(&self.now()) < items.len() {
                    self.press(&format!("Add to {label}"));
                }
                for (place_of, item) in items.iter().enumerate() {
                    let own = if let Shape::Declared(own) = inner { own } else { decl };
                    self.input(&format!("{path}.{place_of}"), own, item, "");
                }
            }
            Shape::Beside { other, input, .. } => {
                let word = |name: &str| name.replace('_', " ");
                let last = format!("{label}, {} {} · {place}", word(other), items.len());
                for _ in 0..items.len() {
                    if self.window.query_by_role_and_label(Role::TextInput, &last).is_none() {
                        self.press(&format!("Add a row to {label}"));
                    }
                }
                for (row, item) in items.iter().enumerate() {
                    if let Some(beside) = item.get(*other).and_then(exact) {
                        let name = format!("{label}, {} {} · {place}", word(other), row + 1);
                        self.text(&name, &beside.to_string());
                    }
                    let number = item.get(*input).cloned().unwrap_or_default();
                    let name = format!("{label}, {} {} · {place}", word(input), row + 1);
                    let path = format!("{path}.{row}");
                    self.input(&path, decl, &number, &name);
                }
            }
            _ => {
                let text = items.iter().map(|item| item.as_str().unwrap_or_default()).collect::<Vec<_>>().join("; ");
                self.text(&format!("{label} · {place}"), &text);
            }
        }
    }

    /// Puts lines into a sheet, as they are copied from a spreadsheet with the headings of the sheet.
    fn paste_lines(&mut self, path: &str) {
        let lines = outline().at(&written(&self.target), path).unwrap_or_default();
        let lines = lines.as_array().cloned().unwrap_or_default();
        if lines.is_empty() {
            return;
        }
        let reading = self.reading();
        let fields: Vec<&FieldType> =
            outline().fields("CostLine").iter().filter(|of| !matches!(of.decl.name, "id" | "notes")).collect();
        let mut rows = vec![fields.iter().map(|of| of.decl.label.to_owned()).collect::<Vec<_>>().join("\t")];
        for line in &lines {
            let cell = |of: &&FieldType| {
                let value = line.get(of.decl.name).cloned().unwrap_or_default();
                match value.as_object().and_then(|object| object.get("Flat")).and_then(exact).or_else(|| exact(&value))
                {
                    Some(number) if of.shape != Shape::Text => number.to_string(),
                    _ => reading.text(&of.shape, of.decl, None, &value),
                }
            };
            rows.push(fields.iter().map(cell).collect::<Vec<_>>().join("\t"));
        }
        self.window.get_by_role_and_label(Role::Table, "Cost lines").focus();
        self.window.run();
        self.window.event(egui::Event::Paste(rows.join("\n")));
        self.window.run();
        self.press("Paste");
    }

    /// Types into a cell of a sheet.
    fn cell(&mut self, label: &str, text: &str) {
        self.window.get_by_role_and_label(Role::Cell, label).click_accesskit();
        self.window.run();
        type_text(&mut self.window, text);
        press(&mut self.window, Key::Enter);
    }

    fn add(&mut self, what: &str, entry: &str) {
        self.press(what);
        self.press(entry);
    }
}

/// A pasted line gets its id from its label.
fn number_line((place, line): (usize, &mut outlay::scenario::CostLine)) {
    line.notes.clear();
    line.id = format!("line-{place}");
}

/// A scenario without what no figure rests on: ranges and evidence, free texts, and what is laid over it.
fn bare(scenario: &Scenario) -> Scenario {
    let mut bare = scenario.clone();
    for found in scenario.inputs() {
        // 20 % is 0.20 or 0.2.
        let value = outlay::quantity::Exact::from_decimal(found.input.value.decimal().normalize()).expect("it was one");
        bare.change_nth(found.index, |input| (input.value, input.detail) = (value, None));
    }
    bare.notes.clear();
    bare.workloads.iter_mut().for_each(|of| of.notes.clear());
    for environment in &mut bare.environments {
        environment.notes.clear();
        environment.costs.iter_mut().enumerate().for_each(number_line);
    }
    for placement in &mut bare.placements {
        placement.notes.clear();
        placement.costs.iter_mut().enumerate().for_each(number_line);
        for assignment in &mut placement.assignments {
            assignment.notes.clear();
            assignment.rule = None;
        }
    }
    (bare.groups, bare.levers, bare.cases) = (Vec::new(), Vec::new(), Vec::new());
    bare.decision = outlay::scenario::Decision::default();
    bare
}

#[test]
fn the_regional_platform_is_built_from_nothing() {
    let text = std::fs::read_to_string("scenarios/regional-platform.ron").expect("the scenario ships");
    let target = engine::open(&text, Syntax::Ron).expect("the scenario is valid").scenario;
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("empty.ron");
    let rate = outlay::quantity::Exact::parse("0.05").expect("a number");
    let empty = templates::blank("Empty", "EUR", "2026-01", 12, rate);
    std::fs::write(&path, write(&empty, Syntax::Ron)).expect("the file can be written");
    let mut builder = Builder { window: window_on(Some(path)), target };

    page(&mut builder.window, "Scenario");
    let apart =
        ["format", "workloads", "environments", "placements", "groups", "levers", "cases", "decision", "discounting"];
    builder.record("Scenario", "", "", &apart);
    builder.record("Discounting", "discounting", "", &[]);

    page(&mut builder.window, "Workloads");
    for workload in builder.target.workloads.clone() {
        let kind = if matches!(workload.demand, outlay::scenario::Demand::Runs(_)) { "runs" } else { "service" };
        builder.add("Add a workload class", &format!("Empty: {kind}"));
        builder.text("Name · New workload class", &workload.name);
        let id = format!("Id · {}", workload.name);
        builder.text(&id, &workload.id);
        builder.record("Workload", &format!("workloads.{}", workload.id), &workload.name, &["id", "name"]);
    }

    page(&mut builder.window, "Environments");
    for environment in builder.target.environments.clone() {
        builder.add("Add an environment", &format!("Empty: {}", lower_first(environment.supply.label())));
        builder.text("Name · New environment", &environment.name);
        builder.text(&format!("Id · {}", environment.name), &environment.id);
        let path = format!("environments.{}", environment.id);
        builder.record("Environment", &path, &environment.name, &["id", "name", "performance", "costs"]);
        for id in environment.performance.0.keys() {
            let name = builder.reading().name(Some("workloads"), id);
            builder.choose("Add a class to Performance by class", &name);
            let wanted =
                outline().at(&written(&builder.target), &format!("{path}.performance.{id}")).unwrap_or_default();
            for field in outline().fields("Performance") {
                let Some(number) = wanted.get(field.decl.name).and_then(exact) else { continue };
                let unit = if field.decl.unit.is_percent() { ", %" } else { "" };
                let shown = values::cell(field.decl).shown(number.decimal());
                builder.cell(&format!("{name}, {}{unit}", field.decl.label), &shown.to_string());
            }
        }
        builder.paste_lines(&format!("{path}.costs"));
    }

    page(&mut builder.window, "Placements");
    for placement in builder.target.placements.clone() {
        builder.press("Add a placement");
        builder.text("Name · New placement", &placement.name);
        builder.text(&format!("Id · {}", placement.name), &placement.id);
        for (place, assignment) in placement.assignments.iter().enumerate() {
            let class = builder.reading().name(Some("workloads"), &assignment.workload);
            let order = |builder: &Builder| {
                let now = builder.window.state().scenario();
                let of = now.placements.iter().find(|of| of.id == placement.id).expect("it was added");
                of.assignments
                    .iter()
                    .position(|of| of.workload == assignment.workload)
                    .expect("every class is assigned")
            };
            builder.window.get_by_role_and_label(Role::Cell, &format!("{class}, Workload class")).click_accesskit();
            builder.window.run();
            for _ in place..order(&builder) {
                builder.window.key_press_modifiers(Modifiers::ALT, Key::ArrowUp);
                builder.window.run();
            }
            let name = |id: &str| builder.reading().name(Some("environments"), id);
            let cells = [
                ("Environment", Some(name(&assignment.environment))),
                ("Burst", assignment.burst.as_deref().map(name)),
                ("Interim", assignment.interim.as_deref().map(name)),
            ];
            for (heading, text) in cells {
                if let Some(text) = text {
                    builder.cell(&format!("{class}, {heading}"), &text);
                }
            }
            let share = values::cell(&outlay::scenario::Assignment::decls()[4])
                .shown(assignment.burst_replica_share.value.decimal());
            if !share.is_zero() {
                builder.cell(&format!("{class}, Data kept in the burst environment, %"), &share.to_string());
            }
        }
        builder.paste_lines(&format!("placements.{}.costs", placement.id));
    }

    let differences =
        outlay::scenario::diff::differences(&bare(builder.window.state().scenario()), &bare(&builder.target));
    let told: Vec<String> =
        differences.iter().map(|of| format!("{}: {:?}, not {:?}", of.path, of.before, of.after)).collect();
    assert!(told.is_empty(), "{told:#?}");

    let wanted = engine::evaluate(&builder.target).expect("the target evaluates");
    let built = engine::evaluate(builder.window.state().scenario()).expect("what was built evaluates");
    for (wanted, built) in wanted.placements.iter().zip(&built.placements) {
        assert_eq!(built.by_category, wanted.by_category, "{}", wanted.name);
        assert_eq!(built.by_year, wanted.by_year, "{}", wanted.name);
        assert_eq!(built.workloads, wanted.workloads, "{}", wanted.name);
        assert_eq!(built.exposures, wanted.exposures, "{}", wanted.name);
    }
    assert_eq!(built.cheapest, wanted.cheapest);
    assert_eq!(built.placements.len(), wanted.placements.len());
}
