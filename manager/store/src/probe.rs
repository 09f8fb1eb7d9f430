//! Whether the store takes what is written. The health deed asks.
//!
//! The rule: a write that succeeds is the only proof. It is small, because it is repeated for ever; after a change that
//! failed for want of room it is larger than any change, so that a few bytes left over do not pass for room.

use crate::{Error, Store, Tx};

const SMALL: usize = 64;
const LARGE: usize = 256 * 1024;

pub(crate) async fn run(store: &Store) -> Result<(), Error> {
    let size = if store.is_full() { LARGE } else { SMALL };
    store
        .keep_house(async move |tx: &Tx<'_>| write(tx, size).await)
        .await?;
    if size == LARGE {
        // What was needed for the proof is given back.
        store
            .keep_house(async |tx: &Tx<'_>| write(tx, SMALL).await)
            .await?;
    }
    Ok(())
}

async fn write(tx: &Tx<'_>, size: usize) -> Result<(), Error> {
    tx.execute(
        "INSERT INTO probe (id, filler) VALUES (1, $1)
         ON CONFLICT (id) DO UPDATE SET filler = excluded.filler",
        &[&vec![0_u8; size]],
    )
    .await
    .map(drop)
}
