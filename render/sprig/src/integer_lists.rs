//! Lists of integers: `until`, `untilStep`, and `seq`, which writes them as text.

use qm_gotemplate::{Context, Failure, Functions, List, Signature, Type, Value};

pub(crate) fn add(to: &mut Functions) {
    let ints = || Type::slice(Type::Int);
    let signature = Signature::new([Type::Int]).returns(ints());
    to.add("until", signature, |context, args| {
        let count = args.int(0);
        let step = if count < 0 { -1 } else { 1 };
        Ok(List::ints(steps(context, 0, count, step)?).into())
    });
    let signature = Signature::new([Type::Int, Type::Int, Type::Int]).returns(ints());
    to.add("untilStep", signature, |context, args| {
        let numbers = steps(context, args.int(0), args.int(1), args.int(2))?;
        Ok(List::ints(numbers).into())
    });
    let signature = Signature::variadic([], Type::Int).returns(Type::String);
    to.add("seq", signature, |context, args| {
        let asked: Vec<i64> = (0..args.len()).map(|index| args.int(index)).collect();
        let (start, step, end) = match asked[..] {
            [end] => (1, if end < 1 { -1 } else { 1 }, end),
            [start, end] => (start, if end < start { -1 } else { 1 }, end),
            [start, step, end] if end >= start || step <= 0 => (start, step, end),
            _ => return Ok(Value::fixed("")),
        };
        // The end belongs to it.
        let beyond = end.wrapping_add(if end < start { -1 } else { 1 });
        let numbers = steps(context, start, beyond, step)?;
        let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
        Ok(texts.join(" ").into())
    });
}

/// From `start` to before `stop`.
fn steps(context: &mut Context<'_>, start: i64, stop: i64, step: i64) -> Result<Vec<i64>, Failure> {
    let span = i128::from(stop) - i128::from(start);
    if step == 0 || span == 0 || (span < 0) != (step < 0) {
        return Ok(Vec::new());
    }
    let step = i128::from(step);
    let count = (span.unsigned_abs()).div_ceil(step.unsigned_abs());
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    context.allow(count.saturating_mul(size_of::<Value>()))?;
    let numbers = (0..count).map(|index| {
        let number = i128::from(start) + step * i128::try_from(index).unwrap_or(0);
        i64::try_from(number).unwrap_or(0)
    });
    Ok(numbers.collect())
}
