//! Charts: each described once from results, and laid out as a scene of shapes in roles instead of colours.
//!
//! A description holds exact values and its table twin; the window draws it, and exports write it. No renderer is known
//! here. Binary floating point is for places on the page; every text was made by `show` from an exact number.

mod axis;
mod bars;
mod curves;
mod declared;
mod described;
mod dots;
mod draws;
mod drivers;
mod lines;
mod load;
mod months;
mod page;
pub mod palette;
mod ranked;
mod regions;
mod scene;
mod sizes;
mod spread;
mod stack;
mod steps;
mod tornado;

pub use axis::{Axis, Tick};
pub use curves::{Across, Curve, Curves, Mark, Place, Upright, curves};
pub use declared::{Answered, Kind, Scope, Subject, Which, describe};
pub use described::{Body, Chart, KeyEntry, Twin, Value};
pub use dots::{DotRow, Dots, RowDot, dots};
pub use drivers::{Along, Bars};
pub use lines::{BEHIND, Crossing, Frame, Line, Lines, lines, over, under};
pub use load::{Load, LoadStep, load};
pub use page::key;
pub use ranked::{Ranked, RankedMark, RankedRow, ranked};
pub use regions::{Band, Preferred, Region, Regions, regions};
pub use scene::{Anchor, Dash, Face, Ink, Look, Scene, SceneRow, Shape, Spot};
pub use spread::{Percentile, Spread, SpreadOf, Stretch, histograms, shares};
pub use stack::{Stack, StackPart, stacks};
pub use steps::{Step, StepKind, steps};
pub use tornado::{Flip, Sides, Tornado, TornadoBar, tornado, tornado_head};
