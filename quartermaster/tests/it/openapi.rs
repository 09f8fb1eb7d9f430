//! `quartermaster openapi`: the description is whole, committed and served.

use crate::harness::{Engine, Manager};
use serde_json::Value;
use std::path::Path;

/// The document as the executable prints it.
pub(crate) fn document() -> Value {
    let program = crate::harness::setup::executable().arg("openapi");
    let output = program.command().output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Every route: method in upper case, and path.
pub(crate) fn routes(document: &Value) -> Vec<(String, String)> {
    let mut routes = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys() {
            if ["get", "put", "post", "patch", "delete"].contains(&method.as_str()) {
                routes.push((method.to_uppercase(), path.clone()));
            }
        }
    }
    routes.sort();
    routes
}

#[test]
fn the_document_is_whole() {
    let document = document();
    assert!(document["openapi"].as_str().unwrap().starts_with("3."));
    assert!(routes(&document).len() > 40);
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let mut references = Vec::new();
    collect(&document, &mut references);
    for reference in references {
        let name = reference.strip_prefix("#/components/schemas/");
        let name = name.unwrap_or_else(|| panic!("{reference}"));
        assert!(schemas.contains_key(name), "{reference} leads nowhere");
    }
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let Some(responses) = operation.get("responses") else {
                continue;
            };
            assert!(
                !responses.as_object().unwrap().is_empty(),
                "{method} {path}"
            );
            for part in path.split('/').filter(|part| part.starts_with('{')) {
                let name = part.trim_matches(['{', '}']);
                let described = operation["parameters"]
                    .as_array()
                    .is_some_and(|list| list.iter().any(|parameter| parameter["name"] == name));
                assert!(described, "{method} {path} does not describe {name}");
            }
        }
    }
}

fn collect(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            if let Some(Value::String(reference)) = map.get("$ref") {
                references.push(reference.clone());
            }
            map.values().for_each(|value| collect(value, references));
        }
        Value::Array(list) => list.iter().for_each(|value| collect(value, references)),
        _ => {}
    }
}

#[test]
fn the_committed_document_is_fresh() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let committed = root.join("docs/openapi.json");
    let text = std::fs::read_to_string(&committed).unwrap();
    let committed: Value = serde_json::from_str(&text).unwrap();
    // Not `assert_eq`: nobody wants to read both.
    assert!(
        committed == document(),
        "docs/openapi.json is not what `quartermaster openapi` prints; run `cargo xtask generate`"
    );
}

#[tokio::test]
async fn the_manager_serves_the_same_document() {
    let manager = Manager::start(Engine::Sqlite).await;
    let served = manager.anybody().get("/openapi.json").await.expect(200);
    assert_eq!(served["paths"], document()["paths"]);
}
