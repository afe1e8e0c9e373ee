//! From the text of a file to a scenario, or to everything that is wrong with it.
//!
//! Nothing here opens a file, or knows what a scenario costs.

use std::path::Path;

use serde::de::DeserializeOwned;

use crate::scenario::locate::{self, Piece, piece, position_of};
use crate::scenario::problem::{self, Problem};
use crate::scenario::{FORMAT, Position, Scenario, validate};

/// How a scenario is written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Syntax {
    /// The application's own: `.ron` and `.outlay`.
    Ron,
    /// For exchange with other programs: `.json`.
    Json,
}

impl Syntax {
    /// The syntax of a file, by its extension.
    #[must_use]
    pub fn of_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "ron" | "outlay" => Some(Self::Ron),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    /// The syntax of a file, by its name.
    ///
    /// # Errors
    /// A sentence for a file that is no scenario by its name.
    pub fn of_path(path: &Path) -> Result<Self, Problem> {
        let extension = path.extension().map(|extension| extension.to_string_lossy()).unwrap_or_default();
        Self::of_extension(&extension).ok_or_else(|| {
            problem::in_text(None, "The file is no scenario by its name. Scenarios end in .ron, .outlay or .json.")
        })
    }
}

/// The largest text that is read, in bytes. The largest scenario thought of is a hundredth of it.
pub const LARGEST_TEXT: usize = 32 * 1024 * 1024;

/// The deepest nesting that is read. A scenario needs half of it.
const DEEPEST_NESTING: usize = 48;

/// Problems that are listed; a file with more is broken as a whole.
pub const MOST_PROBLEMS: usize = 1000;

/// Reads a scenario and everything that its rules say about it: the scenario with its warnings, or its errors (and the
/// warnings among them).
///
/// Reading is complete only after a checked evaluation, which the engine's `open` adds.
///
/// # Errors
/// The first fault of the text or its shape, with line and column; or every fault of its meaning, each with its path and
/// its position.
pub fn read(text: &str, syntax: Syntax) -> Result<(Scenario, Vec<Problem>), Vec<Problem>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let scenario = shape(text, syntax).map_err(|problem| vec![problem])?;
    let mut problems = positioned(validate::validate(&scenario), text);
    problems.sort_by_key(|problem| (problem.severity, problem.position.is_none(), problem.position));
    if problems.iter().any(Problem::is_error) { Err(problems) } else { Ok((scenario, problems)) }
}

/// The bytes of a file as text.
///
/// # Errors
/// A sentence for files that are not text in UTF-8, or too large.
pub fn decode(bytes: &[u8]) -> Result<&str, Problem> {
    if bytes.len() > LARGEST_TEXT {
        return Err(too_large(bytes.len()));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(problem::in_text(
            None,
            "The file is text in UTF-16. Scenarios are text in UTF-8; save it again with the encoding UTF-8.",
        ));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let valid = bytes.get(..error.valid_up_to()).and_then(|head| std::str::from_utf8(head).ok()).unwrap_or_default();
        let message = "A byte here is not text in UTF-8. If the file is a scenario, save it again with the encoding UTF-8; \
                       if not, open the scenario instead.";
        problem::in_text(Some(position_of(valid, valid.len())), message)
    })
}

fn too_large(bytes: usize) -> Problem {
    let most = LARGEST_TEXT / (1024 * 1024);
    let message = format!(
        "The file has {} MB; at most {most} MB are read. A scenario is far smaller; check that this is the right file.",
        bytes.div_ceil(1024 * 1024)
    );
    problem::in_text(None, message)
}

/// Gives problems their place in the text.
pub fn positioned(mut problems: Vec<Problem>, text: &str) -> Vec<Problem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if problems.is_empty() {
        return problems;
    }
    if let Some(tree) = locate::parse(text) {
        for problem in problems.iter_mut().filter(|problem| problem.position.is_none() && !problem.path.is_empty()) {
            problem.position = Some(position_of(text, tree.find(&problem.path)));
        }
    }
    problems
}

