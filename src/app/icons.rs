//! The drawn shapes: icons, evidence marks, triangles and placement squares.
//!
//! Every shape is made of lines, rectangles and circles, so that no glyph has to exist in a font. Nothing here knows what
//! a shape stands for, or takes a click.

use egui::{Align2, Color32, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, pos2, vec2};

use super::theme::{self, Palette};
use crate::input::EvidenceKind;

pub use crate::show::letter;

/// An icon on a field of 16 by 16 points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Icon {
    Compare,
    Scenario,
    Workloads,
    Environments,
    Placements,
    Plus,
    Sensitivity,
    Uncertainty,
    Ledger,
    Evidence,
    Copy,
    Export,
    Table,
    Tick,
    Search,
    Undo,
    Redo,
    Down,
    Right,
    Levers,
    Explain,
    Pin,
    Lock,
    More,
}

/// A polyline of an icon; `true` closes it.
type Stroke16 = (&'static [(f32, f32)], bool);

impl Icon {
    const fn strokes(self) -> &'static [Stroke16] {
        match self {
            Self::Compare => &[
                (&[(2.5, 13.5), (2.5, 6.5), (5.5, 6.5), (5.5, 13.5)], true),
                (&[(7.0, 13.5), (7.0, 2.5), (10.0, 2.5), (10.0, 13.5)], true),
                (&[(11.5, 13.5), (11.5, 8.5), (14.5, 8.5), (14.5, 13.5)], true),
            ],
            Self::Scenario => &[
                (&[(2.5, 3.5), (13.5, 3.5), (13.5, 13.5), (2.5, 13.5)], true),
                (&[(2.5, 6.5), (13.5, 6.5)], false),
                (&[(5.5, 1.5), (5.5, 4.5)], false),
                (&[(10.5, 1.5), (10.5, 4.5)], false),
            ],
            Self::Workloads => &[
                (&[(2.5, 3.5), (13.5, 3.5)], false),
                (&[(2.5, 8.0), (9.5, 8.0)], false),
                (&[(2.5, 12.5), (11.5, 12.5)], false),
            ],
            Self::Environments => &[
                (&[(2.5, 2.5), (13.5, 2.5), (13.5, 7.0), (2.5, 7.0)], true),
                (&[(2.5, 9.0), (13.5, 9.0), (13.5, 13.5), (2.5, 13.5)], true),
                (&[(4.5, 4.75), (6.0, 4.75)], false),
                (&[(4.5, 11.25), (6.0, 11.25)], false),
            ],
            Self::Placements => &[
                (&[(2.5, 8.0), (6.0, 8.0), (9.0, 3.5), (13.5, 3.5)], false),
                (&[(6.0, 8.0), (9.0, 12.5), (13.5, 12.5)], false),
            ],
            Self::Plus => &[(&[(8.0, 3.0), (8.0, 13.0)], false), (&[(3.0, 8.0), (13.0, 8.0)], false)],
            Self::Sensitivity => &[
                (&[(8.0, 1.5), (8.0, 14.5)], false),
                (&[(3.0, 3.0), (13.0, 3.0), (13.0, 5.5), (3.0, 5.5)], true),
                (&[(5.0, 7.0), (11.0, 7.0), (11.0, 9.5), (5.0, 9.5)], true),
                (&[(6.5, 11.0), (9.5, 11.0), (9.5, 13.5), (6.5, 13.5)], true),
            ],
            Self::Uncertainty => &[(
                &[
                    (1.5, 13.5),
                    (4.0, 13.0),
                    (5.5, 10.5),
                    (6.8, 5.0),
                    (8.0, 2.5),
                    (9.2, 5.0),
                    (10.5, 10.5),
                    (12.0, 13.0),
                    (14.5, 13.5),
                ],
                false,
            )],
            Self::Evidence => &[
                (&[(3.5, 2.5), (12.5, 2.5), (12.5, 13.5), (3.5, 13.5)], true),
                (&[(5.5, 8.0), (7.3, 9.8), (11.0, 6.0)], false),
            ],
            Self::Ledger => &[
                (&[(2.5, 2.5), (13.5, 2.5), (13.5, 13.5), (2.5, 13.5)], true),
                (&[(2.5, 6.0), (13.5, 6.0)], false),
                (&[(2.5, 9.5), (13.5, 9.5)], false),
                (&[(6.5, 2.5), (6.5, 13.5)], false),
            ],
            Self::Copy => &[
                (&[(5.5, 5.5), (13.5, 5.5), (13.5, 13.5), (5.5, 13.5)], true),
                (&[(2.5, 10.5), (2.5, 2.5), (10.5, 2.5)], false),
            ],
            Self::Export => &[
                (&[(8.0, 2.0), (8.0, 10.0)], false),
                (&[(4.5, 6.8), (8.0, 10.3), (11.5, 6.8)], false),
                (&[(2.5, 13.5), (13.5, 13.5)], false),
            ],
            Self::Table => &[
                (&[(2.5, 3.5), (13.5, 3.5), (13.5, 12.5), (2.5, 12.5)], true),
                (&[(2.5, 6.5), (13.5, 6.5)], false),
                (&[(7.0, 6.5), (7.0, 12.5)], false),
            ],
            Self::Tick => &[(&[(3.5, 8.0), (6.5, 11.0), (12.5, 4.5)], false)],
            Self::Search => &[(&[(10.0, 10.0), (14.0, 14.0)], false)],
            Self::Undo => &[
                (&[(3.0, 7.0), (10.5, 7.0), (12.6, 7.9), (13.5, 10.0), (12.6, 12.1), (10.5, 13.0), (6.0, 13.0)], false),
                (&[(6.0, 4.0), (3.0, 7.0), (6.0, 10.0)], false),
            ],
            Self::Redo => &[
                (&[(13.0, 7.0), (5.5, 7.0), (3.4, 7.9), (2.5, 10.0), (3.4, 12.1), (5.5, 13.0), (10.0, 13.0)], false),
                (&[(10.0, 4.0), (13.0, 7.0), (10.0, 10.0)], false),
            ],
            Self::Down => &[(&[(4.5, 6.5), (8.0, 10.0), (11.5, 6.5)], false)],
            Self::Right => &[(&[(6.0, 4.0), (10.0, 8.0), (6.0, 12.0)], false)],
            Self::Levers => &[
                (&[(2.0, 4.5), (14.0, 4.5)], false),
                (&[(2.0, 11.5), (14.0, 11.5)], false),
                (&[(5.0, 2.5), (5.0, 6.5)], false),
                (&[(11.0, 9.5), (11.0, 13.5)], false),
            ],
            Self::Explain => &[
                (&[(2.5, 8.0), (13.5, 8.0)], false),
                (&[(5.5, 4.5), (10.5, 4.5)], false),
                (&[(5.5, 11.5), (10.5, 11.5)], false),
            ],
            Self::Pin => &[
                (&[(8.0, 9.5), (8.0, 14.0)], false),
                (&[(4.5, 9.5), (11.5, 9.5)], false),
                (&[(6.0, 9.5), (6.0, 2.5), (10.0, 2.5), (10.0, 9.5)], false),
            ],
            Self::Lock => &[
                (&[(3.5, 7.5), (12.5, 7.5), (12.5, 13.5), (3.5, 13.5)], true),
                (&[(5.5, 7.5), (5.5, 5.0), (6.2, 3.2), (8.0, 2.5), (9.8, 3.2), (10.5, 5.0), (10.5, 7.5)], false),
            ],
            Self::More => &[
                (&[(2.5, 8.0), (4.5, 8.0)], false),
                (&[(7.0, 8.0), (9.0, 8.0)], false),
                (&[(11.5, 8.0), (13.5, 8.0)], false),
            ],
        }
    }
}

