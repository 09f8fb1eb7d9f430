//! The result as a table for people: one line per case, grouped by area, failures explained below.

use super::count::{Row, rows, summary};
use super::explain::explain;
use crate::paint::{Paint, cut};
use console::measure_text_width;
use qm_conformance::{Report, Subject, Verdict};
use std::fmt::Write;

/// The whole text.
pub(crate) fn render(report: &Report, paint: Paint, verbose: bool) -> String {
    let mut out = String::new();
    let rows = rows(report);
    let plans = match (report.subject, report.plans.len()) {
        (Subject::Platform, _) => "the platform".to_owned(),
        (Subject::Broker, 0) => "no plan that can be called".to_owned(),
        (Subject::Broker, _) => report.plans.join(", "),
    };
    let head = format!("{} · OSB {} · {plans}", report.url, report.api_version);
    line(&mut out, &paint.bold(&cut(&head, paint.width)));
    let ids = rows.iter().filter_map(Row::case).map(|case| case.id.len());
    let column = ids.max().unwrap_or(0);
    let mut area = "";
    for row in &rows {
        let Some(case) = row.case() else { continue };
        if case.area != area {
            area = case.area;
            line(&mut out, "");
            line(&mut out, &paint.bold(area));
        }
        line(&mut out, &one(row, paint, column));
        if verbose {
            notes(&mut out, row, paint);
        }
    }
    explain(&mut out, &rows, report.subject, paint, verbose);
    ending(&mut out, report, paint);
    out
}

fn line(out: &mut String, text: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{}", text.trim_end());
}

fn one(row: &Row<'_>, paint: Paint, column: usize) -> String {
    let Some(case) = row.case() else {
        return String::new();
    };
    let all = row.results.len();
    let verdict = row.verdict();
    let same = row.with(verdict.word()).len();
    let share = if same < all {
        format!(" ({same} of {all} plans)")
    } else {
        String::new()
    };
    let left = format!("  x {:column$}  {:6} ", case.id, case.level.as_str());
    let room = paint.width.saturating_sub(measure_text_width(&left));
    let text = match verdict {
        Verdict::Skipped { reason } => reason.as_str(),
        _ => case.title,
    };
    let text = cut(text, room.saturating_sub(share.len()).max(10));
    let id = format!("{:column$}", case.id);
    let level = format!("{:6}", case.level.as_str());
    match verdict {
        Verdict::Passed => format!(
            "  {} {id}  {} {text}{}",
            paint.good("✓"),
            paint.dim(&level),
            paint.dim(&share)
        ),
        Verdict::Failed => format!(
            "  {} {}  {level} {text}{share}",
            paint.bad("✗"),
            paint.bad(&id)
        ),
        Verdict::Warned => format!(
            "  {} {}  {level} {text}{share}",
            paint.warn("!"),
            paint.warn(&id)
        ),
        Verdict::Skipped { .. } => paint.dim(&format!("  – {id}  {level} {text}{share}")),
    }
}

fn notes(out: &mut String, row: &Row<'_>, paint: Paint) {
    for result in &row.results {
        for note in &result.notes {
            let plan = result
                .plan
                .as_deref()
                .map(|plan| format!(" ({plan})"))
                .unwrap_or_default();
            line(
                out,
                &paint.dim(&cut(&format!("      {note}{plan}"), paint.width)),
            );
        }
    }
}

fn ending(out: &mut String, report: &Report, paint: Paint) {
    line(out, "");
    for left in &report.leftovers {
        let what = match &left.binding_id {
            None if report.subject == Subject::Platform => left.instance_id.clone(),
            Some(binding) => format!("binding {binding} of instance {}", left.instance_id),
            None => format!("instance {}", left.instance_id),
        };
        // Whole, however long: somebody must delete it by this id.
        line(
            out,
            &paint.warn(&format!("could not delete {what}: {}", left.reason)),
        );
    }
    if report.interrupted {
        line(
            out,
            &paint.warn("interrupted: the cases not reached are listed as skipped"),
        );
    }
    let closing = summary(report);
    let closing = match (report.summary.failed, report.summary.warned) {
        (0, 0) => paint.good(&closing),
        (0, _) => paint.warn(&closing),
        _ => paint.bad(&closing),
    };
    line(out, &closing);
}

#[cfg(test)]
mod tests {
    use super::super::markdown::tests::report;
    use super::*;

    #[test]
    fn a_table_fits_and_explains() {
        let text = render(&report(), Paint::plain(80), false);
        for line in text.lines() {
            assert!(measure_text_width(line) <= 80, "{line}");
        }
        assert!(text.contains("  ✓ catalog.works"), "{text}");
        assert!(text.contains("  ✗ bind.conflict-plan"), "{text}");
        assert!(text.contains("  – rotate.times"), "{text}");
        assert!(text.contains("expected   409"), "{text}");
        assert!(text.contains("1 failed"), "{text}");
        assert!(!text.contains('\u{1b}'), "no colours in plain text");
    }
}
