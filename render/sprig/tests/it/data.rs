//! The data of all golden cases, the same as the oracle's, and a way to render with it.

use std::sync::Arc;

use qm_gotemplate::{Functions, JsonNumber, List, Map, Numbers, Str, TemplateSet, Type, Value};
use qm_sprig::{Moment, Outside};
use serde_json::json;

/// A clock that stands still, and bytes from a small generator, so that every run is the same.
pub(crate) fn outside() -> Outside {
    let state = std::sync::Mutex::new(0x9e37_79b9_7f4a_7c15_u64);
    Outside::new(
        || Moment {
            seconds: 1_600_000_000,
            nanos: 123_456_789,
        },
        move |buffer| {
            let mut state = state.lock().unwrap();
            for byte in buffer {
                *state ^= *state << 13;
                *state ^= *state >> 7;
                *state ^= *state << 17;
                *byte = state.to_le_bytes()[3];
            }
            Ok(())
        },
    )
}

pub(crate) fn functions() -> Functions {
    qm_sprig::functions(&outside())
}

pub(crate) fn data() -> Value {
    let from_json = json!({
        "name": "web", "n": 3, "f": 1.5, "big": 1_000_000, "list": [1, "a", null, true, [2, 3]],
        "map": {"b": 2, "a": {"c": "d"}}, "null": null, "empty": {}, "none": [], "t": true,
        "no": false, "zero": 0, "blank": ""
    });
    let dicts = Map::typed(Type::String);
    dicts.insert("k", "v");
    let entries: [(&str, Value); 23] = [
        ("j", Value::from_json(&from_json, Numbers::Float64)),
        ("i", Value::Int(42)),
        ("i8", Value::Int8(-8)),
        ("i16", Value::Int16(-16)),
        ("i32", Value::Int32(-32)),
        ("i64", Value::Int64(-64)),
        ("u", Value::Uint(42)),
        ("u8", Value::Uint8(8)),
        ("u16", Value::Uint16(16)),
        ("u32", Value::Uint32(32)),
        ("u64", Value::Uint64(u64::MAX)),
        ("f32", Value::Float32(0.1)),
        ("f64", Value::Float64(-2.75)),
        ("s", "text".into()),
        ("strs", List::strings(["b", "a", "c"]).into()),
        ("ints", List::ints([3, 1, 2]).into()),
        (
            "floats",
            List::typed(Type::Float64, vec![1.5.into(), 2.0.into(), 2.5.into()]).into(),
        ),
        ("dicts", dicts.into()),
        ("nildict", Value::NilOf(Type::dict().into())),
        ("nillist", Value::NilOf(Type::list().into())),
        ("bytes", Value::Bytes((*b"raw").into())),
        ("number", Value::object(JsonNumber("12.0".into()))),
        ("raw", Value::String(Str::from_bytes(b"a\xffb".to_vec()))),
    ];
    Map::from_iter(entries).into()
}

/// What a template gives, or the error's text.
pub(crate) fn render_with(functions: Functions, template: &str) -> Result<String, String> {
    let mut set = TemplateSet::new(Arc::new(functions));
    set.parse("t", template)
        .map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    set.run("t")
        .data(data())
        .write(&mut out)
        .map_err(|error| error.to_string())?;
    // As JSON holds it in the golden files.
    Ok(out
        .utf8_chunks()
        .map(|chunk| {
            let broken = "\u{fffd}".repeat(chunk.invalid().len());
            format!("{}{broken}", chunk.valid())
        })
        .collect())
}

pub(crate) fn render(template: &str) -> Result<String, String> {
    render_with(functions(), template)
}
