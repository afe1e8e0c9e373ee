//! A slider whose values are stops, each an exact decimal elsewhere: it knows places along a line, and no number.
//!
//! Arrows go from stop to stop, Home and End to the ends, Enter asks for a number to be typed.

use egui::accesskit::{Action, Role};
use egui::{EventFilter, Id, Key, Modifiers, Rect, Response, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::app::icons;
use crate::app::theme::Palette;

/// A line with a handle: all places are parts of the way from its left end.
pub struct Slider<'a> {
    pub name: &'a str,
    /// The value at the handle, as it is read out.
    pub said: &'a str,
    pub at: f32,
    /// Where the base stands.
    pub base: f32,
    pub stops: &'a [f32],
    pub moved: bool,
    /// How thick everything is: 1 at a desk.
    pub scale: f32,
}

/// What a person did with a slider in this frame.
pub struct Slid {
    pub response: Response,
    pub motion: Option<Motion>,
    /// Whether it is still being moved, so that nothing is final yet.
    pub held: bool,
    /// Whether a number is to be typed.
    pub typing: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Motion {
    /// To the stop at this position.
    To(usize),
    /// By so many stops.
    By(i32),
    Low,
    High,
}

/// Stops that one press of Page up or Page down passes.
const PAGE: i32 = 10;

impl Slider<'_> {
    pub const HEIGHT: f32 = 22.0;

    pub fn show_at(&self, ui: &Ui, rect: Rect, id: Id) -> Slid {
        let response = ui.interact(rect, id, Sense::click_and_drag());
        response.widget_info(|| {
            let mut info = WidgetInfo::labeled(Role::Slider, true, self.name);
            info.current_text_value = Some(self.said.to_owned());
            info
        });
        ui.accesskit_node_builder(id, |node| {
            node.add_action(Action::Increment);
            node.add_action(Action::Decrement);
        });
        let ends = self.ends(rect);
        let mut slid = Slid { motion: None, held: response.dragged(), typing: false, response };
        if slid.response.is_pointer_button_down_on() || slid.response.clicked() {
            slid.response.request_focus();
            slid.motion = slid.response.interact_pointer_pos().and_then(|at| self.nearest(at.x, ends)).map(Motion::To);
            slid.held = slid.response.is_pointer_button_down_on();
        }
        if slid.response.has_focus() {
            self.keys(ui, id, &mut slid);
        }
        self.paint(ui, rect, ends, &slid);
        slid
    }

    fn keys(&self, ui: &Ui, id: Id, slid: &mut Slid) {
        let filter = EventFilter { horizontal_arrows: true, vertical_arrows: false, tab: false, escape: false };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
        let mut steps = 0;
        for (key, modifiers, step) in [
            (Key::ArrowRight, Modifiers::SHIFT, PAGE),
            (Key::ArrowLeft, Modifiers::SHIFT, -PAGE),
            (Key::ArrowRight, Modifiers::NONE, 1),
            (Key::ArrowLeft, Modifiers::NONE, -1),
            (Key::PageUp, Modifiers::NONE, PAGE),
            (Key::PageDown, Modifiers::NONE, -PAGE),
        ] {
            let presses = ui.input_mut(|input| input.count_and_consume_key(modifiers, key));
            steps += step * i32::try_from(presses).unwrap_or(0);
        }
        let asked = |action| ui.input(|input| input.num_accesskit_action_requests(id, action));
        steps += i32::try_from(asked(Action::Increment)).unwrap_or(0);
        steps -= i32::try_from(asked(Action::Decrement)).unwrap_or(0);
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        slid.motion = match (steps, pressed(Key::Home), pressed(Key::End)) {
            (_, true, _) => Some(Motion::Low),
            (_, _, true) => Some(Motion::High),
            (0, ..) => slid.motion,
            (steps, ..) => Some(Motion::By(steps)),
        };
        let held = [Key::ArrowLeft, Key::ArrowRight, Key::PageUp, Key::PageDown];
        slid.held |= ui.input(|input| held.into_iter().any(|key| input.key_down(key)));
        slid.typing = pressed(Key::Enter);
    }

    fn radius(&self) -> f32 {
        6.0 * self.scale
    }

    fn ends(&self, rect: Rect) -> (f32, f32) {
        let inset = self.radius() + 2.0;
        (rect.min.x + inset, (rect.max.x - inset).max(rect.min.x + inset + 1.0))
    }

    /// The stop nearest to the pointer. The base draws it from a little further away, or it would be hard to meet.
    fn nearest(&self, x: f32, (left, right): (f32, f32)) -> Option<usize> {
        let at = |stop: f32| left + (right - left) * stop;
        let pull = |stop: f32| if (stop - self.base).abs() < f32::EPSILON { 4.0 } else { 0.0 };
        let distance = |stop: f32| (at(stop) - x).abs() - pull(stop);
        let places = self.stops.iter().enumerate().map(|(place, stop)| (place, distance(*stop)));
        places.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(place, _)| place)
    }

    fn paint(&self, ui: &Ui, rect: Rect, (left, right): (f32, f32), slid: &Slid) {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let middle = rect.center().y.round();
        let at = |part: f32| (left + (right - left) * part.clamp(0.0, 1.0)).round();
        let thick = (4.0 * self.scale).round() / 2.0;
        let line = |from: f32, to: f32| Rect::from_min_max(pos2(from, middle - thick), pos2(to, middle + thick));
        painter.rect_filled(line(left, right), thick, palette.line2);
        let (handle, base) = (at(self.at), at(self.base));
        if self.moved {
            painter.rect_filled(line(handle.min(base), handle.max(base)), 0, palette.accent);
        }
        let tick = |x: f32, half: f32, width: f32, colour| {
            let place = Rect::from_center_size(pos2(x, middle), vec2(width * self.scale, 2.0 * half * self.scale));
            painter.rect_filled(place, 0, colour);
        };
        tick(left, 5.0, 1.0, palette.text2);
        tick(right, 5.0, 1.0, palette.text2);
        tick(base, 7.0, 2.0, palette.text);
        let (fill, edge) = if self.moved { (palette.accent, palette.accent) } else { (palette.surface, palette.text) };
        painter.circle(pos2(handle, middle), self.radius(), fill, Stroke::new(1.5 * self.scale, edge));
        if slid.response.has_focus() {
            let ring = Rect::from_center_size(pos2(handle, middle), vec2(2.0, 2.0) * (self.radius() + 4.0));
            icons::border(painter, ring, 255, 2.0, palette.accent);
        }
    }
}
