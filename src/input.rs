//! What a person can state, declared once: every field's label, unit, bounds and help, and how to walk them all in order,
//! those of a scenario and those of its type.
//!
//! Nothing here knows which fields a scenario has, or what a number means to the engine.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor as DeVisitor};
use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};
use serde_json::Value;

use crate::quantity::{EXPECTED_NUMBER, Exact, ExactVisitor, Num, trace};

/// The declaration of one field of the scenario.
#[derive(PartialEq, Debug)]
pub struct Decl {
    /// The name in the file and in a path.
    pub name: &'static str,
    pub label: &'static str,
    pub unit: Unit,
    pub bounds: Bounds,
    pub help: &'static str,
    /// The value where the file says nothing, as it would be typed; empty where there is none.
    pub default: &'static str,
}

impl Decl {
    const fn of_input(name: &'static str, label: &'static str, help: &'static str) -> Self {
        Self { name, label, unit: Unit::None, bounds: Bounds::ANY, help, default: "" }
    }
}

/// What a number counts or measures, and what a text names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// No number, and a text that names nothing.
    None,
    /// A plain number without unit.
    Number,
    /// A part of one, shown in percent.
    Share,
    /// A yearly rate as a part of one, shown in percent.
    PerYear,
    /// A multiple of the first year.
    Factor,
    /// Money in the currency that applies, for the thing named.
    Money(&'static str),
    /// Scenario currency for one unit of a foreign one.
    Exchange,
    /// A quantity of the thing named.
    Of(&'static str),
    /// The id of an element of this list of the scenario; in a map, the keys are such ids.
    IdOf(&'static str),
    /// The path of an input; in a map, the keys are such paths.
    PathOfInput,
    /// The ISO 4217 code of a currency.
    Currency,
    /// A calendar month, as year-month.
    Month,
    /// A day, as year-month-day.
    Date,
    /// Text of several lines.
    Prose,
}

impl Unit {
    /// The unit as text; `currency` is the one that applies to the input.
    #[must_use]
    pub fn text(self, currency: &str) -> String {
        match self {
            Self::None
            | Self::Number
            | Self::IdOf(_)
            | Self::PathOfInput
            | Self::Currency
            | Self::Month
            | Self::Date
            | Self::Prose => String::new(),
            Self::Share => "share".into(),
            Self::PerYear => "a year".into(),
            Self::Factor => "× first year".into(),
            Self::Money("") => currency.into(),
            Self::Money(per) => format!("{currency} {per}"),
            Self::Exchange => "per unit".into(),
            Self::Of(what) => what.into(),
        }
    }

    /// Whether people read and type it in percent.
    #[must_use]
    pub fn is_percent(self) -> bool {
        matches!(self, Self::Share | Self::PerYear)
    }
}

/// Which values are accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    pub low: Limit,
    pub high: Limit,
    /// Only whole numbers, in every analysis too.
    pub whole: bool,
}

/// One end of the accepted values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    Open,
    /// The bound itself is accepted.
    Including(i64),
    /// The bound itself is refused.
    Excluding(i64),
}

impl Bounds {
    pub const ANY: Self = Self::new(Limit::Open, Limit::Open);
    pub const NOT_NEGATIVE: Self = Self::new(Limit::Including(0), Limit::Open);
    pub const POSITIVE: Self = Self::new(Limit::Excluding(0), Limit::Open);
    pub const SHARE: Self = Self::new(Limit::Including(0), Limit::Including(1));
    pub const SHARE_BELOW_ONE: Self = Self::new(Limit::Including(0), Limit::Excluding(1));
    pub const SHARE_ABOVE_ZERO: Self = Self::new(Limit::Excluding(0), Limit::Including(1));
    pub const ABOVE_MINUS_ONE: Self = Self::new(Limit::Excluding(-1), Limit::Open);
    pub const AT_LEAST_ONE: Self = Self::new(Limit::Including(1), Limit::Open);
    pub const UP_TO_TEN: Self = Self::new(Limit::Including(0), Limit::Including(10));
    pub const WEEK_HOURS: Self = Self::new(Limit::Excluding(0), Limit::Including(168));
    /// Counts stay small enough to be laid out month by month.
    pub const COUNT: Self = Self { whole: true, ..Self::new(Limit::Including(0), Limit::Including(1_000_000)) };
    pub const COUNT_FROM_ONE: Self =
        Self { whole: true, ..Self::new(Limit::Including(1), Limit::Including(1_000_000)) };
    pub const MONTHS: Self = Self { whole: true, ..Self::new(Limit::Including(0), Limit::Including(600)) };
    pub const CALENDAR_MONTH: Self = Self { whole: true, ..Self::new(Limit::Including(1), Limit::Including(12)) };
    pub const MONTHS_FROM_ONE: Self = Self { whole: true, ..Self::new(Limit::Including(1), Limit::Including(600)) };

