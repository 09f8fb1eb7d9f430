//! YAML as text, in the style of Go's `yaml.v3`: four blanks, lists indented, quotes only where they are needed.
//!
//! The rule: what is printed reads back as what it was; a text that could be taken for something else is quoted.

use super::Doc;
use std::fmt::Write;

impl Doc {
    /// As YAML, with an end of line.
    pub(crate) fn yaml(&self) -> String {
        let mut out = String::new();
        match self {
            Self::Map(entries) if !entries.is_empty() => map(&mut out, entries, 0, false),
            Self::List(items) if !items.is_empty() => list(&mut out, items, 0, false),
            other => {
                scalar(&mut out, other, 0);
                out.push('\n');
            }
        }
        out
    }
}

const STEP: usize = 4;

fn map(out: &mut String, entries: &[(String, Doc)], indent: usize, inline: bool) {
    for (at, (key, value)) in entries.iter().enumerate() {
        if at > 0 || !inline {
            pad(out, indent);
        }
        text(out, key, 0, true);
        out.push(':');
        below(out, value, indent);
    }
}

fn list(out: &mut String, items: &[Doc], indent: usize, inline: bool) {
    for (at, item) in items.iter().enumerate() {
        if at > 0 || !inline {
            pad(out, indent);
        }
        out.push_str("- ");
        match item {
            Doc::Map(entries) if !entries.is_empty() => map(out, entries, indent + 2, true),
            Doc::List(items) if !items.is_empty() => list(out, items, indent + 2, true),
            other => {
                scalar(out, other, indent + 2);
                out.push('\n');
            }
        }
    }
}

fn below(out: &mut String, value: &Doc, indent: usize) {
    // Go goes to the next full step, also from within an item of a list.
    let next = STEP * ((indent + STEP) / STEP);
    match value {
        Doc::Map(entries) if !entries.is_empty() => {
            out.push('\n');
            map(out, entries, next, false);
        }
        Doc::List(items) if !items.is_empty() => {
            out.push('\n');
            list(out, items, next, false);
        }
        other => {
            out.push(' ');
            scalar(out, other, next);
            out.push('\n');
        }
    }
}

fn scalar(out: &mut String, value: &Doc, indent: usize) {
    match value {
        Doc::Null => out.push_str("null"),
        Doc::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Doc::Number(number) => {
            let _ = write!(out, "{number}");
        }
        Doc::Text(value) => text(out, value, indent, false),
        Doc::List(_) => out.push_str("[]"),
        Doc::Map(_) => out.push_str("{}"),
    }
}

fn text(out: &mut String, value: &str, indent: usize, key: bool) {
    if value.contains('\n') && !key && is_block(value) {
        block(out, value, indent);
    } else if value.chars().any(char::is_control) || looks_like_another_type(value) {
        // The escapes of JSON are those of YAML too.
        let quoted = serde_json::to_string(value).unwrap_or_default();
        out.push_str(&quoted);
    } else if is_plain(value) {
        out.push_str(value);
    } else {
        let _ = write!(out, "'{}'", value.replace('\'', "''"));
    }
}

/// Lines that a literal block can hold: no odd characters, nothing that leading blanks would spoil.
fn is_block(value: &str) -> bool {
    let odd = value
        .chars()
        .any(|c| c != '\n' && (c.is_control() || c == '\u{feff}'));
    !odd && !value.starts_with([' ', '\n']) && !value.lines().any(|line| line.ends_with(' '))
}

fn block(out: &mut String, value: &str, indent: usize) {
    let body = value.trim_end_matches('\n');
    let mark = match value.len() - body.len() {
        0 => "|-",
        1 => "|",
        _ => "|+",
    };
    out.push_str(mark);
    let shown = if mark == "|+" {
        value.strip_suffix('\n').unwrap_or(value)
    } else {
        body
    };
    for line in shown.split('\n') {
        out.push('\n');
        if !line.is_empty() {
            pad(out, indent);
            out.push_str(line);
        }
    }
}

fn looks_like_another_type(value: &str) -> bool {
    let words = [
        "", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", ".nan", ".inf",
        "+.inf", "-.inf", "<<",
    ];
    let lower = value.to_ascii_lowercase();
    words.contains(&lower.as_str()) || is_number(&lower) || is_date(value)
}

fn is_number(value: &str) -> bool {
    let digits = value.trim_start_matches(['+', '-']).replace('_', "");
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return false;
    }
    let based = ["0x", "0o", "0b"]
        .iter()
        .any(|base| digits.starts_with(base));
    based || digits.parse::<f64>().is_ok() || (digits.contains(':') && sexagesimal(&digits))
}

/// `1:30` is ninety in old YAML.
fn sexagesimal(value: &str) -> bool {
    value
        .split(':')
        .all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// What starts as `2024-05-01` may be taken for a date.
fn is_date(value: &str) -> bool {
    let bytes = value.as_bytes();
    let shape = b"0000-00-00";
    bytes.len() >= shape.len()
        && shape.iter().zip(bytes).all(|(wanted, found)| match wanted {
            b'0' => found.is_ascii_digit(),
            mark => mark == found,
        })
        && (bytes.len() == shape.len() || matches!(bytes.get(10), Some(b'T' | b't' | b' ')))
}

fn is_plain(value: &str) -> bool {
    let starts = value.starts_with([
        '!', '&', '*', '|', '>', '\'', '"', '%', '@', '`', '#', '[', ']', '{', '}', ',', ' ',
    ]);
    let mark = ["- ", "? ", ": "]
        .iter()
        .any(|mark| value.starts_with(mark))
        || ["-", "?", ":", "---", "..."].contains(&value)
        || value.starts_with("--- ");
    let inside = value.contains(": ")
        || value.contains(" #")
        || value.ends_with(':')
        || value.ends_with(' ');
    !starts && !mark && !inside && !value.starts_with('=')
}

fn pad(out: &mut String, indent: usize) {
    out.extend(std::iter::repeat_n(' ', indent));
}

#[cfg(test)]
mod tests {
    use super::Doc;

    #[test]
    fn texts_read_back_as_texts() {
        let words = [
            "plain",
            "100% d",
            "it's",
            "\"quoted\"",
            "a: b",
            "a #b",
            "# c",
            "123",
            "1e3",
            "0x1f",
            "true",
            "No",
            "null",
            "",
            " lead",
            "trail ",
            "2024-05-01T10:00:00Z",
            "2024-05-01",
            "multi\nline",
            "multi\nline\n",
            "x\ty",
            "ünïcode",
            "- item",
            "-",
            "[a]",
            "{a}",
            "*a",
            "&a",
            "!t",
            "|",
            ">",
            "@x",
            "`x`",
            "end:",
            "http://h:1/p?q=1#f",
            "1:30",
            "a\n\nb",
            "\n",
            "k: |",
            "=",
            "~",
            "a\n\n",
            "tail \nx",
        ];
        for word in words {
            let doc = Doc::map().with("k", word).with("l", vec![Doc::from(word)]);
            let text = doc.yaml();
            let back: Doc =
                serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{text}\n{error}"));
            assert_eq!(back, doc, "{text}");
        }
    }

    #[test]
    fn the_shape_is_that_of_go() {
        let doc = Doc::parse(br#"{"items":[{"id":"1","labels":{"a":["b","c"]},"ready":true},{"id":"2"}],"e":[],"m":{}}"#).unwrap();
        let wanted = "items:\n    - id: \"1\"\n      labels:\n        a:\n            - b\n            - c\n      ready: true\n    - id: \"2\"\ne: []\nm: {}\n";
        assert_eq!(doc.yaml(), wanted);
    }
}
