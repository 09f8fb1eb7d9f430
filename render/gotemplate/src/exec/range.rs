//! Loops: over lists, maps in the order of their keys, bytes and whole numbers.

use super::machine::{Block, Machine};
use super::{Exec, Item};
use crate::fmt;
use crate::tree::Pipe;
use crate::types::{Kind, Type};
use crate::value::{List, Str, Value};

/// What is left to loop over, and what each round sets.
pub(super) struct Iter {
    rest: Rest,
    /// Variables of the body begin here.
    variables: usize,
    targets: Vec<u32>,
    assigns: bool,
}

enum Rest {
    List(List, usize),
    Map(std::vec::IntoIter<(Str, Value)>, bool),
    /// The next number, how many are left, and the kind of number.
    Numbers(u64, u64, Kind),
}

/// An index and an element.
type Round = (Value, Item);

impl Rest {
    fn next(&mut self) -> Option<Round> {
        match self {
            Self::List(list, at) => {
                let value = list.get(*at)?.clone();
                let index = Value::from(*at);
                *at += 1;
                let boxed = *list.element() == Type::Any;
                Some((index, Item { value, boxed }))
            }
            Self::Map(entries, boxed) => {
                let (key, value) = entries.next()?;
                let boxed = *boxed;
                Some((Value::String(key), Item { value, boxed }))
            }
            Self::Numbers(next, left, kind) => {
                *left = left.checked_sub(1)?;
                let item = Item::plain(number(*next, *kind));
                *next += 1;
                Some((Value::Missing, item))
            }
        }
    }
}

/// It is below a number of that kind, so it fits.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "the number is below one that fits"
)]
fn number(n: u64, kind: Kind) -> Value {
    match kind {
        Kind::Int8 => Value::Int8(n as i8),
        Kind::Int16 => Value::Int16(n as i16),
        Kind::Int32 => Value::Int32(n as i32),
        Kind::Int64 => Value::Int64(n as i64),
        Kind::Uint => Value::Uint(n),
        Kind::Uint8 => Value::Uint8(n as u8),
        Kind::Uint16 => Value::Uint16(n as u16),
        Kind::Uint32 => Value::Uint32(n as u32),
        Kind::Uint64 => Value::Uint64(n),
        _ => Value::Int(n as i64),
    }
}

impl<'a> Machine<'a> {
    pub(super) fn enter_range(&mut self, pipe: &'a Pipe, otherwise: u32) -> Exec<()> {
        let before = self.variables.len();
        let value = self.pipeline(pipe)?;
        let rest = self.iterate(&value, pipe.targets.len())?;
        let mut iter = Box::new(Iter {
            rest,
            variables: self.variables.len(),
            targets: pipe.targets.clone(),
            assigns: pipe.assigns,
        });
        let first = iter.rest.next();
        let mut block = Block {
            variables: before,
            dot: None,
            iter: None,
        };
        match first {
            Some(round) => {
                block.dot = Some(self.dot.clone());
                self.begin_round(&iter, round)?;
                block.iter = Some(iter);
            }
            None => self.at = otherwise as usize,
        }
        self.blocks.push(block);
        Ok(())
    }

    pub(super) fn next_round(&mut self, body: u32, end: u32) -> Exec<()> {
        self.at = end as usize;
        let taken = self.blocks.last_mut().and_then(|block| block.iter.take());
        let Some(mut iter) = taken else {
            return Ok(());
        };
        self.variables.truncate(iter.variables);
        if let Some(round) = iter.rest.next() {
            self.begin_round(&iter, round)?;
            if let Some(block) = self.blocks.last_mut() {
                block.iter = Some(iter);
            }
            self.at = body as usize;
        }
        Ok(())
    }

    fn begin_round(&mut self, iter: &Iter, (index, element): Round) -> Exec<()> {
        if iter.assigns {
            match iter.targets[..] {
                [only] => self.assign(only, element.clone())?,
                [first, second, ..] => {
                    self.assign(first, Item::plain(index))?;
                    self.assign(second, element.clone())?;
                }
                [] => {}
            }
        } else {
            let top = self.variables.len();
            match iter.targets.len() {
                0 => {}
                1 => self.variables[top - 1].1 = element.clone(),
                _ => {
                    self.variables[top - 1].1 = element.clone();
                    self.variables[top - 2].1 = Item::plain(index);
                }
            }
        }
        self.dot = element;
        Ok(())
    }

    fn iterate(&self, value: &Value, targets: usize) -> Exec<Rest> {
        let none = || Rest::List(List::new(Vec::new()), 0);
        let plain = value.plain();
        Ok(match &plain {
            Value::Missing | Value::Nil => none(),
            Value::List(list) => Rest::List(list.clone(), 0),
            Value::Bytes(bytes) => {
                let items = bytes.iter().map(|byte| Value::Uint8(*byte)).collect();
                Rest::List(List::typed(Type::Uint8, items), 0)
            }
            Value::Map(map) => {
                let boxed = *map.element() == Type::Any;
                Rest::Map(map.entries().into_iter(), boxed)
            }
            Value::NilOf(of) if matches!(of.kind(), Kind::Map | Kind::Slice) => none(),
            number => {
                let count = match (number.as_signed(), number.as_unsigned()) {
                    (Some(n), _) => u64::try_from(n).unwrap_or(0),
                    (_, Some(n)) => n,
                    _ => {
                        let shown = self.shown(value);
                        return Err(self.fail(format_args!("range can't iterate over {shown}")));
                    }
                };
                if targets > 1 {
                    let shown = self.shown(value);
                    return Err(self.fail(format_args!(
                        "can't use {shown} to iterate over more than one variable"
                    )));
                }
                Rest::Numbers(0, count, number.kind())
            }
        })
    }

    /// What a pointer points to has been looked at already.
    fn shown(&self, value: &Value) -> String {
        let mut text = Vec::new();
        match fmt::Printer::new(&mut text, 1 << 16).display(value) {
            Ok(()) => String::from_utf8_lossy(&text).into_owned(),
            Err(failure) => failure.to_string(),
        }
    }
}
