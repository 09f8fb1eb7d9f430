//! `snakecase`, `kebabcase` and `camelcase`: a text seen as words of letters and numbers.

use qm_gotemplate::Functions;

use super::{one, text};
use crate::runes::{runes, to_runes};
use crate::unicode;

pub(super) fn add(to: &mut Functions) {
    to.add("snakecase", one(), |_, args| {
        Ok(text(lowered(args.str(0).as_bytes(), '_')))
    });
    to.add("kebabcase", one(), |_, args| {
        Ok(text(lowered(args.str(0).as_bytes(), '-')))
    });
    to.add("camelcase", one(), |_, args| {
        Ok(camel(&to_runes(args.str(0).as_bytes())).into())
    });
}

fn connects(c: char) -> bool {
    c == '-' || c == '_' || c.is_whitespace()
}

/// Connectors at the start stay, those between words go, except that of several all but the last stay.
fn camel(letters: &[char]) -> String {
    let mut out = String::with_capacity(letters.len());
    let leading = letters.iter().take_while(|c| connects(**c)).count();
    out.extend(&letters[..leading]);
    let Some((first, rest)) = letters[leading..].split_first() else {
        // Nothing but connectors: the last one is written again.
        out.extend(letters.last());
        return out;
    };
    // Within a word that began upper case, letters are made lower until the first that is.
    let mut lowering = unicode::is_upper(*first);
    let mut held = unicode::to_upper(*first);
    for c in rest.iter().copied() {
        match (connects(held), connects(c)) {
            (true, true) => {
                out.push(held);
                held = c;
            }
            (true, false) => {
                lowering = unicode::is_upper(c);
                held = unicode::to_upper(c);
            }
            (false, _) => {
                out.push(held);
                let upper = unicode::is_upper(c);
                held = if lowering && upper {
                    unicode::to_lower(c)
                } else {
                    c
                };
                lowering &= upper;
            }
        }
    }
    out.push(held);
    out
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// The end, or bytes that are no text.
    None,
    Number,
    /// Begins with an upper case letter.
    Upper,
    /// Begins with another letter.
    Letters,
    Connector,
    Punctuation,
    Other,
}

impl Sort {
    /// Whether a connector is written before a word of this sort.
    fn stands_apart(self) -> bool {
        !matches!(self, Self::Connector | Self::Punctuation)
    }

    fn joins_number(self) -> bool {
        matches!(self, Self::Letters | Self::Number)
    }
}

struct Words<'a> {
    rest: &'a [u8],
    connector: char,
    out: Vec<u8>,
}

/// The words of a text in lower case with a connector between them.
fn lowered(source: &[u8], connector: char) -> Vec<u8> {
    let mut words = Words {
        rest: source,
        connector,
        out: Vec::with_capacity(source.len() + 8),
    };
    words.run();
    words.out
}

impl<'a> Words<'a> {
    fn run(&mut self) {
        let (mut sort, mut word) = self.next();
        while !self.rest.is_empty() {
            if sort != Sort::Connector {
                self.write(sort, word);
            }
            let (before, last) = (sort, word);
            (sort, word) = self.next();
            match before {
                Sort::Number => {
                    (sort, word) = self.joined(sort, word);
                    if sort != Sort::None && sort.stands_apart() {
                        self.connect();
                    }
                }
                Sort::Connector => self.write(before, last),
                Sort::Punctuation => {}
                _ if sort != Sort::Number => {
                    if sort.stands_apart() {
                        self.connect();
                    }
                }
                _ if self.rest.is_empty() => {}
                _ => (sort, word) = self.number_behind(word),
            }
        }
        self.write(sort, word);
    }

    /// A number behind a word: with lower case letters behind it, it begins a word of its own;
    /// otherwise it belongs to the word before.
    fn number_behind(&mut self, number: &'a [u8]) -> (Sort, &'a [u8]) {
        let (sort, word) = self.next();
        if sort != Sort::Letters {
            self.write(Sort::Number, number);
            if sort.stands_apart() {
                self.connect();
            }
            return (sort, word);
        }
        self.connect();
        self.write(Sort::Number, number);
        let (sort, word) = self.joined(sort, word);
        if sort != Sort::None && sort.stands_apart() {
            self.connect();
        }
        (sort, word)
    }

