//! What is open while parsing: the tree (a template being defined) and its blocks. Closing a block
//! writes the jumps that were left open.

use std::sync::Arc;

use super::{Parsed, Parser};
use crate::fmt::quoted;
use crate::tree::{Op, is_empty};

/// Why a tree is being parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It is the text itself.
    Main,
    /// `{{define}}`
    Define,
    /// `{{block}}`
    Block,
}

/// A template being parsed.
pub(super) struct Tree {
    pub(super) name: Arc<str>,
    pub(super) place: Place,
    pub(super) code: Vec<Op>,
    pub(super) blocks: Vec<Block>,
    /// Variables that are known here, by number.
    pub(super) known: Vec<u32>,
    /// Loops around this place.
    pub(super) loops: u32,
    /// Where the action began that is being read.
    pub(super) action: Option<u32>,
    /// Where the token began that was read last.
    pub(super) last: u32,
}

impl Tree {
    pub(super) fn new(name: Arc<str>, place: Place) -> Self {
        Self {
            name,
            place,
            code: Vec::new(),
            blocks: Vec::new(),
            known: vec![0],
            loops: 0,
            action: None,
            last: 0,
        }
    }

    /// Where the next instruction goes.
    pub(super) fn here(&self) -> u32 {
        u32::try_from(self.code.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn last_block(&mut self) -> Option<&mut Block> {
        self.blocks.last_mut()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    If,
    With,
    Range,
}

/// A block that waits for its end.
pub(super) struct Block {
    pub(super) word: Word,
    /// Where it was opened.
    pub(super) start: u32,
    /// Variables known before it.
    pub(super) known: usize,
    /// The jump from before `{{else}}` to the end, once there was one.
    pub(super) skip: Option<u32>,
    /// It was opened by `else if` or `else with`: one `{{end}}` closes it and the one around it.
    pub(super) chained: bool,
    /// Jumps to the end and to the next round.
    pub(super) breaks: Vec<u32>,
    pub(super) continues: Vec<u32>,
}

impl Parser<'_> {
    /// `{{else}}` of the innermost block.
    pub(super) fn begin_else(&mut self) {
        self.close_loop_body();
        let tree = &mut self.tree;
        let jump = tree.here();
        if let Some(block) = tree.blocks.last_mut() {
            block.skip = Some(jump);
            let start = block.start as usize;
            tree.code.push(Op::Jump(0));
            if let Some(op) = tree.code.get_mut(start) {
                set_otherwise(op, jump + 1);
            }
        }
    }

    /// The innermost block ends, and those it is chained to.
    pub(super) fn end_blocks(&mut self) {
        loop {
            let has_else = self
                .tree
                .blocks
                .last()
                .is_some_and(|block| block.skip.is_some());
            if !has_else {
                self.close_loop_body();
            }
            let tree = &mut self.tree;
            let Some(block) = tree.blocks.pop() else {
                return;
            };
            let end = tree.here();
            match block.skip {
                Some(jump) => {
                    if let Some(op) = tree.code.get_mut(jump as usize) {
                        *op = Op::Jump(end);
                    }
                }
                None => {
                    if let Some(op) = tree.code.get_mut(block.start as usize) {
                        set_otherwise(op, end);
                    }
                }
            }
            for at in block.breaks {
                set_target(&mut tree.code, at, end);
            }
            tree.code.push(Op::End);
            tree.known.truncate(block.known);
            if !block.chained {
                return;
            }
        }
    }

    /// The instruction that starts the next round; what jumps there learns where it is.
    fn close_loop_body(&mut self) {
        let tree = &mut self.tree;
        let next = tree.here();
        let Some(block) = tree.blocks.last_mut() else {
            return;
        };
        if block.word != Word::Range {
            return;
        }
        let body = block.start + 1;
        let continues = std::mem::take(&mut block.continues);
        // `Next` is patched when the end is known, like a `{{break}}`.
        block.breaks.push(next);
        tree.code.push(Op::Next { body, end: 0 });
        for at in continues {
            set_target(&mut tree.code, at, next);
        }
        tree.loops -= 1;
    }

    /// The current tree is done; a template may be defined once in a text, empty ones aside.
    pub(super) fn finish_tree(&mut self) -> Parsed<()> {
        let code = std::mem::take(&mut self.tree.code);
        let name = Arc::clone(&self.tree.name);
        let text = self.source.text;
        let same = self.done.iter_mut().find(|(done, _)| *done == name);
        match same {
            None => self.done.push((name, code)),
            Some((_, old)) if is_empty(old, text) => *old = code,
            Some(_) if is_empty(&code, text) => {}
            Some(_) => {
                let name = quoted(&name);
                return Err(self.error(format_args!(
                    "template: multiple definition of template {name}"
                )));
            }
        }
        Ok(())
    }
}

fn set_otherwise(op: &mut Op, to: u32) {
    if let Op::If { otherwise, .. } | Op::With { otherwise, .. } | Op::Range { otherwise, .. } = op
    {
        *otherwise = to;
    }
}

fn set_target(code: &mut [Op], at: u32, target: u32) {
    match code.get_mut(at as usize) {
        Some(Op::Leave { to, .. }) => *to = target,
        Some(Op::Next { end, .. }) => *end = target,
        _ => {}
    }
}
