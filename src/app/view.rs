//! How a person looks at the scenario: page, theme, scale, focus. None of it is part of the scenario.
//!
//! What is chosen here is remembered between runs where that helps, and never undone.

use super::drivers::{Choices, Driver};
use super::explain::Target;
use crate::show::{Figures, Marks, Scale};

/// A page of the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Page {
    #[default]
    Compare,
    Scenario,
    Workloads,
    Environments,
    Placements,
    Sensitivity,
    Uncertainty,
    Ledger,
    Evidence,
    /// The scenario beside that of another file.
    Differences,
    /// What others have printed; it shows no part of the scenario.
    Published,
}

impl Page {
    /// The pages at the left, which show the scenario.
    pub const ALL: [Self; 9] = [
        Self::Compare,
        Self::Scenario,
        Self::Workloads,
        Self::Environments,
        Self::Placements,
        Self::Sensitivity,
        Self::Uncertainty,
        Self::Ledger,
        Self::Evidence,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Compare => "Compare",
            Self::Scenario => "Scenario",
            Self::Workloads => "Workloads",
            Self::Environments => "Environments",
            Self::Placements => "Placements",
            Self::Sensitivity => "Sensitivity",
            Self::Uncertainty => "Uncertainty",
            Self::Ledger => "Ledger",
            Self::Evidence => "Evidence",
            Self::Differences => "Compare files",
            Self::Published => "Published cases",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ThemeChoice {
    #[default]
    Light,
    Projector,
    Dark,
    System,
}

impl ThemeChoice {
    pub const ALL: [Self; 4] = [Self::Light, Self::Projector, Self::Dark, Self::System];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Light => "Light",
            Self::Projector => "Light, for a projector",
            Self::Dark => "Dark",
            Self::System => "As the system",
        }
    }

    pub const fn preference(self) -> egui::ThemePreference {
        match self {
            Self::Light | Self::Projector => egui::ThemePreference::Light,
            Self::Dark => egui::ThemePreference::Dark,
            Self::System => egui::ThemePreference::System,
        }
    }
}

/// By what the page Compare compares placements.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum CompareBy {
    #[default]
    Category,
    Year,
    Behaviour,
    Boundary,
    Output,
    Hours,
    Exposure,
}

impl CompareBy {
    pub const ALL: [Self; 7] =
        [Self::Category, Self::Year, Self::Behaviour, Self::Boundary, Self::Output, Self::Hours, Self::Exposure];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Category => "Category",
            Self::Year => "Year",
            Self::Behaviour => "Fixed / usage",
            Self::Boundary => "Provider / retained",
            Self::Output => "Cost per output",
            Self::Hours => "Hours ladder",
            Self::Exposure => "Exposure",
        }
    }
}

/// What the page Compare shows of each placement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ComparedAs {
    #[default]
    Amount,
    Difference,
    Relative,
}

impl ComparedAs {
    pub const ALL: [Self; 3] = [Self::Amount, Self::Difference, Self::Relative];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Amount => "Amount",
            Self::Difference => "Δ",
            Self::Relative => "Δ %",
        }
    }

    /// The same in words.
    pub const fn said(self) -> &'static str {
        match self {
            Self::Amount => "Amounts",
            Self::Difference => "Differences to the reference",
            Self::Relative => "Differences in percent",
        }
    }
}

/// What the tornado is asked: a figure of one placement, or of its difference to another.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TornadoChoice {
    /// Position among the figures that can be chosen.
    pub figure: usize,
    pub placement: usize,
    pub against: Option<usize>,
}

/// What draws over the uncertain inputs are asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawsChoice {
    /// Position among the figures that can be chosen.
    pub figure: usize,
    /// The placement whose figure is subtracted from those of the others.
    pub against: Option<usize>,
    pub draws: u64,
    pub seed: u64,
}

impl Default for DrawsChoice {
    fn default() -> Self {
        Self { figure: 0, against: None, draws: 1_000, seed: 1 }
    }
}

/// How the page Uncertainty shows what was drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DrawnAs {
    #[default]
    Below,
    Distribution,
    Differences,
    Drivers,
}

impl DrawnAs {
    pub const ALL: [Self; 4] = [Self::Below, Self::Distribution, Self::Differences, Self::Drivers];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Below => "Cumulative",
            Self::Distribution => "Histogram",
            Self::Differences => "Differences",
            Self::Drivers => "What drives it",
        }
    }
}

/// Everything about how the scenario is looked at.
#[derive(Default)]
pub struct View {
    pub page: Page,
    pub theme: ThemeChoice,
    pub figures: Figures,
    pub focus: usize,
    pub reference: usize,
    pub compare_by: CompareBy,
    pub compared_as: ComparedAs,
    /// The families whose rows are folded away.
    pub folded: std::collections::BTreeSet<String>,
    pub tornado: TornadoChoice,
    /// The question that the page Sensitivity asks, and what is chosen for all of its questions.
    pub driver: Driver,
    pub drivers: Choices,
    /// Whether every bar of the tornado is drawn, or the largest.
    pub all_bars: bool,
    pub draws: DrawsChoice,
    pub drawn_as: DrawnAs,
    /// Whether the panel at the right lists the steps.
    pub history: bool,
    /// The figure that has the keyboard.
    pub figure: Option<Target>,
    /// Whether the panel of levers is open; an explanation covers it.
    pub levers: bool,
    /// Whether the window speaks to a room.
    pub presenting: bool,
    /// Whether as little as possible is drawn.
    pub low_bandwidth: bool,
}

/// What the remembered line calls it where little is drawn.
const LOW_BANDWIDTH: &str = "low bandwidth";

impl View {
    /// Keeps positions within a scenario of so many placements.
    pub fn fit(&mut self, placements: usize) {
        let last = placements.saturating_sub(1);
        self.focus = self.focus.min(last);
        self.reference = self.reference.min(last);
        self.tornado.placement = self.tornado.placement.min(last);
        self.tornado.against = self.tornado.against.filter(|&against| against < placements);
        self.draws.against = self.draws.against.filter(|&against| against < placements);
    }

    /// Folds the rows of a family away, or shows them again.
    pub fn fold(&mut self, family: String) {
        if !self.folded.remove(&family) {
            self.folded.insert(family);
        }
    }

    /// What is kept between runs, as one line.
    pub fn remembered(&self) -> String {
        let Figures { marks, scale } = self.figures;
        let marks = if marks == Marks::Comma { "comma" } else { "point" };
        let line = if self.low_bandwidth { LOW_BANDWIDTH } else { "any line" };
        format!("{} / {} / {marks} / {line}", self.theme.name(), scale.name())
    }

    /// Reads that line; what it does not know stays as it is.
    pub fn remember(&mut self, line: &str) {
        let parts: Vec<&str> = line.split(" / ").collect();
        for part in parts {
            self.theme = ThemeChoice::ALL.into_iter().find(|theme| theme.name() == part).unwrap_or(self.theme);
            self.figures.scale = Scale::ALL.into_iter().find(|s| s.name() == part).unwrap_or(self.figures.scale);
            self.low_bandwidth |= part == LOW_BANDWIDTH;
            if part == "comma" {
                self.figures.marks = Marks::Comma;
            }
        }
    }
}
