//! A scene as SVG: texts stay texts, in the font that the program ships.
//!
//! Nothing here knows what a shape stands for.

use std::fmt::Write as _;

use crate::chart::palette::{Palette, Rgb};
use crate::chart::{Anchor, Face, Ink, Look, Scene, Shape};
use crate::input::EvidenceKind;
use crate::show::letter;

/// The family of the shipped fonts, and what takes their place where they are not installed.
const FAMILY: &str = "Inter Tabular, Inter, system-ui, sans-serif";

/// A scene in the colours of a palette. `title` is what assistive technology calls it.
#[must_use]
pub fn svg(scene: &Scene, title: &str, palette: &Palette<Rgb>) -> String {
    let (width, height) = (scene.width, scene.height);
    let mut out = Writer { out: String::new(), palette, look: scene.look };
    let _ = writeln!(
        out.out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"{FAMILY}\" role=\"img\">\n<title>{}</title>",
        escaped(title),
    );
    for shape in &scene.shapes {
        out.shape(shape);
    }
    out.out.push_str("</svg>\n");
    out.out
}

/// A text inside an element, or in an attribute. Control characters have no place in XML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

struct Writer<'p> {
    out: String,
    palette: &'p Palette<Rgb>,
    look: Look,
}

impl Writer<'_> {
    fn hex(colour: Rgb) -> String {
        let Rgb(red, green, blue) = colour;
        format!("#{red:02X}{green:02X}{blue:02X}")
    }

    fn ink(&self, ink: Ink) -> String {
        Self::hex(self.palette.ink(ink))
    }

    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Fill { x, y, width, height, ink } => {
                let fill = self.ink(*ink);
                self.rect((*x, *y), (*width, *height), &format!("fill=\"{fill}\""));
            }
            Shape::Outline { x, y, width, height, ink } => {
                let stroke = self.ink(*ink);
                let (at, size) = ((x + 0.75, y + 0.75), ((width - 1.5).max(0.0), (height - 1.5).max(0.0)));
                self.rect(at, size, &format!("fill=\"none\" stroke=\"{stroke}\" stroke-width=\"1.5\""));
            }
            Shape::Line { from, to, ink, width, dashed } => {
                let dash = dashed.then_some((3.0, 2.0));
                let ink = self.ink(*ink);
                self.path(&[*from, *to], &ink, *width, dash);
            }
            Shape::Path { points, ink, width, dash } => {
                let ink = self.ink(*ink);
                self.path(points, &ink, *width, dash.pattern());
            }
            Shape::Text { at, text, face, ink, anchor, room, halo } => {
                let text = room.map_or_else(|| text.clone(), |room| cut(text, *face, self.look, room));
                self.text(*at, &text, (*face, *anchor), &self.ink(*ink), *halo);
            }
            Shape::Badge { centre, placement } => self.badge(*centre, *placement),
            Shape::Dot { centre } => self.circle(*centre, self.look.scaled(4.0), Ink::Surface),
            Shape::Evidence { centre, kind, overdue } => self.evidence(*centre, *kind, *overdue),
            Shape::Diamond { centre } => {
                let (fill, stroke) = (self.ink(Ink::Surface), self.ink(Ink::Text));
                self.diamond(*centre, 6.0, &fill, &stroke);
            }
            Shape::Peak { centre: (x, y) } => {
                self.circle((*x, *y), 6.0, Ink::Surface);
                let ink = self.ink(Ink::Text);
                self.path(&[(x - 2.5, y + 1.5), (*x, y - 1.5), (x + 2.5, y + 1.5)], &ink, 1.25, None);
            }
        }
    }

    fn rect(&mut self, (x, y): (f32, f32), (width, height): (f32, f32), how: &str) {
        let (x, y, width, height) = (short(x), short(y), short(width), short(height));
        let _ = writeln!(self.out, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {how}/>");
    }

    fn path(&mut self, points: &[(f32, f32)], ink: &str, width: f32, dash: Option<(f32, f32)>) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{},{}", short(*x), short(*y))).collect();
        let dash = dash.map_or_else(String::new, |(on, off)| format!(" stroke-dasharray=\"{on} {off}\""));
        let _ = writeln!(
            self.out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"{dash}/>",
            points.join(" "),
        );
    }

    fn circle(&mut self, (x, y): (f32, f32), radius: f32, fill: Ink) {
        let (fill, stroke) = (self.ink(fill), self.ink(Ink::Text));
        let _ = writeln!(
            self.out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"1.5\"/>",
            short(x),
            short(y),
        );
    }

    fn diamond(&mut self, (x, y): (f32, f32), radius: f32, fill: &str, stroke: &str) {
        let points = [(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)];
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{},{}", short(*x), short(*y))).collect();
        let _ = writeln!(
            self.out,
            "<polygon points=\"{}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"1.5\"/>",
            points.join(" ")
        );
    }

    fn text(&mut self, (x, y): (f32, f32), text: &str, (face, anchor): (Face, Anchor), ink: &str, halo: bool) {
        let size = self.look.size(face);
        let weight = if matches!(face, Face::SmallBold | Face::BodyBold) { " font-weight=\"600\"" } else { "" };
        let anchor = match anchor {
            Anchor::Left => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::Right => " text-anchor=\"end\"",
        };
        let halo = match halo {
            true => {
                let around = Self::hex(self.palette.sunken);
                format!(" stroke=\"{around}\" stroke-width=\"4\" paint-order=\"stroke\"")
            }
            false => String::new(),
        };
        // Half the height of a capital below the middle: not every reader knows a baseline in the middle.
        let baseline = short(y + size * 0.364);
        let _ = writeln!(
            self.out,
            "<text x=\"{}\" y=\"{baseline}\" font-size=\"{size}\" fill=\"{ink}\"{weight}{anchor}{halo}>{}</text>",
            short(x),
            escaped(text),
        );
    }

    fn badge(&mut self, (x, y): (f32, f32), placement: usize) {
        let size = self.look.scaled(16.0);
        let (fill, ink) = (Self::hex(self.palette.placement(placement)), Self::hex(self.palette.letter(placement)));
        self.rect((x - size / 2.0, y - size / 2.0), (size, size), &format!("rx=\"2\" fill=\"{fill}\""));
        let (font, baseline) = ((size * 0.69).round(), short(y + size * 0.69 * 0.364));
        let _ = writeln!(
            self.out,
            "<text x=\"{}\" y=\"{baseline}\" font-size=\"{font}\" font-weight=\"600\" text-anchor=\"middle\" fill=\"{ink}\">{}</text>",
            short(x),
            letter(placement),
        );
    }

    fn evidence(&mut self, (x, y): (f32, f32), kind: EvidenceKind, overdue: bool) {
        let ink = self.ink(Ink::Text2);
        match kind {
            EvidenceKind::Measured => self.rect((x - 4.5, y - 4.5), (9.0, 9.0), &format!("fill=\"{ink}\"")),
            EvidenceKind::Quoted => {
                let _ =
                    writeln!(self.out, "<circle cx=\"{}\" cy=\"{}\" r=\"4.8\" fill=\"{ink}\"/>", short(x), short(y));
            }
            EvidenceKind::Published => {
                let _ = writeln!(
                    self.out,
                    "<circle cx=\"{}\" cy=\"{}\" r=\"4.1\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.5\"/>",
                    short(x),
                    short(y),
                );
                self.rect((x - 4.5, y - 1.0), (9.0, 2.0), &format!("fill=\"{ink}\""));
            }
            EvidenceKind::Assumed => {
                let (fill, stroke) = (Self::hex(self.palette.warnbg), Self::hex(self.palette.warn));
                self.diamond((x, y), 5.1, &fill, &stroke);
            }
        }
        if overdue {
            let fill = Self::hex(self.palette.error);
            self.rect((x + 2.6, y - 6.0), (3.4, 3.4), &format!("fill=\"{fill}\""));
        }
    }
}

/// A name cut with `…` where it would be wider than its room.
fn cut(text: &str, face: Face, look: Look, room: f32) -> String {
    if look.room(text, face) <= room {
        return text.to_owned();
    }
    let mut kept: Vec<char> = text.chars().collect();
    while kept.pop().is_some() {
        let shorter: String = kept.iter().collect::<String>().trim_end().to_owned() + "…";
        if look.room(&shorter, face) <= room {
            return shorter;
        }
    }
    "…".to_owned()
}

/// A place to a hundredth of a point.
fn short(place: f32) -> f32 {
    (place * 100.0).round() / 100.0
}
