//! Bars that begin where others end, or at zero, with their figures in a column at the right: waterfalls and ladders.
//!
//! Steps come in their order, with their texts; nothing is added up here.

use super::{Anchor, Axis, Face, Ink, Look, Scene, SceneRow};

/// One row.
#[derive(Clone, Debug)]
pub struct Step {
    pub kind: StepKind,
    pub name: String,
    /// Where its bar begins and ends.
    pub from: f64,
    pub to: f64,
    /// As it stands in the column.
    pub text: String,
    /// What is told beside name and figure; may be empty.
    pub told: String,
}

/// What a row is to the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// Names the rows under it.
    Heading,
    /// What the rows before it come to.
    Total,
    Part,
    /// A part that is kept in reserve.
    Reserve,
    /// A part beside the sum.
    Beside,
    /// Words in place of a bar.
    Note,
}

impl StepKind {
    const fn ink(self) -> Ink {
        match self {
            Self::Heading | Self::Total | Self::Note => Ink::Text2,
            Self::Part => Ink::High,
            Self::Reserve => Ink::Low,
            Self::Beside => Ink::Usage,
        }
    }

    const fn is_heavy(self) -> bool {
        matches!(self, Self::Heading | Self::Total)
    }
}

const ROW: f32 = 18.0;
const BAR: f32 = 11.0;

/// The rows, `width` wide.
#[must_use]
pub fn steps(steps: &[Step], width: f32, look: Look) -> Scene {
    let row = look.scaled(ROW);
    #[expect(clippy::cast_precision_loss, reason = "some dozens of rows")]
    let height = row * steps.len() as f32 + 4.0;
    let mut scene = Scene::looking(width, height, look);
    let widest = |texts: &mut dyn Iterator<Item = f32>| texts.fold(0.0f32, f32::max);
    let names = widest(&mut steps.iter().map(|step| look.room(&step.name, face(step.kind))));
    let figures =
        widest(&mut steps.iter().filter(|s| s.kind != StepKind::Note).map(|s| look.room(&s.text, face(s.kind))));
    let left = (names + 10.0).min(width * 0.42);
    let right = (width - figures - 14.0).max(left + 20.0);
    let axis = Axis::around(steps.iter().flat_map(|step| [step.from, step.to]).chain([0.0]), left, right, 4);
    let mut top = 2.0;
    let mut before: Option<f32> = None;
    for step in steps {
        before = step_row(&mut scene, &axis, step, (top, left), before);
        let said = format!("{}: {}", step.name, step.text);
        let told = if step.told.is_empty() { said.clone() } else { format!("{said}\n{}", step.told) };
        scene.rows.push(SceneRow { left: 0.0, top, width, height: row, said, hover: told });
        top += row;
    }
    scene
}

const fn face(kind: StepKind) -> Face {
    if kind.is_heavy() { Face::SmallBold } else { Face::Small }
}

/// Draws one row and returns where its bar ends, for the line to the next.
fn step_row(scene: &mut Scene, axis: &Axis, step: &Step, (top, left): (f32, f32), before: Option<f32>) -> Option<f32> {
    let look = scene.look;
    let (row, bar) = (look.scaled(ROW), look.scaled(BAR));
    let (middle, width) = (top + row / 2.0, scene.width);
    let ink = if step.kind.is_heavy() { Ink::Text } else { Ink::Text2 };
    if step.kind.is_heavy() {
        scene.line((0.0, top), (width, top), Ink::Line, 1.0);
    }
    scene.name((0.0, middle), &*step.name, face(step.kind), ink, left - 6.0);
    if step.kind == StepKind::Heading {
        return None;
    }
    if step.kind == StepKind::Note {
        scene.name((left, middle), &*step.text, Face::Small, Ink::Text2, width - left);
        return None;
    }
    scene.text((width - 2.0, middle), &*step.text, face(step.kind), Ink::Text, Anchor::Right);
    let (from, to) = (axis.at(step.from), axis.at(step.to));
    if let Some(before) = before.filter(|_| step.from != 0.0 || step.kind == StepKind::Total) {
        scene.line((before, top - row + (row + bar) / 2.0), (before, middle - bar / 2.0), Ink::Line2, 1.0);
    }
    scene.fill(
        from.min(to),
        middle - bar / 2.0,
        (from - to).abs().max(if step.from == step.to { 0.0 } else { 1.0 }),
        bar,
        step.kind.ink(),
    );
    (step.kind != StepKind::Beside).then_some(to)
}
