//! Looks at operations by what they were done to.

use crate::cells::{Cells, json};
use crate::resource::{self, Table, columns};
use crate::sql::elements;
use crate::{Error, Tx};
use qm_model::operation::{Operation, State};
use qm_model::{Kind, Time};
use std::sync::Arc;

/// An operation's kind of resource, in a form that no index fits: an engine that knows nothing of the rows would
/// otherwise take the index of kinds, which leads to most of them, and not the one of ids.
pub(crate) fn of_kind(operation: &str) -> String {
    format!("({operation}.resource_type || '')")
}

/// The last operation on a resource.
///
/// # Errors
/// The database's.
pub async fn last_of(tx: &Tx<'_>, kind: Kind, id: &str) -> Result<Option<Operation>, Error> {
    let condition = format!(
        "{} = $1 AND t.resource_id = $2 ORDER BY t.seq DESC LIMIT 1",
        of_kind("t")
    );
    Ok(resource::by(tx, &condition, &[&kind.path(), &id])
        .await?
        .pop())
}

/// The last operation on each of several resources; those without one are left out.
///
/// # Errors
/// The database's.
pub async fn last_of_many(
    tx: &Tx<'_>,
    kind: Kind,
    ids: &[String],
) -> Result<Vec<Operation>, Error> {
    let text = format!(
        "SELECT {} FROM operation t WHERE t.seq IN (
            SELECT (SELECT max(o.seq) FROM operation o WHERE {} = $1 AND o.resource_id = v.element)
            FROM ({}) v)",
        columns::<Operation>(),
        of_kind("o"),
        elements(tx.dialect(), "$2"),
    );
    let rows = tx
        .query(Arc::<str>::from(text), &[&kind.path(), &json(&ids)?])
        .await?;
    rows.into_iter()
        .map(|row| Operation::read(&mut Cells::new("operation", row)))
        .collect()
}

/// What is being done to a resource now.
///
/// # Errors
/// The database's.
pub async fn under_way(tx: &Tx<'_>, kind: Kind, id: &str) -> Result<Option<Operation>, Error> {
    let condition = "t.resource_type = $1 AND t.resource_id = $2 AND t.phase <> 'done'";
    Ok(resource::by(tx, condition, &[&kind.path(), &id])
        .await?
        .pop())
}

/// How many operations have not ended, by state, and when the oldest was stored. For metrics; a state with
/// none is there with 0.
///
/// # Errors
/// The database's.
pub async fn counts(tx: &Tx<'_>) -> Result<Vec<(State, u64, Option<Time>)>, Error> {
    let rows = tx
        .query(
            "SELECT state, count(*), min(created_at) FROM operation WHERE phase <> 'done' GROUP BY state",
            &[],
        )
        .await?;
    let mut counts = vec![(State::Pending, 0, None), (State::InProgress, 0, None)];
    for row in rows {
        let mut cells = Cells::new("operation", row);
        let state = cells.word("state", State::from_word)?;
        let count = (state, cells.take("count")?, cells.time_opt("created_at")?);
        match counts.iter_mut().find(|(known, ..)| *known == state) {
            Some(known) => *known = count,
            None => counts.push(count),
        }
    }
    Ok(counts)
}
