//! From a scenario to its canonical text: fields in the order of their declaration, defaults left out, numbers as typed.
//!
//! A scenario is first turned into a tree of values, of which RON and JSON are two spellings. Nothing here knows the
//! fields of a scenario; that a whole-number input stands bare follows from its declared bounds.

use std::collections::HashSet;
use std::fmt::Write as _;

use serde::Serialize;

use crate::scenario::Scenario;
use crate::scenario::read::Syntax;
use tree::Tree;

pub(crate) mod tree;

/// Lines are at most so long where that is possible.
const WIDTH: usize = 120;
const INDENT: usize = 4;

/// The canonical text of a scenario. Reading it gives the same scenario, and writing that gives the same text.
#[must_use]
pub fn write(scenario: &Scenario, syntax: Syntax) -> String {
    let mut tree =
        scenario.serialize(tree::Builder).expect("building a tree in memory refuses nothing that a scenario holds");
    let whole: HashSet<String> =
        scenario.inputs().into_iter().filter(|input| input.decl.bounds.whole).map(|input| input.path).collect();
    bare_whole_inputs(&mut tree, &mut Vec::new(), &whole);
    let mut text = String::new();
    spell(&tree, syntax, 0, 0, &mut text);
    text.push('\n');
    text
}

/// Opening bracket, elements each with what stands before it, closing bracket.
type Parts<'t> = (String, Vec<(String, &'t Tree)>, String);

/// A tree as JSON, for reading it back.
pub(crate) fn json(tree: &Tree) -> String {
    on_one_line(tree, Syntax::Json)
}

/// A value as people read it beside another one: text without its quotes, everything else as it stands in a file.
pub(crate) fn shown(tree: &Tree) -> String {
    match tree {
        Tree::Text(text) => text.clone(),
        Tree::Some(inner) => shown(inner),
        _ => on_one_line(tree, Syntax::Ron),
    }
}

/// Takes the quotes from whole-number inputs.
fn bare_whole_inputs(tree: &mut Tree, path: &mut Vec<String>, whole: &HashSet<String>) {
    match tree {
        Tree::Text(_) if whole.contains(&path.join(".")) => tree.unquote(),
        Tree::Record(fields) if whole.contains(&path.join(".")) => {
            for (name, value) in fields {
                if matches!(*name, "value" | "low" | "high") {
                    value.unquote();
                }
            }
        }
        Tree::Record(fields) => {
            for (name, value) in fields {
                inside(path, (*name).into(), |path| bare_whole_inputs(value, path, whole));
            }
        }
        Tree::Map(entries) => {
            for (key, value) in entries {
                inside(path, key.clone(), |path| bare_whole_inputs(value, path, whole));
            }
        }
        Tree::List(items) => {
            for (position, item) in items.iter_mut().enumerate() {
                let segment = item.id().map_or_else(|| position.to_string(), str::to_owned);
                inside(path, segment, |path| bare_whole_inputs(item, path, whole));
            }
        }
        Tree::Variant(_, inner) | Tree::Some(inner) => bare_whole_inputs(inner, path, whole),
        Tree::Text(_) | Tree::Bare(_) | Tree::Name(_) | Tree::None => {}
    }
}

fn inside(path: &mut Vec<String>, segment: String, visit: impl FnOnce(&mut Vec<String>)) {
    path.push(segment);
    visit(path);
    path.pop();
}

/// Writes a value on one line where it fits, and one element a line where it does not.
///
/// `indent` are the spaces at the start of the line, `used` what stands before the value on its line.
fn spell(tree: &Tree, syntax: Syntax, indent: usize, used: usize, out: &mut String) {
    if let Some(line) =
        tree.is_short().then(|| on_one_line(tree, syntax)).filter(|line| used + line.chars().count() < WIDTH)
    {
        out.push_str(&line);
        return;
    }
    let Some((open, entries, close)) = tree.parts(syntax) else {
        out.push_str(&on_one_line(tree, syntax));
        return;
    };
    out.push_str(&open);
    if entries.len() == 1 && entries.iter().all(|(prefix, _)| prefix.is_empty()) && tree.is_wrapper() {
        // `Runs((` and `))` stand on the lines of what they wrap.
        let used = used + open.chars().count();
        entries.iter().for_each(|(_, inner)| spell(inner, syntax, indent, used, out));
        out.push_str(&close);
        return;
    }
    let deeper = indent + INDENT;
    let last = entries.len().saturating_sub(1);
    for (position, (prefix, inner)) in entries.iter().enumerate() {
        let _ = write!(out, "\n{:deeper$}{prefix}", "");
        spell(inner, syntax, deeper, deeper + prefix.chars().count(), out);
        if syntax == Syntax::Ron || position != last {
            out.push(',');
        }
    }
    let _ = write!(out, "\n{:indent$}{close}", "");
}

