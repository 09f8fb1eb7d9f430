//! What to take when something is empty. Empty is what Go's `if` holds for false.

use qm_gotemplate::{Functions, Signature, Type, Value};

pub(crate) fn add(to: &mut Functions) {
    let signature = Signature::variadic([Type::Any], Type::Any);
    to.add("default", signature, |_, mut args| {
        let given = args.len() > 1 && args.get(1).is_true();
        Ok(args.take(usize::from(given)))
    });
    let signature = Signature::new([Type::Any]).returns(Type::Bool);
    to.add("empty", signature, |_, args| {
        Ok(Value::Bool(!args.get(0).is_true()))
    });
    let any = || Signature::variadic([], Type::Any);
    to.add("coalesce", any(), |_, args| {
        let found = args.all().iter().find(|value| value.is_true());
        Ok(found.cloned().unwrap_or(Value::Nil))
    });
    to.add("all", any().returns(Type::Bool), |_, args| {
        Ok(Value::Bool(args.all().iter().all(Value::is_true)))
    });
    to.add("any", any().returns(Type::Bool), |_, args| {
        Ok(Value::Bool(args.all().iter().any(Value::is_true)))
    });
    let signature = Signature::new([Type::Any, Type::Any, Type::Bool]);
    to.add("ternary", signature, |_, mut args| {
        let index = usize::from(!args.bool(2));
        Ok(args.take(index))
    });
}
