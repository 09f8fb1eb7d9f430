//! What a change has outdated in the memory of whoever keeps parts of the registry: the deeds, on every replica.
//!
//! The rule: whatever outdates something leaves a row in the outbox, an event or, where no platform is to be told, a
//! touch. So a replica that reads the outbox in order hears of everything, and a gap means that it may have missed
//! something.

use crate::cells::Cells;
use crate::{Error, Tx};
use qm_model::Kind;
use qm_model::event::Change;
use qm_model::id::{BrokerId, CredentialId, PlatformId};

/// Something that was changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Touched {
    /// A broker, its catalog, or who sees its plans.
    View(BrokerId),
    /// The broker is gone, and with it what platforms log in with at its door.
    Gone(BrokerId),
    /// A platform or what it logs in with.
    Platform(PlatformId),
    /// What a platform logs in with at a broker's door.
    Credential(CredentialId),
}

impl Touched {
    /// As which row it lies in the outbox.
    pub(super) fn row(&self) -> (Kind, &str, Change, Option<&BrokerId>) {
        match self {
            Self::View(broker) => (
                Kind::Broker,
                broker.as_str(),
                Change::Modified,
                Some(broker),
            ),
            Self::Gone(broker) => (Kind::Broker, broker.as_str(), Change::Deleted, Some(broker)),
            Self::Platform(platform) => (Kind::Platform, platform.as_str(), Change::Modified, None),
            Self::Credential(credential) => (
                Kind::Credential,
                credential.as_str(),
                Change::Modified,
                None,
            ),
        }
    }
}

/// What the rows after a revision touch, up to another one, or `None` when that cannot be said: rows are missing, or
/// there are more than `limit`.
///
/// # Errors
/// The database's.
pub async fn touched_after(
    tx: &Tx<'_>,
    revision: i64,
    upto: i64,
    limit: u32,
) -> Result<Option<Vec<Touched>>, Error> {
    if upto <= revision {
        return Ok((upto == revision).then(Vec::new));
    }
    let first = tx
        .query_opt(
            "SELECT min(revision) FROM event WHERE revision > $1",
            &[&revision],
        )
        .await?;
    let first: Option<i64> = match first {
        Some(row) => row.get(0)?,
        None => None,
    };
    // Rows go from the beginning on: when the next one is there, all after it are.
    if first != Some(revision + 1) {
        return Ok(None);
    }
    let rows = tx
        .query(
            "SELECT resource_type, resource_id, change, broker_id, audience = '{\"only\":[]}' FROM event
             WHERE revision > $1 AND revision <= $2 AND (broker_id IS NOT NULL OR resource_type IN ($3, $4))
             ORDER BY revision LIMIT $5",
            &[
                &revision,
                &upto,
                &Kind::Platform.path(),
                &Kind::Credential.path(),
                &(i64::from(limit) + 1),
            ],
        )
        .await?;
    if rows.len() > limit as usize {
        return Ok(None);
    }
    let mut touched = Vec::with_capacity(rows.len());
    for row in rows {
        let mut cells = Cells::new("event", row);
        let kind = cells.word("resource_type", Kind::from_path)?;
        let id = cells.text("resource_id")?;
        let change = cells.word("change", Change::from_word)?;
        let broker = cells.text_opt("broker_id")?.map(BrokerId::stored);
        let nobody: bool = cells.take("audience")?;
        match (kind, broker) {
            (Kind::Broker, Some(broker)) if nobody && change == Change::Deleted => {
                touched.push(Touched::Gone(broker));
            }
            (_, Some(broker)) => touched.push(Touched::View(broker)),
            (Kind::Platform, None) => touched.push(Touched::Platform(PlatformId::stored(id))),
            (Kind::Credential, None) => touched.push(Touched::Credential(CredentialId::stored(id))),
            (_, None) => {}
        }
    }
    Ok(Some(touched))
}
