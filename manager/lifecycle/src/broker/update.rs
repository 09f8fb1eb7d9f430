//! Changes a broker, and looks at its catalog anew. An empty change is a refresh.

use super::draft::{self, BrokerChange};
use super::{intent, settle};
use crate::{Done, Lifecycle, Mode};
use qm_model::broker::Broker;
use qm_model::operation::Verb;
use qm_model::{Ctx, Error, Kind};

/// Changes a broker.
///
/// # Errors
/// As `register`, and 409 when the new catalog would take away a plan that has instances, 422 while
/// another deed on the broker is under way. Then the broker is as it was.
pub async fn update(
    deeds: &Lifecycle,
    ctx: &Ctx,
    id: &str,
    change: BrokerChange,
    mode: Mode,
) -> Result<Done<Broker>, Error> {
    let permit = qm_policy::change(ctx, Kind::Broker, &deeds.settings.policy)?;
    draft::check_change(deeds, &change)?;
    let work = serde_json::to_string(&change).map_err(Error::internal)?;
    let now = deeds.now();

    let (held, broker, access, operation) = deeds
        .store
        .change(&permit, {
            let (deeds, ctx, id, scope, labels) = (
                deeds.clone(),
                ctx.clone(),
                id.to_owned(),
                permit.scope().clone(),
                change.labels.clone(),
            );
            async move |tx| {
                let broker = qm_store::resource::get::<Broker>(tx, &scope, &id)
                    .await?
                    .ok_or(Error::Missing(Kind::Broker))?;
                let labels = broker.meta.labels.apply(&labels)?;
                crate::catalog::check_ownership(&scope, &broker.meta.labels, &labels)?;
                let access = qm_store::broker::access(tx, &broker.id)
                    .await?
                    .ok_or(Error::Missing(Kind::Broker))?;
                let operation = intent::fresh(&deeds, &ctx, Verb::Update, &broker.id, now);
                let held = intent::store(tx, &deeds, &ctx, &operation, work.clone(), true).await?;
                Ok::<_, Error>((held, broker, access, operation))
            }
        })
        .await?;

    let settle = settle::update(deeds.clone(), ctx.clone(), held, broker, access, change);
    if mode == Mode::Async {
        deeds.spawn(settle);
        return Ok(Done::Later(operation));
    }
    settle.await.map(Done::Now)
}
