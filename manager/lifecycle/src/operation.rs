//! Deeds about operations, and how one is begun.

use crate::Lifecycle;
use qm_model::audit::{Entry, Outcome};
use qm_model::id::{OperationId, PlatformId};
use qm_model::operation::{Family, Operation, State, Story, Verb};
use qm_model::{Caller, Ctx, Error, Kind, Time};
use qm_store::{audit, operation, resource};

/// A fresh operation.
pub(crate) fn fresh(
    deeds: &Lifecycle,
    ctx: &Ctx,
    verb: Verb,
    resource_kind: Kind,
    resource_id: &str,
    state: State,
    now: Time,
) -> Operation {
    Operation {
        id: OperationId::stored(deeds.fresh()),
        verb,
        state,
        resource_kind,
        resource_id: resource_id.to_owned(),
        platform_id: match &ctx.caller {
            Caller::Platform(platform) => platform.id.clone(),
            _ => PlatformId::manager(),
        },
        correlation_id: ctx.correlation_id.clone(),
        description: String::new(),
        errors: None,
        created_at: now,
        updated_at: now,
        deadline: None,
        attempts: 0,
        due_at: None,
        family: Family::default(),
        story: Story::default(),
    }
}

/// One operation of one resource.
///
/// # Errors
/// 404.
pub async fn get(
    deeds: &Lifecycle,
    ctx: &Ctx,
    kind: Kind,
    resource_id: &str,
    id: &str,
) -> Result<Operation, Error> {
    let permit = qm_policy::read(ctx, Kind::Operation, &deeds.settings.policy)?;
    let (scope, resource_id, id) = (
        permit.scope().clone(),
        resource_id.to_owned(),
        id.to_owned(),
    );
    deeds
        .store
        .read(async move |tx| {
            let found = resource::get::<Operation>(tx, &scope, &id).await?;
            found
                .filter(|operation| {
                    operation.resource_kind == kind && operation.resource_id == resource_id
                })
                .ok_or(Error::Missing(Kind::Operation))
        })
        .await
}

/// Removes the record of an operation that has ended.
///
/// # Errors
/// 404, 422 while it is under way.
pub async fn remove(deeds: &Lifecycle, ctx: &Ctx, id: &str) -> Result<(), Error> {
    let permit = qm_policy::change(ctx, Kind::Operation, &deeds.settings.policy)?;
    let (deeds2, ctx, scope, id) = (
        deeds.clone(),
        ctx.clone(),
        permit.scope().clone(),
        id.to_owned(),
    );
    deeds
        .store
        .change(&permit, async move |tx| {
            let found = resource::get::<Operation>(tx, &scope, &id)
                .await?
                .ok_or(Error::Missing(Kind::Operation))?;
            if !operation::delete(tx, &found.id).await? {
                return Err(Error::Unprocessable {
                    word: "ConcurrentOperationInProgress",
                    message:
                        "the operation is in progress; its record can be removed when it has ended"
                            .to_owned(),
                });
            }
            let detail = format!(
                "the record of a {} of a {}",
                found.verb.word(),
                found.resource_kind
            );
            let entry = Entry::of(
                &ctx,
                deeds2.now(),
                "delete",
                Some(Kind::Operation),
                &id,
                Outcome::Succeeded,
                detail,
            );
            Ok(audit::append(tx, &entry).await?)
        })
        .await
}
