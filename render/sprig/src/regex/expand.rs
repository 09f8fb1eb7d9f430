//! Go's replacement syntax: `$1`, `$name`, `${name}` and `$$`. A name is as long as it can be, so
//! `$1x` is the group `1x`; a group that is not there is empty.

use std::ops::Range;

use super::compiled::Compiled;
use crate::runes::runes;
use crate::unicode;

pub(super) fn expand(
    out: &mut Vec<u8>,
    template: &[u8],
    expression: &Compiled,
    source: &[u8],
    groups: &[Option<Range<usize>>],
) {
    let mut rest = template;
    while let Some(at) = rest.iter().position(|byte| *byte == b'$') {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(behind) = rest.strip_prefix(b"$") {
            out.push(b'$');
            rest = behind;
            continue;
        }
        let Some((name, behind)) = reference(rest) else {
            // No name: the dollar stands for itself.
            out.push(b'$');
            continue;
        };
        rest = behind;
        if let Some(found) = group(name, expression, groups) {
            out.extend_from_slice(&source[found]);
        }
    }
    out.extend_from_slice(rest);
}

/// The name behind a dollar, and what is behind the name.
fn reference(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let (braced, inner) = match text {
        [b'{', inner @ ..] => (true, inner),
        text => (false, text),
    };
    let word = |c: char| c == '_' || unicode::is_letter(c) || unicode::is_digit(c);
    let width: usize = runes(inner)
        .take_while(|(c, _)| word(*c))
        .map(|(_, part)| part.len())
        .sum();
    if width == 0 {
        return None;
    }
    let (name, behind) = inner.split_at(width);
    if !braced {
        return Some((name, behind));
    }
    Some((name, behind.strip_prefix(b"}")?))
}

fn group(
    name: &[u8],
    expression: &Compiled,
    groups: &[Option<Range<usize>>],
) -> Option<Range<usize>> {
    let name = std::str::from_utf8(name).ok()?;
    // A number has no zeros before it; longer ones are names.
    let numeric = name.bytes().all(|byte| byte.is_ascii_digit());
    let padded = name.len() > 1 && name.starts_with('0');
    if numeric && !padded && name.len() <= 9 {
        let index: usize = name.parse().ok()?;
        return groups.get(index).cloned().flatten();
    }
    let named = expression.names().iter().zip(groups);
    named
        .filter(|(known, _)| *known == name)
        .find_map(|(_, group)| group.clone())
}
