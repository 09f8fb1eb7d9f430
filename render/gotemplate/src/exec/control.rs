//! `if`, `with`, the end of a block, and calls of templates.

use super::machine::{Block, Machine, Node};
use super::{Exec, Item};
use crate::error::Limit;
use crate::fmt::quoted_bytes;
use crate::function::Failure;
use crate::tree::{Call, Pipe};
use crate::value::Value;

impl<'a> Machine<'a> {
    pub(super) fn enter_if(&mut self, pipe: &'a Pipe, otherwise: u32) -> Exec<()> {
        let variables = self.variables.len();
        let value = self.pipeline(pipe)?;
        self.blocks.push(Block {
            variables,
            dot: None,
            iter: None,
        });
        if !value.is_true() {
            self.at = otherwise as usize;
        }
        Ok(())
    }

    pub(super) fn enter_with(&mut self, pipe: &'a Pipe, otherwise: u32) -> Exec<()> {
        let variables = self.variables.len();
        let value = self.pipeline(pipe)?;
        let mut dot = None;
        if value.is_true() {
            dot = Some(std::mem::replace(&mut self.dot, Item::plain(value)));
        } else {
            self.at = otherwise as usize;
        }
        self.blocks.push(Block {
            variables,
            dot,
            iter: None,
        });
        Ok(())
    }

    pub(super) fn end_block(&mut self) {
        if let Some(block) = self.blocks.pop() {
            self.variables.truncate(block.variables);
            if let Some(dot) = block.dot {
                self.dot = dot;
            }
        }
    }

    pub(super) fn call_template(&mut self, call: &'a Call) -> Exec<()> {
        self.node = Node::Call(call);
        let found = call.name.as_str().and_then(|name| self.set.get(name));
        let Some(template) = found else {
            let name = quoted_bytes(call.name.as_bytes(), false);
            return Err(self.fail(format_args!("template {name} not defined")));
        };
        let most = self.budget.limits.calls;
        if self.frames.len() >= most as usize {
            let text = format!("exceeded maximum template depth ({most})");
            return Err(self.fail_with(&Failure::limit(Limit::Calls, text)));
        }
        let dot = match &call.pipe {
            Some(pipe) => self.pipeline(pipe)?,
            None => Value::Missing,
        };
        self.enter_frame(template, dot);
        Ok(())
    }
}
