//! The text of a context that is signed: JSON without spaces, the keys of every object in the order of their
//! bytes.
//!
//! The rule: the order is made here and is not left to the map, whose order a feature of its library changes.

use quartermaster_osb::Object;
use serde_json::Value;
use std::collections::BTreeMap;

pub(super) fn text(context: &Object) -> String {
    let mut text = String::with_capacity(256);
    object(context, &mut text);
    text
}

fn object(fields: &Object, text: &mut String) {
    let sorted: BTreeMap<&String, &Value> = fields.iter().collect();
    text.push('{');
    for (index, (key, field)) in sorted.into_iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        // The writer of JSON texts knows what to escape.
        text.push_str(&Value::from(key.as_str()).to_string());
        text.push(':');
        value(field, text);
    }
    text.push('}');
}

fn value(value_: &Value, text: &mut String) {
    match value_ {
        Value::Object(fields) => object(fields, text),
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                value(item, text);
            }
            text.push(']');
        }
        plain => text.push_str(&plain.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_in_order_at_every_level_and_nothing_else_changes() {
        let given =
            r#"{"platform":"cf","b":{"z":[{"y":1,"x":null}],"a":-1.5},"B":"é\"\n<&>","a\"b":true}"#;
        let Value::Object(context) = serde_json::from_str(given).unwrap() else {
            panic!("no object");
        };
        assert_eq!(
            text(&context),
            r#"{"B":"é\"\n<&>","a\"b":true,"b":{"a":-1.5,"z":[{"x":null,"y":1}]},"platform":"cf"}"#
        );
    }
}
