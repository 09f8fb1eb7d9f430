//! Expressions printed again, as the context of an error. Words are printed from the source; spaces
//! between them are Go's.

use super::{Call, Command, Pipe, Source, Term, TermKind};

impl Source {
    pub(crate) fn variable(&self, number: u32) -> &str {
        self.variables
            .get(number as usize)
            .map_or("", |name| &**name)
    }

    fn part(&self, start: u32, end: u32) -> &str {
        self.text
            .get(start as usize..end as usize)
            .unwrap_or_default()
    }

    pub(crate) fn show_pipe(&self, pipe: &Pipe) -> String {
        let mut out = String::new();
        self.pipe(&mut out, pipe);
        out
    }

    pub(crate) fn show_command(&self, command: &Command) -> String {
        let mut out = String::new();
        self.command(&mut out, command);
        out
    }

    pub(crate) fn show_term(&self, term: &Term) -> String {
        let mut out = String::new();
        self.term(&mut out, term);
        out
    }

    pub(crate) fn show_action(&self, pipe: &Pipe) -> String {
        format!("{{{{{}}}}}", self.show_pipe(pipe))
    }

    pub(crate) fn show_call(&self, call: &Call) -> String {
        let name = crate::fmt::quoted_bytes(call.name.as_bytes(), false);
        match &call.pipe {
            Some(pipe) => format!("{{{{template {name} {}}}}}", self.show_pipe(pipe)),
            None => format!("{{{{template {name}}}}}"),
        }
    }

    fn pipe(&self, out: &mut String, pipe: &Pipe) {
        for (index, target) in pipe.targets.iter().enumerate() {
            out.push_str(if index > 0 { ", " } else { "" });
            out.push_str(self.variable(*target));
        }
        if !pipe.targets.is_empty() {
            out.push_str(if pipe.assigns { " = " } else { " := " });
        }
        for (index, command) in pipe.commands.iter().enumerate() {
            out.push_str(if index > 0 { " | " } else { "" });
            self.command(out, command);
        }
    }

    fn command(&self, out: &mut String, command: &Command) {
        for (index, word) in command.words.iter().enumerate() {
            out.push_str(if index > 0 { " " } else { "" });
            match &word.kind {
                TermKind::Pipe(pipe) => self.in_parens(out, pipe),
                _ => self.term(out, word),
            }
        }
    }

    fn in_parens(&self, out: &mut String, pipe: &Pipe) {
        out.push('(');
        self.pipe(out, pipe);
        out.push(')');
    }

    fn term(&self, out: &mut String, term: &Term) {
        match &term.kind {
            TermKind::Pipe(pipe) => self.pipe(out, pipe),
            TermKind::Chain(inner, fields) => {
                match &inner.kind {
                    TermKind::Pipe(pipe) => self.in_parens(out, pipe),
                    _ => self.term(out, inner),
                }
                for field in fields {
                    out.push('.');
                    out.push_str(&field.to_text());
                }
            }
            _ => out.push_str(self.part(term.start, term.end)),
        }
    }
}
