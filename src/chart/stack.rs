//! Amounts as bars of stacked parts, one bar for each placement.
//!
//! Negatives stand left of zero; where there are any, an upright mark shows the net total.

use rust_decimal::Decimal;

use super::{Anchor, Axis, Face, Ink, Look, Scene, SceneRow, Shape, Spot};

/// One placement's bar.
#[derive(Clone, Debug)]
pub struct Stack {
    pub placement: usize,
    pub name: String,
    /// In the order in which they are stacked.
    pub parts: Vec<StackPart>,
    pub total: f64,
    /// The total with three digits, beside the bar.
    pub total_text: String,
    /// The total to the minor unit, with its currency.
    pub total_exact: String,
}

#[derive(Clone, Debug)]
pub struct StackPart {
    pub ink: Ink,
    pub name: String,
    pub amount: f64,
    /// The amount to the minor unit, with its currency.
    pub exact: String,
}

const BAR: f32 = 16.0;
const ROW: f32 = 25.0;

/// The bars, one under the other, over one axis. `tick` makes the text of a round number.
#[must_use]
pub fn stacks(stacks: &[Stack], width: f32, look: Look, tick: &dyn Fn(Decimal) -> String) -> Scene {
    let row = look.scaled(ROW);
    #[expect(clippy::cast_precision_loss, reason = "a handful of rows")]
    let bottom = 2.0 + row * stacks.len() as f32;
    let mut scene = Scene::looking(width, bottom + look.scaled(20.0), look);
    let ends = stacks.iter().flat_map(|stack| [stack.side(f64::min), stack.side(f64::max), stack.total]);
    let texts = stacks.iter().map(|stack| look.room(&stack.total_text, Face::SmallBold));
    let room = texts.fold(look.scaled(40.0), f32::max) + 8.0;
    let axis = Axis::around(ends.chain([0.0]), look.scaled(26.0), (width - room).max(60.0), 6);
    ticks(&mut scene, &axis, bottom, tick);
    let mut top = 2.0;
    for stack in stacks {
        bar(&mut scene, &axis, stack, top);
        let said = format!("{}: {}", stack.name, stack.total_exact);
        scene.rows.push(SceneRow {
            left: 0.0,
            top,
            width,
            height: row,
            said,
            hover: format!("{}\n{}", stack.name, stack.total_exact),
        });
        top += row;
    }
    scene
}

impl Stack {
    /// The sum of the parts on one side of zero.
    fn side(&self, pick: fn(f64, f64) -> f64) -> f64 {
        self.parts.iter().map(|part| pick(part.amount, 0.0)).sum()
    }
}

/// Upright gridlines with their texts under them; the line at zero is the heavier one.
pub(super) fn ticks(scene: &mut Scene, axis: &Axis, bottom: f32, text: &dyn Fn(Decimal) -> String) {
    let under = scene.look.scaled(10.0);
    for tick in &axis.ticks {
        let ink = if tick.value.is_zero() { Ink::Line2 } else { Ink::Grid };
        scene.line((tick.x, 2.0), (tick.x, bottom), ink, 1.0);
        scene.text((tick.x, bottom + under), text(tick.value), Face::Small, Ink::Text2, Anchor::Middle);
    }
}

fn bar(scene: &mut Scene, axis: &Axis, stack: &Stack, top: f32) {
    let look = scene.look;
    let (row, height) = (look.scaled(ROW), look.scaled(BAR));
    let (middle, y) = (top + row / 2.0, top + (row - height) / 2.0);
    scene.shapes.push(Shape::Badge { centre: (look.scaled(8.0), middle), placement: stack.placement });
    let (mut left, mut right) = (0.0, 0.0);
    for part in &stack.parts {
        let from = if part.amount < 0.0 { &mut left } else { &mut right };
        let (a, b) = (axis.at(*from), axis.at(*from + part.amount));
        *from += part.amount;
        if part.amount == 0.0 {
            continue;
        }
        let width = ((a - b).abs() - 1.0).max(0.6);
        scene.fill(a.min(b), y, width, height, part.ink);
        let told = format!("{}\n{} {}", stack.name, part.name, part.exact);
        scene.spots.push(Spot { left: a.min(b), top, width: width.max(2.0), height: row, told });
    }
    if left < 0.0 {
        scene.fill(axis.at(stack.total) - 1.0, y - 3.0, 2.0, height + 6.0, Ink::Text);
    }
    let end = axis.at(right.max(stack.total)) + 6.0;
    scene.text((end, middle), &*stack.total_text, Face::SmallBold, Ink::Text, Anchor::Left);
}
