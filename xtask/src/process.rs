//! Small helpers around child processes, used by every command. A program that cannot be started is
//! always reported with its name: "No such file or directory" alone helps nobody.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

fn name(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}

/// Runs with our own output streams; says whether it succeeded.
pub(crate) fn succeeds(command: &mut Command) -> Result<bool> {
    let status = command
        .status()
        .with_context(|| format!("cannot start `{}`", name(command)))?;
    Ok(status.success())
}

/// Runs quietly; says whether it succeeded. A program that is not there did not.
pub(crate) fn succeeds_quietly(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .output()
        .is_ok_and(|output| output.status.success())
}

/// Runs and returns standard output; on failure the error holds what the program said.
pub(crate) fn text_of(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start `{}`", name(command)))?;
    if !output.status.success() {
        let said = [output.stdout, output.stderr].concat();
        bail!(
            "`{}` failed ({}): {}",
            name(command),
            output.status,
            String::from_utf8_lossy(&said).trim()
        );
    }
    String::from_utf8(output.stdout)
        .with_context(|| format!("`{}` printed text that is not UTF-8", name(command)))
}

/// The program's full path when it is on `PATH`.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}

/// Whether we are the superuser: then packages are installed, and PostgreSQL must run as another.
pub(crate) fn is_root() -> bool {
    user_id(None).is_ok_and(|id| id == 0)
}

/// The number of a user, or our own.
pub(crate) fn user_id(user: Option<&str>) -> Result<u32> {
    let text = text_of(Command::new("id").arg("-u").args(user))?;
    text.trim()
        .parse()
        .with_context(|| format!("`id -u` printed {text:?}"))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::{find, succeeds_quietly, text_of};

    #[test]
    fn a_failure_tells_what_the_program_said() {
        let error = text_of(Command::new("sh").args(["-c", "echo why >&2; exit 3"]))
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("`sh` failed") && error.contains("why"),
            "{error}"
        );
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = text_of(&mut Command::new("no-such-program-here"))
            .unwrap_err()
            .to_string();
        assert!(error.contains("no-such-program-here"), "{error}");
        assert!(!succeeds_quietly(&mut Command::new("no-such-program-here")));
        assert!(find("no-such-program-here").is_none());
        assert!(find("sh").is_some());
    }
}
