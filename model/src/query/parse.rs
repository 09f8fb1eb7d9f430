//! From words to criteria whose values have no types yet. [`super::typed`] gives them.
//!
//! The rule: one function per rule of the grammar in [`super`], and every refusal says where.

use super::time;
use super::token::{Lexeme, Token, Tokens};
use super::{MAX_TEXT, MAX_VALUES, Operator, Order, Part, Problem, QueryError};

/// A criterion as written.
pub(super) struct Raw<'t> {
    pub(super) part: Part,
    pub(super) column: usize,
    pub(super) key: &'t str,
    pub(super) operation: Operation,
}

/// An operator with as many values as it takes.
pub(super) enum Operation {
    Eq(Literal),
    Ne(Literal),
    Order(Order, Literal),
    En(Literal),
    Contains(Literal),
    In(Vec<Literal>),
    NotIn(Vec<Literal>),
}

/// A value as written.
pub(super) struct Literal {
    pub(super) column: usize,
    pub(super) text: String,
    pub(super) quoted: bool,
}

/// All criteria of a text, `most` of them at most.
pub(super) fn criteria(part: Part, text: &str, most: usize) -> Result<Vec<Raw<'_>>, QueryError> {
    if text.len() > MAX_TEXT {
        let column = 1 + text.char_indices().filter(|(at, _)| *at < MAX_TEXT).count();
        return Err(QueryError::new(part, column, Problem::TooLong));
    }
    let mut parser = Parser::new(part, text)?;
    let mut criteria = Vec::new();
    if matches!(parser.next.lexeme, Lexeme::End) {
        return Ok(criteria);
    }
    loop {
        if criteria.len() == most {
            return Err(parser.problem(Problem::TooManyCriteria));
        }
        criteria.push(parser.criterion()?);
        match parser.next.lexeme {
            Lexeme::End => return Ok(criteria),
            Lexeme::Word("and") => parser.advance()?,
            _ => return Err(parser.expected("`and` or the end")),
        };
    }
}

/// One token ahead.
struct Parser<'t> {
    part: Part,
    tokens: Tokens<'t>,
    next: Token<'t>,
}

impl<'t> Parser<'t> {
    fn new(part: Part, text: &'t str) -> Result<Self, QueryError> {
        let mut tokens = Tokens::new(part, text);
        let next = tokens.next()?;
        Ok(Self { part, tokens, next })
    }

    fn advance(&mut self) -> Result<Token<'t>, QueryError> {
        let next = self.tokens.next()?;
        Ok(std::mem::replace(&mut self.next, next))
    }

    fn criterion(&mut self) -> Result<Raw<'t>, QueryError> {
        let Lexeme::Word(key) = self.next.lexeme else {
            return Err(self.expected(match self.part {
                Part::Field => "the name of a field",
                Part::Label => "the key of a label",
            }));
        };
        let column = self.advance()?.column;
        let operation = match self.operator()? {
            Operator::Eq => Operation::Eq(self.value()?),
            Operator::Ne => Operation::Ne(self.value()?),
            Operator::Order(order) => Operation::Order(order, self.value()?),
            Operator::En => Operation::En(self.value()?),
            Operator::Contains => Operation::Contains(self.value()?),
            Operator::In => Operation::In(self.list()?),
            Operator::NotIn => Operation::NotIn(self.list()?),
        };
        Ok(Raw {
            part: self.part,
            column,
            key,
            operation,
        })
    }

    fn operator(&mut self) -> Result<Operator, QueryError> {
        let operator = match self.next.lexeme {
            Lexeme::Word(word) => Operator::parse(word),
            _ => None,
        };
        let Some(operator) = operator else {
            let words = Operator::ALL.map(Operator::as_str).join(", ");
            return Err(self.expected(&format!("one of {words}")));
        };
        self.advance()?;
        Ok(operator)
    }

    fn list(&mut self) -> Result<Vec<Literal>, QueryError> {
        let mut values = Vec::new();
        if !matches!(self.next.lexeme, Lexeme::Open) {
            return Err(self.expected("a list in parentheses"));
        }
        self.advance()?;
        if matches!(self.next.lexeme, Lexeme::Close) {
            self.advance()?;
            return Ok(values);
        }
        loop {
            if values.len() == MAX_VALUES {
                return Err(self.problem(Problem::TooManyValues));
            }
            values.push(self.value()?);
            let closes = match self.next.lexeme {
                Lexeme::Close => true,
                Lexeme::Comma => false,
                _ => return Err(self.expected("`,` or `)`")),
            };
            self.advance()?;
            if closes {
                return Ok(values);
            }
        }
    }

    fn value(&mut self) -> Result<Literal, QueryError> {
        let (text, quoted) = match &mut self.next.lexeme {
            Lexeme::Text(text) => (std::mem::take(text), true),
            Lexeme::Word(word) if is_plain(word) => ((*word).to_owned(), false),
            _ => {
                return Err(self.expected(
                    "text in single quotes, a number, true, false, or an RFC 3339 time",
                ));
            }
        };
        let column = self.advance()?.column;
        Ok(Literal {
            column,
            text,
            quoted,
        })
    }

    fn expected(&self, expected: &str) -> QueryError {
        self.problem(Problem::Unexpected {
            found: self.next.lexeme.found(),
            expected: expected.to_owned(),
        })
    }

    fn problem(&self, problem: Problem) -> QueryError {
        QueryError::new(self.part, self.next.column, problem)
    }
}

/// A word that is a value without quotes.
fn is_plain(word: &str) -> bool {
    matches!(word, "true" | "false") || is_number(word) || time::is_rfc3339(word)
}

/// An optional sign, digits, and optionally a dot and digits.
pub(super) fn is_number(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = word.strip_prefix(['+', '-']).unwrap_or(word);
    match unsigned.split_once('.') {
        None => digits(unsigned),
        Some((whole, fraction)) => digits(whole) && digits(fraction),
    }
}
