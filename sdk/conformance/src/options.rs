//! What to run, on which plans, with which parameters.
//!
//! Made by `smctl verify` and by tests; read by `run`.

mod parameters;

pub use parameters::{Parameters, ParametersError, PlanParameters};

use crate::Duration;

/// Choices for a run.
#[derive(Debug, Clone)]
pub struct Options {
    /// Run only cases that match one of these (all when empty).
    pub only: Vec<String>,
    /// Leave out cases that match one of these.
    pub skip: Vec<String>,
    /// Only these offerings, by id or name (all when empty).
    pub services: Vec<String>,
    /// Only these plans, by id or name (all when empty).
    pub plans: Vec<String>,
    /// Parameters per plan.
    pub parameters: Parameters,
    /// Shortest wait between two polls.
    pub poll_floor: Duration,
    /// Longest wait between two polls, whatever `Retry-After` asks for.
    pub poll_cap: Duration,
    /// How long an operation may take as a whole.
    pub poll_deadline: Duration,
    /// How many cases run at the same time.
    pub parallel: usize,
    /// Keep what was sent and received for cases that passed, too.
    pub keep_evidence: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            only: Vec::new(),
            skip: Vec::new(),
            services: Vec::new(),
            plans: Vec::new(),
            parameters: Parameters::default(),
            poll_floor: Duration::from_millis(50),
            poll_cap: Duration::from_secs(1),
            poll_deadline: Duration::from_secs(600),
            parallel: 32,
            keep_evidence: false,
        }
    }
}

impl Options {
    /// Whether a case is wanted: named by `only` (or `only` is empty) and not by `skip`.
    pub fn wants(&self, id: &str) -> bool {
        (self.only.is_empty() || self.only.iter().any(|p| matches(p, id)))
            && !self.skip.iter().any(|p| matches(p, id))
    }
}

/// Whether a pattern names a case: the whole id, an area or prefix that ends at a dot, or a glob with `*`.
pub fn matches(pattern: &str, id: &str) -> bool {
    if pattern.contains('*') {
        return glob(pattern.as_bytes(), id.as_bytes());
    }
    match id.strip_prefix(pattern) {
        Some(rest) => rest.is_empty() || rest.starts_with('.') || pattern.ends_with('.'),
        None => false,
    }
}

fn glob(pattern: &[u8], text: &[u8]) -> bool {
    match (pattern.first(), text.first()) {
        (None, None) => true,
        (Some(b'*'), _) => {
            glob(&pattern[1..], text) || (!text.is_empty() && glob(pattern, &text[1..]))
        }
        (Some(p), Some(t)) => p == t && glob(&pattern[1..], &text[1..]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_name_areas_prefixes_and_globs() {
        assert!(matches("bind", "bind.conflict"));
        assert!(matches("bind.conflict", "bind.conflict"));
        assert!(matches("*.repeat-*", "bind.repeat-identical"));
        assert!(!matches("bind", "binding.x"));
        assert!(!matches("bind.con", "bind.conflict"));
        assert!(matches("bind.con*", "bind.conflict"));
    }

    #[test]
    fn skip_wins_over_only() {
        let options = Options {
            only: vec!["bind".into()],
            skip: vec!["bind.conflict".into()],
            ..Options::default()
        };
        assert!(options.wants("bind.created"));
        assert!(!options.wants("bind.conflict"));
        assert!(!options.wants("unbind.ok"));
    }
}
