//! Labels and their changes: every line of the table of operations, in order, and what is refused.

use proptest::{collection::vec, prelude::*, sample::select};
use qm_model::label::{LabelError, LabelOp, MAX_LABEL};
use qm_model::{Error, LabelChange, Labels};
use serde_json::{Value, from_value, json, to_value};

fn labels(value: Value) -> Labels {
    from_value(value).unwrap()
}

/// A PATCH body's list.
fn changes(value: Value) -> Vec<LabelChange> {
    from_value(value).unwrap()
}

fn refused(value: Value) -> String {
    from_value::<LabelChange>(value).unwrap_err().to_string()
}

#[test]
fn every_operation() {
    let before = json!({"k": ["a", "b"], "other": ["x"]});
    for (change, after) in [
        (
            json!({"op": "add", "key": "k", "values": ["b", "c"]}),
            json!(["a", "b", "c"]),
        ),
        (json!({"op": "add", "key": "k"}), json!(["", "a", "b"])),
        (
            json!({"op": "add_values", "key": "k", "values": ["c"]}),
            json!(["a", "b", "c"]),
        ),
        (json!({"op": "remove", "key": "k"}), json!(null)),
        // The operator sends this.
        (
            json!({"op": "remove", "key": "k", "values": null}),
            json!(null),
        ),
        (
            json!({"op": "remove", "key": "k", "values": []}),
            json!(null),
        ),
        (
            json!({"op": "remove", "key": "k", "values": ["a"]}),
            json!(["b"]),
        ),
        (
            json!({"op": "remove_values", "key": "k", "values": ["a", "missing"]}),
            json!(["b"]),
        ),
        (
            json!({"op": "remove_values", "key": "k", "values": ["a", "b"]}),
            json!(null),
        ),
        (
            json!({"op": "replace", "key": "k", "values": ["c", "c"]}),
            json!(["c"]),
        ),
        (json!({"op": "replace", "key": "k"}), json!(null)),
        // Nothing to remove is no error.
        (json!({"op": "remove", "key": "missing"}), json!(["a", "b"])),
        (
            json!({"op": "remove_values", "key": "missing", "values": ["a"]}),
            json!(["a", "b"]),
        ),
    ] {
        let after_all = labels(before.clone())
            .apply(&changes(json!([change])))
            .unwrap();
        let mut wanted = before.clone();
        wanted["k"] = after;
        assert_eq!(after_all, labels(wanted), "{change}");
    }
    let created = Labels::new()
        .apply(&changes(json!([
            {"op": "add", "key": "a"},
            {"op": "add_values", "key": "b", "values": ["1"]},
            {"op": "replace", "key": "c", "values": ["2"]},
            {"op": "replace", "key": "d"},
        ])))
        .unwrap();
    assert_eq!(created, labels(json!({"a": [""], "b": ["1"], "c": ["2"]})));
}

#[test]
fn defect_13_remove_then_add_keeps_the_added() {
    let before = labels(json!({"k": ["old"]}));
    let remove = json!({"op": "remove", "key": "k"});
    let add = json!({"op": "add", "key": "k", "values": ["new"]});
    let after = before.apply(&changes(json!([remove, add]))).unwrap();
    assert_eq!(after, labels(json!({"k": ["new"]})));
    // And the other way round nothing is left.
    assert!(
        before
            .apply(&changes(json!([add, remove])))
            .unwrap()
            .is_empty()
    );
}

#[test]
fn a_refused_change_is_named() {
    for op in ["remove_value", "ADD", "set"] {
        assert_eq!(
            refused(json!({"op": op, "key": "k", "values": ["a"]})),
            format!(
                "label operation `{op}` is unknown; there are add, add_values, remove, \
                 remove_values, replace"
            )
        );
    }
    for missing in [
        json!({"key": "k"}),
        json!({"op": "", "key": "k"}),
        json!({"op": null, "key": "k"}),
    ] {
        assert_eq!(
            refused(missing),
            "a label change needs an `op`, one of add, add_values, remove, remove_values, replace"
        );
    }
    for missing in [
        json!({"op": "add"}),
        json!({"op": "add", "key": ""}),
        json!({"op": "add", "key": null}),
    ] {
        assert_eq!(refused(missing), "the key of a label must not be empty");
    }
    for op in ["add_values", "remove_values"] {
        for values in [json!(null), json!([])] {
            assert_eq!(
                refused(json!({"op": op, "key": "k", "values": values})),
                format!("label change `{op}` of `k` needs values")
            );
        }
    }
}

#[test]
fn changes_made_by_hand_are_checked_too() {
    let before = labels(json!({"k": ["a"]}));
    let made = |op, key: &str, values: &[&str]| LabelChange {
        op,
        key: key.to_owned(),
        values: values.iter().copied().map(str::to_owned).collect(),
    };
    for (change, error) in [
        (made(LabelOp::Add, "", &["a"]), LabelError::EmptyKey),
        (
            made(LabelOp::Replace, "k", &["a\nb"]),
            LabelError::ValueCharacter {
                key: "k".to_owned(),
            },
        ),
        (
            made(LabelOp::AddValues, "k", &[]),
            LabelError::ValuesMissing {
                op: LabelOp::AddValues,
                key: "k".to_owned(),
            },
        ),
    ] {
        let good = made(LabelOp::Remove, "k", &[]);
        assert_eq!(before.apply(&[good, change]), Err(error));
    }
    let good = LabelChange::new(LabelOp::Add, "k", ["b"]).unwrap();
    assert_eq!(
        before.apply(&[good]).unwrap(),
        labels(json!({"k": ["a", "b"]}))
    );
    assert!(LabelChange::new(LabelOp::Add, "a b", ["b"]).is_err());
}

