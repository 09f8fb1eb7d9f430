//! The first page: all commands, and what holds for every one of them.

use super::page::{cell, help};
use crate::cli::{GROUPS, flag};
use crate::exit::Exit;
use clap::Command;
use std::fmt::Write;

/// The page of the old commands.
pub(super) const OLD: &str = "old";

/// Variables that no flag names.
const VARIABLES: &[(&str, &str)] = &[
    (
        "SMCTL_TOKEN",
        "a token that is used instead of the login; nothing is stored",
    ),
    (
        "SMCTL_URL",
        "where the manager is, for `SMCTL_TOKEN` and for `smctl login`",
    ),
    (
        "SMCTL_BROKER_PASSWORD",
        "for `smctl broker register --user` and `update --user`",
    ),
    (
        "SMCTL_NEW_PASSWORD",
        "for `smctl user create`, `update --password` and `password`",
    ),
    ("SMCTL_NEW_SECRET", "for `smctl client update --secret`"),
    (
        "SM_HOME",
        "the folder above `.sm/config.json`, instead of the home folder",
    ),
    ("NO_COLOR", "no colours, also on a terminal"),
    (
        "BROWSER",
        "what `smctl login --browser` opens the browser with",
    ),
    (
        "SSL_CERT_FILE, SSL_CERT_DIR",
        "whose certificates to trust, instead of the system's",
    ),
    (
        "HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY",
        "the way out",
    ),
];

const FORMATS: &[(&str, &str)] = &[
    ("table", "for people; fits the terminal"),
    (
        "wide",
        "a table with ids, labels and the rest, as wide as it is",
    ),
    (
        "json, yaml",
        "all that the manager said; lists under `items`",
    ),
    ("name", "`instance/mydb`, one on a line"),
    (
        "jsonpath=EXPR",
        "as kubectl has it: `-o jsonpath='{.items[*].name}'`; `jsonpath-file=FILE` too",
    ),
    (
        "go-template=TEMPLATE",
        "`-o go-template='{{range .items}}{{.name}} {{end}}'`; `go-template-file=FILE` too",
    ),
];

pub(super) fn text(root: &Command) -> String {
    let mut out = String::from(
        "# smctl, command by command\n\n\
         <!-- Written by `cargo xtask generate` from the definitions of the commands. -->\n\n\
         [The guide](../smctl.md) says what it is about. `smctl COMMAND --help` prints the same as these pages, `smctl man\n\
         FOLDER` writes manual pages.\n",
    );
    for group in GROUPS {
        let _ = write!(out, "\n## {}\n\n| | |\n|---|---|\n", group.title);
        for name in group.commands {
            let Some(command) = root.find_subcommand(name) else {
                continue;
            };
            let about = command.get_about().map(ToString::to_string);
            let place = if command.has_subcommands() {
                format!("{name}.md")
            } else {
                format!("{}.md#smctl-{name}", group.page)
            };
            let about = cell(&about.unwrap_or_default());
            let _ = writeln!(out, "| [`smctl {name}`]({place}) | {about} |");
        }
    }
    let _ = write!(
        out,
        "\n[Commands of the old smctl]({OLD}.md): `list-brokers`, `register-platform` and all the others.\n"
    );
    out.push_str("\n## Flags of every command\n\n| | |\n|---|---|\n");
    for arg in root.get_arguments().filter(|arg| arg.is_global_set()) {
        let _ = writeln!(out, "| `{}` | {} |", cell(&flag(arg)), cell(&help(arg)));
    }
    table(
        &mut out,
        "Formats",
        "`-o`, wherever something is shown.",
        FORMATS,
    );
    table(
        &mut out,
        "Variables",
        "Those of flags stand with the flags.",
        VARIABLES,
    );
    out.push_str("\n## Exit codes\n\n| | |\n|---|---|\n");
    for (exit, meaning) in Exit::ALL {
        let _ = writeln!(out, "| {} | {meaning} |", exit.code());
    }
    out.push_str("\n`smctl exec` ends with the code of the program it ran.\n");
    out
}

fn table(out: &mut String, title: &str, intro: &str, rows: &[(&str, &str)]) {
    let _ = write!(out, "\n## {title}\n\n{intro}\n\n| | |\n|---|---|\n");
    for (word, meaning) in rows {
        let words: Vec<_> = word.split(", ").map(|word| format!("`{word}`")).collect();
        let _ = writeln!(out, "| {} | {} |", words.join(", "), cell(meaning));
    }
}
