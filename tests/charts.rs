//! Charts say what the results say, exactly, and every one of them has a table.

use outlay::analysis::uncertainty::{Answer, Question, uncertainty};
use outlay::analysis::{base_size, cases, map, preference, switch_over, tornado};
use outlay::chart::{Along, Answered, Bars, Body, Kind, Look, Scope, Shape, Subject, Value, Which, describe};
use outlay::engine::demand::ClassDemand;
use outlay::engine::serving::serve;
use outlay::engine::{Evaluation, Figure, evaluate, load_duration};
use outlay::quantity::{Money, Num};
use outlay::scenario::{Scenario, Syntax};
use outlay::show::Figures;

fn shipped() -> Vec<(String, Scenario, Evaluation)> {
    let mut files: Vec<_> =
        std::fs::read_dir("scenarios").expect("the scenarios").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let opened = files.into_iter().filter(|path| path.is_file()).map(|path| {
        let text = std::fs::read_to_string(&path).expect("a scenario file");
        let opened = outlay::engine::open(&text, Syntax::Ron).expect("a shipped scenario opens");
        (path.display().to_string(), opened.scenario, opened.evaluation)
    });
    opened.collect()
}

fn subject<'a>(scenario: &'a Scenario, evaluation: &'a Evaluation) -> Subject<'a> {
    Subject { scenario, evaluation, figures: Figures::default(), reference: 0, focus: None, base: None, answered: None }
}

/// What some draws of a scenario say, against its last placement.
fn drawn(scenario: &Scenario, figure: Figure) -> Answer {
    let against = scenario.placements.len().checked_sub(1);
    uncertainty(scenario, Question { figure, against, draws: 70, seed: 1 }).expect("a shipped scenario states ranges")
}

/// Every chart that a scenario has.
fn every(scenario: &Scenario, evaluation: &Evaluation) -> Vec<Which> {
    let mut all = Vec::new();
    for &kind in Kind::ALL {
        match kind.scope() {
            Scope::Scenario => all.push(Which::of_all(kind)),
            // What the others are compared with, the last, does not differ from itself.
            Scope::Draws => {
                let others = scenario.placements.len() - usize::from(kind == Kind::DifferenceDrivers);
                let of_one = matches!(kind, Kind::Drivers | Kind::DifferenceDrivers);
                all.extend((0..if of_one { others } else { 1 }).map(|i| Which::of_placement(kind, i)));
            }
            Scope::Placement => all.extend((0..scenario.placements.len()).map(|i| Which::of_placement(kind, i))),
            Scope::Environment => {
                for (i, placement) in evaluation.placements.iter().enumerate() {
                    let fixed = placement.environments.iter().filter(|environment| environment.capacity.is_some());
                    all.extend(fixed.map(|environment| Which::of_environment(kind, i, &environment.id)));
                }
            }
            // They are described from what an analysis has answered; `charts_of_answers` has them.
            Scope::Analysis => {}
        }
    }
    all
}

#[test]
fn every_chart_of_every_shipped_scenario_has_a_table_and_a_drawing_inside_its_edges() {
    for (file, scenario, evaluation) in shipped() {
        let draws = drawn(&scenario, Figure::PresentValue);
        for which in every(&scenario, &evaluation) {
            let chart = describe(
                &Subject { answered: Some(Answered::Draws(&draws)), ..subject(&scenario, &evaluation) },
                &which,
            )
            .unwrap_or_else(|reason| panic!("{file}: {which:?}: {reason}"));
            assert!(!chart.twin.rows.is_empty(), "{file}: {which:?} has no table");
            for row in &chart.twin.rows {
                assert_eq!(row.len(), chart.twin.headings.len(), "{file}: {which:?}");
            }
            for (width, look) in [(280.0, Look::Desk), (400.0, Look::Desk), (1200.0, Look::Desk), (1200.0, Look::Room)]
            {
                let scene = chart.scene(width, look, Figures::default());
                assert!(!scene.rows.is_empty(), "{file}: {which:?} says nothing");
                for shape in &scene.shapes {
                    if let Shape::Fill { x, width: wide, .. } = shape {
                        assert!(*x >= -1.0 && x + wide <= width + 1.0, "{file}: {which:?} leaves its width: {shape:?}");
                    }
                }
            }
        }
    }
}