    const fn new(low: Limit, high: Limit) -> Self {
        Self { low, high, whole: false }
    }

    /// Whether a value is accepted.
    #[must_use]
    pub fn accept(self, value: Exact) -> bool {
        self.above_low(value) && self.below_high(value) && (!self.whole || value.as_whole().is_some())
    }

    /// Whether the value is not below the low end.
    #[must_use]
    pub fn above_low(self, value: Exact) -> bool {
        match self.low {
            Limit::Open => true,
            Limit::Including(low) => Exact::whole(low) <= value,
            Limit::Excluding(low) => Exact::whole(low) < value,
        }
    }

    /// Whether the value is not above the high end.
    #[must_use]
    pub fn below_high(self, value: Exact) -> bool {
        match self.high {
            Limit::Open => true,
            Limit::Including(high) => value <= Exact::whole(high),
            Limit::Excluding(high) => value < Exact::whole(high),
        }
    }
}

/// A number a person states, with its range and its evidence.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Input {
    pub value: Exact,
    pub detail: Option<Box<Detail>>,
    /// Its place in the walk, from 1, while it is traced; 0 otherwise.
    traced: Traced,
}

/// What says whether an input is traced, and takes part in no comparison.
#[derive(Clone, Copy, Debug, Default)]
struct Traced(u32);

impl PartialEq for Traced {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// What is known of an input beside its value.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Detail {
    pub range: Option<Range>,
    /// How the range is spread; `Pert` where nothing is said.
    pub distribution: Distribution,
    pub evidence: Option<Evidence>,
}

/// The least and the greatest value thought possible.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Range {
    pub low: Exact,
    pub high: Exact,
}

impl Input {
    /// A plain number.
    #[must_use]
    pub fn plain(value: Exact) -> Self {
        Self { value, detail: None, traced: Traced(0) }
    }

    /// The default of a declaration. The text stands in the source and is read by a test for every declaration.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self::plain(Exact::parse(text).expect("defaults in the source are exact decimals; a test reads each"))
    }

    /// The value for arithmetic.
    #[must_use]
    pub fn num(&self) -> Num {
        match self.traced {
            Traced(0) => self.value.num(),
            Traced(place) => trace::input(place as usize - 1, self.value.num()),
        }
    }

    /// Lets the numbers computed from this input be traced to it, by its place in the walk.
    pub fn trace(&mut self, place: usize) {
        self.traced = Traced(u32::try_from(place + 1).unwrap_or(0));
    }

    /// The value of a whole input. Validation has refused fractions and negatives.
    #[must_use]
    pub fn count(&self) -> u32 {
        if let Traced(place @ 1..) = self.traced {
            trace::counted(place as usize - 1);
        }
        self.value.as_whole().and_then(|value| u32::try_from(value).ok()).unwrap_or(0)
    }

    #[must_use]
    pub fn range(&self) -> Option<Range> {
        self.detail.as_ref().and_then(|detail| detail.range)
    }

    #[must_use]
    pub fn distribution(&self) -> Distribution {
        self.detail.as_ref().map_or(Distribution::Pert, |detail| detail.distribution)
    }

    #[must_use]
    pub fn evidence(&self) -> Option<&Evidence> {
        self.detail.as_ref().and_then(|detail| detail.evidence.as_ref())
    }

    /// An input without evidence counts as assumed (method, §3).
    #[must_use]
    pub fn evidence_kind(&self) -> EvidenceKind {
        self.evidence().map_or(EvidenceKind::Assumed, |evidence| evidence.kind)
    }

    /// The detail for changing it; a detail that says nothing is dropped by [`Input::tidy`].
    pub fn detail_mut(&mut self) -> &mut Detail {
        self.detail.get_or_insert_default()
    }

    /// Drops a detail that says nothing, so that equal inputs compare equal.
    pub fn tidy(&mut self) {
        if self.detail.as_ref().is_some_and(|detail| **detail == Detail::default()) {
            self.detail = None;
        }
    }
}

