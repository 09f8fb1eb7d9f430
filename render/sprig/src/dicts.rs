//! Functions on maps. Those that change a map change the one that the template holds, as in Go.

mod copy;
mod dig;
mod merge;

use qm_gotemplate::{Args, Failure, Functions, List, Map, Signature, Type, Value};

use crate::strval::strval;

pub(crate) fn add(to: &mut Functions) {
    let dict = Type::dict;
    let signature = Signature::variadic([], Type::Any).returns(dict());
    to.add("dict", signature, |context, args| {
        let map = Map::new();
        for pair in args.all().chunks(2) {
            let key = strval(context, &pair[0])?;
            // A key without a value has the empty string.
            let value = pair.get(1).cloned().unwrap_or(Value::fixed(""));
            map.insert(key, value);
        }
        Ok(map.into())
    });
    let signature = Signature::new([dict(), Type::String]);
    to.add("get", signature, |_, args| {
        let value = args.map(0).get(args.str(1).as_bytes());
        Ok(value.unwrap_or(Value::fixed("")))
    });
    let signature = Signature::new([dict(), Type::String, Type::Any]).returns(dict());
    to.add("set", signature, |_, mut args| {
        let map = writable(&args)?;
        let value = args.take(2);
        map.insert(args.str(1).clone(), value);
        Ok(map.into())
    });
    let signature = Signature::new([dict(), Type::String]).returns(dict());
    to.add("unset", signature, |_, mut args| {
        args.map(0).remove(args.str(1).as_bytes());
        Ok(args.take(0))
    });
    let signature = Signature::new([dict(), Type::String]).returns(Type::Bool);
    to.add("hasKey", signature, |_, args| {
        Ok(Value::Bool(
            args.map(0).contains_key(args.str(1).as_bytes()),
        ))
    });
    let signature = Signature::variadic([Type::String], dict()).returns(Type::list());
    to.add("pluck", signature, |_, args| {
        let key = args.str(0).as_bytes();
        let maps = (1..args.len()).map(|index| args.map(index));
        let found: Vec<Value> = maps.filter_map(|map| map.get(key)).collect();
        Ok(found.into())
    });
    // Go's order is random; ours is sorted.
    let signature = Signature::variadic([], dict()).returns(Type::strings());
    to.add("keys", signature, |_, args| {
        let keys = (0..args.len()).flat_map(|index| args.map(index).keys());
        Ok(List::strings(keys).into())
    });
    let signature = Signature::new([dict()]).returns(Type::list());
    to.add("values", signature, |_, args| {
        Ok(args.map(0).values().into())
    });
    let chosen = || Signature::variadic([dict()], Type::String).returns(dict());
    to.add("pick", chosen(), |_, args| {
        let (map, kept) = (args.map(0), Map::new());
        for index in 1..args.len() {
            let key = args.str(index);
            if let Some(value) = map.get(key.as_bytes()) {
                kept.insert(key.clone(), value);
            }
        }
        Ok(kept.into())
    });
    to.add("omit", chosen(), |_, args| {
        let kept = args.map(0).shallow_copy();
        for index in 1..args.len() {
            kept.remove(args.str(index).as_bytes());
        }
        Ok(kept.into())
    });
    copy::add(to);
    dig::add(to);
    merge::add(to);
}

/// The first argument as a map that can take an entry: a nil map cannot.
fn writable(args: &Args<'_>) -> Result<Map, Failure> {
    match args.get(0) {
        Value::Map(map) => Ok(map.clone()),
        _ => Err("assignment to entry in nil map".into()),
    }
}
