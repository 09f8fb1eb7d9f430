//! Begins a cascade, or says which one is under way.
//!
//! The rule: the root is stored in one transaction with what allows it, and works on a task of its own; if this process
//! dies, the tasks take it up.

use super::node::{self, Wish, branch};
use super::{rules, turn};
use crate::Lifecycle;
use crate::engine::{self, Erasing, Subject};
use qm_model::audit::{Entry, Outcome};
use qm_model::binding::Binding;
use qm_model::id::InstanceId;
use qm_model::operation::{Family, Operation, Verb};
use qm_model::{Ctx, Error, Kind};
use qm_policy::{Change, Permit, Scope};
use qm_store::operation::Taken;
use qm_store::{Tx, audit, resource};

/// What a try to store the root came to.
enum Begun {
    Root(Box<Taken>),
    /// Something is being done to it.
    Busy(Box<Operation>, bool),
}

/// Begins to remove something with everything that depends on it. A deletion that is under way already is given
/// instead.
///
/// # Errors
/// 404; 422 for a platform that is in use or has what others refer to, and while something is being done that cannot be
/// taken over.
pub async fn begin(
    deeds: &Lifecycle,
    ctx: &Ctx,
    kind: Kind,
    id: &str,
    force: bool,
) -> Result<Operation, Error> {
    let permit = qm_policy::change(ctx, kind, &deeds.settings.policy)?;
    match root(deeds, ctx, &permit, kind, id, force).await? {
        Begun::Root(taken) => {
            let operation = taken.operation.clone();
            engine::at("cascade", "begun");
            turn::detach(deeds, *taken);
            Ok(operation)
        }
        // One deletion that hangs makes way for the same by force; a whole tree does not.
        Begun::Busy(other, true) if other.verb == Verb::Delete && force => {
            let erased = erase(deeds, ctx, kind, id, force).await?;
            Ok(erased.unwrap_or(*other))
        }
        Begun::Busy(other, _) if other.verb == Verb::Delete => Ok(*other),
        // Nothing depends on what is being made: its deletion takes its place.
        Begun::Busy(other, true) => match erase(deeds, ctx, kind, id, force).await? {
            Some(operation) => Ok(operation),
            None => Err(engine::in_the_way(&other)),
        },
        Begun::Busy(other, false) => Err(engine::in_the_way(&other)),
    }
}

async fn root(
    deeds: &Lifecycle,
    ctx: &Ctx,
    permit: &Permit<Change>,
    kind: Kind,
    id: &str,
    force: bool,
) -> Result<Begun, Error> {
    let operation = node::fresh(deeds, ctx, kind, id, None);
    let (deeds2, ctx, id, scope) = (
        deeds.clone(),
        ctx.clone(),
        id.to_owned(),
        permit.scope().clone(),
    );
    deeds
        .store
        .change(permit, async move |tx: &Tx<'_>| {
            let deeds = &deeds2;
            let (platform, tenant) = node::find(tx, deeds, &scope, kind, &id).await?;
            let branch = branch(deeds, kind, &id);
            // Whose removal is under way is told so, whatever has changed since.
            let other = qm_store::operation::under_way(tx, kind, &id).await?;
            if let Some(other) = other {
                let bare = branch.is_bare(tx).await?;
                return Ok(Begun::Busy(Box::new(other), bare));
            }
            if let Some(platform) = &platform {
                rules::inactive(platform)?;
                rules::not_referred_to(tx, platform, &branch).await?;
            }
            let wish = Wish { force };
            match node::store(tx, deeds, &ctx, &operation, tenant, wish).await? {
                Err(other) => Ok(Begun::Busy(Box::new(other), false)),
                Ok(taken) => {
                    let force = if force { " by force" } else { "" };
                    let entry = Entry::of(
                        &ctx,
                        operation.created_at,
                        "delete",
                        Some(kind),
                        &id,
                        Outcome::Succeeded,
                        format!("begun{force}, with all that depends on it"),
                    );
                    audit::append(tx, &entry).await?;
                    Ok::<_, Error>(Begun::Root(Box::new(taken)))
                }
            }
        })
        .await
}

/// Deletes what nothing depends on. `None`: it cannot be done now.
async fn erase(
    deeds: &Lifecycle,
    ctx: &Ctx,
    kind: Kind,
    id: &str,
    force: bool,
) -> Result<Option<Operation>, Error> {
    let subject = match kind {
        Kind::Instance => Subject::Instance(InstanceId::stored(id.to_owned())),
        Kind::Binding => subject_of_binding(deeds, id).await?,
        _ => return Ok(None),
    };
    match engine::erase(deeds, ctx, subject, Family::default(), force).await? {
        Erasing::Begun(operation) | Erasing::UnderWay(operation) => {
            engine::own::operation(deeds, &operation).await.map(Some)
        }
        Erasing::Gone => last(deeds, kind, id).await,
    }
}

async fn last(deeds: &Lifecycle, kind: Kind, id: &str) -> Result<Option<Operation>, Error> {
    let id = id.to_owned();
    deeds
        .store
        .read(async move |tx: &Tx<'_>| {
            Ok::<_, Error>(qm_store::operation::last_of(tx, kind, &id).await?)
        })
        .await
}

/// A binding and its instance.
///
/// # Errors
/// 404.
pub(super) async fn subject_of_binding(deeds: &Lifecycle, id: &str) -> Result<Subject, Error> {
    let id = id.to_owned();
    let binding = deeds
        .store
        .read(async move |tx: &Tx<'_>| {
            let found: Option<Binding> = resource::get(tx, &Scope::All, &id).await?;
            found.ok_or(Error::Missing(Kind::Binding))
        })
        .await?;
    Ok(Subject::Binding(binding.instance_id, binding.id))
}
