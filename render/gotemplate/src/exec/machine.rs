//! The state of one execution and its main loop. Blocks and called templates live on lists here, so
//! however deep a template nests them, the stack does not grow.

use std::any::Any;

use super::range::Iter;
use super::{Exec, Item};
use crate::context::Context;
use crate::limits::Budget;
use crate::set::TemplateSet;
use crate::tree::{Call, Command, Op, Pipe, Template, Term};
use crate::value::Value;

/// What an error names.
#[derive(Clone, Copy)]
pub(super) enum Node<'a> {
    None,
    Pipe(&'a Pipe),
    Action(&'a Pipe),
    Command(&'a Command),
    Term(&'a Term),
    Call(&'a Call),
}

pub(super) struct Machine<'a> {
    pub(super) set: &'a TemplateSet,
    pub(super) user: Option<&'a dyn Any>,
    pub(super) budget: &'a mut Budget,
    pub(super) out: &'a mut Vec<u8>,
    /// What was in `out` before.
    pub(super) out_before: usize,
    pub(super) template: &'a Template,
    pub(super) at: usize,
    pub(super) dot: Item,
    pub(super) node: Node<'a>,
    /// Variables of all templates under way; those of this one begin at `first_variable`.
    pub(super) variables: Vec<(u32, Item)>,
    pub(super) first_variable: usize,
    pub(super) blocks: Vec<Block>,
    pub(super) frames: Vec<Frame<'a>>,
}

/// A block that is open: what to restore when it ends.
pub(super) struct Block {
    pub(super) variables: usize,
    pub(super) dot: Option<Item>,
    pub(super) iter: Option<Box<Iter>>,
}

/// A template that waits for the one it called.
pub(super) struct Frame<'a> {
    template: &'a Template,
    at: usize,
    dot: Item,
    node: Node<'a>,
    first_variable: usize,
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        set: &'a TemplateSet,
        template: &'a Template,
        data: Value,
        user: Option<&'a dyn Any>,
        budget: &'a mut Budget,
        out: &'a mut Vec<u8>,
    ) -> Self {
        let dot = Item::plain(data);
        Self {
            set,
            user,
            budget,
            out_before: out.len(),
            out,
            template,
            at: 0,
            variables: vec![(0, dot.clone())],
            first_variable: 0,
            dot,
            node: Node::None,
            blocks: Vec::new(),
            frames: Vec::new(),
        }
    }

    pub(super) fn run(mut self) -> Exec<()> {
        loop {
            let template = self.template;
            let Some(op) = template.code.get(self.at) else {
                if self.return_to_caller() {
                    continue;
                }
                return Ok(());
            };
            self.at += 1;
            if let Err(failure) = self.budget.step() {
                return Err(self.fail_with(&failure));
            }
            match op {
                Op::Text { start, end } => {
                    let text = &template.source.text.as_bytes();
                    self.write(&text[*start as usize..*end as usize])?;
                }
                Op::Print(pipe) => {
                    let value = self.pipeline(pipe)?;
                    self.print(pipe, &value)?;
                }
                Op::Set(pipe) => {
                    self.pipeline(pipe)?;
                }
                Op::If { pipe, otherwise } => self.enter_if(pipe, *otherwise)?,
                Op::With { pipe, otherwise } => self.enter_with(pipe, *otherwise)?,
                Op::Range { pipe, otherwise } => self.enter_range(pipe, *otherwise)?,
                Op::Next { body, end } => self.next_round(*body, *end)?,
                Op::Jump(to) => self.at = *to as usize,
                Op::End => self.end_block(),
                Op::Leave { blocks, to } => {
                    let left = self.blocks.len().saturating_sub(*blocks as usize);
                    self.blocks.truncate(left);
                    self.at = *to as usize;
                }
                Op::Call(call) => self.call_template(call)?,
            }
        }
    }

    pub(super) fn enter_frame(&mut self, template: &'a Template, dot: Value) {
        let dot = Item::plain(dot);
        let first_variable = self.variables.len();
        self.variables.push((0, dot.clone()));
        self.frames.push(Frame {
            template: std::mem::replace(&mut self.template, template),
            at: std::mem::take(&mut self.at),
            dot: std::mem::replace(&mut self.dot, dot),
            node: self.node,
            first_variable: std::mem::replace(&mut self.first_variable, first_variable),
        });
    }

    fn return_to_caller(&mut self) -> bool {
        let Some(frame) = self.frames.pop() else {
            return false;
        };
        self.variables.truncate(self.first_variable);
        self.template = frame.template;
        self.at = frame.at;
        self.dot = frame.dot;
        self.node = frame.node;
        self.first_variable = frame.first_variable;
        true
    }

    /// What functions get to see.
    pub(super) fn context(&mut self) -> Context<'_> {
        Context {
            set: self.set,
            written: self.out.len() - self.out_before,
            budget: self.budget,
            user: self.user,
        }
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Exec<()> {
        self.out.extend_from_slice(bytes);
        match self.budget.output(self.out.len() - self.out_before) {
            Ok(()) => Ok(()),
            Err(failure) => Err(self.fail_with(&failure)),
        }
    }
}
