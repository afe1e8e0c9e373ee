//! The controls of the window, each with a name that a screen reader and a test find it by.
//!
//! A widget draws what it is given and says what a person did with it. None knows the scenario.

mod chart;
mod choice;
mod decimal_cell;
mod grid;
mod labels;
mod picked;
mod search;
mod slider;
mod table;

pub use chart::{ChartAsked, ChartShown, chart_ui, fit_names, framed_ui, twin_table};
pub use choice::{Entry, Ticked, choice_ui, choices_ui, marked_segments_ui, segments_ui};
pub use decimal_cell::{DecimalCell, Drafts, Look, Outcome};
pub use grid::{Grid, GridColumn, GridOutcome, Part, Place, Sorted, left};
pub use labels::{Told, banner_ui, elided, growing_width, link_at, painted_text, tag, text_width, wrapped};
pub use picked::Picked;
pub use search::{search_ui, select_all};
pub use slider::{Motion, Slid, Slider};
pub use table::{Align, Asked, Column, Row, RowKind, TableCell, fit, table_ui};
