//! What failed, in full: what was sent, what came back, what was expected, which rule, what to change.

use super::count::Row;
use crate::paint::{Paint, wrap};
use qm_conformance::rules::rule_by_id;
use qm_conformance::{CaseResult, Exchange, Finding, Received, Subject, Verdict};
use std::fmt::Write;

/// Findings shown per case unless everything is asked for.
const SHOWN: usize = 2;

pub(crate) fn explain(
    out: &mut String,
    rows: &[Row<'_>],
    subject: Subject,
    paint: Paint,
    verbose: bool,
) {
    for (word, heading) in [("failed", "Failed"), ("warned", "Warned")] {
        let bad: Vec<&Row<'_>> = rows
            .iter()
            .filter(|row| !row.with(word).is_empty())
            .collect();
        if bad.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n{}", paint.bold(heading));
        for row in bad {
            case(out, &row.with(word), subject, paint, verbose);
        }
    }
    if verbose {
        for row in rows {
            for result in row.with("passed") {
                trail(out, result, subject, paint);
            }
        }
    }
}

fn case(out: &mut String, results: &[&CaseResult], subject: Subject, paint: Paint, verbose: bool) {
    let Some(first) = results.first() else { return };
    let mark = match first.verdict {
        Verdict::Failed => paint.bad("✗"),
        _ => paint.warn("!"),
    };
    let _ = writeln!(out, "\n{mark} {}", paint.bold(first.id));
    field(out, paint, "", first.title);
    let plans: Vec<&str> = results.iter().filter_map(|r| r.plan.as_deref()).collect();
    if !plans.is_empty() {
        field(out, paint, "plans", &plans.join(", "));
    }
    // The same finding on every plan is told once.
    let mut findings: Vec<&Finding> = Vec::new();
    for finding in results.iter().flat_map(|result| &result.findings) {
        let known = findings
            .iter()
            .any(|f| f.expected == finding.expected && same_call(f, finding));
        if verbose || !known {
            findings.push(finding);
        }
    }
    let shown = if verbose { findings.len() } else { SHOWN };
    for finding in findings.iter().take(shown) {
        match (&finding.exchange, subject) {
            (Some(exchange), Subject::Broker) => {
                field(out, paint, "sent", &sent(exchange, verbose));
                field(out, paint, "came back", &came_back(exchange, &finding.seen));
            }
            (Some(exchange), Subject::Platform) => {
                field(out, paint, "called", &sent(exchange, verbose));
                field(out, paint, "answered", &short(&exchange.received.line()));
                field(out, paint, "seen", &finding.seen);
            }
            (None, _) => field(out, paint, "seen", &finding.seen),
        }
        field(out, paint, "expected", &finding.expected);
    }
    if findings.len() > shown {
        field(
            out,
            paint,
            "",
            &format!(
                "and {} more like it; -o json has them all",
                findings.len() - shown
            ),
        );
    }
    for rule in first.rules.iter().filter_map(|id| rule_by_id(id)) {
        field(
            out,
            paint,
            "rule",
            &format!("{} {} ({})", rule.id, rule.text, first.section),
        );
    }
    if let Some(fix) = first.fix {
        field(out, paint, "change", fix);
    }
}

fn same_call(a: &Finding, b: &Finding) -> bool {
    let status = |f: &Finding| f.exchange.as_ref().and_then(|e| e.received.status());
    let method = |f: &Finding| f.exchange.as_ref().map(|e| e.sent.method.clone());
    status(a) == status(b) && method(a) == method(b)
}

fn field(out: &mut String, paint: Paint, name: &str, text: &str) {
    for (i, line) in wrap(text, paint.width.saturating_sub(13))
        .iter()
        .enumerate()
    {
        let name = if i == 0 { name } else { "" };
        let _ = writeln!(out, "  {}{line}", paint.dim(&format!("{name:11}")));
    }
}

fn sent(exchange: &Exchange, verbose: bool) -> String {
    let sent = &exchange.sent;
    let mut text = format!("{} {}", sent.method, sent.path);
    let telling = [
        "x-broker-api-version",
        "content-type",
        "if-none-match",
        "x-broker-api-originating-identity",
    ];
    for (name, value) in &sent.headers {
        if verbose
            || (telling.contains(&name.as_str()) && value != "2.17" && value != "application/json")
        {
            text.push_str(&format!("\n{name}: {}", short(value)));
        }
    }
    if let Some(body) = &sent.body {
        text.push_str(&format!("\n{}", short(body)));
    }
    text
}

fn came_back(exchange: &Exchange, seen: &str) -> String {
    match &exchange.received {
        Received::Answer { .. } => short(seen),
        Received::Nothing { reason } => reason.clone(),
    }
}

fn short(text: &str) -> String {
    let printable: String = text
        .chars()
        .map(|c| if c.is_control() { '·' } else { c })
        .collect();
    crate::paint::cut(&printable, 400)
}

fn trail(out: &mut String, result: &CaseResult, subject: Subject, paint: Paint) {
    let (asked, answered) = match subject {
        Subject::Broker => ("sent", "came back"),
        Subject::Platform => ("called", "answered"),
    };
    if result.evidence.is_empty() {
        return;
    }
    let whole = match subject {
        Subject::Broker => "broker",
        Subject::Platform => "platform",
    };
    let plan = result.plan.as_deref().unwrap_or(whole);
    let _ = writeln!(
        out,
        "\n{} {} {}",
        paint.good("✓"),
        paint.bold(result.id),
        paint.dim(plan)
    );
    for exchange in &result.evidence {
        field(out, paint, asked, &sent(exchange, false));
        field(out, paint, answered, &short(&exchange.received.line()));
    }
}
