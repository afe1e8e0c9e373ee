//! What a scenario consists of can be changed by path, and everything that refers to what was changed follows or goes.

use std::fs;
use std::path::PathBuf;

use outlay::engine;
use outlay::input::{Kind, Shape};
use outlay::scenario::structure::{self, Change, changed, dependents, outline, written};
use outlay::scenario::{Scenario, Syntax};
use outlay::show::Figures;
use outlay::words::values::Reading;

fn shipped() -> Vec<(PathBuf, Scenario)> {
    let mut found = Vec::new();
    for folder in ["scenarios", "scenarios/published", "tests/cases"] {
        for entry in fs::read_dir(folder).expect("the folder is in the repository").filter_map(Result::ok) {
            let path = entry.path();
            if path.extension().is_some_and(|extension| extension == "ron") {
                let text = fs::read_to_string(&path).expect("the file can be read");
                let opened = engine::open(&text, Syntax::Ron).expect("every stored scenario opens");
                found.push((path, opened.scenario));
            }
        }
    }
    assert!(found.len() > 8, "the scenarios were found");
    found
}

/// Paths of every element that has an id or a key: classes, environments, placements, lines, groups, cases, indices.
fn elements(scenario: &Scenario) -> Vec<String> {
    let mut paths = Vec::new();
    paths.extend(scenario.workloads.iter().map(|of| format!("workloads.{}", of.id)));
    for of in &scenario.environments {
        paths.push(format!("environments.{}", of.id));
        paths.extend(of.costs.iter().map(|line| format!("environments.{}.costs.{}", of.id, line.id)));
    }
    for of in &scenario.placements {
        paths.push(format!("placements.{}", of.id));
        paths.extend(of.costs.iter().map(|line| format!("placements.{}.costs.{}", of.id, line.id)));
    }
    paths.extend(scenario.groups.iter().map(|of| format!("groups.{}", of.id)));
    paths.extend(scenario.cases.iter().map(|of| format!("cases.{}", of.id)));
    paths.extend(scenario.indices.0.keys().map(|name| format!("indices.{name}")));
    paths
}

fn totals(scenario: &Scenario) -> Vec<String> {
    let evaluation = engine::evaluate(scenario).expect("a valid scenario evaluates");
    let of =
        |placement: &engine::PlacementResult| format!("{:?} {:?}", placement.totals, placement.equivalent_annual_cost);
    evaluation.placements.iter().map(of).collect()
}

/// Another id for every element, and the same figures: whatever referred to it refers to it still.
#[test]
fn what_refers_to_a_renamed_element_follows() {
    for (file, scenario) in shipped() {
        let figures = totals(&scenario);
        for path in elements(&scenario) {
            let (parent, id) = path.rsplit_once('.').expect("an element stands in a list");
            let renamed = changed(&scenario, &Change::Rename { path: path.clone(), to: "another-id".to_owned() })
                .unwrap_or_else(|problems| panic!("{}: {path}: {problems:?}", file.display()));
            assert_eq!(totals(&renamed), figures, "{}: {path}", file.display());
            let text = written(&renamed).to_string();
            assert!(!text.contains(&format!("{path}.")), "{}: {path} is still named", file.display());
            let back = Change::Rename { path: format!("{parent}.another-id"), to: id.to_owned() };
            assert_eq!(changed(&renamed, &back).as_ref(), Ok(&scenario), "{}: {path}", file.display());
        }
    }
}

/// Whatever is taken out, nothing is left that refers to it; where the rest cannot be a scenario, it says so.
#[test]
fn nothing_is_left_that_refers_to_a_removed_element() {
    let mut removed = 0;
    for (file, scenario) in shipped() {
        for path in elements(&scenario) {
            let named = dependents(&scenario, &path);
            let Ok(rest) = changed(&scenario, &Change::Remove { path: path.clone() }) else { continue };
            removed += 1;
            let text = written(&rest).to_string();
            assert!(!text.contains(&format!("\"{path}.")), "{}: {path} is still named", file.display());
            assert!(dependents(&rest, &path).is_empty(), "{}: {path}", file.display());
            for dependent in named {
                let at = outline().at(&written(&scenario), &dependent.path);
                let left = outline().at(&written(&rest), &dependent.path);
                assert!(at.is_none() || at != left, "{}: {path}: {} stays", file.display(), dependent.path);
            }
            engine::evaluate(&rest).expect("what is left evaluates");
        }
    }
    assert!(removed > 100, "most elements can be taken out");
}

