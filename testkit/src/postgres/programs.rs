//! Finds the server programs and runs them as a user that PostgreSQL accepts.
//!
//! The programs of Debian are not on `PATH`. The rule: PostgreSQL refuses to run as root, so as root every
//! program that touches the data runs through `setpriv` as `postgres`.

use super::Error;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where the programs are and who runs them.
#[derive(Debug, Clone)]
pub(super) struct Programs {
    bin: PathBuf,
    /// As printed by `postgres --version`, for instance `15.18`.
    pub(super) version: String,
    /// The user to become; `None` when we are not root.
    pub(super) user: Option<&'static str>,
}

impl Programs {
    /// Looks in `$QM_PGBIN`, on `PATH` and where packages put them; the newest version wins.
    pub(super) fn find() -> Result<Self, Error> {
        let absent = |reason: &str| Error::Absent {
            reason: reason.to_owned(),
        };
        let bin = places()
            .into_iter()
            .find(|bin| {
                ["initdb", "pg_ctl", "postgres", "psql"]
                    .iter()
                    .all(|program| bin.join(program).is_file())
            })
            .ok_or_else(|| {
                absent("no initdb, pg_ctl, postgres and psql in $QM_PGBIN, on PATH or in /usr/lib/postgresql/*/bin")
            })?;
        let user = match effective_user() {
            Some(0) => Some(server_user()?),
            _ => None,
        };
        let text = run(Command::new(bin.join("postgres")).arg("--version"))?;
        let version = text
            .split_whitespace()
            .find(|word| word.starts_with(|c: char| c.is_ascii_digit()))
            .unwrap_or("unknown")
            .to_owned();
        Ok(Self { bin, version, user })
    }

    /// A program of the server, ready to run as the server's user.
    pub(super) fn command(&self, program: &str) -> Command {
        let mut command = self.as_user();
        command.arg(self.bin.join(program));
        command
            .env("LC_ALL", "C.UTF-8")
            .current_dir("/")
            .stdin(Stdio::null());
        command
    }

    /// Whether the server's user can enter and write a directory.
    pub(super) fn can_use(&self, directory: &Path) -> bool {
        self.as_user()
            .args(["sh", "-c", "test -x \"$1\" && test -w \"$1\"", "sh"])
            .arg(directory)
            .current_dir("/")
            .status()
            .is_ok_and(|status| status.success())
    }

    fn as_user(&self) -> Command {
        match self.user {
            // `env` stands in for "no change of user", so that both ways run `WRAPPER program...`.
            None => Command::new("env"),
            Some(user) => {
                let mut command = Command::new("setpriv");
                command.args([
                    format!("--reuid={user}"),
                    format!("--regid={user}"),
                    "--init-groups".to_owned(),
                ]);
                command
            }
        }
    }
}

/// Runs a command to its end and returns what it wrote; a failure carries its words.
pub(super) fn run(command: &mut Command) -> Result<String, Error> {
    let program = Path::new(command.get_program())
        .file_name()
        .unwrap_or(OsStr::new("program"))
        .to_string_lossy()
        .into_owned();
    let output = command
        .output()
        .map_err(Error::machine(format!("run {program}")))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    let mut words = String::from_utf8_lossy(&output.stderr).into_owned();
    words.push_str(&String::from_utf8_lossy(&output.stdout));
    Err(Error::Program {
        program,
        output: words.trim().to_owned(),
    })
}

fn places() -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = std::env::var_os("QM_PGBIN")
        .map(PathBuf::from)
        .into_iter()
        .collect();
    if let Some(path) = std::env::var_os("PATH") {
        places.extend(std::env::split_paths(&path));
    }
    let mut packaged: Vec<(u32, PathBuf)> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let version = entry.file_name().to_str()?.parse().ok()?;
            Some((version, entry.path().join("bin")))
        })
        .collect();
    packaged.sort();
    places.extend(packaged.into_iter().rev().map(|(_, bin)| bin));
    places.push(PathBuf::from("/usr/local/pgsql/bin"));
    places
}

fn effective_user() -> Option<u32> {
    let output = Command::new("id").arg("-u").output().ok()?;
    String::from_utf8_lossy(&output.stdout).trim().parse().ok()
}

fn server_user() -> Result<&'static str, Error> {
    let works = |user: &str| {
        Command::new("setpriv")
            .args([&format!("--reuid={user}"), &format!("--regid={user}")])
            .args(["--init-groups", "true"])
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    };
    if works("postgres") {
        Ok("postgres")
    } else {
        Err(Error::Absent {
            reason: "as root a user `postgres` and the program `setpriv` are needed".to_owned(),
        })
    }
}