/// What a walk meets on the way to an input.
#[derive(Clone, Copy, Debug)]
pub enum Segment<'a> {
    /// A field of a record.
    Field(&'static Decl),
    /// An element of a list or map, by its id; with its name and, where it sets one, its currency.
    Element { id: &'a str, name: &'a str, currency: Option<&'a str> },
    /// An element without an id, counted from 0.
    Position(usize),
}

/// Sees every input of a scenario in the order of the file.
pub trait Visitor {
    fn enter(&mut self, segment: Segment<'_>);
    fn leave(&mut self);
    fn input(&mut self, decl: &'static Decl, input: &Input);
}

/// Changes inputs of a scenario in the order of the file.
pub trait VisitorMut {
    fn enter(&mut self, segment: Segment<'_>);
    fn leave(&mut self);
    fn input(&mut self, decl: &'static Decl, input: &mut Input);
}

/// Anything that can stand in a field of the scenario: it can be walked, and it describes its shape.
pub trait Field {
    /// Visits the inputs inside. `decl` is the declaration of the field that holds this value.
    fn walk(&self, decl: &'static Decl, visitor: &mut dyn Visitor);
    /// See [`Field::walk`].
    fn walk_mut(&mut self, decl: &'static Decl, visitor: &mut dyn VisitorMut);
    /// What this type accepts; types with names are added to `types` and referred to.
    fn shape(types: &mut Types) -> Shape;
    /// Id, name and currency, where this value is an element that is addressed by an id.
    fn element(&self) -> Option<(&str, &str, Option<&str>)> {
        None
    }
}

/// What may stand in a field.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    Text,
    YesNo,
    /// A whole number from 0 on.
    Count,
    /// An exact decimal that no analysis moves.
    Number,
    /// A number with its range and evidence.
    Input,
    /// The same under a declaration of its own, which replaces that of the field.
    Declared(&'static Decl),
    /// An input addressed by the place of its element alone, with what else the element says.
    Beside {
        other: &'static str,
        shape: Box<Shape>,
        input: &'static str,
    },
    Optional(Box<Shape>),
    List(Box<Shape>),
    Map(Box<Shape>),
    /// A type described in [`Types`].
    Named(&'static str),
}

/// A type with a name.
#[derive(Clone, PartialEq, Debug)]
pub struct Type {
    pub name: &'static str,
    pub about: &'static str,
    pub kind: Kind,
}

/// What a type with a name consists of.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// Fields in the order of the file; `id` is the one by which an element of a list is addressed.
    Record { fields: Vec<FieldType>, id: Option<&'static str> },
    /// One of several, each with what it holds; their names are left out of paths.
    Variants(Vec<VariantType>),
    /// One of several names.
    Choice(Vec<VariantType>),
    /// A plain number, or a record of these fields.
    Input(Vec<FieldType>),
}

/// One field of a record.
#[derive(Clone, PartialEq, Debug)]
pub struct FieldType {
    pub decl: &'static Decl,
    pub shape: Shape,
    /// The value where the file says nothing, as it would be written; none where the field is required.
    pub default: Option<Value>,
}

/// One of the alternatives of a type.
#[derive(Clone, PartialEq, Debug)]
pub struct VariantType {
    pub name: &'static str,
    pub label: &'static str,
    pub help: &'static str,
    pub holds: Option<Shape>,
    /// The list of the scenario in which what it holds, or the keys of the map it holds, are ids.
    pub ids_of: Option<&'static str>,
}

/// Every type with a name that is met on the way through another, in the order of the file.
#[derive(Default, Debug)]
pub struct Types {
    order: Vec<&'static str>,
    known: BTreeMap<&'static str, Type>,
}

impl Types {
    /// Adds a type once, and refers to it.
    pub fn define(&mut self, name: &'static str, about: &'static str, kind: impl FnOnce(&mut Self) -> Kind) -> Shape {
        if !self.order.contains(&name) {
            self.order.push(name);
            let kind = kind(self);
            self.known.insert(name, Type { name, about: about.trim(), kind });
        }
        Shape::Named(name)
    }

    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Type> {
        self.known.get(name)
    }

    /// The types, each before those that only it leads to.
    pub fn iter(&self) -> impl Iterator<Item = &Type> {
        self.order.iter().filter_map(|name| self.known.get(name))
    }
}

/// A default as a file would state it.
pub(crate) fn written<T: Serialize>(default: &T) -> Value {
    serde_json::to_value(default).unwrap_or(Value::Null)
}

/// Implements [`Field`] for types without inputs.
macro_rules! plain_field {
    ($($ty:ty => |$types:pat_param| $shape:expr;)*) => {$(
        impl $crate::input::Field for $ty {
            fn walk(&self, _: &'static $crate::input::Decl, _: &mut dyn $crate::input::Visitor) {}
            fn walk_mut(&mut self, _: &'static $crate::input::Decl, _: &mut dyn $crate::input::VisitorMut) {}
            fn shape($types: &mut $crate::input::Types) -> $crate::input::Shape {
                $shape
            }
        }
    )*};
}
pub(crate) use plain_field;

plain_field! {
    String => |_| Shape::Text;
    bool => |_| Shape::YesNo;
    u32 => |_| Shape::Count;
    Exact => |_| Shape::Number;
}

/// The fields of an input that is written with more than its value.
const INPUT: [Decl; 5] = [
    Decl::of_input("value", "Value", "The value that the figures rest on."),
    Decl::of_input("low", "Low", "The least value thought possible; it needs the greatest as well."),
    Decl::of_input("high", "High", "The greatest value thought possible; it needs the least as well."),
    Decl::of_input("distribution", "Distribution", "How the range is spread, for draws."),
    Decl::of_input("evidence", "Evidence", "What the input rests on; without it the input counts as assumed."),
];
static INPUT_DECLS: [Decl; 5] = INPUT;

impl Field for Input {
    fn walk(&self, decl: &'static Decl, visitor: &mut dyn Visitor) {
        visitor.input(decl, self);
    }

    fn walk_mut(&mut self, decl: &'static Decl, visitor: &mut dyn VisitorMut) {
        visitor.input(decl, self);
    }

    fn shape(types: &mut Types) -> Shape {
        types.define("Input", "A number with its range and its evidence (method, §3).", |types| {
            let (distribution, evidence) = (Distribution::shape(types), Evidence::shape(types));
            let shapes = [Shape::Number, Shape::Number, Shape::Number, distribution, evidence];
            let defaults =
                [None, Some(Value::Null), Some(Value::Null), Some(written(&Distribution::Pert)), Some(Value::Null)];
            let fields = INPUT_DECLS.iter().zip(shapes).zip(defaults);
            Kind::Input(fields.map(|((decl, shape), default)| FieldType { decl, shape, default }).collect())
        });
        Shape::Input
    }
}

/// How the value of a field of a record is read. Counts may stand bare or in quotes, as every number may; the methods of
/// their own types go before the one that all types have.
pub(crate) struct Stated<T>(std::marker::PhantomData<T>);

impl<T> Stated<T> {
    pub(crate) fn new() -> Self {
        Self(std::marker::PhantomData)
    }
}

impl Stated<u32> {
    pub(crate) fn next_of<'de, A: MapAccess<'de>>(self, entries: &mut A) -> Result<u32, A::Error> {
        entries.next_value::<Count>().map(|count| count.0)
    }
}

impl Stated<Option<u32>> {
    pub(crate) fn next_of<'de, A: MapAccess<'de>>(self, entries: &mut A) -> Result<Option<u32>, A::Error> {
        entries.next_value::<Option<Count>>().map(|count| count.map(|count| count.0))
    }
}

/// See [`Stated`].
pub(crate) trait AnyStated<T> {
    fn next_of<'de, A: MapAccess<'de>>(self, entries: &mut A) -> Result<T, A::Error>
    where
        T: Deserialize<'de>;
}

impl<T> AnyStated<T> for Stated<T> {
    fn next_of<'de, A: MapAccess<'de>>(self, entries: &mut A) -> Result<T, A::Error>
    where
        T: Deserialize<'de>,
    {
        entries.next_value()
    }
}

/// A count, bare or in quotes.
struct Count(u32);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CountVisitor)
    }
}

struct CountVisitor;

impl DeVisitor<'_> for CountVisitor {
    type Value = Count;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a whole number from 0 on, for example 60")
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Count, E> {
        u32::try_from(value)
            .map(Count)
            .map_err(|_| E::custom(format!("{value} is too large to count; write a smaller whole number")))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Count, E> {
        let count = u64::try_from(value)
            .map_err(|_| E::custom(format!("{value} is below 0; write a whole number from 0 on")))?;
        self.visit_u64(count)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Count, E> {
        Err(E::custom(format!("{value} is not a whole number that can be counted; write one such as 60")))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Count, E> {
        let whole = Exact::parse(text).ok().and_then(Exact::as_whole);
        match whole {
            Some(whole) => self.visit_i64(whole),
            None => Err(E::custom(format!("{text:?} is not a whole number; write one such as 60"))),
        }
    }
}

impl<T: Field> Field for Option<T> {
    fn walk(&self, decl: &'static Decl, visitor: &mut dyn Visitor) {
        if let Some(value) = self {
            value.walk(decl, visitor);
        }
    }

    fn walk_mut(&mut self, decl: &'static Decl, visitor: &mut dyn VisitorMut) {
        if let Some(value) = self {
            value.walk_mut(decl, visitor);
        }
    }

    fn shape(types: &mut Types) -> Shape {
        Shape::Optional(Box::new(T::shape(types)))
    }
}

impl<T: Field> Field for Vec<T> {
    fn walk(&self, decl: &'static Decl, visitor: &mut dyn Visitor) {
        for (position, value) in self.iter().enumerate() {
            match value.element() {
                Some((id, name, currency)) => visitor.enter(Segment::Element { id, name, currency }),
                None => visitor.enter(Segment::Position(position)),
            }
            value.walk(decl, visitor);
            visitor.leave();
        }
    }

    fn walk_mut(&mut self, decl: &'static Decl, visitor: &mut dyn VisitorMut) {
        for (position, value) in self.iter_mut().enumerate() {
            match value.element() {
                Some((id, name, currency)) => visitor.enter(Segment::Element { id, name, currency }),
                None => visitor.enter(Segment::Position(position)),
            }
            value.walk_mut(decl, visitor);
            visitor.leave();
        }
    }

    fn shape(types: &mut Types) -> Shape {
        Shape::List(Box::new(T::shape(types)))
    }
}

/// Values by name, in the order of the names; a name given twice is refused when read.
#[derive(Clone, PartialEq, Debug)]
pub struct Map<T>(pub BTreeMap<String, T>);

impl<T> Default for Map<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T> Map<T> {
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&T> {
        self.0.get(key)
    }
}

impl<T: Field> Field for Map<T> {
    fn walk(&self, decl: &'static Decl, visitor: &mut dyn Visitor) {
        for (key, value) in &self.0 {
            visitor.enter(Segment::Element { id: key, name: key, currency: None });
            value.walk(decl, visitor);
            visitor.leave();
        }
    }

    fn walk_mut(&mut self, decl: &'static Decl, visitor: &mut dyn VisitorMut) {
        for (key, value) in &mut self.0 {
            visitor.enter(Segment::Element { id: key, name: key, currency: None });
            value.walk_mut(decl, visitor);
            visitor.leave();
        }
    }

    fn shape(types: &mut Types) -> Shape {
        Shape::Map(Box::new(T::shape(types)))
    }
}

impl<T: Serialize> Serialize for Map<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Map<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> DeVisitor<'de> for Entries<T> {
            type Value = Map<T>;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a map from names to values")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Map<T>, A::Error> {
                let mut map = BTreeMap::new();
                while let Some(key) = entries.next_key::<String>()? {
                    if map.contains_key(&key) {
                        return Err(de::Error::custom(format!(
                            "the key {key:?} stands twice in one map; keep one of them"
                        )));
                    }
                    let value = entries.next_value()?;
                    map.insert(key, value);
                }
                Ok(Map(map))
            }
        }
        deserializer.deserialize_map(Entries(std::marker::PhantomData))
    }
}

/// A key of a record, checked against the record's fields where it is read, so that a reader's error points at it.
pub(crate) struct KeySeed {
    pub record: &'static str,
    pub fields: &'static [&'static str],
}

impl<'de> de::DeserializeSeed<'de> for KeySeed {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl DeVisitor<'_> for KeySeed {
    type Value = usize;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "a field of {}", self.record)
    }

    fn visit_str<E: de::Error>(self, key: &str) -> Result<usize, E> {
        self.fields.iter().position(|field| *field == key).ok_or_else(|| {
            E::custom(format!("unknown field `{key}` in {}; its fields are {}", self.record, self.fields.join(", ")))
        })
    }
}

impl Serialize for Input {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(detail) = &self.detail else {
            return self.value.serialize(serializer);
        };
        let Detail { range, distribution, evidence } = &**detail;
        let mut record = serializer.serialize_struct("Input", 5)?;
        record.serialize_field("value", &self.value)?;
        if let Some(range) = range {
            record.serialize_field("low", &range.low)?;
            record.serialize_field("high", &range.high)?;
        }
        if *distribution != Distribution::default() {
            record.serialize_field("distribution", distribution)?;
        }
        if let Some(evidence) = evidence {
            record.serialize_field("evidence", evidence)?;
        }
        record.end()
    }
}

impl<'de> Deserialize<'de> for Input {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(InputVisitor)
    }
}

