//! The colours of the window and of every chart, by what they are for: light, dark, and for a projector.
//!
//! The tokens are those of the visual target. Nothing here knows a renderer, or what is drawn.

use super::Ink;

/// A colour as its parts of red, green and blue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rgb(pub u8, pub u8, pub u8);

macro_rules! tokens {
    ($($(#[doc = $about:literal])* $name:ident),* ; $($(#[doc = $of:literal])* $list:ident: $count:literal),* $(,)?) => {
        /// The colours of one theme, as a renderer keeps them. A drawing function asks for a role, never for a colour.
        pub struct Palette<C> {
            $($(#[doc = $about])* pub $name: C,)*
            $($(#[doc = $of])* pub $list: [C; $count],)*
        }

        impl<C: Copy> Palette<C> {
            /// The same tokens in the colours of another renderer.
            pub fn map<D>(&self, colour: impl Fn(C) -> D) -> Palette<D> {
                Palette { $($name: colour(self.$name),)* $($list: self.$list.map(&colour),)* }
            }
        }
    };
}

tokens! {
    ground, surface, sunken, hover, sel, line, line2, ctrl, grid, text, text2, text3, accent, onaccent, input, cheaper,
    dearer, error, errorbg, warn, warnbg, warnfill, neutralbg, fixed, usage, bar_low, bar_high, area;
    placements: 6,
    /// The letter on each placement's square.
    letters: 6,
    /// The seventeen categories, in the order in which they are stacked.
    categories: 17,
}

impl<C: Copy> Palette<C> {
    /// The colour of the placement at this position; from the seventh on they repeat, and only the letter tells.
    pub fn placement(&self, index: usize) -> C {
        self.placements[index % self.placements.len()]
    }

    /// The colour of the letter on its square.
    pub fn letter(&self, index: usize) -> C {
        self.letters[index % self.letters.len()]
    }

    /// The colour that a role of a scene has.
    pub fn ink(&self, ink: Ink) -> C {
        match ink {
            Ink::Surface => self.surface,
            Ink::Sunken => self.sunken,
            Ink::Text => self.text,
            Ink::Text2 => self.text2,
            Ink::Line => self.line,
            Ink::Line2 => self.line2,
            Ink::Grid => self.grid,
            Ink::Category(i) => self.categories.get(i).copied().unwrap_or(self.text2),
            Ink::Placement(i) => self.placement(i),
            Ink::Fixed => self.fixed,
            Ink::Usage => self.usage,
            Ink::Low => self.bar_low,
            Ink::High => self.bar_high,
            Ink::Area => self.area,
            Ink::Over => self.dearer,
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "each part of the colour is one byte")]
const fn rgb(rgb: u32) -> Rgb {
    Rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
}

const fn rgbs<const N: usize>(parts: [u32; N]) -> [Rgb; N] {
    let mut colours = [Rgb(0, 0, 0); N];
    let mut i = 0;
    while i < N {
        colours[i] = rgb(parts[i]);
        i += 1;
    }
    colours
}

const WHITE: u32 = 0x00FF_FFFF;
const INK: u32 = 0x000E_1318;

pub static LIGHT: Palette<Rgb> = Palette {
    ground: rgb(0xF3F4F6),
    surface: rgb(WHITE),
    sunken: rgb(0xF8F9FA),
    hover: rgb(0xEDF1F6),
    sel: rgb(0xE4EDFC),
    line: rgb(0xDCE0E5),
    line2: rgb(0xAEB6C0),
    ctrl: rgb(0x7F8995),
    grid: rgb(0xE6E9ED),
    text: rgb(0x1A2027),
    text2: rgb(0x525C68),
    text3: rgb(0x5F6975),
    accent: rgb(0x1B57C4),
    onaccent: rgb(WHITE),
    input: rgb(0x1546B0),
    cheaper: rgb(0x00665B),
    dearer: rgb(0xA83800),
    error: rgb(0xB3211B),
    errorbg: rgb(0xFCEBEA),
    warn: rgb(0x7D5200),
    warnbg: rgb(0xFFF4DB),
    warnfill: rgb(0xE0A100),
    neutralbg: rgb(0xE9ECF0),
    fixed: rgb(0x46505C),
    usage: rgb(0xA9B2BD),
    bar_low: rgb(0x7A8FB0),
    bar_high: rgb(0x2F4B7C),
    area: rgb(0xD5DDE9),
    placements: rgbs([0x0A519E, 0x9C2600, 0x1B222B, 0x9A4FE0, 0x12A09A, 0xBA8000]),
    letters: rgbs([WHITE, WHITE, WHITE, WHITE, INK, INK]),
    categories: rgbs([
        0x003D73, 0x296EB4, 0x5296E0, 0x004744, 0x087C77, 0x32A29C, 0x364402, 0x607615, 0x869D43, 0x501D7A, 0x8050B0,
        0xA878DC, 0x612C01, 0xA75001, 0xD47737, 0x555A61, 0x90959C,
    ]),
};

pub static DARK: Palette<Rgb> = Palette {
    ground: rgb(0x14171B),
    surface: rgb(0x1B1F24),
    sunken: rgb(0x181C20),
    hover: rgb(0x272D34),
    sel: rgb(0x22324B),
    line: rgb(0x30363E),
    line2: rgb(0x56606C),
    ctrl: rgb(0x7C8794),
    grid: rgb(0x2A3037),
    text: rgb(0xE8EBEF),
    text2: rgb(0xAAB4BF),
    text3: rgb(0x949FAB),
    accent: rgb(0x6FA8FF),
    onaccent: rgb(INK),
    input: rgb(0x8DBBFF),
    cheaper: rgb(0x56CBB9),
    dearer: rgb(0xFF9F6E),
    error: rgb(0xFF8A80),
    errorbg: rgb(0x3A2022),
    warn: rgb(0xF0BE55),
    warnbg: rgb(0x33290F),
    warnfill: rgb(0xF0BE55),
    neutralbg: rgb(0x2A3037),
    fixed: rgb(0xB4BDC8),
    usage: rgb(0x5F6A76),
    bar_low: rgb(0x5F7599),
    bar_high: rgb(0xA9BEE3),
    area: rgb(0x2F3A4A),
    placements: rgbs([0x4F83EA, 0xD9622A, 0xF0F4FA, 0xCFA9FF, 0x5DBFA9, 0xE9B535]),
    letters: rgbs([INK; 6]),
    categories: rgbs([
        0x2F74BB, 0x589CE6, 0x99C8FF, 0x05837E, 0x3BACA6, 0x6ED9D2, 0x667C1D, 0x8CA44A, 0xB7D176, 0x8656B7, 0xAE7EE2,
        0xD5B2FF, 0xAF5504, 0xDB7C3D, 0xFFAF7E, 0x7B8088, 0xC0C4CC,
    ]),
};

/// The light theme with the contrast that a projector needs.
pub static PRESENTER: Palette<Rgb> = Palette {
    line: rgb(0xC9CFD6),
    grid: rgb(0xDCE0E5),
    text: rgb(0x11161C),
    text2: rgb(0x3B444E),
    text3: rgb(0x3B444E),
    accent: rgb(0x12428F),
    input: rgb(0x0F3A96),
    cheaper: rgb(0x00544A),
    dearer: rgb(0x852C00),
    error: rgb(0x8F1713),
    warn: rgb(0x614000),
    fixed: rgb(0x39424D),
    usage: rgb(0x98A2AE),
    placements: rgbs([0x00509A, 0x8E2400, INK, 0xB67CEB, 0x1BA79E, 0xC38B03]),
    letters: rgbs([WHITE, WHITE, WHITE, 0, 0, 0]),
    ..LIGHT
};