    /// Writes what sticks to a number.
    fn joined(&mut self, mut sort: Sort, mut word: &'a [u8]) -> (Sort, &'a [u8]) {
        while sort.joins_number() {
            self.write(sort, word);
            (sort, word) = self.next();
        }
        (sort, word)
    }

    fn connect(&mut self) {
        let connector = self.connector;
        self.put(connector);
    }

    fn put(&mut self, c: char) {
        self.out
            .extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }

    fn write(&mut self, sort: Sort, word: &[u8]) {
        if !matches!(sort, Sort::Upper | Sort::Connector) {
            self.out.extend_from_slice(word);
            return;
        }
        for (c, _) in runes(word) {
            match c {
                c if connects(c) => self.connect(),
                c if unicode::is_upper(c) => self.put(unicode::to_lower(c)),
                c => self.put(c),
            }
        }
    }

    /// The next word.
    fn next(&mut self) -> (Sort, &'a [u8]) {
        let source = self.rest;
        let mut letters = Letters {
            source,
            at: 0,
            previous: char::REPLACEMENT_CHARACTER,
        };
        let Some(first) = letters.peek() else {
            return (Sort::None, &[]);
        };
        letters.take();
        if first == char::REPLACEMENT_CHARACTER {
            return (Sort::None, self.cut(letters.at));
        }
        let sort = sort_of(first);
        match sort {
            Sort::Connector => letters.skip(connects),
            Sort::Punctuation => letters.skip(unicode::is_punct),
            Sort::Number => letters.skip(unicode::is_number),
            Sort::Letters => letters.skip(|c| unicode::is_letter(c) && !unicode::is_upper(c)),
            Sort::Other => letters.skip(|c| {
                !(connects(c)
                    || unicode::is_letter(c)
                    || unicode::is_number(c)
                    || unicode::is_punct(c))
            }),
            Sort::Upper => upper_word(&mut letters),
            Sort::None => {}
        }
        let end = letters.at;
        (sort, self.cut(end))
    }

    fn cut(&mut self, end: usize) -> &'a [u8] {
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }
}

fn sort_of(c: char) -> Sort {
    match c {
        c if connects(c) => Sort::Connector,
        c if unicode::is_punct(c) => Sort::Punctuation,
        c if unicode::is_upper(c) => Sort::Upper,
        c if unicode::is_letter(c) => Sort::Letters,
        c if unicode::is_number(c) => Sort::Number,
        _ => Sort::Other,
    }
}

/// `Status`, or `HTTP`; of `HTTPStatus` the last capital belongs to the next word.
fn upper_word(letters: &mut Letters<'_>) {
    match letters.peek() {
        Some(c) if unicode::is_upper(c) => {
            let mut before_last = letters.at;
            letters.take();
            while let Some(c) = letters.peek() {
                if !unicode::is_upper(c) {
                    if unicode::is_letter(c) {
                        letters.at = before_last;
                    }
                    break;
                }
                before_last = letters.at;
                letters.take();
            }
        }
        Some(c) if unicode::is_letter(c) => {
            letters.skip(|c| unicode::is_letter(c) && !unicode::is_upper(c));
        }
        _ => {}
    }
}

/// Letters one after the other; broken bytes belong to the letter behind them.
struct Letters<'a> {
    source: &'a [u8],
    at: usize,
    previous: char,
}

impl Letters<'_> {
    fn valid(&self) -> (char, usize) {
        let mut width = 0;
        for (c, part) in runes(&self.source[self.at..]) {
            width += part.len();
            if c != char::REPLACEMENT_CHARACTER {
                return (c, width);
            }
        }
        (self.previous, width)
    }

    fn peek(&self) -> Option<char> {
        (self.at < self.source.len()).then(|| self.valid().0)
    }

    fn take(&mut self) {
        let (c, width) = self.valid();
        self.previous = c;
        self.at += width;
    }

    fn skip(&mut self, more: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&more) {
            self.take();
        }
    }
}
