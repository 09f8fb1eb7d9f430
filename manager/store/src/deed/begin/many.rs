//! Many callers' intents in one statement. PostgreSQL only.
//!
//! The rule: a caller is served whole or not at all. What stands in the way is looked for first; who comes between the
//! look and the write makes the statement fail by a unique key, and then it is cut in half and run again until that
//! one stands alone.

use super::cells::{BINDING, CONSTANT, Cells, INSTANCE, OPERATION, Row, names};
use crate::Store;
use qm_db::combine::{Kind as Of, Script, Scripted};
use qm_db::{Db, Error};
use qm_model::Kind;
use qm_model::operation::Verb;

/// The ways in, one per kind of row.
pub(crate) struct Many {
    none: Scripted,
    instance: Scripted,
    binding: Scripted,
}

impl Many {
    pub(crate) fn new(db: &Db) -> Result<Self, Error> {
        Ok(Self {
            none: script(db, &none(), &[])?,
            instance: script(db, &made("instance", &INSTANCE, "", ""), &INSTANCE)?,
            binding: script(
                db,
                // Its platform is its instance's; without an instance there is no binding.
                &made(
                    "binding",
                    &BINDING,
                    ", i.platform_id",
                    " JOIN instance i ON i.id = given.r_service_instance_id",
                ),
                &BINDING,
            )?,
        })
    }

    /// Whether it was stored.
    pub(super) async fn run(&self, store: &Store, cells: Cells) -> Result<bool, Error> {
        let Cells { mut operation, row } = cells;
        let (script, mut more) = match row {
            Row::None => (&self.none, Vec::new()),
            Row::Instance(cells, _) => (&self.instance, cells),
            Row::Binding(cells, _) => (&self.binding, cells),
        };
        operation.append(&mut more);
        let done = script.run(operation).await;
        store.note_room(&done);
        Ok(done?.is_some())
    }
}

/// The cells of the row stand after those of the operation, under names that begin with `r_`.
fn script(db: &Db, text: &str, row: &[(&str, Of)]) -> Result<Scripted, Error> {
    let of_row: Vec<(String, Of)> = row
        .iter()
        .map(|(name, of)| (format!("r_{name}"), *of))
        .collect();
    let columns: Vec<(&str, Of)> = OPERATION
        .into_iter()
        .chain(of_row.iter().map(|(name, of)| (name.as_str(), *of)))
        .collect();
    db.script(&Script {
        text,
        columns: &columns,
        key: &["resource_type", "resource_id"],
    })
}

/// Only an operation: the index says whether it may begin.
fn none() -> String {
    format!(
        "WITH {} {} FROM {{given}} WHERE {}
         ON CONFLICT (resource_type, resource_id) WHERE phase <> 'done' DO NOTHING RETURNING resource_type, resource_id",
        leaving(),
        operation(),
        stays(),
    )
}

/// A row and its operation.
fn made(table: &str, columns: &[(&str, Of)], more: &str, join: &str) -> String {
    let (platform, given_platform) = match more {
        "" => ("", ""),
        _ => (", platform_id", ", r_platform_id"),
    };
    let named_more = more.replace("i.platform_id", "i.platform_id AS r_platform_id");
    format!(
        "WITH {}, free AS MATERIALIZED (
            SELECT given.*{named_more} FROM {{given}}{join}
            WHERE {} AND NOT EXISTS (SELECT 1 FROM {table} t WHERE t.id = given.r_id)
              AND NOT EXISTS (SELECT 1 FROM operation o WHERE o.resource_type = given.resource_type
                AND o.resource_id = given.resource_id AND o.phase <> 'done')),
         made AS (
            INSERT INTO {table} ({}{platform}) SELECT {}{given_platform} FROM free RETURNING seq, id, labels),
         labelled AS (
            INSERT INTO label (kind, key, value, seq, object_id)
            SELECT '{table}', of.key, one.value, made.seq, made.id
            FROM made, json_each(made.labels::json) of, json_array_elements_text(of.value) one (value)
            WHERE made.labels <> '{{}}')
         {} FROM free RETURNING resource_type, resource_id",
        leaving(),
        stays(),
        names(columns, ""),
        names(columns, "r_"),
        operation(),
    )
}

fn operation() -> String {
    let (columns, values) = CONSTANT;
    let all = names(&OPERATION, "");
    format!("INSERT INTO operation ({all}, {columns}) SELECT {all}, {values}")
}

/// The platforms and tenants that are being removed: few or none, so they are looked up once for all callers.
fn leaving() -> String {
    format!(
        "leaving AS MATERIALIZED (
            SELECT resource_type, resource_id FROM operation
            WHERE resource_type IN ('{}', '{}') AND phase <> 'done' AND type = 'delete')",
        Kind::Platform.path(),
        Kind::Tenant.path()
    )
}

fn stays() -> String {
    let leaving = |kind: Kind| {
        format!(
            "(SELECT l.resource_id FROM leaving l WHERE l.resource_type = '{}')",
            kind.path()
        )
    };
    format!(
        "given.platform_id NOT IN {} AND (given.type <> '{}' OR given.tenant IS NULL OR given.tenant NOT IN {})",
        leaving(Kind::Platform),
        Verb::Create.word(),
        leaving(Kind::Tenant)
    )
}
