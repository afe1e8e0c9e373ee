//! Charts as scenes: shapes at places, in roles instead of colours.
//!
//! A scene is drawn by the window today and can be written by an export; neither is known here, and no shape knows what
//! it stands for. Binary floating point is for places on the page; every text was made by `show` from an exact number.

mod axis;
mod stack;
mod tornado;

pub use axis::{Axis, Tick};
pub use stack::{Stack, StackPart, stacks};
pub use tornado::{Flip, Sides, Tornado, TornadoBar, tornado, tornado_head};

use crate::input::EvidenceKind;

/// A drawing of a given size, its origin at the upper left.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    pub width: f32,
    pub height: f32,
    pub shapes: Vec<Shape>,
    /// What each row stands for, in words, at its place: the table twin that assistive technology reads.
    pub rows: Vec<SceneRow>,
}

/// A row of a scene: where it is, and what it says.
#[derive(Clone, Debug)]
pub struct SceneRow {
    pub top: f32,
    pub height: f32,
    pub said: String,
    /// What the drawing has no room for; may be empty.
    pub hover: String,
}

/// A role that a renderer turns into a colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ink {
    Surface,
    Sunken,
    Text,
    Text2,
    Line,
    Line2,
    Grid,
    /// The category at this position of the stack.
    Category(usize),
    /// The end of a bar at the low end of an input.
    Low,
    /// The end of a bar at the high end of an input.
    High,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Face {
    Small,
    Body,
    SmallBold,
    BodyBold,
}

/// Where a text stands from its place: its height is always centred.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    Left,
    Middle,
    Right,
}

#[derive(Clone, Debug)]
pub enum Shape {
    Fill {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        ink: Ink,
    },
    Outline {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        ink: Ink,
    },
    Line {
        from: (f32, f32),
        to: (f32, f32),
        ink: Ink,
        width: f32,
        dashed: bool,
    },
    /// `room` is what there is of it: a renderer cuts a name that is longer. Figures have no such limit. A `halo` keeps
    /// lines behind a figure away from its digits.
    Text {
        at: (f32, f32),
        text: String,
        face: Face,
        ink: Ink,
        anchor: Anchor,
        room: Option<f32>,
        halo: bool,
    },
    /// The square of a placement.
    Badge {
        centre: (f32, f32),
        placement: usize,
    },
    /// The mark of evidence.
    Evidence {
        centre: (f32, f32),
        kind: EvidenceKind,
        overdue: bool,
    },
    /// The preferred placement changes here.
    Diamond {
        centre: (f32, f32),
    },
    /// The extreme lies inside the range.
    Peak {
        centre: (f32, f32),
    },
}

impl Scene {
    fn new(width: f32, height: f32) -> Self {
        Self { width, height, ..Self::default() }
    }

    fn fill(&mut self, x: f32, y: f32, width: f32, height: f32, ink: Ink) {
        if width > 0.0 {
            self.shapes.push(Shape::Fill { x, y, width, height, ink });
        }
    }

    fn line(&mut self, from: (f32, f32), to: (f32, f32), ink: Ink, width: f32) {
        self.shapes.push(Shape::Line { from, to, ink, width, dashed: false });
    }

    fn dashed(&mut self, from: (f32, f32), to: (f32, f32), ink: Ink) {
        self.shapes.push(Shape::Line { from, to, ink, width: 1.0, dashed: true });
    }

    fn text(&mut self, at: (f32, f32), text: impl Into<String>, face: Face, ink: Ink, anchor: Anchor) {
        self.shapes.push(Shape::Text { at, text: text.into(), face, ink, anchor, room: None, halo: false });
    }

    fn name(&mut self, at: (f32, f32), text: impl Into<String>, face: Face, ink: Ink, room: f32) {
        let room = Some(room);
        self.shapes.push(Shape::Text { at, text: text.into(), face, ink, anchor: Anchor::Left, room, halo: false });
    }

    /// A figure over lines.
    fn figure(&mut self, at: (f32, f32), text: impl Into<String>, face: Face, ink: Ink, anchor: Anchor) {
        self.shapes.push(Shape::Text { at, text: text.into(), face, ink, anchor, room: None, halo: true });
    }
}
