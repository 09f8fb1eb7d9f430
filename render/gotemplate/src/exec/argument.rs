//! Arguments: evaluated, and held against the type that the parameter wants.

use super::machine::{Machine, Node};
use super::{Exec, Item};
use crate::tree::{Number, Term, TermKind};
use crate::types::{Kind, Type, can_be_nil};
use crate::value::Value;

impl<'a> Machine<'a> {
    pub(super) fn argument(&mut self, term: &'a Term, wanted: &Type) -> Exec<Item> {
        self.node = Node::Term(term);
        match &term.kind {
            TermKind::Dot => {
                let dot = self.dot.clone();
                self.validate(dot, wanted)
            }
            TermKind::Nil if can_be_nil(wanted) => Ok(Item::plain(wanted.zero())),
            TermKind::Nil => Err(self.fail(format_args!("cannot assign nil to {wanted}"))),
            TermKind::Bool(_) | TermKind::Number(_) | TermKind::String(_) => {
                self.typed_constant(term, wanted).map(Item::plain)
            }
            _ => {
                let item = self.untyped(term)?;
                self.validate(item, wanted)
            }
        }
    }

    /// A word that is no constant, where no type is wanted.
    pub(super) fn untyped(&mut self, term: &'a Term) -> Exec<Item> {
        self.node = Node::Term(term);
        match &term.kind {
            TermKind::Field(fields) => self.fields_of_dot(fields, term, &[], None),
            TermKind::Variable(number, fields) => {
                self.variable_fields(term, *number, fields, &[], None)
            }
            TermKind::Pipe(pipe) => {
                self.node = Node::Pipe(pipe);
                self.nested_pipeline(pipe).map(Item::plain)
            }
            TermKind::Function(callee) => self.call(callee, Node::Term(term), &[], None),
            TermKind::Chain(inner, fields) => self.chain(term, inner, fields, &[], None),
            TermKind::Dot => Ok(self.dot.clone()),
            _ => self.constant(term).map(Item::plain),
        }
    }

    /// Holds a value against the type that is wanted.
    pub(super) fn validate(&mut self, item: Item, wanted: &Type) -> Exec<Item> {
        let Item { value, boxed } = item;
        if matches!(wanted, Type::Reflect) {
            return Ok(Item { value, boxed });
        }
        if let Value::Missing = value {
            if can_be_nil(wanted) {
                return Ok(Item::plain(wanted.zero()));
            }
            return Err(self.fail(format_args!("invalid value; expected {wanted}")));
        }
        match wanted.assign(value) {
            Ok(value) => Ok(Item { value, boxed }),
            Err(value) => {
                let got = value.type_of().unwrap_or(Type::Any);
                Err(self.fail(format_args!(
                    "wrong type for value; expected {wanted}; got {got}"
                )))
            }
        }
    }

    fn typed_constant(&mut self, term: &'a Term, wanted: &Type) -> Exec<Value> {
        let what = match wanted.kind() {
            _ if matches!(wanted, Type::Any | Type::Reflect) => return self.constant(term),
            Kind::Bool => "bool",
            Kind::Complex128 => "complex",
            Kind::Float32 | Kind::Float64 => "float",
            Kind::String => "string",
            kind if kind.is_signed() => "integer",
            kind if kind.is_unsigned() => "unsigned integer",
            _ => {
                let shown = self.template.source.show_term(term);
                return Err(self.fail(format_args!(
                    "can't handle {shown} for arg of type {wanted}"
                )));
            }
        };
        let value = match (&term.kind, wanted.kind()) {
            (TermKind::Bool(x), Kind::Bool) => Some(Value::Bool(*x)),
            (TermKind::String(text), Kind::String) => Some(text.clone()),
            (TermKind::Number(number), kind) => number_as(number, kind),
            _ => None,
        };
        value.ok_or_else(|| {
            let shown = self.template.source.show_term(term);
            self.fail(format_args!("expected {what}; found {shown}"))
        })
    }
}

/// A number as another kind; what does not fit a narrow one is cut, as Go does.
#[allow(
    clippy::cast_possible_truncation,
    reason = "Go sets narrow integers in the same way"
)]
fn number_as(number: &Number, kind: Kind) -> Option<Value> {
    Some(match kind {
        Kind::Int => Value::Int(number.int?),
        Kind::Int8 => Value::Int8(number.int? as i8),
        Kind::Int16 => Value::Int16(number.int? as i16),
        Kind::Int32 => Value::Int32(number.int? as i32),
        Kind::Int64 => Value::Int64(number.int?),
        Kind::Uint => Value::Uint(number.uint?),
        Kind::Uint8 => Value::Uint8(number.uint? as u8),
        Kind::Uint16 => Value::Uint16(number.uint? as u16),
        Kind::Uint32 => Value::Uint32(number.uint? as u32),
        Kind::Uint64 => Value::Uint64(number.uint?),
        Kind::Float32 => Value::Float32(number.float? as f32),
        Kind::Float64 => Value::Float64(number.float?),
        Kind::Complex128 => {
            let (re, im) = number.complex?;
            Value::Complex(re, im)
        }
        _ => return None,
    })
}
