//! What reaches outside: environment variables and host names. The functions exist only when the
//! caller handed in a reader.

use qm_gotemplate::{Functions, Value};

use crate::outside::Outside;
use crate::strings::one;

pub(crate) fn add(to: &mut Functions, outside: &Outside) {
    if let Some(read) = outside.environment_reader() {
        let lookup = read.clone();
        to.add("env", one(), move |_, args| {
            Ok(lookup(&args.text(0)).unwrap_or_default().into())
        });
        to.add("expandenv", one(), move |_, args| {
            Ok(expanded(&args.text(0), |name| read(name).unwrap_or_default()).into())
        });
    }
    if let Some(resolve) = outside.name_resolver() {
        let outside = outside.clone();
        to.add("getHostByName", one(), move |_, args| {
            let addresses = resolve(&args.text(0));
            let count = u64::try_from(addresses.len()).unwrap_or(u64::MAX);
            if count == 0 {
                return Err("invalid argument to Intn".into());
            }
            let index = usize::try_from(outside.below(count)?).unwrap_or(0);
            let chosen = addresses.into_iter().nth(index);
            Ok(chosen.map_or(Value::fixed(""), Value::from))
        });
    }
}

/// `os.Expand`: `$name` and `${name}`; what is no variable after all is left out with its dollar.
fn expanded(text: &str, value: impl Fn(&str) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        let behind = &rest[at + 1..];
        if behind.is_empty() {
            out.push('$');
            return out;
        }
        let (name, width) = variable(behind);
        match name {
            // Bad syntax is eaten; a dollar before anything else stays.
            "" if width == 0 => out.push('$'),
            "" => {}
            name => out.push_str(&value(name)),
        }
        rest = &behind[width..];
    }
    out.push_str(rest);
    out
}

/// The name behind a dollar, and how many bytes it takes.
fn variable(text: &str) -> (&str, usize) {
    let special = |c: char| "*#$@!?-".contains(c) || c.is_ascii_digit();
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if let Some(inner) = text.strip_prefix('{') {
        let mut letters = inner.chars();
        if let (Some(c), Some('}')) = (letters.next(), letters.next())
            && special(c)
        {
            return (&inner[..1], 3);
        }
        return match inner.find('}') {
            Some(0) => ("", 2),
            Some(end) => (&inner[..end], end + 2),
            None => ("", 1),
        };
    }
    if text.starts_with(special) {
        return (&text[..1], 1);
    }
    let end = text.find(|c| !word(c)).unwrap_or(text.len());
    (&text[..end], end)
}
