//! An intent as the cells of its rows, made on the caller's own thread: what is done where all callers meet is only
//! the writing.
//!
//! The rule: both ways of writing take the cells from here, in the order of the lists of columns, so they cannot
//! store different things.

use crate::Error;
use crate::cells::{json, json_opt};
use crate::deed::{Intent, NewRow, no_nul};
use crate::operation::place;
use qm_db::Value;
use qm_db::combine::Kind as Of;
use qm_db::seal::KeyRing;
use qm_model::binding::Binding;
use qm_model::id::{InstanceId, OperationId};
use qm_model::instance::Instance;
use qm_model::operation::{Family, Operation};
use qm_model::{Labels, Meta, Time};

/// The operation's cells.
pub(super) const OPERATION: [(&str, Of); 24] = [
    ("id", Of::Text),
    ("type", Of::Text),
    ("state", Of::Text),
    ("resource_type", Of::Text),
    ("resource_id", Of::Text),
    ("platform_id", Of::Text),
    ("correlation_id", Of::Text),
    ("tenant", Of::Text),
    ("description", Of::Text),
    ("errors", Of::Text),
    ("broker_id", Of::Text),
    ("fingerprint", Of::Blob),
    ("work", Of::Blob),
    ("deadline", Of::Int),
    ("attempts", Of::Int),
    ("created_at", Of::Int),
    ("updated_at", Of::Int),
    ("lease_owner", Of::Text),
    ("lease_until", Of::Int),
    ("due_at", Of::Int),
    ("phase", Of::Text),
    ("keep_on_failure", Of::Bool),
    ("parent_id", Of::Text),
    ("cascade_root_id", Of::Text),
];

/// What every intent's operation has beside: columns and values.
pub(super) const CONSTANT: (&str, &str) = ("ready, fence", "TRUE, 1");

/// An instance's cells.
pub(super) const INSTANCE: [(&str, Of); 17] = [
    ("id", Of::Text),
    ("name", Of::Text),
    ("service_plan_id", Of::Text),
    ("platform_id", Of::Text),
    ("dashboard_url", Of::Text),
    ("maintenance_info", Of::Text),
    ("context", Of::Text),
    ("referenced_instance_id", Of::Text),
    ("shared", Of::Bool),
    ("usable", Of::Bool),
    ("fingerprint", Of::Blob),
    ("ready", Of::Bool),
    ("labels", Of::Text),
    ("created_at", Of::Int),
    ("updated_at", Of::Int),
    ("name_key", Of::Text),
    ("parameters", Of::Blob),
];

/// A binding's cells. Its platform is its instance's.
pub(super) const BINDING: [(&str, Of); 16] = [
    ("id", Of::Text),
    ("name", Of::Text),
    ("service_instance_id", Of::Text),
    ("syslog_drain_url", Of::Text),
    ("route_service_url", Of::Text),
    ("volume_mounts", Of::Text),
    ("endpoints", Of::Text),
    ("context", Of::Text),
    ("bind_resource", Of::Text),
    ("fingerprint", Of::Blob),
    ("ready", Of::Bool),
    ("labels", Of::Text),
    ("created_at", Of::Int),
    ("updated_at", Of::Int),
    ("name_key", Of::Text),
    ("parameters", Of::Blob),
];

/// The names of a list of columns.
pub(super) fn names(columns: &[(&str, Of)], before: &str) -> String {
    let names: Vec<String> = columns
        .iter()
        .map(|(name, _)| format!("{before}{name}"))
        .collect();
    names.join(", ")
}

/// An intent as cells.
pub(super) struct Cells {
    pub(super) operation: Vec<Value>,
    pub(super) row: Row,
}

/// The row that comes into being with it.
pub(super) enum Row {
    None,
    Instance(Vec<Value>, Labels),
    Binding(Vec<Value>, Labels),
}

pub(super) fn of(keys: &KeyRing, intent: &Intent) -> Result<Cells, Error> {
    let fingerprint = intent.fingerprint.as_slice();
    let cells = Cells {
        operation: operation(keys, intent)?,
        row: match &intent.row {
            NewRow::None => Row::None,
            NewRow::Instance(it) => {
                let mut cells = instance(it, fingerprint)?;
                cells.append(&mut beside(keys, intent, ["instance", it.id.as_str()])?);
                Row::Instance(cells, it.meta.labels.clone())
            }
            NewRow::Binding(it) => {
                let mut cells = binding(it, fingerprint)?;
                cells.append(&mut beside(keys, intent, ["binding", it.id.as_str()])?);
                Row::Binding(cells, it.meta.labels.clone())
            }
        },
    };
    no_nul(&cells.operation)?;
    match &cells.row {
        Row::None => {}
        Row::Instance(row, _) | Row::Binding(row, _) => no_nul(row)?,
    }
    Ok(cells)
}

