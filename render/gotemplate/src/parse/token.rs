//! Tokens, and how error texts name them.

use crate::fmt::{quoted, quoted_start};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The lexer has kept the text of the error.
    Error,
    Bool,
    /// A printable character that means nothing here but a comma between variables.
    Char,
    CharConstant,
    Complex,
    Assign,
    Declare,
    Eof,
    Field,
    Identifier,
    LeftDelim,
    LeftParen,
    Number,
    Pipe,
    RawString,
    RightDelim,
    RightParen,
    Space,
    String,
    Text,
    Variable,
    // Keywords
    Block,
    Break,
    Continue,
    Dot,
    Define,
    Else,
    End,
    If,
    Nil,
    Range,
    Template,
    With,
}

impl Kind {
    pub(super) fn keyword(word: &str) -> Option<Self> {
        Some(match word {
            "block" => Self::Block,
            "break" => Self::Break,
            "continue" => Self::Continue,
            "define" => Self::Define,
            "else" => Self::Else,
            "end" => Self::End,
            "if" => Self::If,
            "nil" => Self::Nil,
            "range" => Self::Range,
            "template" => Self::Template,
            "with" => Self::With,
            _ => return None,
        })
    }

    fn is_keyword(self) -> bool {
        matches!(
            self,
            Self::Block
                | Self::Break
                | Self::Continue
                | Self::Dot
                | Self::Define
                | Self::Else
                | Self::End
                | Self::If
                | Self::Nil
                | Self::Range
                | Self::Template
                | Self::With
        )
    }
}

/// A piece of the source.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Token {
    pub(super) fn text(self, source: &str) -> &str {
        source
            .get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }

    /// As an error text names it.
    pub(super) fn shown(self, source: &str) -> String {
        let text = self.text(source);
        match self.kind {
            Kind::Eof => "EOF".to_owned(),
            kind if kind.is_keyword() => format!("<{text}>"),
            _ if text.len() > 10 => format!("{}...", quoted_start(text, 10)),
            _ => quoted(text),
        }
    }
}
