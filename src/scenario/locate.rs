//! From a path to the place in the text where its value stands, in RON and in JSON.
//!
//! The text is taken apart only as far as its nesting goes. Nothing here knows which fields exist, or reports a fault: of
//! broken text it keeps what it could follow.

use crate::scenario::problem::Position;

/// A piece of text with a value in it.
#[derive(Debug)]
pub(crate) struct Node {
    start: usize,
    end: usize,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// A name, number, text or unit variant, as it stands in the file.
    Leaf(String),
    /// A record or a map.
    Entries(Vec<(String, Node)>),
    List(Vec<Node>),
    /// A variant or `Some` around one value; paths do not name it.
    Wrapped(Box<Node>),
}

/// Deeper nesting is refused before a text comes here; this only guards the walk itself.
const DEEPEST: usize = 256;

/// Takes a text apart.
pub(crate) fn parse(text: &str) -> Option<Node> {
    let mut reader = Reader { text, bytes: text.as_bytes(), at: 0 };
    reader.skip_attributes();
    reader.value(0)
}

impl Node {
    /// Where the value of a path begins, or the nearest value around it that exists.
    pub(crate) fn find(&self, path: &str) -> usize {
        let segments: Vec<&str> = path.split('.').filter(|segment| !segment.is_empty()).collect();
        self.descend(&segments)
    }

    /// The text of a field of the outermost record, where it is a plain value.
    pub(crate) fn field(&self, name: &str) -> Option<(&str, usize)> {
        match &self.unwrapped().kind {
            Kind::Entries(entries) => {
                entries.iter().find(|(key, _)| key == name).and_then(|(_, node)| match &node.unwrapped().kind {
                    Kind::Leaf(text) => Some((text.as_str(), node.start)),
                    _ => None,
                })
            }
            _ => None,
        }
    }

    /// The path of the innermost element or field around a place in the text.
    pub(crate) fn path_at(&self, offset: usize) -> String {
        let mut path = Vec::new();
        let mut node = self;
        loop {
            match &node.kind {
                Kind::Leaf(_) => break,
                Kind::Wrapped(inner) => {
                    node = inner;
                }
                Kind::Entries(entries) => {
                    let Some((key, inner)) =
                        entries.iter().find(|(_, inner)| inner.start <= offset && offset <= inner.end)
                    else {
                        break;
                    };
                    path.push(key.clone());
                    node = inner;
                }
                Kind::List(items) => {
                    let Some((position, inner)) =
                        items.iter().enumerate().find(|(_, inner)| inner.start <= offset && offset <= inner.end)
                    else {
                        break;
                    };
                    path.push(inner.id().map_or_else(|| position.to_string(), str::to_owned));
                    node = inner;
                }
            }
        }
        path.join(".")
    }

    fn unwrapped(&self) -> &Self {
        let mut node = self;
        while let Kind::Wrapped(inner) = &node.kind {
            node = inner;
        }
        node
    }

    fn descend(&self, segments: &[&str]) -> usize {
        let node = self.unwrapped();
        let [segment, rest @ ..] = segments else { return self.start };
        match &node.kind {
            Kind::Entries(entries) => {
                // The keys of a case are paths themselves: the longest key that fits is meant.
                let meant = (1..=segments.len()).rev().find_map(|taken| {
                    let (key, rest) = (segments[..taken].join("."), &segments[taken..]);
                    entries.iter().rev().find(|(name, _)| *name == key).map(|(_, inner)| (inner, rest))
                });
                meant.map_or(self.start, |(inner, rest)| inner.descend(rest))
            }
            Kind::List(items) => {
                let by_id = items.iter().rev().find(|item| item.id() == Some(segment));
                let by_position = || segment.parse::<usize>().ok().and_then(|position| items.get(position));
                by_id.or_else(by_position).map_or(self.start, |item| item.descend(rest))
            }
            Kind::Leaf(_) | Kind::Wrapped(_) => self.start,
        }
    }

    /// What names this element in a list: its id, or the class of an assignment.
    fn id(&self) -> Option<&str> {
        ["id", "workload"].iter().find_map(|name| self.field(name)).map(|(text, _)| text)
    }
}

/// Line and column of a byte offset, counted from 1, columns in characters.
pub(crate) fn position_of(text: &str, offset: usize) -> Position {
    let mut end = offset.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = &text[..end];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    Position { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1 }
}

/// The byte offset of a line and column counted from 1.
pub(crate) fn offset_of(text: &str, position: Position) -> usize {
    let mut offset = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if number + 1 == position.line {
            return offset
                + line.char_indices().nth(position.column.saturating_sub(1)).map_or(line.len(), |(at, _)| at);
        }
        offset += line.len();
    }
    text.len()
}

