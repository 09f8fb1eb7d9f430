//! `call`: a function that is a value is called with values, whose types are checked here.

use crate::context::Context;
use crate::function::{Failure, Function};
use crate::types::{Type, can_be_nil};
use crate::value::Value;

/// The built-in `call`; `name` is how the template wrote the function.
pub(super) fn call(
    context: &mut Context<'_>,
    name: &str,
    callee: &Value,
    args: &mut [Value],
) -> Result<Value, Failure> {
    match callee {
        Value::Func(function) => call_value(context, name, function, args),
        Value::Missing | Value::Nil => Err("call of nil".into()),
        other => {
            let of = other.type_of().unwrap_or(Type::Any);
            Err(Failure::new(format!("non-function {name} of type {of}")))
        }
    }
}

/// Calls a function with arguments of any type.
pub(crate) fn call_value(
    context: &mut Context<'_>,
    name: &str,
    function: &Function,
    args: &mut [Value],
) -> Result<Value, Failure> {
    let signature = function.signature();
    let (given, wanted) = (args.len(), signature.params().len());
    if signature.rest().is_some() {
        if given < wanted {
            return Err(Failure::new(format!(
                "wrong number of args for {name}: got {given} want at least {wanted}"
            )));
        }
    } else if given != wanted {
        return Err(Failure::new(format!(
            "wrong number of args for {name}: got {given} want {wanted}"
        )));
    }
    for (index, arg) in args.iter_mut().enumerate() {
        let wanted = signature.param(index).unwrap_or(&Type::Any);
        *arg = prepared(std::mem::take(arg), wanted)
            .map_err(|failure| Failure::new(format!("arg {index}: {failure}")))?;
    }
    context.spend(1)?;
    function.call(context, args)
}

fn prepared(value: Value, wanted: &Type) -> Result<Value, Failure> {
    if value.is_nothing() {
        if can_be_nil(wanted) {
            return Ok(wanted.zero());
        }
        return Err(Failure::new(format!(
            "value is nil; should be of type {wanted}"
        )));
    }
    wanted.assign(value).or_else(|value| {
        converted(&value, wanted).ok_or_else(|| {
            let of = value.type_of().unwrap_or(Type::Any);
            Failure::new(format!("value has type {of}; should be {wanted}"))
        })
    })
}

/// Integers are converted to each other, cutting what does not fit.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "Go converts in the same way"
)]
fn converted(value: &Value, wanted: &Type) -> Option<Value> {
    let bits = value
        .as_signed()
        .or_else(|| value.as_unsigned().map(|n| n as i64))?;
    Some(match wanted {
        Type::Int => Value::Int(bits),
        Type::Int8 => Value::Int8(bits as i8),
        Type::Int16 => Value::Int16(bits as i16),
        Type::Int32 => Value::Int32(bits as i32),
        Type::Int64 => Value::Int64(bits),
        Type::Uint => Value::Uint(bits as u64),
        Type::Uint8 => Value::Uint8(bits as u8),
        Type::Uint16 => Value::Uint16(bits as u16),
        Type::Uint32 => Value::Uint32(bits as u32),
        Type::Uint64 => Value::Uint64(bits as u64),
        _ => return None,
    })
}
