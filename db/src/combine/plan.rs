//! The statements for a shape, put together once: one row at a time (SQLite), and arrays
//! (PostgreSQL).
//!
//! The rule that keeps it right: what cannot work is refused here, before a row is written; a row
//! of the wrong kind is refused before it can spoil a statement that others share.

use std::sync::Arc;

use super::{Kind, Script, Shape, Write};
use crate::error::Error;
use crate::sql::Sql;
use crate::value::{Param, Value, ValueRef};

pub(crate) struct Plan {
    /// Takes one row.
    pub(crate) single: Sql,
    /// Takes one array per column, gives the keys that it wrote, each with what its caller is to get.
    pub(crate) arrays: Sql,
    pub(crate) kinds: Vec<Kind>,
    /// Where the key's columns are in a row.
    pub(crate) key: Vec<usize>,
}

impl Plan {
    pub(crate) fn new(shape: &Shape) -> Result<Self, Error> {
        let Shape {
            table,
            columns,
            key,
            write,
        } = *shape;
        let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        let kinds = columns.iter().map(|(_, kind)| *kind).collect();
        let wrong =
            |what: &str| Error::statement(&Sql::Shared(Arc::from(table)), format!("shape: {what}"));
        let place = |column: &&str| names.iter().position(|name| name == column);
        let places: Option<Vec<usize>> = key.iter().map(place).collect();
        let Some(places) = places.filter(|places| !places.is_empty()) else {
            return Err(wrong(
                "the key is empty or names a column that rows do not bring",
            ));
        };
        let others: Vec<&str> = names
            .iter()
            .filter(|name| !key.contains(name))
            .copied()
            .collect();
        if write == Write::Update && others.is_empty() {
            return Err(wrong("an update of nothing but the key"));
        }
        let numbered: Vec<String> = (1..=names.len()).map(|n| format!("${n}")).collect();
        let all = names.join(", ");
        let given = given(columns);
        let conflict = match write {
            Write::Upsert if !others.is_empty() => {
                let set = list(&others, |name| format!("{name} = excluded.{name}"), ", ");
                format!("ON CONFLICT ({}) DO UPDATE SET {set}", key.join(", "))
            }
            _ => format!("ON CONFLICT ({}) DO NOTHING", key.join(", ")),
        };
        let written = list(key, |name| format!("target.{name}"), ", ");
        let (single, arrays) = match write {
            Write::Insert | Write::Upsert => (
                format!(
                    "INSERT INTO {table} ({all}) VALUES ({}) {conflict}",
                    numbered.join(", ")
                ),
                format!(
                    "INSERT INTO {table} AS target ({all}) SELECT {all} FROM {given} {conflict} RETURNING {written}"
                ),
            ),
            Write::Update => {
                let number = |name: &str| {
                    place(&name).map_or_else(String::new, |n| format!("{name} = ${}", n + 1))
                };
                let set = list(&others, number, ", ");
                let found = list(key, number, " AND ");
                let set_given = list(&others, |name| format!("{name} = given.{name}"), ", ");
                let found_given =
                    list(key, |name| format!("target.{name} = given.{name}"), " AND ");
                (
                    format!("UPDATE {table} SET {set} WHERE {found}"),
                    format!(
                        "UPDATE {table} AS target SET {set_given} FROM {given} WHERE {found_given} RETURNING {written}"
                    ),
                )
            }
        };
        Ok(Self {
            single: shared(single),
            arrays: shared(arrays),
            kinds,
            key: places,
        })
    }

    pub(crate) fn script(script: &Script<'_>) -> Result<Self, Error> {
        let Script { text, columns, key } = *script;
        let text = shared(text.replace("{given}", &given(columns)));
        let place = |key: &&str| columns.iter().position(|(name, _)| name == key);
        let places: Option<Vec<usize>> = key.iter().map(place).collect();
        let Some(places) = places.filter(|places| !places.is_empty()) else {
            let what = "script: the key is empty or names a column that is not given";
            return Err(Error::statement(&text, what.to_owned()));
        };
        Ok(Self {
            single: text.clone(),
            arrays: text,
            kinds: columns.iter().map(|(_, kind)| *kind).collect(),
            key: places,
        })
    }

    /// Whether a row has the columns and kinds of the shape.
    pub(crate) fn fits(&self, row: &[Value]) -> Result<(), Error> {
        if row.len() != self.kinds.len() {
            let what = format!(
                "{} values given for {} columns",
                row.len(),
                self.kinds.len()
            );
            return Err(Error::statement(&self.single, what));
        }
        for (n, (value, kind)) in row.iter().zip(&self.kinds).enumerate() {
            if !kind.takes(value.value()) {
                let what = format!(
                    "value {n}: {} given where {} is wanted",
                    value.value().kind(),
                    kind.name()
                );
                return Err(Error::statement(&self.single, what));
            }
        }
        Ok(())
    }
}

impl Kind {
    fn takes(self, value: ValueRef<'_>) -> bool {
        matches!(
            (self, value),
            (_, ValueRef::Null)
                | (Self::Int, ValueRef::Int(_))
                | (Self::Bool, ValueRef::Bool(_))
                | (Self::Real, ValueRef::Real(_))
                | (Self::Text, ValueRef::Text(_))
                | (Self::Blob, ValueRef::Blob(_))
        )
    }

    fn name(self) -> &'static str {
        match self {
            Self::Int => "bigint",
            Self::Bool => "boolean",
            Self::Real => "double precision",
            Self::Text => "text",
            Self::Blob => "bytea",
        }
    }
}

/// What the callers gave, as a table.
fn given(columns: &[(&str, Kind)]) -> String {
    let arrays: Vec<String> = columns
        .iter()
        .enumerate()
        .map(|(n, (_, kind))| format!("${}::{}[]", n + 1, kind.name()))
        .collect();
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    format!(
        "unnest({}) AS given ({})",
        arrays.join(", "),
        names.join(", ")
    )
}

fn list(names: &[&str], each: impl Fn(&str) -> String, between: &str) -> String {
    names
        .iter()
        .map(|name| each(name))
        .collect::<Vec<_>>()
        .join(between)
}

fn shared(sql: String) -> Sql {
    Sql::Shared(Arc::from(sql))
}