/// Paints an icon of `size` points around `centre`.
pub fn icon(painter: &Painter, icon: Icon, centre: Pos2, size: f32, colour: Color32) {
    let scale = size / 16.0;
    let stroke = Stroke::new(1.25 * scale.max(0.8), colour);
    let at = |&(x, y): &(f32, f32)| centre + vec2(x - 8.0, y - 8.0) * scale;
    for (points, closed) in icon.strokes() {
        let points = points.iter().map(at).collect();
        painter.add(if *closed { Shape::closed_line(points, stroke) } else { Shape::line(points, stroke) });
    }
    if icon == Icon::Search {
        painter.circle_stroke(centre - vec2(1.0, 1.0) * scale, 4.0 * scale, stroke);
    }
}

/// ▲ where `up`, ▼ otherwise: eight points wide, seven high.
pub fn triangle(painter: &Painter, centre: Pos2, up: bool, colour: Color32) {
    let (tip, base) = if up { (-3.5, 3.5) } else { (3.5, -3.5) };
    let points = vec![centre + vec2(-4.0, base), centre + vec2(4.0, base), centre + vec2(0.0, tip)];
    painter.add(Shape::convex_polygon(points, colour, Stroke::NONE));
}

/// The same at another size, for a room.
pub fn large_triangle(painter: &Painter, centre: Pos2, size: f32, up: bool, colour: Color32) {
    let (half, tip) = (size / 2.0, if up { -size * 0.44 } else { size * 0.44 });
    let points = vec![centre + vec2(-half, -tip), centre + vec2(half, -tip), centre + vec2(0.0, tip)];
    painter.add(Shape::convex_polygon(points, colour, Stroke::NONE));
}

