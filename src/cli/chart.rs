//! `outlay export`: one chart of a scenario as a file.
//!
//! Nothing here describes or draws a chart. What an analysis has to answer first is asked here.

use std::path::{Path, PathBuf};

use clap::Args;

use super::analyses::{self, TO_ITS_END};
use super::run::{Refusal, Subject, all_draws, placement_named, refused, subject, whole};
use super::{FAILURE, FIGURES, Format as Written, How, USAGE, number, said, setting};
use crate::analysis::figure::figure_named;
use crate::analysis::{base_size, cases, compare, map, preference, switch_over, tornado, uncertainty};
use crate::chart::{Answered, Bars, Kind, Scope, Subject as Charted, Which, describe};
use crate::engine::Figure;
use crate::export::picture::{self, Format};
use crate::scenario::Problem;
use crate::show::Figures;

/// Which chart, and where to.
#[derive(Args, Debug)]
pub(super) struct Asked {
    /// The scenario (.ron, .outlay or .json)
    file: PathBuf,
    /// The file to write: a picture (.svg or .png), or the table of the chart (.csv)
    out: PathBuf,
    #[arg(long, value_name = "CHART", value_parser = Kind::named, help = help())]
    chart: Kind,
    /// The id of a placement: for a chart of one placement the one it is of, otherwise the one that is drawn heavier
    #[arg(long, value_name = "ID")]
    placement: Option<String>,
    /// The id of an environment of the placement; the first that is sized where it is left out
    #[arg(long, value_name = "ID")]
    environment: Option<String>,
    /// The id of the placement that others are compared with; the first where it is left out
    #[arg(long, value_name = "ID")]
    reference: Option<String>,
    /// Of a tornado, a spider or draws the placement whose figure is subtracted; of a switch-over the other one
    #[arg(long, value_name = "ID")]
    against: Option<String>,
    #[arg(long, value_name = "FIGURE", help = format!("For a chart of what drives the decision: {FIGURES}"))]
    figure: Option<String>,
    /// The path of what is moved: once for a switch-over, twice for a map, across and down
    #[arg(long = "input", value_name = "PATH")]
    inputs: Vec<String>,
    /// Into how many steps a map divides each range
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number::<u32>(1, map::MOST_STEPS.into()), allow_negative_numbers = true)]
    steps: u32,
    /// How many bars of a tornado are drawn, the largest first; its table has all of them
    #[arg(long, value_name = "N", default_value_t = Bars::FEW, value_parser = number::<usize>(1, 100_000), allow_negative_numbers = true)]
    bars: usize,
    /// For a chart over draws: how many
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = number::<u64>(1, uncertainty::MOST_DRAWS), allow_negative_numbers = true)]
    draws: u64,
    /// For a chart over draws: the number from which they follow
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = number::<u64>(0, u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    /// The id of a case whose values replace those of the base
    #[arg(long, value_name = "ID")]
    case: Option<String>,
    /// Replaces the value of one input; may be given several times
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
}

fn help() -> String {
    let kinds: Vec<String> = Kind::ALL.iter().map(|kind| format!("{}: {}", kind.name(), kind.about())).collect();
    format!("The chart:\n{}", kinds.join("\n"))
}

/// Writes the chart and says where.
pub(super) fn export(asked: Asked) -> Result<String, Refusal> {
    let Asked { file, out, chart, placement, environment, reference, against, figure, inputs, steps, .. } = asked;
    let Asked { bars, draws, seed, case, set, .. } = asked;
    let extension = out.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let format = Format::of_extension(extension).map_err(|reason| told(&out, &reason, USAGE))?;
    let of = subject(&file, &How { format: Written::Text, case, set })?;
    let place = |id: &Option<String>| -> Result<Option<usize>, Refusal> {
        let found = id.as_deref().map(|id| placement_named(&of.scenario, id)).transpose();
        found.map_err(|problem| refused(&file, Written::Text, &[problem]))
    };
    let (focus, reference) = (place(&placement)?, place(&reference)?.unwrap_or_default());
    let against = place(&against)?;
    if focus.is_none() && is_of_one_placement(chart) && of.scenario.placements.len() > 1 {
        let ids: Vec<&str> = of.scenario.placements.iter().map(|placement| placement.id.as_str()).collect();
        let message = format!("name the placement of the chart with --placement. There are {}.", ids.join(", "));
        return Err(misused(&file, "placements", message));
    }
    let which = Which { kind: chart, placement: focus.unwrap_or_default(), environment };
    let wanted = Wanted { which: &which, focus, against, figure, inputs: &inputs, steps, bars, draws, seed };
    wanted.check().map_err(|message| misused(&file, "", message))?;
    let answer = wanted.answer(&of).map_err(|problems| refused(&file, Written::Text, &problems))?;
    let bytes = bytes(&of, &which, (focus, reference), answer.as_ref(), format)
        .map_err(|reason| refused(&file, Written::Text, &[Problem::error("", reason)]))?;
    std::fs::write(&out, bytes).map_err(|error| told(&out, &said(&error), FAILURE))?;
    Ok(format!("Wrote {}\n", out.display()))
}

/// A call that lacks something the chart needs.
fn misused(file: &Path, path: &str, message: String) -> Refusal {
    Refusal { code: USAGE, ..refused(file, Written::Text, &[Problem::error(path, message)]) }
}

fn is_of_one_placement(kind: Kind) -> bool {
    match kind.scope() {
        Scope::Scenario => false,
        Scope::Placement | Scope::Environment => true,
        Scope::Analysis => matches!(kind, Kind::Tornado | Kind::Spider | Kind::BaseSize),
        Scope::Draws => matches!(kind, Kind::Drivers | Kind::DifferenceDrivers),
    }
}

