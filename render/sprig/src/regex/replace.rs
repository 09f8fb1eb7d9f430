//! Replacing every match, as Go's `ReplaceAll` walks.

use std::ops::Range;

use qm_gotemplate::{Context, Failure};

use super::compiled::Compiled;
use crate::runes::first_width;

/// The text with each match replaced by what `write` appends.
pub(super) fn replaced(
    context: &mut Context<'_>,
    expression: &Compiled,
    source: &[u8],
    write: impl Fn(&[Option<Range<usize>>], &mut Vec<u8>),
) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::with_capacity(source.len());
    let (mut from, mut copied) = (0, 0);
    while from <= source.len() {
        let Some(groups) = expression.groups(source, from) else {
            break;
        };
        let Some(Some(found)) = groups.first() else {
            break;
        };
        out.extend_from_slice(&source[copied..found.start]);
        // An empty match right behind another is not replaced.
        if found.end > copied || found.start == 0 {
            write(&groups, &mut out);
            if out.len() > context.limits().value_bytes {
                context.allow(out.len())?;
            }
        }
        copied = found.end;
        let next = from + first_width(&source[from..]).max(1);
        from = next.max(found.end);
    }
    out.extend_from_slice(&source[copied.min(source.len())..]);
    Ok(out)
}
