//! A drawing: shapes at places, in roles instead of colours.
//!
//! No shape knows what it stands for, and no renderer is known here.

use crate::input::EvidenceKind;

/// A drawing of a given size, its origin at the upper left.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    pub width: f32,
    pub height: f32,
    pub look: Look,
    pub shapes: Vec<Shape>,
    /// What each row stands for, in words, at its place: the table twin that assistive technology reads.
    pub rows: Vec<SceneRow>,
    /// What is told of parts of the drawing where the pointer rests on them, before what their row says.
    pub spots: Vec<Spot>,
}

/// For whom a drawing is sized.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Look {
    /// One person at a desk, and paper.
    #[default]
    Desk,
    /// A room that reads from the back row.
    Room,
}

impl Look {
    /// The size of a face, in points.
    #[must_use]
    pub const fn size(self, face: Face) -> f32 {
        match (self, face) {
            (Self::Desk, Face::Small | Face::SmallBold) => 12.0,
            (Self::Desk, Face::Body | Face::BodyBold) => 13.0,
            (Self::Room, Face::Small | Face::SmallBold) => 18.0,
            (Self::Room, Face::Body | Face::BodyBold) => 22.0,
        }
    }

    /// A length of the desk in points of this look.
    #[must_use]
    pub fn scaled(self, length: f32) -> f32 {
        match self {
            Self::Desk => length,
            Self::Room => length * 1.5,
        }
    }

    /// How wide a line is that stands for a placement, and one that is looked at or compared with.
    #[must_use]
    pub const fn stroke(self, is_heavy: bool) -> f32 {
        match (self, is_heavy) {
            (Self::Desk, false) => 1.75,
            (Self::Desk, true) => 2.5,
            (Self::Room, _) => 4.0,
        }
    }

    /// What a text takes at most, before a renderer has measured it.
    #[must_use]
    pub fn room(self, text: &str, face: Face) -> f32 {
        #[expect(clippy::cast_precision_loss, reason = "a label has some dozens of characters")]
        let chars = text.chars().count() as f32;
        chars * self.size(face) * 0.6
    }
}

/// A rectangle of a drawing that has something to tell.
#[derive(Clone, Debug)]
pub struct Spot {
    pub left: f32,
    pub top: f32,
    pub width: f32,
    pub height: f32,
    pub told: String,
}

impl Spot {
    #[must_use]
    pub fn holds(&self, (x, y): (f32, f32)) -> bool {
        let inside = |from: f32, at: f32, length: f32| from <= at && at <= from + length;
        inside(self.left, x, self.width) && inside(self.top, y, self.height)
    }
}

/// A row of a scene: where it is, and what it says.
#[derive(Clone, Debug)]
pub struct SceneRow {
    pub left: f32,
    pub top: f32,
    pub width: f32,
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
    Placement(usize),
    /// Cost that follows commitment.
    Fixed,
    /// Cost that follows use.
    Usage,
    /// The end of a bar at the low end of an input.
    Low,
    /// The end of a bar at the high end of an input.
    High,
    /// A field behind what is read.
    Area,
    /// What lies beyond a limit.
    Over,
}

/// How a line is broken, beside its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dash {
    #[default]
    Solid,
    Dashes,
    Dots,
}

impl Dash {
    /// The third cue of a placement, after its letter and its colour.
    #[must_use]
    pub const fn of_placement(placement: usize) -> Self {
        match placement % 6 {
            3 => Self::Dashes,
            5 => Self::Dots,
            _ => Self::Solid,
        }
    }

    /// Points that are drawn and left out in turn; none where nothing is left out.
    #[must_use]
    pub const fn pattern(self) -> Option<(f32, f32)> {
        match self {
            Self::Solid => None,
            Self::Dashes => Some((6.0, 3.0)),
            Self::Dots => Some((2.0, 2.0)),
        }
    }
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
    /// A line through points.
    Path {
        points: Vec<(f32, f32)>,
        ink: Ink,
        width: f32,
        dash: Dash,
    },
    /// A white dot with an outline.
    Dot {
        centre: (f32, f32),
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
    pub(super) fn new(width: f32, height: f32) -> Self {
        Self { width, height, ..Self::default() }
    }

    pub(super) fn looking(width: f32, height: f32, look: Look) -> Self {
        Self { width, height, look, ..Self::default() }
    }

    /// What is told of the place, where a part of the drawing has something to tell.
    #[must_use]
    pub fn told(&self, at: (f32, f32)) -> Option<&str> {
        self.spots.iter().rev().find(|spot| spot.holds(at)).map(|spot| spot.told.as_str())
    }

    /// Puts another drawing on this one, its upper left corner at a place.
    pub(super) fn put(&mut self, other: Self, (dx, dy): (f32, f32)) {
        self.shapes.extend(other.shapes.into_iter().map(|shape| shape.moved(dx, dy)));
        self.rows.extend(other.rows.into_iter().map(|row| SceneRow { left: row.left + dx, top: row.top + dy, ..row }));
        self.spots.extend(other.spots.into_iter().map(|spot| Spot {
            left: spot.left + dx,
            top: spot.top + dy,
            ..spot
        }));
    }

    pub(super) fn fill(&mut self, x: f32, y: f32, width: f32, height: f32, ink: Ink) {
        if width > 0.0 {
            self.shapes.push(Shape::Fill { x, y, width, height, ink });
        }
    }

    pub(super) fn line(&mut self, from: (f32, f32), to: (f32, f32), ink: Ink, width: f32) {
        self.shapes.push(Shape::Line { from, to, ink, width, dashed: false });
    }

    pub(super) fn dashed(&mut self, from: (f32, f32), to: (f32, f32), ink: Ink) {
        self.shapes.push(Shape::Line { from, to, ink, width: 1.0, dashed: true });
    }

    pub(super) fn text(&mut self, at: (f32, f32), text: impl Into<String>, face: Face, ink: Ink, anchor: Anchor) {
        self.shapes.push(Shape::Text { at, text: text.into(), face, ink, anchor, room: None, halo: false });
    }

    pub(super) fn name(&mut self, at: (f32, f32), text: impl Into<String>, face: Face, ink: Ink, room: f32) {
        let room = Some(room);
        self.shapes.push(Shape::Text { at, text: text.into(), face, ink, anchor: Anchor::Left, room, halo: false });
    }

    /// A figure over lines.
    pub(super) fn figure(&mut self, at: (f32, f32), text: impl Into<String>, face: Face, ink: Ink, anchor: Anchor) {
        self.shapes.push(Shape::Text { at, text: text.into(), face, ink, anchor, room: None, halo: true });
    }
}

impl Shape {
    fn moved(mut self, dx: f32, dy: f32) -> Self {
        let shift = |(x, y): &mut (f32, f32)| (*x, *y) = (*x + dx, *y + dy);
        match &mut self {
            Self::Fill { x, y, .. } | Self::Outline { x, y, .. } => (*x, *y) = (*x + dx, *y + dy),
            Self::Line { from, to, .. } => [from, to].into_iter().for_each(shift),
            Self::Path { points, .. } => points.iter_mut().for_each(shift),
            Self::Text { at, .. } => shift(at),
            Self::Dot { centre }
            | Self::Badge { centre, .. }
            | Self::Evidence { centre, .. }
            | Self::Diamond { centre }
            | Self::Peak { centre } => shift(centre),
        }
        self
    }
}
