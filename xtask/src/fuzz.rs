//! `cargo xtask fuzz [TARGET] [--seconds N]`: runs the targets of `fuzz/` with cargo-fuzz, one after
//! another. It needs a nightly compiler, which nothing else here does; without one it says what to
//! install and fails, because nothing was fuzzed.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::args::Args;
use crate::process;
use crate::workspace::Workspace;

pub(crate) fn run(workspace: &Workspace, mut args: Args) -> Result<ExitCode> {
    let seconds: u32 = match args.value("--seconds")? {
        Some(text) => text
            .parse()
            .with_context(|| format!("--seconds takes a whole number, not `{text}`"))?,
        None => 60,
    };
    let wanted = args.positional();
    args.finish()?;

    let known = targets(&workspace.root.join("fuzz/fuzz_targets"))?;
    let chosen = choose(&known, wanted.as_deref())?;
    if !process::succeeds_quietly(Command::new("rustup").args([
        "run",
        "nightly",
        "rustc",
        "--version",
    ])) {
        bail!("fuzzing needs a nightly compiler: rustup toolchain install nightly");
    }
    if process::find("cargo-fuzz").is_none() {
        bail!("fuzzing needs cargo-fuzz: cargo install cargo-fuzz");
    }
    for target in chosen {
        println!("fuzzing {target} for {seconds} s");
        // Through rustup: the cargo that started us is bound to its own toolchain.
        let mut fuzz = Command::new("rustup");
        fuzz.args(["run", "nightly", "cargo", "fuzz", "run", target, "--"])
            .arg(format!("-max_total_time={seconds}"))
            .current_dir(&workspace.root)
            .env_remove("RUSTUP_TOOLCHAIN")
            .env_remove("CARGO")
            .env("CARGO_TARGET_DIR", workspace.cache.component("fuzz-target"));
        if !process::succeeds(&mut fuzz)? {
            eprintln!(
                "error: fuzzing {target} failed; an input it found is in fuzz/artifacts/{target}"
            );
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Each file in the folder is a target.
fn targets(folder: &Path) -> Result<Vec<String>> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("no fuzz targets in {}", folder.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            names.extend(
                path.file_stem()
                    .map(|stem| stem.to_string_lossy().into_owned()),
            );
        }
    }
    names.sort();
    Ok(names)
}

fn choose<'k>(known: &'k [String], wanted: Option<&str>) -> Result<Vec<&'k str>> {
    let Some(wanted) = wanted else {
        return Ok(known.iter().map(String::as_str).collect());
    };
    match known.iter().find(|name| *name == wanted) {
        Some(name) => Ok(vec![name]),
        None => bail!(
            "there is no fuzz target `{wanted}`; there are: {}",
            known.join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::{choose, targets};

    #[test]
    fn targets_are_the_files_of_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.rs", "a.rs", "notes.md"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        assert_eq!(targets(folder.path()).unwrap(), ["a", "b"]);
        assert!(targets(&folder.path().join("missing")).is_err());
    }

    #[test]
    fn an_unknown_target_is_refused_with_the_known_ones() {
        let known = ["a".to_owned(), "b".to_owned()];
        assert_eq!(choose(&known, None).unwrap(), ["a", "b"]);
        assert_eq!(choose(&known, Some("b")).unwrap(), ["b"]);
        assert!(
            choose(&known, Some("c"))
                .unwrap_err()
                .to_string()
                .contains("a, b")
        );
    }
}
