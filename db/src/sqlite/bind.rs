//! Runs one statement on a SQLite connection. [`Tx`](crate::Tx) and the jobs call it.
//!
//! The rule that keeps it right: `$1` is bound by its number. SQLite gives `$n` a place by first
//! appearance, so `VALUES ($2, $1)` bound by place would swap the two.

use rusqlite::types::{ToSqlOutput, ValueRef as Cell};
use rusqlite::{CachedStatement, Connection, ToSql};

use super::fault::translate;
use super::places;
use crate::error::Error;
use crate::row::Row;
use crate::sql::Sql;
use crate::value::{Value, ValueRef};

pub(crate) fn execute(conn: &Connection, sql: &Sql, params: &[ValueRef<'_>]) -> Result<u64, Error> {
    let mut statement = prepare(conn, sql, params)?;
    let told = |error| translate(error, sql);
    if statement.column_count() == 0 {
        return statement.raw_execute().map(|n| n as u64).map_err(told);
    }
    // A write with RETURNING whose rows nobody wants: step through them, or it stops at the first.
    let before = conn.total_changes();
    let mut rows = statement.raw_query();
    while rows.next().map_err(told)?.is_some() {}
    Ok(conn.total_changes() - before)
}

pub(crate) fn query(
    conn: &Connection,
    sql: &Sql,
    params: &[ValueRef<'_>],
) -> Result<Vec<Row>, Error> {
    let mut statement = prepare(conn, sql, params)?;
    let told = |error| translate(error, sql);
    let mut out = Vec::new();
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next().map_err(told)? {
        // Asked after the first step: that is when SQLite notices a changed schema.
        let width = row.as_ref().column_count();
        let mut cells = Vec::with_capacity(width);
        for index in 0..width {
            cells.push(cell(row.get_ref(index).map_err(told)?, index)?);
        }
        out.push(Row::new(cells));
    }
    Ok(out)
}

/// Several statements without parameters.
pub(crate) fn batch(conn: &Connection, sql: &Sql) -> Result<(), Error> {
    conn.execute_batch(sql)
        .map_err(|error| translate(error, sql))
}

/// A statement of our own without parameters, such as `COMMIT`.
pub(crate) fn step(conn: &Connection, sql: &'static str) -> Result<(), Error> {
    let told = |error| translate(error, &Sql::Static(sql));
    let mut statement = conn.prepare_cached(sql).map_err(told)?;
    let mut rows = statement.raw_query();
    while rows.next().map_err(told)?.is_some() {}
    Ok(())
}

fn prepare<'c>(
    conn: &'c Connection,
    sql: &Sql,
    params: &[ValueRef<'_>],
) -> Result<CachedStatement<'c>, Error> {
    let mut statement = conn
        .prepare_cached(sql)
        .map_err(|error| translate(error, sql))?;
    let numbers = places::of(sql, || numbers(&statement, sql))?;
    for (index, number) in numbers.iter().enumerate() {
        let Some(value) = params.get(number - 1) else {
            return Err(Error::statement(
                sql,
                format!("${number} is used, {} parameters given", params.len()),
            ));
        };
        statement
            .raw_bind_parameter(index + 1, value)
            .map_err(|error| translate(error, sql))?;
    }
    let highest = numbers.iter().max().copied().unwrap_or_default();
    if highest < params.len() {
        let what = format!(
            "{} parameters given, ${highest} is the highest used",
            params.len()
        );
        return Err(Error::statement(sql, what));
    }
    Ok(statement)
}

/// The number of each of its parameters, in SQLite's order.
fn numbers(statement: &CachedStatement<'_>, sql: &Sql) -> Result<Vec<usize>, Error> {
    let number = |index| {
        let name = statement.parameter_name(index)?;
        name.strip_prefix('$')?.parse().ok().filter(|n| *n > 0)
    };
    (1..=statement.parameter_count())
        .map(|index| {
            let what = || format!("its parameter {index} is not of the form $1");
            number(index).ok_or_else(|| Error::statement(sql, what()))
        })
        .collect()
}

impl ToSql for ValueRef<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match *self {
            Self::Null => Cell::Null,
            Self::Int(n) => Cell::Integer(n),
            Self::Bool(b) => Cell::Integer(i64::from(b)),
            Self::Real(x) => Cell::Real(x),
            Self::Text(text) => Cell::Text(text.as_bytes()),
            Self::Blob(bytes) => Cell::Blob(bytes),
        }))
    }
}

fn cell(cell: Cell<'_>, index: usize) -> Result<Value, Error> {
    Ok(match cell {
        Cell::Null => Value::Null,
        Cell::Integer(n) => Value::Int(n),
        Cell::Real(x) => Value::Real(x),
        Cell::Text(bytes) => match str::from_utf8(bytes) {
            Ok(text) => Value::Text(text.to_owned()),
            Err(_) => {
                return Err(Error::Column {
                    index,
                    wanted: "text",
                    found: "text that is not UTF-8",
                });
            }
        },
        Cell::Blob(bytes) => Value::Blob(bytes.to_vec()),
    })
}