/// What analyses answer about a scenario.
struct Answers {
    tornado: tornado::Answer,
    switch_over: Option<switch_over::Answer>,
    preference: preference::Answer,
    map: map::Answer,
    base_sizes: Vec<base_size::Answer>,
    cases: cases::Answer,
}

impl Answers {
    fn of(scenario: &Scenario) -> Option<Self> {
        let figure = Figure::deciding(scenario.decision_figure);
        let question = tornado::Question { placement: 0, against: None, figure: figure.clone() };
        let tornado = tornado::tornado(scenario, question).expect("a tornado");
        let [first, second] = [tornado.bars.first()?, tornado.bars.get(1)?].map(|bar| bar.path.clone());
        let variants = cases::variants(scenario).expect("cases agree");
        let evaluations = variants.iter().map(|variant| evaluate(&variant.scenario)).collect();
        let between = (1 < scenario.placements.len()).then_some([0, 1]);
        let switch_over = between.map(|between| {
            let question = switch_over::Question { path: first.clone(), between, figure: figure.clone() };
            switch_over::switch_over(scenario, question).expect("a switch-over")
        });
        let question = preference::Question { path: first.clone(), figure: figure.clone() };
        Some(Self {
            switch_over,
            preference: preference::preference(scenario, question).expect("a preference"),
            map: map::map(scenario, map::Question { paths: [first, second], figure: figure.clone(), steps: 3 })
                .expect("a map"),
            base_sizes: base_size::hybrids(scenario)
                .into_iter()
                .map(|question| base_size::base_size(scenario, question).expect("a base size"))
                .collect(),
            cases: cases::answer(variants, evaluations, figure, tornado.currency).expect("cases"),
            tornado,
        })
    }

    fn each(&self) -> Vec<(Kind, Answered<'_>)> {
        let bars = |kind, along| (kind, Answered::Tornado(&self.tornado, Bars { along, ..Bars::default() }));
        let mut all = vec![
            bars(Kind::Tornado, Along::Range),
            bars(Kind::Spider, Along::Range),
            bars(Kind::Spider, Along::Change),
            (Kind::SwitchOver, Answered::Preference(&self.preference)),
            (Kind::Map, Answered::Map(&self.map)),
            (Kind::Cases, Answered::Cases(&self.cases)),
        ];
        all.extend(self.switch_over.iter().map(|answer| (Kind::SwitchOver, Answered::SwitchOver(answer))));
        all.extend(self.base_sizes.iter().map(|answer| (Kind::BaseSize, Answered::BaseSize(answer))));
        all
    }
}