/// The sign for a warning.
pub fn warning(painter: &Painter, centre: Pos2, palette: &Palette) {
    let at = |x: f32, y: f32| centre + vec2(x - 6.5, y - 6.0);
    let points = vec![at(6.5, 0.5), at(12.7, 11.5), at(0.3, 11.5)];
    painter.add(Shape::convex_polygon(points, palette.warnfill, Stroke::NONE));
    let ink = theme::LIGHT.text;
    painter.rect_filled(Rect::from_min_size(at(5.9, 4.0), vec2(1.3, 4.0)), 0, ink);
    painter.rect_filled(Rect::from_min_size(at(5.9, 9.0), vec2(1.3, 1.3)), 0, ink);
}

/// The square with a placement's letter, `size` points wide.
pub fn badge(painter: &Painter, centre: Pos2, index: usize, size: f32, palette: &Palette) {
    let square = Rect::from_center_size(centre, vec2(size, size));
    painter.rect_filled(square, 2, palette.placement(index));
    let font = theme::semibold((size * 0.69).round());
    painter.text(centre + vec2(0.0, 0.5), Align2::CENTER_CENTER, letter(index), font, palette.letter(index));
}

/// Paints an evidence mark of twelve points; a review date that has passed shows as a red square at its corner.
pub fn evidence(painter: &Painter, centre: Pos2, kind: EvidenceKind, overdue: bool, palette: &Palette) {
    let ink = palette.text2;
    match kind {
        EvidenceKind::Measured => {
            painter.rect_filled(Rect::from_center_size(centre, vec2(9.0, 9.0)), 0, ink);
        }
        EvidenceKind::Quoted => {
            painter.circle_filled(centre, 4.8, ink);
        }
        EvidenceKind::Published => {
            painter.circle_stroke(centre, 4.1, Stroke::new(1.5, ink));
            painter.rect_filled(Rect::from_center_size(centre, vec2(9.0, 2.0)), 0, ink);
        }
        EvidenceKind::Assumed => diamond(painter, centre, 5.1, palette.warnbg, Stroke::new(1.5, palette.warn)),
    }
    if overdue {
        let corner = pos2(centre.x + 2.6, centre.y - 6.0);
        painter.rect_filled(Rect::from_min_size(corner, vec2(3.4, 3.4)), 0, palette.error);
    }
}

pub fn diamond(painter: &Painter, centre: Pos2, radius: f32, fill: Color32, stroke: Stroke) {
    let points = vec![
        centre - vec2(0.0, radius),
        centre + vec2(radius, 0.0),
        centre + vec2(0.0, radius),
        centre - vec2(radius, 0.0),
    ];
    painter.add(Shape::convex_polygon(points, fill, stroke));
}

/// The square of a category's colour before its name.
pub fn swatch(painter: &Painter, centre: Pos2, colour: Color32) {
    painter.rect_filled(Rect::from_center_size(centre, vec2(10.0, 10.0)), 1, colour);
}

/// A border inside `rect`, so that nothing moves when it thickens.
pub fn border(painter: &Painter, rect: Rect, corner: u8, width: f32, colour: Color32) {
    painter.rect_stroke(rect, corner, Stroke::new(width, colour), StrokeKind::Inside);
}
