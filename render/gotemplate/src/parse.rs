//! From text to compiled templates, in one pass. `TemplateSet::parse` calls it.
//!
//! The rule: blocks are kept on a list, not on the stack, so only parentheses nest calls here, and
//! those are counted.

mod block;
mod control;
mod lexer;
mod number;
mod pipeline;
mod term;
mod token;
mod tokens;
mod unquote;

use std::sync::Arc;

use block::Tree;
use lexer::Lexer;
use token::Token;

use crate::error::{Error, Location};
use crate::function::Functions;
use crate::tree::{self, Op, Template};

/// What to parse, and how.
pub(crate) struct Source<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
    pub(crate) left: &'a str,
    pub(crate) right: &'a str,
    pub(crate) functions: &'a Functions,
    /// How deep parentheses may be nested.
    pub(crate) depth: u32,
}

/// A parse that ended: what is wrong.
type Parsed<T> = Result<T, Box<Error>>;

/// The name and the code of a tree.
type Done = (Arc<str>, Vec<Op>);

struct Parser<'a> {
    source: &'a Source<'a>,
    lexer: Lexer<'a>,
    /// Tokens that were looked at and put back, the next one last.
    ahead: [Token; 3],
    ahead_count: usize,
    /// Trees that wait for the one inside them, and that one.
    outer: Vec<Tree>,
    tree: Tree,
    /// Trees that are done: name and code.
    done: Vec<Done>,
    variables: Vec<Box<str>>,
    depth: u32,
}

/// Compiles a text: the template of its own name, and those that it defines.
pub(crate) fn parse(source: &Source<'_>) -> Result<Vec<Template>, Error> {
    let name: Arc<str> = source.name.into();
    if u32::try_from(source.text.len()).is_err() {
        return Err(Error::Parse {
            text: format!("template: {name}: text is too long"),
            location: Location {
                template: name,
                line: 1,
                column: None,
            },
        });
    }
    let (variables, done) = Parser::new(source, &name).run().map_err(|error| *error)?;
    let shared = Arc::new(tree::Source {
        name,
        text: source.text.into(),
        variables,
    });
    let templates = done.into_iter().map(|(name, code)| Template {
        name,
        source: Arc::clone(&shared),
        code,
    });
    Ok(templates.collect())
}

impl<'a> Parser<'a> {
    fn new(source: &'a Source<'a>, name: &Arc<str>) -> Self {
        let mut lexer = Lexer::new(source.text, source.left, source.right);
        lexer.breaks = source.functions.get("break").is_none();
        lexer.continues = source.functions.get("continue").is_none();
        let start = Token {
            kind: token::Kind::Eof,
            start: 0,
            end: 0,
        };
        Self {
            source,
            lexer,
            ahead: [start; 3],
            ahead_count: 0,
            outer: Vec::new(),
            tree: Tree::new(Arc::clone(name), block::Place::Main),
            done: Vec::new(),
            variables: vec!["$".into()],
            depth: 0,
        }
    }

    /// Names of variables, and the trees.
    fn run(mut self) -> Parsed<(Vec<Box<str>>, Vec<Done>)> {
        while self.item()? {}
        self.finish_tree()?;
        Ok((self.variables, self.done))
    }

    /// An error at the line of the token that this tree read last.
    #[cold]
    fn error(&self, text: impl std::fmt::Display) -> Box<Error> {
        let before = self.source.text.as_bytes();
        let before = &before[..(self.tree.last as usize).min(before.len())];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        let name = self.source.name;
        Box::new(Error::Parse {
            text: format!("template: {name}:{line}: {text}"),
            location: Location {
                template: name.into(),
                line,
                column: None,
            },
        })
    }
}
