//! Any pair of query texts. Nothing panics, a refusal says where in one short line, and what was taken
//! prints to a text that is read as the same tree.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use qm_model::Kind;
use qm_model::query::{MAX_TEXT, Part, Query, columns};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    kind: u8,
    field: Option<&'a str>,
    label: Option<&'a str>,
}

fuzz_target!(|input: Input<'_>| {
    let columns = columns(Kind::ALL[usize::from(input.kind) % Kind::ALL.len()]);
    let query = match Query::parse(columns, input.field, input.label) {
        Ok(query) => query,
        Err(error) => {
            let text = match error.part {
                Part::Field => input.field,
                Part::Label => input.label,
            };
            let columns = text.expect("no text has no error").chars().count() + 1;
            assert!((1..=columns).contains(&error.column), "{error}");
            let message = error.to_string();
            assert!(message.len() < 1000 && !message.contains(char::is_control));
            return;
        }
    };
    let (field, label) = (query.field_query(), query.label_query());
    // Values that came without quotes are longer with them.
    if field.len().max(label.len()) <= MAX_TEXT {
        let again = Query::parse(columns, Some(&field), Some(&label));
        assert_eq!(again.as_ref(), Ok(&query), "{query}");
    }
});
