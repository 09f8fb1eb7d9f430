//! What parameters the broker says a binding has.
//!
//! The rule: they may hold secrets, so only who may change the binding sees them.

use crate::engine::{Subject, own};
use crate::instance::reference;
use crate::{How, Lifecycle, Mode, desk};
use qm_model::{Ctx, Error, Kind, Secret};
use quartermaster_osb::{Answer, Object, Outcome};

/// The parameters of a binding; none when the broker says none.
///
/// # Errors
/// 403, 404, 400 when its offering says that bindings cannot be fetched or the broker refuses, 502 when its answer is none.
pub async fn parameters(
    deeds: &Lifecycle,
    ctx: &Ctx,
    id: &str,
) -> Result<Option<Secret<Object>>, Error> {
    let permit = qm_policy::change(ctx, Kind::Binding, &deeds.settings.policy)?;
    let (binding, instance) = desk::binding(deeds, permit.scope(), id).await?;
    let (plan, target) = reference::at_the_broker(deeds, &instance).await?;
    let view = desk::view_of(deeds, &plan).await?;
    let ware = view.stock.by_plan(&plan);
    let subject = Subject::Binding(instance.id, binding.id);
    let how = How {
        mode: Mode::Sync,
        identity: None,
    };
    let mut order = desk::order(ctx, &how, &view, ware, &subject);
    if !order.retrievable {
        return Err(Error::invalid(
            "this offering says that its bindings cannot be fetched (bindings_retrievable is false)",
        ));
    }
    order.target = target;
    let fetched = own::fetch(deeds, ctx, &view, &order).await?;
    match fetched.outcome {
        Outcome::Success(Answer::Binding(binding)) => Ok(binding.parameters),
        _ => Err(own::not_fetched(&fetched)),
    }
}
