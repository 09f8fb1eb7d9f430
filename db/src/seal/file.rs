//! A key ring in a file.
//!
//! The rule that keeps it right: only the owner may read the file, and it appears whole or not at
//! all: two programs that start at once end up with the same keys, and a key that sealed something
//! is on the disk before.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::Path;

use aws_lc_rs::rand;
use zeroize::Zeroizing;

use super::{KeyRing, SealError};

impl KeyRing {
    /// Reads the ring from a file that only its owner may read. With `create` a missing file is
    /// made, with one new key.
    ///
    /// # Errors
    /// [`SealError::Exposed`], [`SealError::File`] or [`SealError::Ring`].
    pub fn from_file(path: impl AsRef<Path>, create: bool) -> Result<Self, SealError> {
        let path = path.as_ref();
        match read(path) {
            Err(SealError::File {
                kind: ErrorKind::NotFound,
                ..
            }) if create => {
                let ring = Self::generate()?;
                match write_new(path, &ring.to_text()) {
                    Ok(()) => Ok(ring),
                    // Another program was quicker; its keys count.
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => read(path),
                    Err(error) => Err(at(path, &error)),
                }
            }
            other => other,
        }
    }
}

fn read(path: &Path) -> Result<KeyRing, SealError> {
    let mut file = File::open(path).map_err(|error| at(path, &error))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = file
            .metadata()
            .map_err(|error| at(path, &error))?
            .permissions()
            .mode()
            & 0o777;
        if mode & 0o077 != 0 {
            return Err(SealError::Exposed {
                path: path.display().to_string(),
                mode,
            });
        }
    }
    let mut text = Zeroizing::new(String::new());
    file.read_to_string(&mut text)
        .map_err(|error| at(path, &error))?;
    KeyRing::parse(&text)
}

/// Written beside, then given its name in one step that fails if the name is taken.
fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    let mut own = [0; 8];
    rand::fill(&mut own).map_err(|_| std::io::Error::from(ErrorKind::Other))?;
    beside.push(format!(".{:016x}", u64::from_be_bytes(own)));
    let beside = Path::new(&beside);
    let mut how = OpenOptions::new();
    how.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut how, 0o600);
    let mut file = how.open(beside)?;
    let named = file
        .write_all(text.as_bytes())
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::hard_link(beside, path));
    fs::remove_file(beside)?;
    named?;
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

fn at(path: &Path, error: &std::io::Error) -> SealError {
    SealError::File {
        path: path.display().to_string(),
        kind: error.kind(),
    }
}
