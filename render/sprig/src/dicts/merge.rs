//! `merge` and `mergeOverwrite`: entries of further maps go into the first one, map into map. Without
//! overwriting, what is there and not empty stays; lists are never joined.

use qm_gotemplate::{Context, Failure, Functions, Map, Signature, Type, Value};

use crate::equal::{MAX_DEPTH, too_deep};

pub(super) fn add(to: &mut Functions) {
    for (name, overwrite) in [
        ("merge", false),
        ("mustMerge", false),
        ("mergeOverwrite", true),
        ("mustMergeOverwrite", true),
    ] {
        let signature = Signature::variadic([Type::dict()], Type::dict());
        let signature = if name.starts_with("must") {
            signature.fails()
        } else {
            signature
        };
        to.add(name, signature, move |context, mut args| {
            let mut target = args.take(0);
            for index in 1..args.len() {
                let Value::Map(source) = args.get(index) else {
                    continue;
                };
                if target.as_map().is_none() {
                    target = Map::new().into();
                }
                if let Value::Map(target) = &target {
                    into(context, target, source, overwrite, 0)?;
                }
            }
            Ok(target)
        });
    }
}

fn into(
    context: &mut Context<'_>,
    target: &Map,
    source: &Map,
    overwrite: bool,
    depth: u32,
) -> Result<(), Failure> {
    if depth > MAX_DEPTH {
        return Err(too_deep());
    }
    for (key, value) in source.entries() {
        context.spend(1)?;
        if value.is_nothing() {
            if overwrite {
                put(target, &key, value, source)?;
            }
            continue;
        }
        let there = target.get(key.as_bytes());
        if let (Value::Map(from), Some(Value::Map(to))) = (&value, &there) {
            into(context, to, from, overwrite, depth + 1)?;
            if !to.is_empty() {
                continue;
            }
        }
        if overwrite || there.is_none_or(|there| is_empty(&there)) {
            put(target, &key, value, source)?;
        }
    }
    Ok(())
}

/// Empty as the merging library sees it: a complex zero and objects are not.
fn is_empty(value: &Value) -> bool {
    !matches!(value, Value::Complex(..)) && !value.is_true()
}

fn put(target: &Map, key: &qm_gotemplate::Str, value: Value, source: &Map) -> Result<(), Failure> {
    let (wanted, given) = (target.element(), source.element());
    if *wanted != Type::Any && wanted != given {
        return Err(format!(
            "reflect.Value.SetMapIndex: value of type {given} is not assignable to type {wanted}"
        )
        .into());
    }
    target.insert(key.clone(), value);
    Ok(())
}
