//! Values as JSON text, byte for byte as `json.Marshal` writes them.

use qm_gotemplate::{Failure, JsonNumber, Limit, Object, Str, Type, Value, fmt};

use crate::dates::Time;
use crate::encoding::base64;
use crate::equal::{MAX_DEPTH, too_deep};
use crate::runes::runes;
use crate::semver::Version;

/// How it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// In one line, with `<`, `>` and `&` escaped.
    Escaped,
    /// In one line, with those signs as they are.
    Raw,
    /// On lines with two spaces for each level, escaped.
    Pretty,
}

pub(crate) fn encode(value: &Value, style: Style, limit: usize) -> Result<Vec<u8>, Failure> {
    let mut writer = Writer {
        out: Vec::new(),
        style,
        limit,
    };
    writer.value(value, 0)?;
    Ok(writer.out)
}

struct Writer {
    out: Vec<u8>,
    style: Style,
    limit: usize,
}

impl Writer {
    fn value(&mut self, value: &Value, depth: u32) -> Result<(), Failure> {
        if depth > MAX_DEPTH {
            return Err(too_deep());
        }
        if self.out.len() > self.limit {
            let text = format!("exceeded the limit of {} bytes", self.limit);
            return Err(Failure::limit(Limit::Value, text));
        }
        match value {
            Value::Missing | Value::Nil => self.put("null"),
            Value::NilOf(of) => match &**of {
                Type::Func(_) => return Err(unsupported(value)),
                _ => self.put("null"),
            },
            Value::Bool(x) => self.put(if *x { "true" } else { "false" }),
            Value::Float64(x) => self.float(*x, &format!("{x:e}"))?,
            Value::Float32(x) => self.float(f64::from(*x), &format!("{x:e}"))?,
            Value::String(text) => self.string(text.as_bytes()),
            Value::Bytes(bytes) => {
                let text = base64::encoded(bytes);
                self.put(&format!("\"{text}\""));
            }
            Value::List(list) => {
                self.group(b'[', b']', depth, list.iter(), |writer, item| {
                    writer.value(item, depth + 1)
                })?;
            }
            Value::Map(map) => {
                let entries = map.entries();
                self.group(b'{', b'}', depth, entries.iter(), |writer, (key, value)| {
                    writer.entry(key.as_bytes(), value, depth)
                })?;
            }
            Value::Object(object) => self.object(value, &**object, depth)?,
            Value::Func(_) | Value::Complex(..) => return Err(unsupported(value)),
            number => match (number.as_signed(), number.as_unsigned()) {
                (Some(n), _) => self.put(&n.to_string()),
                (_, Some(n)) => self.put(&n.to_string()),
                _ => return Err(unsupported(value)),
            },
        }
        Ok(())
    }

    fn object(&mut self, value: &Value, object: &dyn Object, depth: u32) -> Result<(), Failure> {
        if let Some(JsonNumber(text)) = object.downcast_ref() {
            return self.number(text);
        }
        if let Some(time) = object.downcast_ref::<Time>() {
            let text = time.json()?;
            self.string(text.as_bytes());
            return Ok(());
        }
        if let Some(version) = object.downcast_ref::<Version>() {
            self.string(version.to_string().as_bytes());
            return Ok(());
        }
        if let Some(plain) = object.underlying() {
            return self.value(&plain, depth + 1);
        }
        let fields = object.fields();
        if fields.is_empty() && value.kind() == qm_gotemplate::Kind::Func {
            return Err(unsupported(value));
        }
        let exported = |name: &str| name.starts_with(|c: char| c.is_uppercase());
        let fields: Vec<_> = fields
            .into_iter()
            .filter(|(name, _)| exported(name))
            .collect();
        self.group(b'{', b'}', depth, fields.iter(), |writer, (name, value)| {
            writer.entry(name.as_bytes(), value, depth)
        })
    }

    fn entry(&mut self, key: &[u8], value: &Value, depth: u32) -> Result<(), Failure> {
        self.string(key);
        self.put(if self.style == Style::Pretty {
            ": "
        } else {
            ":"
        });
        self.value(value, depth + 1)
    }

