//! Reads the audit log, writes down what a door refused or what failed there, and removes what is too old.
//! Administrators only read it: it tells who did what.

use crate::Lifecycle;
use qm_model::audit::{Entry, Outcome, Record};
use qm_model::{Ctx, Error, Kind, Time};
use qm_policy::{Change, Permit};
pub use qm_store::audit::Filter;
use std::time::Duration;

/// How many records are removed in one transaction.
const BATCH: u32 = 1_000;

/// Whether the caller may read the log. A door asks before it looks at what is wanted.
///
/// # Errors
/// 401, 403 without the role.
pub fn permitted(deeds: &Lifecycle, ctx: &Ctx) -> Result<(), Error> {
    // Who may see users may see what they did.
    qm_policy::read(ctx, Kind::User, &deeds.settings.policy)
        .map(drop)
        .map_err(about_the_log)
}

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
    permitted(deeds, ctx)?;
    deeds
        .store
        .read(async move |tx| Ok(qm_store::audit::list(tx, &filter, before, limit).await?))
        .await
}

/// Writes down that a caller was refused a change for want of a right. Nothing else is written with it, so nothing can
/// be lost.
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
    let permit = own_permit(deeds, ctx.correlation_id.clone())?;
    deeds
        .store
        .change(&permit, async move |tx| {
            Ok(qm_store::audit::append(tx, &entry).await?)
        })
        .await
}

/// A change that was tried at a door and was not possible as asked.
#[derive(Debug, Clone)]
pub struct Tried {
    /// What would have been done.
    pub action: &'static str,
    /// To what kind of thing.
    pub kind: Kind,
    /// To which one; empty when it would have been new.
    pub id: String,
    /// What the caller was told.
    pub why: String,
    /// When the request came.
    pub since: Time,
}

/// Writes that down, unless the deed has done so itself.
///
/// # Errors
/// The store does not answer.
pub async fn not_done(deeds: &Lifecycle, ctx: &Ctx, tried: Tried) -> Result<(), Error> {
    let Tried {
        action,
        kind,
        id,
        why,
        since,
    } = tried;
    let known = Filter {
        kind: Some(kind),
        correlation_id: Some(ctx.correlation_id.clone()),
        from: Some(since),
        ..Filter::default()
    };
    let outcome = Outcome::Refused;
    let entry = Entry::of(ctx, deeds.now(), action, Some(kind), id, outcome, why);
    let permit = own_permit(deeds, ctx.correlation_id.clone())?;
    deeds
        .store
        .change(&permit, async move |tx| {
            if qm_store::audit::list(tx, &known, None, 1).await?.is_empty() {
                qm_store::audit::append(tx, &entry).await?;
            }
            Ok(())
        })
        .await
}

/// Removes some of the records that are older than `keep` or more than `at_most`, and writes down that and how many.
/// Says how many, and whether there may be more. The steady tasks call it; nothing goes where the operator has said
/// neither.
///
/// # Errors
/// The store does not answer.
pub async fn expire(
    deeds: &Lifecycle,
    keep: Option<Duration>,
    at_most: Option<u64>,
) -> Result<(u64, bool), Error> {
    if keep.is_none() && at_most.is_none() {
        return Ok((0, false));
    }
    let ctx = Ctx::system("audit", deeds.fresh());
    let permit = own_permit(deeds, ctx.correlation_id.clone())?;
    let now = deeds.now();
    let gone = deeds
        .store
        .change(&permit, async move |tx| {
            let old = keep.map(|keep| now.minus(keep));
            let many = match at_most {
                Some(at_most) => qm_store::audit::beyond(tx, at_most).await?,
                None => None,
            };
            // Before, so those of the same moment stay together.
            let Some(before) = old.max(many) else {
                return Ok(0);
            };
            let gone = qm_store::audit::expire(tx, before, BATCH).await?;
            if gone > 0 {
                let why = if old >= many {
                    "audit.keep"
                } else {
                    "audit.keep_at_most"
                };
                let detail = format!("{gone} records from before {before}, as {why} says");
                let entry = Entry::of(&ctx, now, "trim", None, "", Outcome::Succeeded, detail);
                qm_store::audit::append(tx, &entry).await?;
            }
            Ok::<_, Error>(gone)
        })
        .await?;
    Ok((gone, gone >= u64::from(BATCH)))
}

/// The manager's own right to write into its log.
fn own_permit(deeds: &Lifecycle, correlation_id: String) -> Result<Permit<Change>, Error> {
    let ctx = Ctx::system("audit", correlation_id);
    qm_policy::change(&ctx, Kind::User, &deeds.settings.policy)
}

/// The same refusal, in words that fit what was asked for.
fn about_the_log(error: Error) -> Error {
    match error {
        Error::Forbidden { rule, .. } => Error::Forbidden {
            rule,
            message: match rule {
                "tenant" => "a caller that is confined to a tenant may not read the audit log",
                _ => "the role admin is needed to read the audit log",
            }
            .to_owned(),
        },
        other => other,
    }
}
