//! The stream of tokens: reading, looking ahead, putting back, and complaining about what was read.

use super::token::{Kind, Token};
use super::{Parsed, Parser};
use crate::error::Error;

impl Parser<'_> {
    pub(super) fn next(&mut self) -> Token {
        if self.ahead_count > 0 {
            self.ahead_count -= 1;
            return self.ahead[self.ahead_count];
        }
        let token = self.lexer.next();
        self.ahead[0] = token;
        self.tree.last = token.start;
        token
    }

    /// Puts the token back that was read last.
    pub(super) fn put_back(&mut self) {
        self.ahead_count += 1;
    }

    /// Puts two tokens back; the second is in place already.
    pub(super) fn put_back_two(&mut self, first: Token) {
        self.ahead[1] = first;
        self.ahead_count = 2;
    }

    /// Puts three tokens back; the third is in place already.
    pub(super) fn put_back_three(&mut self, first: Token, second: Token) {
        self.ahead[1] = second;
        self.ahead[2] = first;
        self.ahead_count = 3;
    }

    pub(super) fn peek(&mut self) -> Token {
        let token = self.next();
        self.put_back();
        token
    }

    pub(super) fn next_word(&mut self) -> Token {
        loop {
            let token = self.next();
            if token.kind != Kind::Space {
                return token;
            }
        }
    }

    pub(super) fn peek_word(&mut self) -> Token {
        let token = self.next_word();
        self.put_back();
        token
    }

    pub(super) fn text(&self, token: Token) -> &str {
        token.text(self.source.text)
    }

    pub(super) fn expect(&mut self, kind: Kind, context: &str) -> Parsed<Token> {
        let token = self.next_word();
        if token.kind == kind {
            Ok(token)
        } else {
            Err(self.unexpected(token, context))
        }
    }

    #[cold]
    pub(super) fn unexpected(&self, token: Token, context: &str) -> Box<Error> {
        if token.kind != Kind::Error {
            let shown = token.shown(self.source.text);
            return self.error(format_args!("unexpected {shown} in {context}"));
        }
        let said = &self.lexer.error;
        let line = |offset: u32| {
            let before = &self.source.text.as_bytes()[..offset as usize];
            1 + before.iter().filter(|byte| **byte == b'\n').count()
        };
        match self.tree.action.map(line) {
            Some(started) if started != line(token.start) => {
                // Not "unclosed action in action".
                let within = if said.ends_with(" action") {
                    ""
                } else {
                    " in action"
                };
                let name = self.source.name;
                self.error(format_args!("{said}{within} started at {name}:{started}"))
            }
            _ => self.error(said),
        }
    }
}
