//! A criterion on a field as a condition on the row `t`.
//!
//! The rule: a column's name comes from the table of columns that may be asked for, never from the caller,
//! and a value is bound with the type of its column.

use super::{Binds, elements_as, has, json};
use qm_db::Value as Bound;
use qm_model::Kind;
use qm_model::query::{ColumnKind, FieldCriterion, Order, Test, Value};

/// Up to so many values of a list, each is a walk of its own along the index.
const WALKS: usize = 16;

/// The condition.
pub(crate) fn condition(binds: &mut Binds, kind: Kind, criterion: &FieldCriterion) -> String {
    let at = place(binds, kind, criterion);
    if shown_empty(kind, criterion) {
        return where_null_is_empty(binds, &at, criterion);
    }
    match &criterion.test {
        Test::Eq(value) => format!("{at} = {}", bind(binds, value)),
        Test::Ne(value) => format!("{at} <> {}", bind(binds, value)),
        Test::Order(order, value) => format!("{at} {} {}", sign(*order), bind(binds, value)),
        Test::En(value) => format!("({at} = {} OR {at} IS NULL)", bind(binds, value)),
        Test::Contains(text) => {
            let part = binds.bind(text);
            has(binds.dialect, &at, &part)
        }
        Test::In(values) if values.is_empty() => "1 = 0".to_owned(),
        Test::NotIn(values) if values.is_empty() => "1 = 1".to_owned(),
        Test::In(values) => format!("{at} IN ({})", list(binds, criterion, values)),
        Test::NotIn(values) => format!("{at} NOT IN ({})", list(binds, criterion, values)),
    }
}

/// Whether the criterion is a few walks along an index, see [`alternatives`].
pub(super) fn is_walks(criterion: &FieldCriterion) -> bool {
    let FieldCriterion { column, path, test } = criterion;
    column.indexed
        && path.is_empty()
        && match test {
            Test::En(_) => true,
            Test::In(values) => (1..=WALKS).contains(&values.len()),
            _ => false,
        }
}

/// The criterion as conditions of which one holds for a row that matches, each a walk along an index in the
/// order of the list. Only for what [`is_walks`].
pub(super) fn alternatives(
    binds: &mut Binds,
    kind: Kind,
    criterion: &FieldCriterion,
) -> Vec<String> {
    let at = place(binds, kind, criterion);
    let public = |value: &Value| shown_empty(kind, criterion) && is_empty(value);
    let (values, or_null): (&[Value], bool) = match &criterion.test {
        Test::En(value) => (std::slice::from_ref(value), true),
        Test::In(values) => (values, values.iter().any(public)),
        _ => (&[], false),
    };
    let mut different: Vec<&Value> = Vec::new();
    for value in values.iter().filter(|value| !public(value)) {
        if !different.contains(&value) {
            different.push(value);
        }
    }
    let mut walks: Vec<String> = different
        .into_iter()
        .map(|value| format!("{at} = {}", bind(binds, value)))
        .collect();
    if or_null {
        walks.push(format!("{at} IS NULL"));
    }
    walks
}

/// The platform of a public visibility is stored as null, because no platform has the id "", and shown as "".
fn shown_empty(kind: Kind, criterion: &FieldCriterion) -> bool {
    kind == Kind::Visibility && criterion.column.name == "platform_id"
}

fn where_null_is_empty(binds: &mut Binds, at: &str, criterion: &FieldCriterion) -> String {
    let shown = format!("COALESCE({at}, '')");
    match &criterion.test {
        Test::Eq(value) | Test::En(value) if is_empty(value) => format!("{at} IS NULL"),
        Test::Eq(value) => format!("{at} = {}", bind(binds, value)),
        Test::En(value) => format!("({at} = {} OR {at} IS NULL)", bind(binds, value)),
        Test::Ne(value) => format!("{shown} <> {}", bind(binds, value)),
        Test::Order(order, value) => format!("{shown} {} {}", sign(*order), bind(binds, value)),
        Test::Contains(text) => {
            let part = binds.bind(text);
            has(binds.dialect, &shown, &part)
        }
        Test::In(values) if values.is_empty() => "1 = 0".to_owned(),
        Test::NotIn(values) if values.is_empty() => "1 = 1".to_owned(),
        Test::In(values) => format!("{shown} IN ({})", list(binds, criterion, values)),
        Test::NotIn(values) => format!("{shown} NOT IN ({})", list(binds, criterion, values)),
    }
}

fn is_empty(value: &Value) -> bool {
    matches!(value, Value::Text(text) if text.is_empty())
}

fn place(binds: &mut Binds, kind: Kind, criterion: &FieldCriterion) -> String {
    let FieldCriterion {
        column,
        path,
        test: _,
    } = criterion;
    if path.is_empty() {
        format!("t.{}", column.name)
    } else {
        json::at(binds, kind, column.name, path)
    }
}

fn bind(binds: &mut Binds, value: &Value) -> String {
    binds.bind(match value {
        Value::Text(text) => Bound::from(text),
        Value::Bool(truth) => Bound::from(*truth),
        Value::Integer(number) => Bound::from(*number),
        Value::Time(time) => Bound::from(time.millis()),
    })
}

/// A list as one parameter.
fn list(binds: &mut Binds, criterion: &FieldCriterion, values: &[Value]) -> String {
    let sqlite = binds.dialect == qm_db::Dialect::Sqlite;
    let elements = values.iter().map(|value| match value {
        Value::Text(text) => serde_json::Value::from(text.as_str()),
        // SQLite keeps a truth value as 0 or 1.
        Value::Bool(truth) if sqlite => serde_json::Value::from(i64::from(*truth)),
        Value::Bool(truth) => serde_json::Value::from(*truth),
        Value::Integer(number) => serde_json::Value::from(*number),
        Value::Time(time) => serde_json::Value::from(time.millis()),
    });
    let array = serde_json::Value::Array(elements.collect());
    let param = binds.bind(array.to_string());
    let cast = match criterion.column.kind {
        ColumnKind::Text | ColumnKind::Json => "text",
        ColumnKind::Bool => "boolean",
        ColumnKind::Integer | ColumnKind::Time => "bigint",
    };
    elements_as(binds.dialect, &param, cast)
}

fn sign(order: Order) -> &'static str {
    match order {
        Order::Gt => ">",
        Order::Lt => "<",
        Order::Ge => ">=",
        Order::Le => "<=",
    }
}
