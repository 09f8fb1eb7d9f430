//! A reference is deleted, by a person, a platform or a cascade. No broker is called.
//!
//! The rule: its bindings are the broker's too, so they are deleted first.

use crate::instance::note::{Noted, note};
use crate::{Done, Lifecycle, Shown};
use qm_model::id::{BindingId, InstanceId};
use qm_model::instance::Instance;
use qm_model::operation::{Operation, Verb};
use qm_model::{Ctx, Error, Kind};
use qm_policy::Scope;
use qm_store::{Tx, resource};

/// How many of those in the way are named.
const NAMED: u32 = 10;

/// Deletes a reference for a person.
///
/// # Errors
/// 404 when it is gone, 400 while it has bindings.
pub(crate) async fn delete(
    deeds: &Lifecycle,
    ctx: &Ctx,
    reference: Instance,
) -> Result<Done<()>, Error> {
    match remove(deeds, ctx, &reference.id).await? {
        Some(last) => Ok(Done::Now(Shown {
            resource: (),
            last_operation: Some(last),
        })),
        None => Err(Error::Missing(Kind::Instance)),
    }
}

/// Removes a reference, whoever wants it. `None`: it is gone.
///
/// # Errors
/// 400 while it has bindings.
pub(crate) async fn remove(
    deeds: &Lifecycle,
    ctx: &Ctx,
    id: &InstanceId,
) -> Result<Option<Operation>, Error> {
    let own = Ctx::system("reference", ctx.correlation_id.clone());
    let permit = qm_policy::change(&own, Kind::Instance, &deeds.settings.policy)?;
    let (deeds2, ctx, id) = (deeds.clone(), ctx.clone(), id.clone());
    deeds
        .store
        .change(&permit, async move |tx: &Tx<'_>| {
            let found = resource::get::<Instance>(tx, &Scope::All, id.as_str()).await?;
            let Some(row) = found.filter(|row| row.referenced_instance_id.is_some()) else {
                return Ok(None);
            };
            let (bindings, _) = qm_store::instance::dependants(tx, &id, NAMED).await?;
            unbound(&bindings)?;
            qm_store::instance::delete(tx, &id).await?;
            let noted = Noted {
                verb: Verb::Delete,
                action: "delete",
                detail: format!("instance {:?}, a reference", row.name),
            };
            Ok::<_, Error>(Some(note(tx, &deeds2, &ctx, &row, noted).await?))
        })
        .await
}

fn unbound(bindings: &[BindingId]) -> Result<(), Error> {
    if bindings.is_empty() {
        return Ok(());
    }
    let named: Vec<&str> = bindings.iter().map(BindingId::as_str).collect();
    Err(Error::invalid(format!(
        "the instance cannot be deleted: it has bindings; delete them first: {} (rule: reference-bound)",
        named.join(", ")
    )))
}
