//! JSON text as values, with all numbers `float64`. A text that is no JSON is refused in the words of
//! `encoding/json`.

use qm_gotemplate::{Failure, Limit, List, Map, Str, Value, fmt};

use crate::cast::parse_float;
use crate::runes::runes;

/// How deep arrays and objects may be nested; Go allows more.
const MAX_DEPTH: u32 = 500;

/// What is wrong with the text.
enum Wrong {
    /// Go's words.
    Syntax(String),
    Deep,
}

type Read<T> = Result<T, Wrong>;

/// The value, and a complaint that Go has about it: then the value is what Go leaves behind.
pub(crate) fn decode(source: &[u8]) -> Result<(Value, Option<String>), Failure> {
    let mut reader = Reader {
        source,
        at: 0,
        complaint: None,
    };
    match reader.whole() {
        Ok(value) => Ok((value, reader.complaint)),
        Err(Wrong::Syntax(text)) => Ok((Value::Nil, Some(text))),
        Err(Wrong::Deep) => Err(Failure::limit(
            Limit::Depth,
            format!("JSON is nested deeper than {MAX_DEPTH}"),
        )),
    }
}

struct Reader<'a> {
    source: &'a [u8],
    at: usize,
    /// The first number that does not fit.
    complaint: Option<String>,
}

impl Reader<'_> {
    fn whole(&mut self) -> Read<Value> {
        let value = self.value(0)?;
        self.space();
        match self.peek() {
            None => Ok(value),
            Some(_) => Err(self.wrong("after top-level value")),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.source.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// The letter at hand is not what belongs there; at the end, the text is too short.
    fn wrong(&self, place: &str) -> Wrong {
        Wrong::Syntax(match self.peek() {
            None => "unexpected end of JSON input".to_owned(),
            Some(byte) => {
                let shown = match byte {
                    b'\'' => r"'\''".to_owned(),
                    b'"' => "'\"'".to_owned(),
                    byte => {
                        let quoted = fmt::quoted(&char::from(byte).to_string());
                        format!("'{}'", &quoted[1..quoted.len() - 1])
                    }
                };
                format!("invalid character {shown} {place}")
            }
        })
    }

    /// The same inside of a word or number, where Go's reader sees a space behind the end.
    fn wrong_inside(&self, place: &str) -> Wrong {
        match self.peek() {
            None => Wrong::Syntax(format!("invalid character ' ' {place}")),
            Some(_) => self.wrong(place),
        }
    }

    fn value(&mut self, depth: u32) -> Read<Value> {
        if depth > MAX_DEPTH {
            return Err(Wrong::Deep);
        }
        self.space();
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(Value::String),
            Some(b't') => self.literal("true", Value::Bool(true)),
            Some(b'f') => self.literal("false", Value::Bool(false)),
            Some(b'n') => self.literal("null", Value::Nil),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(self.wrong("looking for beginning of value")),
        }
    }

    fn literal(&mut self, word: &str, value: Value) -> Read<Value> {
        for expected in word.bytes() {
            if self.peek() != Some(expected) {
                let expected = char::from(expected);
                return Err(
                    self.wrong_inside(&format!("in literal {word} (expecting '{expected}')"))
                );
            }
            self.at += 1;
        }
        Ok(value)
    }

    fn array(&mut self, depth: u32) -> Read<Value> {
        self.at += 1;
        let mut items = Vec::new();
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(items.into());
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Value::List(List::new(items)));
                }
                _ => return Err(self.wrong("after array element")),
            }
        }
    }

    fn object(&mut self, depth: u32) -> Read<Value> {
        self.at += 1;
        let map = Map::new();
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(map.into());
        }
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                return Err(self.wrong("looking for beginning of object key string"));
            }
            let key = self.string()?;
            self.space();
            if self.peek() != Some(b':') {
                return Err(self.wrong("after object key"));
            }
            self.at += 1;
            let value = self.value(depth + 1)?;
            map.insert(key, value);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(map.into());
                }
                _ => return Err(self.wrong("after object key:value pair")),
            }
        }
    }

    fn number(&mut self) -> Read<Value> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return Err(self.wrong_inside("in numeric literal")),
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.demand_digits("after decimal point in numeric literal")?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.demand_digits("in exponent of numeric literal")?;
        }
        let text = String::from_utf8_lossy(&self.source[start..self.at]);
        Ok(match parse_float(&text) {
            Some(number) => Value::Float64(number),
            None => {
                self.complaint.get_or_insert_with(|| {
                    format!("json: cannot unmarshal number {text} into Go value of type float64")
                });
                Value::Nil
            }
        })
    }

    fn digits(&mut self) {
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
    }

    fn demand_digits(&mut self, place: &str) -> Read<()> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(self.wrong_inside(place));
        }
        self.digits();
        Ok(())
    }

    fn string(&mut self) -> Read<Str> {
        self.at += 1;
        let mut out = String::new();
        let mut plain = self.at;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.copy(&mut out, plain);
                    self.at += 1;
                    return Ok(out.into());
                }
                Some(b'\\') => {
                    self.copy(&mut out, plain);
                    self.at += 1;
                    self.escape(&mut out)?;
                    plain = self.at;
                }
                None | Some(0..=0x1f) => return Err(self.wrong("in string literal")),
                Some(_) => self.at += 1,
            }
        }
    }

    fn copy(&self, out: &mut String, from: usize) {
        out.extend(runes(&self.source[from..self.at]).map(|(c, _)| c));
    }

    fn escape(&mut self, out: &mut String) -> Read<()> {
        let c = match self.peek() {
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'u') => {
                self.at += 1;
                let code = self.four()?;
                out.push(self.paired(code)?);
                return Ok(());
            }
            _ => return Err(self.wrong_inside("in string escape code")),
        };
        self.at += 1;
        out.push(c);
        Ok(())
    }

    fn four(&mut self) -> Read<u32> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else {
                return Err(self.wrong_inside("in \\u hexadecimal character escape"));
            };
            code = code << 4 | digit;
            self.at += 1;
        }
        Ok(code)
    }

    /// Two halves of a letter make it whole; a half alone is U+FFFD.
    fn paired(&mut self, code: u32) -> Read<char> {
        if let Some(c) = char::from_u32(code) {
            return Ok(c);
        }
        let before = self.at;
        if code < 0xdc00 && self.source[self.at..].starts_with(b"\\u") {
            self.at += 2;
            let low = self.four()?;
            if (0xdc00..0xe000).contains(&low) {
                let code = 0x1_0000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = before;
        }
        Ok(char::REPLACEMENT_CHARACTER)
    }
}
