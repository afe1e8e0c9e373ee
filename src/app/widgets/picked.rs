//! Which rows of a list are selected, as spreadsheets and file managers have it.
//!
//! It knows rows by their place alone.

use std::collections::BTreeSet;

use egui::Modifiers;

/// The selected rows, where the selection began, and where the keyboard is.
#[derive(Default)]
pub struct Picked {
    places: BTreeSet<usize>,
    anchor: usize,
    cursor: Option<usize>,
    /// Counts changes, so that sums are taken once for each.
    revision: u64,
}

impl Picked {
    pub fn clear(&mut self) {
        *self = Self { revision: self.revision + 1, ..Self::default() };
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub fn count(&self) -> usize {
        self.places.len()
    }

    pub fn contains(&self, place: usize) -> bool {
        self.places.contains(&place)
    }

    pub fn cursor(&self) -> Option<usize> {
        self.cursor
    }

    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// What stands in the selected places of a list.
    pub fn rows<'a>(&'a self, rows: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
        self.places.iter().filter_map(|place| rows.get(*place).copied())
    }

    /// A row was pressed: alone, as the end of a range with Shift, or as one more or less with Ctrl.
    pub fn press(&mut self, place: usize, modifiers: Modifiers) {
        if modifiers.shift {
            self.extend(place);
        } else if modifiers.command {
            if !self.places.remove(&place) {
                self.places.insert(place);
            }
            self.anchor = place;
            self.changed(place);
        } else {
            self.only(place);
        }
    }

    /// The keyboard went so many rows on in a list of `rows`.
    pub fn go(&mut self, by: isize, rows: usize, extend: bool) {
        let Some(last) = rows.checked_sub(1) else { return };
        let place = match self.cursor {
            Some(cursor) => cursor.saturating_add_signed(by).min(last),
            // Nothing was selected: a step forward begins at the first row, a step back at the last.
            None if by < 0 => last,
            None => 0,
        };
        if extend { self.extend(place) } else { self.only(place) }
    }

    pub fn all(&mut self, rows: usize) {
        self.places = (0..rows).collect();
        self.anchor = 0;
        self.revision += 1;
    }

    fn only(&mut self, place: usize) {
        self.places = BTreeSet::from([place]);
        self.anchor = place;
        self.changed(place);
    }

    fn extend(&mut self, place: usize) {
        let anchor = if self.cursor.is_some() { self.anchor } else { place };
        self.anchor = anchor;
        self.places = (anchor.min(place)..=anchor.max(place)).collect();
        self.changed(place);
    }

    fn changed(&mut self, cursor: usize) {
        self.cursor = Some(cursor);
        self.revision += 1;
    }
}
