//! What is refused, where, and in which words.

use proptest::prelude::*;
use qm_model::query::{MAX_CRITERIA, MAX_TEXT, MAX_VALUES, Part, Problem, QueryError, columns};
use qm_model::{Error, Kind, Query};

fn field(kind: Kind, text: &str) -> QueryError {
    Query::parse(columns(kind), Some(text), None).expect_err(text)
}

fn label(text: &str) -> QueryError {
    Query::parse(columns(Kind::Broker), None, Some(text)).expect_err(text)
}

const VALUE: &str = "text in single quotes, a number, true, false, or an RFC 3339 time";
const OPERATORS: &str = "one of eq, ne, gt, lt, ge, le, en, contains, in, notin";
const CLEAN: &str = "no line break, no control character, and no white space but spaces";

#[test]
fn the_grammar() {
    for (text, column, found, expected) in [
        ("name", 5, "the end", OPERATORS),
        ("name 'a'", 6, "the text 'a'", OPERATORS),
        ("name EQ 'a'", 6, "`EQ`", OPERATORS),
        ("name = 'a'", 6, "`=`", OPERATORS),
        ("name eq", 8, "the end", VALUE),
        ("name eq a", 9, "`a`", VALUE),
        ("name eq TRUE", 9, "`TRUE`", VALUE),
        ("name eq 5.", 9, "`5.`", VALUE),
        ("name eq ('a')", 9, "`(`", VALUE),
        // A plus that was not encoded in the URL arrives as a space.
        (
            "created_at gt 2020-01-01T00:00:00 02:00",
            15,
            "`2020-01-01T00:00:00`",
            VALUE,
        ),
        ("name eq 'a' or id eq 'b'", 13, "`or`", "`and` or the end"),
        ("name eq 'a' AND id eq 'b'", 13, "`AND`", "`and` or the end"),
        ("name eq 'a', 'b'", 12, "`,`", "`and` or the end"),
        ("name eq 'a' 'b'", 13, "the text 'b'", "`and` or the end"),
        ("name eq 'a' and", 16, "the end", "the name of a field"),
        ("'name' eq 'a'", 1, "the text 'name'", "the name of a field"),
        ("name eq 'a' and and id eq 'b'", 21, "`id`", OPERATORS),
        ("name in 'a'", 9, "the text 'a'", "a list in parentheses"),
        ("name in", 8, "the end", "a list in parentheses"),
        ("name in (", 10, "the end", VALUE),
        ("name in ('a'", 13, "the end", "`,` or `)`"),
        ("name in ('a' 'b')", 14, "the text 'b'", "`,` or `)`"),
        ("name in ('a',)", 14, "`)`", VALUE),
        ("name in (,'a')", 10, "`,`", VALUE),
        ("name in ('a'))", 14, "`)`", "`and` or the end"),
        (
            "name eq 'a",
            9,
            "an opening quote",
            "a closing one after it",
        ),
        (
            "name eq 'a''",
            9,
            "an opening quote",
            "a closing one after it",
        ),
        ("name eq \"a\"", 9, "`\"`", "text in single quotes"),
        ("name eq 'a\nb'", 11, "a line break", CLEAN),
        ("name eq 'a\rb'", 11, "a line break", CLEAN),
        ("name eq 'a\0b'", 11, "the character U+0000", CLEAN),
        ("name\teq 'a'", 5, "the character U+0009", CLEAN),
        ("name\u{a0}eq 'a'", 5, "the character U+00A0", CLEAN),
        // Columns count characters, not bytes.
        ("name eq 'äöü' or", 15, "`or`", "`and` or the end"),
    ] {
        let error = field(Kind::Broker, text);
        let problem = Problem::Unexpected {
            found: found.to_owned(),
            expected: expected.to_owned(),
        };
        assert_eq!(
            (error.column, &error.problem),
            (column, &problem),
            "{text:?}"
        );
        assert_eq!(
            error.to_string(),
            format!("fieldQuery, column {column}: found {found}, expected {expected}")
        );
    }
    assert_eq!(
        label("(").to_string(),
        "labelQuery, column 1: found `(`, expected the key of a label"
    );
}