/// What stands at a place of RON or JSON text, as far as nesting is concerned.
pub(crate) enum Piece<'t> {
    /// Quoted text, without its quotes.
    Text(&'t str),
    Comment,
    Space,
    /// Anything else, a character at a time.
    Mark(char),
}

/// The piece of text that begins at an offset, and where the next one begins.
pub(crate) fn piece(text: &str, at: usize) -> Option<(Piece<'_>, usize)> {
    let rest = text.get(at..)?;
    let first = rest.chars().next()?;
    if first.is_whitespace() {
        let length = rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
        return Some((Piece::Space, at + length));
    }
    if first == '"' {
        return Some(quoted(text, at));
    }
    if rest.starts_with("//") {
        return Some((Piece::Comment, at + rest.find('\n').unwrap_or(rest.len())));
    }
    if rest.starts_with("/*") {
        return Some((Piece::Comment, at + block_comment(rest)));
    }
    if (rest.starts_with("r\"") || rest.starts_with("r#"))
        && let Some(piece) = raw_text(text, at)
    {
        return Some(piece);
    }
    Some((Piece::Mark(first), at + first.len_utf8()))
}

fn quoted(text: &str, at: usize) -> (Piece<'_>, usize) {
    let bytes = text.as_bytes();
    let mut end = at + 1;
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'\\' => end += 2,
            b'"' => return (Piece::Text(&text[at + 1..end]), end + 1),
            _ => end += 1,
        }
    }
    (Piece::Text(&text[at + 1..]), text.len())
}

fn raw_text(text: &str, at: usize) -> Option<(Piece<'_>, usize)> {
    let rest = text.get(at + 1..)?;
    let marks = rest.bytes().take_while(|byte| *byte == b'#').count();
    let content = rest.get(marks..)?.strip_prefix('"')?;
    let closing = format!("\"{}", "#".repeat(marks));
    let start = at + 1 + marks + 1;
    Some(match content.find(&closing) {
        Some(length) => (Piece::Text(&content[..length]), start + length + closing.len()),
        None => (Piece::Text(content), text.len()),
    })
}

