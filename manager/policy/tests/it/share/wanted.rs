//! What the parameters of a reference ask for.

use super::verdict;
use qm_model::query::{LabelCriterion, LabelTest};
use qm_policy::share::{Selectors, Wanted, chosen, unchanged, wanted};
use serde_json::{Value, json};

const WRONG: &str = "400 BadRequest reference-parameters";

#[test]
fn an_id_or_the_only_one_or_selectors() {
    let is = |key: &str, value: &str| LabelCriterion {
        key: key.to_owned(),
        test: LabelTest::Eq(value.to_owned()),
    };
    let rows = [
        (
            json!({"referenced_instance_id": "abc"}),
            Wanted::Id("abc".to_owned()),
        ),
        (
            json!({"referenced_instance_id": "abc", "selectors": null}),
            Wanted::Id("abc".to_owned()),
        ),
        (
            json!({"referenced_instance_id": "*"}),
            Wanted::Like(Selectors::default()),
        ),
        (
            json!({"selectors": {"instance_name_selector": "n"}}),
            Wanted::Like(Selectors {
                name: Some("n".to_owned()),
                ..Selectors::default()
            }),
        ),
        (
            json!({"selectors": {
                "instance_name_selector": "n",
                "plan_name_selector": "p",
                "instance_label_selector": ["a eq '1'", "b eq '2' and c eq '3'"],
            }}),
            Wanted::Like(Selectors {
                name: Some("n".to_owned()),
                plan: Some("p".to_owned()),
                labels: vec![is("a", "1"), is("b", "2"), is("c", "3")],
            }),
        ),
    ];
    for (parameters, meant) in rows {
        assert_eq!(
            wanted(parameters.as_object()).unwrap(),
            meant,
            "{parameters}"
        );
    }
}

#[test]
fn anything_else_is_refused_without_being_repeated() {
    let rows = [
        Value::Null,
        json!({}),
        json!({"other": "hunter2"}),
        json!({"referenced_instance_id": "a", "selectors": {"plan_name_selector": "p"}}),
        json!({"referenced_instance_id": ""}),
        json!({"referenced_instance_id": 5}),
        json!({"selectors": "hunter2"}),
        json!({"selectors": {}}),
        json!({"selectors": {"hunter2": "p"}}),
        json!({"selectors": {"plan_name_selector": ""}}),
        json!({"selectors": {"plan_name_selector": ["hunter2"]}}),
        json!({"selectors": {"instance_label_selector": "hunter2 eq '1'"}}),
        json!({"selectors": {"instance_label_selector": []}}),
        json!({"selectors": {"instance_label_selector": ["hunter2"]}}),
        json!({"selectors": {"instance_label_selector": ["a eq '1'", 5]}}),
        json!({"selectors": {"instance_label_selector": ["a eq '1'", "a eq '2'"]}}),
    ];
    for parameters in rows {
        let refused = wanted(parameters.as_object());
        if let Err(refusal) = &refused {
            assert!(!refusal.to_string().contains("hunter2"), "{refusal}");
        }
        assert_eq!(verdict(refused), WRONG, "{parameters}");
    }
}

#[test]
fn one_is_chosen_none_and_several_are_told_apart() {
    assert_eq!(chosen(vec![7]).unwrap(), 7);
    assert_eq!(
        verdict(chosen::<i32>(vec![])),
        "404 NotFound reference-choice"
    );
    assert_eq!(
        verdict(chosen(vec![7, 8])),
        "404 BadRequest reference-choice"
    );
}

#[test]
fn a_reference_keeps_what_it_refers_to() {
    let rows = [
        (Value::Null, "ok"),
        (json!({}), "ok"),
        (json!({"referenced_instance_id": "x"}), "ok"),
        (json!({"selectors": null}), "ok"),
        (json!({"referenced_instance_id": "y"}), WRONG),
        (json!({"referenced_instance_id": "*"}), WRONG),
        (json!({"referenced_instance_id": "x", "more": 1}), WRONG),
        (json!({"selectors": {"plan_name_selector": "p"}}), WRONG),
    ];
    for (parameters, meant) in rows {
        let result = unchanged(parameters.as_object(), "x");
        assert_eq!(verdict(result), meant, "{parameters}");
    }
}
