//! A fresh manager, the minimal broker, and smctl with a home of its own.

use qm_testkit::process::{Process, Program};
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Everything that a test of a command needs.
pub(crate) struct Lab {
    pub(crate) manager: Process,
    pub(crate) broker: Process,
    pub(crate) folder: tempfile::TempDir,
}

impl Lab {
    /// Starts both; nobody is logged in.
    pub(crate) async fn bare() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("home")).unwrap();
        let manager = Program::binary("quartermaster")
            .unwrap()
            .args(["manager", "--listen", "127.0.0.1:0", "--data"])
            .arg(folder.path().join("data"))
            .start()
            .await
            .unwrap();
        let broker = Program::example("minimal")
            .unwrap()
            .args([
                "--listen",
                "127.0.0.1:0",
                "--user",
                "u",
                "--password",
                "p",
                "--store",
            ])
            .arg(folder.path().join("minimal.db"))
            .start()
            .await
            .unwrap();
        Self {
            manager,
            broker,
            folder,
        }
    }

    /// Logged in as the administrator.
    pub(crate) async fn new() -> Self {
        let lab = Self::bare().await;
        let password = lab.password();
        let url = lab.manager.url();
        lab.done(&["login", "-a", &url, "-u", "admin", "-p", &password]);
        lab
    }

    /// With the broker registered and its plans visible to all.
    pub(crate) async fn with_broker() -> Self {
        let lab = Self::new().await;
        let url = lab.broker.url();
        lab.done(&["broker", "register", "tokens", &url, "--basic", "u:p"]);
        lab.done(&["visibility", "create", "token/instant"]);
        lab.done(&["visibility", "create", "token/relaxed"]);
        lab
    }

    /// The administrator's password.
    pub(crate) fn password(&self) -> String {
        let file = self.folder.path().join("data/admin-password");
        std::fs::read_to_string(file).unwrap().trim().to_owned()
    }

    /// The home of smctl.
    pub(crate) fn home(&self) -> std::path::PathBuf {
        self.folder.path().join("home")
    }

    /// smctl, as the one who is logged in.
    pub(crate) fn smctl(&self) -> Command {
        let mut command = smctl();
        command.env("SM_HOME", self.home());
        command
    }

    /// Runs it to its end, with nothing to read.
    pub(crate) fn run(&self, words: &[&str]) -> Output {
        self.smctl()
            .args(words)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// What it says when all goes well.
    pub(crate) fn done(&self, words: &[&str]) -> String {
        let output = self.run(words);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// What it says on standard error, and its exit code, when it does not.
    pub(crate) fn fails(&self, words: &[&str]) -> (String, i32) {
        let output = self.run(words);
        let code = output.status.code().unwrap();
        assert_ne!(code, 0, "{words:?}: {output:?}");
        (String::from_utf8(output.stderr).unwrap(), code)
    }

    /// The same as JSON.
    pub(crate) fn json(&self, words: &[&str]) -> serde_json::Value {
        let text = self.done(words);
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{words:?}: {error}: {text}"))
    }
}

/// smctl without anything of the person who runs the tests.
pub(crate) fn smctl() -> Command {
    through(env!("CARGO_BIN_EXE_smctl"))
}

/// A program that runs smctl, or is a link to it, with the same environment.
pub(crate) fn through(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for name in [
        "SMCTL_TOKEN",
        "SMCTL_URL",
        "SMCTL_PASSWORD",
        "SMCTL_CONTEXT",
        "SMCTL_COMPAT",
        "SM_HOME",
        "NO_COLOR",
        "COLUMNS",
        "http_proxy",
        "HTTP_PROXY",
        "https_proxy",
        "HTTPS_PROXY",
        "all_proxy",
        "ALL_PROXY",
    ] {
        command.env_remove(name);
    }
    command.env("HOME", Path::new("/nonexistent"));
    command
}
