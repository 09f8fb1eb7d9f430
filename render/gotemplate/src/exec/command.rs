//! One command: its first word decides what happens to the others.

use super::machine::{Machine, Node};
use super::{Exec, Item};
use crate::tree::{Command, Number, Term, TermKind};
use crate::value::Value;

impl<'a> Machine<'a> {
    /// `last` is the value of the command before, when there was one.
    pub(super) fn command(&mut self, command: &'a Command, last: Option<Value>) -> Exec<Item> {
        let Some((first, args)) = command.words.split_first() else {
            return Ok(Item::plain(Value::Missing));
        };
        match &first.kind {
            TermKind::Field(fields) => {
                self.node = Node::Term(first);
                return self.fields_of_dot(fields, first, args, last);
            }
            TermKind::Chain(inner, fields) => return self.chain(first, inner, fields, args, last),
            TermKind::Function(callee) => {
                self.node = Node::Term(first);
                return self.call(callee, Node::Command(command), args, last);
            }
            TermKind::Pipe(pipe) => {
                self.takes_no_argument(first, args, last.as_ref())?;
                return self.nested_pipeline(pipe).map(Item::plain);
            }
            TermKind::Variable(number, fields) => {
                return self.variable_fields(first, *number, fields, args, last);
            }
            _ => {}
        }
        self.node = Node::Term(first);
        self.takes_no_argument(first, args, last.as_ref())?;
        match &first.kind {
            TermKind::Dot => Ok(self.dot.clone()),
            TermKind::Nil => Err(self.fail("nil is not a command")),
            _ => self.constant(first).map(Item::plain),
        }
    }

    pub(super) fn nested_pipeline(&mut self, pipe: &'a crate::tree::Pipe) -> Exec<Value> {
        if let Err(failure) = self.budget.enter() {
            return Err(self.fail_with(&failure));
        }
        let value = self.pipeline(pipe)?;
        self.budget.leave();
        Ok(value)
    }

    pub(super) fn takes_no_argument(
        &self,
        first: &Term,
        args: &[Term],
        last: Option<&Value>,
    ) -> Exec<()> {
        if args.is_empty() && last.is_none() {
            return Ok(());
        }
        let shown = self.template.source.show_term(first);
        Err(self.fail(format_args!("can't give argument to non-function {shown}")))
    }

    /// A constant where no type is wanted.
    pub(super) fn constant(&self, term: &Term) -> Exec<Value> {
        match &term.kind {
            TermKind::Bool(x) => Ok(Value::Bool(*x)),
            TermKind::String(text) => Ok(text.clone()),
            TermKind::Number(number) => self.ideal(number, term),
            _ => {
                let shown = self.template.source.show_term(term);
                Err(self.fail(format_args!(
                    "can't handle assignment of {shown} to empty interface argument"
                )))
            }
        }
    }

    /// The way a number is written decides its type.
    fn ideal(&self, number: &Number, term: &Term) -> Exec<Value> {
        if let Some((re, im)) = number.complex {
            return Ok(Value::Complex(re, im));
        }
        match (number.float, number.int) {
            (Some(x), _) if number.looks_float => Ok(Value::Float64(x)),
            (_, Some(n)) => Ok(Value::Int(n)),
            _ => {
                let shown = self.template.source.show_term(term);
                Err(self.fail(format_args!("{shown} overflows int")))
            }
        }
    }
}
