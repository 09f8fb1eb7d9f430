//! What becomes of the resource, in the transaction that stores the outcome.
//!
//! The rule: a resource that is gone is no error. Whoever removed it took the operation over or outlived it.

use super::super::Effect;
use crate::cells::json_opt;
use crate::{Error, Tx, instance};
use qm_model::Time;
use qm_model::binding::Binding;

pub(super) async fn write(tx: &Tx<'_>, effect: &Effect, now: Time) -> Result<(), Error> {
    match effect {
        Effect::None => {}
        Effect::InstanceReady {
            id,
            dashboard_url,
            answer,
        } => {
            tx.execute(
                "UPDATE instance SET ready = TRUE, usable = TRUE, dashboard_url = COALESCE($2, dashboard_url),
                    answer = COALESCE($3, answer), updated_at = $4
                 WHERE id = $1",
                &[&id.as_str(), dashboard_url, answer, &now.millis()],
            )
            .await?;
        }
        Effect::InstanceChanged {
            instance,
            fingerprint,
            answer,
            parameters,
        } => {
            instance::update(tx, instance).await?;
            let parameters = match parameters {
                Some(plain) => Some(tx.seal(&instance::place(&instance.id, "parameters"), plain)?),
                None => None,
            };
            tx.execute(
                "UPDATE instance SET fingerprint = $2, answer = COALESCE($3, answer),
                    parameters = COALESCE($4, parameters), wanted = NULL
                 WHERE id = $1",
                &[&instance.id.as_str(), fingerprint, answer, &parameters],
            )
            .await?;
        }
        Effect::InstanceUnchanged {
            id,
            usable,
            wanted,
            name_key,
        } => {
            let wanted = tx.seal(&instance::place(id, "wanted"), wanted)?;
            // Its old name may have been given to another one meanwhile; then it keeps its right to the new one.
            tx.execute(
                "UPDATE instance SET usable = COALESCE($2, usable), wanted = $3, updated_at = $4,
                    name_key = CASE WHEN EXISTS (SELECT 1 FROM instance o WHERE o.name_key = $5 AND o.id <> $1)
                        THEN name_key ELSE $5 END
                 WHERE id = $1",
                &[&id.as_str(), usable, &wanted, &now.millis(), name_key],
            )
            .await?;
        }
        Effect::InstanceUnnamed(id) => {
            tx.execute(
                "UPDATE instance SET name_key = NULL WHERE id = $1",
                &[&id.as_str()],
            )
            .await?;
            not_kept(tx, id.as_str()).await?;
        }
        Effect::BindingUnnamed(id) => {
            tx.execute(
                "UPDATE binding SET name_key = NULL WHERE id = $1",
                &[&id.as_str()],
            )
            .await?;
            not_kept(tx, id.as_str()).await?;
        }
        Effect::InstanceUsable { id, usable } => {
            tx.execute(
                "UPDATE instance SET usable = $2, updated_at = $3 WHERE id = $1",
                &[&id.as_str(), usable, &now.millis()],
            )
            .await?;
        }
        Effect::RemoveInstance(id) => {
            tx.execute(
                "DELETE FROM binding WHERE service_instance_id = $1",
                &[&id.as_str()],
            )
            .await?;
            instance::delete(tx, id).await?;
        }
        Effect::BindingReady {
            binding,
            credentials,
        } => {
            ready(tx, binding, now).await?;
            if let Some(credentials) = credentials {
                crate::binding::keep_credentials(tx, &binding.id, credentials).await?;
            }
        }
        Effect::RemoveBinding(id) => {
            crate::binding::delete(tx, id).await?;
        }
    }
    Ok(())
}

/// Whoever asked for it was told that it failed, so nothing of it stays to be seen.
async fn not_kept(tx: &Tx<'_>, id: &str) -> Result<(), Error> {
    let text =
        "UPDATE operation SET keep_on_failure = FALSE WHERE resource_id = $1 AND phase <> 'done'";
    tx.execute(text, &[&id]).await.map(drop)
}

/// What the broker answered; what was asked for is there already.
async fn ready(tx: &Tx<'_>, binding: &Binding, now: Time) -> Result<(), Error> {
    let Binding {
        id,
        name: _,
        instance_id: _,
        syslog_drain_url,
        route_service_url,
        volume_mounts,
        endpoints,
        context: _,
        bind_resource: _,
        meta: _,
    } = binding;
    tx.execute(
        "UPDATE binding SET ready = TRUE, syslog_drain_url = $2, route_service_url = $3, volume_mounts = $4,
            endpoints = $5, updated_at = $6
         WHERE id = $1",
        &[
            &id.as_str(),
            syslog_drain_url,
            route_service_url,
            &json_opt(volume_mounts.as_ref())?,
            &json_opt(endpoints.as_ref())?,
            &now.millis(),
        ],
    )
    .await
    .map(drop)
}
