//! What was typed and not understood: in three lines, as every other error, and how a command is used.

use super::command;
use crate::compat;
use crate::exit::Exit;
use crate::problem::Problem;
use clap::error::{ContextKind, ErrorKind};

/// Tells what clap has to say. Help and version are no errors; commands of the old smctl end with 1 as they always did.
pub(crate) fn misread(error: &clap::Error) -> Exit {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let _ = error.print();
            return Exit::Done;
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            // The old smctl shows its help and ends well.
            return if std::env::args().len() == 1 {
                Exit::Done
            } else {
                Exit::Usage
            };
        }
        _ => eprintln!("{}", told(error).completed().told()),
    }
    let first = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    match first {
        Some(word) if compat::NAMES.contains(&word.as_str()) => Exit::Failed,
        _ => Exit::Usage,
    }
}

/// The first paragraph says what, another one may know what was meant.
fn told(error: &clap::Error) -> Problem {
    let text = error.render().to_string();
    let mut paragraphs = text.split("\n\n");
    let first = paragraphs.next().unwrap_or_default();
    let first = first.trim_start_matches("error: ");
    let lines: Vec<_> = first.lines().map(str::trim).collect();
    let problem = Problem::usage(lines.join(" "));
    let meant = paragraphs
        .find_map(|paragraph| paragraph.trim_start().strip_prefix("tip: "))
        .and_then(|tip| tip.lines().next());
    match (meant, error.get(ContextKind::SuggestedSubcommand)) {
        (Some(tip), _) => problem.hint(tip),
        (None, Some(similar)) => problem.hint(format!("smctl {similar}")),
        (None, None) => problem,
    }
}

/// The command that was typed, as far as it is one, and how it is used.
pub(crate) fn typed() -> (String, String) {
    let words = std::env::args().skip(1);
    of(words.collect())
}

fn of(words: Vec<String>) -> (String, String) {
    let mut found = command();
    found.build();
    let mut path = "smctl".to_owned();
    for word in words {
        if let Some(next) = found.find_subcommand(&word) {
            path = format!("{path} {}", next.get_name());
            found = next.clone();
        }
    }
    let usage = found.bin_name(&path).render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    let lines: Vec<_> = usage.lines().map(str::trim).collect();
    (path, lines.join(", or "))
}

#[cfg(test)]
mod tests {
    use super::{of, told};

    fn error(words: &[&str]) -> String {
        let words = std::iter::once("smctl").chain(words.iter().copied());
        let error = crate::cli::command().try_get_matches_from(words);
        told(&error.unwrap_err()).what
    }

    #[test]
    fn what_was_mistyped_is_one_line() {
        assert_eq!(
            error(&["binding", "rename", "a"]),
            "the following required arguments were not provided: <NEW>"
        );
        assert_eq!(
            error(&["instance", "crate"]),
            "unrecognized subcommand 'crate'"
        );
    }

    #[test]
    fn the_command_that_was_meant_is_found() {
        let (path, usage) = of(["-v", "binding", "rename", "x"].map(Into::into).to_vec());
        assert_eq!(path, "smctl binding rename");
        assert!(usage.starts_with("smctl binding rename "), "{usage}");
    }
}
