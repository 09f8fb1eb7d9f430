//! Pipelines, commands and their words. Most are of a type that fits where they stand, or few
//! templates would get far; some are not, for the errors.

use super::{Grammar, words};

/// What an expression is meant to be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    Any,
    Bool,
    Float,
    Int,
    List,
    Map,
    Text,
}

impl Want {
    const ALL: &[&'static Self] = &[
        &Self::Bool,
        &Self::Float,
        &Self::Int,
        &Self::List,
        &Self::Map,
        &Self::Text,
        &Self::Text,
    ];
}

impl Grammar {
    pub(super) fn pipeline(&mut self, depth: usize) -> String {
        self.pipeline_of(Want::Any, depth)
    }

    pub(super) fn pipeline_of(&mut self, want: Want, depth: usize) -> String {
        let mut text = self.command(want, depth);
        while want == Want::Any && self.random.chance(15) {
            let bar = self.random.pick(&[" | ", "|", " |\n"]);
            let next = if self.random.chance(97) {
                self.piped()
            } else {
                self.operand(want, depth)
            };
            text = format!("{text}{bar}{next}");
        }
        text
    }

    /// A command that takes one more argument, of nearly any type.
    fn piped(&mut self) -> String {
        match self.random.below(10) {
            0..4 => self.random.pick(words::TAKE_ANYTHING).to_owned(),
            4 => {
                let format = self.format(1);
                format!("printf {format}")
            }
            5 | 6 => format!(
                "{} {}",
                self.random
                    .pick(&["print", "and", "or", "list", "opt \"a\""]),
                self.operand(Want::Any, 2)
            ),
            7 => self.random.pick(words::ONE_ARGUMENT).to_owned(),
            8 => self.random.pick(words::METHODS).to_owned(),
            _ => format!(
                "{} {}",
                self.random.pick(words::TWO_ARGUMENTS),
                self.operand(Want::Any, 2)
            ),
        }
    }

    fn command(&mut self, want: Want, depth: usize) -> String {
        if self.random.chance(3) {
            // Anything after anything.
            let name = self.random.pick(words::ALL_FUNCTIONS);
            let count = self.random.below(4);
            let args: String = (0..count)
                .map(|_| format!(" {}", self.operand(Want::Any, depth + 1)))
                .collect();
            return format!("{name}{args}");
        }
        if depth > 3 || self.random.chance(45) {
            return self.operand(want, depth);
        }
        let want = if want == Want::Any {
            *self.random.pick(Want::ALL)
        } else {
            want
        };
        match want {
            Want::Any | Want::Text => self.text_command(depth + 1),
            Want::Bool => self.bool_command(depth + 1),
            Want::Int => match self.random.below(5) {
                0 => format!("len {}", self.container(depth + 1)),
                1 => format!(
                    "add {} {}",
                    self.operand(Want::Int, depth + 1),
                    self.operand(Want::Int, depth + 1)
                ),
                2 => format!(
                    "call {} {}",
                    self.random.pick(&["fns.fn", "(adder 2)"]),
                    self.operand(Want::Int, depth + 1)
                ),
                3 => format!(
                    "fns.obj.Sum {} {}",
                    self.operand(Want::Int, depth + 1),
                    self.operand(Want::Int, depth + 1)
                ),
                _ => format!("count {}", self.operand(Want::Map, depth + 1)),
            },
            Want::Float => format!("half {}", self.operand(Want::Float, depth + 1)),
            Want::List => match self.random.below(4) {
                0 => format!(
                    "slice {} {}",
                    self.random.pick(&["$.ints", "$.strs", "$.list"]),
                    self.random.pick(&["1", "2", "0 2", "1 2 3", "0", "4", "5"])
                ),
                _ => {
                    let count = self.random.below(4);
                    let args: String = (0..count)
                        .map(|_| format!(" {}", self.operand(Want::Any, depth + 1)))
                        .collect();
                    format!("list{args}")
                }
            },
            Want::Map => format!(
                "dict {} {}",
                self.operand(Want::Text, depth + 1),
                self.operand(Want::Any, depth + 1)
            ),
        }
    }

