//! From RE2's syntax to that of the `regex` crate. Most of it is the same; what is not, and what the
//! crate takes but RE2 does not, is dealt with here, with the errors of Go's parser.

use super::class::{brackets, literal, perl, unicode};
use super::escape::letter;

/// Why Go refuses an expression, and the part of it that Go shows.
#[derive(Debug)]
pub(super) struct Refused {
    pub what: &'static str,
    pub part: String,
}

pub(super) fn refuse(what: &'static str, part: &str) -> Refused {
    Refused {
        what,
        part: part.to_owned(),
    }
}

const NO_ARGUMENT: &str = "missing argument to repetition operator";
const BAD_COUNT: &str = "invalid repeat count";
const MAX_COUNT: u32 = 1000;
const MAX_DEPTH: usize = 1000;

/// The largest number of repetitions inside of something.
type Count = u32;

/// A group that is open.
struct Group {
    /// The last thing in it that can be repeated.
    last: Option<Count>,
    /// The largest count of all things in it.
    most: Count,
}

impl Group {
    fn new() -> Self {
        Self {
            last: None,
            most: 1,
        }
    }

    fn push(&mut self, count: Count) {
        self.last = Some(count);
        self.most = self.most.max(count);
    }
}

struct Translation<'a> {
    whole: &'a str,
    rest: &'a str,
    out: String,
    names: Vec<String>,
    groups: Vec<Group>,
    /// From the repetition right before to the end of the expression.
    repeated: Option<&'a str>,
}

/// The translated expression, and the names of its groups.
pub(super) fn translate(source: &str) -> Result<(String, Vec<String>), Refused> {
    let mut translation = Translation {
        whole: source,
        rest: source,
        out: String::with_capacity(source.len() + 16),
        names: vec![String::new()],
        groups: vec![Group::new()],
        repeated: None,
    };
    translation.run()?;
    Ok((translation.out, translation.names))
}

impl<'a> Translation<'a> {
    fn run(&mut self) -> Result<(), Refused> {
        while let Some(c) = self.rest.chars().next() {
            let start = self.rest;
            let repetition = match c {
                '*' | '+' | '?' => {
                    self.rest = &start[1..];
                    self.repeat(start, None)?;
                    true
                }
                '{' => match counts(start) {
                    Some((low, high, rest)) => {
                        self.rest = rest;
                        self.counted(start, low, high)?;
                        true
                    }
                    None => {
                        self.literal('{', &start[1..]);
                        false
                    }
                },
                c => {
                    self.other(c)?;
                    false
                }
            };
            self.repeated = repetition.then_some(start);
        }
        if self.groups.len() > 1 {
            return Err(refuse("missing closing )", self.whole));
        }
        Ok(())
    }

    fn other(&mut self, c: char) -> Result<(), Refused> {
        let start = self.rest;
        match c {
            '(' if start.starts_with("(?") => self.flags()?,
            '(' => self.open("(", Some(String::new()), &start[1..])?,
            '|' => {
                self.out.push('|');
                self.rest = &start[1..];
                if let Some(group) = self.groups.last_mut() {
                    group.last = None;
                }
            }
            ')' => {
                let Some(group) = self.groups.pop().filter(|_| !self.groups.is_empty()) else {
                    return Err(refuse("unexpected )", self.whole));
                };
                self.atom(")", group.most, &start[1..]);
            }
            '^' | '$' | '.' => self.atom(&start[..1], 1, &start[1..]),
            '[' => {
                let (class, rest) = brackets(start)?;
                self.atom(&class, 1, rest);
            }
            '\\' => self.backslash()?,
            c => self.literal(c, &start[c.len_utf8()..]),
        }
        Ok(())
    }

    /// Something that can be repeated.
    fn atom(&mut self, text: &str, count: Count, rest: &'a str) {
        self.out.push_str(text);
        self.rest = rest;
        if let Some(group) = self.groups.last_mut() {
            group.push(count);
        }
    }

    fn literal(&mut self, c: char, rest: &'a str) {
        self.atom(&literal(c), 1, rest);
    }

    fn open(&mut self, text: &str, name: Option<String>, rest: &'a str) -> Result<(), Refused> {
        self.out.push_str(text);
        self.names.extend(name);
        self.rest = rest;
        self.groups.push(Group::new());
        if self.groups.len() > MAX_DEPTH {
            return Err(refuse("expression nests too deeply", self.whole));
        }
        Ok(())
    }

    fn backslash(&mut self) -> Result<(), Refused> {
        let start = self.rest;
        let behind = start.get(2..).unwrap_or("");
        match start.as_bytes().get(1) {
            Some(b'A') => self.atom(r"\A", 1, behind),
            Some(b'z') => self.atom(r"\z", 1, behind),
            Some(b'b') => self.atom(r"(?-u:\b)", 1, behind),
            Some(b'B') => self.atom(r"(?-u:\B)", 1, behind),
            Some(b'C') => return Err(refuse("invalid escape sequence", &start[..2])),
            Some(b'Q') => {
                let (plain, rest) = behind.split_once(r"\E").unwrap_or((behind, ""));
                for c in plain.chars() {
                    self.literal(c, rest);
                }
                self.rest = rest;
            }
            _ => {
                if let Some((class, rest)) = unicode(start)? {
                    self.atom(&class, 1, rest);
                } else if let Some((class, rest)) = perl(start) {
                    self.atom(class, 1, rest);
                } else {
                    let (c, rest) = letter(start)?;
                    self.literal(c, rest);
                }
            }
        }
        Ok(())
    }

