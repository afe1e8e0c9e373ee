//! A chart as a picture that stands by itself: its title, unit and scope, its drawing, its key, and under what
//! conventions it holds.
//!
//! The window draws these parts itself, since there they can be pressed.

use super::tornado::whole_width;
use super::{Anchor, Body, Chart, Face, Ink, KeyEntry, Look, Scene, SceneRow};
use crate::show::Figures;

const INSET: f32 = 16.0;

impl Chart {
    /// The whole picture, `width` wide; wider where the names of bars would be cut.
    #[must_use]
    pub fn picture(&self, width: f32, look: Look, figures: Figures, conventions: &str) -> Scene {
        let inset = look.scaled(INSET);
        let inner = match &self.body {
            Body::Tornado(chart) => whole_width(chart, width - 2.0 * inset),
            _ => width - 2.0 * inset,
        };
        let width = inner + 2.0 * inset;
        let mut scene = Scene::looking(width, 0.0, look);
        let line = look.size(Face::Small) + look.scaled(6.0);
        let mut y = inset + line / 2.0;
        for text in wrapped(&self.title, inner, look, Face::BodyBold) {
            scene.text((inset, y), text, Face::BodyBold, Ink::Text, Anchor::Left);
            y += line;
        }
        for text in wrapped(&self.scope, inner, look, Face::Small) {
            scene.text((inset, y), text, Face::Small, Ink::Text2, Anchor::Left);
            y += line;
        }
        let body = self.scene(inner, look, figures);
        let height = body.height;
        scene.put(body, (inset, y));
        y += height + look.scaled(8.0);
        let key = key(&self.key, inner, look);
        let height = key.height;
        scene.put(key, (inset, y));
        y += height + line / 2.0;
        for text in wrapped(conventions, inner, look, Face::Small) {
            scene.text((inset, y), text, Face::Small, Ink::Text2, Anchor::Left);
            y += line;
        }
        scene.height = (y - line / 2.0 + inset).ceil();
        let mut ground = Scene::looking(width, scene.height, look);
        ground.fill(0.0, 0.0, width, scene.height, Ink::Surface);
        ground.put(scene, (0.0, 0.0));
        ground
    }
}

/// What colours stand for, in as many lines as it takes.
#[must_use]
pub fn key(entries: &[KeyEntry], width: f32, look: Look) -> Scene {
    let mut scene = Scene::looking(width, 0.0, look);
    let (swatch, line, apart) = (look.scaled(9.0), look.scaled(18.0), look.scaled(14.0));
    let (mut x, mut y) = (0.0, 0.0);
    for entry in entries {
        #[expect(clippy::cast_precision_loss, reason = "a few colours")]
        let swatches = swatch * entry.inks.len() as f32;
        let wide = swatches + 4.0 + look.room(&entry.name, Face::Small);
        if x > 0.0 && x + wide > width {
            (x, y) = (0.0, y + line);
        }
        for (i, ink) in entry.inks.iter().enumerate() {
            #[expect(clippy::cast_precision_loss, reason = "a few colours")]
            let left = x + swatch * i as f32;
            scene.fill(left, y + line / 2.0 - swatch * 0.55, swatch - 1.0, swatch * 1.1, *ink);
        }
        scene.text((x + swatches + 4.0, y + line / 2.0), &*entry.name, Face::Small, Ink::Text2, Anchor::Left);
        let said = if entry.told.is_empty() { entry.name.clone() } else { format!("{}: {}", entry.name, entry.told) };
        scene.rows.push(SceneRow { left: x, top: y, width: wide, height: line, said, hover: entry.told.clone() });
        x += wide + apart;
    }
    scene.height = if entries.is_empty() { 0.0 } else { y + line };
    scene
}

/// A text in lines that fit a width.
pub(super) fn wrapped(text: &str, width: f32, look: Look, face: Face) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if look.room(line, face) + look.room(word, face) + 8.0 <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
