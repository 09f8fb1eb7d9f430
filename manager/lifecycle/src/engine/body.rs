//! Reads what the manager must know of a platform's request, and nothing more.

use qm_model::Error;
use qm_store::{Store, deed};
use quartermaster_osb::Object;
use serde_json::Value;

/// A text field; absent when it is empty or something else.
pub(crate) fn text<'a>(body: &'a Object, key: &str) -> Option<&'a str> {
    body.get(key)
        .and_then(Value::as_str)
        .filter(|text| !text.is_empty())
}

/// An object field.
pub(crate) fn object<'a>(body: &'a Object, key: &str) -> Option<&'a Object> {
    body.get(key).and_then(Value::as_object)
}

/// What a field holds, unless it is null.
pub(crate) fn value(body: &Object, key: &str) -> Option<Value> {
    body.get(key).filter(|value| !value.is_null()).cloned()
}

/// The platform's context as it is kept: without what brokers sign or are signed.
pub(crate) fn context(body: &Object) -> Option<Value> {
    let mut context = object(body, "context")?.clone();
    context.remove("signature");
    Some(Value::Object(context))
}

/// The fingerprint of those fields of a request that tell it from another for the same id. Parameters are secrets:
/// only the store's keyed hash of them is kept.
///
/// # Errors
/// Ours: what was read can be written.
pub(crate) fn fingerprint(
    store: &Store,
    broker: &str,
    body: &Object,
    keys: &[&str],
) -> Result<Vec<u8>, Error> {
    let mut parts = vec![broker.as_bytes().to_vec()];
    for key in keys {
        let part = match body.get(*key) {
            // Absent, null and empty mean the same.
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Object(object)) if object.is_empty() => Vec::new(),
            Some(value) => serde_json::to_vec(value).map_err(Error::internal)?,
        };
        parts.push(part);
    }
    let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    Ok(deed::fingerprint(store, &parts))
}