#[test]
fn unknown_fields_are_answered_with_the_known_ones() {
    for name in ["password", "NAME", "name.x", "paging_sequence", ""] {
        let text = format!("id eq 'a' and {name}/x eq 'x'");
        let error = field(Kind::Broker, &text);
        assert_eq!(error.column, 15);
        assert_eq!(
            error.problem.to_string(),
            format!(
                "there is no field `{name}` to ask for; there are id, name, description, \
                 broker_url, ready, created_at, updated_at"
            )
        );
    }
    let error = field(Kind::User, "name eq 'x'");
    assert!(
        error
            .to_string()
            .ends_with("there is no field `name`; none may be asked for here")
    );
}

#[test]
fn types() {
    for (kind, text, message) in [
        (
            Kind::Broker,
            "ready eq 1",
            "column 10: found `1`, expected true or false",
        ),
        (
            Kind::Broker,
            "ready eq 'True'",
            "column 10: found the text 'True', expected true or false",
        ),
        (
            Kind::Broker,
            "ready in (true, 'x')",
            "column 17: found the text 'x', expected true or false",
        ),
        (
            Kind::Plan,
            "maximum_polling_duration eq 1.5",
            "column 29: found `1.5`, expected a whole number",
        ),
        (
            Kind::Plan,
            "maximum_polling_duration gt 9223372036854775808",
            "column 29: found `9223372036854775808`, expected a whole number",
        ),
        (
            Kind::Plan,
            "maximum_polling_duration gt 'a'",
            "column 29: found the text 'a', expected a whole number",
        ),
        (
            Kind::Broker,
            "created_at gt 5",
            "column 15: found `5`, expected an RFC 3339 time",
        ),
        (
            Kind::Broker,
            "created_at gt 2021-02-29T00:00:00Z",
            "column 15: found `2021-02-29T00:00:00Z`, expected an RFC 3339 time",
        ),
        (
            Kind::Broker,
            "created_at gt '2020-01-01'",
            "column 15: found the text '2020-01-01', expected an RFC 3339 time",
        ),
        (
            Kind::Broker,
            "created_at gt '2020-01-01 00:00:00Z'",
            "column 15: found the text '2020-01-01 00:00:00Z', expected an RFC 3339 time",
        ),
        (
            Kind::Broker,
            "created_at gt 0000-01-01T00:00:00+01:00",
            "column 15: found `0000-01-01T00:00:00+01:00`, expected an RFC 3339 time",
        ),
        (
            Kind::Broker,
            "name gt 5",
            "column 1: `gt` is for fields with whole numbers or times; field `name` holds text",
        ),
        (
            Kind::Broker,
            "ready le true",
            "column 1: `le` is for fields with whole numbers or times; field `ready` holds true or false",
        ),
        (
            Kind::Instance,
            "context/a ge 5",
            "column 1: `ge` is for fields with whole numbers or times; field `context` holds JSON",
        ),
        (
            Kind::Broker,
            "ready contains 'r'",
            "column 1: `contains` is for fields with text or JSON; field `ready` holds true or false",
        ),
        (
            Kind::Broker,
            "created_at contains '2020'",
            "column 1: `contains` is for fields with text or JSON; field `created_at` holds an RFC 3339 time",
        ),
        (
            Kind::Broker,
            "name/a eq 'x'",
            "column 1: field `name` holds text, so no path leads below it; JSON has paths",
        ),
        (
            Kind::Instance,
            "context/ eq 'x'",
            "column 1: the path below field `context` has an empty step",
        ),
        (
            Kind::Instance,
            "context/a//b eq 'x'",
            "column 1: the path below field `context` has an empty step",
        ),
    ] {
        assert_eq!(
            field(kind, text).to_string(),
            format!("fieldQuery, {message}")
        );
    }
    let endless = format!("k gt {}", "9".repeat(400));
    for text in [
        "k gt 'a'",
        "k lt ''",
        "k ge true",
        "k le '2020'x",
        endless.as_str(),
    ] {
        let error = label(text);
        assert_eq!(error.part, Part::Label);
        assert!(
            matches!(error.problem, Problem::Unexpected { .. }),
            "{text}"
        );
    }
}

