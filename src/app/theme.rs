//! How the window looks: colours, type and spacing, in light, dark and presenter.
//!
//! The tokens are those of the visual target. Nothing here knows what is drawn with them.

use std::sync::Arc;

use egui::epaint::text::{FontData, FontDefinitions};
use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, Style, TextStyle, Theme, Visuals, vec2};

/// The colours of one theme. A drawing function asks for a role, never for a colour.
pub struct Palette {
    pub ground: Color32,
    pub surface: Color32,
    pub sunken: Color32,
    pub hover: Color32,
    pub sel: Color32,
    pub line: Color32,
    pub line2: Color32,
    pub ctrl: Color32,
    pub grid: Color32,
    pub text: Color32,
    pub text2: Color32,
    pub text3: Color32,
    pub accent: Color32,
    pub onaccent: Color32,
    pub input: Color32,
    pub cheaper: Color32,
    pub dearer: Color32,
    pub error: Color32,
    pub errorbg: Color32,
    pub warn: Color32,
    pub warnbg: Color32,
    pub warnfill: Color32,
    pub neutralbg: Color32,
    pub fixed: Color32,
    pub usage: Color32,
    pub bar_low: Color32,
    pub bar_high: Color32,
    /// What lies under a curve.
    pub area: Color32,
    pub placements: [Color32; 6],
    /// The letter on each placement's square.
    pub letters: [Color32; 6],
    /// The seventeen categories, in the order in which they are stacked.
    pub categories: [Color32; 17],
}

impl Palette {
    /// The palette that a context was dressed in, known by its accent.
    pub fn of(visuals: &Visuals) -> &'static Self {
        let palettes = if shows_hover(visuals) {
            [&LIGHT, &DARK, &PRESENTER]
        } else {
            [&LIGHT_STILL, &DARK_STILL, &PRESENTER_STILL]
        };
        palettes.into_iter().find(|palette| palette.accent == visuals.hyperlink_color).unwrap_or(palettes[0])
    }

    /// The fill of something that is filled at rest too.
    pub fn filled(&self, hovered: bool, at_rest: Color32) -> Color32 {
        if hovered && self.hover != Color32::TRANSPARENT { self.hover } else { at_rest }
    }

    /// The colour of the placement at this position; from the seventh on they repeat, and only the letter tells.
    pub fn placement(&self, index: usize) -> Color32 {
        self.placements[index % self.placements.len()]
    }

    pub fn letter(&self, index: usize) -> Color32 {
        self.letters[index % self.letters.len()]
    }
}

#[expect(clippy::cast_possible_truncation, reason = "each part of the colour is one byte")]
const fn hex(rgb: u32) -> Color32 {
    Color32::from_rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
}

const fn hexes<const N: usize>(rgbs: [u32; N]) -> [Color32; N] {
    let mut colours = [Color32::BLACK; N];
    let mut i = 0;
    while i < N {
        colours[i] = hex(rgbs[i]);
        i += 1;
    }
    colours
}

const WHITE: u32 = 0x00FF_FFFF;
const INK: u32 = 0x000E_1318;

pub static LIGHT: Palette = Palette {
    ground: hex(0xF3F4F6),
    surface: hex(WHITE),
    sunken: hex(0xF8F9FA),
    hover: hex(0xEDF1F6),
    sel: hex(0xE4EDFC),
    line: hex(0xDCE0E5),
    line2: hex(0xAEB6C0),
    ctrl: hex(0x7F8995),
    grid: hex(0xE6E9ED),
    text: hex(0x1A2027),
    text2: hex(0x525C68),
    text3: hex(0x5F6975),
    accent: hex(0x1B57C4),
    onaccent: hex(WHITE),
    input: hex(0x1546B0),
    cheaper: hex(0x00665B),
    dearer: hex(0xA83800),
    error: hex(0xB3211B),
    errorbg: hex(0xFCEBEA),
    warn: hex(0x7D5200),
    warnbg: hex(0xFFF4DB),
    warnfill: hex(0xE0A100),
    neutralbg: hex(0xE9ECF0),
    fixed: hex(0x46505C),
    usage: hex(0xA9B2BD),
    bar_low: hex(0x7A8FB0),
    bar_high: hex(0x2F4B7C),
    area: hex(0xD5DDE9),
    placements: hexes([0x0A519E, 0x9C2600, 0x1B222B, 0x9A4FE0, 0x12A09A, 0xBA8000]),
    letters: hexes([WHITE, WHITE, WHITE, WHITE, INK, INK]),
    categories: hexes([
        0x003D73, 0x296EB4, 0x5296E0, 0x004744, 0x087C77, 0x32A29C, 0x364402, 0x607615, 0x869D43, 0x501D7A, 0x8050B0,
        0xA878DC, 0x612C01, 0xA75001, 0xD47737, 0x555A61, 0x90959C,
    ]),
};

