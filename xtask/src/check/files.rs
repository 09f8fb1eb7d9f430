//! What every crate and every source file must have: workspace lints, a README, one binary of
//! integration tests, and a first line that says what the file is.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{Check, Found, Scene};

pub(super) const CHECK: Check = Check {
    name: "files",
    holds: "crates have lints and a README, files open with what they are",
    fix: "add what is missing; CONTRIBUTING.md, \"Adding a crate\", shows a whole one",
    run,
};

fn run(scene: &Scene<'_>) -> Result<Found> {
    let mut problems = Vec::new();
    for package in scene.graph.members() {
        problems.extend(crate_problems(&package.name, &package.folder())?);
    }
    let root = &scene.workspace.root;
    let mut sources = Vec::new();
    rust_files(root, &mut sources)?;
    for path in &sources {
        let text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        if !opens_with_doc(&text) {
            let path = path.strip_prefix(root).unwrap_or(path);
            problems.push(format!(
                "{} does not open with a `//!` comment",
                path.display()
            ));
        }
    }
    Ok(problems.into())
}

fn crate_problems(name: &str, folder: &Path) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    let manifest = folder.join("Cargo.toml");
    let text = fs::read_to_string(&manifest)
        .with_context(|| format!("cannot read {}", manifest.display()))?;
    if !takes_workspace_lints(&text) {
        problems.push(format!(
            "{name}: the manifest lacks `[lints] workspace = true`"
        ));
    }
    if !folder.join("README.md").is_file() {
        problems.push(format!("{name}: there is no README.md"));
    }
    for entry in fs::read_dir(folder.join("tests")).into_iter().flatten() {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            problems.push(format!(
                "{name}: {} is a second test binary; make it a module of tests/it/main.rs (each binary links everything again)",
                path.file_name().unwrap_or_default().display()
            ));
        }
    }
    Ok(problems)
}

/// Both ways TOML has to say it.
fn takes_workspace_lints(manifest: &str) -> bool {
    let mut section = "";
    manifest
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim())
        .any(|line| {
            if line.starts_with('[') {
                section = line;
            }
            let line: String = line.split_whitespace().collect();
            (section == "[lints]" && line == "workspace=true")
                || (section.is_empty() && line == "lints.workspace=true")
        })
}

/// A crate's first file may include its README instead.
fn opens_with_doc(text: &str) -> bool {
    text.starts_with("//!") || text.starts_with("#![doc = include_str!(")
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if entry.file_type()?.is_dir() {
            if name != "target" && !name.starts_with('.') {
                rust_files(&entry.path(), found)?;
            }
        } else if name.ends_with(".rs") {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{on_a_crate, write};
    use super::{CHECK, crate_problems, takes_workspace_lints};

    #[test]
    fn a_file_without_its_first_line_is_named() {
        assert!(on_a_crate(&CHECK, "//! It.\n").problems.is_empty());
        assert!(
            on_a_crate(&CHECK, "#![doc = include_str!(\"../README.md\")]\n")
                .problems
                .is_empty()
        );
        let found = on_a_crate(&CHECK, "use std::fs;\n");
        assert_eq!(
            found.problems,
            ["src/lib.rs does not open with a `//!` comment"]
        );
    }

    #[test]
    fn lints_must_be_taken_from_the_workspace() {
        assert!(takes_workspace_lints(
            "[package]\nname = \"a\"\n[lints]\nworkspace = true # all\n"
        ));
        assert!(takes_workspace_lints("lints.workspace = true\n[package]\n"));
        assert!(!takes_workspace_lints("[package]\nname = \"a\"\n"));
        assert!(!takes_workspace_lints("[lints]\n# workspace = true\n"));
        assert!(!takes_workspace_lints(
            "[lints]\n[dependencies.x]\nworkspace = true\n"
        ));
    }

    #[test]
    fn a_bare_crate_lacks_everything() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "Cargo.toml", "[package]\nname = \"bare\"\n");
        write(folder.path(), "tests/second.rs", "");
        let problems = crate_problems("bare", folder.path()).unwrap();
        assert_eq!(problems.len(), 3, "{problems:?}");
        write(folder.path(), "Cargo.toml", "[lints]\nworkspace = true\n");
        write(folder.path(), "README.md", "");
        std::fs::remove_file(folder.path().join("tests/second.rs")).unwrap();
        write(folder.path(), "tests/it/main.rs", "");
        assert!(crate_problems("bare", folder.path()).unwrap().is_empty());
    }
}
