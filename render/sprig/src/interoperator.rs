//! The functions that the interoperator puts in place of sprig's, as a layer of its own: put over
//! [`functions`](crate::functions) with `Functions::extend`.
//!
//! `toYaml`, `fromYaml` and `toToml` also belong to that layer; they come from the crate for charts,
//! which holds the YAML and TOML writers.

use qm_gotemplate::{Context, Failure, Functions, Map, Signature, Str, Type, Value};

use crate::encoding::base64;
use crate::json::{Style, decoded, encoded, quiet};
use crate::strings::{one, text};

/// The interoperator's overrides.
#[must_use]
pub fn interoperator() -> Functions {
    let mut functions = Functions::new();
    functions.add("b64enc", one(), |_, args| {
        Ok(base64::encoded(args.str(0).as_bytes()).into())
    });
    // Unlike sprig's, bad input ends the rendering.
    functions.add("b64dec", one().fails(), |_, args| {
        base64::decoded(args.str(0).as_bytes())
            .map(text)
            .map_err(|error| error.to_string().into())
    });
    let dict = Type::dict;
    let signature = Signature::new([Type::String]).returns(dict()).fails();
    functions.add("unmarshalJSON", signature, |context, args| {
        object(context, args.str(0))?.map_err(Failure::new)
    });
    let signature = Signature::new([dict()]).returns(Type::String).fails();
    functions.add("marshalJSON", signature, |context, args| {
        encoded(context, args.get(0), Style::Escaped)
    });
    let signature = Signature::new([Type::Any]).returns(Type::String);
    functions.add("toJson", signature, |context, args| {
        quiet(encoded(context, args.get(0), Style::Escaped))
    });
    let signature = Signature::new([Type::String]).returns(dict());
    functions.add("fromJson", signature, |context, args| {
        Ok(object(context, args.str(0))?
            .unwrap_or_else(|error| Map::from_iter([("Error", Value::from(error))]).into()))
    });
    functions
}

/// JSON that must be an object; `null` is a nil map. The inner error is Go's text.
fn object(context: &mut Context<'_>, source: &Str) -> Result<Result<Value, String>, Failure> {
    let (value, complaint) = decoded(context, source)?;
    if let Some(complaint) = complaint {
        return Ok(Err(complaint));
    }
    let found = match value {
        Value::Map(_) => return Ok(Ok(value)),
        Value::Nil => return Ok(Ok(Value::NilOf(Type::dict().into()))),
        Value::List(_) => "array",
        Value::String(_) => "string",
        Value::Bool(_) => "bool",
        _ => "number",
    };
    Ok(Err(format!(
        "json: cannot unmarshal {found} into Go value of type map[string]interface {{}}"
    )))
}
