//! `dig`: follows keys through maps, with a value for when there is no such way.

use qm_gotemplate::{Failure, Functions, Map, Signature, Str, Type, Value};

use crate::panics::not_a;

pub(super) fn add(to: &mut Functions) {
    let signature = Signature::variadic([], Type::Any).fails();
    to.add("dig", signature, |_, args| {
        let [keys @ .., otherwise, start] = args.all() else {
            return Err("dig needs at least three arguments".into());
        };
        if keys.is_empty() {
            return Err("dig needs at least three arguments".into());
        }
        let mut map = dict(start)?;
        // All keys are looked at before the first is followed.
        let keys = keys.iter().map(key).collect::<Result<Vec<&Str>, _>>()?;
        let Some((last, path)) = keys.split_last() else {
            return Ok(Value::Nil);
        };
        for key in path {
            match map.get(key.as_bytes()) {
                Some(next) => map = dict(&next)?,
                None => return Ok(otherwise.clone()),
            }
        }
        let found = map.get(last.as_bytes());
        Ok(found.unwrap_or_else(|| otherwise.clone()))
    });
}

fn dict(value: &Value) -> Result<Map, Failure> {
    match value {
        Value::Map(map) if *map.element() == Type::Any => Ok(map.clone()),
        Value::NilOf(of) if **of == Type::dict() => Ok(Map::new()),
        value => Err(not_a(value, "map[string]interface {}")),
    }
}

fn key(value: &Value) -> Result<&Str, Failure> {
    value.as_string().ok_or_else(|| not_a(value, "string"))
}
