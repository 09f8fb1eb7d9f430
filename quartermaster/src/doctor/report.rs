//! What the doctor found, and how it is told.

use serde::Serialize;
use std::fmt::Write as _;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    Ok,
    /// Not looked at.
    Skipped,
    /// It works, and will not for ever or not well.
    Warning,
    /// The manager cannot do its work.
    Problem,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Skipped => "skipped",
            Self::Warning => "warning",
            Self::Problem => "problem",
        }
    }
}

/// One check.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Check {
    name: &'static str,
    verdict: Verdict,
    /// What was seen.
    what: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "String::is_empty")]
    todo: String,
}

/// All checks so far.
#[derive(Debug, Default)]
pub(crate) struct Report {
    checks: Vec<Check>,
}

impl Report {
    pub(crate) fn ok(&mut self, name: &'static str, what: impl Into<String>) {
        self.add(name, Verdict::Ok, what.into(), String::new());
    }

    pub(crate) fn skipped(&mut self, name: &'static str, why: impl Into<String>) {
        self.add(name, Verdict::Skipped, why.into(), String::new());
    }

    pub(crate) fn warning(
        &mut self,
        name: &'static str,
        what: impl Into<String>,
        todo: impl Into<String>,
    ) {
        self.add(name, Verdict::Warning, what.into(), todo.into());
    }

    pub(crate) fn problem(
        &mut self,
        name: &'static str,
        what: impl Into<String>,
        todo: impl Into<String>,
    ) {
        self.add(name, Verdict::Problem, what.into(), todo.into());
    }

    fn add(&mut self, name: &'static str, verdict: Verdict, what: String, todo: String) {
        // One line per check, whatever an error had to say.
        let flat = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.checks.push(Check {
            name,
            verdict,
            what: flat(what),
            todo: flat(todo),
        });
    }

    /// Nothing keeps the manager from working.
    pub(crate) fn is_healthy(&self) -> bool {
        self.count(Verdict::Problem) == 0
    }

    fn count(&self, verdict: Verdict) -> usize {
        let checks = self.checks.iter();
        checks.filter(|check| check.verdict == verdict).count()
    }

    /// One line per check, and one at the end.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for Check {
            name,
            verdict,
            what,
            todo,
        } in &self.checks
        {
            let _ = write!(text, "{:<8} {name:<14} {what}", verdict.word());
            if !todo.is_empty() {
                let _ = write!(text, " -> {todo}");
            }
            text.push('\n');
        }
        let (problems, warnings) = (self.count(Verdict::Problem), self.count(Verdict::Warning));
        let _ = match (problems, warnings) {
            (0, 0) => writeln!(text, "\nall is well"),
            _ => writeln!(
                text,
                "\n{}, {}",
                count(problems, "problem"),
                count(warnings, "warning")
            ),
        };
        text
    }

    /// The same for programs.
    pub(crate) fn json(&self) -> String {
        serde_json::json!({ "healthy": self.is_healthy(), "checks": self.checks }).to_string()
    }
}

fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::Report;

    #[test]
    fn one_line_per_check_and_a_sum() {
        let mut report = Report::default();
        report.ok("a", "fine");
        report.warning("b", "two\nlines", "do it");
        assert!(report.is_healthy());
        report.problem("c", "bad", "mend it");
        assert!(!report.is_healthy());
        let text = report.text();
        assert_eq!(text.lines().count(), 5, "{text}");
        assert!(text.contains("two lines -> do it"), "{text}");
        assert!(text.ends_with("1 problem, 1 warning\n"), "{text}");
        let json: serde_json::Value = serde_json::from_str(&report.json()).unwrap();
        assert_eq!(json["checks"][2]["verdict"], "problem");
        assert_eq!(json["healthy"], false);
    }
}