#[test]
fn an_element_moved_there_and_back_changes_nothing() {
    for (_, scenario) in shipped() {
        let last = scenario.environments.len() - 1;
        let path = format!("environments.{}", scenario.environments[0].id);
        let there =
            changed(&scenario, &Change::Move { path: path.clone(), to: last }).expect("order has no meaning here");
        assert_eq!(totals(&there), totals(&scenario));
        assert_eq!(changed(&there, &Change::Move { path, to: 0 }), Ok(scenario));
    }
}

/// A copy costs what the original costs, whether it shares the environments or has its own.
#[test]
fn a_duplicated_placement_costs_the_same() {
    for (file, scenario) in shipped() {
        for placement in &scenario.placements {
            for with_environments in [false, true] {
                let path = format!("placements.{}", placement.id);
                let (change, id, name) =
                    structure::duplicate(&scenario, &path, with_environments).expect("the placement exists");
                let copied = changed(&scenario, &change).expect("a copy is valid");
                let evaluation = engine::evaluate(&copied).expect("a copy evaluates");
                let of = |id: &str| evaluation.placements.iter().find(|of| of.id == id).expect("it is there").totals;
                assert_eq!(of(&id), of(&placement.id), "{}: {name}", file.display());
                let more = copied.environments.len() - scenario.environments.len();
                assert_eq!(more > 0, with_environments);
            }
        }
    }
}

/// Every field of every record, put back as it is, changes nothing; and typed as it reads, it is the same again.
#[test]
fn what_reads_in_a_cell_is_read_as_the_same_value() {
    let mut cells = 0;
    for (file, scenario) in shipped() {
        let reading = Reading { scenario: &scenario, figures: Figures::default() };
        let whole = written(&scenario);
        for (list, type_name) in [("environments", "CostLine"), ("placements", "CostLine")] {
            for element in whole[list].as_array().into_iter().flatten() {
                for line in element["costs"].as_array().into_iter().flatten() {
                    for field in outline().fields(type_name) {
                        let Some(value) = line.get(field.decl.name) else { continue };
                        let text = reading.text(&field.shape, field.decl, None, value);
                        let again = reading.typed(&field.shape, field.decl, None, value, &text);
                        assert_eq!(again.as_ref(), Ok(value), "{}: {} {text}", file.display(), field.decl.name);
                        cells += 1;
                    }
                }
            }
        }
    }
    assert!(cells > 1000, "only {cells} cells");
}

/// The least a new element can hold is what its declarations accept, whichever variant it begins as.
#[test]
fn a_blank_element_keeps_to_its_declarations() {
    let scenario = &shipped()[0].1;
    for (list, type_name, field) in [("workloads", "Workload", "demand"), ("environments", "Environment", "supply")] {
        let fields = outline().fields(type_name);
        let field = fields.iter().find(|of| of.decl.name == field).expect("the field is declared");
        for variant in outline().variants(&field.shape).expect("the field has variants") {
            let mut element = outline().blank(&Shape::Named(type_name), field.decl);
            element["id"] = "a-new-one".into();
            element["name"] = "A new one".into();
            element[field.decl.name] = outline().blank_variant(variant, field.decl);
            let change = Change::Insert { list: list.to_owned(), at: None, value: element };
            let added = changed(scenario, &change);
            assert!(added.is_ok(), "{list}, {}: {:?}", variant.name, added.err());
        }
    }
    assert!(matches!(outline().of_name("CostLine").map(|of| &of.kind), Some(Kind::Record { .. })));
}

/// A place that does not exist is said, and nothing is changed.
#[test]
fn a_place_that_is_gone_is_said() {
    let scenario = &shipped()[0].1;
    for change in [
        Change::Remove { path: "environments.nowhere".to_owned() },
        Change::Move { path: "environments.nowhere".to_owned(), to: 0 },
        Change::Put { path: "environments.nowhere.name".to_owned(), value: "x".into() },
        Change::Rename { path: "workloads.nowhere".to_owned(), to: "x".to_owned() },
    ] {
        let problems = changed(scenario, &change).expect_err("there is no such place");
        assert!(problems[0].message.contains("no such place"), "{problems:?}");
    }
}
