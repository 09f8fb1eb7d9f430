//! Text and actions, one after another: what opens, divides and closes blocks, defines templates and
//! calls them.

use std::sync::Arc;

use super::block::{Block, Place, Tree, Word};
use super::token::{Kind, Token};
use super::{Parsed, Parser, unquote};
use crate::tree::{Call, Op};
use crate::value::Str;

impl Parser<'_> {
    /// One text or action; `false` at the end of everything.
    pub(super) fn item(&mut self) -> Parsed<bool> {
        let token = self.next_word();
        match token.kind {
            Kind::Text => {
                self.tree.code.push(Op::Text {
                    start: token.start,
                    end: token.end,
                });
            }
            Kind::LeftDelim => {
                let top = self.tree.place == Place::Main && self.tree.blocks.is_empty();
                if top && self.peek_word().kind == Kind::Define {
                    self.next_word();
                    self.define()?;
                } else {
                    self.tree.action = Some(token.start);
                    self.action()?;
                }
            }
            Kind::Eof if self.tree.place == Place::Main && self.tree.blocks.is_empty() => {
                return Ok(false);
            }
            Kind::Eof => return Err(self.error("unexpected EOF")),
            _ => return Err(self.unexpected(token, "input")),
        }
        Ok(true)
    }

    fn action(&mut self) -> Parsed<()> {
        let token = self.next_word();
        match token.kind {
            Kind::If => return self.open(Word::If, false),
            Kind::With => return self.open(Word::With, false),
            Kind::Range => return self.open(Word::Range, false),
            Kind::Block => return self.block(),
            Kind::Else => return self.divide(),
            Kind::End => {
                self.expect(Kind::RightDelim, "end")?;
                self.tree.action = None;
                return self.end();
            }
            Kind::Break | Kind::Continue => self.leave(token)?,
            Kind::Template => self.call()?,
            _ => {
                self.put_back();
                let pipe = self.pipeline("command", Kind::RightDelim)?;
                self.tree.code.push(if pipe.targets.is_empty() {
                    Op::Print(pipe)
                } else {
                    Op::Set(pipe)
                });
            }
        }
        self.tree.action = None;
        Ok(())
    }

    fn open(&mut self, word: Word, chained: bool) -> Parsed<()> {
        let known = self.tree.known.len();
        let (context, otherwise) = (
            match word {
                Word::If => "if",
                Word::With => "with",
                Word::Range => "range",
            },
            0,
        );
        let pipe = self.pipeline(context, Kind::RightDelim)?;
        let tree = &mut self.tree;
        tree.blocks.push(Block {
            word,
            start: tree.here(),
            known,
            skip: None,
            chained,
            breaks: Vec::new(),
            continues: Vec::new(),
        });
        tree.code.push(match word {
            Word::If => Op::If { pipe, otherwise },
            Word::With => Op::With { pipe, otherwise },
            Word::Range => Op::Range { pipe, otherwise },
        });
        tree.loops += u32::from(word == Word::Range);
        Ok(())
    }

    fn divide(&mut self) -> Parsed<()> {
        let word = self.peek_word().kind;
        let continued = matches!(word, Kind::If | Kind::With);
        if !continued {
            self.expect(Kind::RightDelim, "else")?;
        }
        self.tree.action = None;
        let Some(block) = self.tree.last_block() else {
            return Err(match self.tree.place {
                Place::Main => self.error("unexpected {{else}}"),
                Place::Define => self.error("unexpected {{else}} in define clause"),
                Place::Block => {
                    // The tree around it says so.
                    self.leave_tree();
                    self.error("unexpected {{else}} in block clause")
                }
            });
        };
        if block.skip.is_some() {
            return Err(self.error("expected end; found {{else}}"));
        }
        let word = match (block.word, word) {
            (Word::If, Kind::If) => Some(Word::If),
            (Word::With, Kind::With) => Some(Word::With),
            // Another word is left to be stumbled over.
            _ => None,
        };
        self.begin_else();
        match word {
            Some(word) => {
                self.next_word();
                self.open(word, true)
            }
            None => Ok(()),
        }
    }

    fn end(&mut self) -> Parsed<()> {
        if !self.tree.blocks.is_empty() {
            self.end_blocks();
            return Ok(());
        }
        match self.tree.place {
            Place::Main => Err(self.error("unexpected {{end}}")),
            Place::Define => {
                self.finish_tree()?;
                self.leave_tree();
                Ok(())
            }
            Place::Block => {
                self.finish_tree()?;
                self.leave_tree();
                self.tree.action = None;
                Ok(())
            }
        }
    }

    fn enter_tree(&mut self, tree: Tree) {
        let outer = std::mem::replace(&mut self.tree, tree);
        self.outer.push(outer);
    }

    fn leave_tree(&mut self) {
        if let Some(outer) = self.outer.pop() {
            self.tree = outer;
        }
    }

    /// `{{break}}` and `{{continue}}`.
    fn leave(&mut self, word: Token) -> Parsed<()> {
        let name = if word.kind == Kind::Break {
            "break"
        } else {
            "continue"
        };
        let shown = format!("{{{{{name}}}}}");
        let token = self.next_word();
        if token.kind != Kind::RightDelim {
            return Err(self.unexpected(token, &shown));
        }
        if self.tree.loops == 0 {
            return Err(self.error(format_args!("{shown} outside {{{{range}}}}")));
        }
        let tree = &mut self.tree;
        let at = tree.here();
        // A break leaves the innermost range, also from its else branch; a continue is for the
        // innermost one that is in its body.
        let target = tree.blocks.iter_mut().rev().enumerate().find(|(_, block)| {
            block.word == Word::Range && (word.kind == Kind::Break || block.skip.is_none())
        });
        if let Some((inside, block)) = target {
            let waiting = if word.kind == Kind::Break {
                &mut block.breaks
            } else {
                &mut block.continues
            };
            waiting.push(at);
            tree.code.push(Op::Leave {
                blocks: u32::try_from(inside).unwrap_or(u32::MAX),
                to: 0,
            });
        }
        Ok(())
    }

    fn define(&mut self) -> Parsed<()> {
        const CONTEXT: &str = "define clause";
        self.enter_tree(Tree::new("definition".into(), Place::Define));
        let token = self.next_word();
        if !matches!(token.kind, Kind::String | Kind::RawString) {
            return Err(self.unexpected(token, CONTEXT));
        }
        let name = self.string(token)?;
        self.tree.name = name.to_text().into();
        self.expect(Kind::RightDelim, CONTEXT)?;
        Ok(())
    }

    fn block(&mut self) -> Parsed<()> {
        const CONTEXT: &str = "block clause";
        let (token, name) = self.template_name(CONTEXT)?;
        let pipe = self.pipeline(CONTEXT, Kind::RightDelim)?;
        let tree = Tree::new(Arc::from(name.to_text()), Place::Block);
        self.tree.code.push(Op::Call(Box::new(Call {
            name,
            pipe: Some(pipe),
            pos: token.start,
        })));
        self.enter_tree(tree);
        Ok(())
    }

    fn call(&mut self) -> Parsed<()> {
        const CONTEXT: &str = "template clause";
        let (token, name) = self.template_name(CONTEXT)?;
        let pipe = if self.next_word().kind == Kind::RightDelim {
            None
        } else {
            self.put_back();
            Some(self.pipeline(CONTEXT, Kind::RightDelim)?)
        };
        self.tree.code.push(Op::Call(Box::new(Call {
            name,
            pipe,
            pos: token.start,
        })));
        Ok(())
    }

    fn template_name(&mut self, context: &str) -> Parsed<(Token, Str)> {
        let token = self.next_word();
        if !matches!(token.kind, Kind::String | Kind::RawString) {
            return Err(self.unexpected(token, context));
        }
        Ok((token, self.string(token)?))
    }

    pub(super) fn string(&self, token: Token) -> Parsed<Str> {
        unquote::string(self.text(token)).ok_or_else(|| self.error(unquote::INVALID))
    }
}
