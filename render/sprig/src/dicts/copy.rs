//! `deepCopy`: new maps and lists all the way down, of the same types.

use qm_gotemplate::{Failure, Functions, List, Map, Signature, Type, Value};

use crate::equal::{MAX_DEPTH, too_deep};
use crate::semver::Version;

pub(super) fn add(to: &mut Functions) {
    let one = || Signature::new([Type::Any]);
    to.add("deepCopy", one(), |_, args| top(args.get(0)));
    to.add("mustDeepCopy", one().fails(), |_, args| top(args.get(0)));
}

fn top(value: &Value) -> Result<Value, Failure> {
    if value.is_nothing() {
        return Err("reflect: call of reflect.Value.Type on zero Value".into());
    }
    copied(value, 0)
}

fn copied(value: &Value, depth: u32) -> Result<Value, Failure> {
    if depth > MAX_DEPTH {
        return Err(too_deep());
    }
    Ok(match value {
        Value::Map(map) => {
            let copy = Map::typed(map.element().clone());
            for (key, value) in map.entries() {
                copy.insert(key, copied(&value, depth + 1)?);
            }
            copy.into()
        }
        Value::List(list) => {
            let items = list.iter().map(|item| copied(item, depth + 1));
            let items = items.collect::<Result<Vec<_>, _>>()?;
            List::typed(list.element().clone(), items).into()
        }
        // The library copies exported fields only, and a version has none.
        Value::Object(object) if object.downcast_ref::<Version>().is_some() => {
            Value::object(Version::zero())
        }
        value => value.clone(),
    })
}
