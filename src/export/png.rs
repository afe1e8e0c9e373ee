//! A picture in SVG as pixels, set in the fonts that the program ships and in no others.
//!
//! Nothing here knows what is in the picture.

use std::sync::Arc;

use resvg::{tiny_skia, usvg};

/// The shipped faces: regular, and the heavier one.
pub const FONTS: [&[u8]; 2] = [
    include_bytes!("../../assets/fonts/InterTabular-Regular.otf"),
    include_bytes!("../../assets/fonts/InterTabular-SemiBold.otf"),
];

/// Pixels, four bytes each: red, green, blue and how opaque.
pub struct Pixels {
    pub width: u32,
    pub height: u32,
    pub rgba: Vec<u8>,
}

/// A picture with `scale` pixels to a point.
///
/// # Errors
/// A sentence about a picture that is too large or cannot be read.
pub fn pixels(svg: &str, scale: f32) -> Result<Pixels, String> {
    let drawn = drawn(svg, scale)?;
    let (width, height) = (drawn.width(), drawn.height());
    Ok(Pixels { width, height, rgba: drawn.take_demultiplied() })
}

/// The same as the bytes of a PNG file.
///
/// # Errors
/// As [`pixels`].
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, String> {
    drawn(svg, scale)?.encode_png().map_err(|error| format!("The picture could not be written: {error}."))
}

fn drawn(svg: &str, scale: f32) -> Result<tiny_skia::Pixmap, String> {
    let mut fonts = usvg::fontdb::Database::new();
    for font in FONTS {
        fonts.load_font_data(font.to_vec());
    }
    fonts.set_sans_serif_family("Inter Tabular");
    let options = usvg::Options { fontdb: Arc::new(fonts), ..usvg::Options::default() };
    let tree = usvg::Tree::from_str(svg, &options).map_err(|error| format!("The picture cannot be read: {error}."))?;
    let size = tree.size().to_int_size().scale_by(scale).ok_or("The picture has no size.")?;
    let mut pixmap = tiny_skia::Pixmap::new(size.width(), size.height()).ok_or("The picture is too large to draw.")?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    Ok(pixmap)
}
