//! Audit records of logins. The grants call it.
//!
//! The rule: a name that nobody has is not written down. People type their password into the wrong field.

use super::own_permit;
use crate::Lifecycle;
use qm_model::audit::{Entry, Outcome};
use qm_model::{Ctx, Error, Kind};
use qm_store::audit;

/// Who tried to log in.
#[derive(Debug, Clone)]
pub(super) struct Subject {
    /// A user or a client.
    pub(super) kind: Kind,
    /// Its id; empty when there is none such.
    pub(super) id: String,
    /// What people call it; empty when there is none such.
    pub(super) name: String,
}

/// The record of a login.
pub(super) fn entry(
    deeds: &Lifecycle,
    ctx: &Ctx,
    who: &Subject,
    outcome: Outcome,
    detail: &'static str,
) -> Entry {
    let mut entry = Entry::of(
        ctx,
        deeds.now(),
        "login",
        Some(who.kind),
        who.id.as_str(),
        outcome,
        detail,
    );
    if outcome == Outcome::Succeeded {
        // Before the login it was nobody; the record says who it turned out to be.
        entry.actor_kind = "person";
        entry.actor_id.clone_from(&who.id);
        entry.actor_name.clone_from(&who.name);
    }
    entry
}

/// Writes down a login that failed.
pub(super) async fn refused(
    deeds: &Lifecycle,
    ctx: &Ctx,
    who: &Subject,
    detail: &'static str,
) -> Result<(), Error> {
    tracing::info!(kind = %who.kind, id = who.id, remote = ctx.remote, detail, "a login failed");
    let entry = entry(deeds, ctx, who, Outcome::Refused, detail);
    let permit = own_permit(deeds, &ctx.correlation_id)?;
    deeds
        .store
        .change(
            &permit,
            async move |tx| Ok(audit::append(tx, &entry).await?),
        )
        .await
}
