//! Every command has an example, and every example is one that smctl understands.

use super::EXAMPLES;
use clap::Command;

fn leaves(parent: &str, command: &Command, found: &mut Vec<(String, String)>) {
    for one in command.get_subcommands() {
        let path = format!("{parent}{}", one.get_name());
        if one.has_subcommands() {
            leaves(&format!("{path} "), one, found);
        } else {
            let text = one.get_after_help().map(ToString::to_string);
            found.push((path, text.unwrap_or_default()));
        }
    }
}

fn all() -> Vec<(String, String)> {
    let mut found = Vec::new();
    leaves("", &crate::cli::command(), &mut found);
    found
}

#[test]
fn every_command_has_an_example_and_every_example_a_command() {
    let all = all();
    for (path, text) in &all {
        let line = format!("smctl {path}");
        assert!(
            text.contains(&line) || path == "reference",
            "{path}: {text}"
        );
    }
    for (path, _) in EXAMPLES {
        assert!(all.iter().any(|(known, _)| known == path), "{path}");
    }
}

/// What these print is for a program of its own: a child's output, a shell's script, a manual page.
const NO_FORMAT: [&str; 4] = ["exec", "completion", "man", "reference"];

fn formats(command: &Command, without: &mut Vec<String>, path: &str) {
    for one in command.get_subcommands() {
        let path = format!("{path}{}", one.get_name());
        if one.has_subcommands() {
            formats(one, without, &format!("{path} "));
        } else if !one.get_arguments().any(|arg| arg.get_short() == Some('o')) {
            without.push(path);
        }
    }
}

#[test]
fn every_command_of_ours_takes_a_format() {
    let root = crate::cli::command();
    let mut without = Vec::new();
    formats(&root, &mut without, "");
    let old = |path: &String| {
        let command = root.find_subcommand(path);
        command.is_some_and(Command::is_hide_set)
    };
    without.retain(|path| !old(path) && !NO_FORMAT.contains(&path.as_str()));
    assert!(without.is_empty(), "{without:?}");
}

#[test]
fn every_example_is_understood() {
    let root = crate::cli::command();
    let mut texts = all();
    let own = root.get_after_help().map(ToString::to_string);
    texts.push((String::new(), own.unwrap_or_default()));
    for (path, text) in texts {
        for line in text.replace("\\\n", " ").lines() {
            for words in calls(line) {
                let parsed = root.clone().try_get_matches_from(&words);
                assert!(parsed.is_ok(), "{path}: {words:?}: {}", parsed.unwrap_err());
            }
        }
    }
}

/// The calls of smctl in a line of a shell: prose is none.
fn calls(line: &str) -> Vec<Vec<String>> {
    let line = line.trim().trim_start_matches("Next: ");
    let begins = ["smctl ", "source <(", "eval ", "echo ", "kubectl "];
    if !begins.iter().any(|begin| line.starts_with(begin)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find("smctl ") {
        let (words, used) = shell(&rest[at..]);
        found.push(words);
        rest = &rest[at + used..];
    }
    found
}

/// Words up to what ends a command, and how long that is.
fn shell(text: &str) -> (Vec<String>, usize) {
    let (mut words, mut word, mut begun, mut quote) = (Vec::new(), String::new(), false, None);
    let mut end = text.len();
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') if c == '"' && text[at + 1..].trim().is_empty() => {
                end = at;
                break;
            }
            (None, '\'' | '"') => (quote, begun) = (Some(c), true),
            (None, '|' | '>' | '<' | '&' | ')' | '#' | ',') => {
                end = at;
                break;
            }
            (None, ' ') => {
                if begun {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            (_, c) => {
                word.push(c);
                begun = true;
            }
        }
    }
    if begun {
        words.push(word);
    }
    (words, end.max(1))
}