#[test]
fn what_a_label_may_be() {
    let longest = "k".repeat(MAX_LABEL);
    for (key, value) in [
        ("app.kubernetes.io/name", "x y"),
        ("a:b", ""),
        ("ü", "'quoted'"),
        (longest.as_str(), longest.as_str()),
    ] {
        let mut made = Labels::new();
        assert_eq!(made.insert(key.to_owned(), value.to_owned()), Ok(true));
        assert_eq!(made.insert(key.to_owned(), value.to_owned()), Ok(false));
        assert!(made.contains(key, value));
    }
    let too_long = "k".repeat(MAX_LABEL + 1);
    let k = || "k".to_owned();
    for (key, value, error) in [
        ("", "v", LabelError::EmptyKey),
        (
            "a b",
            "v",
            LabelError::KeyCharacter {
                key: "a b".to_owned(),
            },
        ),
        (
            "a\nb",
            "v",
            LabelError::KeyCharacter {
                key: "a\nb".to_owned(),
            },
        ),
        (
            "a\u{a0}b",
            "v",
            LabelError::KeyCharacter {
                key: "a\u{a0}b".to_owned(),
            },
        ),
        (
            "a\u{7f}b",
            "v",
            LabelError::KeyCharacter {
                key: "a\u{7f}b".to_owned(),
            },
        ),
        (
            &too_long,
            "v",
            LabelError::LongKey {
                start: "k".repeat(40),
            },
        ),
        ("k", &too_long, LabelError::LongValue { key: k() }),
        ("k", "a\nb", LabelError::ValueCharacter { key: k() }),
        ("k", "a\rb", LabelError::ValueCharacter { key: k() }),
        ("k", "a\0b", LabelError::ValueCharacter { key: k() }),
    ] {
        let made = Labels::from_pairs([(key.to_owned(), value.to_owned())]);
        assert_eq!(made.as_ref(), Err(&error));
        let parsed = from_value::<Labels>(json!({key: [value]})).unwrap_err();
        assert_eq!(parsed.to_string(), error.to_string());
        assert!(!error.to_string().contains('\n'));
    }
    // A bad key is bad even when it would hold nothing.
    assert!(from_value::<Labels>(json!({"a b": []})).is_err());
}

#[test]
fn on_create_doubles_are_one_and_nothing_is_nothing() {
    let made = labels(json!({"k": ["a", "a", "b"], "empty": [], "null": null}));
    assert_eq!(to_value(&made).unwrap(), json!({"k": ["a", "b"]}));
    assert_eq!(made.len(), 1);
    assert_eq!(made.pairs().collect::<Vec<_>>(), [("k", "a"), ("k", "b")]);
    assert_eq!(made.keys().collect::<Vec<_>>(), ["k"]);
    assert_eq!(made.get("empty"), None);
    assert!(from_value::<Labels>(json!({"k": "a"})).is_err());
}

#[test]
fn changes_look_on_the_wire_as_they_came() {
    let wire = json!([{"op": "remove_values", "key": "k", "values": ["a"]}, {"op": "replace", "key": "k", "values": []}]);
    assert_eq!(to_value(changes(wire.clone())).unwrap(), wire);
}

#[test]
fn it_is_a_bad_request() {
    let error = Error::from(LabelError::MissingOp);
    assert_eq!((error.status(), error.word()), (400, "BadRequest"));
}

fn any_labels() -> impl Strategy<Value = Labels> {
    vec(("[a-d]", "[x-z]?"), 0..8).prop_map(|pairs| Labels::from_pairs(pairs).unwrap())
}

fn any_change() -> impl Strategy<Value = LabelChange> {
    (select(LabelOp::ALL.to_vec()), "[a-d]", vec("[x-z]?", 1..3))
        .prop_map(|(op, key, values)| LabelChange { op, key, values })
}

proptest! {
    #[test]
    fn the_difference_leads_from_before_to_after(before in any_labels(), after in any_labels()) {
        let difference = before.difference(&after);
        prop_assert_eq!(difference.is_empty(), before == after);
        for (key, value) in difference.added.pairs() {
            prop_assert!(after.contains(key, value) && !before.contains(key, value));
        }
        for (key, value) in difference.removed.pairs() {
            prop_assert!(before.contains(key, value) && !after.contains(key, value));
        }
        prop_assert_eq!(before.apply(&difference.changes()).unwrap(), after);
    }

    /// In order: all at once is one after the other.
    #[test]
    fn changes_are_applied_in_order(before in any_labels(), changes in vec(any_change(), 0..6)) {
        let mut one_by_one = before.clone();
        for change in &changes {
            one_by_one = one_by_one.apply(std::slice::from_ref(change)).unwrap();
        }
        let at_once = before.apply(&changes).unwrap();
        prop_assert!(at_once.iter().all(|(_, values)| !values.is_empty()));
        prop_assert_eq!(at_once, one_by_one);
    }

    #[test]
    fn labels_read_as_they_print(labels in any_labels()) {
        let again: Labels = from_value(to_value(&labels).unwrap()).unwrap();
        prop_assert_eq!(again, labels);
    }
}
