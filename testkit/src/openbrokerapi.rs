//! A broker that nobody here wrote: Python's openbrokerapi with a small service on top.
//!
//! The conformance suite is run against it, so that the suite is known to find what is wrong with the brokers
//! of others. The rule: the versions are fixed, because the published table of deviations is about these.

use crate::cache;
use crate::process::{Error, Process, Program};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Id of the broker's offering.
pub const SERVICE: &str = "0b2f5a3c-6d0e-4f6c-9a53-51c7a6f0d101";
/// Id of its plan that works synchronously.
pub const SYNC_PLAN: &str = "0b2f5a3c-6d0e-4f6c-9a53-51c7a6f0d102";
/// Id of its plan that works asynchronously.
pub const ASYNC_PLAN: &str = "0b2f5a3c-6d0e-4f6c-9a53-51c7a6f0d103";

const BROKER: &str = include_str!("../assets/openbrokerapi_broker.py");
const VERSION: &str = "4.7.3";
const PACKAGES: [&str; 2] = ["openbrokerapi==4.7.3", "waitress==3.0.2"];

/// Starts the broker with these credentials on a free port. `None`, after one printed line, when there is no Python
/// with openbrokerapi and none can be made.
///
/// # Panics
/// As [`crate::postgres::server()`]: without Python where `CI` is set, and when the broker does not start.
pub async fn start(user: &str, password: &str) -> Option<Process> {
    let found = tokio::task::spawn_blocking(python)
        .await
        .unwrap_or_else(|error| crate::fail(&error));
    match found {
        Err(reason) => {
            crate::skip(&format!("no Python with openbrokerapi ({reason})"));
            None
        }
        Ok(python) => {
            let started = run(&python, user, password).await;
            Some(started.unwrap_or_else(|error| crate::fail(&error)))
        }
    }
}

async fn run(python: &Path, user: &str, password: &str) -> Result<Process, Error> {
    Program::new(python)
        .args(["-c", BROKER, "--user", user, "--password", password])
        .start()
        .await
}

/// The interpreter: `$QM_OPENBROKERAPI_PYTHON`, else the environment in the cache folder, made when absent.
fn python() -> Result<PathBuf, String> {
    static PYTHON: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    PYTHON
        .get_or_init(|| {
            if let Some(chosen) =
                std::env::var_os("QM_OPENBROKERAPI_PYTHON").filter(|path| !path.is_empty())
            {
                let chosen = PathBuf::from(chosen);
                return if usable(&chosen) {
                    Ok(chosen)
                } else {
                    Err("QM_OPENBROKERAPI_PYTHON cannot import it".to_owned())
                };
            }
            let cache = cache::folder().ok_or("neither QM_CACHE nor HOME is set")?;
            let folder = cache.join(format!("openbrokerapi-{VERSION}"));
            let python = folder.join("bin/python");
            if !usable(&python) {
                install(&folder, &python)?;
            }
            Ok(python)
        })
        .clone()
}

/// Several test processes may do this at once: each makes its own and the first rename wins.
fn install(folder: &Path, python: &Path) -> Result<(), String> {
    let ours = folder.with_extension(format!("new{}", std::process::id()));
    let made = quietly(Command::new("python3").args(["-m", "venv"]).arg(&ours))
        && quietly(
            Command::new(ours.join("bin/python"))
                .args(["-m", "pip", "install", "--quiet"])
                .args(PACKAGES),
        );
    if made {
        // Half an environment from an interrupted run may stand in the way.
        if !usable(python) {
            let _ = std::fs::remove_dir_all(folder);
        }
        let _ = std::fs::rename(&ours, folder);
    }
    let _ = std::fs::remove_dir_all(&ours);
    if usable(python) {
        Ok(())
    } else {
        Err(format!(
            "python3 -m venv and pip install {} did not work",
            PACKAGES.join(" ")
        ))
    }
}

fn usable(python: &Path) -> bool {
    quietly(Command::new(python).args(["-c", "import openbrokerapi, waitress"]))
}

fn quietly(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
