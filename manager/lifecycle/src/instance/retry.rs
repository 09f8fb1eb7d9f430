//! Somebody tries once more what failed: a deletion, or a change with the values that it was to bring.
//!
//! The rule: a creation is not tried again under the same id, because ids are never used twice (P7): what failed is
//! deleted and made anew. A change that the broker does not want to see again is not sent again (P14).

use super::change::{Update, operation_of, send};
use crate::engine::NewValues;
use crate::{Done, How, Lifecycle, Mode, Shown, desk};
use qm_model::id::PlanId;
use qm_model::instance::Instance;
use qm_model::operation::{Operation, State, Verb};
use qm_model::{Ctx, Error, Kind, Secret};
use serde_json::Value;

/// Tries the last operation once more, in the background.
///
/// # Errors
/// 404; 422 when the last operation did not fail, or cannot be repeated.
pub async fn retry(deeds: &Lifecycle, ctx: &Ctx, id: &str, how: How) -> Result<Operation, Error> {
    let permit = qm_policy::door::desk(ctx, Kind::Instance, &deeds.settings.policy)?;
    let instance = desk::instance(deeds, permit.scope(), id).await?;
    let Shown {
        resource,
        last_operation,
    } = desk::read::<Instance>(deeds, instance.id.as_str()).await?;
    let how = How {
        mode: Mode::Async,
        ..how
    };
    match last_operation.map(|last| (last.verb, last.state)) {
        Some((Verb::Delete, State::Failed)) => match super::delete(deeds, ctx, id, how).await? {
            Done::Later(operation) => Ok(operation),
            Done::Now(shown) => shown.last_operation.ok_or(Error::Missing(Kind::Instance)),
        },
        Some((Verb::Update, State::Failed)) => {
            let wanted = wanted(deeds, &resource).await?;
            if wanted.repeatable == Some(false) {
                return Err(nothing(
                    "the broker does not want to see this change again (update_repeatable is false); roll it back or change it to something else",
                ));
            }
            let view = desk::view_of(deeds, &resource.plan_id).await?;
            let update = Update {
                view,
                plan: wanted.plan.map(PlanId::stored),
                name: wanted.name,
                labels: wanted.labels,
                parameters: match wanted.asked {
                    Some(Value::Object(asked)) => Some(Secret::new(asked)),
                    _ => None,
                },
                maintenance_info: wanted.maintenance_info,
                platform: wanted.platform,
            };
            let done = send(deeds, ctx, permit, &resource, update, how).await?;
            operation_of(deeds, done).await
        }
        Some((Verb::Create, State::Failed)) => {
            Err(nothing("its creation failed; delete it and create it anew"))
        }
        _ => Err(nothing(
            "its last operation did not fail; there is nothing to try again",
        )),
    }
}

async fn wanted(deeds: &Lifecycle, instance: &Instance) -> Result<NewValues, Error> {
    let id = instance.id.clone();
    let wanted = deeds
        .store
        .look_up(async move |tx| Ok::<_, Error>(qm_store::instance::wanted(tx, &id).await?))
        .await?;
    match wanted {
        Some(wanted) => serde_json::from_slice(wanted.expose()).map_err(Error::internal),
        None => Err(nothing(
            "what the change was to bring is not known here; ask for it again",
        )),
    }
}

pub(super) fn nothing(message: &str) -> Error {
    Error::Unprocessable {
        word: "UnprocessableEntity",
        message: message.to_owned(),
    }
}
