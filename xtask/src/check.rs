//! `cargo xtask check [NAME...]`: every rule of the tree that a program can hold, one file each.
//! `cargo xtask test` runs all of them before the tests. A check returns what is wrong as sentences
//! and never changes a file; each has a unit test that shows it can fail.

mod clippy;
mod dependencies;
mod docs;
mod files;
mod format;
mod generated;
pub(crate) mod layers;
mod licences;
mod unused;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};

use crate::args::Args;
use crate::metadata::Metadata;
use crate::workspace::Workspace;
use crate::{cargo, process};

/// What a check looks at.
struct Scene<'w> {
    workspace: &'w Workspace,
    graph: &'w Metadata,
    /// Let programs speak; tests that make them fail do not.
    aloud: bool,
}

impl Scene<'_> {
    fn cargo_succeeds(&self, words: &[&str], variables: &[(&str, &str)]) -> Result<bool> {
        let mut command = cargo::command(self.workspace);
        command.args(words).envs(variables.iter().copied());
        if self.aloud {
            process::succeeds(&mut command)
        } else {
            Ok(process::succeeds_quietly(&mut command))
        }
    }
}

/// What a check saw.
#[derive(Debug, Default)]
struct Found {
    problems: Vec<String>,
    /// Worth knowing, not wrong.
    notes: Vec<String>,
}

impl From<Vec<String>> for Found {
    fn from(problems: Vec<String>) -> Self {
        Self {
            problems,
            notes: Vec::new(),
        }
    }
}

struct Check {
    name: &'static str,
    holds: &'static str,
    /// What to do when it fails.
    fix: &'static str,
    run: fn(&Scene<'_>) -> Result<Found>,
}

/// Cheap ones first: the sooner the answer, the better.
const CHECKS: &[Check] = &[
    format::CHECK,
    files::CHECK,
    layers::CHECK,
    dependencies::CHECK,
    licences::CHECK,
    unused::CHECK,
    clippy::CHECK,
    docs::CHECK,
    generated::CHECK,
];

pub(crate) fn run(workspace: &Workspace, mut args: Args) -> Result<ExitCode> {
    if args.flag("--list") {
        args.finish()?;
        for check in CHECKS {
            println!("{:<13} {}", check.name, check.holds);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut names = Vec::new();
    while let Some(name) = args.positional() {
        names.push(name);
    }
    args.finish()?;
    let failed = run_named(workspace, &choose(&names)?)?;
    Ok(if failed.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Runs every check; returns the names of those that failed.
pub(crate) fn run_all(workspace: &Workspace) -> Result<Vec<&'static str>> {
    run_named(workspace, &choose(&[])?)
}

fn choose(names: &[String]) -> Result<Vec<&'static Check>> {
    if names.is_empty() {
        return Ok(CHECKS.iter().collect());
    }
    names
        .iter()
        .map(
            |name| match CHECKS.iter().find(|check| check.name == name) {
                Some(check) => Ok(check),
                None => bail!("there is no check `{name}`; `cargo xtask check --list` names them"),
            },
        )
        .collect()
}

fn run_named(workspace: &Workspace, checks: &[&'static Check]) -> Result<Vec<&'static str>> {
    let _claim = cargo::claim(workspace)?;
    let graph = Metadata::of_everything(workspace)?;
    let scene = Scene {
        workspace,
        graph: &graph,
        aloud: true,
    };
    let mut failed = Vec::new();
    for check in checks {
        let start = Instant::now();
        // A check that cannot run has not passed; the others still say what they see.
        let found = (check.run)(&scene).unwrap_or_else(|error| vec![format!("{error:#}")].into());
        report(check, &found, start);
        if !found.problems.is_empty() {
            failed.push(check.name);
        }
    }
    if !failed.is_empty() {
        println!("checks failed: {}", failed.join(", "));
    }
    Ok(failed)
}

fn report(check: &Check, found: &Found, start: Instant) {
    let word = if found.problems.is_empty() {
        "ok"
    } else {
        "failed"
    };
    println!(
        "{word:<6} {:<13} {:>6.1} s  {}",
        check.name,
        start.elapsed().as_secs_f32(),
        check.holds
    );
    for note in &found.notes {
        println!("       note: {note}");
    }
    for problem in &found.problems {
        println!("       - {problem}");
    }
    if !found.problems.is_empty() {
        println!("       do: {}", check.fix);
    }
}

#[cfg(test)]
mod tests {
    //! Also the throw-away tree that the checks which run cargo are tested on.

    use std::path::Path;

    use super::{CHECKS, Check, Found, Scene, choose};
    use crate::cache::Cache;
    use crate::metadata::tests::graph;
    use crate::workspace::Workspace;

    /// Runs a check on a one-crate workspace whose `src/lib.rs` is `code`.
    pub(super) fn on_a_crate(check: &Check, code: &str) -> Found {
        let folder = tempfile::tempdir().unwrap();
        write(
            folder.path(),
            "Cargo.toml",
            "[workspace]\n[package]\nname = \"tried\"\nedition = \"2024\"\n",
        );
        write(folder.path(), "src/lib.rs", code);
        let cache = Cache::choose(folder.path(), Some("target".into()), None, None);
        let workspace = Workspace {
            root: folder.path().to_owned(),
            cache,
        };
        let graph = graph(&[], &[]);
        (check.run)(&Scene {
            workspace: &workspace,
            graph: &graph,
            aloud: false,
        })
        .unwrap()
    }

    pub(super) fn write(folder: &Path, name: &str, text: &str) {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    #[test]
    fn names_are_unique_and_an_unknown_one_is_refused() {
        let mut names: Vec<_> = CHECKS.iter().map(|check| check.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CHECKS.len());
        assert_eq!(choose(&["layers".to_owned()]).unwrap().len(), 1);
        assert!(choose(&["layer".to_owned()]).is_err());
    }
}
