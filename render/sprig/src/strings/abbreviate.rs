//! `abbrev` and `abbrevboth`: cuts a text to a width and marks with dots where something is left out.

use qm_gotemplate::{Functions, Signature, Type, Value};

use super::text;

const DOTS: &[u8] = b"...";

pub(super) fn add(to: &mut Functions) {
    let signature = Signature::new([Type::Int, Type::String]).returns(Type::String);
    to.add("abbrev", signature, |_, args| {
        let (width, source) = (args.int(0), args.str(1));
        Ok(match usize::try_from(width) {
            Ok(width) if width >= 4 => text(abbreviated(source.as_bytes(), 0, width)),
            _ => Value::String(source.clone()),
        })
    });
    let signature = Signature::new([Type::Int, Type::Int, Type::String]).returns(Type::String);
    to.add("abbrevboth", signature, |_, args| {
        let (left, right, source) = (args.int(0), args.int(1), args.str(2));
        let offset = usize::try_from(left).unwrap_or(0);
        Ok(match usize::try_from(right) {
            Ok(width) if width >= 7 || (width >= 4 && offset == 0) => {
                text(abbreviated(source.as_bytes(), offset, width))
            }
            _ => Value::String(source.clone()),
        })
    });
}

/// At most `width` bytes, in which the byte at `offset` is seen.
fn abbreviated(source: &[u8], offset: usize, width: usize) -> Vec<u8> {
    let length = source.len();
    if length <= width {
        return source.to_vec();
    }
    let shown = width - DOTS.len();
    let offset = offset.min(length).min(length - shown);
    if offset <= 4 {
        return [&source[..shown], DOTS].concat();
    }
    if width < 7 {
        return Vec::new();
    }
    if offset + shown < length {
        let rest = abbreviated(&source[offset..], 0, shown);
        return [DOTS, &rest].concat();
    }
    [DOTS, &source[length - shown..]].concat()
}
