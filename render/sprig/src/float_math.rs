//! Arithmetic with floats. Sums and products are made of decimal numbers, so that `0.1 + 0.2` is `0.3`.

mod decimal;
mod power;

use qm_gotemplate::{Args, Failure, Functions, Signature, Type, Value};

use crate::cast::to_float;
use decimal::Decimal;

pub(crate) fn add(to: &mut Functions) {
    let first = || Signature::variadic([Type::Any], Type::Any).returns(Type::Float64);
    let one = || Signature::new([Type::Any]).returns(Type::Float64);
    let any = Signature::variadic([], Type::Any).returns(Type::Float64);
    to.add("addf", any, |_, args| {
        let mut sum = Decimal::ZERO;
        for value in args.all() {
            sum = sum + Decimal::new(to_float(value))?;
        }
        Ok(Value::Float64(sum.to_float()))
    });
    to.add("add1f", one(), |_, args| {
        let sum = Decimal::new(to_float(args.get(0)))? + Decimal::new(1.0)?;
        Ok(Value::Float64(sum.to_float()))
    });
    to.add("subf", first(), |_, args| chain(&args, |a, b| Ok(a - b)));
    to.add("mulf", first(), |_, args| chain(&args, |a, b| Ok(a * b)));
    to.add("divf", first(), |_, args| {
        chain(&args, |a, b| a.divided_by(&b))
    });
    to.add("maxf", first(), |_, args| {
        Ok(Value::Float64(extreme(&args, f64::INFINITY, |a, b| a > b)))
    });
    to.add("minf", first(), |_, args| {
        Ok(Value::Float64(extreme(&args, f64::NEG_INFINITY, |a, b| {
            a < b
        })))
    });
    to.add("ceil", one(), |_, args| {
        Ok(Value::Float64(to_float(args.get(0)).ceil()))
    });
    to.add("floor", one(), |_, args| {
        Ok(Value::Float64(to_float(args.get(0)).floor()))
    });
    let signature = Signature::variadic([Type::Any, Type::Int], Type::Float64);
    to.add("round", signature.returns(Type::Float64), |_, args| {
        let up_from = if args.len() > 2 { args.float(2) } else { 0.5 };
        let scale = power::ten_to(args.int(1));
        let shifted = scale * to_float(args.get(0));
        // Go's rest of an infinity is NaN, and NaN is never large enough.
        let rest = shifted - shifted.trunc();
        let whole = if rest >= up_from {
            shifted.ceil()
        } else {
            shifted.floor()
        };
        Ok(Value::Float64(whole / scale))
    });
}

/// The first number, and every further one applied to it.
fn chain(
    args: &Args<'_>,
    step: impl Fn(Decimal, Decimal) -> Result<Decimal, Failure>,
) -> Result<Value, Failure> {
    let mut result = Decimal::new(to_float(args.get(0)))?;
    for value in args.rest(1) {
        result = step(result, Decimal::new(to_float(value))?)?;
    }
    Ok(Value::Float64(result.to_float()))
}

/// `math.Max` and `math.Min` in a row: the infinity that beats all wins over NaN, NaN over the rest,
/// and of two zeros the sign counts.
fn extreme(args: &Args<'_>, best: f64, better: impl Fn(f64, f64) -> bool) -> f64 {
    let mut result = to_float(args.get(0));
    for value in args.rest(1) {
        let number = to_float(value);
        #[allow(clippy::float_cmp, reason = "the infinity itself is meant")]
        let decided = result == best || number == best;
        result = if decided {
            best
        } else if result.is_nan() || number.is_nan() {
            f64::NAN
        } else if result == 0.0 && number == 0.0 {
            if better(1.0 / result, 1.0 / number) {
                result
            } else {
                number
            }
        } else if better(number, result) {
            number
        } else {
            result
        };
    }
    result
}
