//! The words and signs of a query text, one after the other, each with where it stands. Only the parser
//! asks.
//!
//! The rule: nothing is decided here by meaning. A word is a word; its place says whether it is a key, an
//! operator or a value.

use super::error::excerpt;
use super::{Part, Problem, QueryError};

/// A word or sign and the column of its first character.
#[derive(Debug)]
pub(super) struct Token<'t> {
    pub(super) column: usize,
    pub(super) lexeme: Lexeme<'t>,
}

#[derive(Debug)]
pub(super) enum Lexeme<'t> {
    Word(&'t str),
    /// What stood between single quotes, with `''` made one.
    Text(String),
    Open,
    Close,
    Comma,
    End,
}

impl Lexeme<'_> {
    /// For messages.
    pub(super) fn found(&self) -> String {
        match self {
            Self::Word(word) => format!("`{}`", excerpt(word)),
            Self::Text(text) => format!("the text '{}'", excerpt(text)),
            Self::Open => "`(`".to_owned(),
            Self::Close => "`)`".to_owned(),
            Self::Comma => "`,`".to_owned(),
            Self::End => "the end".to_owned(),
        }
    }
}

/// What is left of a text.
pub(super) struct Tokens<'t> {
    part: Part,
    rest: &'t str,
    column: usize,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(part: Part, text: &'t str) -> Self {
        Self {
            part,
            rest: text,
            column: 1,
        }
    }

    /// The next one; `End` for ever after the last.
    pub(super) fn next(&mut self) -> Result<Token<'t>, QueryError> {
        while self.eat(' ') {}
        let column = self.column;
        let lexeme = match self.rest.chars().next() {
            None => Lexeme::End,
            Some('(') => self.sign(Lexeme::Open),
            Some(')') => self.sign(Lexeme::Close),
            Some(',') => self.sign(Lexeme::Comma),
            Some('\'') => self.text()?,
            Some('"') => {
                return Err(self.unexpected(column, "`\"`", "text in single quotes"));
            }
            Some(letter) if !in_word(letter) => return Err(self.stray(letter)),
            Some(_) => self.word(),
        };
        Ok(Token { column, lexeme })
    }

    fn sign(&mut self, lexeme: Lexeme<'t>) -> Lexeme<'t> {
        self.take(1);
        lexeme
    }

    fn word(&mut self) -> Lexeme<'t> {
        let end = self
            .rest
            .find(|letter| !in_word(letter))
            .unwrap_or(self.rest.len());
        Lexeme::Word(self.take(end))
    }

    fn text(&mut self) -> Result<Lexeme<'t>, QueryError> {
        let opened = self.column;
        self.take(1);
        let mut text = String::new();
        loop {
            let end = self.rest.find(['\'', '\n', '\r', '\0']);
            let Some(end) = end else {
                return Err(self.unexpected(opened, "an opening quote", "a closing one after it"));
            };
            text.push_str(self.take(end));
            if !self.eat('\'') {
                let letter = self.rest.chars().next().unwrap_or_default();
                return Err(self.stray(letter));
            }
            if !self.eat('\'') {
                return Ok(Lexeme::Text(text));
            }
            text.push('\'');
        }
    }

    fn eat(&mut self, letter: char) -> bool {
        let is = self.rest.starts_with(letter);
        if is {
            self.take(letter.len_utf8());
        }
        is
    }

    /// Steps over so many bytes, which end at a character's end.
    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.column += taken.chars().count();
        self.rest = rest;
        taken
    }

    fn stray(&self, letter: char) -> QueryError {
        let found = match letter {
            '\n' | '\r' => "a line break".to_owned(),
            _ => format!("the character U+{:04X}", u32::from(letter)),
        };
        self.unexpected(
            self.column,
            &found,
            "no line break, no control character, and no white space but spaces",
        )
    }

    fn unexpected(&self, column: usize, found: &str, expected: &str) -> QueryError {
        let problem = Problem::Unexpected {
            found: found.to_owned(),
            expected: expected.to_owned(),
        };
        QueryError::new(self.part, column, problem)
    }
}

/// Keys, operators and unquoted values are made of these.
fn in_word(letter: char) -> bool {
    !letter.is_whitespace()
        && !letter.is_control()
        && !matches!(letter, '(' | ')' | '\'' | '"' | ',')
}
