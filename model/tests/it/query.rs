//! What a query text means: every line of the grammar and of the table of its points.

use qm_model::query::{
    Bound, Column, ColumnKind, FieldCriterion, LabelTest, Operator, Order, Test, Value, column,
    columns,
};
use qm_model::{Kind, Query, Time};

/// The one criterion of a field query on a kind's columns.
fn field(kind: Kind, text: &str) -> FieldCriterion {
    let query = Query::parse(columns(kind), Some(text), None)
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    let [criterion] = query.fields.try_into().expect("one criterion");
    criterion
}

fn label(text: &str) -> (String, LabelTest) {
    let query = Query::parse(columns(Kind::Broker), None, Some(text))
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    let [criterion] = query.labels.try_into().expect("one criterion");
    (criterion.key, criterion.test)
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn texts(texts: &[&str]) -> Vec<Value> {
    texts.iter().copied().map(text).collect()
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().copied().map(str::to_owned).collect()
}

#[test]
fn no_text_is_no_criterion() {
    for nothing in [None, Some(""), Some("   ")] {
        let query = Query::parse(columns(Kind::Plan), nothing, nothing).unwrap();
        assert!(query.is_empty());
        assert_eq!(query, Query::default());
        assert_eq!(query.to_string(), "");
    }
}

#[test]
fn every_operator_on_a_field() {
    let value = || text("a");
    for (query, test) in [
        ("name eq 'a'", Test::Eq(value())),
        ("name ne 'a'", Test::Ne(value())),
        ("name en 'a'", Test::En(value())),
        ("name contains 'a%_'", Test::Contains("a%_".to_owned())),
        ("name in ('a')", Test::In(texts(&["a"]))),
        ("name notin ('a','b')", Test::NotIn(texts(&["a", "b"]))),
    ] {
        assert_eq!(field(Kind::Broker, query).test, test, "{query}");
    }
    for (query, order) in [
        ("maximum_polling_duration gt 5", Order::Gt),
        ("maximum_polling_duration lt 5", Order::Lt),
        ("maximum_polling_duration ge 5", Order::Ge),
        ("maximum_polling_duration le '5'", Order::Le),
    ] {
        let test = Test::Order(order, Value::Integer(5));
        assert_eq!(field(Kind::Plan, query).test, test, "{query}");
    }
}

#[test]
fn every_operator_on_a_label() {
    let a = || "a".to_owned();
    for (query, test) in [
        ("k eq 'a'", LabelTest::Eq(a())),
        ("k ne 'a'", LabelTest::Ne(a())),
        // Refused by the old server, promised by the specification.
        ("k en 'a'", LabelTest::En(a())),
        ("k en false", LabelTest::En("false".to_owned())),
        ("k contains 'a'", LabelTest::Contains(a())),
        ("k in ('a')", LabelTest::In(strings(&["a"]))),
        ("k notin ('a','b')", LabelTest::NotIn(strings(&["a", "b"]))),
        ("k gt 5", LabelTest::Order(Order::Gt, Bound::Number(5.0))),
        (
            "k lt -5.25",
            LabelTest::Order(Order::Lt, Bound::Number(-5.25)),
        ),
        ("k ge '+7'", LabelTest::Order(Order::Ge, Bound::Number(7.0))),
        (
            "k le 1970-01-01T00:00:01Z",
            LabelTest::Order(Order::Le, Bound::Time(Time(1000))),
        ),
        (
            "k le '1970-01-01T00:00:01Z'",
            LabelTest::Order(Order::Le, Bound::Time(Time(1000))),
        ),
    ] {
        assert_eq!(label(query), ("k".to_owned(), test), "{query}");
    }
}

/// All that smctl, the proxies and the operator send.
#[test]
fn what_clients_in_the_field_send() {
    for (kind, query, test) in [
        (Kind::Broker, "id eq 'x'", Test::Eq(text("x"))),
        (Kind::Broker, "ready eq true", Test::Eq(Value::Bool(true))),
        (Kind::Offering, "catalog_name eq 'x'", Test::Eq(text("x"))),
        (Kind::Offering, "data_center eq ''", Test::Eq(text(""))),
        (
            Kind::Plan,
            "service_offering_id in ('a','b')",
            Test::In(texts(&["a", "b"])),
        ),
        (
            Kind::Plan,
            "service_offering_id in ('a', 'b')",
            Test::In(texts(&["a", "b"])),
        ),
        (
            Kind::Instance,
            "service_plan_id in ('')",
            Test::In(texts(&[""])),
        ),
        (Kind::Instance, "platform_id eq 'x'", Test::Eq(text("x"))),
        (
            Kind::Binding,
            "service_instance_id eq 'x'",
            Test::Eq(text("x")),
        ),
    ] {
        assert_eq!(field(kind, query).test, test, "{query}");
    }
    let both = Query::parse(
        columns(Kind::Instance),
        Some("name eq 'db' and context/clusterid eq 'c' and context/namespace eq 'n'"),
        Some("_clusterid eq 'c'"),
    )
    .unwrap();
    let steps: Vec<_> = both.fields.iter().map(|field| field.path.clone()).collect();
    assert_eq!(
        steps,
        [vec![], strings(&["clusterid"]), strings(&["namespace"])]
    );
    assert_eq!(both.labels[0].key, "_clusterid");
}

#[test]
fn values_have_the_columns_type() {
    for (kind, query, value) in [
        (Kind::Broker, "ready eq 'false'", Value::Bool(false)),
        // The old server compared everything but numbers and times as text.
        (Kind::Broker, "name eq true", text("true")),
        (Kind::Broker, "name eq 5", text("5")),
        (Kind::Broker, "name eq -5.50", text("-5.50")),
        (
            Kind::Broker,
            "name eq 2020-01-01T00:00:00Z",
            text("2020-01-01T00:00:00Z"),
        ),
        (
            Kind::Plan,
            "maximum_polling_duration eq -3",
            Value::Integer(-3),
        ),
        (Kind::Plan, "metadata/free eq true", text("true")),
        (Kind::Offering, "tags eq '[\"a\"]'", text("[\"a\"]")),
        (
            Kind::Broker,
            "created_at eq 1970-01-01T00:00:00.250Z",
            Value::Time(Time(250)),
        ),
        (
            Kind::Broker,
            "created_at eq '1970-01-01T02:00:00+02:00'",
            Value::Time(Time(0)),
        ),
        (
            Kind::Broker,
            "created_at eq 1970-01-01t00:00:00z",
            Value::Time(Time(0)),
        ),
        (
            Kind::Broker,
            "created_at eq 0000-01-01T00:00:00Z",
            Value::Time(Time(-62_167_219_200_000)),
        ),
        // Cut, towards the past, also before 1970.
        (
            Kind::Broker,
            "created_at eq 1970-01-01T00:00:00.0019Z",
            Value::Time(Time(1)),
        ),
        (
            Kind::Broker,
            "created_at eq 1969-12-31T23:59:59.9999Z",
            Value::Time(Time(-1)),
        ),
    ] {
        assert_eq!(field(kind, query).test, Test::Eq(value), "{query}");
    }
}

/// Stored times are whole milliseconds. Whatever the fraction asked with, the comparison comes out as it
/// would with the fraction.
#[test]
fn finer_times_are_rounded_to_the_side_that_keeps_the_comparison() {
    for (operator, millis) in [("gt", 1), ("le", 1), ("ge", 2), ("lt", 2)] {
        let query = format!("created_at {operator} 1970-01-01T00:00:00.0015Z");
        let Test::Order(_, value) = field(Kind::Broker, &query).test else {
            panic!("{query}");
        };
        assert_eq!(value, Value::Time(Time(millis)), "{query}");
        let exact = format!("created_at {operator} 1970-01-01T00:00:00.001Z");
        let Test::Order(_, value) = field(Kind::Broker, &exact).test else {
            panic!("{exact}");
        };
        assert_eq!(value, Value::Time(Time(1)), "{exact}");
    }
}

#[test]
fn quotes_survive_wherever_they_stand() {
    for (query, value) in [
        ("name eq 'it''s'", "it's"),
        ("name eq '''a'", "'a"),
        ("name eq 'a'''", "a'"),
        ("name eq ''''", "'"),
        ("name eq ''''''", "''"),
        ("name eq ''", ""),
        ("name eq 'a and b eq ''c'''", "a and b eq 'c'"),
        ("name eq '(a, b)'", "(a, b)"),
        ("name eq ' a  b '", " a  b "),
        ("name eq 'a\tb'", "a\tb"),
        ("name eq 'ü \u{1F980}'", "ü \u{1F980}"),
        // A backslash is a character like any other, at the end too.
        (r"name eq 'C:\'", r"C:\"),
        (r"name eq 'a\n'", r"a\n"),
    ] {
        assert_eq!(
            field(Kind::Broker, query).test,
            Test::Eq(text(value)),
            "{query}"
        );
    }
}

#[test]
fn defect_1_sql_in_a_value_is_a_value() {
    let sql = "x') or exists (select 1 from users";
    let query = format!("id eq '{}'", sql.replace('\'', "''"));
    assert_eq!(field(Kind::Broker, &query).test, Test::Eq(text(sql)));
}

#[test]
fn defect_16_an_empty_list_is_a_list() {
    assert_eq!(field(Kind::Plan, "id in ()").test, Test::In(vec![]));
    assert_eq!(field(Kind::Plan, "id notin ( )").test, Test::NotIn(vec![]));
    assert_eq!(label("k in ()").1, LabelTest::In(vec![]));
    assert_eq!(label("k notin ()").1, LabelTest::NotIn(vec![]));
    // The old server failed on it when it was not the first.
    let query = Query::parse(columns(Kind::Plan), Some("name eq 'a' and id in ()"), None);
    assert_eq!(query.unwrap().fields[1].test, Test::In(vec![]));
    // One empty text is not nothing.
    assert_eq!(field(Kind::Plan, "id in ('')").test, Test::In(texts(&[""])));
}

#[test]
fn label_keys_may_hold_nearly_everything() {
    for key in [
        "app.kubernetes.io/name",
        "urn:a:b",
        "a\\b",
        "a=b",
        "ü",
        "a%b",
        "[x]{y}",
        "-",
        "eq",
        "in",
        "notin",
        "and",
        "true",
        "false",
        "5",
        "-1.5",
        "2020-01-01T00:00:00Z",
    ] {
        let query = format!("{key} eq 'v'");
        assert_eq!(
            label(&query),
            (key.to_owned(), LabelTest::Eq("v".to_owned()))
        );
        let query = format!("{key} in ('v') and z eq 'w'");
        let query = Query::parse(columns(Kind::Broker), None, Some(&query)).unwrap();
        assert_eq!((query.labels[0].key.as_str(), query.labels.len()), (key, 2));
    }
}

/// A table whose names are words of the language.
static AWKWARD: [Column; 3] = [awkward("and"), awkward("true"), awkward("7")];

const fn awkward(name: &'static str) -> Column {
    Column {
        name,
        kind: ColumnKind::Text,
        nullable: false,
        indexed: false,
    }
}

#[test]
fn words_of_the_language_may_be_fields() {
    let text = "and eq 'and' and true in (true) and 7 ne 7";
    let query = Query::parse(&AWKWARD, Some(text), None).unwrap();
    let names: Vec<_> = query.fields.iter().map(|field| field.column.name).collect();
    assert_eq!(names, ["and", "true", "7"]);
}

#[test]
fn spaces_stand_between_words_and_more_do_no_harm() {
    let tight = "name in('a','b')and id eq'x'";
    let wide = "  name   in  (  'a'  ,  'b'  )   and   id   eq   'x'  ";
    let usual = "name in ('a', 'b') and id eq 'x'";
    let parse = |text| Query::parse(columns(Kind::Broker), Some(text), None).unwrap();
    assert_eq!(parse(tight), parse(usual));
    assert_eq!(parse(wide), parse(usual));
}

#[test]
fn a_field_may_be_asked_for_twice() {
    let text = "maximum_polling_duration gt 1 and maximum_polling_duration lt 9";
    let query = Query::parse(columns(Kind::Plan), Some(text), None).unwrap();
    assert_eq!(query.fields.len(), 2);
}

#[test]
fn paths_lead_into_json() {
    let found = field(Kind::Instance, "context/a.b/c:d/in contains 'x'");
    assert_eq!(found.column, column(Kind::Instance, "context").unwrap());
    assert_eq!(found.path, ["a.b", "c:d", "in"]);
    // In a label's key the slash is a letter.
    assert_eq!(label("a//b/ eq 'x'").0, "a//b/");
}

#[test]
fn no_secret_may_be_asked_for() {
    let secrets = [
        "username",
        "password",
        "old_username",
        "old_password",
        "integrity",
        "catalog",
        "credentials",
        "tls_client_key",
        "tls_client_certificate",
        "password_hash",
        "paging_sequence",
        "parameters",
        "previous_values",
        "update_values",
        "external_id",
    ];
    for kind in Kind::ALL {
        for secret in secrets {
            assert_eq!(column(kind, secret), None, "{kind} {secret}");
        }
    }
}

#[test]
fn tables_name_each_column_once_and_all_common_ones() {
    for kind in Kind::ALL {
        let names: Vec<_> = columns(kind).iter().map(|column| column.name).collect();
        let mut unique = names.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), names.len(), "{kind}");
        if !names.is_empty() {
            for common in ["id", "ready", "created_at", "updated_at"] {
                assert!(names.contains(&common), "{kind} {common}");
            }
        }
    }
}

#[test]
fn operators_read_as_they_print() {
    for operator in Operator::ALL {
        assert_eq!(Operator::parse(operator.as_str()), Some(operator));
        // Lower case only.
        assert_eq!(Operator::parse(&operator.as_str().to_uppercase()), None);
    }
}
