//! How the window looks: colours, type and spacing, in light, dark and presenter.
//!
//! The tokens are those of the visual target. Nothing here knows what is drawn with them.

use std::sync::{Arc, LazyLock};

use egui::epaint::text::{FontData, FontDefinitions};
use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, Style, TextStyle, Theme, Visuals, vec2};

use crate::chart::palette::{self, Rgb};
use crate::export::png::FONTS;

/// The colours of one theme, as egui takes them. A drawing function asks for a role, never for a colour.
pub type Palette = palette::Palette<Color32>;

/// A palette of charts and window in the colours of egui.
fn coloured(palette: &palette::Palette<Rgb>) -> Palette {
    palette.map(|Rgb(red, green, blue)| Color32::from_rgb(red, green, blue))
}

pub static LIGHT: LazyLock<Palette> = LazyLock::new(|| coloured(&palette::LIGHT));
pub static DARK: LazyLock<Palette> = LazyLock::new(|| coloured(&palette::DARK));
/// The light theme with the contrast that a projector needs.
pub static PRESENTER: LazyLock<Palette> = LazyLock::new(|| coloured(&palette::PRESENTER));

impl Palette {
    /// The palette that a context was dressed in, known by its accent.
    pub fn of(visuals: &Visuals) -> &'static Self {
        let palettes: [&'static Self; 3] = if shows_hover(visuals) {
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
}

/// The same colours, with nothing under the pointer.
fn still(palette: &palette::Palette<Rgb>) -> Palette {
    Palette { hover: Color32::TRANSPARENT, ..coloured(palette) }
}

static LIGHT_STILL: LazyLock<Palette> = LazyLock::new(|| still(&palette::LIGHT));
static DARK_STILL: LazyLock<Palette> = LazyLock::new(|| still(&palette::DARK));
static PRESENTER_STILL: LazyLock<Palette> = LazyLock::new(|| still(&palette::PRESENTER));

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
    let palette: &Palette = if projector { &PRESENTER } else { &LIGHT };
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
    let [regular, heavier] = FONTS;
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