#[test]
fn every_answer_of_every_shipped_scenario_has_a_table_a_sentence_and_a_drawing_inside_its_edges() {
    let mut seen = std::collections::BTreeSet::new();
    for (file, scenario, evaluation) in shipped() {
        let Some(answers) = Answers::of(&scenario) else { continue };
        for (kind, answered) in answers.each() {
            let subject = Subject { answered: Some(answered), ..subject(&scenario, &evaluation) };
            let chart = describe(&subject, &Which::of_all(kind)).unwrap_or_else(|reason| panic!("{file}: {reason}"));
            seen.insert(kind);
            assert!(!chart.twin.rows.is_empty(), "{file}: {kind:?} has no table");
            assert!(chart.twin.rows.iter().all(|row| row.len() == chart.twin.headings.len()), "{file}: {kind:?}");
            assert_eq!(chart.twin.badges.len(), chart.twin.headings.len(), "{file}: {kind:?}");
            assert!(chart.twin.notes.first().is_some_and(|note| note.ends_with('.')), "{file}: {kind:?} has no answer");
            for (width, look) in [(400.0, Look::Desk), (1200.0, Look::Desk), (1200.0, Look::Room)] {
                let scene = chart.scene(width, look, Figures::default());
                assert!(!scene.rows.is_empty(), "{file}: {kind:?} says nothing");
                // A tornado keeps its columns, and is scrolled where there is no room for them.
                for shape in scene.shapes.iter().filter(|_| kind != Kind::Tornado || 600.0 < width) {
                    if let Shape::Fill { x, width: wide, .. } = shape {
                        assert!(*x >= -1.0 && x + wide <= width + 1.0, "{file}: {kind:?} leaves its width: {shape:?}");
                    }
                }
            }
        }
    }
    let of_analyses = Kind::ALL.iter().filter(|kind| kind.scope() == Scope::Analysis).count();
    assert_eq!(seen.len(), of_analyses, "no shipped scenario has all of them: {seen:?}");
}

/// Every stretch of the table begins where the one before it ends, and the sentence names every crossing.
#[test]
fn the_stretches_of_a_switch_over_cover_the_range() {
    for (file, scenario, evaluation) in shipped() {
        let Some(answers) = Answers::of(&scenario) else { continue };
        let Some(answer) = &answers.switch_over else { continue };
        let subject = Subject { answered: Some(Answered::SwitchOver(answer)), ..subject(&scenario, &evaluation) };
        let chart = describe(&subject, &Which::of_all(Kind::SwitchOver)).expect("a chart");
        let number = |row: usize, column: usize| match chart.twin.rows[row][column] {
            Value::Exact(value) => value,
            _ => panic!("{file}: not a value"),
        };
        let last = chart.twin.rows.len() - 1;
        assert_eq!(last, answer.crossings.len(), "{file}");
        assert_eq!((number(0, 0), number(last, 1)), (answer.low, answer.high), "{file}");
        for (row, crossing) in answer.crossings.iter().enumerate() {
            assert_eq!((number(row, 1), number(row + 1, 0)), (crossing.before, crossing.at), "{file}");
        }
        let Body::Curves(curves) = &chart.body else { panic!("a switch-over is drawn as curves") };
        assert_eq!(curves.marks.len(), answer.crossings.len(), "{file}: every crossing is marked");
    }
}

#[test]
fn tables_of_totals_foot_to_the_minor_unit() {
    for (file, scenario, evaluation) in shipped() {
        for kind in [Kind::Categories, Kind::Split, Kind::Boundary] {
            let chart = describe(&subject(&scenario, &evaluation), &Which::of_all(kind)).expect("a chart");
            let (total, parts) = chart.twin.rows.split_last().expect("a total");
            for (place, result) in evaluation.placements.iter().enumerate() {
                let amount = |row: &Vec<Value>| match row[place + 1] {
                    Value::Money(money) => money,
                    _ => Money::ZERO,
                };
                assert_eq!(parts.iter().map(amount).sum::<Money>(), amount(total), "{file}: {kind:?}");
                assert_eq!(amount(total), result.totals.total, "{file}: {kind:?}");
            }
        }
    }
}

