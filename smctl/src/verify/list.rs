//! `smctl verify list`: every case there is, about brokers or about platforms. Its Markdown form is the document of the
//! cases.

use super::args::Format;
use super::list_platform;
use super::markdown::cell;
use crate::exit::{Exit, usage};
use crate::paint::{Paint, cut};
use anyhow::{Result, anyhow};
use clap::{Args, ValueEnum};
use qm_conformance::rules::{RULES, Rule};
use qm_conformance::{Case, Level, cases};
use serde_json::json;
use std::fmt::Write;

/// Lists the cases.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Whose cases.
    #[arg(value_enum, default_value_t = Of::Broker)]
    of: Of,
    /// How to print the list.
    #[arg(long, short, value_enum, default_value_t = Format::Table)]
    output: Format,
}

/// Whose cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Of {
    /// Cases about brokers.
    Broker,
    /// Cases about platforms.
    Platform,
}

/// One line of the table.
pub(crate) struct Line {
    pub(crate) id: &'static str,
    pub(crate) area: &'static str,
    pub(crate) level: Level,
    pub(crate) rules: &'static [&'static str],
    pub(crate) title: &'static str,
}

pub(crate) fn run(args: &ListArgs) -> Result<Exit> {
    let text = match (args.output, args.of) {
        (Format::Table, Of::Broker) => table(&lines(), Paint::stdout()),
        (Format::Table, Of::Platform) => table(&list_platform::lines(), Paint::stdout()),
        (Format::Json, Of::Broker) => {
            serde_json::to_string_pretty(&cases::all().map(entry).collect::<Vec<_>>())? + "\n"
        }
        (Format::Json, Of::Platform) => {
            serde_json::to_string_pretty(&list_platform::entries())? + "\n"
        }
        (Format::Markdown, Of::Broker) => markdown(),
        (Format::Markdown, Of::Platform) => list_platform::markdown(),
        (Format::Junit, _) => return Err(usage(anyhow!("a list has no JUnit form"))),
    };
    super::ending::print(&text)?;
    Ok(Exit::Done)
}

fn lines() -> Vec<Line> {
    let line = |case: &'static Case| Line {
        id: case.id,
        area: case.area(),
        level: case.level,
        rules: case.rules,
        title: case.title,
    };
    cases::all().map(line).collect()
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

fn table(lines: &[Line], paint: Paint) -> String {
    let mut out = String::new();
    let column = lines.iter().map(|line| line.id.len()).max().unwrap_or(0);
    let mut area = "";
    for line in lines {
        if line.area != area {
            area = line.area;
            let _ = writeln!(out, "\n{}", paint.bold(area));
        }
        let left = format!(
            "  {:column$}  {:6}  {:12}  ",
            line.id,
            line.level.as_str(),
            line.rules.join(" ")
        );
        let room = paint.width.saturating_sub(left.len()).max(20);
        let _ = writeln!(out, "{left}{}", cut(line.title, room));
    }
    let _ = writeln!(out, "\n{} cases", lines.len());
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
    rules(&mut out, RULES, &lines());
    out
}

/// A row for each rule, with the number of its cases.
pub(crate) fn rules(out: &mut String, rules: &[Rule], lines: &[Line]) {
    for rule in rules {
        let held = lines
            .iter()
            .filter(|line| line.rules.contains(&rule.id))
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
        for line in table(&lines(), Paint::plain(120)).lines() {
            assert!(console::measure_text_width(line) <= 120, "{line}");
        }
    }
}
