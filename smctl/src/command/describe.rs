//! What every `describe` prints: lines of a name and a value, and sections of such lines.

use crate::output::Paint;
use console::measure_text_width;

/// A page about one thing.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    lines: Vec<(String, String)>,
    sections: Vec<(String, Vec<(String, String)>)>,
}

impl Sheet {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A line, unless there is nothing to say.
    pub(crate) fn line(&mut self, name: &str, value: &str) {
        if !value.is_empty() && value != "-" {
            self.lines.push((name.to_owned(), value.to_owned()));
        }
    }

    /// A section, unless it is empty.
    pub(crate) fn section(&mut self, title: &str, lines: Vec<(String, String)>) {
        if !lines.is_empty() {
            self.sections.push((title.to_owned(), lines));
        }
    }

    pub(crate) fn print(&self) {
        let paint = Paint::stdout();
        lines(paint, &self.lines, "");
        for (title, body) in &self.sections {
            println!();
            println!("{}", paint.bold(title));
            lines(paint, body, "  ");
        }
    }
}

fn lines(paint: Paint, lines: &[(String, String)], indent: &str) {
    let width = lines
        .iter()
        .map(|(name, _)| measure_text_width(name))
        .max()
        .unwrap_or_default();
    for (name, value) in lines {
        let blanks = " ".repeat(width - measure_text_width(name) + 2);
        let tail = format!("\n{indent}{}", " ".repeat(width + 2));
        let value = value.replace('\n', &tail);
        println!("{indent}{}{blanks}{value}", paint.dim(name));
    }
}