struct InputVisitor;

impl<'de> DeVisitor<'de> for InputVisitor {
    type Value = Input;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{EXPECTED_NUMBER}, or (value: …, low: …, high: …, distribution: …, evidence: …)")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Input, E> {
        ExactVisitor.visit_str(text).map(Input::plain)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Input, E> {
        ExactVisitor.visit_i64(value).map(Input::plain)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Input, E> {
        ExactVisitor.visit_u64(value).map(Input::plain)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Input, E> {
        ExactVisitor.visit_f64(value).map(Input::plain)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Input, A::Error> {
        const FIELDS: &[&str] = &[INPUT[0].name, INPUT[1].name, INPUT[2].name, INPUT[3].name, INPUT[4].name];
        let (mut value, mut low, mut high): (Option<Exact>, Option<Exact>, Option<Exact>) = (None, None, None);
        let (mut distribution, mut evidence): (Option<Distribution>, Option<Option<Evidence>>) = (None, None);
        while let Some(key) = entries.next_key_seed(KeySeed { record: "an input", fields: FIELDS })? {
            let twice = match key {
                0 => value.replace(entries.next_value()?).is_some(),
                1 => low.replace(entries.next_value()?).is_some(),
                2 => high.replace(entries.next_value()?).is_some(),
                3 => distribution.replace(entries.next_value()?).is_some(),
                _ => evidence.replace(entries.next_value()?).is_some(),
            };
            if twice {
                return Err(de::Error::custom(format!("the field `{}` stands twice; keep one of them", FIELDS[key])));
            }
        }
        let value = value.ok_or_else(|| de::Error::custom("an input written as a record needs its `value`"))?;
        let range = match (low, high) {
            (Some(low), Some(high)) => Some(Range { low, high }),
            (None, None) => None,
            _ => return Err(de::Error::custom("an input has both `low` and `high` or neither; add the missing one")),
        };
        let detail = Detail { range, distribution: distribution.unwrap_or_default(), evidence: evidence.flatten() };
        let mut input = Input { value, detail: Some(Box::new(detail)), traced: Traced(0) };
        input.tidy();
        Ok(input)
    }
}

/// Declares a record of the scenario: its type, how it is read and written, and the one declaration of each field.
///
/// `field: Type = default => "Label", unit, bounds;` may be left out of a file; without a default it is required. The doc
/// comment is the help shown to people.
macro_rules! record {
    (
        $(#[doc = $about:literal])+
        $vis:vis struct $Name:ident $([$id:ident, $title:ident $(, $currency:ident)?])? {
            $(
                $(#[doc = $help:literal])+
                $field:ident : $ty:ty $(= $default:expr)? => $label:literal $(, $unit:expr, $bounds:expr $(, $shown:literal)?)? ;
            )*
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, PartialEq, Debug)]
        $vis struct $Name { $( $(#[doc = $help])+ pub $field: $ty, )* }

        #[allow(non_upper_case_globals)]
        impl $Name {
            /// The names of the fields, in the order of the file.
            pub const FIELDS: &'static [&'static str] = &[$(stringify!($field)),*];

            /// The declarations of the fields, in the order of the file.
            pub fn decls() -> &'static [$crate::input::Decl] {
                static DECLS: &[$crate::input::Decl] = &[$(
                    $crate::input::Decl {
                        name: stringify!($field),
                        label: $label,
                        unit: $crate::input::record!(@unit $($unit)?),
                        bounds: $crate::input::record!(@bounds $($bounds)?),
                        help: concat!($($help),+),
                        default: $crate::input::record!(@shown $($($shown)?)?),
                    },
                )*];
                DECLS
            }
        }

        impl $crate::input::Field for $Name {
            #[allow(unused_variables, unused_assignments, unused_mut)]
            fn walk(&self, _: &'static $crate::input::Decl, visitor: &mut dyn $crate::input::Visitor) {
                let mut decls = Self::decls().iter();
                $(
                    if let Some(decl) = decls.next() {
                        visitor.enter($crate::input::Segment::Field(decl));
                        $crate::input::Field::walk(&self.$field, decl, visitor);
                        visitor.leave();
                    }
                )*
            }

            #[allow(unused_variables, unused_assignments, unused_mut)]
            fn walk_mut(&mut self, _: &'static $crate::input::Decl, visitor: &mut dyn $crate::input::VisitorMut) {
                let mut decls = Self::decls().iter();
                $(
                    if let Some(decl) = decls.next() {
                        visitor.enter($crate::input::Segment::Field(decl));
                        $crate::input::Field::walk_mut(&mut self.$field, decl, visitor);
                        visitor.leave();
                    }
                )*
            }

            #[allow(unused_mut)]
            fn shape(types: &mut $crate::input::Types) -> $crate::input::Shape {
                types.define(stringify!($Name), concat!($($about),+), |types| {
                    let mut decls = Self::decls().iter();
                    let mut fields = Vec::new();
                    $(
                        if let Some(decl) = decls.next() {
                            let shape = <$ty as $crate::input::Field>::shape(types);
                            let default = $crate::input::record!(@default $ty $(, $default)?);
                            fields.push($crate::input::FieldType { decl, shape, default });
                        }
                    )*
                    $crate::input::Kind::Record { fields, id: $crate::input::record!(@id $($id)?) }
                })
            }

            $(
                fn element(&self) -> Option<(&str, &str, Option<&str>)> {
                    #[allow(unused_mut, unused_assignments)]
                    let mut currency = None;
                    $( currency = self.$currency.as_deref(); )?
                    Some((&self.$id, &self.$title, currency))
                }
            )?
        }

        impl serde::Serialize for $Name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeStruct as _;
                let mut record = serializer.serialize_struct(stringify!($Name), Self::FIELDS.len())?;
                $( $crate::input::record!(@write record, self.$field, stringify!($field), $ty $(, $default)?); )*
                record.end()
            }
        }

        impl<'de> serde::Deserialize<'de> for $Name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Reader;
                impl<'de> serde::de::Visitor<'de> for Reader {
                    type Value = $Name;

                    fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        out.write_str(concat!("a record ", stringify!($Name)))
                    }

                    #[allow(unused_assignments)]
                    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut entries: A) -> Result<$Name, A::Error> {
                        $( let mut $field: Option<$ty> = None; )*
                        let seed = || $crate::input::KeySeed { record: stringify!($Name), fields: $Name::FIELDS };
                        while let Some(key) = entries.next_key_seed(seed())? {
                            let mut position = 0;
                            $(
                                if key == position {
                                    if $field.is_some() {
                                        return Err(serde::de::Error::custom(concat!(
                                            "the field `", stringify!($field), "` stands twice; keep one of them"
                                        )));
                                    }
                                    $field = Some({
                                        #[allow(unused_imports)]
                                        use $crate::input::AnyStated as _;
                                        $crate::input::Stated::<$ty>::new().next_of(&mut entries)?
                                    });
                                    continue;
                                }
                                position += 1;
                            )*
                        }
                        Ok($Name { $(
                            $field: match $field {
                                Some(value) => value,
                                None => $crate::input::record!(@missing $Name, $field $(, $default)?),
                            },
                        )* })
                    }
                }
                deserializer.deserialize_struct(stringify!($Name), $Name::FIELDS, Reader)
            }
        }
    };
    (@unit) => { $crate::input::Unit::None };
    (@unit $unit:expr) => { $unit };
    (@bounds) => { $crate::input::Bounds::ANY };
    (@bounds $bounds:expr) => { $bounds };
    (@shown) => { "" };
    (@shown $shown:literal) => { $shown };
    (@default $ty:ty) => { None };
    (@default $ty:ty, $default:expr) => {{
        let default: $ty = $default;
        Some($crate::input::written(&default))
    }};
    (@id) => { None };
    (@id $id:ident) => { Some(stringify!($id)) };
    (@write $record:ident, $value:expr, $name:expr, $ty:ty) => { $record.serialize_field($name, &$value)?; };
    (@write $record:ident, $value:expr, $name:expr, $ty:ty, $default:expr) => {
        let default: $ty = $default;
        if $value == default {
            $record.skip_field($name)?;
        } else {
            $record.serialize_field($name, &$value)?;
        }
    };
    (@missing $Name:ident, $field:ident) => {
        return Err(serde::de::Error::custom(concat!(
            "the field `", stringify!($field), "` of ", stringify!($Name), " is missing; it is required"
        )))
    };
    (@missing $Name:ident, $field:ident, $default:expr) => { $default };
}
pub(crate) use record;

