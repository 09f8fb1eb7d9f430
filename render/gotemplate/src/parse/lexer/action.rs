//! Tokens between delimiters.

use super::{Lexer, Token, is_space, offset};
use crate::fmt::quoted;
use crate::parse::token::Kind;
use crate::unicode::{is_print, is_word};

impl Lexer<'_> {
    pub(super) fn action(&mut self) -> Token {
        let start = self.at;
        if let Some(trims) = self.right_delimiter() {
            if self.open_parens > 0 {
                return self.fail(start, "unclosed left paren");
            }
            return self.close(trims);
        }
        let Some(c) = self.bump() else {
            return self.fail(start, "unclosed action");
        };
        match c {
            ' ' | '\t' | '\r' | '\n' => self.space(start),
            '=' => self.token(Kind::Assign, start),
            ':' => {
                if self.bump() == Some('=') {
                    self.token(Kind::Declare, start)
                } else {
                    self.fail(start, "expected :=")
                }
            }
            '|' => self.token(Kind::Pipe, start),
            '"' => self.quoted_until('"', Kind::String, start, "unterminated quoted string"),
            '\'' => self.quoted_until(
                '\'',
                Kind::CharConstant,
                start,
                "unterminated character constant",
            ),
            '`' => self.raw_string(start),
            '$' => self.name(start, Kind::Variable, Kind::Variable),
            '.' if !self.peek_byte().is_some_and(|byte| byte.is_ascii_digit())
                && self.at < self.source.len() =>
            {
                self.name(start, Kind::Field, Kind::Dot)
            }
            '.' | '+' | '-' | '0'..='9' => {
                self.at = start;
                self.number(start)
            }
            '(' => {
                self.open_parens += 1;
                self.token(Kind::LeftParen, start)
            }
            ')' => {
                if self.open_parens == 0 {
                    return self.fail(start, "unexpected right paren");
                }
                self.open_parens -= 1;
                self.token(Kind::RightParen, start)
            }
            c if is_word(c) => self.identifier(start),
            c if c.is_ascii() && is_print(c) => self.token(Kind::Char, start),
            c => {
                let text = format!("unrecognized character in action: {}", code_point(c));
                self.fail(start, text)
            }
        }
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn peek(&self) -> Option<char> {
        match self.peek_byte()? {
            byte if byte.is_ascii() => Some(char::from(byte)),
            _ => self.rest().chars().next(),
        }
    }

    fn peek_byte(&self) -> Option<u8> {
        self.source.as_bytes().get(self.at).copied()
    }

    /// The right delimiter; the white space of its trim marker is not part of it.
    fn close(&mut self, trims: bool) -> Token {
        let start = self.at + if trims { 2 } else { 0 };
        let token = Token {
            kind: Kind::RightDelim,
            start: offset(start),
            end: offset(start + self.right.len()),
        };
        self.skip_right_delimiter(trims);
        self.inside = false;
        token
    }

    /// The last space before `-}}` belongs to the delimiter.
    fn space(&mut self, start: usize) -> Token {
        while self.peek_byte().is_some_and(is_space) {
            self.at += 1;
        }
        if self.peek_byte() == Some(b'-') {
            self.at -= 1;
            if self.right_delimiter() == Some(true) {
                if self.at == start {
                    return self.close(true);
                }
            } else {
                self.at += 1;
            }
        }
        self.token(Kind::Space, start)
    }

    /// The end of an identifier: something that may follow it.
    fn at_terminator(&self) -> bool {
        match self.peek_byte() {
            None | Some(b' ' | b'\t' | b'\r' | b'\n' | b'.' | b',' | b'|' | b':' | b')' | b'(') => {
                true
            }
            Some(_) => self.rest().starts_with(self.right),
        }
    }

    fn skip_word(&mut self) {
        while self.peek().is_some_and(is_word) {
            self.bump();
        }
    }

    fn bad_character(&mut self, start: usize) -> Token {
        let text = match self.peek() {
            Some(c) => format!("bad character {}", code_point(c)),
            None => "bad character".to_owned(),
        };
        self.fail(start, text)
    }

    fn identifier(&mut self, start: usize) -> Token {
        self.skip_word();
        if !self.at_terminator() {
            return self.bad_character(start);
        }
        let word = self.source.get(start..self.at).unwrap_or_default();
        let kind = match Kind::keyword(word) {
            Some(Kind::Break) if !self.breaks => Kind::Identifier,
            Some(Kind::Continue) if !self.continues => Kind::Identifier,
            Some(keyword) => keyword,
            None if word == "true" || word == "false" => Kind::Bool,
            None => Kind::Identifier,
        };
        self.token(kind, start)
    }

    /// `.word` or `$word`; `alone` when no word follows.
    fn name(&mut self, start: usize, kind: Kind, alone: Kind) -> Token {
        if self.at_terminator() {
            return self.token(alone, start);
        }
        self.skip_word();
        if !self.at_terminator() {
            return self.bad_character(start);
        }
        self.token(kind, start)
    }

    fn quoted_until(&mut self, quote: char, kind: Kind, start: usize, error: &str) -> Token {
        loop {
            match self.bump() {
                Some('\\') => {
                    if matches!(self.bump(), None | Some('\n')) {
                        return self.fail(start, error);
                    }
                }
                None | Some('\n') => return self.fail(start, error),
                Some(c) if c == quote => return self.token(kind, start),
                Some(_) => {}
            }
        }
    }

    fn raw_string(&mut self, start: usize) -> Token {
        match self.rest().find('`') {
            Some(length) => {
                self.at += length + 1;
                self.token(Kind::RawString, start)
            }
            None => {
                self.at = self.source.len();
                self.fail(start, "unterminated raw quoted string")
            }
        }
    }

    fn number(&mut self, start: usize) -> Token {
        if self.scan_number() {
            if !matches!(self.peek_byte(), Some(b'+' | b'-')) {
                return self.token(Kind::Number, start);
            }
            // 1+2i
            let last = |lexer: &Self| {
                lexer
                    .source
                    .as_bytes()
                    .get(lexer.at.wrapping_sub(1))
                    .copied()
            };
            if self.scan_number() && last(self) == Some(b'i') {
                return self.token(Kind::Complex, start);
            }
        }
        let text = self.source.get(start..self.at).unwrap_or_default();
        let text = format!("bad number syntax: {}", quoted(text));
        self.fail(start, text)
    }

    fn accept(&mut self, valid: &[u8]) -> bool {
        let found = self.peek_byte().is_some_and(|byte| valid.contains(&byte));
        self.at += usize::from(found);
        found
    }

    fn skip(&mut self, valid: &[u8]) {
        while self.accept(valid) {}
    }

    /// What looks like a number; whether it is one is found out when it is converted.
    fn scan_number(&mut self) -> bool {
        const DECIMAL: &[u8] = b"0123456789_";
        self.accept(b"+-");
        let (mut digits, mut exponent): (&[u8], &[u8]) = (DECIMAL, b"eE");
        if self.accept(b"0") {
            if self.accept(b"xX") {
                (digits, exponent) = (b"0123456789abcdefABCDEF_", b"pP");
            } else if self.accept(b"oO") {
                (digits, exponent) = (b"01234567_", b"");
            } else if self.accept(b"bB") {
                (digits, exponent) = (b"01_", b"");
            }
        }
        self.skip(digits);
        if self.accept(b".") {
            self.skip(digits);
        }
        if self.accept(exponent) {
            self.accept(b"+-");
            self.skip(DECIMAL);
        }
        self.accept(b"i");
        if self.peek().is_some_and(is_word) {
            self.bump();
            return false;
        }
        true
    }
}

/// `U+0023 '#'`
fn code_point(c: char) -> String {
    let code = u32::from(c);
    if is_print(c) {
        format!("U+{code:04X} '{c}'")
    } else {
        format!("U+{code:04X}")
    }
}
