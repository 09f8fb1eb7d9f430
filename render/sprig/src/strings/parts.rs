//! Parts of a text, repeating, replacing and indenting.

use qm_gotemplate::{Context, Failure, Functions, Signature, Type, Value};

use super::text;
use crate::panics::bounds;
use crate::runes::{find, first_width, runes};

pub(super) fn add(to: &mut Functions) {
    let counted = || Signature::new([Type::Int, Type::String]).returns(Type::String);
    to.add("trunc", counted(), |_, args| {
        let (count, source) = (args.int(0), args.str(1));
        let length = i64::try_from(source.len()).unwrap_or(i64::MAX);
        Ok(if count < 0 && length + count > 0 {
            text(source.as_bytes()[from(length + count)..].to_vec())
        } else if count >= 0 && length > count {
            text(source.as_bytes()[..from(count)].to_vec())
        } else {
            Value::String(source.clone())
        })
    });
    let signature = Signature::new([Type::Int, Type::Int, Type::String]).returns(Type::String);
    to.add("substr", signature, |_, args| {
        let (start, end, source) = (args.int(0), args.int(1), args.str(2).as_bytes());
        let length = source.len();
        let (start, end) = if start < 0 {
            bounds(None, Some(end), length)?
        } else if end < 0 || usize::try_from(end).is_ok_and(|end| end > length) {
            bounds(Some(start), None, length)?
        } else {
            bounds(Some(start), Some(end), length)?
        };
        Ok(text(source[start..end].to_vec()))
    });
    to.add("repeat", counted(), |context, args| {
        repeated(context, args.str(1).as_bytes(), args.int(0)).map(text)
    });
    to.add("indent", counted(), |context, args| {
        indented(context, "", args.int(0), args.str(1).as_bytes())
    });
    to.add("nindent", counted(), |context, args| {
        indented(context, "\n", args.int(0), args.str(1).as_bytes())
    });
    let signature = || Signature::new([Type::String, Type::String, Type::String]);
    to.add(
        "replace",
        signature().returns(Type::String),
        |context, args| {
            let (old, new, source) = (args.str(0), args.str(1), args.str(2));
            replaced(context, source.as_bytes(), old.as_bytes(), new.as_bytes()).map(text)
        },
    );
    let signature = Signature::new([Type::String, Type::String, Type::Int]);
    to.add("plural", signature.returns(Type::String), |_, mut args| {
        let one = args.int(2) == 1;
        Ok(args.take(usize::from(!one)))
    });
}

/// A number that is known to be inside a text.
fn from(position: i64) -> usize {
    usize::try_from(position).unwrap_or(0)
}

/// `strings.Repeat`.
fn repeated(context: &mut Context<'_>, part: &[u8], count: i64) -> Result<Vec<u8>, Failure> {
    let Ok(count) = usize::try_from(count) else {
        return Err("strings: negative Repeat count".into());
    };
    context.allow(part.len().saturating_mul(count))?;
    Ok(part.repeat(count))
}

fn indented(
    context: &mut Context<'_>,
    before: &str,
    spaces: i64,
    source: &[u8],
) -> Result<Value, Failure> {
    let pad = repeated(context, b" ", spaces)?;
    let lines = source.iter().filter(|byte| **byte == b'\n').count() + 1;
    let size = source.len().saturating_add(lines.saturating_mul(pad.len()));
    context.allow(size)?;
    let mut out = Vec::with_capacity(size + before.len());
    out.extend_from_slice(before.as_bytes());
    out.extend_from_slice(&pad);
    for line in source.split_inclusive(|byte| *byte == b'\n') {
        out.extend_from_slice(line);
        if line.ends_with(b"\n") {
            out.extend_from_slice(&pad);
        }
    }
    Ok(text(out))
}

/// `strings.ReplaceAll`; an empty `old` is found before each letter and at the end.
pub(crate) fn replaced(
    context: &mut Context<'_>,
    source: &[u8],
    old: &[u8],
    new: &[u8],
) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::with_capacity(source.len());
    if old.is_empty() {
        let count = runes(source).count() + 1;
        context.allow(source.len().saturating_add(count.saturating_mul(new.len())))?;
        let mut rest = source;
        while !rest.is_empty() {
            let (letter, behind) = rest.split_at(first_width(rest));
            out.extend_from_slice(new);
            out.extend_from_slice(letter);
            rest = behind;
        }
        out.extend_from_slice(new);
        return Ok(out);
    }
    let mut rest = source;
    while let Some(at) = find(rest, old) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(new);
        if out.len() > context.limits().value_bytes {
            context.allow(out.len())?;
        }
        rest = &rest[at + old.len()..];
    }
    out.extend_from_slice(rest);
    Ok(out)
}