/// What a row has that clients do not see as its own.
fn beside(keys: &KeyRing, intent: &Intent, [table, id]: [&str; 2]) -> Result<Vec<Value>, Error> {
    let parameters = match &intent.parameters {
        Some(plain) => Some(keys.seal(&[table, id, "parameters"], plain)?),
        None => None,
    };
    Ok(vec![intent.name_key.as_deref().into(), parameters.into()])
}

fn operation(keys: &KeyRing, intent: &Intent) -> Result<Vec<Value>, Error> {
    let Intent {
        operation,
        tenant,
        broker_id,
        work,
        fingerprint,
        row: _,
        phase,
        keep_on_failure,
        name_key: _,
        parameters: _,
        owner,
        lease_until,
        unreferenced: _,
        over: _,
    } = intent;
    let Operation {
        id,
        verb,
        state,
        resource_kind,
        resource_id,
        platform_id,
        correlation_id,
        description,
        errors,
        created_at,
        updated_at,
        deadline,
        attempts,
        due_at,
        family: Family { parent, root },
        // It has not happened yet.
        story: _,
    } = operation;
    Ok(vec![
        id.as_str().into(),
        verb.word().into(),
        state.word().into(),
        resource_kind.path().into(),
        resource_id.into(),
        platform_id.as_str().into(),
        correlation_id.into(),
        tenant.as_deref().into(),
        description.into(),
        json_opt(errors.as_ref())?.into(),
        broker_id.as_str().into(),
        fingerprint.as_slice().into(),
        keys.seal(&place(id), work)?.into(),
        deadline.map(Time::millis).into(),
        (*attempts).into(),
        created_at.millis().into(),
        updated_at.millis().into(),
        owner.into(),
        lease_until.millis().into(),
        // Whatever the clock on the wall did: who finds the lease ended may have it.
        due_at
            .unwrap_or(*created_at)
            .min(*lease_until)
            .millis()
            .into(),
        phase.word().into(),
        (*keep_on_failure).into(),
        parent.as_ref().map(OperationId::as_str).into(),
        root.as_ref().map(OperationId::as_str).into(),
    ])
}

fn instance(instance: &Instance, fingerprint: &[u8]) -> Result<Vec<Value>, Error> {
    let Instance {
        id,
        name,
        plan_id,
        platform_id,
        dashboard_url,
        maintenance_info,
        context,
        referenced_instance_id,
        shared,
        usable,
        meta,
    } = instance;
    let Meta {
        created_at,
        updated_at,
        ready,
        labels,
    } = meta;
    Ok(vec![
        id.as_str().into(),
        name.into(),
        plan_id.as_str().into(),
        platform_id.as_str().into(),
        dashboard_url.as_deref().into(),
        json_opt(maintenance_info.as_ref())?.into(),
        json_opt(context.as_ref())?.into(),
        referenced_instance_id
            .as_ref()
            .map(InstanceId::as_str)
            .into(),
        (*shared).into(),
        (*usable).into(),
        fingerprint.into(),
        (*ready).into(),
        json(labels)?.into(),
        created_at.millis().into(),
        updated_at.millis().into(),
    ])
}

fn binding(binding: &Binding, fingerprint: &[u8]) -> Result<Vec<Value>, Error> {
    let Binding {
        id,
        name,
        instance_id,
        syslog_drain_url,
        route_service_url,
        volume_mounts,
        endpoints,
        context,
        bind_resource,
        meta,
    } = binding;
    let Meta {
        created_at,
        updated_at,
        ready,
        labels,
    } = meta;
    Ok(vec![
        id.as_str().into(),
        name.into(),
        instance_id.as_str().into(),
        syslog_drain_url.as_deref().into(),
        route_service_url.as_deref().into(),
        json_opt(volume_mounts.as_ref())?.into(),
        json_opt(endpoints.as_ref())?.into(),
        json_opt(context.as_ref())?.into(),
        json_opt(bind_resource.as_ref())?.into(),
        fingerprint.into(),
        (*ready).into(),
        json(labels)?.into(),
        created_at.millis().into(),
        updated_at.millis().into(),
    ])
}
