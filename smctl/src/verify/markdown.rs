//! The result as Markdown, for documents and pull requests.

use super::count::{Row, rows, summary};
use qm_conformance::{Report, Subject, Verdict};
use std::fmt::Write;

/// The whole text.
pub(crate) fn render(report: &Report) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "# Conformance of {}\n", report.url);
    let _ = writeln!(
        out,
        "OSB {}, {}. {}.\n",
        report.api_version,
        match report.subject {
            Subject::Broker => format!("plans {}", report.plans.join(", ")),
            Subject::Platform => "the platform".to_owned(),
        },
        summary(report)
    );
    let _ = writeln!(
        out,
        "| | case | level | rules | expected |\n|---|---|---|---|---|"
    );
    let rows = rows(report);
    for row in &rows {
        let Some(case) = row.case() else { continue };
        let text = match row.verdict() {
            Verdict::Skipped { reason } => reason.as_str(),
            _ => case.title,
        };
        let _ = writeln!(
            out,
            "| {} | `{}` | {} | {} | {} |",
            mark(row.verdict()),
            case.id,
            case.level,
            case.rules.join(", "),
            cell(text)
        );
    }
    let bad: Vec<&Row<'_>> = rows
        .iter()
        .filter(|row| matches!(row.verdict(), Verdict::Failed | Verdict::Warned))
        .collect();
    if !bad.is_empty() {
        let _ = writeln!(out, "\n## Deviations\n");
        let (sent, seen) = match report.subject {
            Subject::Broker => ("sent", "came back"),
            Subject::Platform => ("called", "seen"),
        };
        let _ = writeln!(
            out,
            "| case | level | {sent} | {seen} | expected | change |\n|---|---|---|---|---|---|"
        );
    }
    for row in bad {
        let word = row.verdict().word();
        for result in row.with(word).into_iter().take(1) {
            let finding = result.findings.first();
            let exchange = finding.and_then(|finding| finding.exchange.as_ref());
            let sent = exchange.map(|e| format!("{} {}", e.sent.method, path(&e.sent.path)));
            let _ = writeln!(
                out,
                "| `{}` | {} | {} | {} | {} | {} |",
                result.id,
                result.level,
                cell(&sent.unwrap_or_default()),
                cell(finding.map_or("", |f| f.seen.as_str())),
                cell(finding.map_or("", |f| f.expected.as_str())),
                cell(result.fix.unwrap_or_default()),
            );
        }
    }
    out
}

fn mark(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "✓",
        Verdict::Failed => "✗",
        Verdict::Warned => "!",
        Verdict::Skipped { .. } => "–",
    }
}

/// A path without its query.
fn path(path: &str) -> &str {
    path.split('?').next().unwrap_or(path)
}

/// Text that cannot end a cell.
pub(crate) fn cell(text: &str) -> String {
    let short = crate::paint::cut(text, 160);
    short
        .replace('|', "\\|")
        .replace(['\n', '\r'], " ")
        .replace('<', "&lt;")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use qm_conformance::{CaseResult, Exchange, Finding, Level, Received, Sent, Summary};
    use std::sync::Arc;

    fn result(id: &'static str, area: &'static str, verdict: Verdict) -> CaseResult {
        CaseResult {
            id,
            area,
            level: Level::Must,
            rules: &["B50"],
            section: "Binding",
            title: "A PUT for an existing id with another plan is answered with 409 (or 400)",
            plan: Some("token/<small>".to_owned()),
            verdict,
            findings: Vec::new(),
            fix: None,
            notes: Vec::new(),
            evidence: Vec::new(),
            millis: 12,
        }
    }

    /// A report with one of everything.
    pub(crate) fn report() -> Report {
        let mut failed = result("bind.conflict-plan", "bind", Verdict::Failed);
        failed.fix = Some("Compare plan_id with the stored one and answer 409.");
        failed.findings.push(Finding {
            expected: "409 (the id is taken)".to_owned(),
            seen: "200 {\"a\":\"<&'\u{1}|\"}".to_owned(),
            exchange: Some(Arc::new(Exchange {
                sent: Sent {
                    method: "PUT".to_owned(),
                    path: "/v2/service_instances/a%2Fb/service_bindings/b?accepts_incomplete=true"
                        .to_owned(),
                    headers: vec![("authorization".to_owned(), "***".to_owned())],
                    body: Some("{\"plan_id\":\"x\"}".to_owned()),
                },
                received: Received::Answer {
                    status: 200,
                    headers: Vec::new(),
                    body: Some("{\"a\":\"<&'\u{1}|\"}".to_owned()),
                },
                millis: 3,
            })),
        });
        let skipped = Verdict::Skipped {
            reason: "the plan is not binding_rotatable".to_owned(),
        };
        Report {
            subject: Subject::Broker,
            url: "http://127.0.0.1:1".to_owned(),
            api_version: "2.17".to_owned(),
            plans: vec!["token/<small>".to_owned()],
            results: vec![
                result("catalog.works", "catalog", Verdict::Passed),
                failed,
                result("bind.conflict-app", "bind", Verdict::Warned),
                result("rotate.times", "rotate", skipped),
            ],
            summary: Summary {
                passed: 1,
                failed: 1,
                warned: 1,
                skipped: 1,
            },
            leftovers: Vec::new(),
            interrupted: false,
            requests: 7,
            millis: 1234,
        }
    }

    #[test]
    fn every_case_has_a_row_and_cells_cannot_be_broken() {
        let text = render(&report());
        assert!(
            text.contains("| ✗ | `bind.conflict-plan` | MUST | B50 |"),
            "{text}"
        );
        assert!(
            text.contains(
                "| – | `rotate.times` | MUST | B50 | the plan is not binding_rotatable |"
            )
        );
        assert!(text.contains(
            "4 cases on 1 plan, 7 requests in 1.2 s\n1 passed, 1 failed, 1 warned, 1 skipped"
        ));
        let deviations = text.split("## Deviations").nth(1).unwrap();
        for row in deviations.lines().filter(|line| line.starts_with("| `")) {
            let bars = row.replace("\\|", "").matches('|').count();
            assert_eq!(bars, 7, "{row}");
        }
    }
}
