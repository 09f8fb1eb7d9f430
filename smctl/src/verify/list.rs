//! `smctl verify list`: every case there is. Its Markdown form is the document of the cases.

use super::args::Format;
use super::markdown::cell;
use crate::exit::{Exit, usage};
use crate::paint::{Paint, cut};
use anyhow::{Result, anyhow};
use clap::Args;
use qm_conformance::rules::RULES;
use qm_conformance::{Case, cases};
use serde_json::json;
use std::fmt::Write;

/// Lists the cases.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// How to print the list.
    #[arg(long, short, value_enum, default_value_t = Format::Table)]
    output: Format,
}

pub(crate) fn run(args: &ListArgs) -> Result<Exit> {
    let text = match args.output {
        Format::Table => table(Paint::stdout()),
        Format::Json => {
            serde_json::to_string_pretty(&cases::all().map(entry).collect::<Vec<_>>())? + "\n"
        }
        Format::Markdown => markdown(),
        Format::Junit => return Err(usage(anyhow!("a list has no JUnit form"))),
    };
    super::broker::print(&text)?;
    Ok(Exit::Done)
}

fn entry(case: &Case) -> serde_json::Value {
    json!({
        "id": case.id,
        "area": case.area(),
        "level": case.level,
        "rules": case.rules,
        "section": case.section,
        "since": format!("2.{}", case.since),
        "per_plan": case.per_plan(),
        "title": case.title,
        "fix": case.fix,
    })
}

fn table(paint: Paint) -> String {
    let mut out = String::new();
    let column = cases::all().map(|case| case.id.len()).max().unwrap_or(0);
    let mut area = "";
    for case in cases::all() {
        if case.area() != area {
            area = case.area();
            let _ = writeln!(out, "\n{}", paint.bold(area));
        }
        let left = format!(
            "  {:column$}  {:6}  {:12}  ",
            case.id,
            case.level.as_str(),
            case.rules.join(" ")
        );
        let room = paint.width.saturating_sub(left.len()).max(20);
        let _ = writeln!(out, "{left}{}", cut(case.title, room));
    }
    let _ = writeln!(out, "\n{} cases", cases::all().count());
    out
}

fn markdown() -> String {
    let mut out = String::from(
        "# The cases of `smctl verify broker`\n\n\
         This list is generated: `smctl verify list -o markdown > docs/conformance-cases.md`.\n\n\
         A broken MUST fails the run; a broken SHOULD is a warning. \"Per plan\" cases run for every plan of the catalog \
         unless `--service` or `--plan` narrow it. \"Since\" is the version of the API that introduced what is judged; a run with \
         a lower `--api-version` skips the case. The rule numbers are explained at the end.\n",
    );
    let _ = writeln!(out, "\n{} cases.", cases::all().count());
    let mut area = "";
    for case in cases::all() {
        if case.area() != area {
            area = case.area();
            let _ = writeln!(
                out,
                "\n## {area}\n\n| case | level | rules | section | since | per plan | expected |\n|---|---|---|---|---|---|---|"
            );
        }
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} | 2.{} | {} | {} |",
            case.id,
            case.level,
            case.rules.join(", "),
            case.section,
            case.since,
            if case.per_plan() { "yes" } else { "" },
            cell(case.title),
        );
    }
    let _ = writeln!(
        out,
        "\n## Rules\n\nLines of the specification, in our words.\n\n| rule | level | line | cases |\n|---|---|---|---|"
    );
    for rule in RULES {
        let held = cases::all()
            .filter(|case| case.rules.contains(&rule.id))
            .count();
        let text = match rule.unobservable {
            Some(why) => format!("{} Not observable: {why}.", rule.text),
            None => rule.text.to_owned(),
        };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {held} |",
            rule.id,
            rule.level,
            text.replace('|', "\\|")
        );
    }
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

    #[test]
    fn the_table_fits() {
        for line in table(Paint::plain(120)).lines() {
            assert!(console::measure_text_width(line) <= 120, "{line}");
        }
    }
}
