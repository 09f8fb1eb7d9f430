//! Cuts a text into tokens, one at a time. White space around trimmed actions and comments vanish
//! here, so the parser never sees them.
//!
//! The rule: after an error there is nothing but the end.

mod action;

use super::token::{Kind, Token};

pub(super) struct Lexer<'a> {
    source: &'a str,
    left: &'a str,
    right: &'a str,
    at: usize,
    inside: bool,
    open_parens: u32,
    /// `break` and `continue` are words of the language, unless a function has that name.
    pub(super) breaks: bool,
    pub(super) continues: bool,
    pub(super) error: String,
    failed: bool,
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Offsets fit: longer texts are refused before they come here.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl<'a> Lexer<'a> {
    pub(super) fn new(source: &'a str, left: &'a str, right: &'a str) -> Self {
        Self {
            source,
            left,
            right,
            at: 0,
            inside: false,
            open_parens: 0,
            breaks: true,
            continues: true,
            error: String::new(),
            failed: false,
        }
    }

    pub(super) fn next(&mut self) -> Token {
        if self.failed {
            return self.token(Kind::Eof, self.at);
        }
        if self.inside {
            self.action()
        } else {
            self.text()
        }
    }

    fn bytes(&self) -> &'a [u8] {
        self.source.as_bytes()
    }

    /// What is not read yet.
    fn rest(&self) -> &'a str {
        self.source.get(self.at..).unwrap_or_default()
    }

    fn token(&self, kind: Kind, start: usize) -> Token {
        Token {
            kind,
            start: offset(start),
            end: offset(self.at),
        }
    }

    fn fail(&mut self, start: usize, text: impl Into<String>) -> Token {
        self.error = text.into();
        self.failed = true;
        self.token(Kind::Error, start)
    }

    fn text(&mut self) -> Token {
        loop {
            let start = self.at;
            let Some(length) = self.rest().find(self.left) else {
                self.at = self.source.len();
                let kind = if start < self.at {
                    Kind::Text
                } else {
                    Kind::Eof
                };
                return self.token(kind, start);
            };
            let delimiter = start + length;
            self.at = delimiter + self.left.len();
            let trims = self.left_trim_marker();
            if length > 0 {
                let text = &self.bytes()[start..delimiter];
                let kept = if trims { trimmed_end(text) } else { text.len() };
                if kept > 0 {
                    // The delimiter is read again when the text is done.
                    let token = Token {
                        kind: Kind::Text,
                        start: offset(start),
                        end: offset(start + kept),
                    };
                    self.at = delimiter;
                    return token;
                }
            }
            let after = self.at;
            self.at += if trims { 2 } else { 0 };
            if !self.rest().starts_with("/*") {
                self.inside = true;
                self.open_parens = 0;
                return Token {
                    kind: Kind::LeftDelim,
                    start: offset(delimiter),
                    end: offset(after),
                };
            }
            if let Some(error) = self.comment() {
                return error;
            }
        }
    }

    fn left_trim_marker(&self) -> bool {
        let rest = &self.bytes()[self.at..];
        rest.first() == Some(&b'-') && rest.get(1).is_some_and(|byte| is_space(*byte))
    }

    /// Skips a comment with its delimiter; returns what is wrong with it.
    fn comment(&mut self) -> Option<Token> {
        let start = self.at;
        self.at += 2;
        let Some(length) = self.rest().find("*/") else {
            return Some(self.fail(start, "unclosed comment"));
        };
        self.at += length + 2;
        let Some(trims) = self.right_delimiter() else {
            return Some(self.fail(start, "comment ends before closing delimiter"));
        };
        self.skip_right_delimiter(trims);
        None
    }

    /// Whether a right delimiter stands here, and whether it trims.
    fn right_delimiter(&self) -> Option<bool> {
        let rest = &self.bytes()[self.at..];
        let marked = rest.first().is_some_and(|byte| is_space(*byte)) && rest.get(1) == Some(&b'-');
        if marked && rest[2..].starts_with(self.right.as_bytes()) {
            return Some(true);
        }
        rest.starts_with(self.right.as_bytes()).then_some(false)
    }

    fn skip_right_delimiter(&mut self, trims: bool) {
        self.at += self.right.len() + if trims { 2 } else { 0 };
        if trims {
            let rest = &self.bytes()[self.at..];
            self.at += rest.iter().take_while(|byte| is_space(**byte)).count();
        }
    }
}

/// The length without the white space at the end.
fn trimmed_end(text: &[u8]) -> usize {
    text.iter()
        .rposition(|byte| !is_space(*byte))
        .map_or(0, |last| last + 1)
}
