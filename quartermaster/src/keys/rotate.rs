//! `quartermaster keys rotate`: a new key comes into use, and every stored secret is sealed with it.
//!
//! The rule: nothing is ever sealed with a key that a running manager could not open. So the new key is
//! first put behind the old one, where it only opens; managers read the file again within a second; then
//! it is put in front; then what is stored is sealed anew, in small batches beside the work of managers.
//! At whichever step it is interrupted, running it again goes on.

use super::watch::LOOK;
use super::{Source, ids};
use crate::cli::RotateArgs;
use crate::data::write_private;
use crate::place;
use anyhow::{Context, Result, bail};
use qm_db::seal::KeyRing;
use qm_store::Store;
use qm_store::rotate::{self, Resealed};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// Longer than managers take to read the file again.
const SETTLE: Duration = LOOK.saturating_mul(3);
/// Rows of one transaction: short, because managers want to write too.
const BATCH: u32 = 200;

pub(crate) async fn rotate(args: &RotateArgs) -> Result<ExitCode> {
    let loaded = args.place.load(None)?;
    let data = args.place.data();
    let (database, options) = place::database(&loaded.config, &data)?;
    let source = Source::of(&loaded.config, &data);
    let ring = source.read(false)?;
    let Some(file) = source.file() else {
        if args.prepare {
            bail!(
                "the keys are in QM_KEYS, which only you can change: put what `quartermaster keys new` \
                 prints behind them, and restart every manager"
            );
        }
        // Whoever put a new key in front has done the first steps.
        let store = place::open(&database, options, &source).await?;
        let id = ids(&ring).into_iter().next().unwrap_or_default();
        println!("the keys are in QM_KEYS; sealing everything with the first one, {id}");
        seal(&store).await?;
        return Ok(ExitCode::SUCCESS);
    };
    // Opened before anything is changed: a key for a store that does not answer helps nobody.
    let store = place::open(&database, options, &source).await?;

    let prepared = match prepared(&ring, file)? {
        Some(ring) => ring,
        None => {
            let ring = with_new(&ring)?;
            write(file, &ring.to_text(), true)?;
            ring
        }
    };
    let known = ids(&prepared);
    let id = known.last().cloned().unwrap_or_default();
    println!("new key {id}; managers on this machine learn it now");
    if args.prepare {
        println!(
            "copy {} to every machine; then run this again without --prepare",
            file.display()
        );
        return Ok(ExitCode::SUCCESS);
    }
    tokio::time::sleep(SETTLE).await;
    let ring = promoted(&prepared)?;
    write(file, &ring.to_text(), false)?;
    store.replace_keys(ring);
    seal(&store).await?;
    // What managers sealed with the old key before they read the file again.
    tokio::time::sleep(SETTLE).await;
    seal(&store).await?;
    store.close().await;
    println!(
        "every secret is sealed with {id}; older keys may be removed from {} when backups no longer need them",
        file.display()
    );
    Ok(ExitCode::SUCCESS)
}

/// The mark of a key that was added and is not in use yet: a comment, which readers of the file skip.
const PREPARED: &str =
    "# the last key is new and not in use yet; `quartermaster keys rotate` goes on";

/// The ring as it is, when an earlier run has added its key already.
fn prepared(ring: &KeyRing, file: &Path) -> Result<Option<KeyRing>> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("{} cannot be read", file.display()))?;
    let marked = text.lines().any(|line| line == PREPARED);
    Ok((marked && ids(ring).len() > 1).then(|| ring.clone()))
}

/// A new key behind all others.
fn with_new(ring: &KeyRing) -> Result<KeyRing> {
    let new = KeyRing::generate().context("the machine gives no randomness")?;
    Ok(KeyRing::parse(&format!(
        "{}{}",
        *ring.to_text(),
        *new.to_text()
    ))?)
}

/// The last key in front of all others.
fn promoted(ring: &KeyRing) -> Result<KeyRing> {
    let text = ring.to_text();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.rotate_right(1);
    Ok(KeyRing::parse(&lines.join("\n"))?)
}

fn write(file: &Path, keys: &str, prepared: bool) -> Result<()> {
    let mark = if prepared {
        format!("{PREPARED}\n")
    } else {
        String::new()
    };
    write_private(file, &format!("{mark}{keys}"))
        .with_context(|| format!("{} cannot be written", file.display()))
}

/// Seals what older keys have sealed, until nothing is left.
async fn seal(store: &Store) -> Result<()> {
    loop {
        let sealed = rotate::reseal(store, BATCH)
            .await
            .context("stored secrets cannot be sealed anew; run this again")?;
        let Resealed { done, left } = sealed;
        if done > 0 {
            println!("{done} sealed anew, {left} left");
        }
        if left == 0 {
            return Ok(());
        }
        if done == 0 {
            bail!("{left} secrets cannot be sealed anew");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ids, prepared, promoted, with_new, write};
    use qm_db::seal::KeyRing;

    #[test]
    fn a_new_key_first_opens_and_then_seals() {
        let old = KeyRing::generate().unwrap();
        let behind = with_new(&old).unwrap();
        assert_eq!(ids(&behind)[0], ids(&old)[0]);
        let front = promoted(&behind).unwrap();
        assert_eq!(
            ids(&front),
            [&ids(&behind)[1], &ids(&behind)[0]].map(Clone::clone)
        );
        let sealed = front.seal(&["t", "r", "c"], b"x").unwrap();
        assert!(old.open(&["t", "r", "c"], &sealed).is_err());
        assert_eq!(&**behind.open(&["t", "r", "c"], &sealed).unwrap(), b"x");
    }

    #[test]
    fn an_interrupted_rotation_goes_on_with_the_same_key() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("keys");
        let old = KeyRing::generate().unwrap();
        write(&file, &old.to_text(), false).unwrap();
        assert!(prepared(&old, &file).unwrap().is_none());
        let ring = with_new(&old).unwrap();
        write(&file, &ring.to_text(), true).unwrap();
        let read = KeyRing::from_file(&file, false).unwrap();
        assert_eq!(ids(&prepared(&read, &file).unwrap().unwrap()), ids(&ring));
        write(&file, &promoted(&ring).unwrap().to_text(), false).unwrap();
        let read = KeyRing::from_file(&file, false).unwrap();
        assert!(prepared(&read, &file).unwrap().is_none());
    }
}
