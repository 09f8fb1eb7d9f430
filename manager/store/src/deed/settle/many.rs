//! Many callers' outcomes in one statement. PostgreSQL only.
//!
//! The rule: everything is made from the operations that were really updated, so what belongs to a lost lease leaves
//! no trace. What a caller gave rides along with its operation, because joining the two again would cost by the
//! square of the callers.

use super::cells::{EFFECT, OPERATION};
use super::told::{AUDIT, EVENT};
use crate::resource::Table;
use qm_db::combine::{Kind as Of, Script, Scripted};
use qm_db::{Db, Error, Row, Value};
use qm_model::operation::Operation;

/// The way in.
pub(crate) struct Many(Scripted);

impl Many {
    pub(crate) fn new(db: &Db) -> Result<Self, Error> {
        let before = |before: &str, columns: &[(&str, Of)]| -> Vec<(String, Of)> {
            let named = |(name, of): &(&str, Of)| (format!("{before}{name}"), *of);
            columns.iter().map(named).collect()
        };
        let effect = before("g_", &EFFECT);
        let event = before("e_", &EVENT);
        let audit = before("a_", &AUDIT);
        let all = before("g_", &OPERATION);
        let columns: Vec<(&str, Of)> = all
            .iter()
            .chain(&effect)
            .chain(&event)
            .chain(&audit)
            .map(|(name, of)| (name.as_str(), *of))
            .collect();
        let text = text(&names(&event), &names(&audit));
        let script = Script {
            text: &text,
            columns: &columns,
            key: &["g_id"],
        };
        Ok(Self(db.script(&script)?))
    }

    /// The operation as it is then; nothing when the lease is lost.
    pub(super) async fn run(&self, cells: Vec<Value>) -> Result<Option<Row>, Error> {
        self.0.run(cells).await
    }
}

fn names(columns: &[(String, Of)]) -> Vec<&str> {
    columns.iter().map(|(name, _)| name.as_str()).collect()
}

fn text(event: &[&str], audit: &[&str]) -> String {
    let set = super::cells::set(|name| match name {
        "phase" => "given.g_phase",
        "state" => "given.g_state",
        "errors" => "given.g_errors",
        "description" => "given.g_description",
        "broker_operation" => "given.g_broker_operation",
        "due_at" => "given.g_due_at",
        "error" => "given.g_error",
        "step" => "given.g_step",
        _ => "given.g_now",
    });
    let of_operation: Vec<String> = Operation::COLUMNS
        .iter()
        .map(|column| format!("o.{column}"))
        .collect();
    let along: Vec<String> = ["g_now"]
        .into_iter()
        .chain(EFFECT.iter().map(|(name, _)| *name))
        .chain(event.iter().copied())
        .chain(audit.iter().copied())
        .map(|name| match name {
            "effect" | "target" | "text_1" | "text_2" | "text_3" | "text_4" => {
                format!("given.g_{name}")
            }
            other => format!("given.{other}"),
        })
        .collect();
    format!(
        "WITH done AS (
            UPDATE operation AS o SET {set} FROM {{given}}
            WHERE o.id = given.g_id AND o.fence = given.g_fence AND o.lease_owner = given.g_owner
            RETURNING {of_operation}, {along}),
         instance_ready AS (
            UPDATE instance AS r SET ready = TRUE, usable = TRUE, updated_at = done.g_now,
                dashboard_url = COALESCE(done.g_text_1, r.dashboard_url), answer = COALESCE(done.g_text_2, r.answer)
            FROM done WHERE done.g_effect = 'instance-ready' AND r.id = done.g_target),
         instance_usable AS (
            UPDATE instance AS r SET usable = done.g_effect = 'instance-usable', updated_at = done.g_now
            FROM done WHERE done.g_effect IN ('instance-usable', 'instance-unusable') AND r.id = done.g_target),
         bindings_gone AS (
            DELETE FROM binding AS r USING done
            WHERE done.g_effect = 'remove-instance' AND r.service_instance_id = done.g_target),
         instance_gone AS (
            DELETE FROM instance AS r USING done
            WHERE done.g_effect = 'remove-instance' AND r.id = done.g_target),
         binding_ready AS (
            UPDATE binding AS r SET ready = TRUE, updated_at = done.g_now, syslog_drain_url = done.g_text_1,
                route_service_url = done.g_text_2, volume_mounts = done.g_text_3, endpoints = done.g_text_4
            FROM done WHERE done.g_effect = 'binding-ready' AND r.id = done.g_target),
         binding_gone AS (
            DELETE FROM binding AS r USING done
            WHERE done.g_effect = 'remove-binding' AND r.id = done.g_target),
         told AS (
            INSERT INTO event ({event_columns}, created_at)
            SELECT {event}, g_now FROM done WHERE e_id IS NOT NULL),
         noted AS (
            INSERT INTO audit ({audit_columns}) SELECT {audit} FROM done WHERE a_at IS NOT NULL)
         SELECT id, {columns} FROM done",
        of_operation = of_operation.join(", "),
        along = along.join(", "),
        event_columns = plain(&EVENT),
        event = event.join(", "),
        audit_columns = plain(&AUDIT),
        audit = audit.join(", "),
        columns = Operation::COLUMNS.join(", "),
    )
}

fn plain(columns: &[(&str, Of)]) -> String {
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}
