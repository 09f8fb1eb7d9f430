//! Reads the audit log, writes down what a door refused or what failed there, and removes what is too old.
//! Administrators only read it: it tells who did what.

use crate::Lifecycle;
use qm_model::audit::{Entry, Outcome, Record};
use qm_model::{Ctx, Error, Kind, Time};
use qm_policy::{Change, Permit};
pub use qm_store::audit::Filter;

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

/// Removes records from before then, and writes down that and how many. The steady tasks call it where the operator
/// has said how long records are kept.
///
/// # Errors
/// The store does not answer.
pub async fn expire(deeds: &Lifecycle, before: Time) -> Result<u64, Error> {
    let ctx = Ctx::system("audit", deeds.fresh());
    let permit = own_permit(deeds, ctx.correlation_id.clone())?;
    let mut removed = 0;
    loop {
        let (ctx, now) = (ctx.clone(), deeds.now());
        let gone = deeds
            .store
            .change(&permit, async move |tx| {
                let gone = qm_store::audit::expire(tx, before, BATCH).await?;
                if gone > 0 {
                    let detail = format!("{gone} records from before {before}, as audit.keep says");
                    let entry = Entry::of(&ctx, now, "trim", None, "", Outcome::Succeeded, detail);
                    qm_store::audit::append(tx, &entry).await?;
                }
                Ok::<_, Error>(gone)
            })
            .await?;
        removed += gone;
        if gone < u64::from(BATCH) {
            return Ok(removed);
        }
    }
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