    fn group<T>(
        &mut self,
        open: u8,
        close: u8,
        depth: u32,
        items: impl ExactSizeIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.out.push(open);
        let empty = items.len() == 0;
        for (index, item) in items.enumerate() {
            if index > 0 {
                self.out.push(b',');
            }
            self.line(depth + 1);
            write(self, item)?;
        }
        if !empty {
            self.line(depth);
        }
        self.out.push(close);
        Ok(())
    }

    fn line(&mut self, depth: u32) {
        if self.style == Style::Pretty {
            self.out.push(b'\n');
            for _ in 0..depth {
                self.put("  ");
            }
        }
    }

    fn put(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    /// The shortest digits, with an exponent when it is far from zero. `scientific` is what Rust
    /// writes, with the digits of the right width.
    fn float(&mut self, x: f64, scientific: &str) -> Result<(), Failure> {
        if !x.is_finite() {
            let shown = fmt::text_of(&Value::Float64(x))?;
            return Err(format!("json: unsupported value: {shown}").into());
        }
        let (digits, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        if x == 0.0 || (-6..21).contains(&exponent) {
            self.put(&positional(digits, exponent));
        } else {
            let sign = if exponent < 0 { '-' } else { '+' };
            self.put(&format!("{digits}e{sign}{}", exponent.abs()));
        }
        Ok(())
    }

    fn number(&mut self, text: &Str) -> Result<(), Failure> {
        let shown = text.to_text();
        if shown.is_empty() {
            self.put("0");
        } else if is_number(shown.as_bytes()) {
            self.put(&shown);
        } else {
            let quoted = fmt::quoted(&shown);
            return Err(format!("json: invalid number literal {quoted}").into());
        }
        Ok(())
    }

    fn string(&mut self, text: &[u8]) {
        self.out.push(b'"');
        for (c, part) in runes(text) {
            match c {
                '"' => self.put("\\\""),
                '\\' => self.put("\\\\"),
                '\n' => self.put("\\n"),
                '\r' => self.put("\\r"),
                '\t' => self.put("\\t"),
                '\u{8}' => self.put("\\b"),
                '\u{c}' => self.put("\\f"),
                '<' | '>' | '&' if self.style != Style::Raw => self.escape(c),
                '\0'..='\u{1f}' | '\u{2028}' | '\u{2029}' => self.escape(c),
                char::REPLACEMENT_CHARACTER if part.len() == 1 => self.put("\\ufffd"),
                _ => self.out.extend_from_slice(part),
            }
        }
        self.out.push(b'"');
    }

    fn escape(&mut self, c: char) {
        self.put(&format!("\\u{:04x}", u32::from(c)));
    }
}

/// Digits such as `1.25` with their point moved.
fn positional(digits: &str, exponent: i32) -> String {
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", digits),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    let point = 1 + exponent;
    let Ok(point) = usize::try_from(point) else {
        let zeros = "0".repeat(usize::try_from(-point).unwrap_or(0));
        return format!("{sign}0.{zeros}{all}");
    };
    if point == 0 {
        format!("{sign}0.{all}")
    } else if point >= all.len() {
        let zeros = "0".repeat(point - all.len());
        format!("{sign}{all}{zeros}")
    } else {
        format!("{sign}{}.{}", &all[..point], &all[point..])
    }
}

/// Whether it is a number of JSON.
fn is_number(text: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut rest = text.strip_prefix(b"-").unwrap_or(text);
    let whole = digits(rest);
    if whole == 0 || (whole > 1 && rest[0] == b'0') {
        return false;
    }
    rest = &rest[whole..];
    if let [b'.', fraction @ ..] = rest {
        let count = digits(fraction);
        if count == 0 {
            return false;
        }
        rest = &fraction[count..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = match exponent {
            [b'+' | b'-', exponent @ ..] => exponent,
            exponent => exponent,
        };
        let count = digits(exponent);
        if count == 0 {
            return false;
        }
        rest = &exponent[count..];
    }
    rest.is_empty()
}

fn unsupported(value: &Value) -> Failure {
    let of = value.type_of().unwrap_or(Type::Any);
    Failure::new(format!("json: unsupported type: {of}"))
}
