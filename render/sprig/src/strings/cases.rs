//! Upper, lower and title case; and whether a text begins, ends with or contains another.

use qm_gotemplate::{Functions, Signature, Type, Value};

use super::{one, text};
use crate::runes::{find, map, to_runes};
use crate::unicode;

pub(super) fn add(to: &mut Functions) {
    to.add("upper", one(), |_, args| {
        let source = args.str(0).as_bytes();
        Ok(if source.is_ascii() {
            text(source.to_ascii_uppercase())
        } else {
            map(source, unicode::to_upper).into()
        })
    });
    to.add("lower", one(), |_, args| {
        let source = args.str(0).as_bytes();
        Ok(if source.is_ascii() {
            text(source.to_ascii_lowercase())
        } else {
            map(source, unicode::to_lower).into()
        })
    });
    to.add("title", one(), |_, args| {
        let mut previous = ' ';
        Ok(map(args.str(0).as_bytes(), |c| {
            let first = separates(previous);
            previous = c;
            if first { unicode::to_title(c) } else { c }
        })
        .into())
    });
    to.add("untitle", one(), |_, args| {
        let mut first = true;
        Ok(map(args.str(0).as_bytes(), |c| {
            if c.is_whitespace() {
                first = true;
                c
            } else if first {
                first = false;
                unicode::to_lower(c)
            } else {
                c
            }
        })
        .into())
    });
    to.add("swapcase", one(), |_, args| {
        Ok(swapped(args.str(0).as_bytes()).into())
    });
    let question = || Signature::new([Type::String, Type::String]).returns(Type::Bool);
    to.add("contains", question(), |_, args| {
        let found = find(args.str(1).as_bytes(), args.str(0).as_bytes());
        Ok(Value::Bool(found.is_some()))
    });
    to.add("hasPrefix", question(), |_, args| {
        let source = args.str(1).as_bytes();
        Ok(Value::Bool(source.starts_with(args.str(0).as_bytes())))
    });
    to.add("hasSuffix", question(), |_, args| {
        let source = args.str(1).as_bytes();
        Ok(Value::Bool(source.ends_with(args.str(0).as_bytes())))
    });
}

/// What `strings.Title` takes for the end of a word.
fn separates(c: char) -> bool {
    if c.is_ascii() {
        return !(c.is_ascii_alphanumeric() || c == '_');
    }
    !unicode::is_letter(c) && !unicode::is_digit(c) && c.is_whitespace()
}

/// Upper to lower; lower to upper, to title case at the start of a word.
fn swapped(source: &[u8]) -> String {
    let mut after_space = true;
    let letters = to_runes(source).into_iter().map(|c| {
        if unicode::is_upper(c) || unicode::is_title(c) {
            after_space = false;
            unicode::to_lower(c)
        } else if unicode::is_lower(c) {
            if std::mem::take(&mut after_space) {
                unicode::to_title(c)
            } else {
                unicode::to_upper(c)
            }
        } else {
            after_space = c.is_whitespace();
            c
        }
    });
    letters.collect()
}
