//! Fields, keys and methods, one after another along a chain.

use super::machine::{Machine, Node};
use super::{Exec, Item};
use crate::fmt::quoted_bytes;
use crate::set::MissingKey;
use crate::tree::{Callee, Term};
use crate::types::{Kind, Type};
use crate::value::{Map, Object, Str, Value};

impl<'a> Machine<'a> {
    /// `.a.b`, with arguments for a method at its end.
    pub(super) fn fields_of_dot(
        &mut self,
        fields: &'a [Str],
        term: &'a Term,
        args: &'a [Term],
        last: Option<Value>,
    ) -> Exec<Item> {
        if let Value::Map(map) = &self.dot.value
            && args.is_empty()
            && last.is_none()
            && let Some((value, boxed)) = map.path(fields)
        {
            return Ok(Item { value, boxed });
        }
        let dot = self.dot.clone();
        self.fields(dot, fields, term, args, last)
    }

    /// `$x.a.b`
    pub(super) fn variable_fields(
        &mut self,
        term: &'a Term,
        number: u32,
        fields: &'a [Str],
        args: &'a [Term],
        last: Option<Value>,
    ) -> Exec<Item> {
        self.node = Node::Term(term);
        let item = self.variable(number)?;
        if fields.is_empty() {
            let item = item.clone();
            self.takes_no_argument(term, args, last.as_ref())?;
            return Ok(item);
        }
        if let Value::Map(map) = &item.value
            && args.is_empty()
            && last.is_none()
            && let Some((value, boxed)) = map.path(fields)
        {
            return Ok(Item { value, boxed });
        }
        let item = item.clone();
        self.fields(item, fields, term, args, last)
    }

    /// `(pipeline).a.b` and `function.a.b`
    pub(super) fn chain(
        &mut self,
        term: &'a Term,
        inner: &'a Term,
        fields: &'a [Str],
        args: &'a [Term],
        last: Option<Value>,
    ) -> Exec<Item> {
        self.node = Node::Term(term);
        let start = self.untyped(inner)?;
        self.fields(start, fields, term, args, last)
    }

    fn fields(
        &mut self,
        mut item: Item,
        fields: &'a [Str],
        term: &'a Term,
        args: &'a [Term],
        last: Option<Value>,
    ) -> Exec<Item> {
        let Some((end, way)) = fields.split_last() else {
            return Ok(item);
        };
        for name in way {
            item = self.field(&item, name, term, &[], None)?;
        }
        self.field(&item, end, term, args, last)
    }

    fn field(
        &mut self,
        item: &Item,
        name: &'a Str,
        term: &'a Term,
        args: &'a [Term],
        last: Option<Value>,
    ) -> Exec<Item> {
        let has_args = !args.is_empty() || last.is_some();
        match &item.value {
            Value::Missing => {
                if self.set.missing() == MissingKey::Error {
                    let key = quoted_bytes(name.as_bytes(), false);
                    return Err(self.fail(format_args!("nil data; no entry for key {key}")));
                }
                Ok(Item::plain(Value::Missing))
            }
            Value::Nil => {
                Err(self.fail(format_args!("nil pointer evaluating interface {{}}.{name}")))
            }
            Value::Map(map) => self.key(map, name, has_args),
            Value::Object(object) => {
                let object = &**object;
                if let Some(method) = object.method(&name.to_text()) {
                    let callee = Callee::Function(method.into());
                    return self.call_method(&callee, Node::Term(term), args, last);
                }
                self.field_of(item, object, name, has_args)
            }
            Value::NilOf(of) => match &**of {
                Type::Map(element) => {
                    let empty = Map::typed(Type::clone(element));
                    self.key(&empty, name, has_args)
                }
                of if of.kind() == Kind::Ptr => {
                    let shown = static_type(item);
                    Err(self.fail(format_args!("nil pointer evaluating {shown}.{name}")))
                }
                _ => Err(self.no_field(item, name)),
            },
            _ => Err(self.no_field(item, name)),
        }
    }

    fn key(&mut self, map: &Map, name: &Str, has_args: bool) -> Exec<Item> {
        if has_args {
            return Err(self.fail(format_args!("{name} is not a method but has arguments")));
        }
        let boxed = *map.element() == Type::Any;
        if let Some(value) = map.get(name.as_bytes()) {
            return Ok(Item { value, boxed });
        }
        match self.set.missing() {
            MissingKey::Default => Ok(Item::plain(Value::Missing)),
            MissingKey::Zero => Ok(Item {
                value: map.element().zero(),
                boxed,
            }),
            MissingKey::Error => {
                let key = quoted_bytes(name.as_bytes(), false);
                Err(self.fail(format_args!("map has no entry for key {key}")))
            }
        }
    }

    fn field_of(
        &mut self,
        item: &Item,
        object: &dyn Object,
        name: &Str,
        has_args: bool,
    ) -> Exec<Item> {
        if let Some(Value::Map(map)) = object.underlying() {
            return self.key(&map, name, has_args);
        }
        match object.field(&name.to_text()) {
            Some(_) if has_args => Err(self.fail(format_args!(
                "{name} has arguments but cannot be invoked as function"
            ))),
            Some(value) => Ok(Item::plain(value)),
            // It is printed, so it is there, but a template may not have it.
            None if object.fields().iter().any(|(own, _)| *name == **own) => {
                let shown = static_type(item);
                Err(self.fail(format_args!(
                    "{name} is an unexported field of struct type {shown}"
                )))
            }
            None => Err(self.no_field(item, name)),
        }
    }

    #[cold]
    fn no_field(&self, item: &Item, name: &Str) -> Box<crate::Error> {
        let shown = static_type(item);
        self.fail(format_args!("can't evaluate field {name} in type {shown}"))
    }
}

/// The type that Go knows before looking into an interface.
fn static_type(item: &Item) -> Type {
    match item.value.type_of() {
        Some(own) if !item.boxed => own,
        _ => Type::Any,
    }
}
