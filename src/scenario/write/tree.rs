//! A scenario as a tree of values, with the difference between records and maps, names and texts kept.
//!
//! Nothing here knows how the tree is spelled.

use std::fmt;

use serde::ser::{self, Serialize};

/// A value of a scenario.
#[derive(Clone, PartialEq, Debug)]
pub enum Tree {
    Text(String),
    /// A whole number or a truth value.
    Bare(String),
    /// A variant without content.
    Name(&'static str),
    None,
    Some(Box<Tree>),
    List(Vec<Tree>),
    Map(Vec<(String, Tree)>),
    Record(Vec<(&'static str, Tree)>),
    Variant(&'static str, Box<Tree>),
}

impl Tree {
    /// What names this element in a list: its id, or the class of an assignment.
    pub fn id(&self) -> Option<&str> {
        let Self::Record(fields) = self else { return None };
        fields.iter().find_map(|(name, value)| match value {
            Self::Text(text) if matches!(*name, "id" | "workload") => Some(text.as_str()),
            _ => None,
        })
    }

    /// A number in quotes becomes a bare one, if it is written as a whole number.
    pub fn unquote(&mut self) {
        if let Self::Text(text) = self
            && !text.is_empty()
            && text.strip_prefix('-').unwrap_or(text).bytes().all(|byte| byte.is_ascii_digit())
        {
            *self = Self::Bare(std::mem::take(text));
        }
    }
}

/// Builds the tree of a value.
#[derive(Clone, Copy)]
pub struct Builder;

/// A value of a type that no scenario holds.
#[derive(Debug)]
pub struct Unexpected(String);

impl fmt::Display for Unexpected {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for Unexpected {}

impl ser::Error for Unexpected {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

fn unexpected<T>(what: &str) -> Result<T, Unexpected> {
    Err(Unexpected(format!("a scenario holds no {what}")))
}

type Built = Result<Tree, Unexpected>;

/// Values that a scenario never holds.
macro_rules! never {
    ($($method:ident($($ty:ty),*) $what:literal;)*) => {$(
        fn $method(self $(, _: $ty)*) -> Built { unexpected($what) }
    )*};
}

macro_rules! bare {
    ($($method:ident($ty:ty);)*) => {$(
        fn $method(self, value: $ty) -> Built { Ok(Tree::Bare(value.to_string())) }
    )*};
}

impl ser::Serializer for Builder {
    type Ok = Tree;
    type Error = Unexpected;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = ser::Impossible<Tree, Unexpected>;
    type SerializeMap = Entries;
    type SerializeStruct = Fields;
    type SerializeStructVariant = ser::Impossible<Tree, Unexpected>;

    bare! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
    }

    never! {
        serialize_f32(f32) "binary floating point number";
        serialize_f64(f64) "binary floating point number";
        serialize_bytes(&[u8]) "bytes";
        serialize_unit() "unit";
        serialize_unit_struct(&'static str) "unit";
    }

    fn serialize_char(self, value: char) -> Built {
        Ok(Tree::Text(value.into()))
    }

    fn serialize_str(self, value: &str) -> Built {
        Ok(Tree::Text(value.into()))
    }

    fn serialize_none(self) -> Built {
        Ok(Tree::None)
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Built {
        Ok(Tree::Some(Box::new(value.serialize(self)?)))
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Built {
        Ok(Tree::Name(variant))
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _: &'static str, value: &T) -> Built {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Built {
        Ok(Tree::Variant(variant, Box::new(value.serialize(self)?)))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Items, Unexpected> {
        Ok(Items(Vec::with_capacity(length.unwrap_or(0))))
    }

    fn serialize_tuple(self, length: usize) -> Result<Items, Unexpected> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Items, Unexpected> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Unexpected> {
        unexpected("variant of several values")
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries, Unexpected> {
        Ok(Entries { entries: Vec::new(), key: String::new() })
    }

    fn serialize_struct(self, _: &'static str, length: usize) -> Result<Fields, Unexpected> {
        Ok(Fields(Vec::with_capacity(length)))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Unexpected> {
        unexpected("variant with fields")
    }
}

/// The elements of a list.
pub struct Items(Vec<Tree>);

impl ser::SerializeSeq for Items {
    type Ok = Tree;
    type Error = Unexpected;

    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Unexpected> {
        self.0.push(value.serialize(Builder)?);
        Ok(())
    }

    fn end(self) -> Built {
        Ok(Tree::List(self.0))
    }
}

impl ser::SerializeTuple for Items {
    type Ok = Tree;
    type Error = Unexpected;

    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Unexpected> {
        ser::SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Built {
        ser::SerializeSeq::end(self)
    }
}

impl ser::SerializeTupleStruct for Items {
    type Ok = Tree;
    type Error = Unexpected;

    fn serialize_field<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Unexpected> {
        ser::SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Built {
        ser::SerializeSeq::end(self)
    }
}

/// The entries of a map.
pub struct Entries {
    entries: Vec<(String, Tree)>,
    key: String,
}

impl ser::SerializeMap for Entries {
    type Ok = Tree;
    type Error = Unexpected;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), Unexpected> {
        self.key = match key.serialize(Builder)? {
            Tree::Text(text) => text,
            _ => return unexpected("map key that is not text"),
        };
        Ok(())
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Unexpected> {
        let value = value.serialize(Builder)?;
        self.entries.push((std::mem::take(&mut self.key), value));
        Ok(())
    }

    fn end(self) -> Built {
        Ok(Tree::Map(self.entries))
    }
}

/// The fields of a record that are written.
pub struct Fields(Vec<(&'static str, Tree)>);

impl ser::SerializeStruct for Fields {
    type Ok = Tree;
    type Error = Unexpected;

    fn serialize_field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<(), Unexpected> {
        self.0.push((name, value.serialize(Builder)?));
        Ok(())
    }

    fn end(self) -> Built {
        Ok(Tree::Record(self.0))
    }
}
