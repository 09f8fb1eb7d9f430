//! Errors in Go's words: template, line, column, the text of what was evaluated, and what happened.

use std::fmt::Display;
use std::sync::Arc;

use super::machine::{Machine, Node};
use crate::error::{Error, Location};
use crate::fmt::quoted;
use crate::function::Failure;

impl Machine<'_> {
    /// An error at the current node.
    #[cold]
    pub(super) fn fail(&self, what: impl Display) -> Box<Error> {
        let (text, location) = self.told(&what);
        Box::new(Error::Execute {
            text,
            location: Some(location),
        })
    }

    /// As [`fail`](Self::fail), for what a limit or a function said.
    #[cold]
    pub(super) fn fail_with(&self, failure: &Failure) -> Box<Error> {
        self.fail_called(failure, "")
    }

    /// A function failed; `before` is put in front of its words.
    #[cold]
    pub(super) fn fail_called(&self, failure: &Failure, before: &str) -> Box<Error> {
        let (text, location) = self.told(&format_args!("{before}{failure}"));
        let location = Some(location);
        Box::new(match failure.reached() {
            Some(limit) => Error::Limit {
                limit,
                text,
                location,
            },
            None => Error::Execute { text, location },
        })
    }

    fn told(&self, what: &dyn Display) -> (String, Location) {
        let source = &self.template.source;
        let (pos, context) = match self.node {
            Node::None => (0, String::new()),
            Node::Pipe(pipe) => (pipe.pos, source.show_pipe(pipe)),
            Node::Action(pipe) => (pipe.pos, source.show_action(pipe)),
            Node::Command(command) => (command.pos, source.show_command(command)),
            Node::Term(term) => (term.pos, source.show_term(term)),
            Node::Call(call) => (call.pos, source.show_call(call)),
        };
        let before = &source.text.as_bytes()[..(pos as usize).min(source.text.len())];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        let line_start = before.iter().rposition(|byte| *byte == b'\n');
        let column = before.len() - line_start.map_or(0, |at| at + 1);
        let location = Location {
            template: Arc::clone(&source.name),
            line,
            column: Some(column),
        };
        let (parsed, name) = (&source.name, quoted(&self.template.name));
        let text =
            format!("template: {parsed}:{line}:{column}: executing {name} at <{context}>: {what}");
        (text, location)
    }
}