    /// `(?P<name>`, `(?<name>`, `(?i)`, `(?s-m:`.
    fn flags(&mut self) -> Result<(), Refused> {
        let start = self.rest;
        let named = start
            .strip_prefix("(?P<")
            .or_else(|| start.strip_prefix("(?<"));
        if let Some(inner) = named.filter(|inner| !inner.is_empty()) {
            const WHAT: &str = "invalid named capture";
            let Some(end) = inner.find('>') else {
                return Err(refuse(WHAT, start));
            };
            let (name, rest) = (&inner[..end], &inner[end + 1..]);
            let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if name.is_empty() || !name.chars().all(word) {
                return Err(refuse(WHAT, &start[..start.len() - rest.len()]));
            }
            // The crate is stricter about names, so it is not told them.
            return self.open("(", Some(name.to_owned()), rest);
        }
        let mut letters = start[2..].chars();
        let (mut flags, mut negative, mut some) = (String::new(), false, false);
        for c in letters.by_ref() {
            match c {
                'i' | 'm' | 's' | 'U' => {
                    flags.push(c);
                    some = true;
                }
                '-' if !negative => {
                    flags.push(c);
                    (negative, some) = (true, false);
                }
                ':' | ')' if some || !negative => {
                    let rest = &start[start.len() - letters.as_str().len()..];
                    if c == ':' {
                        return self.open(&format!("(?{flags}:"), None, rest);
                    }
                    if !flags.is_empty() {
                        self.out.push_str(&format!("(?{flags})"));
                    }
                    self.rest = rest;
                    return Ok(());
                }
                _ => break,
            }
        }
        let read = &start[..start.len() - letters.as_str().len()];
        Err(refuse("invalid or unsupported Perl syntax", read))
    }

    fn counted(
        &mut self,
        start: &str,
        low: Option<u32>,
        high: Option<Option<u32>>,
    ) -> Result<(), Refused> {
        let shown = &start[..start.len() - self.rest.len()];
        let fits = |n: Option<u32>| n.filter(|n| *n <= MAX_COUNT);
        let bounds = match high {
            None => fits(low).map(|low| (low, None)),
            Some(high) => fits(low)
                .zip(fits(high))
                .filter(|(low, high)| low <= high)
                .map(|(low, high)| (low, Some(high))),
        };
        let Some(bounds) = bounds else {
            return Err(refuse(BAD_COUNT, shown));
        };
        self.repeat(start, Some(bounds))
    }

    /// A repetition; `start` is the expression from it on, `self.rest` what is behind it.
    fn repeat(&mut self, start: &str, bounds: Option<(u32, Option<u32>)>) -> Result<(), Refused> {
        let operator = &start[..start.len() - self.rest.len()];
        let lazy = self.rest.strip_prefix('?');
        self.rest = lazy.unwrap_or(self.rest);
        if let Some(before) = self.repeated {
            let both = &before[..before.len() - self.rest.len()];
            return Err(refuse("invalid nested repetition operator", both));
        }
        let shown = &start[..start.len() - self.rest.len()];
        let group = self.groups.last_mut();
        let Some((group, inner)) = group.and_then(|group| group.last.map(|last| (group, last)))
        else {
            return Err(refuse(NO_ARGUMENT, shown));
        };
        let mut count = inner;
        if let Some((low, high)) = bounds {
            let times = high.unwrap_or(low);
            count = match (times, high) {
                (0, Some(_)) => 0,
                (0, None) => inner,
                (times, _) => times.saturating_mul(inner.max(1)),
            };
            if (low >= 2 || high.is_some_and(|high| high >= 2)) && count > MAX_COUNT {
                return Err(refuse(BAD_COUNT, shown));
            }
        }
        group.push(count);
        self.out.push_str(operator);
        if lazy.is_some() {
            self.out.push('?');
        }
        Ok(())
    }
}

/// `{2}`, `{2,}` or `{2,5}`: the bounds (`None` for a number that is far too large) and what is
/// behind. No bounds at all when it is something else, which then stands for itself.
#[allow(clippy::type_complexity, reason = "the parts of one thing, used once")]
fn counts(text: &str) -> Option<(Option<u32>, Option<Option<u32>>, &str)> {
    let (low, rest) = count(text.strip_prefix('{')?)?;
    let Some(rest) = rest.strip_prefix(',') else {
        return Some((low, Some(low), rest.strip_prefix('}')?));
    };
    if let Some(rest) = rest.strip_prefix('}') {
        return Some((low, None, rest));
    }
    let (high, rest) = count(rest)?;
    Some((low, Some(high), rest.strip_prefix('}')?))
}

/// Digits without zeros before them.
fn count(text: &str) -> Option<(Option<u32>, &str)> {
    let width = text.bytes().take_while(u8::is_ascii_digit).count();
    if width == 0 || (width > 1 && text.starts_with('0')) {
        return None;
    }
    let (digits, rest) = text.split_at(width);
    Some((digits.parse().ok(), rest))
}
