//! Somebody renames a binding or labels it. The broker is not called: both are the manager's own.

use super::BindingChange;
use crate::{Lifecycle, Shown, desk};
use qm_model::audit::{Entry, Outcome};
use qm_model::binding::Binding;
use qm_model::operation::{State, Verb};
use qm_model::{Ctx, Error, Kind};
use qm_store::{Tx, audit, binding, operation, resource};

/// Changes a binding.
///
/// # Errors
/// 404, 400 for a name or labels that cannot be, 403 when it was never made, 409 for a name that is taken, 422 while
/// something else is under way.
pub async fn change(
    deeds: &Lifecycle,
    ctx: &Ctx,
    id: &str,
    change: BindingChange,
) -> Result<Shown<Binding>, Error> {
    let permit = qm_policy::change(ctx, Kind::Binding, &deeds.settings.policy)?;
    let BindingChange { name, labels } = change;
    if let Some(name) = &name {
        desk::check_name(Kind::Binding, name)?;
    }
    crate::catalog::check_protected(deeds, labels.iter().map(|change| change.key.as_str()))?;
    let (deeds2, ctx, id, scope) = (
        deeds.clone(),
        ctx.clone(),
        id.to_owned(),
        permit.scope().clone(),
    );
    deeds
        .store
        .change(&permit, async move |tx: &Tx<'_>| {
            let now = deeds2.now();
            let (mut binding, last) = resource::get_with_last::<Binding>(tx, &scope, &id)
                .await?
                .ok_or(Error::Missing(Kind::Binding))?;
            crate::instance::may_change(Kind::Binding, binding.meta.ready, last.as_ref())?;
            if let Some(name) = name.clone().filter(|name| *name != binding.name) {
                let key = desk::binding_key(&binding.instance_id, &name);
                if !binding::rename_key(tx, &binding.id, &key).await? {
                    return Err(crate::engine::name_taken(Kind::Binding));
                }
                binding.name = name;
            }
            let labels = binding.meta.labels.apply(&labels)?;
            crate::catalog::check_ownership(&scope, &binding.meta.labels, &labels)?;
            binding.meta.labels = labels;
            binding.meta.updated_at = now;
            binding::update(tx, &binding, None).await?;
            let last = crate::operation::fresh(
                &deeds2,
                &ctx,
                Verb::Update,
                Kind::Binding,
                &id,
                State::Succeeded,
                now,
            );
            let tenant = desk::tenant_of(&deeds2, &binding.meta.labels);
            operation::record(tx, &last, tenant.as_deref()).await?;
            let detail = format!("binding {:?}", binding.name);
            let outcome = Outcome::Succeeded;
            let kind = Some(Kind::Binding);
            let entry = Entry::of(&ctx, now, "update", kind, &id, outcome, detail);
            audit::append(tx, &entry).await?;
            Ok(Shown {
                resource: binding,
                last_operation: Some(last),
            })
        })
        .await
}
