//! Pipelines: each command is given the value before it, and variables get the last one.

use super::machine::{Machine, Node};
use super::{Exec, Item};
use crate::tree::Pipe;
use crate::value::Value;

impl<'a> Machine<'a> {
    pub(super) fn pipeline(&mut self, pipe: &'a Pipe) -> Exec<Value> {
        self.node = Node::Pipe(pipe);
        let mut last = None;
        for command in &pipe.commands {
            let item = self.command(command, last)?;
            // What lay in an interface is taken out of it; nothing is then no value at all.
            last = Some(match item.value {
                Value::Nil => Value::Missing,
                value => value,
            });
        }
        let value = last.unwrap_or_default();
        for target in &pipe.targets {
            if pipe.assigns {
                self.assign(*target, Item::plain(value.clone()))?;
            } else {
                self.variables.push((*target, Item::plain(value.clone())));
            }
        }
        Ok(value)
    }

    pub(super) fn assign(&mut self, variable: u32, item: Item) -> Exec<()> {
        let own = &mut self.variables[self.first_variable..];
        match own.iter_mut().rev().find(|(number, _)| *number == variable) {
            Some((_, place)) => {
                *place = item;
                Ok(())
            }
            None => Err(self.undefined(variable)),
        }
    }

    pub(super) fn variable(&self, variable: u32) -> Exec<&Item> {
        let own = &self.variables[self.first_variable..];
        match own.iter().rev().find(|(number, _)| *number == variable) {
            Some((_, item)) => Ok(item),
            None => Err(self.undefined(variable)),
        }
    }

    #[cold]
    fn undefined(&self, variable: u32) -> Box<crate::Error> {
        let name = self.template.source.variable(variable);
        self.fail(format_args!("undefined variable: {name}"))
    }
}
