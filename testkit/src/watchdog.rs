//! Cleans up after us even when we are killed: a shell that waits for our end and then acts.
//!
//! Statics are not dropped and SIGKILL runs no code, so the owner cannot clean up by itself. The shell
//! reads from a pipe that only we hold open. The kernel closes it when we end, however we end. The
//! rule: end of file means act; a line means that there is nothing left to do.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

/// A waiting shell.
#[derive(Debug)]
pub(crate) struct Watchdog {
    shell: Child,
}

impl Watchdog {
    /// Starts the shell; `script` runs with `arguments` as `$1`, `$2`... when this process is gone.
    pub(crate) fn start(script: &str, arguments: &[&OsStr]) -> io::Result<Self> {
        // Interrupting a test at the keyboard signals its whole process group: stay out of it.
        let script = format!("trap '' HUP INT QUIT TERM\nread -r word && exit 0\n{script}");
        let shell = Command::new("sh")
            .args(["-c", &script, "watchdog"])
            .args(arguments)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        Ok(Self { shell })
    }

    /// Lets the shell act now, and waits until it has.
    pub(crate) fn act(mut self) {
        drop(self.shell.stdin.take());
        let _ = self.shell.wait();
    }

    /// Tells the shell that there is nothing left to do.
    pub(crate) fn dismiss(mut self) {
        if let Some(mut pipe) = self.shell.stdin.take() {
            let _ = pipe.write_all(b"done\n");
        }
        let _ = self.shell.wait();
    }
}