    fn text_command(&mut self, depth: usize) -> String {
        match self.random.below(12) {
            0..5 => {
                let count = self.random.below(3);
                let format = self.format(count);
                let args: String = (0..count)
                    .map(|_| format!(" {}", self.operand(Want::Any, depth)))
                    .collect();
                format!("printf {format}{args}")
            }
            5 | 6 => {
                let name = self
                    .random
                    .pick(&["print", "println", "html", "js", "urlquery"]);
                let count = self.random.below(4);
                let args: String = (0..count)
                    .map(|_| format!(" {}", self.operand(Want::Any, depth)))
                    .collect();
                format!("{name}{args}")
            }
            7 => format!("upper {}", self.operand(Want::Text, depth)),
            8 => format!(
                "repeat {} {}",
                self.operand(Want::Int, depth),
                self.operand(Want::Text, depth)
            ),
            9 => format!("fns.obj.Greet {}", self.operand(Want::Text, depth)),
            10 => format!(
                "slice {} {}",
                self.operand(Want::Text, depth),
                self.random.pick(&["0", "1", "0 1", "1 2", "0 0"])
            ),
            _ => format!(
                "index {} {}",
                self.container(depth),
                self.random
                    .pick(&["0", "1", "\"a\"", "\"name\"", "\"k\"", "2"])
            ),
        }
    }

    fn bool_command(&mut self, depth: usize) -> String {
        match self.random.below(8) {
            0..4 => {
                let name = self
                    .random
                    .pick(&["eq", "ne", "lt", "le", "gt", "ge", "eq"]);
                let kind = *self.random.pick(&[&Want::Text, &Want::Int, &Want::Float]);
                let mut text = format!(
                    "{name} {} {}",
                    self.operand(kind, depth),
                    self.operand(kind, depth)
                );
                if name == "eq" && self.random.chance(20) {
                    text = format!("{text} {}", self.operand(kind, depth));
                }
                text
            }
            4 => format!("not {}", self.operand(Want::Any, depth)),
            5 => format!(
                "both {} {}",
                self.operand(Want::Bool, depth),
                self.operand(Want::Bool, depth)
            ),
            6 => format!("$.vals.Has {}", self.operand(Want::Text, depth)),
            _ => format!(
                "{} {} {}",
                self.random.pick(&["and", "or"]),
                self.operand(Want::Any, depth),
                self.operand(Want::Any, depth)
            ),
        }
    }

    pub(super) fn container(&mut self, depth: usize) -> String {
        if self.random.chance(8) {
            return self.operand(Want::Any, depth);
        }
        let word = self.random.pick(words::CONTAINERS);
        self.rooted(word)
    }

    /// A field of the data, reached through `$` where dot is something else.
    pub(super) fn rooted(&mut self, word: &str) -> String {
        if word.starts_with('.') && !self.dot_is_root && !self.random.chance(8) {
            format!("${word}")
        } else {
            word.to_owned()
        }
    }

    pub(super) fn operand(&mut self, want: Want, depth: usize) -> String {
        let want = if self.random.chance(3) {
            Want::Any
        } else {
            want
        };
        if want == Want::Any && self.random.chance(25) {
            return match self.random.below(10) {
                0..5 => self.variable(),
                5 => {
                    let word = self.random.pick(words::ODD_FIELDS);
                    self.rooted(word)
                }
                6 => self.random.pick(words::NUMBERS).to_owned(),
                7 => self.random.pick(words::NO_ARGUMENTS).to_owned(),
                _ => self
                    .random
                    .pick(&["true", "false", "nil", ".", "."])
                    .to_owned(),
            };
        }
        if depth < 4 && self.random.chance(25) {
            let inside = self.pipeline_of(want, depth + 1);
            let declares = self.random.chance(3);
            let name = if declares { "$p := " } else { "" };
            if declares {
                self.variables.push("$p".to_owned());
            }
            let field = if self.random.chance(4) {
                self.random.pick(words::PLAIN_FIELDS)
            } else {
                ""
            };
            return format!("({name}{inside}){field}");
        }
        let words = match want {
            Want::Any => words::FIELDS,
            Want::Bool => words::BOOLS,
            Want::Float => words::FLOATS,
            Want::Int => words::INTEGERS,
            Want::List => words::LISTS,
            Want::Map => words::MAPS,
            Want::Text => words::STRINGS,
        };
        let word = self.random.pick(words);
        self.rooted(word)
    }

    fn variable(&mut self) -> String {
        let name = if self.random.chance(1) {
            "$undefined".to_owned()
        } else {
            let at = self.random.below(self.variables.len());
            self.variables[at].clone()
        };
        if self.random.chance(10) {
            let field = self.random.pick(words::PLAIN_FIELDS);
            format!("{name}{field}")
        } else {
            name
        }
    }
}
