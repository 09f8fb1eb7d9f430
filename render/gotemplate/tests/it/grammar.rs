//! Random templates: every construct of the language, over the data and functions of `world`, with
//! wrong words and broken texts among them. The same seed gives the same templates.

mod expression;
mod format;
mod words;

use super::oracle::Request;

/// A small generator of numbers (splitmix64); only its spread matters.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(bound).unwrap()).unwrap()
    }

    /// Whether something that happens `percent` times in a hundred happens.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }
}

pub(crate) struct Grammar {
    random: Random,
    /// Variables that are known where the text has got to.
    variables: Vec<String>,
    loops: usize,
    /// Templates that may be called; a template calls only those defined before it.
    templates: Vec<String>,
    /// Dot is the data here, as far as the text tells.
    dot_is_root: bool,
    left: &'static str,
    right: &'static str,
}

impl Grammar {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            variables: Vec::new(),
            loops: 0,
            templates: Vec::new(),
            dot_is_root: true,
            left: "{{",
            right: "}}",
        }
    }

    pub(crate) fn request(&mut self) -> Request {
        self.variables = vec!["$".to_owned()];
        self.loops = 0;
        self.dot_is_root = true;
        self.templates.clear();
        (self.left, self.right) = match self.random.below(20) {
            0 => ("<<", ">>"),
            1 => ("[%", "%]"),
            2 => ("$$", "}"),
            _ => ("{{", "}}"),
        };
        let mut text = String::new();
        for _ in 0..self.random.below(3) {
            text += &self.definition();
        }
        let count = 1 + self.random.below(4);
        text += &self.items(count, 0);
        if self.random.chance(10) {
            text = self.broken(&text);
        }
        let own = (self.left, self.right) != ("{{", "}}");
        Request {
            text,
            left: if own {
                self.left.to_owned()
            } else {
                String::new()
            },
            right: if own {
                self.right.to_owned()
            } else {
                String::new()
            },
            missingkey: self
                .random
                .pick(&["", "", "", "", "default", "zero", "error"])
                .to_owned(),
            numbers: self.random.pick(&["float64", "int64"]).to_owned(),
        }
    }

    fn action(&mut self, inside: &str) -> String {
        let (left, right) = (self.left, self.right);
        let before = match self.random.below(12) {
            0 | 1 => "- ",
            2 => "-\n",
            3 | 4 => " ",
            _ => "",
        };
        let after = match self.random.below(12) {
            0 | 1 => " -",
            2 => "\t-",
            3 | 4 => " ",
            6 => "  \n -",
            _ => "",
        };
        format!("{left}{before}{inside}{after}{right}")
    }

    fn definition(&mut self) -> String {
        let name = self.random.pick(&["x", "y", "a b", "t", ""]).to_owned();
        let known = std::mem::replace(&mut self.variables, vec!["$".to_owned()]);
        let start = self.action(&format!("define {name:?}"));
        let count = self.random.below(3);
        let body = self.items(count, 1);
        let end = self.action("end");
        self.variables = known;
        if name != "t" && !self.templates.contains(&name) {
            self.templates.push(name);
        }
        format!("{start}{body}{end}")
    }

    fn items(&mut self, count: usize, depth: usize) -> String {
        (0..count).map(|_| self.item(depth)).collect()
    }

    fn text(&mut self) -> String {
        self.random.pick(words::TEXTS).to_owned()
    }

    fn item(&mut self, depth: usize) -> String {
        let deep = depth > 2;
        match self.random.below(if deep { 12 } else { 24 }) {
            0..3 => self.text(),
            3..9 => {
                let inside = self.pipeline(0);
                self.action(&inside)
            }
            9 => self.setting(),
            10 => self.comment(),
            11 => self.call(),
            12..16 => self.block("if", depth),
            16..18 => self.block("with", depth),
            18..22 => self.range(depth),
            22 if self.loops > 0 || self.random.chance(2) => {
                let word = self.random.pick(&["break", "continue"]);
                let condition = self.pipeline(1);
                let test = self.action(&format!("if {condition}"));
                let leave = self.action(word);
                let end = self.action("end");
                format!("{test}{leave}{end}")
            }
            _ => self.template_block(depth),
        }
    }

    fn comment(&mut self) -> String {
        let (left, right) = (self.left, self.right);
        let (open, close) = self
            .random
            .pick(&[&("", ""), &("- ", ""), &("", " -"), &("- ", " -")]);
        let inside = self.random.pick(&["", " a ", "\n\n", " {{.x}} ", "**"]);
        format!("{left}{open}/*{inside}*/{close}{right}")
    }

    fn setting(&mut self) -> String {
        let name = self.random.pick(&["$a", "$b", "$c", "$a1"]).to_owned();
        let value = self.pipeline(0);
        let inside =
            if self.variables.contains(&name) && self.random.chance(40) || self.random.chance(2) {
                format!("{name} = {value}")
            } else {
                format!("{name} := {value}")
            };
        self.variables.push(name);
        self.action(&inside)
    }

    fn call(&mut self) -> String {
        let known = self.templates.len();
        let name = if known > 0 && !self.random.chance(10) {
            let at = self.random.below(known);
            self.templates[at].clone()
        } else {
            if !self.random.chance(20) {
                return self.text();
            }
            "nowhere".to_owned()
        };
        let data = match self.random.below(4) {
            0 => String::new(),
            1 => " .".to_owned(),
            2 => " $".to_owned(),
            _ => format!(" {}", self.pipeline(1)),
        };
        self.action(&format!("template {name:?}{data}"))
    }

    fn template_block(&mut self, depth: usize) -> String {
        let name = format!("block{}", self.random.below(1000));
        let whole = self.random.chance(70);
        let data = if whole {
            "$".to_owned()
        } else {
            self.pipeline(1)
        };
        let start = self.action(&format!("block {name:?} {data}"));
        let root = std::mem::replace(&mut self.dot_is_root, whole);
        let known = std::mem::replace(&mut self.variables, vec!["$".to_owned()]);
        let loops = std::mem::take(&mut self.loops);
        let body = self.items(1, depth + 1);
        (self.variables, self.loops, self.dot_is_root) = (known, loops, root);
        let end = self.action("end");
        format!("{start}{body}{end}")
    }

    fn block(&mut self, word: &str, depth: usize) -> String {
        let known = self.variables.len();
        let root = self.dot_is_root;
        let mut text = String::new();
        let mut head = self.pipeline(0);
        if self.random.chance(20) {
            head = format!("$v := {head}");
            self.variables.push("$v".to_owned());
        }
        text += &self.action(&format!("{word} {head}"));
        self.dot_is_root = root && word != "with";
        let count = 1 + self.random.below(2);
        text += &self.items(count, depth + 1);
        while self.random.chance(20) {
            self.dot_is_root = root;
            let head = self.pipeline(1);
            let other = if self.random.chance(5) { "if" } else { word };
            self.dot_is_root = root && word != "with";
            text += &self.action(&format!("else {other} {head}"));
            text += &self.items(1, depth + 1);
        }
        self.dot_is_root = root;
        if self.random.chance(40) {
            text += &self.action("else");
            text += &self.items(1, depth + 1);
        }
        self.variables.truncate(known);
        text + &self.action("end")
    }

    fn range(&mut self, depth: usize) -> String {
        let known = self.variables.len();
        let over = if self.random.chance(85) {
            let word = self.random.pick(words::ITERABLE);
            self.rooted(word)
        } else if self.random.chance(70) {
            self.pipeline_of(expression::Want::List, 1)
        } else {
            self.pipeline(1)
        };
        let targets: &[&str] = match self.random.below(6) {
            0 | 1 => &["$e"],
            2 | 3 => &["$i", "$e"],
            _ => &[],
        };
        let sign = if self.random.chance(3) { "=" } else { ":=" };
        let head = match targets {
            [] => over,
            _ => format!("{} {sign} {over}", targets.join(", ")),
        };
        self.variables
            .extend(targets.iter().map(|name| (*name).to_owned()));
        let start = self.action(&format!("range {head}"));
        self.loops += 1;
        let count = 1 + self.random.below(2);
        let root = std::mem::replace(&mut self.dot_is_root, false);
        let body = self.items(count, depth + 1);
        self.dot_is_root = root;
        self.loops -= 1;
        // Each round writes, so that Go's output limit ends what would never end.
        let mut text = format!("{start},{body}");
        if self.random.chance(25) {
            text += &self.action("else");
            text += &self.items(1, depth + 1);
        }
        self.variables.truncate(known);
        text + &self.action("end")
    }

    /// A text with something missing, doubled or put in.
    fn broken(&mut self, text: &str) -> String {
        let mut letters: Vec<char> = text.chars().collect();
        for _ in 0..=self.random.below(2) {
            if letters.is_empty() {
                break;
            }
            let at = self.random.below(letters.len());
            match self.random.below(4) {
                0 => {
                    letters.remove(at);
                }
                1 => letters.insert(at, letters[at]),
                2 => {
                    let end = (at + 1 + self.random.below(8)).min(letters.len());
                    letters.drain(at..end);
                }
                _ => {
                    let piece = self.random.pick(words::PIECES);
                    letters.splice(at..at, piece.chars());
                }
            }
        }
        letters.into_iter().collect()
    }
}
