//! `cargo xtask test [--no-check] [-- ARGS]`: set-up, checks, then all tests. It goes on after a
//! failed check or test, so that one run tells everything; failures are repeated at the end and the
//! last line is the count. The exit code is 0 only when every check and every test passed.
//!
//! A few tests that failed are run once more, one at a time, when the others are done: a machine that
//! other programs use as well can be too slow for what has to happen within a limit. Who passes only
//! then is named at the end, to be mended.

mod tally;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result};

use crate::args::Args;
use crate::cargo;
use crate::check;
use crate::metadata::Metadata;
use crate::setup::{self, Environment};
use crate::workspace::Workspace;
use tally::Tally;

pub(crate) fn run(workspace: &Workspace, mut args: Args) -> Result<ExitCode> {
    let no_check = args.flag("--no-check");
    let passed_on = args.passed_on();
    args.finish()?;

    let environment = setup::run(workspace)?;
    let failed_checks = if no_check {
        Vec::new()
    } else {
        check::run_all(workspace)?
    };

    let _claim = cargo::claim(workspace)?;
    let Some(owners) = build(workspace, &passed_on)? else {
        println!("the tests do not build; what cargo said is above");
        return Ok(ExitCode::FAILURE);
    };
    let mut tally = Tally::new(owners);
    let mut good = stream(
        test_command(workspace, &passed_on, &environment),
        &mut tally,
    )?;
    let again = tally.worth_another_run();
    if !again.is_empty() {
        println!("\nonce more, one at a time: {}", again.join(", "));
        let mut alone = Tally::new(tally.owners().clone());
        let passed = stream(alone_command(workspace, &again, &environment), &mut alone)?;
        if passed && alone.is_good(again.len()) {
            tally.forgive();
            good = true;
        }
    }
    let tests_good = tally.report(good);
    if !failed_checks.is_empty() {
        println!("checks failed: {}", failed_checks.join(", "));
    }
    println!("{}", tally.closing_line());
    Ok(if tests_good && failed_checks.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Builds every test program; returns which crate each belongs to, by file name. All crates call
/// their integration tests `it`, so the name cargo prints while running is not enough.
fn build(workspace: &Workspace, passed_on: &[String]) -> Result<Option<BTreeMap<String, String>>> {
    let mut command = base_command(workspace, passed_on);
    command
        .arg("--no-run")
        .args(passed_on.iter().take_while(|word| *word != "--"));
    let Some(built) = cargo::build(&mut command)? else {
        return Ok(None);
    };
    let members = Metadata::of_members(workspace)?;
    let mut owners = BTreeMap::new();
    for program in built {
        if let (Some(package), Some(name)) = (
            members.package(&program.package_id),
            program.path.file_name(),
        ) {
            owners.insert(name.to_string_lossy().into_owned(), package.name.clone());
        }
    }
    Ok(Some(owners))
}

fn base_command(workspace: &Workspace, passed_on: &[String]) -> Command {
    let mut command = cargo::command(workspace);
    command.args(["test", "--all-features", "--no-fail-fast"]);
    let chosen =
        |word: &String| word == "-p" || word.starts_with("--package") || word == "--manifest-path";
    if !passed_on
        .iter()
        .take_while(|word| *word != "--")
        .any(chosen)
    {
        command.arg("--workspace");
    }
    command
}

fn test_command(workspace: &Workspace, passed_on: &[String], environment: &Environment) -> Command {
    let mut command = base_command(workspace, passed_on);
    command
        .args(passed_on)
        .envs(environment.iter().map(|(name, value)| (name, value)));
    if std::io::stdout().is_terminal() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    command
}

/// Runs these tests and no others, one after the other.
fn alone_command(workspace: &Workspace, tests: &[String], environment: &Environment) -> Command {
    let mut command = base_command(workspace, &[]);
    command
        .args(["--lib", "--bins", "--tests"])
        .args(["--", "--exact", "--test-threads=1"])
        .args(tests)
        .envs(environment.iter().map(|(name, value)| (name, value)));
    command
}

/// Shows every line as it comes and lets the tally read it. One pipe for both streams: cargo says on
/// standard error which program it starts, and the program speaks on standard output.
fn stream(mut command: Command, tally: &mut Tally) -> Result<bool> {
    let (reader, writer) = std::io::pipe().context("cannot make a pipe")?;
    command
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer);
    let mut child = command.spawn().context("cannot start cargo")?;
    // The command still holds the writing ends; with them the reader would never see the end.
    drop(command);
    let mut reader = BufReader::new(reader);
    let mut out = std::io::stdout().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        out.write_all(&line)?;
        tally.line(&String::from_utf8_lossy(&line));
    }
    Ok(child.wait()?.success())
}