#[test]
fn cumulative_cost_ends_at_the_total_and_crosses_where_it_says() {
    let mut seen = 0;
    for (file, scenario, evaluation) in shipped() {
        for reference in 0..scenario.placements.len() {
            let subject = Subject { reference, ..subject(&scenario, &evaluation) };
            let chart = describe(&subject, &Which::of_all(Kind::Cumulative)).expect("a chart");
            let at = |month: usize, place: usize| match chart.twin.rows[month][place + 2] {
                Value::Money(money) => money,
                _ => panic!("{file}: not an amount"),
            };
            let last = chart.twin.rows.len() - 1;
            for (place, result) in evaluation.placements.iter().enumerate() {
                assert_eq!(at(last, place), result.totals.total, "{file}");
            }
            let Body::Lines(lines) = &chart.body else { panic!("cumulative cost is drawn as lines") };
            assert_eq!(lines.crossings.len(), chart.twin.notes.len());
            for crossing in &lines.crossings {
                let month = lines.months.iter().position(|month| *month == crossing.text).expect("a month");
                let letters: Vec<usize> =
                    crossing.title.split(" below ").map(|letter| usize::from(letter.as_bytes()[0] - b'A')).collect();
                let [under, over] = letters[..] else { panic!("{}", crossing.title) };
                assert!(at(month, under) <= at(month, over) && at(month - 1, under) > at(month - 1, over), "{file}");
                seen += 1;
            }
        }
    }
    assert!(seen > 0, "no shipped scenario has a crossover");
}

/// Over the largest month the curve comes to exactly the hours that the engine lets each fixed environment serve.
#[test]
fn the_load_duration_curve_is_what_is_served() {
    let mut seen = 0;
    for (file, scenario, evaluation) in shipped() {
        let horizon = scenario.horizon_months;
        let demand = ClassDemand::of_all(&scenario.workloads, horizon);
        for (place, placement) in scenario.placements.iter().enumerate() {
            let served = serve(placement, &scenario.environments, &demand, horizon).expect("a shipped scenario");
            for environment in &evaluation.placements[place].environments {
                let curve = load_duration(&scenario, place, &environment.id).expect("a shipped scenario");
                assert_eq!(curve.is_some(), environment.capacity.is_some(), "{file}: {}", environment.id);
                let Some(curve) = curve else { continue };
                let hours: Num = curve.levels.iter().map(|level| level.hours).sum();
                assert_eq!(hours, Num::whole(168));
                let weeks = Num::whole(730) / Num::whole(168);
                let drawn: Num = curve.levels.iter().map(|level| level.hours * (level.now + level.later)).sum();
                let site = served.sites.iter().find(|site| site.environment.id == environment.id).expect("a site");
                let occupied: Num = (0..served.classes.len()).map(|class| site.occupied(class, curve.month)).sum();
                let difference = (drawn * weeks - occupied).approximate().abs();
                assert!(difference < 1e-6, "{file}: {}: off by {difference} GPU-hours", environment.id);
                let heights: Vec<f64> =
                    curve.levels.iter().map(|level| (level.now + level.later + level.beyond).approximate()).collect();
                assert!(heights.windows(2).all(|pair| pair[0] >= pair[1]), "{file}: the heaviest hours come first");
                let within = |level: &outlay::engine::LoadLevel| (level.now + level.later).approximate();
                assert!(
                    curve.levels.iter().all(|level| within(level) <= curve.available.approximate() + 1e-9),
                    "{file}"
                );
                seen += 1;
            }
        }
    }
    assert!(seen > 3, "only {seen} fixed environments are shipped");
}

/// Each total of the waterfall is the sum of the steps before it.
#[test]
fn the_capacity_waterfall_foots() {
    for (file, scenario, evaluation) in shipped() {
        for which in every(&scenario, &evaluation).into_iter().filter(|which| which.kind == Kind::Capacity) {
            let chart = describe(&subject(&scenario, &evaluation), &which).expect("a chart");
            let Body::Steps(steps) = &chart.body else { panic!("a waterfall is drawn as steps") };
            let mut at = 0.0;
            for step in steps {
                if step.kind == outlay::chart::StepKind::Total {
                    assert!((at - step.to).abs() < 1e-6, "{file}: {which:?}: {} is {}, not {at}", step.name, step.to);
                }
                at = step.to;
            }
        }
    }
}

