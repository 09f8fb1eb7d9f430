//! Trimming, and taking single letters out.

use qm_gotemplate::{Functions, Str};

use super::{one, text, two};
use crate::runes::{runes, to_runes};

pub(super) fn add(to: &mut Functions) {
    to.add("trim", one(), |_, args| {
        let source = args.str(0);
        Ok(match source.as_str() {
            Some(source) => source.trim().into(),
            None => text(trimmed(source.as_bytes(), char::is_whitespace).to_vec()),
        })
    });
    to.add("trimAll", two(), |_, args| {
        let cut = to_runes(args.str(0).as_bytes());
        let source = args.str(1).as_bytes();
        Ok(text(trimmed(source, |c| cut.contains(&c)).to_vec()))
    });
    to.alias("trimall", "trimAll");
    to.add("trimSuffix", two(), |_, args| {
        let (end, source) = (args.str(0).as_bytes(), args.str(1).as_bytes());
        Ok(text(source.strip_suffix(end).unwrap_or(source).to_vec()))
    });
    to.add("trimPrefix", two(), |_, args| {
        let (start, source) = (args.str(0).as_bytes(), args.str(1).as_bytes());
        Ok(text(source.strip_prefix(start).unwrap_or(source).to_vec()))
    });
    to.add("nospace", one(), |_, args| {
        let source = args.str(0);
        Ok(without_space(source).into())
    });
    to.add("initials", one(), |_, args| {
        Ok(initials(args.str(0).as_bytes()).into())
    });
}

fn trimmed(source: &[u8], cut: impl Fn(char) -> bool) -> &[u8] {
    let start: usize = runes(source)
        .take_while(|(c, _)| cut(*c))
        .map(|(_, part)| part.len())
        .sum();
    let mut end = source.len();
    let parts: Vec<_> = runes(&source[start..]).collect();
    for (c, part) in parts.into_iter().rev() {
        if !cut(c) {
            break;
        }
        end -= part.len();
    }
    &source[start..end]
}

/// The library takes every byte for a letter. Text beyond ASCII is therefore spoilt, but only when
/// there was a space to take out.
fn without_space(source: &Str) -> Str {
    let bytes = source.as_bytes();
    let kept: Vec<char> = letters(bytes).filter(|c| !c.is_whitespace()).collect();
    if kept.len() == bytes.len() {
        source.clone()
    } else {
        kept.into_iter().collect::<String>().into()
    }
}

/// The first byte of each word, as a letter.
fn initials(source: &[u8]) -> String {
    let mut in_word = false;
    letters(source)
        .filter(|c| {
            let before = std::mem::replace(&mut in_word, !c.is_whitespace());
            in_word && !before
        })
        .collect()
}

fn letters(bytes: &[u8]) -> impl Iterator<Item = char> {
    bytes.iter().map(|byte| char::from(*byte))
}
