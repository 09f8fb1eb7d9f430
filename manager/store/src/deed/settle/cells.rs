//! An outcome as cells, made on the caller's own thread.

use super::told;
use crate::Error;
use crate::cells::json_opt;
use crate::deed::{Effect, Next, Settlement, no_nul};
use crate::operation::{Held, Phase, story};
use qm_db::Value;
use qm_db::combine::Kind as Of;
use qm_model::Time;
use qm_model::operation::State;

/// What the operation's own statement takes, in this order.
pub(super) const OPERATION: [(&str, Of); 12] = [
    ("id", Of::Text),
    ("fence", Of::Int),
    ("owner", Of::Text),
    ("now", Of::Int),
    ("phase", Of::Text),
    ("state", Of::Text),
    ("errors", Of::Text),
    ("description", Of::Text),
    ("broker_operation", Of::Text),
    ("due_at", Of::Int),
    ("error", Of::Text),
    ("step", Of::Text),
];

/// What becomes of the resource: which effect, on which one, and up to four texts.
pub(super) const EFFECT: [(&str, Of); 6] = [
    ("effect", Of::Text),
    ("target", Of::Text),
    ("text_1", Of::Text),
    ("text_2", Of::Text),
    ("text_3", Of::Text),
    ("text_4", Of::Text),
];

/// No more steps are added to more characters than these.
const LONGEST: usize = 8_000;

/// How the operation's columns change. `given` names what was given for one of [`OPERATION`]; what was not given
/// stays.
pub(super) fn set(given: impl Fn(&str) -> &'static str) -> String {
    let [phase, state, errors] = ["phase", "state", "errors"].map(&given);
    let [description, broker_operation] = ["description", "broker_operation"].map(&given);
    let [due_at, error, step, now] = ["due_at", "error", "step", "now"].map(&given);
    format!(
        "phase = COALESCE({phase}, o.phase), state = COALESCE({state}, o.state),
         errors = CASE WHEN {phase} = 'done' THEN {errors} ELSE COALESCE({errors}, o.errors) END,
         description = COALESCE({description}, o.description),
         broker_operation = COALESCE({broker_operation}, o.broker_operation),
         due_at = COALESCE({due_at}, o.due_at),
         attempts = CASE WHEN {phase} = 'done' THEN o.attempts WHEN {phase} = 'queued' THEN o.attempts + 1
            WHEN {phase} <> o.phase THEN 0 ELSE o.attempts + 1 END,
         first_error = COALESCE(o.first_error, {error}), last_error = COALESCE({error}, o.last_error),
         steps = CASE WHEN length(o.steps) > {LONGEST} THEN o.steps
            ELSE COALESCE(o.steps || ',' || {step}, {step}, o.steps) END,
         deletion_scheduled = CASE WHEN {errors} IS NOT NULL AND COALESCE({phase}, '') <> 'done'
            THEN COALESCE(o.deletion_scheduled, {now}) ELSE o.deletion_scheduled END,
         work = CASE WHEN {phase} = 'done' THEN NULL ELSE o.work END,
         updated_at = {now}, lease_owner = NULL, lease_until = NULL"
    )
}

