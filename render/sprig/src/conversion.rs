//! One type made another.

use qm_gotemplate::{Functions, Signature, Type, Value};

use crate::cast::{parse_int, to_float, to_int};
use crate::strval::{sprint, strval};

pub(crate) fn add(to: &mut Functions) {
    let one = |result| Signature::new([Type::Any]).returns(result);
    to.add("toString", one(Type::String), |context, args| {
        strval(context, args.get(0)).map(Value::String)
    });
    to.add("int", one(Type::Int), |_, args| {
        Ok(Value::Int(to_int(args.get(0))))
    });
    to.add("int64", one(Type::Int64), |_, args| {
        Ok(Value::Int64(to_int(args.get(0))))
    });
    to.add("float64", one(Type::Float64), |_, args| {
        Ok(Value::Float64(to_float(args.get(0))))
    });
    // An octal number, as file modes are written.
    to.add("toDecimal", one(Type::Int64), |context, args| {
        let text = sprint(context, args.get(0))?;
        Ok(Value::Int64(parse_int(&text.to_text(), 8).unwrap_or(0)))
    });
    let signature = Signature::new([Type::String]).returns(Type::Int);
    to.add("atoi", signature, |_, args| {
        Ok(Value::Int(atoi(&args.text(0))))
    });
}

/// `strconv.Atoi` without its error: a number that does not fit is the nearest one that does.
pub(crate) fn atoi(text: &str) -> i64 {
    if let Some(number) = parse_int(text, 10) {
        return number;
    }
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    match !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        false => 0,
        true if text.starts_with('-') => i64::MIN,
        true => i64::MAX,
    }
}
