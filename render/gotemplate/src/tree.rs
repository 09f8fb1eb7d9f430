//! A compiled template: flat code whose blocks are jumps, and the expressions in it. The parser makes
//! it, the machine runs it, and errors print parts of it again.
//!
//! The rule: expressions hold byte offsets into the source, so their text is the source's text.

mod show;

use std::sync::Arc;

use crate::builtin::Builtin;
use crate::function::Function;
use crate::value::{Str, Value};

/// A text that was parsed; all templates defined in it share it.
pub(crate) struct Source {
    /// The name it was parsed under.
    pub(crate) name: Arc<str>,
    pub(crate) text: Box<str>,
    /// Names of variables, by their number.
    pub(crate) variables: Vec<Box<str>>,
}

/// One template.
pub(crate) struct Template {
    pub(crate) name: Arc<str>,
    pub(crate) source: Arc<Source>,
    pub(crate) code: Vec<Op>,
}

impl Template {
    /// Nothing but white space and comments.
    pub(crate) fn is_empty(&self) -> bool {
        is_empty(&self.code, &self.source.text)
    }
}

pub(crate) fn is_empty(code: &[Op], text: &str) -> bool {
    code.iter().all(|op| match op {
        Op::Text { start, end } => text
            .get(*start as usize..*end as usize)
            .is_some_and(|text| text.trim().is_empty()),
        _ => false,
    })
}

/// One instruction. `u32`s named after a place are indexes into the code.
pub(crate) enum Op {
    /// Write a part of the source.
    Text { start: u32, end: u32 },
    /// Evaluate and print.
    Print(Pipe),
    /// Evaluate; it declares or assigns.
    Set(Pipe),
    /// Open a block; go to `otherwise` unless true.
    If { pipe: Pipe, otherwise: u32 },
    /// Open a block with another dot; go to `otherwise` unless true.
    With { pipe: Pipe, otherwise: u32 },
    /// Open a loop; go to `otherwise` when there is nothing to loop over.
    Range { pipe: Pipe, otherwise: u32 },
    /// Start the next round at `body`, or go to `end`.
    Next { body: u32, end: u32 },
    /// Go there.
    Jump(u32),
    /// Close a block or a loop.
    End,
    /// Leave `blocks` blocks and go to `end` or to the next round: `{{break}}`, `{{continue}}`.
    Leave { blocks: u32, to: u32 },
    /// Execute another template.
    Call(Box<Call>),
}

/// `{{template "name" pipeline}}`
pub(crate) struct Call {
    pub(crate) name: Str,
    pub(crate) pipe: Option<Pipe>,
    pub(crate) pos: u32,
}

/// Commands, each given the result of the one before.
pub(crate) struct Pipe {
    pub(crate) pos: u32,
    /// Variables set by it.
    pub(crate) targets: Vec<u32>,
    /// They are assigned, not declared.
    pub(crate) assigns: bool,
    pub(crate) commands: Vec<Command>,
}

/// A word and its arguments.
pub(crate) struct Command {
    pub(crate) pos: u32,
    pub(crate) words: Vec<Term>,
}

/// One word.
pub(crate) struct Term {
    pub(crate) kind: TermKind,
    /// Where its text is.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Where errors say that it is.
    pub(crate) pos: u32,
}

pub(crate) enum TermKind {
    Dot,
    Nil,
    Bool(bool),
    Number(Box<Number>),
    String(Value),
    Field(Box<[Str]>),
    Variable(u32, Box<[Str]>),
    Function(Callee),
    Pipe(Box<Pipe>),
    Chain(Box<Term>, Box<[Str]>),
}

/// What an identifier stands for.
pub(crate) enum Callee {
    Builtin(Builtin),
    Function(Arc<Function>),
}

/// A constant, as every type that can hold it.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Number {
    pub(crate) int: Option<i64>,
    pub(crate) uint: Option<u64>,
    pub(crate) float: Option<f64>,
    pub(crate) complex: Option<(f64, f64)>,
    /// It is written as a float.
    pub(crate) looks_float: bool,
}
