//! The total of each placement as a bar stacked by category.
//!
//! Negatives stand left of zero; where there are any, an upright mark shows the net total.

use rust_decimal::Decimal;

use super::{Anchor, Axis, Face, Ink, Scene, SceneRow, Shape};

/// One placement's bar.
pub struct Stack {
    pub placement: usize,
    pub name: String,
    /// The categories, in the order in which they are stacked.
    pub parts: Vec<StackPart>,
    pub total: f64,
    /// The total as text.
    pub total_text: String,
}

pub struct StackPart {
    /// Position among the seventeen categories.
    pub category: usize,
    pub amount: f64,
}

const BAR: f32 = 16.0;
const ROW: f32 = 25.0;
const LABEL_ROOM: f32 = 48.0;

/// The bars, one under the other, over one axis. `tick` makes the text of a round number.
pub fn stacks(stacks: &[Stack], width: f32, tick: &dyn Fn(Decimal) -> String) -> Scene {
    #[expect(clippy::cast_precision_loss, reason = "a handful of rows")]
    let bottom = 2.0 + ROW * stacks.len() as f32;
    let mut scene = Scene::new(width, bottom + 20.0);
    let ends = stacks.iter().flat_map(|stack| [stack.side(f64::min), stack.side(f64::max), stack.total]);
    let axis = Axis::around(ends.chain([0.0]), 26.0, (width - LABEL_ROOM).max(60.0), 6);
    ticks(&mut scene, &axis, bottom, tick);
    let mut y = 2.0;
    for stack in stacks {
        bar(&mut scene, &axis, stack, y);
        let said = format!("{}: {}", stack.name, stack.total_text);
        scene.rows.push(SceneRow { top: y, height: ROW, said, hover: String::new() });
        y += ROW;
    }
    scene
}

impl Stack {
    /// The sum of the parts on one side of zero.
    fn side(&self, pick: fn(f64, f64) -> f64) -> f64 {
        self.parts.iter().map(|part| pick(part.amount, 0.0)).sum()
    }
}

fn ticks(scene: &mut Scene, axis: &Axis, bottom: f32, text: &dyn Fn(Decimal) -> String) {
    for tick in &axis.ticks {
        let ink = if tick.value.is_zero() { Ink::Line2 } else { Ink::Grid };
        scene.line((tick.x, 2.0), (tick.x, bottom), ink, 1.0);
        scene.text((tick.x, bottom + 10.0), text(tick.value), Face::Small, Ink::Text2, Anchor::Middle);
    }
}

fn bar(scene: &mut Scene, axis: &Axis, stack: &Stack, top: f32) {
    let (middle, y) = (top + ROW / 2.0, top + (ROW - BAR) / 2.0);
    scene.shapes.push(Shape::Badge { centre: (8.0, middle), placement: stack.placement });
    let (mut left, mut right) = (0.0, 0.0);
    for part in &stack.parts {
        let from = if part.amount < 0.0 { &mut left } else { &mut right };
        let (a, b) = (axis.at(*from), axis.at(*from + part.amount));
        *from += part.amount;
        let width = ((a - b).abs() - 1.0).max(0.6);
        if part.amount != 0.0 {
            scene.fill(a.min(b), y, width, BAR, Ink::Category(part.category));
        }
    }
    if left < 0.0 {
        scene.fill(axis.at(stack.total) - 1.0, y - 3.0, 2.0, BAR + 6.0, Ink::Text);
    }
    let end = axis.at(right.max(stack.total)) + 6.0;
    scene.text((end, middle), &*stack.total_text, Face::SmallBold, Ink::Text, Anchor::Left);
}
