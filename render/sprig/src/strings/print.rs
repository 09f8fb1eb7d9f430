//! Values written into a text: quoted, or one after the other.

use qm_gotemplate::{Context, Failure, Functions, Signature, Type, Value, fmt};

use super::text;
use crate::strval::strval;

pub(super) fn add(to: &mut Functions) {
    let any = || Signature::variadic([], Type::Any).returns(Type::String);
    to.add("quote", any(), |context, args| {
        let mut values = Vec::with_capacity(args.len());
        for value in args.all().iter().filter(|value| !value.is_nothing()) {
            values.push(Value::String(strval(context, value)?));
        }
        spaced(context, "%q", &values)
    });
    to.add("squote", any(), |context, args| {
        spaced(context, "'%v'", &there(args.all()))
    });
    to.add("cat", any(), |context, args| {
        spaced(context, "%v", &there(args.all()))
    });
}

fn there(values: &[Value]) -> Vec<Value> {
    let there = values.iter().filter(|value| !value.is_nothing());
    there.cloned().collect()
}

/// Each value by the same verb, with a space between them.
fn spaced(context: &Context<'_>, verb: &str, values: &[Value]) -> Result<Value, Failure> {
    let format = vec![verb; values.len()].join(" ");
    let limit = context.limits().value_bytes;
    fmt::sprintf(format.as_bytes(), values, limit).map(text)
}
