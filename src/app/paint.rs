//! Paints a scene with egui, and reads its rows out.
//!
//! It turns roles into colours and nothing else: what a shape stands for was decided where the scene was made.

use egui::accesskit::Role;
use egui::{Align2, FontId, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::icons;
use super::theme::{self, Palette};
use super::widgets::{Told, elided, painted_text};
use crate::chart::{self, Anchor, Face, Look, Scene};

/// Draws a scene in the flow of the page. `name` is what assistive technology calls it; its rows take `sense`, and the
/// row that was pressed is returned.
pub fn scene_ui(ui: &mut Ui, name: &str, scene: &Scene, sense: Sense) -> Option<usize> {
    let (rect, response) = ui.allocate_exact_size(vec2(scene.width, scene.height), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Figure, true, name));
    let palette = Palette::of(ui.visuals());
    paint(&ui.painter_at(rect.expand(4.0)), rect.min.round(), scene, palette);
    rows_ui(ui, name, scene, rect, sense)
}

/// Reads out the rows of a scene that stands in `rect`, and returns the one that was pressed.
pub fn rows_ui(ui: &Ui, name: &str, scene: &Scene, rect: Rect, sense: Sense) -> Option<usize> {
    let palette = Palette::of(ui.visuals());
    let mut pressed = None;
    for (i, row) in scene.rows.iter().enumerate() {
        let place = Rect::from_min_size(rect.min + vec2(row.left, row.top), vec2(row.width, row.height));
        let response = ui.interact(place, ui.scope_id().with((name, i)), sense);
        let role = if sense.senses_click() { Role::Button } else { Role::Label };
        response.widget_info(|| WidgetInfo::labeled(role, true, &row.said));
        if response.hovered() && sense.senses_click() {
            // Over the scene, which fills its rows itself.
            ui.painter().rect_filled(place, 0, palette.accent.gamma_multiply(0.06));
        }
        if response.has_focus() {
            icons::border(ui.painter(), place, 0, 2.0, palette.accent);
            response.scroll_to_me(None);
        }
        if response.clicked() {
            pressed = Some(i);
        }
        // A part of the drawing under the pointer says more than its row.
        let pointed = response.hover_pos().map(|at| at - rect.min).and_then(|at| scene.told((at.x, at.y)));
        let told = pointed.unwrap_or(&row.hover);
        if !told.is_empty() {
            response.told_at_pointer(|ui| {
                ui.set_max_width(ui.spacing().tooltip_width);
                ui.label(told);
            });
        }
    }
    pressed
}

/// Paints a scene from its upper left corner, and reads nothing out.
pub fn paint(painter: &Painter, origin: Pos2, scene: &Scene, palette: &Palette) {
    for shape in &scene.shapes {
        paint_shape(painter, origin, (shape, scene.look), palette);
    }
}

fn paint_shape(painter: &Painter, origin: Pos2, (shape, look): (&chart::Shape, Look), palette: &Palette) {
    let at = |(x, y): (f32, f32)| origin + vec2(x, y);
    match shape {
        chart::Shape::Fill { x, y, width, height, ink } => {
            painter.rect_filled(whole(at((*x, *y)), *width, *height), 0, palette.ink(*ink));
        }
        chart::Shape::Outline { x, y, width, height, ink } => {
            icons::border(painter, whole(at((*x, *y)), *width, *height), 0, 1.5, palette.ink(*ink));
        }
        chart::Shape::Line { from, to, ink, width, dashed } => {
            line(painter, at(*from), at(*to), Stroke::new(*width, palette.ink(*ink)), *dashed);
        }
        chart::Shape::Text { at: place, text, face, ink, anchor, room, halo } => {
            let font = font(*face, look);
            let text = match room {
                Some(room) => elided(painter, text, &font, *room),
                None => text.clone(),
            };
            if *halo {
                let size = painter.layout_no_wrap(text.clone(), font.clone(), palette.text).size();
                let behind = align(*anchor).anchor_size(at(*place), size);
                painter.rect_filled(behind.expand2(vec2(2.0, -2.0)), 0, palette.sunken);
            }
            painted_text(painter, at(*place), align(*anchor), &text, &font, palette.ink(*ink));
        }
        chart::Shape::Path { points, ink, width, dash } => {
            let points: Vec<Pos2> = points.iter().map(|point| at(*point)).collect();
            let stroke = Stroke::new(*width, palette.ink(*ink));
            match dash.pattern() {
                None => {
                    painter.line(points, stroke);
                }
                Some((drawn, left_out)) => {
                    painter.extend(Shape::dashed_line(&points, stroke, drawn, left_out));
                }
            }
        }
        chart::Shape::Dot { centre } => {
            painter.circle(at(*centre), look.scaled(4.0), palette.surface, Stroke::new(1.5, palette.text));
        }
        chart::Shape::Badge { centre, placement } => {
            icons::badge(painter, at(*centre), *placement, look.scaled(16.0), palette);
        }
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

fn font(face: Face, look: Look) -> FontId {
    match face {
        Face::Small | Face::Body => FontId::proportional(look.size(face)),
        Face::SmallBold | Face::BodyBold => theme::semibold(look.size(face)),
    }
}

const fn align(anchor: Anchor) -> Align2 {
    match anchor {
        Anchor::Left => Align2::LEFT_CENTER,
        Anchor::Middle => Align2::CENTER_CENTER,
        Anchor::Right => Align2::RIGHT_CENTER,
    }
}
