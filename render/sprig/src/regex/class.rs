//! Classes of letters: `[a-z]`, `\d`, `[[:alpha:]]`, `\p{Greek}`.

use super::escape::letter;
use super::translate::{Refused, refuse};

/// `\d` and its like mean ASCII in RE2. `None` when the text does not begin with one.
pub(super) fn perl(text: &str) -> Option<(&'static str, &str)> {
    let class = match text.get(..2)? {
        r"\d" => "[0-9]",
        r"\D" => "[^0-9]",
        r"\s" => r"[\t\n\x0C\r ]",
        r"\S" => r"[^\t\n\x0C\r ]",
        r"\w" => "[0-9A-Za-z_]",
        r"\W" => "[^0-9A-Za-z_]",
        _ => return None,
    };
    Some((class, &text[2..]))
}

/// `\pL`, `\p{Greek}`, `\P{^Lu}`. `None` when the text does not begin with one.
pub(super) fn unicode(text: &str) -> Result<Option<(String, &str)>, Refused> {
    let Some(negated) = text.get(..2).and_then(|start| match start {
        r"\p" => Some(false),
        r"\P" => Some(true),
        _ => None,
    }) else {
        return Ok(None);
    };
    let refused = |part: &str| refuse("invalid character class range", part);
    let Some(first) = text[2..].chars().next() else {
        return Err(refused(text));
    };
    let (name, end) = if first == '{' {
        let Some(end) = text.find('}') else {
            return Err(refused(text));
        };
        (&text[3..end], end + 1)
    } else {
        let end = 2 + first.len_utf8();
        (&text[2..end], end)
    };
    let (sequence, rest) = text.split_at(end);
    let (negated, name) = match name.strip_prefix('^') {
        Some(name) => (!negated, name),
        None => (negated, name),
    };
    let property = property(name).ok_or_else(|| refused(sequence))?;
    let sign = if negated { 'P' } else { 'p' };
    Ok(Some((format!("\\{sign}{{{property}}}"), rest)))
}

/// Go knows general categories and scripts, and three names of its own; the other library knows
/// more, which are refused here.
fn property(name: &str) -> Option<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ');
    if name.is_empty() || !name.chars().all(plain) {
        return None;
    }
    if ["any", "assigned", "ascii"].contains(&&*name.to_ascii_lowercase()) {
        return Some(name.to_owned());
    }
    ["gc", "sc"].into_iter().find_map(|sort| {
        let property = format!("{sort}={name}");
        let known = regex::bytes::Regex::new(&format!("\\p{{{property}}}"));
        known.is_ok().then_some(property)
    })
}

const POSIX: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
    "space", "upper", "word", "xdigit",
];

/// `[:alpha:]` inside of brackets. `None` when the text does not begin with one.
fn posix(text: &str) -> Result<Option<(&str, &str)>, Refused> {
    if !text.starts_with("[:") {
        return Ok(None);
    }
    let Some(end) = text[2..].find(":]") else {
        return Ok(None);
    };
    let (class, rest) = text.split_at(end + 4);
    let name = &class[2..end + 2];
    if !POSIX.contains(&name.strip_prefix('^').unwrap_or(name)) {
        return Err(refuse("invalid character class range", class));
    }
    Ok(Some((class, rest)))
}

/// A letter that stands for itself wherever it is.
pub(super) fn literal(c: char) -> String {
    if c.is_ascii_alphanumeric() {
        c.to_string()
    } else {
        format!("\\x{{{:X}}}", u32::from(c))
    }
}

/// A class in brackets, translated, and what is behind it.
pub(super) fn brackets(text: &str) -> Result<(String, &str), Refused> {
    let mut rest = &text[1..];
    let mut out = String::from('[');
    if let Some(behind) = rest.strip_prefix('^') {
        out.push('^');
        rest = behind;
    }
    let mut first = true;
    while first || !rest.starts_with(']') {
        first = false;
        if let Some((class, behind)) = posix(rest)? {
            out.push_str(class);
            rest = behind;
        } else if let Some((class, behind)) = unicode(rest)? {
            out.push_str(&class);
            rest = behind;
        } else if let Some((class, behind)) = perl(rest) {
            out.push_str(class);
            rest = behind;
        } else {
            let start = rest;
            let (low, behind) = member(rest, text)?;
            rest = behind;
            out.push_str(&literal(low));
            if let Some(behind) = rest.strip_prefix('-')
                && !behind.is_empty()
                && !behind.starts_with(']')
            {
                let (high, behind) = member(behind, text)?;
                rest = behind;
                if high < low {
                    let range = &start[..start.len() - rest.len()];
                    return Err(refuse("invalid character class range", range));
                }
                out.push('-');
                out.push_str(&literal(high));
            }
        }
    }
    out.push(']');
    Ok((out, &rest[1..]))
}

/// One letter of a class; `class` is the text from its bracket on.
fn member<'a>(text: &'a str, class: &str) -> Result<(char, &'a str), Refused> {
    let mut letters = text.chars();
    match letters.next() {
        None => Err(refuse("missing closing ]", class)),
        Some('\\') => letter(text),
        Some(c) => Ok((c, letters.as_str())),
    }
}
