//! Reads the audit log, and writes down what a door refused. Administrators only read it: it tells who did what.

use crate::Lifecycle;
use qm_model::audit::{Entry, Outcome, Record};
use qm_model::{Ctx, Error, Kind};
pub use qm_store::audit::Filter;

/// Records that match, newest first, below `before`.
///
/// # Errors
/// 403 without the role.
pub async fn list(
    deeds: &Lifecycle,
    ctx: &Ctx,
    filter: Filter,
    before: Option<i64>,
    limit: u32,
) -> Result<Vec<Record>, Error> {
    // Who may see users may see what they did.
    qm_policy::read(ctx, Kind::User, &deeds.settings.policy)?;
    deeds
        .store
        .read(async move |tx| Ok(qm_store::audit::list(tx, &filter, before, limit).await?))
        .await
}

/// Writes down that a caller was refused a change. Nothing else is written with it, so nothing can be lost.
///
/// # Errors
/// The store does not answer.
pub async fn refused(
    deeds: &Lifecycle,
    ctx: &Ctx,
    action: &'static str,
    kind: Option<Kind>,
    id: String,
    why: String,
) -> Result<(), Error> {
    let entry = Entry::of(ctx, deeds.now(), action, kind, id, Outcome::Refused, why);
    let own = Ctx::system("audit", ctx.correlation_id.clone());
    let permit = qm_policy::change(&own, Kind::User, &deeds.settings.policy)?;
    deeds
        .store
        .change(&permit, async move |tx| {
            Ok(qm_store::audit::append(tx, &entry).await?)
        })
        .await
}