/// The scenario as far as its shape goes: every field known and of its type.
fn shape(text: &str, syntax: Syntax) -> Result<Scenario, Problem> {
    if text.len() > LARGEST_TEXT {
        return Err(too_large(text.len()));
    }
    if let Some(offset) = text.find('\0') {
        let message = "Here stands a NUL character, which no text has. The file may be binary or in UTF-16; save it as text \
                       in UTF-8.";
        return Err(problem::in_text(Some(position_of(text, offset)), message));
    }
    if text.trim().is_empty() {
        let message =
            "The file is empty. Write a scenario from the application, or start from one of the shipped scenarios.";
        return Err(problem::in_text(None, message));
    }
    let outline = Outline::of(text);
    if let Some(offset) = outline.too_deep {
        let message = format!(
            "Brackets are nested deeper than {DEEPEST_NESTING} levels here. No scenario needs that; look for a bracket that is \
             not closed."
        );
        return Err(problem::in_text(Some(position_of(text, offset)), message));
    }
    if let Some((format, offset)) = outline.format.filter(|(format, _)| *format != u64::from(FORMAT)) {
        let position = Some(position_of(text, offset));
        return Err(Problem { path: "format".into(), ..problem::in_text(position, unknown_format(format)) });
    }
    if let Some(problem) = something_else(text, syntax) {
        return Err(problem);
    }
    match syntax {
        Syntax::Ron => read_ron(text),
        Syntax::Json => read_json(text),
    }
}

/// A text that does not even begin like a scenario: a page, a table, a script under the name of one.
fn something_else(text: &str, syntax: Syntax) -> Option<Problem> {
    let mut at = 0;
    while let Some((Piece::Space | Piece::Comment, next)) = piece(text, at) {
        at = next;
    }
    let rest = text.get(at..)?;
    let (mark, begins) = match syntax {
        Syntax::Ron => ("(", rest.starts_with(['(']) || rest.starts_with("#![") || rest.starts_with("Scenario")),
        Syntax::Json => ("{", rest.starts_with('{')),
    };
    if begins {
        return None;
    }
    let found: String = rest.lines().next().unwrap_or_default().chars().take(24).collect();
    let message = format!(
        "This is no scenario: one begins with “{mark}”, and this text with “{}”. Open a file that Outlay has saved, or one \
         written to its schema.",
        found.trim_end()
    );
    Some(problem::in_text(Some(position_of(text, at)), message))
}

fn unknown_format(format: u64) -> String {
    if format > u64::from(FORMAT) {
        format!(
            "The file has format {format}, which a later version of Outlay wrote; this version reads format {FORMAT}. Open it \
             with that version, or have it saved for this one."
        )
    } else {
        format!("Format {format} does not exist. Formats begin at 1; write format {FORMAT}.")
    }
}

fn read_ron<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    options.from_str(text).map_err(|error| {
        let start = error.span.start;
        let position = Position { line: start.line.max(1), column: start.col.max(1) };
        misshapen(text, position, &error.code.to_string())
    })
}

fn read_json<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    let strict = without_trailing_commas(text);
    serde_json::from_str(&strict).map_err(|error| {
        // The position stands at the end of the message, too.
        let message = error.to_string();
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
        // Columns of JSON errors count bytes.
        let line = text.split_inclusive('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
        let mut bytes = error.column().saturating_sub(1).min(line.len());
        while !line.is_char_boundary(bytes) {
            bytes -= 1;
        }
        let column = line[..bytes].chars().count() + 1;
        misshapen(text, Position { line: error.line().max(1), column }, message)
    })
}

/// A fault of shape, said with the place around it and a way out where the reader's own words have none.
fn misshapen(text: &str, position: Position, message: &str) -> Problem {
    let around = locate::parse(text).map(|tree| tree.path_at(locate::offset_of(text, position))).unwrap_or_default();
    let mut sentence = first_upper(message.trim().trim_end_matches('.'));
    for (technical, plain) in PLAIN_WORDS {
        sentence = sentence.replace(technical, plain);
    }
    if !around.is_empty() {
        sentence.push_str(&format!(" (in {})", problem::clipped(&around)));
    }
    sentence.push('.');
    if Outline::of(text).open > 0 {
        sentence.push_str(
            " The text ends before every bracket is closed; it may be cut off, or a bracket or quote is missing.",
        );
    }
    problem::in_text(Some(position), sentence)
}