/// The cells of [`OPERATION`].
pub(super) fn operation(settlement: &Settlement) -> Result<Vec<Value>, Error> {
    let Settlement {
        held: Held { id, fence, owner },
        next,
        effect: _,
        event: _,
        audit: _,
        said: _,
        now,
    } = settlement;
    let mut cells = vec![
        id.as_str().into(),
        (*fence).into(),
        owner.into(),
        now.millis().into(),
    ];
    let mut more = |phase: Option<Phase>,
                    state: Option<State>,
                    errors,
                    description: Option<&str>,
                    rest: [Value; 4]| {
        cells.extend([
            phase.map(Phase::word).into(),
            state.map(State::word).into(),
            errors,
            description.into(),
        ]);
        cells.extend(rest);
    };
    let due = |due: &Time| Value::from(due.millis());
    match next {
        Next::Done {
            state,
            errors,
            description,
        } => {
            let error = (*state == State::Failed).then_some(description.as_str());
            more(
                Some(Phase::Done),
                Some(*state),
                json_opt(errors.as_ref())?.into(),
                Some(description),
                [Value::Null, Value::Null, error.into(), Value::Null],
            );
        }
        Next::Polling {
            broker_operation,
            due: at,
            description,
        } => more(
            Some(Phase::Polling),
            None,
            Value::Null,
            Some(description),
            [
                broker_operation.as_deref().into(),
                due(at),
                Value::Null,
                story::step(*now, description)?.into(),
            ],
        ),
        Next::Mitigating {
            state,
            due: at,
            errors,
            description,
        } => more(
            Some(Phase::Mitigating),
            *state,
            json_opt(Some(errors))?.into(),
            Some(description),
            [
                Value::Null,
                due(at),
                description.into(),
                story::step(*now, description)?.into(),
            ],
        ),
        Next::Queued {
            due: at,
            error,
            failed,
        } => more(
            Some(Phase::Queued),
            failed.as_ref().map(|_| State::Failed),
            json_opt(failed.as_ref())?.into(),
            Some(error),
            [
                Value::Null,
                due(at),
                error.into(),
                story::step(*now, error)?.into(),
            ],
        ),
        Next::Again {
            due: at,
            error,
            failed,
        } => {
            more(
                None,
                failed.as_ref().map(|_| State::Failed),
                json_opt(failed.as_ref())?.into(),
                error.as_deref().filter(|_| failed.is_some()),
                [Value::Null, due(at), error.as_deref().into(), Value::Null],
            );
        }
    }
    no_nul(&cells)?;
    Ok(cells)
}

/// The cells of [`EFFECT`].
pub(super) fn effect(effect: &Effect) -> Result<Vec<Value>, Error> {
    let none = [None, None, None, None];
    let (word, target, texts): (_, _, [Option<String>; 4]) = match effect {
        // All but the first never come this way, see `settle`.
        Effect::None
        | Effect::InstanceChanged { .. }
        | Effect::InstanceUnchanged { .. }
        | Effect::InstanceUnnamed(_)
        | Effect::BindingUnnamed(_) => (None, None, none),
        Effect::InstanceReady {
            id,
            dashboard_url,
            answer,
        } => (
            Some("instance-ready"),
            Some(id.as_str()),
            [dashboard_url.clone(), answer.clone(), None, None],
        ),
        Effect::InstanceUsable { id, usable } => {
            let word = if *usable {
                "instance-usable"
            } else {
                "instance-unusable"
            };
            (Some(word), Some(id.as_str()), none)
        }
        Effect::RemoveInstance(id) => (Some("remove-instance"), Some(id.as_str()), none),
        Effect::BindingReady {
            binding,
            credentials: _,
        } => (
            Some("binding-ready"),
            Some(binding.id.as_str()),
            [
                binding.syslog_drain_url.clone(),
                binding.route_service_url.clone(),
                json_opt(binding.volume_mounts.as_ref())?,
                json_opt(binding.endpoints.as_ref())?,
            ],
        ),
        Effect::RemoveBinding(id) => (Some("remove-binding"), Some(id.as_str()), none),
    };
    let mut cells: Vec<Value> = vec![word.into(), target.into()];
    cells.extend(texts.map(Value::from));
    no_nul(&cells)?;
    Ok(cells)
}

/// Everything, in the order in which the statement for many takes it.
pub(super) fn of(settlement: &Settlement) -> Result<Vec<Value>, Error> {
    let mut cells = operation(settlement)?;
    cells.append(&mut effect(&settlement.effect)?);
    let mut more = told::event(settlement.event.as_ref())?;
    more.append(&mut told::audit(settlement.audit.as_ref()));
    no_nul(&more)?;
    cells.append(&mut more);
    Ok(cells)
}
