//! Colours and widths: only on a terminal, and never against `NO_COLOR`.

use console::{Style, Term, measure_text_width};

/// Where text goes and what it may look like.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paint {
    coloured: bool,
    /// Whether it goes to a terminal.
    pub(crate) is_terminal: bool,
    /// Columns that a line may fill.
    pub(crate) width: usize,
}

impl Paint {
    /// For standard output.
    pub(crate) fn stdout() -> Self {
        let term = Term::stdout();
        let quiet = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let width = term
            .size_checked()
            .map(|(_, columns)| usize::from(columns))
            .or_else(|| std::env::var("COLUMNS").ok()?.parse().ok())
            .unwrap_or(110);
        Self {
            coloured: term.is_term() && !quiet,
            is_terminal: term.is_term(),
            width: width.max(60),
        }
    }

    /// Without colours, for tests and files.
    #[cfg(test)]
    pub(crate) fn plain(width: usize) -> Self {
        Self {
            coloured: false,
            is_terminal: false,
            width,
        }
    }

    pub(crate) fn good(self, text: &str) -> String {
        self.apply(Style::new().green(), text)
    }

    pub(crate) fn bad(self, text: &str) -> String {
        self.apply(Style::new().red().bold(), text)
    }

    pub(crate) fn warn(self, text: &str) -> String {
        self.apply(Style::new().yellow(), text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.apply(Style::new().dim(), text)
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.apply(Style::new().bold(), text)
    }

    fn apply(self, style: Style, text: &str) -> String {
        if text.is_empty() {
            return String::new();
        }
        style
            .force_styling(self.coloured)
            .apply_to(text)
            .to_string()
    }
}

/// The text cut to a width, with a mark when something is missing.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if measure_text_width(text) <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        if measure_text_width(&short) + 2 > width {
            break;
        }
        short.push(c);
    }
    short.push('…');
    short
}

/// The text broken into lines of a width, at blanks where there are any.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split(' ') {
            let fits = measure_text_width(&line) + 1 + measure_text_width(word) <= width;
            if !line.is_empty() && !fits {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            for c in word.chars() {
                if measure_text_width(&line) >= width {
                    lines.push(std::mem::take(&mut line));
                }
                line.push(c);
            }
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_to_the_width() {
        let text = "some words and averyveryverylongwordwithoutanyblank at the end";
        let lines = wrap(text, 12);
        assert!(
            lines.iter().all(|line| line.chars().count() <= 12),
            "{lines:?}"
        );
        assert_eq!(lines.concat().replace(' ', ""), text.replace(' ', ""));
        assert_eq!(cut("abcdef", 4), "abc…");
        assert_eq!(cut("abcd", 4), "abcd");
    }
}