/// What an analysis is asked for a chart.
struct Wanted<'a> {
    which: &'a Which,
    focus: Option<usize>,
    against: Option<usize>,
    figure: Option<String>,
    inputs: &'a [String],
    steps: u32,
    bars: usize,
    draws: u64,
    seed: u64,
}

/// What it answered.
enum Answer {
    /// With how many bars are drawn, the largest first.
    Bars(tornado::Answer, Option<usize>),
    SwitchOver(switch_over::Answer),
    Preference(preference::Answer),
    Map(map::Answer),
    BaseSize(base_size::Answer),
    Cases(cases::Answer),
    Draws(uncertainty::Answer),
}

impl Answer {
    fn answered(&self) -> Answered<'_> {
        match self {
            Self::Bars(answer, most) => Answered::Tornado(answer, Bars { most: *most, ..Bars::default() }),
            Self::SwitchOver(answer) => Answered::SwitchOver(answer),
            Self::Preference(answer) => Answered::Preference(answer),
            Self::Map(answer) => Answered::Map(answer),
            Self::BaseSize(answer) => Answered::BaseSize(answer),
            Self::Cases(answer) => Answered::Cases(answer),
            Self::Draws(answer) => Answered::Draws(answer),
        }
    }
}

impl Wanted<'_> {
    /// Whether the call names the inputs and placements that the chart needs.
    fn check(&self) -> Result<(), String> {
        let needed = match self.which.kind {
            Kind::SwitchOver => 1,
            Kind::Map => 2,
            _ => 0,
        };
        if self.inputs.len() != needed {
            return Err(match needed {
                0 => "only a switch-over and a map move an input; leave --input out.".to_owned(),
                1 => "name the input of the switch-over with --input.".to_owned(),
                _ => "name both inputs of the map, each with --input: across, then down.".to_owned(),
            });
        }
        if self.which.kind == Kind::SwitchOver && self.focus.is_some() != self.against.is_some() {
            return Err(
                "a switch-over lies between two placements, --placement and --against; without both it is of all of them."
                    .to_owned(),
            );
        }
        Ok(())
    }

    fn answer(self, of: &Subject) -> Result<Option<Answer>, Vec<Problem>> {
        let scenario = &of.scenario;
        let figure = match &self.figure {
            Some(name) => figure_named(scenario, name).map_err(|problem| vec![problem])?,
            None => Figure::deciding(scenario.decision_figure),
        };
        let placement = self.which.placement;
        let answer = match self.which.kind {
            Kind::Tornado | Kind::Spider => {
                let question = tornado::Question { placement, against: self.against, figure };
                // Lines have their own number.
                let most = (self.which.kind == Kind::Tornado).then_some(self.bars);
                whole(analyses::tornado(scenario, question, TO_ITS_END)).map(|answer| Answer::Bars(answer, most))
            }
            Kind::SwitchOver => {
                let path = self.inputs.concat();
                match self.focus.zip(self.against) {
                    Some(between) => {
                        let question = switch_over::Question { path, between: between.into(), figure };
                        whole(analyses::switch_over(scenario, question, TO_ITS_END)).map(Answer::SwitchOver)
                    }
                    None => {
                        let question = preference::Question { path, figure };
                        whole(analyses::preference(scenario, question, TO_ITS_END)).map(Answer::Preference)
                    }
                }
            }
            Kind::Map => {
                let paths = [0, 1].map(|i| self.inputs.get(i).cloned().unwrap_or_default());
                let question = map::Question { paths, figure, steps: self.steps };
                whole(analyses::map(scenario, question, TO_ITS_END)).map(Answer::Map)
            }
            Kind::BaseSize => {
                let known = base_size::hybrids(scenario).into_iter().find(|question| question.placement == placement);
                let environment = self.which.environment.clone().or(known.map(|question| question.environment));
                let environment = environment.ok_or_else(|| {
                    let message = "it bursts from no nodes of its own. Name the environment with --environment.";
                    vec![Problem::error("placements", message)]
                })?;
                let question = base_size::Question { placement, environment };
                whole(analyses::base_size(scenario, question, TO_ITS_END)).map(Answer::BaseSize)
            }
            Kind::Cases => {
                return whole(analyses::cases(scenario, figure, TO_ITS_END)).map(|answer| Some(Answer::Cases(answer)));
            }
            kind if kind.scope() == Scope::Draws => {
                // Where none is named, the others are compared with the one that costs least.
                let ranked = compare::ranking(&of.evaluation);
                let against = self.against.or_else(|| ranked.into_iter().find(|place| Some(*place) != self.focus));
                let question = uncertainty::Question { figure, against, draws: self.draws, seed: self.seed };
                all_draws(scenario, question).map(Answer::Draws)
            }
            _ => return Ok(None),
        };
        answer.map(Some).map_err(|problem| vec![problem])
    }
}

fn bytes(
    of: &Subject,
    which: &Which,
    (focus, reference): (Option<usize>, usize),
    answer: Option<&Answer>,
    format: Format,
) -> Result<Vec<u8>, String> {
    let figures = Figures::default();
    let charted = Charted {
        scenario: &of.scenario,
        evaluation: &of.evaluation,
        figures,
        reference,
        focus,
        base: None,
        answered: answer.map(Answer::answered),
    };
    let chart = describe(&charted, which)?;
    let named = of.case.as_ref().and_then(|id| of.scenario.cases.iter().find(|case| case.id == *id));
    let case = named.map_or("base", |case| case.name.as_str());
    let conventions = picture::conventions(&of.scenario, case, figures);
    picture::bytes(&chart, format, (figures, of.evaluation.currency), &conventions)
}

fn told(file: &Path, reason: &str, code: u8) -> Refusal {
    Refusal { on_stdout: String::new(), on_stderr: format!("{}: {reason}\n", file.display()), code }
}
