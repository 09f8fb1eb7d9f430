//! Strings to lists of strings and back.

use qm_gotemplate::{Functions, List, Map, Signature, Str, Type, Value};

use crate::items::items;
use crate::runes::{find, first_width};
use crate::strings::text;
use crate::strval::{strslice, strval};

pub(crate) fn add(to: &mut Functions) {
    let signature = Signature::new([Type::String, Type::Any]).returns(Type::String);
    to.add("join", signature, |context, args| {
        let parts = strslice(context, args.get(1))?;
        let separator = args.str(0).as_bytes();
        let size: usize = parts.iter().map(|part| part.len() + separator.len()).sum();
        context.allow(size)?;
        let mut out = Vec::with_capacity(size);
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                out.extend_from_slice(separator);
            }
            out.extend_from_slice(part.as_bytes());
        }
        Ok(text(out))
    });
    let signature = || Signature::new([Type::Any]).returns(Type::strings());
    to.add("sortAlpha", signature(), |context, args| {
        let value = args.get(0);
        if items(value).is_none() {
            return Ok(List::strings([strval(context, value)?]).into());
        }
        let mut texts = strslice(context, value)?;
        texts.sort();
        Ok(List::strings(texts).into())
    });
    to.add("toStrings", signature(), |context, args| {
        if let Value::NilOf(of) = args.get(0)
            && **of == Type::strings()
        {
            return Ok(args.get(0).clone());
        }
        Ok(List::strings(strslice(context, args.get(0))?).into())
    });
    let pair = || Signature::new([Type::String, Type::String]);
    to.add("splitList", pair().returns(Type::strings()), |_, args| {
        let parts = split(args.str(1), args.str(0), -1);
        Ok(List::strings(parts).into())
    });
    to.add(
        "split",
        pair().returns(Type::map(Type::String)),
        |_, args| Ok(numbered(split(args.str(1), args.str(0), -1))),
    );
    let signature = Signature::new([Type::String, Type::Int, Type::String]);
    to.add(
        "splitn",
        signature.returns(Type::map(Type::String)),
        |_, args| Ok(numbered(split(args.str(2), args.str(0), args.int(1)))),
    );
}

/// The parts under the keys `_0`, `_1` and so on.
fn numbered(parts: Vec<Str>) -> Value {
    let map = Map::typed(Type::String);
    for (index, part) in parts.into_iter().enumerate() {
        map.insert(format!("_{index}"), Value::String(part));
    }
    map.into()
}

/// `strings.SplitN`: at most `limit` parts, all when it is negative. An empty separator stands
/// between all letters.
pub(crate) fn split(source: &Str, separator: &Str, limit: i64) -> Vec<Str> {
    if limit == 0 {
        return Vec::new();
    }
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let separator = separator.as_bytes();
    let mut rest = source.as_bytes();
    let mut parts = Vec::new();
    if separator.is_empty() && rest.is_empty() {
        return parts;
    }
    while parts.len() + 1 < limit {
        let (end, next) = if separator.is_empty() {
            let width = first_width(rest);
            if width == rest.len() {
                break;
            }
            (width, width)
        } else {
            match find(rest, separator) {
                Some(at) => (at, at + separator.len()),
                None => break,
            }
        };
        parts.push(Str::from_bytes(rest[..end].to_vec()));
        rest = &rest[next..];
    }
    parts.push(Str::from_bytes(rest.to_vec()));
    parts
}
