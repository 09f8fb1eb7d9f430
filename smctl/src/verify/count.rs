//! Results of one case over all plans, added up for printing.

use qm_conformance::{CaseResult, Report, Subject, Verdict};

/// A case and its results on all plans.
pub(crate) struct Row<'a> {
    pub(crate) results: Vec<&'a CaseResult>,
}

impl<'a> Row<'a> {
    /// The first result; there is always one.
    pub(crate) fn case(&self) -> Option<&'a CaseResult> {
        self.results.first().copied()
    }

    /// The worst verdict of all plans. A pass on one plan counts more than a skip on another.
    pub(crate) fn verdict(&self) -> &'a Verdict {
        let rank = |verdict: &Verdict| match verdict {
            Verdict::Failed => 3,
            Verdict::Warned => 2,
            Verdict::Passed => 1,
            Verdict::Skipped { .. } => 0,
        };
        self.results
            .iter()
            .map(|result| &result.verdict)
            .max_by_key(|verdict| rank(verdict))
            .unwrap_or(&Verdict::Passed)
    }

    /// Results with this word.
    pub(crate) fn with(&self, word: &str) -> Vec<&'a CaseResult> {
        let matching = self.results.iter().filter(|r| r.verdict.word() == word);
        matching.copied().collect()
    }
}

/// One row per case, in the order of the report.
pub(crate) fn rows(report: &Report) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for result in &report.results {
        match rows.last_mut() {
            Some(row) if row.case().is_some_and(|case| case.id == result.id) => {
                row.results.push(result);
            }
            _ => rows.push(Row {
                results: vec![result],
            }),
        }
    }
    rows
}

/// The closing lines: how much was done, and how it ended. Results are counted per plan.
pub(crate) fn summary(report: &Report) -> String {
    let s = &report.summary;
    let seconds = report.millis as f64 / 1000.0;
    let (plans, requests) = match (report.subject, report.plans.len()) {
        (Subject::Platform, _) => (String::new(), "calls"),
        (Subject::Broker, 1) => (" on 1 plan".to_owned(), "requests"),
        (Subject::Broker, plans) => (format!(" on {plans} plans"), "requests"),
    };
    format!(
        "{} cases{plans}, {} {requests} in {seconds:.1} s\n{} passed, {} failed, {} warned, {} skipped",
        rows(report).len(),
        report.requests,
        s.passed,
        s.failed,
        s.warned,
        s.skipped,
    )
}