/// The length of a comment with its nested comments.
fn block_comment(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    while at < bytes.len() {
        match bytes.get(at..at + 2) {
            Some(b"/*") => {
                depth += 1;
                at += 2;
            }
            Some(b"*/") => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    bytes.len()
}

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    /// Passes space and comments; what comes next.
    fn peek(&mut self) -> Option<u8> {
        while let Some((Piece::Space | Piece::Comment, next)) = piece(self.text, self.at) {
            self.at = next;
        }
        self.bytes.get(self.at).copied()
    }

    /// Extensions such as `#![enable(implicit_some)]` at the head of a RON file.
    fn skip_attributes(&mut self) {
        while self.peek() == Some(b'#') {
            match self.text[self.at..].find(']') {
                Some(length) => self.at += length + 1,
                None => self.at = self.text.len(),
            }
        }
    }

    fn value(&mut self, depth: usize) -> Option<Node> {
        let first = self.peek()?;
        let start = self.at;
        if depth > DEEPEST {
            return None;
        }
        let kind = match first {
            b'(' => self.parenthesised(depth),
            b'{' => self.entries(b'}', depth),
            b'[' => self.list(depth),
            _ => self.leaf_or_variant(depth)?,
        };
        Some(Node { start, end: self.at, kind })
    }

    /// `(a: 1, …)` is a record, `(x)` one value, `(x, y)` a list.
    fn parenthesised(&mut self, depth: usize) -> Kind {
        let start = self.at;
        self.at += 1;
        if self.peek() == Some(b')') {
            self.at += 1;
            return Kind::Entries(Vec::new());
        }
        if self.word_before_colon() {
            self.at = start;
            return self.entries(b')', depth);
        }
        let mut items = self.items(b')', depth);
        match items.pop() {
            Some(only) if items.is_empty() => Kind::Wrapped(Box::new(only)),
            Some(last) => {
                items.push(last);
                Kind::List(items)
            }
            None => Kind::List(items),
        }
    }

    fn word_before_colon(&mut self) -> bool {
        let start = self.at;
        let named = !self.word().is_empty() && self.peek() == Some(b':');
        self.at = start;
        named
    }

    fn word(&mut self) -> String {
        let start = self.at;
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_#.+-".contains(byte) || *byte >= 0x80;
        while self.bytes.get(self.at).is_some_and(is_part) {
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or_default().to_owned()
    }

    fn entries(&mut self, close: u8, depth: usize) -> Kind {
        self.at += 1;
        let mut entries = Vec::new();
        loop {
            match self.peek() {
                None => break,
                Some(byte) if byte == close => {
                    self.at += 1;
                    break;
                }
                Some(b',') => self.at += 1,
                Some(_) => {
                    let Some(key) = self.key() else { break };
                    if self.peek() != Some(b':') {
                        break;
                    }
                    self.at += 1;
                    let Some(value) = self.value(depth + 1) else { break };
                    entries.push((key, value));
                }
            }
        }
        // In JSON a variant is an object whose one key is its name.
        match entries.pop() {
            Some((key, inner))
                if entries.is_empty()
                    && close == b'}'
                    && key.starts_with(|c: char| c.is_ascii_uppercase())
                    && !is_currency(&key) =>
            {
                Kind::Wrapped(Box::new(inner))
            }
            Some(last) => {
                entries.push(last);
                Kind::Entries(entries)
            }
            None => Kind::Entries(entries),
        }
    }

    fn key(&mut self) -> Option<String> {
        match piece(self.text, self.at)? {
            (Piece::Text(text), next) => {
                self.at = next;
                Some(unescaped(text))
            }
            _ => Some(self.word()).filter(|word| !word.is_empty()),
        }
    }

    fn list(&mut self, depth: usize) -> Kind {
        self.at += 1;
        Kind::List(self.items(b']', depth))
    }

    fn items(&mut self, close: u8, depth: usize) -> Vec<Node> {
        let mut items = Vec::new();
        loop {
            match self.peek() {
                None => break,
                Some(byte) if byte == close => {
                    self.at += 1;
                    break;
                }
                Some(b',') => self.at += 1,
                Some(_) => match self.value(depth + 1) {
                    Some(item) => items.push(item),
                    None => break,
                },
            }
        }
        items
    }

    fn leaf_or_variant(&mut self, depth: usize) -> Option<Kind> {
        if let Some((Piece::Text(text), next)) = piece(self.text, self.at) {
            self.at = next;
            return Some(Kind::Leaf(unescaped(text)));
        }
        let word = self.word();
        if word.is_empty() {
            return None;
        }
        if self.peek() == Some(b'(') {
            let start = self.at;
            let kind = self.parenthesised(depth + 1);
            return Some(Kind::Wrapped(Box::new(Node { start, end: self.at, kind })));
        }
        Some(Kind::Leaf(word))
    }
}

/// The keys of `fx` look like variants.
fn is_currency(key: &str) -> bool {
    key.len() == 3 && key.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Keys and ids rarely hold escapes; those that matter for finding them are undone.
fn unescaped(text: &str) -> String {
    if text.contains('\\') { text.replace("\\\"", "\"").replace("\\/", "/").replace("\\\\", "\\") } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, path: &str) -> usize {
        let node = parse(text).expect("the test text can be followed");
        position_of(text, node.find(path)).line
    }

    const RON: &str = r##"#![enable(implicit_some)]
// environments: a comment
(
    name: "a (b) \" c", notes: r#"x ] " y"#,
    fx: { "EUR": "1.08" },
    environments: [
        (id: "owned", supply: Dedicated((
            pue: "1.3", residual_by_year: ["0.5",
                "0.3"],
        ))),
    ],
    placements: [(id: "p", assignments: [
        (workload: "w",
            burst: Some("aws")),
    ])],
    cases: [(id: "c", set: {
        "environments.owned.supply.pue": "1.1",
    })],
)
"##;

    #[test]
    fn paths_lead_to_lines_of_ron() {
        let cases = [
            ("name", 4),
            ("fx.EUR", 5),
            ("environments.owned.supply.pue", 8),
            ("environments.owned.supply.residual_by_year.1", 9),
            ("environments.owned.supply.nothing", 7),
            ("placements.p.assignments.w.burst", 14),
            ("cases.c.set.environments.owned.supply.pue", 17),
            ("", 3),
        ];
        for (path, expected) in cases {
            assert_eq!(line(RON, path), expected, "{path}");
        }
    }

    #[test]
    fn paths_lead_to_lines_of_json() {
        let json = "{\n \"fx\": {\n  \"EUR\": \"1\"},\n \"environments\": [\n  {\"id\": \"o\", \"supply\": {\"Cloud\": {\n   \"spot\": null}}}]}";
        assert_eq!(line(json, "fx.EUR"), 3);
        assert_eq!(line(json, "environments.o.supply.spot"), 6);
    }

    #[test]
    fn broken_text_is_followed_as_far_as_it_goes() {
        for end in 0..RON.len() {
            if RON.is_char_boundary(end)
                && let Some(node) = parse(&RON[..end])
            {
                let _ = node.find("environments.owned.supply.pue");
                let _ = node.path_at(end);
            }
        }
    }
}
