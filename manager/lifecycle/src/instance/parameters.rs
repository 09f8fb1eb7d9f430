//! What parameters the broker says an instance has.
//!
//! The rule: they may hold secrets, so only who may change the instance sees them.

use super::reference;
use crate::engine::{Subject, own};
use crate::{How, Lifecycle, Mode, desk};
use qm_model::{Ctx, Error, Kind, Secret};
use quartermaster_osb::{Answer, Object, Outcome};

/// The parameters of an instance; none when the broker says none.
///
/// # Errors
/// 403, 404, 400 when its offering says that instances cannot be fetched or the broker refuses, 502 when its answer is none.
pub async fn parameters(
    deeds: &Lifecycle,
    ctx: &Ctx,
    id: &str,
) -> Result<Option<Secret<Object>>, Error> {
    let permit = qm_policy::change(ctx, Kind::Instance, &deeds.settings.policy)?;
    let instance = desk::instance(deeds, permit.scope(), id).await?;
    if let Some(shared) = &instance.referenced_instance_id {
        return Ok(Some(Secret::new(reference::parameters(shared))));
    }
    let view = desk::view_of(deeds, &instance.plan_id).await?;
    let ware = view.stock.by_plan(&instance.plan_id);
    let subject = Subject::Instance(instance.id.clone());
    let how = How {
        mode: Mode::Sync,
        identity: None,
    };
    let order = desk::order(ctx, &how, &view, ware, &subject);
    if !order.retrievable {
        return Err(Error::invalid(
            "this offering says that its instances cannot be fetched (instances_retrievable is false)",
        ));
    }
    let fetched = own::fetch(deeds, ctx, &view, &order).await?;
    match fetched.outcome {
        Outcome::Success(Answer::Instance(instance)) => Ok(instance.parameters),
        Outcome::Success(Answer::Binding(binding)) => Ok(binding.parameters),
        _ => Err(own::not_fetched(&fetched)),
    }
}