/// What the readers of RON and JSON say, in words that name a way out.
const PLAIN_WORDS: [(&str, &str); 24] = [
    ("Key must be a string", "Here the name of a field is expected, in double quotes"),
    (
        "Expected ident",
        "A word stands here without quotes; only true, false and null may, so write it in double quotes",
    ),
    ("Expected value", "Here a value is expected: a text or a number in double quotes, a list or an object"),
    ("Expected `,` or `}`", "A comma is missing here, or the closing brace of this object"),
    ("Expected `,` or `]`", "A comma is missing here, or the closing bracket of this list"),
    ("Expected `:`", "Between the name of a field and its value a colon is missing"),
    ("Invalid number", "This is no number; write it in double quotes, for example \"0.075\""),
    (
        "Control character (\\u0000-\\u001F) found while parsing a string",
        "A text in quotes ends on the line it begins on; close it here",
    ),
    ("Invalid escape", "After a backslash stands what cannot follow one; write two backslashes for one"),
    ("Lone leading surrogate in hex escape", "An escaped character is only half written"),
    ("EOF while parsing a string", "The text ends in the middle of a text in quotes"),
    ("expected u32", "expected a whole number without quotes, for example 60"),
    ("Expected integer", "Here a whole number is expected; write it without quotes, for example 60"),
    ("Integer is out of bounds", "This whole number is too large, or negative; write one from 0 on, for example 60"),
    ("Expected comma", "A comma is missing here, or what stands before it is not closed or not of the kind expected"),
    ("Expected opening `(` for struct", "Here a record is expected, written (field: value, …), for"),
    ("Expected opening `(`", "Here an opening parenthesis is expected"),
    (
        "Non-whitespace trailing characters",
        "Text follows after the scenario has ended; remove it, or look for a bracket that is closed too early",
    ),
    (
        "Trailing characters",
        "Text follows after the scenario has ended; remove it, or look for a bracket that is closed too early",
    ),
    ("is missing; it is required", "is missing; it is required, so add it"),
    ("EOF while parsing", "The text ends in the middle of"),
    ("Unexpected end of RON", "The text ends too early"),
    ("Expected struct", "Expected a record"),
    ("expected struct", "expected a record"),
];

fn first_upper(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// JSON in which no comma stands before a closing bracket, every other character in its place.
fn without_trailing_commas(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Where the last comma stands, as long as only space has followed it.
    let mut comma = None;
    let mut at = 0;
    while let Some((found, next)) = piece(text, at) {
        let piece_text = text.get(at..next).unwrap_or_default();
        match found {
            Piece::Mark(',') => comma = Some(out.len()),
            Piece::Mark(']' | '}') => {
                if let Some(comma) = comma.take() {
                    out.replace_range(comma..comma + 1, " ");
                }
            }
            Piece::Space => {}
            _ => comma = None,
        }
        out.push_str(piece_text);
        at = next;
    }
    out
}

/// What can be seen of a text without reading it: its nesting, and its format number.
#[derive(Default)]
struct Outline {
    too_deep: Option<usize>,
    format: Option<(u64, usize)>,
    /// Brackets still open at the end.
    open: usize,
}

impl Outline {
    fn of(text: &str) -> Self {
        let mut outline = Self::default();
        let mut seen = Seen::Nothing;
        let (mut depth, mut at) = (0_usize, 0);
        while let Some((found, next)) = piece(text, at) {
            match found {
                Piece::Space | Piece::Comment => {}
                Piece::Mark('(' | '[' | '{') => {
                    depth += 1;
                    if depth > DEEPEST_NESTING {
                        outline.too_deep = Some(at);
                        return outline;
                    }
                }
                Piece::Mark(')' | ']' | '}') => depth = depth.saturating_sub(1),
                Piece::Mark(':') if seen == Seen::Key => seen = Seen::Colon,
                Piece::Text(word) => seen = outline.word(word, at, seen, depth),
                Piece::Mark(mark) if is_part_of_word(mark) => {
                    let rest = text.get(at..).unwrap_or_default();
                    let length = rest.find(|c: char| !is_part_of_word(c)).unwrap_or(rest.len());
                    seen = outline.word(&rest[..length], at, seen, depth);
                    at += length;
                    continue;
                }
                Piece::Mark(_) => seen = Seen::Nothing,
            }
            at = next;
        }
        outline.open = depth;
        outline
    }

    fn word(&mut self, word: &str, at: usize, seen: Seen, depth: usize) -> Seen {
        match seen {
            Seen::Colon => {
                self.format = self.format.or(word.parse().ok().map(|format| (format, at)));
                Seen::Nothing
            }
            _ if depth == 1 && word == "format" => Seen::Key,
            _ => Seen::Nothing,
        }
    }
}

fn is_part_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// How much of `format: 1` has been seen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Nothing,
    Key,
    Colon,
}
