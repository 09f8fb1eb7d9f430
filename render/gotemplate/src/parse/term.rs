//! One word of a command, with the fields that follow it.

use super::token::{Kind, Token};
use super::{Parsed, Parser, number};
use crate::builtin::Builtin;
use crate::fmt::quoted;
use crate::tree::{Callee, Term, TermKind};
use crate::value::{Str, Value};

impl Parser<'_> {
    /// A word and its fields; `None` when the next token is none.
    pub(super) fn operand(&mut self) -> Parsed<Option<Term>> {
        let Some(mut term) = self.term()? else {
            return Ok(None);
        };
        let first = self.peek();
        if first.kind != Kind::Field {
            return Ok(Some(term));
        }
        let mut fields: Vec<Str> = Vec::new();
        while self.peek().kind == Kind::Field {
            let token = self.next();
            fields.push(self.field(token));
            term.end = token.end;
        }
        // Errors show the place of the first field that was added.
        let own_pos = std::mem::replace(&mut term.pos, first.start);
        term.kind = match term.kind {
            TermKind::Field(own) => TermKind::Field(joined(own, fields)),
            TermKind::Variable(number, own) => TermKind::Variable(number, joined(own, fields)),
            kind @ (TermKind::Function(_) | TermKind::Pipe(_)) => {
                let inner = Term {
                    kind,
                    start: term.start,
                    end: first.start,
                    pos: own_pos,
                };
                TermKind::Chain(Box::new(inner), fields.into())
            }
            _ => {
                let text = self.source.text;
                let own = text.get(term.start as usize..first.start as usize);
                let own = quoted(own.unwrap_or_default());
                return Err(self.error(format_args!("unexpected . after term {own}")));
            }
        };
        Ok(Some(term))
    }

    fn field(&self, token: Token) -> Str {
        self.text(token).get(1..).unwrap_or_default().into()
    }

    fn term(&mut self) -> Parsed<Option<Term>> {
        let token = self.next_word();
        let kind = match token.kind {
            Kind::Identifier => TermKind::Function(self.callee(token)?),
            Kind::Dot => TermKind::Dot,
            Kind::Nil => TermKind::Nil,
            Kind::Variable => {
                let name = self.text(token);
                let number = self.variables.iter().position(|known| **known == *name);
                let number = number.and_then(|number| u32::try_from(number).ok());
                match number.filter(|number| self.tree.known.contains(number)) {
                    Some(number) => TermKind::Variable(number, Box::default()),
                    None => {
                        let name = quoted(name);
                        return Err(self.error(format_args!("undefined variable {name}")));
                    }
                }
            }
            Kind::Field => TermKind::Field(Box::new([self.field(token)])),
            Kind::Bool => TermKind::Bool(self.text(token) == "true"),
            Kind::CharConstant | Kind::Complex | Kind::Number => {
                match number::parse(self.text(token), token.kind) {
                    Ok(number) => TermKind::Number(Box::new(number)),
                    Err(what) => return Err(self.error(what)),
                }
            }
            Kind::LeftParen => {
                if self.depth >= self.source.depth {
                    return Err(self.error("max expression depth exceeded"));
                }
                self.depth += 1;
                let pipe = self.pipeline("parenthesized pipeline", Kind::RightParen)?;
                self.depth -= 1;
                return Ok(Some(Term {
                    start: token.start,
                    end: self.tree.last,
                    pos: pipe.pos,
                    kind: TermKind::Pipe(Box::new(pipe)),
                }));
            }
            Kind::String | Kind::RawString => TermKind::String(Value::String(self.string(token)?)),
            _ => {
                self.put_back();
                return Ok(None);
            }
        };
        Ok(Some(Term {
            kind,
            start: token.start,
            end: token.end,
            pos: token.start,
        }))
    }

    fn callee(&self, token: Token) -> Parsed<Callee> {
        let name = self.text(token);
        if let Some(function) = self.source.functions.get(name) {
            return Ok(Callee::Function(function.clone()));
        }
        match Builtin::named(name) {
            Some(builtin) => Ok(Callee::Builtin(builtin)),
            None => {
                let name = quoted(name);
                Err(self.error(format_args!("function {name} not defined")))
            }
        }
    }
}

fn joined(own: Box<[Str]>, more: Vec<Str>) -> Box<[Str]> {
    let mut all = own.into_vec();
    all.extend(more);
    all.into()
}
