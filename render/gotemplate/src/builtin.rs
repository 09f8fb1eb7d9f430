//! Go's own functions. `and`, `or` and `call` are part of evaluating a call (`exec`); the others are
//! here, a file for each family.

mod compare;
mod escape;
mod index;

use crate::context::Context;
use crate::fmt;
use crate::function::Failure;
use crate::types::Type;
use crate::value::{Str, Value};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Builtin {
    And,
    Call,
    Eq,
    Ge,
    Gt,
    Html,
    Index,
    Js,
    Le,
    Len,
    Lt,
    Ne,
    Not,
    Or,
    Print,
    Printf,
    Println,
    Slice,
    Urlquery,
}

static NONE: [Type; 0] = [];
static ONE: [Type; 1] = [Type::Reflect];
static TWO: [Type; 2] = [Type::Reflect, Type::Reflect];
static FORMAT: [Type; 1] = [Type::String];
static REFLECT: Type = Type::Reflect;
static ANY: Type = Type::Any;

impl Builtin {
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "and" => Self::And,
            "call" => Self::Call,
            "eq" => Self::Eq,
            "ge" => Self::Ge,
            "gt" => Self::Gt,
            "html" => Self::Html,
            "index" => Self::Index,
            "js" => Self::Js,
            "le" => Self::Le,
            "len" => Self::Len,
            "lt" => Self::Lt,
            "ne" => Self::Ne,
            "not" => Self::Not,
            "or" => Self::Or,
            "print" => Self::Print,
            "printf" => Self::Printf,
            "println" => Self::Println,
            "slice" => Self::Slice,
            "urlquery" => Self::Urlquery,
            _ => return None,
        })
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::And => "and",
            Self::Call => "call",
            Self::Eq => "eq",
            Self::Ge => "ge",
            Self::Gt => "gt",
            Self::Html => "html",
            Self::Index => "index",
            Self::Js => "js",
            Self::Le => "le",
            Self::Len => "len",
            Self::Lt => "lt",
            Self::Ne => "ne",
            Self::Not => "not",
            Self::Or => "or",
            Self::Print => "print",
            Self::Printf => "printf",
            Self::Println => "println",
            Self::Slice => "slice",
            Self::Urlquery => "urlquery",
        }
    }

    /// Parameters, and the type of the variadic one.
    pub(crate) fn shape(self) -> (&'static [Type], Option<&'static Type>) {
        match self {
            Self::And | Self::Or | Self::Call | Self::Eq | Self::Index | Self::Slice => {
                (&ONE, Some(&REFLECT))
            }
            Self::Ge | Self::Gt | Self::Le | Self::Lt | Self::Ne => (&TWO, None),
            Self::Len | Self::Not => (&ONE, None),
            Self::Html | Self::Js | Self::Urlquery | Self::Print | Self::Println => {
                (&NONE, Some(&ANY))
            }
            Self::Printf => (&FORMAT, Some(&ANY)),
        }
    }

    /// Runs it; the arguments fit the shape. `boxed` tells which of them lay in an `interface {}`,
    /// a bit each.
    pub(crate) fn run(
        self,
        context: &mut Context<'_>,
        args: &mut [Value],
        boxed: u64,
    ) -> Result<Value, Failure> {
        let limit = context.budget.limits.value_bytes;
        let (first, rest) = match args.split_first() {
            Some((first, rest)) => (first, rest),
            None => (&Value::Missing, &[][..]),
        };
        match self {
            Self::Eq => compare::any_equal(first, rest).map(Value::Bool),
            Self::Ne => compare::any_equal(first, rest).map(|equal| Value::Bool(!equal)),
            Self::Lt => compare::less(first, &rest[0]).map(Value::Bool),
            Self::Le => compare::less_or_equal(first, &rest[0]).map(Value::Bool),
            Self::Gt => {
                compare::less_or_equal(first, &rest[0]).map(|not_greater| Value::Bool(!not_greater))
            }
            Self::Ge => compare::less(first, &rest[0]).map(|less| Value::Bool(!less)),
            Self::Not => Ok(Value::Bool(!first.is_true())),
            Self::Len => index::length(first),
            Self::Index => index::index(first, rest),
            Self::Slice => index::slice(first, rest, boxed >> 1),
            Self::Html => escape::html(args, limit),
            Self::Js => escape::js(args, limit),
            Self::Urlquery => escape::urlquery(args, limit),
            Self::Print => text(fmt::sprint(args, limit)),
            Self::Println => text(fmt::sprintln(args, limit)),
            Self::Printf => {
                let format = first.as_string().map(Str::as_bytes);
                text(fmt::sprintf(format.unwrap_or_default(), rest, limit))
            }
            // Evaluated where the arguments are.
            Self::And | Self::Or | Self::Call => Ok(Value::Missing),
        }
    }
}

fn text(bytes: Result<Vec<u8>, Failure>) -> Result<Value, Failure> {
    bytes.map(|bytes| Value::String(Str::from_bytes(bytes)))
}
