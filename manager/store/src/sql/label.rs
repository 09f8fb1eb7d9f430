//! A criterion on a label as a condition on the row `t`.
//!
//! The rule: key and values are bound; the kind is ours. A label may have several values, so what must hold
//! for one of them is an `EXISTS` and what must hold for none a `NOT EXISTS`.

use super::{Binds, elements, has};
use qm_db::Dialect;
use qm_model::Kind;
use qm_model::query::{Bound, LabelCriterion, LabelTest, Order};

/// The condition.
pub(crate) fn condition(binds: &mut Binds, kind: Kind, criterion: &LabelCriterion) -> String {
    let LabelCriterion { key, test } = criterion;
    match test {
        LabelTest::In(values) if values.is_empty() => return "1 = 0".to_owned(),
        LabelTest::NotIn(values) if values.is_empty() => return "1 = 1".to_owned(),
        _ => {}
    }
    let key = binds.bind(key);
    let some = |test: &str| {
        format!(
            "EXISTS (SELECT 1 FROM label l WHERE l.kind = '{}' AND l.object_id = t.id AND l.key = {key}{test})",
            kind.noun()
        )
    };
    match test {
        LabelTest::Eq(value) => some(&format!(" AND l.value = {}", binds.bind(value))),
        LabelTest::Ne(value) => {
            format!(
                "NOT {}",
                some(&format!(" AND l.value = {}", binds.bind(value)))
            )
        }
        LabelTest::En(value) => format!(
            "({} OR NOT {})",
            some(&format!(" AND l.value = {}", binds.bind(value))),
            some("")
        ),
        LabelTest::Contains(text) => {
            let part = binds.bind(text);
            some(&format!(" AND {}", has(binds.dialect, "l.value", &part)))
        }
        LabelTest::In(values) => some(&among(binds, values)),
        LabelTest::NotIn(values) => format!("NOT {}", some(&among(binds, values))),
        LabelTest::Order(order, bound) => some(&ordered(binds, *order, *bound)),
    }
}

fn among(binds: &mut Binds, values: &[String]) -> String {
    let array = serde_json::Value::from(values);
    let param = binds.bind(array.to_string());
    format!(" AND l.value IN ({})", elements(binds.dialect, &param))
}

/// Text against a number or a time. What is neither never matches, and never is an error.
fn ordered(binds: &mut Binds, order: Order, bound: Bound) -> String {
    let sign = match order {
        Order::Gt => ">",
        Order::Lt => "<",
        Order::Ge => ">=",
        Order::Le => "<=",
    };
    let (looks_right, value, bound) = match (bound, binds.dialect) {
        (Bound::Number(number), Dialect::Sqlite) => (
            "l.value NOT GLOB '*[^0-9.+-]*' AND l.value GLOB '*[0-9]' AND l.value NOT GLOB '?*[+-]*' \
             AND l.value NOT GLOB '*.*.*' AND l.value NOT GLOB '.*' AND l.value NOT GLOB '[+-].*'",
            "CAST(l.value AS REAL)",
            binds.bind(number),
        ),
        (Bound::Number(number), Dialect::Postgres) => (
            r"l.value ~ '^[+-]?[0-9]+(\.[0-9]+)?$'",
            "l.value::double precision",
            format!("{}::double precision", binds.bind(number)),
        ),
        (Bound::Time(time), Dialect::Sqlite) => (
            "l.value GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-5][0-9]*' \
             AND (l.value GLOB '*Z' OR l.value GLOB '*[+-][0-9][0-9]:[0-9][0-9]')",
            "CAST(round((julianday(l.value) - 2440587.5) * 86400000) AS INTEGER)",
            binds.bind(time.millis()),
        ),
        (Bound::Time(time), Dialect::Postgres) => (
            r"l.value ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$'",
            "moment(l.value)",
            binds.bind(time.millis()),
        ),
    };
    format!(" AND CASE WHEN {looks_right} THEN {value} {sign} {bound} ELSE 1 = 0 END")
}
