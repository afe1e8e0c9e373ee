//! Paints a scene with egui, and reads its rows out.
//!
//! It turns roles into colours and nothing else: what a shape stands for was decided where the scene was made.

use egui::accesskit::Role;
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::icons;
use super::theme::{self, Palette};
use super::widgets::{Told, elided, painted_text};
use crate::chart::{self, Anchor, Face, Ink, Scene};

/// Draws a scene in the flow of the page. `name` is what assistive technology calls it; its rows take `sense`, and the
/// row that was pressed is returned.
pub fn scene_ui(ui: &mut Ui, name: &str, scene: &Scene, sense: Sense) -> Option<usize> {
    let (rect, response) = ui.allocate_exact_size(vec2(scene.width, scene.height), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Figure, true, name));
    let palette = Palette::of(ui.visuals());
    let (mut pressed, mut hovered) = (None, None);
    for (i, row) in scene.rows.iter().enumerate() {
        let place = Rect::from_min_size(rect.min + vec2(0.0, row.top), vec2(scene.width, row.height));
        let response = ui.interact(place, ui.scope_id().with((name, i)), sense);
        let role = if sense.senses_click() { Role::Button } else { Role::Label };
        response.widget_info(|| WidgetInfo::labeled(role, true, &row.said));
        if response.hovered() && sense.senses_click() {
            hovered = Some(place);
        }
        if response.has_focus() {
            icons::border(ui.painter(), place, 0, 2.0, palette.accent);
            response.scroll_to_me(None);
        }
        if response.clicked() {
            pressed = Some(i);
        }
        if !row.hover.is_empty() {
            response.told(&row.hover);
        }
    }
    paint(&ui.painter_at(rect.expand(4.0)), rect.min.round(), scene, palette);
    if let Some(place) = hovered {
        // Over the scene, which fills its rows itself.
        ui.painter().rect_filled(place, 0, palette.accent.gamma_multiply(0.06));
    }
    pressed
}

fn paint(painter: &Painter, origin: Pos2, scene: &Scene, palette: &Palette) {
    for shape in &scene.shapes {
        paint_shape(painter, origin, shape, palette);
    }
}

fn paint_shape(painter: &Painter, origin: Pos2, shape: &chart::Shape, palette: &Palette) {
    let at = |(x, y): (f32, f32)| origin + vec2(x, y);
    match shape {
        chart::Shape::Fill { x, y, width, height, ink } => {
            painter.rect_filled(whole(at((*x, *y)), *width, *height), 0, colour(*ink, palette));
        }
        chart::Shape::Outline { x, y, width, height, ink } => {
            icons::border(painter, whole(at((*x, *y)), *width, *height), 0, 1.5, colour(*ink, palette));
        }
        chart::Shape::Line { from, to, ink, width, dashed } => {
            line(painter, at(*from), at(*to), Stroke::new(*width, colour(*ink, palette)), *dashed);
        }
        chart::Shape::Text { at: place, text, face, ink, anchor, room, halo } => {
            let font = font(*face);
            let text = match room {
                Some(room) => elided(painter, text, &font, *room),
                None => text.clone(),
            };
            if *halo {
                let size = painter.layout_no_wrap(text.clone(), font.clone(), palette.text).size();
                let behind = align(*anchor).anchor_size(at(*place), size);
                painter.rect_filled(behind.expand2(vec2(2.0, -2.0)), 0, palette.sunken);
            }
            painted_text(painter, at(*place), align(*anchor), &text, &font, colour(*ink, palette));
        }
        chart::Shape::Badge { centre, placement } => icons::badge(painter, at(*centre), *placement, 16.0, palette),
        chart::Shape::Evidence { centre, kind, overdue } => {
            icons::evidence(painter, at(*centre), *kind, *overdue, palette);
        }
        chart::Shape::Diamond { centre } => {
            icons::diamond(painter, at(*centre), 6.0, palette.surface, Stroke::new(1.5, palette.text));
        }
        chart::Shape::Peak { centre } => peak(painter, at(*centre), palette),
    }
}

/// A rectangle on whole points, at least one wide, so that edges are sharp and small parts still show.
fn whole(min: Pos2, width: f32, height: f32) -> Rect {
    let (left, right) = (min.x.round(), (min.x + width).round());
    Rect::from_min_max(pos2(left, min.y.round()), pos2(right.max(left + 1.0), (min.y + height).round()))
}

fn line(painter: &Painter, from: Pos2, to: Pos2, stroke: Stroke, dashed: bool) {
    let sharp = |p: Pos2| pos2(p.x.round() + 0.5, p.y.round() + 0.5);
    let points = [sharp(from), sharp(to)];
    if dashed {
        painter.extend(Shape::dashed_line(&points, stroke, 3.0, 2.0));
    } else {
        painter.line_segment(points, stroke);
    }
}

fn peak(painter: &Painter, centre: Pos2, palette: &Palette) {
    painter.circle(centre, 6.0, palette.surface, Stroke::new(1.5, palette.text));
    let points = vec![centre + vec2(-2.5, 1.5), centre + vec2(0.0, -1.5), centre + vec2(2.5, 1.5)];
    painter.line(points, Stroke::new(1.25, palette.text));
}

fn font(face: Face) -> FontId {
    match face {
        Face::Small => theme::SMALL,
        Face::Body => theme::BODY,
        Face::SmallBold => theme::semibold(12.0),
        Face::BodyBold => theme::semibold(13.0),
    }
}

const fn align(anchor: Anchor) -> Align2 {
    match anchor {
        Anchor::Left => Align2::LEFT_CENTER,
        Anchor::Middle => Align2::CENTER_CENTER,
        Anchor::Right => Align2::RIGHT_CENTER,
    }
}

fn colour(ink: Ink, palette: &Palette) -> Color32 {
    match ink {
        Ink::Surface => palette.surface,
        Ink::Sunken => palette.sunken,
        Ink::Text => palette.text,
        Ink::Text2 => palette.text2,
        Ink::Line => palette.line,
        Ink::Line2 => palette.line2,
        Ink::Grid => palette.grid,
        Ink::Category(i) => palette.categories.get(i).copied().unwrap_or(palette.text2),
        Ink::Low => palette.bar_low,
        Ink::High => palette.bar_high,
    }
}
