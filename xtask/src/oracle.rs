//! `cargo xtask oracle [--write]`: builds the Go programs that say what is right (`render/oracle`) and
//! holds the golden files against them; with `--write` it writes the golden files and the tables made
//! by Go instead. It needs Go; without one it says so and fails, because nothing was compared.
//!
//! `cargo xtask test` builds them too, when Go is there, so that the differential tests run.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::args::Args;
use crate::process;
use crate::workspace::Workspace;

/// Where the tests look for the program.
pub(crate) const VARIABLE: &str = "QUARTERMASTER_TEMPLATE_ORACLE";

/// The Go whose words the engine speaks; another one may put its errors in other words.
const SPOKEN: &str = "go1.26";

const SOURCE: &str = "render/oracle";
const GOLDEN: &str = "render/gotemplate/tests/golden";
const TABLE: &str = "render/gotemplate/src/unicode/table.rs";

pub(crate) fn run(workspace: &Workspace, mut args: Args) -> Result<ExitCode> {
    let write = args.flag("--write");
    args.finish()?;
    let Some(go) = go() else {
        bail!("the oracles need Go (https://go.dev/dl, or Debian's golang-go); there is none here");
    };
    let program = build(workspace, &go)?;
    println!("built: {}", program.display());
    let mut golden = Command::new(&program);
    golden.arg("golden");
    if write {
        golden.arg("--write");
        let table = process::text_of(Command::new(&program).arg("unicode"))?;
        let path = workspace.root.join(TABLE);
        std::fs::write(&path, table).with_context(|| format!("cannot write {}", path.display()))?;
    }
    golden.args(files(&workspace.root.join(GOLDEN))?);
    let good = process::succeeds(&mut golden)?;
    Ok(if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// For the tests: the program, built when Go is there. Not having one is said and no error.
pub(crate) fn bring(workspace: &Workspace) -> Option<PathBuf> {
    let Some(go) = go() else {
        println!("no Go: templates are held against the golden files only");
        return None;
    };
    let version = process::text_of(Command::new(&go).arg("version")).unwrap_or_default();
    if !version.contains(SPOKEN) {
        println!(
            "{}, not {SPOKEN}: templates are held against the golden files only",
            version.trim()
        );
        return None;
    }
    match build(workspace, &go) {
        Ok(program) => Some(program),
        Err(error) => {
            println!("no template oracle: {error:#}");
            None
        }
    }
}

/// Go, where it is usually found.
fn go() -> Option<PathBuf> {
    let usual = PathBuf::from("/usr/local/go/bin/go");
    process::find("go").or_else(|| usual.is_file().then_some(usual))
}

fn build(workspace: &Workspace, go: &Path) -> Result<PathBuf> {
    let program = workspace.cache.target().join("oracle/template");
    let mut command = Command::new(go);
    command
        .current_dir(workspace.root.join(SOURCE))
        .args(["build", "-o"])
        .arg(&program)
        .arg(".");
    process::text_of(&mut command).context("the oracle does not build")?;
    Ok(program)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        files.push(entry?.path());
    }
    files.sort();
    Ok(files)
}
