//! Which criterion of a query a walk begins with. [`Select`](super::Select) asks.
//!
//! The rule: first what few rows have (an id, a name), then a label's value, then what many rows share (a plan,
//! a state), then one of a few values. SQLite keeps no statistics by itself and would take any index that
//! fits; PostgreSQL knows better and decides for itself where it can.

use super::field::is_walks;
use qm_model::query::{FieldCriterion, LabelTest, Query, Test};

/// Up to so many values of a label are walked each.
const WALKS: usize = 16;

/// Columns whose values many rows share.
const SHARED: [&str; 5] = [
    "service_plan_id",
    "platform_id",
    "type",
    "state",
    "resource_type",
];

/// Which criterion the walk begins with.
#[derive(Clone, Copy)]
pub(super) enum Start {
    /// A label's.
    Label(usize),
    /// A field's, which is one of a few values.
    Few(usize),
    /// A field's, which equals a value: the engine finds the index.
    Field(usize),
    /// None is of use; the scope may be.
    Nowhere,
}

impl Start {
    pub(super) fn of(query: &Query) -> Self {
        let field = |fits: &dyn Fn(&FieldCriterion) -> bool| {
            let found = |field| equals(field) && fits(field);
            query.fields.iter().position(found).map(Self::Field)
        };
        let label = |fits: &dyn Fn(&LabelTest) -> bool| {
            let mut tests = query.labels.iter().map(|label| &label.test);
            tests.position(fits).map(Self::Label)
        };
        let shared =
            |field: &FieldCriterion| SHARED.contains(&field.column.name) || !field.path.is_empty();
        let few = |test: &LabelTest| match test {
            LabelTest::In(values) => (1..=WALKS).contains(&values.len()),
            _ => false,
        };
        field(&|field| field.column.name == "id")
            .or_else(|| field(&|field| !shared(field)))
            .or_else(|| label(&|test| matches!(test, LabelTest::Eq(_))))
            .or_else(|| field(&shared))
            .or_else(|| label(&few))
            .or_else(|| query.fields.iter().position(is_walks).map(Self::Few))
            .unwrap_or(Self::Nowhere)
    }
}

/// Whether an index finds the rows.
fn equals(field: &FieldCriterion) -> bool {
    let FieldCriterion { column, path, test } = field;
    matches!(test, Test::Eq(_)) && (column.indexed || !path.is_empty())
}