fn on_one_line(tree: &Tree, syntax: Syntax) -> String {
    match tree {
        Tree::Text(text) => quoted(text, syntax),
        Tree::Bare(text) => text.clone(),
        Tree::Name(name) => match syntax {
            Syntax::Ron => (*name).into(),
            Syntax::Json => quoted(name, syntax),
        },
        Tree::None => match syntax {
            Syntax::Ron => "None".into(),
            Syntax::Json => "null".into(),
        },
        _ => {
            let Some((open, entries, close)) = tree.parts(syntax) else { return String::new() };
            let parts: Vec<String> =
                entries.iter().map(|(prefix, inner)| format!("{prefix}{}", on_one_line(inner, syntax))).collect();
            let space =
                if matches!(tree, Tree::Map(_)) && syntax == Syntax::Ron && !parts.is_empty() { " " } else { "" };
            format!("{open}{space}{}{space}{close}", parts.join(", "))
        }
    }
}

impl Tree {
    /// The value taken apart; none for what has no elements.
    fn parts(&self, syntax: Syntax) -> Option<Parts<'_>> {
        let parts = |open: &str, entries, close: &str| Some((open.to_owned(), entries, close.to_owned()));
        match (self, syntax) {
            (Self::Record(fields), Syntax::Ron) => {
                parts("(", fields.iter().map(|(name, value)| (format!("{name}: "), value)).collect(), ")")
            }
            (Self::Record(fields), Syntax::Json) => parts(
                "{",
                fields.iter().map(|(name, value)| (format!("{}: ", quoted(name, syntax)), value)).collect(),
                "}",
            ),
            (Self::Map(entries), _) => parts(
                "{",
                entries.iter().map(|(key, value)| (format!("{}: ", quoted(key, syntax)), value)).collect(),
                "}",
            ),
            (Self::List(items), _) => parts("[", items.iter().map(|item| (String::new(), item)).collect(), "]"),
            (Self::Variant(name, inner), Syntax::Ron) => {
                parts(&format!("{name}("), vec![(String::new(), &**inner)], ")")
            }
            (Self::Variant(name, inner), Syntax::Json) => {
                parts(&format!("{{{}: ", quoted(name, syntax)), vec![(String::new(), &**inner)], "}")
            }
            (Self::Some(inner), Syntax::Ron) => parts("Some(", vec![(String::new(), &**inner)], ")"),
            (Self::Some(inner), Syntax::Json) => parts("", vec![(String::new(), &**inner)], ""),
            (Self::Text(_) | Self::Bare(_) | Self::Name(_) | Self::None, _) => None,
        }
    }

    fn is_wrapper(&self) -> bool {
        matches!(self, Self::Variant(..) | Self::Some(_))
    }

    /// Whether the value is worth trying on one line: few leaves, and no element of a list with an id.
    fn is_short(&self) -> bool {
        fn leaves(tree: &Tree, most: usize) -> usize {
            if tree.id().is_some() {
                return most + 1;
            }
            let mut count = 0;
            let mut add = |inner: &Tree| {
                if count <= most {
                    count += leaves(inner, most);
                }
            };
            match tree {
                Tree::Record(fields) => fields.iter().for_each(|(_, inner)| add(inner)),
                Tree::Map(entries) => entries.iter().for_each(|(_, inner)| add(inner)),
                Tree::List(items) => items.iter().for_each(add),
                Tree::Variant(_, inner) | Tree::Some(inner) => add(inner),
                Tree::Text(_) | Tree::Bare(_) | Tree::Name(_) | Tree::None => count = 1,
            }
            count
        }
        leaves(self, WIDTH) <= WIDTH / 4
    }
}

fn quoted(text: &str, syntax: Syntax) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // What cannot be seen, or would turn the text around, is spelled out.
            c if c.is_control() || is_invisible(c) => {
                let code = u32::from(c);
                let _ = match syntax {
                    Syntax::Ron => write!(out, "\\u{{{code:x}}}"),
                    Syntax::Json => write!(out, "\\u{code:04x}"),
                };
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Marks of direction, joiners and the byte-order mark; all in the basic plane.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}
