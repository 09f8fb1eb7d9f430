//! Any text as a template, executed on some data. Nothing panics, an error says where in one message,
//! and what is rendered stays within the limits.

#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use qm_gotemplate::{Functions, Limits, Numbers, TemplateSet, Value};

const LIMITS: Limits = Limits {
    depth: 100,
    calls: 1_000,
    steps: 20_000,
    output_bytes: 1 << 16,
    value_bytes: 1 << 16,
    memory_bytes: 1 << 20,
};

fuzz_target!(|text: &str| {
    let mut set = TemplateSet::new(Arc::new(Functions::new())).limits(LIMITS);
    if let Err(error) = set.parse("t", text) {
        assert!(error.to_string().starts_with("template: t:"));
        return;
    }
    let data = serde_json::json!({"a": 1, "b": {"c": "é", "d": null}, "l": [1, "x", [2.5]]});
    match set.execute("t", Value::from_json(&data, Numbers::Int64)) {
        Ok(output) => assert!(output.len() <= 3 * LIMITS.output_bytes),
        Err(error) => assert!(error.to_string().starts_with("template: ")),
    }
});