/// Declares an enumeration whose variants hold one value each, or nothing; the names of variants are left out of paths.
macro_rules! variants {
    (
        $(#[doc = $about:literal])+
        $vis:vis enum $Name:ident {
            $( $(#[doc = $help:literal])+ $Variant:ident $(($ty:ty))? => $label:literal $(, of $list:literal)?, )*
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
        $vis enum $Name { $( $(#[doc = $help])+ $Variant $(($ty))?, )* }

        impl $Name {
            /// What people read for the variant.
            #[must_use]
            pub fn label(&self) -> &'static str {
                match self { $( $crate::input::record_variant!(@any $Name, $Variant $(, $ty)?) => $label, )* }
            }
        }

        impl $crate::input::Field for $Name {
            #[allow(unused_variables)]
            fn walk(&self, decl: &'static $crate::input::Decl, visitor: &mut dyn $crate::input::Visitor) {
                $( $crate::input::record_variant!(@walk $Name, $Variant, self, walk, decl, visitor $(, $ty)?); )*
            }

            #[allow(unused_variables)]
            fn walk_mut(&mut self, decl: &'static $crate::input::Decl, visitor: &mut dyn $crate::input::VisitorMut) {
                $( $crate::input::record_variant!(@walk $Name, $Variant, self, walk_mut, decl, visitor $(, $ty)?); )*
            }

            fn shape(types: &mut $crate::input::Types) -> $crate::input::Shape {
                types.define(stringify!($Name), concat!($($about),+), |_types| {
                    $crate::input::Kind::Variants(vec![$(
                        $crate::input::VariantType {
                            name: stringify!($Variant),
                            label: $label,
                            help: concat!($($help),+),
                            holds: $crate::input::record_variant!(@holds _types $(, $ty)?),
                            ids_of: $crate::input::record_variant!(@ids $($list)?),
                        },
                    )*])
                })
            }
        }
    };
}
pub(crate) use variants;

macro_rules! record_variant {
    (@any $Name:ident, $Variant:ident) => {
        $Name::$Variant
    };
    (@any $Name:ident, $Variant:ident, $ty:ty) => {
        $Name::$Variant(_)
    };
    (@walk $Name:ident, $Variant:ident, $value:expr, $walk:ident, $decl:ident, $visitor:ident) => {};
    (@walk $Name:ident, $Variant:ident, $value:expr, $walk:ident, $decl:ident, $visitor:ident, $ty:ty) => {
        if let $Name::$Variant(inner) = $value {
            $crate::input::Field::$walk(inner, $decl, $visitor);
        }
    };
    (@ids) => {
        None
    };
    (@ids $list:literal) => {
        Some($list)
    };
    (@holds $types:ident) => {
        None
    };
    (@holds $types:ident, $ty:ty) => {
        Some(<$ty as $crate::input::Field>::shape($types))
    };
}
pub(crate) use record_variant;

/// Declares an enumeration of names, each with what people read for it.
macro_rules! choice {
    (
        $(#[doc = $about:literal])+
        $vis:vis enum $Name:ident { $( $(#[$($mark:tt)+])* $Variant:ident => $label:literal, )* }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, serde::Serialize, serde::Deserialize)]
        $vis enum $Name { $( $(#[$($mark)+])* $Variant, )* }

        impl $Name {
            /// Every value, in the order of its declaration.
            pub const ALL: &'static [Self] = &[$(Self::$Variant),*];

            /// The name in files.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $( Self::$Variant => stringify!($Variant), )* }
            }

            /// What people read.
            #[must_use]
            pub fn label(self) -> &'static str {
                match self { $( Self::$Variant => $label, )* }
            }
        }

        $crate::input::plain_field! {
            $Name => |types| types.define(stringify!($Name), concat!($($about),+), |_| {
                $crate::input::Kind::Choice(vec![$(
                    $crate::input::VariantType {
                        name: stringify!($Variant),
                        label: $label,
                        help: $crate::input::choice!(@help $(#[$($mark)+])*),
                        holds: None,
                        ids_of: None,
                    },
                )*])
            });
        }
    };
    (@help $(#[doc = $help:literal])*) => { concat!($($help),*) };
    (@help $(#[doc = $help:literal])* #[default]) => { concat!($($help),*) };
}
pub(crate) use choice;

choice! {
    /// How the range of an input is spread (method, §3).
    pub enum Distribution {
        /// Low and high are the bounds; a smooth curve between them, highest at the value.
        #[default] Pert => "PERT",
        /// Low and high are the bounds; straight lines between them, highest at the value.
        Triangular => "Triangular",
        /// Low and high are the bounds; every value between them is as likely.
        Uniform => "Uniform",
        /// Low and high are the 5th and 95th percentiles.
        Normal => "Normal",
        /// Low and high are the 5th and 95th percentiles.
        LogNormal => "Log-normal",
    }
}

choice! {
    /// Where an input comes from.
    pub enum EvidenceKind {
        Measured => "Measured",
        Quoted => "Quoted",
        Published => "Published",
        #[default] Assumed => "Assumed",
    }
}

choice! {
    /// How far an input is trusted.
    pub enum Confidence {
        High => "High",
        #[default] Medium => "Medium",
        Low => "Low",
    }
}

record! {
    /// What an input rests on: its kind, source, owner and dates.
    pub struct Evidence {
        /// Measured, quoted, published or assumed.
        kind: EvidenceKind => "Kind";
        /// The document, export or offer it was read from.
        source: String = String::new() => "Source";
        /// Who answers for it.
        owner: String = String::new() => "Owner";
        /// How far it is trusted.
        confidence: Option<Confidence> = None => "Confidence";
        /// The date it held, as year-month-day.
        as_of: Option<String> = None => "As of", Unit::Date, Bounds::ANY;
        /// The date by which it must be looked at again.
        review_by: Option<String> = None => "Review by", Unit::Date, Bounds::ANY;
    }
}
