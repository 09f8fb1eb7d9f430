//! Which commands belong together: the order of `smctl --help` and of the pages of `docs/cli/`.
//!
//! The rule: every command that people see stands in one group, and a test holds it. The old names are hidden and stand
//! in none.

use std::fmt::Write;

/// Commands that belong together.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) title: &'static str,
    /// The page of those that have no verbs.
    pub(crate) page: &'static str,
    pub(crate) commands: &'static [&'static str],
}

/// In the order in which a person needs them.
pub(crate) const GROUPS: &[Group] = &[
    Group {
        title: "Log in",
        page: "log-in",
        commands: &["login", "logout", "info", "context"],
    },
    Group {
        title: "Use services",
        page: "use",
        commands: &[
            "marketplace",
            "provision",
            "exec",
            "bind",
            "credentials",
            "env",
            "unbind",
            "deprovision",
            "status",
        ],
    },
    Group {
        title: "Look closer, and change",
        page: "look",
        commands: &["instance", "binding", "offering", "plan", "operation"],
    },
    Group {
        title: "Run the manager",
        page: "run",
        commands: &[
            "broker",
            "platform",
            "visibility",
            "user",
            "client",
            "tenant",
            "manager",
        ],
    },
    Group {
        title: "Say it in files",
        page: "files",
        commands: &["apply", "diff", "delete", "export"],
    },
    Group {
        title: "Watch and judge",
        page: "watch",
        commands: &["audit", "top", "doctor", "verify"],
    },
    Group {
        title: "This program",
        page: "program",
        commands: &["curl", "completion", "man", "version", "help"],
    },
];

/// The help of the program itself, in groups.
pub(super) fn help(root: &clap::Command) -> String {
    let names = GROUPS.iter().flat_map(|group| group.commands);
    let width = names.map(|name| name.len()).max().unwrap_or_default();
    let mut text = "{about}\n\n{usage-heading} {usage}{after-help}\n".to_owned();
    for group in GROUPS {
        let _ = write!(text, "\n{}:\n", group.title);
        for name in group.commands {
            let about = match root.find_subcommand(name) {
                Some(command) => command.get_about().map(ToString::to_string),
                None => Some("Print the help of a command".to_owned()),
            };
            let _ = writeln!(text, "  {name:<width$}  {}", about.unwrap_or_default());
        }
    }
    text.push_str("\nOptions, for every command:\n");
    for arg in root.get_arguments() {
        let (flag, help) = (flag(arg), arg.get_help().map(ToString::to_string));
        let _ = writeln!(text, "  {flag:<20} {}", help.unwrap_or_default());
    }
    text.push_str("  -h, --help           Print help; smctl COMMAND --help has examples\n");
    text
}

/// `-v, --verbose`, `--config FILE`.
pub(crate) fn flag(arg: &clap::Arg) -> String {
    let words = [
        arg.get_short().map(|short| format!("-{short}")),
        arg.get_long().map(|long| format!("--{long}")),
    ];
    let mut flag = words.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let values = arg.get_value_names().unwrap_or_default().join(" ");
    if flag.is_empty() {
        return values;
    }
    if arg.get_action().takes_values() && !values.is_empty() {
        flag.push(' ');
        flag.push_str(&values);
    }
    flag
}

#[cfg(test)]
mod tests {
    use super::GROUPS;

    #[test]
    fn every_visible_command_is_in_one_group() {
        let mut grouped: Vec<_> = GROUPS.iter().flat_map(|group| group.commands).collect();
        grouped.sort_unstable();
        let root = crate::cli::command();
        let visible = root.get_subcommands().filter(|one| !one.is_hide_set());
        let mut visible: Vec<_> = visible.map(clap::Command::get_name).collect();
        visible.push("help");
        visible.sort_unstable();
        assert_eq!(grouped, visible.iter().collect::<Vec<_>>());
    }

    #[test]
    fn the_help_fits_a_terminal() {
        let help = crate::cli::command().render_help().to_string();
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
