//! JSON as Go's `encoding/json` writes and reads it.

mod decode;
mod encode;

use qm_gotemplate::{Context, Failure, Functions, Signature, Str, Type, Value};

pub(crate) use decode::decode;
pub(crate) use encode::{Style, encode};

use crate::strings::text;

pub(crate) fn add(to: &mut Functions) {
    let one = || Signature::new([Type::Any]).returns(Type::String);
    // Without `must`, what cannot be written is the empty text, except for the raw form.
    to.add("toJson", one(), |context, args| {
        quiet(encoded(context, args.get(0), Style::Escaped))
    });
    to.add("toPrettyJson", one(), |context, args| {
        quiet(encoded(context, args.get(0), Style::Pretty))
    });
    to.add("toRawJson", one(), |context, args| {
        encoded(context, args.get(0), Style::Raw)
    });
    to.add("mustToJson", one().fails(), |context, args| {
        encoded(context, args.get(0), Style::Escaped)
    });
    to.add("mustToPrettyJson", one().fails(), |context, args| {
        encoded(context, args.get(0), Style::Pretty)
    });
    to.add("mustToRawJson", one().fails(), |context, args| {
        encoded(context, args.get(0), Style::Raw)
    });
    let one = || Signature::new([Type::String]);
    to.add("fromJson", one(), |context, args| {
        decoded(context, args.str(0)).map(|(value, _)| value)
    });
    to.add(
        "mustFromJson",
        one().fails(),
        |context, args| match decoded(context, args.str(0))? {
            (_, Some(error)) => Err(error.into()),
            (value, None) => Ok(value),
        },
    );
}

pub(crate) fn encoded(
    context: &Context<'_>,
    value: &Value,
    style: Style,
) -> Result<Value, Failure> {
    encode(value, style, context.limits().value_bytes).map(text)
}

/// An empty text in place of an error; limits stay errors.
pub(crate) fn quiet(result: Result<Value, Failure>) -> Result<Value, Failure> {
    result.or_else(|failure| match failure.reached() {
        Some(_) => Err(failure),
        None => Ok(Value::fixed("")),
    })
}

/// What was read, and Go's complaint about it.
pub(crate) fn decoded(
    context: &mut Context<'_>,
    source: &Str,
) -> Result<(Value, Option<String>), Failure> {
    // A value takes more room than its text: `[[],[],[]]`.
    let commas = source
        .as_bytes()
        .iter()
        .filter(|byte| matches!(byte, b',' | b'[' | b'{'));
    context.allow(source.len() + commas.count() * size_of::<Value>())?;
    decode(source.as_bytes())
}
