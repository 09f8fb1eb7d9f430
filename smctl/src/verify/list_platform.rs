//! `smctl verify list platform`: every case about platforms.

use super::list::{Line, rules};
use super::markdown::cell;
use qm_conformance::platform::rules::RULES;
use qm_conformance::platform::{Case, cases};
use serde_json::{Value, json};
use std::fmt::Write;

pub(crate) fn lines() -> Vec<Line> {
    let line = |case: &'static Case| Line {
        id: case.id,
        area: case.area(),
        level: case.level,
        rules: case.rules,
        title: case.title,
    };
    cases::all().map(line).collect()
}

pub(crate) fn entries() -> Vec<Value> {
    let entry = |case: &'static Case| {
        json!({
            "id": case.id,
            "area": case.area(),
            "level": case.level,
            "rules": case.rules,
            "section": case.section,
            "watches": case.watches(),
            "title": case.title,
            "fix": case.fix,
        })
    };
    cases::all().map(entry).collect()
}

pub(crate) fn markdown() -> String {
    let mut out = String::from(
        "# The cases of `smctl verify platform`\n\n\
         This list is generated: `smctl verify list platform -o markdown > docs/verify-platform-cases.md`.\n\n\
         A broken MUST fails the run; a broken SHOULD is a warning, also inside a case about a MUST. \"Watches\" cases have \
         no broker of their own and judge the calls of all others. The rule numbers are explained at the end.\n",
    );
    let lines = lines();
    let _ = writeln!(out, "\n{} cases.", lines.len());
    let mut area = "";
    for case in cases::all() {
        if case.area() != area {
            area = case.area();
            let _ = writeln!(
                out,
                "\n## {area}\n\n| case | level | rules | section | watches | expected |\n|---|---|---|---|---|---|"
            );
        }
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} | {} | {} |",
            case.id,
            case.level,
            case.rules.join(", "),
            case.section,
            if case.watches() { "yes" } else { "" },
            cell(case.title),
        );
    }
    let _ = writeln!(
        out,
        "\n## Rules\n\nThe checklist for platforms (P) and the rows of the orphan-mitigation table (O), in our words.\n\n\
         | rule | level | line | cases |\n|---|---|---|---|"
    );
    rules(&mut out, RULES, &lines);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_has_every_case() {
        let text = markdown();
        for case in cases::all() {
            assert!(text.contains(&format!("| `{}` |", case.id)), "{}", case.id);
        }
    }
}
