//! Keys in their turn: what moves the keyboard from one field to the next has a frame of its own.
//!
//! A fast typist, or a window seen over a slow line, gives several keys to one frame, in which every widget still has the
//! keyboard that it had when the frame began. It knows events, and no widget.

use egui::{Event, Key};

/// Divides what came in into what this frame gets and what waits for the next one.
pub fn in_turn(mut events: Vec<Event>) -> (Vec<Event>, Vec<Event>) {
    let Some(first) = events.iter().position(moves) else { return (events, Vec::new()) };
    // What was typed before it is taken in first, where it still belongs.
    let typed = events.get(..first).is_some_and(|before| before.iter().any(types));
    let later = events.split_off(if typed { first } else { first + 1 });
    (events, later)
}

/// Whether an event moves the keyboard elsewhere.
fn moves(event: &Event) -> bool {
    matches!(event, Event::Key { key: Key::Tab | Key::Enter | Key::Escape, pressed: true, .. })
}

fn types(event: &Event) -> bool {
    matches!(event, Event::Text(_) | Event::Paste(_) | Event::Key { pressed: true, .. })
}

#[cfg(test)]
mod tests {
    use egui::Modifiers;

    use super::*;

    fn key(key: Key) -> Event {
        Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::NONE }
    }

    #[test]
    fn each_key_that_moves_the_keyboard_has_a_frame_of_its_own_and_none_is_lost() {
        let typed = |text: &str| Event::Text(text.to_owned());
        let all = vec![typed("0"), key(Key::Tab), typed("1"), key(Key::Tab), key(Key::Enter), typed("2")];
        let (mut frames, mut left) = (Vec::new(), all.clone());
        while !left.is_empty() {
            let (now, later) = in_turn(left);
            frames.push(now);
            left = later;
        }
        assert_eq!(frames.concat(), all);
        let sizes: Vec<usize> = frames.iter().map(Vec::len).collect();
        assert_eq!(sizes, [1, 1, 1, 1, 1, 1]);
        let (now, later) = in_turn(vec![typed("a"), key(Key::ArrowDown)]);
        assert_eq!((now.len(), later.len()), (2, 0), "nothing else waits");
    }
}
