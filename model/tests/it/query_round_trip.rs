//! Any tree prints to a text that parses to the same tree.

use proptest::{collection::vec, prelude::*, sample::select};
use qm_model::query::{
    Bound, Column, ColumnKind, FieldCriterion, LabelCriterion, LabelTest, Order, Test, Value,
    columns,
};
use qm_model::{Kind, Query, Time};

/// Characters that mean something in the language come often.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "['\"(), andeq%_\\\\-]{0,8}",
        "[^\n\r\0]{0,8}",
        Just("2020-01-01T00:00:00Z".to_owned()),
        any::<i64>().prop_map(|number| number.to_string()),
    ]
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z./:\\\\=0-9-]{1,8}",
        "[^\\s\\p{C}()'\",]{1,6}",
        select(vec!["and", "in", "eq", "true", "5"]).prop_map(str::to_owned),
    ]
}

fn time() -> impl Strategy<Value = Time> {
    // 0000-01-01 to 9999-12-30, to the millisecond.
    (-62_167_219_200_000_i64..=253_402_207_200_999).prop_map(Time)
}

fn value(kind: ColumnKind) -> BoxedStrategy<Value> {
    match kind {
        ColumnKind::Text | ColumnKind::Json => text().prop_map(Value::Text).boxed(),
        ColumnKind::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
        ColumnKind::Integer => any::<i64>().prop_map(Value::Integer).boxed(),
        ColumnKind::Time => time().prop_map(Value::Time).boxed(),
    }
}

fn order() -> impl Strategy<Value = Order> {
    select(vec![Order::Gt, Order::Lt, Order::Ge, Order::Le])
}

fn test(kind: ColumnKind) -> BoxedStrategy<Test> {
    let value = || value(kind);
    let any_kind = prop_oneof![
        value().prop_map(Test::Eq),
        value().prop_map(Test::Ne),
        value().prop_map(Test::En),
        vec(value(), 0..4).prop_map(Test::In),
        vec(value(), 0..4).prop_map(Test::NotIn),
    ];
    if kind.is_ordered() {
        let ordered = (order(), value()).prop_map(|(order, value)| Test::Order(order, value));
        prop_oneof![any_kind, ordered].boxed()
    } else if kind.is_textual() {
        prop_oneof![any_kind, text().prop_map(Test::Contains)].boxed()
    } else {
        any_kind.boxed()
    }
}

fn field(column: &'static Column) -> impl Strategy<Value = FieldCriterion> {
    let steps = match column.kind {
        ColumnKind::Json => 3,
        _ => 0,
    };
    let step = key().prop_filter("no slash, or it would be two", |key| !key.contains('/'));
    (vec(step, 0..=steps), test(column.kind)).prop_map(move |(path, test)| FieldCriterion {
        column,
        path,
        test,
    })
}

fn label_test() -> impl Strategy<Value = LabelTest> {
    let number = any::<f64>().prop_filter("finite", |number| number.is_finite());
    let bound = prop_oneof![number.prop_map(Bound::Number), time().prop_map(Bound::Time)];
    prop_oneof![
        text().prop_map(LabelTest::Eq),
        text().prop_map(LabelTest::Ne),
        text().prop_map(LabelTest::En),
        text().prop_map(LabelTest::Contains),
        (order(), bound).prop_map(|(order, bound)| LabelTest::Order(order, bound)),
        vec(text(), 0..4).prop_map(LabelTest::In),
        vec(text(), 0..4).prop_map(LabelTest::NotIn),
    ]
}

fn query(kind: Kind) -> impl Strategy<Value = Query> {
    let columns: Vec<&'static Column> = columns(kind).iter().collect();
    let fields = select(columns).prop_flat_map(field);
    let label = (key(), label_test()).prop_map(|(key, test)| LabelCriterion { key, test });
    (vec(fields, 0..5), vec(label, 0..5)).prop_map(|(fields, mut labels)| {
        labels.sort_by(|one, other| one.key.cmp(&other.key));
        labels.dedup_by(|one, other| one.key == other.key);
        Query { fields, labels }
    })
}

fn any_query() -> impl Strategy<Value = (Kind, Query)> {
    let with_columns = Kind::ALL
        .into_iter()
        .filter(|kind| !columns(*kind).is_empty());
    select(with_columns.collect::<Vec<_>>())
        .prop_flat_map(|kind| query(kind).prop_map(move |query| (kind, query)))
}

proptest! {
    #[test]
    fn any_tree((kind, query) in any_query()) {
        let (field, label) = (query.field_query(), query.label_query());
        let again = Query::parse(columns(kind), Some(&field), Some(&label));
        prop_assert_eq!(again.as_ref(), Ok(&query), "{}", query);
    }
}

#[test]
fn prints_as_a_person_would_write_it() {
    let query = Query::parse(
        columns(Kind::Instance),
        Some("  name in('it''s' ,  5) and  context/a/b  en true and created_at ge '2020-01-01T01:00:00.5+01:00'"),
        Some("a.b gt 5.0 and c:d notin ()"),
    )
    .unwrap();
    assert_eq!(
        query.to_string(),
        "fieldQuery: name in ('it''s','5') and context/a/b en 'true' and created_at ge 2020-01-01T00:00:00.5Z; \
         labelQuery: a.b gt 5 and c:d notin ()"
    );
}
