//! The outcome of a run: one result per case and plan, in the order of the case list.

use crate::evidence::{Exchange, Finding};
use crate::{Case, Leftover, Level, Verdict};
use serde::Serialize;
use std::sync::Arc;

/// Who was judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Subject {
    /// A broker, by sending requests.
    Broker,
    /// A platform, by answering them.
    Platform,
}

/// Everything a run found out.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Who was judged.
    pub subject: Subject,
    /// Where, or which: the broker or the platform.
    pub url: String,
    /// The version that was spoken.
    pub api_version: String,
    /// The plans that were judged, as `offering/plan`.
    pub plans: Vec<String>,
    /// One per case and plan.
    pub results: Vec<CaseResult>,
    /// How the results add up.
    pub summary: Summary,
    /// What could not be deleted.
    pub leftovers: Vec<Leftover>,
    /// The run was stopped before its end.
    pub interrupted: bool,
    /// How many requests were sent, or calls seen.
    pub requests: u64,
    /// How long it took.
    pub millis: u64,
}

/// The end of one case, on one plan or on the whole broker.
#[derive(Debug, Clone, Serialize)]
pub struct CaseResult {
    /// The case.
    pub id: &'static str,
    /// Its area.
    pub area: &'static str,
    /// How binding it is.
    pub level: Level,
    /// The rule lines it holds.
    pub rules: &'static [&'static str],
    /// The heading in the specification.
    pub section: &'static str,
    /// What is expected.
    pub title: &'static str,
    /// The plan, when it ran for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// How it ended.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// What was not as expected.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// What to change, when something was not as expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<&'static str>,
    /// Which of several allowed readings was seen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// All that was sent and received, when it was asked for.
    #[serde(
        skip_serializing_if = "Vec::is_empty",
        serialize_with = "crate::evidence::shared_list"
    )]
    pub evidence: Vec<Arc<Exchange>>,
    /// How long it took.
    pub millis: u64,
}

/// Numbers of results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// All as wanted.
    pub passed: usize,
    /// A MUST broken.
    pub failed: usize,
    /// A SHOULD broken.
    pub warned: usize,
    /// Not observable.
    pub skipped: usize,
}

impl CaseResult {
    pub(crate) fn new(case: &'static Case, plan: Option<String>, verdict: Verdict) -> Self {
        Self {
            id: case.id,
            area: case.area(),
            level: case.level,
            rules: case.rules,
            section: case.section,
            title: case.title,
            plan,
            verdict,
            findings: Vec::new(),
            fix: None,
            notes: Vec::new(),
            evidence: Vec::new(),
            millis: 0,
        }
    }
}

impl Summary {
    pub(crate) fn of(results: &[CaseResult]) -> Self {
        let mut summary = Self::default();
        for result in results {
            match result.verdict {
                Verdict::Passed => summary.passed += 1,
                Verdict::Failed => summary.failed += 1,
                Verdict::Warned => summary.warned += 1,
                Verdict::Skipped { .. } => summary.skipped += 1,
            }
        }
        summary
    }
}

impl Report {
    /// Whether nothing mandatory failed.
    pub fn is_conformant(&self) -> bool {
        self.summary.failed == 0
    }

    /// The results of one case.
    pub fn of<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a CaseResult> {
        self.results.iter().filter(move |result| result.id == id)
    }
}
