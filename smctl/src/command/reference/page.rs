//! One page: a noun with its verbs, or commands that belong together.

use crate::cli::flag;
use clap::{Arg, Command};
use std::fmt::Write;

const GENERATED: &str =
    "<!-- Written by `cargo xtask generate` from the definitions of the commands. -->\n";

/// A noun with its verbs.
pub(super) fn noun(command: &Command) -> String {
    let name = format!("smctl {}", command.get_name());
    let mut out = format!("# {name}\n\n{GENERATED}");
    about(&mut out, command);
    also(&mut out, command);
    out.push_str("\n| | |\n|---|---|\n");
    for verb in command.get_subcommands() {
        let title = format!("{name} {}", verb.get_name());
        let does = verb.get_about().map(ToString::to_string);
        let _ = writeln!(
            out,
            "| [`{title}`](#{}) | {} |",
            title.replace(' ', "-"),
            cell(&does.unwrap_or_default())
        );
    }
    if let Some(text) = command.get_after_help() {
        examples(&mut out, &text.to_string());
    }
    for verb in command.get_subcommands() {
        section(&mut out, verb, &format!("{name} {}", verb.get_name()));
    }
    footer(&mut out);
    out
}

/// Commands without verbs that belong together.
pub(super) fn several(title: &str, commands: &[&Command]) -> String {
    let mut out = format!("# {title}\n\n{GENERATED}");
    for command in commands {
        section(&mut out, command, &format!("smctl {}", command.get_name()));
    }
    footer(&mut out);
    out
}

/// The commands of the old smctl.
pub(super) fn old(commands: &[&Command]) -> String {
    let mut out = format!("# Commands of the old smctl\n\n{GENERATED}");
    out.push_str(
        "\nThey take what they always took and print what they always printed. `marketplace`, `provision`, `bind`, `unbind`,\n\
         `deprovision`, `status` and `curl` are in [Use services](use.md) and [This program](program.md), `login`, `logout` and\n\
         `info` in [Log in](log-in.md).\n",
    );
    for command in commands {
        section(&mut out, command, &format!("smctl {}", command.get_name()));
    }
    out.push_str(
        "\n## Exit codes\n\n0 and 1, as ever. What is not found ends with 1; with `--compat` or `SMCTL_COMPAT=1` with 0, as it did.\n",
    );
    out
}

fn section(out: &mut String, command: &Command, title: &str) {
    let _ = write!(out, "\n## {title}\n");
    about(out, command);
    let usage = command.clone().bin_name(title).render_usage().to_string();
    let usage = usage.trim().trim_start_matches("Usage:").trim();
    let _ = write!(out, "\n```\n{usage}\n```\n");
    also(out, command);
    let args: Vec<_> = command.get_arguments().filter(|arg| is_own(arg)).collect();
    if !args.is_empty() {
        out.push_str("\n| | |\n|---|---|\n");
    }
    for arg in args {
        let _ = writeln!(out, "| `{}` | {} |", cell(&flag(arg)), cell(&help(arg)));
    }
    if let Some(text) = command.get_after_help() {
        examples(out, &text.to_string());
    }
}

fn about(out: &mut String, command: &Command) {
    if let Some(about) = command.get_about() {
        let _ = write!(out, "\n{about}.\n");
    }
}

fn also(out: &mut String, command: &Command) {
    let mut aliases: Vec<_> = command.get_all_aliases().collect();
    aliases.sort_unstable();
    if !aliases.is_empty() {
        let _ = write!(out, "\nAlso: `{}`\n", aliases.join("`, `"));
    }
}

fn is_own(arg: &Arg) -> bool {
    !arg.is_global_set()
        && !arg.is_hide_set()
        && !matches!(arg.get_id().as_str(), "help" | "version")
}

/// What an argument is for, what it can be, and where else it may come from.
pub(super) fn help(arg: &Arg) -> String {
    let mut text = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let values = arg.get_possible_values();
    let words: Vec<_> = values
        .iter()
        .filter(|value| !value.is_hide_set())
        .map(clap::builder::PossibleValue::get_name)
        .collect();
    if arg.get_action().takes_values() && !words.is_empty() && words != ["true", "false"] {
        let _ = write!(text, " (`{}`)", words.join("`, `"));
    }
    let defaults: Vec<_> = arg
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy())
        .filter(|value| !value.is_empty())
        .collect();
    if arg.get_action().takes_values() && !defaults.is_empty() {
        let _ = write!(text, " [`{}`]", defaults.join(" "));
    }
    if let Some(variable) = arg.get_env() {
        let _ = write!(text, " [`${}`]", variable.to_string_lossy());
    }
    text
}

fn examples(out: &mut String, text: &str) {
    let text = text.trim_start_matches("Examples:").trim_matches('\n');
    let lines = text.lines();
    let lines: Vec<_> = lines
        .map(|line| line.strip_prefix("  ").unwrap_or(line))
        .collect();
    let _ = write!(out, "\n```\n{}\n```\n", lines.join("\n"));
}

/// A text that stays within its cell.
pub(super) fn cell(text: &str) -> String {
    text.replace('\n', " ").replace('|', "\\|")
}

fn footer(out: &mut String) {
    out.push_str("\n[Flags of every command, formats, variables and exit codes](README.md)\n");
}
