//! Passwords that `up` makes once and keeps, so that what was printed yesterday still works. Readable
//! by their owner alone.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::{Context, Result};

/// The password in the file, which is made with a new one when it is not there.
pub(super) fn kept(path: &Path) -> Result<String> {
    match fs::read_to_string(path) {
        Ok(text) if !text.trim().is_empty() => return Ok(text.trim().to_owned()),
        Ok(_) => fs::remove_file(path)?,
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
    let password = random()?;
    keep(path, &password)?;
    Ok(password)
}

/// Writes a new file with a secret.
pub(super) fn keep(path: &Path, text: &str) -> Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(writeln!(file, "{text}")?)
}

/// 128 bits from the kernel, in characters that need no quoting in a shell or a URL.
fn random() -> Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")
        .and_then(|mut file| file.read_exact(&mut bytes))
        .context("cannot read /dev/urandom")?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::kept;

    #[test]
    fn a_password_is_made_once_and_is_private() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let first = kept(&path).unwrap();
        assert_eq!(first.len(), 32);
        assert_eq!(kept(&path).unwrap(), first);
        assert_ne!(kept(&folder.path().join("b")).unwrap(), first);
        assert_eq!(
            std::fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }

    #[test]
    fn an_empty_file_is_filled() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "\n").unwrap();
        assert_eq!(kept(&path).unwrap().len(), 32);
    }
}
