//! What to run: an executable, its arguments and its environment.

use super::{Error, Process};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// An executable with arguments, to be started as often as needed.
#[derive(Debug, Clone)]
pub struct Program {
    path: PathBuf,
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
}

impl Program {
    /// Any executable.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            arguments: Vec::new(),
            environment: Vec::new(),
        }
    }

    /// An example of this workspace, from the build folder of the running test.
    pub fn example(name: &str) -> Result<Self, Error> {
        Self::built(
            &Path::new("examples").join(name),
            &format!("cargo build --example {name}"),
        )
    }

    /// A binary of this workspace, from the build folder of the running test.
    pub fn binary(name: &str) -> Result<Self, Error> {
        Self::built(Path::new(name), &format!("cargo build --bin {name}"))
    }

    fn built(below: &Path, build: &str) -> Result<Self, Error> {
        let path = build_folder().join(below);
        if path.is_file() {
            Ok(Self::new(path))
        } else {
            Err(Error::NotBuilt {
                path,
                build: build.to_owned(),
            })
        }
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<A: AsRef<OsStr>>(self, arguments: impl IntoIterator<Item = A>) -> Self {
        arguments.into_iter().fold(self, Self::arg)
    }

    /// Sets a variable of its environment.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        let variable = (name.as_ref().to_owned(), value.as_ref().to_owned());
        self.environment.push(variable);
        self
    }

    /// Starts it and waits until it prints `listening on http://ADDR`.
    pub async fn start(&self) -> Result<Process, Error> {
        Process::start(self.clone()).await
    }

    /// For programs that run to an end: a plain command with the same arguments.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null());
        command
    }

    pub(super) fn spawn(&self) -> std::io::Result<Child> {
        self.command()
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
    }

    pub(super) fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }
}

/// `target/PROFILE`: tests run from its `deps`, programs from the folder itself, examples from `examples`.
fn build_folder() -> PathBuf {
    let running = std::env::current_exe().unwrap_or_default();
    let folder = running.parent().unwrap_or(Path::new("."));
    match folder.file_name().and_then(OsStr::to_str) {
        Some("deps" | "examples") => folder.parent().unwrap_or(folder).to_owned(),
        _ => folder.to_owned(),
    }
}