/// Charts over draws show what was counted of them, and there is none without.
#[test]
fn charts_over_draws_say_what_was_counted() {
    for (file, scenario, evaluation) in shipped() {
        let over_draws =
            || every(&scenario, &evaluation).into_iter().filter(|which| which.kind.scope() == Scope::Draws);
        for which in over_draws() {
            assert!(describe(&subject(&scenario, &evaluation), &which).is_err(), "{file}: {which:?}");
        }
        let answer = drawn(&scenario, Figure::Total);
        let subject = Subject { answered: Some(Answered::Draws(&answer)), ..subject(&scenario, &evaluation) };
        let chart = |kind| describe(&subject, &Which::of_all(kind)).expect("a chart");
        let money = |units: Option<i128>| Value::Money(Money::from_minor(units.expect("a total")));
        for (place, of) in answer.placements.iter().enumerate() {
            let below = chart(Kind::Below).twin;
            assert_eq!(below.rows[0][place + 1], money(of.mean), "{file}");
            // Mean and least stand before the percentiles, of which the median is the fourth.
            assert_eq!(below.rows[5][0], Value::words("50th percentile"));
            assert_eq!(below.rows[5][place + 1], money(of.percentiles[3]), "{file}");
            let cheapest = chart(Kind::Cheapest).twin;
            assert_eq!(cheapest.rows[place][3], of.expected_regret.map_or(Value::None, Value::Money), "{file}");
        }
        let Body::Histograms(spread) = chart(Kind::Distribution).body else { panic!("{file}: bars") };
        let Body::Shares(curves) = chart(Kind::Below).body else { panic!("{file}: curves") };
        for (bars, curve) in spread.placements.iter().zip(&curves.placements) {
            let all: f64 = bars.bars.iter().sum();
            assert!((all - 1.0).abs() < 1e-9, "{file}: every draw stands in one bar, and not {all} of them");
            let shares: Vec<f64> = curve.points.iter().map(|point| point.1).collect();
            assert!(shares.windows(2).all(|pair| pair[0] <= pair[1]), "{file}: {shares:?}");
            assert!((shares[0], shares[shares.len() - 1]) == (0.0, 1.0), "{file}: {shares:?}");
        }
        let Body::Ranked(bars) = chart(Kind::Cheapest).body else { panic!("{file}: bars") };
        let shares: f64 = bars.rows.iter().map(|row| row.value).sum();
        let decided = (answer.done - answer.undecided) as f64 / answer.done as f64;
        assert!((shares - decided).abs() < 1e-9, "{file}: {shares}, not {decided}");
    }
}

/// A tornado that stands alone shows the longest bars with whole names, says what the others come to, and its table has all.
#[test]
fn a_picture_of_a_tornado_cuts_no_name_and_says_what_it_leaves_out() {
    let (_, scenario, evaluation) =
        shipped().into_iter().max_by_key(|(_, scenario, _)| scenario.inputs().len()).expect("a scenario");
    let question = outlay::analysis::tornado::Question { placement: 0, against: None, figure: Figure::Total };
    let answer = outlay::analysis::tornado::tornado(&scenario, question).expect("figures");
    assert!(Bars::FEW + 1 < answer.bars.len());
    let bars = Bars { most: Some(Bars::FEW), ..Bars::default() };
    let subject = Subject { answered: Some(Answered::Tornado(&answer, bars)), ..subject(&scenario, &evaluation) };
    let chart = describe(&subject, &Which::of_all(Kind::Tornado)).expect("a chart");
    assert_eq!(chart.twin.rows.len(), answer.bars.len());
    let picture = outlay::export::picture::picture(&chart, outlay::show::Figures::default(), "");
    for bar in answer.bars.iter().take(Bars::FEW) {
        let label = scenario.input(&bar.path).map_or_else(|_| bar.label.clone(), |input| input.label.clone());
        let label = label.replace('&', "&amp;");
        assert!(picture.contains(&format!(">{label}<")), "{label} is cut");
    }
    assert!(!picture.contains('…'), "nothing is cut");
    let rest = answer.bars.len() - Bars::FEW;
    assert!(picture.contains(&format!("and {rest} more, none of them by more than ")), "{picture}");
}
