//! Registers a broker: permit, intent, its catalog, outcome with event.

use super::draft::{self, NewBroker};
use super::{intent, settle};
use crate::{Done, Lifecycle, Mode};
use qm_model::broker::{Broker, CatalogState};
use qm_model::id::BrokerId;
use qm_model::operation::Verb;
use qm_model::{Ctx, Error, Kind, Meta};

/// Registers a broker.
///
/// # Errors
/// 400 for a request or a catalog that must be mended, 409 for a name that is taken, 502 and 504 for a
/// broker that does not answer. Then nothing is left behind, except that a broker asked for
/// asynchronously stays, not ready, with its failed operation.
pub async fn register(
    deeds: &Lifecycle,
    ctx: &Ctx,
    new: NewBroker,
    mode: Mode,
) -> Result<Done<Broker>, Error> {
    let permit = qm_policy::change(ctx, Kind::Broker, &deeds.settings.policy)?;
    draft::check_new(deeds, &new)?;
    let now = deeds.now();
    let NewBroker {
        id,
        name,
        description,
        url,
        access,
        labels,
    } = new;
    let broker = Broker {
        id: BrokerId::new(id.unwrap_or_else(|| deeds.fresh()))?,
        name,
        description,
        url,
        meta: Meta {
            ready: false,
            ..Meta::new(now, crate::catalog::owned(permit.scope(), labels)?)
        },
        catalog: CatalogState::default(),
    };
    let operation = intent::fresh(deeds, ctx, Verb::Create, &broker.id, now);
    let keep = mode == Mode::Async;

    let held = deeds
        .store
        .change(&permit, {
            let (deeds, ctx, broker, access, operation) = (
                deeds.clone(),
                ctx.clone(),
                broker.clone(),
                access.clone(),
                operation.clone(),
            );
            async move |tx| {
                crate::cascade::tenant_stays(tx, &deeds, &broker.meta.labels).await?;
                if !qm_store::broker::insert(tx, &broker, &access).await? {
                    return Err(Error::conflict(
                        Kind::Broker,
                        format!("the name {:?} or the id is taken", broker.name),
                    ));
                }
                intent::store(tx, &deeds, &ctx, &operation, String::new(), keep).await
            }
        })
        .await?;

    let settle = settle::creation(deeds.clone(), ctx.clone(), held, broker, access, keep);
    if mode == Mode::Async {
        deeds.spawn(settle);
        return Ok(Done::Later(operation));
    }
    settle.await.map(Done::Now)
}
