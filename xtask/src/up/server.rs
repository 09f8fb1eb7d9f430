//! The scratch PostgreSQL server of `up`: made once, its data kept, started or reused, stopped when
//! dropped. It listens on 127.0.0.1 alone and wants a password, because anyone on the machine can
//! reach that.
//!
//! PostgreSQL refuses to run as root; for root it runs as the user `postgres`, whose way to the
//! folder must be open. Below a closed folder the data goes to `/var/tmp` instead. The password lies
//! beside the data, wherever that is, so that the two are never parted.

use std::fs;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::home::Home;
use super::{port, secret};
use crate::{postgres, process};

const USER: &str = "quartermaster";

pub(super) struct Server {
    folder: PathBuf,
    programs: PathBuf,
    /// Whom to run as, when we are root.
    runs_as: Option<RunsAs>,
    url: String,
    stopped: bool,
}

#[derive(Clone, Copy)]
struct RunsAs {
    user: &'static str,
    id: u32,
}

impl Server {
    pub(super) fn start(home: &Home) -> Result<Self> {
        let runs_as = match process::is_root() {
            true => Some(RunsAs {
                user: "postgres",
                id: process::user_id(Some("postgres"))
                    .context("PostgreSQL cannot run as root, and there is no user `postgres`")?,
            }),
            false => None,
        };
        let folder = place(home, runs_as)?;
        let version = fs::read_to_string(folder.join("data/PG_VERSION")).ok();
        let Some(programs) = postgres::programs(version.as_deref().map(str::trim)) else {
            bail!("there is no PostgreSQL server on this machine; `initdb` is not found");
        };
        let password = secret::kept(&folder.join("password"))?;
        let mut server = Self {
            folder,
            programs,
            runs_as,
            url: String::new(),
            stopped: false,
        };
        if version.is_none() {
            server.create(&password)?;
        }
        let port = match server.running_port() {
            Some(port) => port,
            None => server.launch()?,
        };
        server.url = format!("postgres://{USER}:{password}@127.0.0.1:{port}/postgres");
        Ok(server)
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    fn create(&self, password: &str) -> Result<()> {
        println!("creating a PostgreSQL server in {}", self.folder.display());
        let data = self.folder.join("data");
        // Left over from an interrupted first run: it has no version yet, so nothing was stored.
        if data.exists() {
            fs::remove_dir_all(&data)
                .with_context(|| format!("cannot remove {}", data.display()))?;
        }
        let password_file = self.folder.join("initial-password");
        fs::write(&password_file, password)?;
        fs::set_permissions(&password_file, fs::Permissions::from_mode(0o600))?;
        self.give(&password_file)?;
        let made = process::text_of(
            self.program("initdb")
                .args([
                    "-U",
                    USER,
                    "-A",
                    "scram-sha-256",
                    "-E",
                    "UTF8",
                    "--locale=C.UTF-8",
                    "--no-instructions",
                ])
                .arg("-D")
                .arg(&data)
                .arg("--pwfile")
                .arg(&password_file),
        );
        fs::remove_file(&password_file)?;
        made.map(drop)
            .context("the PostgreSQL server cannot be created")
    }

    /// The port of the server that runs on our data, if one does.
    fn running_port(&self) -> Option<u16> {
        let data = self.folder.join("data");
        if !process::succeeds_quietly(self.program("pg_ctl").arg("status").arg("-D").arg(&data)) {
            return None;
        }
        fs::read_to_string(data.join("postmaster.pid"))
            .ok()?
            .lines()
            .nth(3)?
            .trim()
            .parse()
            .ok()
    }

    /// Starts it on the port it had before, so that credentials handed out then still work, or on a
    /// free one.
    fn launch(&self) -> Result<u16> {
        let remembered = self.folder.join("port");
        let before = fs::read_to_string(&remembered)
            .ok()
            .and_then(|text| text.trim().parse().ok())
            .unwrap_or(0);
        let port = port::free(before)?;
        let log = self.folder.join("log");
        let options =
            format!("-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''");
        let mut start = self.program("pg_ctl");
        start
            .args(["-s", "-w", "-t", "60", "-o", &options, "-l"])
            .arg(&log)
            .arg("-D")
            .arg(self.folder.join("data"));
        // The server lives on after pg_ctl; it must not hold our streams open.
        start
            .arg("start")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if !process::succeeds(&mut start)? {
            bail!(
                "PostgreSQL does not start; its log {} ends with:\n{}",
                log.display(),
                tail(&log)
            );
        }
        fs::write(&remembered, port.to_string())?;
        Ok(port)
    }

    pub(super) fn stop(&mut self) -> Result<()> {
        if std::mem::replace(&mut self.stopped, true) {
            return Ok(());
        }
        let data = self.folder.join("data");
        if self.running_port().is_none() {
            return Ok(());
        }
        process::text_of(
            self.program("pg_ctl")
                .args(["-s", "-w", "-m", "fast", "stop", "-D"])
                .arg(data),
        )
        .map(drop)
        .context("PostgreSQL does not stop")
    }

    fn program(&self, name: &str) -> Command {
        let mut command = as_user(self.runs_as, self.programs.join(name));
        command.env("LC_ALL", "C.UTF-8").current_dir(&self.folder);
        command
    }

    fn give(&self, path: &Path) -> Result<()> {
        give(path, self.runs_as)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Err(error) = self.stop() {
            eprintln!("error: {error:#}");
        }
    }
}

fn as_user(runs_as: Option<RunsAs>, program: PathBuf) -> Command {
    let Some(RunsAs { user, .. }) = runs_as else {
        return Command::new(program);
    };
    let mut command = Command::new("setpriv");
    command
        .args([
            &format!("--reuid={user}"),
            &format!("--regid={user}"),
            "--init-groups",
        ])
        .arg(program);
    command
}

fn give(path: &Path, runs_as: Option<RunsAs>) -> Result<()> {
    match runs_as {
        Some(RunsAs { id, user }) => std::os::unix::fs::chown(path, Some(id), None)
            .with_context(|| format!("cannot give {} to {user}", path.display())),
        None => Ok(()),
    }
}

/// The folder for the server: in our home, or, where its user cannot get there, below `/var/tmp`.
fn place(home: &Home, runs_as: Option<RunsAs>) -> Result<PathBuf> {
    let near = home.file("postgres");
    private_folder(&near, runs_as)?;
    let reachable = runs_as.is_none()
        || process::succeeds_quietly(
            as_user(runs_as, "test".into())
                .arg("-w")
                .arg(&near)
                .current_dir("/"),
        );
    if reachable {
        return Ok(near);
    }
    let tree = fingerprint(home.folder());
    let far = PathBuf::from(format!(
        "/var/tmp/quartermaster-{}-{tree:016x}",
        process::user_id(None)?
    ));
    println!(
        "the user `postgres` cannot reach {}: its data is in {}",
        near.display(),
        far.display()
    );
    private_folder(&far, runs_as)?;
    Ok(far)
}

/// One number per path, the same for ever (FNV-1a): the folder must be found again next year.
fn fingerprint(path: &Path) -> u64 {
    let bytes = path.as_os_str().as_encoded_bytes();
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A folder of the server's user alone. One that somebody else made is refused: below `/var/tmp`
/// anyone could have.
fn private_folder(path: &Path, runs_as: Option<RunsAs>) -> Result<()> {
    let owner = match runs_as {
        Some(RunsAs { id, .. }) => id,
        None => process::user_id(None)?,
    };
    match fs::DirBuilder::new().mode(0o700).create(path) {
        Ok(()) => give(path, runs_as),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            let found = fs::symlink_metadata(path)?;
            if !found.is_dir() || found.uid() != owner {
                bail!(
                    "{} belongs to another user; remove it, or run as the user who made it",
                    path.display()
                );
            }
            Ok(())
        }
        Err(error) => Err(error).with_context(|| format!("cannot create {}", path.display())),
    }
}

fn tail(log: &Path) -> String {
    let text = fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(10)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::{fingerprint, private_folder, tail};

    #[test]
    fn a_path_keeps_its_number() {
        assert_eq!(
            fingerprint(std::path::Path::new("a")),
            0xaf63_dc4c_8601_ec8c
        );
        assert_ne!(
            fingerprint(std::path::Path::new("b")),
            fingerprint(std::path::Path::new("a"))
        );
    }

    #[test]
    fn a_folder_of_ours_is_reused_and_a_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        private_folder(&folder.path().join("a"), None).unwrap();
        private_folder(&folder.path().join("a"), None).unwrap();
        std::fs::write(folder.path().join("b"), "").unwrap();
        assert!(private_folder(&folder.path().join("b"), None).is_err());
        std::os::unix::fs::symlink(folder.path().join("a"), folder.path().join("c")).unwrap();
        assert!(
            private_folder(&folder.path().join("c"), None).is_err(),
            "a link could lead anywhere"
        );
    }

    #[test]
    fn a_log_is_told_by_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        std::fs::write(&log, (1..=20).map(|n| format!("{n}\n")).collect::<String>()).unwrap();
        assert!(tail(&log).starts_with("11\n") && tail(&log).ends_with("20"));
        assert_eq!(tail(&folder.path().join("none")), "");
    }
}
