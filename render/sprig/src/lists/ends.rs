//! The first and the last element, what is left without it, and adding one at either end.

use qm_gotemplate::{Functions, Signature, Type, Value};

use super::both;
use crate::items::{nil_list, wanted};

pub(super) fn add(to: &mut Functions) {
    let one = || Signature::new([Type::Any]);
    let two = || Signature::new([Type::Any, Type::Any]).returns(Type::list());
    both(to, "first", one(), |_, args| {
        let list = wanted(args.get(0), "Cannot find first on type")?;
        Ok(list.get(0).cloned().unwrap_or(Value::Nil))
    });
    both(to, "last", one(), |_, args| {
        let list = wanted(args.get(0), "Cannot find last on type")?;
        Ok(list.as_slice().last().cloned().unwrap_or(Value::Nil))
    });
    both(to, "rest", one().returns(Type::list()), |_, args| {
        let list = wanted(args.get(0), "Cannot find rest on type")?;
        Ok(match list.as_slice() {
            [] => nil_list(),
            [_, rest @ ..] => rest.to_vec().into(),
        })
    });
    both(to, "initial", one().returns(Type::list()), |_, args| {
        let list = wanted(args.get(0), "Cannot find initial on type")?;
        Ok(match list.as_slice() {
            [] => nil_list(),
            [initial @ .., _] => initial.to_vec().into(),
        })
    });
    both(to, "push", two(), |_, mut args| {
        let list = wanted(args.get(0), "Cannot push on type")?;
        let mut items = Vec::with_capacity(list.len() + 1);
        items.extend_from_slice(list.as_slice());
        items.push(args.take(1));
        Ok(items.into())
    });
    to.alias("append", "push").alias("mustAppend", "mustPush");
    both(to, "prepend", two(), |_, mut args| {
        let list = wanted(args.get(0), "Cannot prepend on type")?;
        let mut items = Vec::with_capacity(list.len() + 1);
        items.push(args.take(1));
        items.extend_from_slice(list.as_slice());
        Ok(items.into())
    });
}
