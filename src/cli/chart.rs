//! `outlay export`: one chart of a scenario as a file.
//!
//! Nothing here describes or draws a chart.

use std::path::{Path, PathBuf};

use clap::Args;

use super::run::{Refusal, Subject, placement_named, refused, subject};
use super::{FAILURE, Format as Written, How, USAGE, said, setting};
use crate::chart::{Kind, Scope, Subject as Charted, Which, describe};
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
    let Asked { file, out, chart, placement, environment, reference, case, set } = asked;
    let extension = out.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let format = Format::of_extension(extension).map_err(|reason| told(&out, &reason, USAGE))?;
    let of = subject(&file, &How { format: Written::Text, case, set })?;
    let place = |id: &Option<String>| -> Result<Option<usize>, Refusal> {
        let found = id.as_deref().map(|id| placement_named(&of.scenario, id)).transpose();
        found.map_err(|problem| refused(&file, Written::Text, &[problem]))
    };
    let (focus, reference) = (place(&placement)?, place(&reference)?.unwrap_or_default());
    if focus.is_none() && chart.scope() != Scope::Scenario && of.scenario.placements.len() > 1 {
        let ids: Vec<&str> = of.scenario.placements.iter().map(|placement| placement.id.as_str()).collect();
        let message = format!("name the placement of the chart with --placement. There are {}.", ids.join(", "));
        let problem = Problem::error("placements", message);
        return Err(Refusal { code: USAGE, ..refused(&file, Written::Text, &[problem]) });
    }
    let which = Which { kind: chart, placement: focus.unwrap_or_default(), environment };
    let bytes = bytes(&of, &which, (focus, reference), format)
        .map_err(|reason| refused(&file, Written::Text, &[Problem::error("", reason)]))?;
    std::fs::write(&out, bytes).map_err(|error| told(&out, &said(&error), FAILURE))?;
    Ok(format!("Wrote {}\n", out.display()))
}

fn bytes(
    of: &Subject,
    which: &Which,
    (focus, reference): (Option<usize>, usize),
    format: Format,
) -> Result<Vec<u8>, String> {
    let figures = Figures::default();
    let charted = Charted { scenario: &of.scenario, evaluation: &of.evaluation, figures, reference, focus, base: None };
    let chart = describe(&charted, which)?;
    let named = of.case.as_ref().and_then(|id| of.scenario.cases.iter().find(|case| case.id == *id));
    let case = named.map_or("base", |case| case.name.as_str());
    let conventions = picture::conventions(&of.scenario, case, figures);
    picture::bytes(&chart, format, (figures, of.evaluation.currency), &conventions)
}

fn told(file: &Path, reason: &str, code: u8) -> Refusal {
    Refusal { on_stdout: String::new(), on_stderr: format!("{}: {reason}\n", file.display()), code }
}