#[test]
fn a_label_may_be_asked_for_once() {
    assert_eq!(
        label("a eq 'x' and b eq 'y' and a ne 'z'").to_string(),
        "labelQuery, column 27: label `a` is asked for twice"
    );
}

#[test]
fn limits() {
    let criteria = |count: usize| vec!["id eq 'x'"; count].join(" and ");
    assert!(Query::parse(columns(Kind::Broker), Some(&criteria(MAX_CRITERIA)), None).is_ok());
    let error = field(Kind::Broker, &criteria(MAX_CRITERIA + 1));
    assert_eq!(error.problem, Problem::TooManyCriteria);
    assert_eq!(error.column, 1 + MAX_CRITERIA * "id eq 'x' and ".len());
    // Both texts together.
    let full = criteria(MAX_CRITERIA);
    let error = Query::parse(columns(Kind::Broker), Some(&full), Some("k eq 'x'")).unwrap_err();
    assert_eq!((error.part, error.column), (Part::Label, 1));

    let values = |count: usize| format!("id in ({})", vec!["1"; count].join(","));
    assert!(Query::parse(columns(Kind::Broker), Some(&values(MAX_VALUES)), None).is_ok());
    let error = field(Kind::Broker, &values(MAX_VALUES + 1));
    assert_eq!(error.problem, Problem::TooManyValues);

    // As many ids as a URL of 64 KiB can hold, encoded as the proxies do.
    let id = "c7e6f9de-2b3a-4a57-9d4f-1f0e3a1b2c3d";
    let ids = 65_000 / (id.len() + "%27%27%2C".len());
    let chunk = format!(
        "ready eq true and service_plan_id in ({})",
        vec![format!("'{id}'"); ids].join(",")
    );
    assert!(Query::parse(columns(Kind::Visibility), Some(&chunk), None).is_ok());

    let long = |bytes: usize| format!("name eq '{}'", "a".repeat(bytes - "name eq ''".len()));
    assert!(Query::parse(columns(Kind::Broker), Some(&long(MAX_TEXT)), None).is_ok());
    let error = field(Kind::Broker, &long(MAX_TEXT + 1));
    assert_eq!(
        (error.column, error.problem),
        (MAX_TEXT + 1, Problem::TooLong)
    );
    assert_eq!(label(&"ä".repeat(MAX_TEXT)).column, MAX_TEXT / 2 + 1);
}

#[test]
fn it_is_a_bad_request_with_the_whole_story() {
    let error = Error::from(label("k eq x"));
    assert_eq!((error.status(), error.word()), (400, "BadRequest"));
    assert!(
        error
            .to_string()
            .starts_with("labelQuery, column 6: found `x`")
    );
}

proptest! {
    /// Noise in the letters that matter: an answer, never a panic, and short words about it in one line.
    #[test]
    fn any_text_is_answered(
        field in "[a-z'\"(), /\\\\\n0-9ü-]{0,40}|(name|ready|context/a) (eq|in|gt) \\PC{0,20}",
        label in "\\PC{0,30}|k (eq|in|gt|notin) [('a, )]{0,12}",
    ) {
        if let Err(error) = Query::parse(columns(Kind::Instance), Some(&field), Some(&label)) {
            let text = match error.part {
                Part::Field => &field,
                Part::Label => &label,
            };
            prop_assert!((1..=text.chars().count() + 1).contains(&error.column));
            let message = error.to_string();
            prop_assert!(message.len() < 500 && !message.contains(char::is_control));
        }
    }
}
