//! Arithmetic with 64-bit integers, which wraps around as Go's does.

use qm_gotemplate::{Failure, Functions, Signature, Type, Value};

use crate::cast::to_int;
use crate::outside::Outside;
use crate::panics::DIVIDE_BY_ZERO;

pub(crate) fn add(to: &mut Functions, outside: &Outside) {
    let any = || Signature::variadic([], Type::Any).returns(Type::Int64);
    let first = || Signature::variadic([Type::Any], Type::Any).returns(Type::Int64);
    let pair = || Signature::new([Type::Any, Type::Any]).returns(Type::Int64);
    to.add("add", any(), |_, args| {
        let sum = args.all().iter().map(to_int).fold(0, i64::wrapping_add);
        Ok(Value::Int64(sum))
    });
    let one = Signature::new([Type::Any]).returns(Type::Int64);
    to.add("add1", one, |_, args| {
        Ok(Value::Int64(to_int(args.get(0)).wrapping_add(1)))
    });
    to.add("sub", pair(), |_, args| {
        let (left, right) = (to_int(args.get(0)), to_int(args.get(1)));
        Ok(Value::Int64(left.wrapping_sub(right)))
    });
    to.add("div", pair(), |_, args| {
        let (left, right) = (to_int(args.get(0)), divisor(args.get(1))?);
        Ok(Value::Int64(left.wrapping_div(right)))
    });
    to.add("mod", pair(), |_, args| {
        let (left, right) = (to_int(args.get(0)), divisor(args.get(1))?);
        Ok(Value::Int64(left.wrapping_rem(right)))
    });
    to.add("mul", first(), |_, args| {
        let product = args.all().iter().map(to_int).fold(1, i64::wrapping_mul);
        Ok(Value::Int64(product))
    });
    to.add("max", first(), |_, args| {
        let numbers = args.all().iter().map(to_int);
        Ok(Value::Int64(numbers.max().unwrap_or(0)))
    });
    to.alias("biggest", "max");
    to.add("min", first(), |_, args| {
        let numbers = args.all().iter().map(to_int);
        Ok(Value::Int64(numbers.min().unwrap_or(0)))
    });
    let outside = outside.clone();
    let signature = Signature::new([Type::Int, Type::Int]).returns(Type::Int);
    to.add("randInt", signature, move |_, args| {
        let (min, max) = (args.int(0), args.int(1));
        match u64::try_from(max.wrapping_sub(min)) {
            Ok(span) if span > 0 => {
                let drawn = outside.below(span)?;
                Ok(Value::Int(min.wrapping_add_unsigned(drawn)))
            }
            _ => Err("invalid argument to Intn".into()),
        }
    });
}

fn divisor(value: &Value) -> Result<i64, Failure> {
    match to_int(value) {
        0 => Err(DIVIDE_BY_ZERO.into()),
        number => Ok(number),
    }
}