pub static DARK: Palette = Palette {
    ground: hex(0x14171B),
    surface: hex(0x1B1F24),
    sunken: hex(0x181C20),
    hover: hex(0x272D34),
    sel: hex(0x22324B),
    line: hex(0x30363E),
    line2: hex(0x56606C),
    ctrl: hex(0x7C8794),
    grid: hex(0x2A3037),
    text: hex(0xE8EBEF),
    text2: hex(0xAAB4BF),
    text3: hex(0x949FAB),
    accent: hex(0x6FA8FF),
    onaccent: hex(INK),
    input: hex(0x8DBBFF),
    cheaper: hex(0x56CBB9),
    dearer: hex(0xFF9F6E),
    error: hex(0xFF8A80),
    errorbg: hex(0x3A2022),
    warn: hex(0xF0BE55),
    warnbg: hex(0x33290F),
    warnfill: hex(0xF0BE55),
    neutralbg: hex(0x2A3037),
    fixed: hex(0xB4BDC8),
    usage: hex(0x5F6A76),
    bar_low: hex(0x5F7599),
    bar_high: hex(0xA9BEE3),
    area: hex(0x2F3A4A),
    placements: hexes([0x4F83EA, 0xD9622A, 0xF0F4FA, 0xCFA9FF, 0x5DBFA9, 0xE9B535]),
    letters: hexes([INK; 6]),
    categories: hexes([
        0x2F74BB, 0x589CE6, 0x99C8FF, 0x05837E, 0x3BACA6, 0x6ED9D2, 0x667C1D, 0x8CA44A, 0xB7D176, 0x8656B7, 0xAE7EE2,
        0xD5B2FF, 0xAF5504, 0xDB7C3D, 0xFFAF7E, 0x7B8088, 0xC0C4CC,
    ]),
};

/// The light theme with the contrast that a projector needs.
pub static PRESENTER: Palette = Palette {
    line: hex(0xC9CFD6),
    grid: hex(0xDCE0E5),
    text: hex(0x11161C),
    text2: hex(0x3B444E),
    text3: hex(0x3B444E),
    accent: hex(0x12428F),
    input: hex(0x0F3A96),
    cheaper: hex(0x00544A),
    dearer: hex(0x852C00),
    error: hex(0x8F1713),
    warn: hex(0x614000),
    fixed: hex(0x39424D),
    usage: hex(0x98A2AE),
    placements: hexes([0x00509A, 0x8E2400, INK, 0xB377EA, 0x17A59C, 0xC28A00]),
    letters: hexes([WHITE, WHITE, WHITE, 0, 0, 0]),
    ..LIGHT
};

/// The same palettes for a slow line: nothing changes under the pointer.
static LIGHT_STILL: Palette = Palette { hover: Color32::TRANSPARENT, ..LIGHT };
static DARK_STILL: Palette = Palette { hover: Color32::TRANSPARENT, ..DARK };
static PRESENTER_STILL: Palette = Palette { hover: Color32::TRANSPARENT, ..PRESENTER };

/// Whether things are filled under the pointer. A spinner is the other thing that a slow line has no use for: both are
/// switched together, and that is how a style remembers it.
const fn shows_hover(visuals: &Visuals) -> bool {
    visuals.image_loading_spinners
}

/// Fills things under the pointer, or leaves them as they are.
pub fn hovers(ctx: &egui::Context, shown: bool) {
    ctx.all_styles_mut(|style| {
        let visuals = &mut style.visuals;
        visuals.image_loading_spinners = shown;
        let at_rest = visuals.widgets.inactive;
        if shown {
            let palette = Palette::of(visuals);
            widgets(palette, &mut visuals.widgets);
        } else {
            visuals.widgets.hovered = at_rest;
        }
    });
}

pub const SMALL: FontId = FontId::new(12.0, FontFamily::Proportional);
pub const BODY: FontId = FontId::new(13.0, FontFamily::Proportional);

/// The heavier face: totals, family rows, titles, the selected page.
pub fn semibold(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name(SEMIBOLD.into()))
}

const SEMIBOLD: &str = "semibold";

/// What a figure keeps free at its right, so that its digits stand under those of a figure in parentheses.
pub const PARENTHESIS: f32 = 0.352 * 13.0;

/// Dresses the light theme for a desk or for a projector.
pub fn for_projector(ctx: &egui::Context, projector: bool) {
    let palette = if projector { &PRESENTER } else { &LIGHT };
    ctx.set_style_of(Theme::Light, style(palette, Visuals::light()));
}

/// The sizes of type that a room reads from the back row.
pub const ROOM_SMALL: FontId = FontId::new(18.0, FontFamily::Proportional);
pub const ROOM_BODY: FontId = FontId::new(22.0, FontFamily::Proportional);
/// The large figure of a card.
pub const ROOM_LARGE: f32 = 44.0;

/// Dresses the light theme for a room: its own sizes, not a zoom, so that strokes and places follow.
pub fn for_room(ctx: &egui::Context) {
    let mut style = style(&PRESENTER, Visuals::light());
    style.text_styles = [
        (TextStyle::Small, ROOM_SMALL),
        (TextStyle::Body, ROOM_BODY),
        (TextStyle::Button, ROOM_BODY),
        (TextStyle::Monospace, FontId::new(22.0, FontFamily::Monospace)),
        (TextStyle::Heading, semibold(22.0)),
    ]
    .into();
    style.spacing.item_spacing = vec2(12.0, 8.0);
    style.spacing.button_padding = vec2(16.0, 6.0);
    style.spacing.interact_size.y = 40.0;
    ctx.set_style_of(Theme::Light, style);
}

