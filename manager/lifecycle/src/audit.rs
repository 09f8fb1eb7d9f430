//! Reads the audit log. Administrators only: it tells who did what.

use crate::Lifecycle;
use qm_model::audit::Record;
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
