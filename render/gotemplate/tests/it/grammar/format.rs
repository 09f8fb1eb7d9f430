//! Formats for `printf`: flags, widths, precisions, argument numbers and verbs, right and wrong.

use super::Grammar;

impl Grammar {
    /// A quoted format with about this many directives.
    pub(super) fn format(&mut self, count: usize) -> String {
        let mut text = String::new();
        let count = if self.random.chance(10) {
            self.random.below(4)
        } else {
            count
        };
        for _ in 0..count {
            text += self.random.pick(&["", "", "a", " ", "é", "%%"]);
            text += &self.directive();
        }
        text += self.random.pick(&["", "", "", "!", "%", "%!"]);
        format!("\"{text}\"")
    }

    fn directive(&mut self) -> String {
        let mut text = String::from("%");
        for _ in 0..self.random.below(3) {
            if self.random.chance(35) {
                text += self.random.pick(&["+", "-", "#", "0", " "]);
            }
        }
        if self.random.chance(5) {
            text += self
                .random
                .pick(&["[1]", "[2]", "[3]", "[x]", "[1", "[0]", "[]"]);
        }
        if self.random.chance(30) {
            text += self.random.pick(&["1", "3", "8", "12", "*", "20", "100"]);
        }
        if self.random.chance(25) {
            text += self
                .random
                .pick(&[".0", ".1", ".3", ".10", ".", ".*", ".25"]);
        }
        if self.random.chance(3) {
            text += self.random.pick(&["[1]", "[2]"]);
        }
        text += self.random.pick(&[
            "v", "v", "v", "d", "d", "s", "s", "q", "q", "x", "X", "t", "f", "e", "E", "g", "G",
            "F", "b", "o", "O", "c", "U", "T", "T", "z", "w", "é", "i", "r",
        ]);
        text
    }
}