/// Dresses a context: fonts, both themes, and the behaviour that belongs to them.
pub fn install(ctx: &egui::Context) {
    ctx.set_fonts(fonts());
    ctx.set_style_of(Theme::Light, style(&LIGHT, Visuals::light()));
    ctx.set_style_of(Theme::Dark, style(&DARK, Visuals::dark()));
    ctx.set_theme(egui::ThemePreference::Light);
    ctx.options_mut(|options| {
        // Quitting goes through the question about unsaved work, and so is a command of the window.
        options.quit_shortcuts.clear();
        options.fallback_theme = Theme::Light;
    });
}

fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    let regular = include_bytes!("../../assets/fonts/InterTabular-Regular.otf");
    let heavier = include_bytes!("../../assets/fonts/InterTabular-SemiBold.otf");
    fonts.font_data.insert("regular".to_owned(), Arc::new(FontData::from_static(regular)));
    fonts.font_data.insert(SEMIBOLD.to_owned(), Arc::new(FontData::from_static(heavier)));
    for (family, face) in [
        (FontFamily::Proportional, "regular"),
        (FontFamily::Monospace, "regular"),
        (FontFamily::Name(SEMIBOLD.into()), SEMIBOLD),
    ] {
        fonts.families.insert(family, vec![face.to_owned()]);
    }
    fonts
}

fn style(palette: &Palette, base: Visuals) -> Style {
    let mut style = Style { visuals: visuals(palette, base), animation_time: 0.0, ..Style::default() };
    style.text_styles = [
        (TextStyle::Small, SMALL),
        (TextStyle::Body, BODY),
        (TextStyle::Button, BODY),
        (TextStyle::Monospace, FontId::new(13.0, FontFamily::Monospace)),
        (TextStyle::Heading, semibold(20.0)),
    ]
    .into();
    let spacing = &mut style.spacing;
    spacing.item_spacing = vec2(8.0, 4.0);
    spacing.button_padding = vec2(10.0, 3.0);
    spacing.interact_size.y = 24.0;
    spacing.combo_width = 128.0;
    spacing.menu_margin = Margin::same(4);
    spacing.icon_width = 16.0;
    // A solid bar takes the colour of a button, which is that of the page. This one has the colour of the text, thinned,
    // and a place of its own.
    spacing.scroll = egui::style::ScrollStyle {
        bar_width: 6.0,
        floating_width: 6.0,
        floating_allocated_width: 10.0,
        dormant_handle_opacity: 0.3,
        active_handle_opacity: 0.4,
        interact_handle_opacity: 0.65,
        active_background_opacity: 0.0,
        interact_background_opacity: 0.0,
        ..egui::style::ScrollStyle::floating()
    };
    style.interaction.selectable_labels = false;
    style.interaction.tooltip_delay = 0.3;
    style
}

fn visuals(palette: &Palette, base: Visuals) -> Visuals {
    let mut visuals = base;
    visuals.panel_fill = palette.ground;
    visuals.window_fill = palette.surface;
    visuals.extreme_bg_color = palette.surface;
    visuals.faint_bg_color = palette.sunken;
    visuals.override_text_color = None;
    visuals.weak_text_color = Some(palette.text2);
    visuals.hyperlink_color = palette.accent;
    visuals.warn_fg_color = palette.warn;
    visuals.error_fg_color = palette.error;
    visuals.selection.bg_fill = palette.sel;
    visuals.selection.stroke = Stroke::new(1.0, palette.accent);
    visuals.window_shadow = Shadow::NONE;
    visuals.popup_shadow = Shadow::NONE;
    visuals.window_stroke = Stroke::new(1.0, palette.line2);
    visuals.window_corner_radius = CornerRadius::same(3);
    visuals.menu_corner_radius = CornerRadius::same(3);
    visuals.striped = false;
    visuals.slider_trailing_fill = true;
    visuals.text_cursor.blink = false;
    visuals.text_cursor.stroke = Stroke::new(1.0, palette.text);
    visuals.text_options.subpixel_binning = false;
    widgets(palette, &mut visuals.widgets);
    visuals
}

fn widgets(palette: &Palette, widgets: &mut egui::style::Widgets) {
    for (state, fill, border, text) in [
        (&mut widgets.noninteractive, palette.ground, palette.line, palette.text),
        (&mut widgets.inactive, palette.surface, palette.ctrl, palette.text),
        (&mut widgets.hovered, palette.hover, palette.text2, palette.text),
        (&mut widgets.active, palette.sel, palette.accent, palette.text),
        (&mut widgets.open, palette.sel, palette.accent, palette.text),
    ] {
        state.bg_fill = fill;
        state.weak_bg_fill = fill;
        state.bg_stroke = Stroke::new(1.0, border);
        state.fg_stroke = Stroke::new(1.0, text);
        state.corner_radius = CornerRadius::same(3);
        state.expansion = 0.0;
    }
}
