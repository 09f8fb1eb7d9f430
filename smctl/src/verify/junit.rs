//! The result as JUnit XML, for build servers: a suite per area, a test case per case and plan.

use qm_conformance::{CaseResult, Report, Subject, Verdict};
use std::fmt::Write;

/// The whole document.
pub(crate) fn render(report: &Report) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let s = &report.summary;
    let _ = writeln!(
        out,
        "<testsuites name=\"OSB {} {}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" time=\"{}\">",
        report.api_version,
        escape(&report.url),
        report.results.len(),
        s.failed,
        s.skipped,
        seconds(report.millis),
    );
    let mut areas: Vec<&str> = report.results.iter().map(|result| result.area).collect();
    areas.dedup();
    for area in areas {
        suite(&mut out, area, report);
    }
    out.push_str("</testsuites>\n");
    out
}

fn suite(out: &mut String, area: &str, report: &Report) {
    let results: Vec<&CaseResult> = report.results.iter().filter(|r| r.area == area).collect();
    let count = |word: &str| results.iter().filter(|r| r.verdict.word() == word).count();
    let _ = writeln!(
        out,
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{}\">",
        escape(area),
        results.len(),
        count("failed"),
        count("skipped"),
        seconds(results.iter().map(|result| result.millis).sum()),
    );
    for result in results {
        case(out, result, report.subject);
    }
    out.push_str("  </testsuite>\n");
}

fn case(out: &mut String, result: &CaseResult, subject: Subject) {
    let class = match &result.plan {
        Some(plan) => format!("{}.{plan}", result.area),
        None => result.area.to_owned(),
    };
    let _ = write!(
        out,
        "    <testcase classname=\"{}\" name=\"{}\" time=\"{}\">",
        escape(&class),
        escape(result.id),
        seconds(result.millis),
    );
    match &result.verdict {
        Verdict::Passed => {}
        Verdict::Skipped { reason } => {
            let _ = write!(out, "<skipped message=\"{}\"/>", escape(reason));
        }
        Verdict::Failed => {
            let message = result
                .findings
                .first()
                .map_or(result.title, |f| f.expected.as_str());
            let _ = write!(
                out,
                "<failure type=\"{}\" message=\"expected {}\">{}</failure>",
                result.level,
                escape(message),
                escape(&story(result, subject)),
            );
        }
        Verdict::Warned => {
            let _ = write!(
                out,
                "<system-out>warning: {}</system-out>",
                escape(&story(result, subject))
            );
        }
    }
    out.push_str("</testcase>\n");
}

fn story(result: &CaseResult, subject: Subject) -> String {
    let (sent, seen) = match subject {
        Subject::Broker => ("sent", "came back"),
        Subject::Platform => ("called", "seen"),
    };
    let mut text = format!(
        "{} ({}, {})\n",
        result.title,
        result.rules.join(", "),
        result.section
    );
    for finding in &result.findings {
        if let Some(exchange) = &finding.exchange {
            let body = exchange.sent.body.as_deref().unwrap_or_default();
            let _ = writeln!(
                text,
                "{sent}: {} {} {body}",
                exchange.sent.method, exchange.sent.path
            );
        }
        let _ = writeln!(
            text,
            "{seen}: {}\nexpected: {}",
            finding.seen, finding.expected
        );
    }
    if let Some(fix) = result.fix {
        let _ = writeln!(text, "change: {fix}");
    }
    text
}

fn seconds(millis: u64) -> String {
    format!("{}.{:03}", millis / 1000, millis % 1000)
}

/// Text that is safe in an attribute and in an element; what XML cannot hold becomes a question mark.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\n' => out.push_str("&#10;"),
            '\t' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'.. => out.push(c),
            _ => out.push('?'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::markdown::tests::report;
    use super::*;

    #[test]
    fn counts_and_escapes() {
        let xml = render(&report());
        assert!(
            xml.contains("tests=\"4\" failures=\"1\" skipped=\"1\" time=\"1.234\""),
            "{xml}"
        );
        assert!(xml.contains("classname=\"bind.token/&lt;small&gt;\" name=\"bind.conflict-plan\""));
        assert!(xml.contains("&lt;&amp;&apos;?|"), "{xml}");
        assert!(!xml.contains('\u{1}'));
        assert!(xml.contains("<system-out>warning: "));
        let opened = xml.matches("<testcase").count();
        assert_eq!(opened, 4);
        assert_eq!(opened, xml.matches("</testcase>").count());
    }
}
