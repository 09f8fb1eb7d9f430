//! Commands against a real manager, compared with what they once printed.
//!
//! `golden/compat.commands` has commands of the old smctl, `golden/compat.golden` what the old one said for the same.
//! `golden/own.commands` has commands of ours; `UPDATE_GOLDEN=1` writes `golden/own.golden` anew, to be read before it is
//! committed. Ids, times, secrets and addresses differ from run to run and are named; runs of blanks and dashes are one,
//! because widths follow them.

use crate::lab::Lab;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

const COMMANDS: &str = include_str!("golden/compat.commands");
const GOLDEN: &str = include_str!("golden/compat.golden");
const OWN_COMMANDS: &str = include_str!("golden/own.commands");

#[tokio::test(flavor = "multi_thread")]
async fn the_old_commands_say_what_they_always_said() {
    let lab = Lab::new().await;
    compare(GOLDEN, &all(&lab, COMMANDS, true));
}

#[tokio::test(flavor = "multi_thread")]
async fn our_own_commands_say_what_they_said() {
    let lab = Lab::new().await;
    let said = all(&lab, OWN_COMMANDS, false);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/golden/own.golden");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&file, &said).unwrap();
    }
    compare(&std::fs::read_to_string(&file).unwrap(), &said);
}

/// Runs every command, and writes down what was said.
fn all(lab: &Lab, commands: &str, compat: bool) -> String {
    let lines = commands.lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| step(lab, line, compat)).collect()
}

fn compare(golden: &str, said: &str) {
    for (at, (wanted, found)) in golden.lines().zip(said.lines()).enumerate() {
        let before: Vec<_> = said.lines().take(at).collect();
        let command = before.iter().rev().find(|line| line.starts_with("$ "));
        assert_eq!(found, wanted, "line {} of {command:?}", at + 1);
    }
    assert_eq!(said.lines().count(), golden.lines().count());
}

/// Runs one command and writes down what it said.
fn step(lab: &Lab, line: &str, compat: bool) -> String {
    let (command, typed) = match line.split_once(" < ") {
        Some((command, typed)) => (command, format!("{typed}\n")),
        None => (line, String::new()),
    };
    let words: Vec<_> = words(command)
        .iter()
        .map(|word| filled(lab, word))
        .collect();
    let mut child = lab
        .smctl()
        .env("SMCTL_COMPAT", if compat { "1" } else { "" })
        .args(&words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that asks nothing may be gone already.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = normal(lab, &String::from_utf8(output.stdout).unwrap());
    let mut said = format!("$ smctl {line}\n{text}");
    if !text.is_empty() && !text.ends_with('\n') {
        said.push('\n');
    }
    let error = String::from_utf8(output.stderr).unwrap();
    // Of the old smctl the first line counts; ours are all meant to be read.
    let told = error.lines().take(if compat { 1 } else { usize::MAX });
    for first in told {
        // What the manager says is its own affair.
        let told = first
            .split_once("Body: ")
            .map_or(first.to_owned(), |(told, _)| format!("{told}Body: BODY"));
        said.push_str(&format!("! {}\n", normal(lab, &told)));
    }
    said.push_str(&format!("[{}]\n", output.status.code().unwrap()));
    said
}

/// Words between blanks; double quotes keep a word together.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = command.trim();
    while !rest.is_empty() {
        let (word, tail) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap(),
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        words.push(word.to_owned());
        rest = tail.trim_start();
    }
    words
}

/// Puts ids and addresses where they are named.
fn filled(lab: &Lab, word: &str) -> String {
    if let Some(name) = word
        .strip_prefix("@plan:")
        .and_then(|rest| rest.strip_suffix('@'))
    {
        return first_id(
            lab,
            &[
                "list-plans",
                "-f",
                &format!("name eq '{name}'"),
                "-o",
                "json",
            ],
        );
    }
    if word == "@visibility@" {
        return first_id(lab, &["list-visibilities", "-o", "json"]);
    }
    word.replace("@BROKER@", &lab.broker.url())
}

fn first_id(lab: &Lab, words: &[&str]) -> String {
    let list = lab.json(words);
    list["items"][0]["id"].as_str().unwrap_or("none").to_owned()
}

/// Names what differs from run to run.
fn normal(lab: &Lab, text: &str) -> String {
    let text = text
        .replace(&lab.manager.url(), "URL")
        .replace(&lab.broker.url(), "BROKER");
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let (name, length) = if let Some(length) = id(rest) {
            ("ID", length)
        } else if let Some(length) = time(rest).or_else(|| short_time(rest)) {
            ("TIME", length)
        } else if let Some(length) = secret(rest) {
            ("SECRET", length)
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        out.push_str(name);
        rest = &rest[length..];
    }
    let mut squeezed = String::new();
    for c in out.chars() {
        match c {
            ' ' if squeezed.ends_with(' ') => {}
            '-' if squeezed.ends_with("--") => {}
            '\n' => {
                squeezed.truncate(squeezed.trim_end_matches(' ').len());
                squeezed.push('\n');
            }
            c => squeezed.push(c),
        }
    }
    squeezed
}

fn id(text: &str) -> Option<usize> {
    let shape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    let fits = text.len() >= shape.len()
        && shape
            .bytes()
            .zip(text.bytes())
            .all(|(wanted, found)| match wanted {
                b'x' => found.is_ascii_digit() || (b'a'..=b'f').contains(&found),
                mark => mark == found,
            });
    fits.then_some(shape.len())
}

fn time(text: &str) -> Option<usize> {
    let shape = "0000-00-00T";
    let fits = text.len() > shape.len()
        && shape
            .bytes()
            .zip(text.bytes())
            .all(|(wanted, found)| match wanted {
                b'0' => found.is_ascii_digit(),
                mark => mark == found,
            });
    let end = text.find('Z')?;
    let clock = text.get(shape.len()..end)?;
    (fits
        && clock
            .bytes()
            .all(|b| b.is_ascii_digit() || b == b':' || b == b'.'))
    .then_some(end + 1)
}

/// As tables have it.
fn short_time(text: &str) -> Option<usize> {
    let shape = "0000-00-00 00:00:00";
    let fits = |(wanted, found): (u8, u8)| match wanted {
        b'0' => found.is_ascii_digit(),
        mark => mark == found,
    };
    let all = text.len() >= shape.len() && shape.bytes().zip(text.bytes()).all(fits);
    all.then_some(shape.len())
}

/// 32 bytes in base64.
fn secret(text: &str) -> Option<usize> {
    let end = text.find('=')?;
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'+' || b == b'/';
    (end == 43 && text.bytes().take(end).all(word)).then_some(44)
}
