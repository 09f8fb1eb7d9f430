//! What went wrong, in three lines: what, why, and what to do.
//!
//! Every command fails with one of these. The rule: the first line says what the person wanted and did not get, the
//! second gives the reason in the other side's words, the third is something that can be typed.

mod complete;

use crate::exit::Exit;
use std::fmt;

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) exit: Exit,
    pub(crate) what: String,
    pub(crate) why: Option<String>,
    pub(crate) hint: Option<String>,
    /// Finds the request in the manager's logs, traces and audit log.
    pub(crate) correlation: Option<Box<str>>,
    /// What the old smctl would have said, for scripts that read it.
    pub(crate) old: Option<String>,
    /// The HTTP status, when it was an answer.
    pub(crate) status: Option<u16>,
}

impl Problem {
    pub(crate) fn new(exit: Exit, what: impl Into<String>) -> Self {
        Self {
            exit,
            what: what.into(),
            why: None,
            hint: None,
            correlation: None,
            old: None,
            status: None,
        }
    }

    /// Something is not there.
    pub(crate) fn not_found(what: impl Into<String>) -> Self {
        Self::new(Exit::NotFound, what)
    }

    /// Something was typed wrongly.
    pub(crate) fn usage(what: impl Into<String>) -> Self {
        Self::new(Exit::Usage, what)
    }

    pub(crate) fn why(mut self, why: impl Into<String>) -> Self {
        self.why = Some(why.into());
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn old(mut self, old: impl Into<String>) -> Self {
        self.old = Some(old.into());
        self
    }

    /// The lines for people.
    pub(crate) fn told(&self) -> String {
        let mut told = format!("Error: {}", self.what);
        if let Some(why) = &self.why {
            told.push_str("\n  why: ");
            told.push_str(&why.replace('\n', "\n       "));
        }
        if let Some(hint) = &self.hint {
            told.push_str("\n  try: ");
            told.push_str(hint);
        }
        if let Some(id) = &self.correlation {
            told.push_str("\n  correlation id: ");
            told.push_str(id);
        }
        told
    }

    /// The line of the old smctl.
    pub(crate) fn told_as_before(&self) -> String {
        format!("Error: {}", self.old.as_ref().unwrap_or(&self.what))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Problem {}

#[cfg(test)]
mod tests {
    use super::Problem;

    #[test]
    fn the_lines_are_what_why_and_what_to_do() {
        let problem = Problem::not_found("there is no broker x")
            .why("nothing has that name")
            .hint("smctl broker list");
        let told =
            "Error: there is no broker x\n  why: nothing has that name\n  try: smctl broker list";
        assert_eq!(problem.told(), told);
    }
}
