//! What an action writes: its value, as Go's `fmt` prints it.

use super::Exec;
use super::machine::{Machine, Node};
use crate::error::Limit;
use crate::fmt::Printer;
use crate::function::Failure;
use crate::tree::Pipe;
use crate::types::{Kind, Type};
use crate::value::Value;

impl<'a> Machine<'a> {
    pub(super) fn print(&mut self, pipe: &'a Pipe, value: &Value) -> Exec<()> {
        self.node = Node::Action(pipe);
        match value {
            Value::String(text) => return self.write(text.as_bytes()),
            Value::Missing | Value::Nil => return self.write(b"<no value>"),
            _ => {}
        }
        if value.kind() == Kind::Func {
            let shown = self.template.source.show_action(pipe);
            let of = value.type_of().unwrap_or(Type::Any);
            return Err(self.fail(format_args!("can't print {shown} of type {of}")));
        }
        // The printer stops at the limit; what is over is found by the check after it.
        let most = self
            .out_before
            .saturating_add(self.budget.limits.output_bytes);
        match Printer::new(self.out, most).display(value) {
            Ok(()) => self.write(b""),
            Err(failure) => {
                let limit = match failure.reached() {
                    Some(Limit::Value) | None => Limit::Output,
                    Some(other) => other,
                };
                Err(self.fail_with(&Failure::limit(limit, failure.text())))
            }
        }
    }
}
