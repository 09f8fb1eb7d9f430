//! The old smctl's tables, byte for byte: widths count bytes, trailing blanks stay. On a terminal the same table is cut to
//! its width, and widths count columns.

use crate::output::fit;
use std::fmt::Write;

/// A table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) headers: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<String>>,
    pub(crate) vertical: bool,
}

impl Table {
    pub(crate) fn text(&self) -> String {
        if self.rows.is_empty() {
            String::new()
        } else if self.vertical {
            self.upright()
        } else {
            self.flat()
        }
    }

    /// The same for a terminal of a width. What stands upright is a block of lines each, and what is long wraps.
    pub(crate) fn fitted(&self, width: usize) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        if self.vertical {
            let blocks = self.rows.iter().map(|row| self.block(row));
            return blocks.collect::<Vec<_>>().join("\n");
        }
        let headers: Vec<_> = self.headers.iter().map(|head| (*head).to_owned()).collect();
        fit::table(&headers, &self.rows, Some(width), true)
    }

    fn block(&self, row: &[String]) -> String {
        let heads = self.headers.iter().map(|head| head.len()).max();
        let width = heads.unwrap_or_default();
        let mut out = String::new();
        for (head, cell) in self.headers.iter().zip(row) {
            if !cell.is_empty() {
                let _ = writeln!(out, "{head:<width$}  {cell}");
            }
        }
        out
    }

    fn flat(&self) -> String {
        let mut widths: Vec<_> = self.headers.iter().map(|head| head.len() + 2).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.len() + 2);
            }
        }
        let mut out = String::new();
        for (head, width) in self.headers.iter().zip(&widths) {
            pad(&mut out, head, *width);
        }
        out.push('\n');
        for width in &widths {
            let _ = write!(out, "{}  ", "-".repeat(width - 2));
        }
        out.push('\n');
        for row in &self.rows {
            for (cell, width) in row.iter().zip(&widths) {
                pad(&mut out, cell, *width);
            }
            out.push('\n');
        }
        out
    }

    fn upright(&self) -> String {
        let heads = self.headers.iter().map(|head| head.len() + 2).max();
        let cells = self.rows.iter().flatten().map(|cell| cell.len() + 2).max();
        let mut out = String::new();
        for (at, head) in self.headers.iter().enumerate() {
            out.push_str("| ");
            pad(&mut out, head, heads.unwrap_or_default());
            out.push_str("| ");
            for row in &self.rows {
                pad(
                    &mut out,
                    row.get(at).map_or("", String::as_str),
                    cells.unwrap_or_default(),
                );
                out.push_str("| ");
            }
            out.push('\n');
        }
        out
    }
}

fn pad(out: &mut String, text: &str, width: usize) {
    out.push_str(text);
    out.extend(std::iter::repeat_n(' ', width.saturating_sub(text.len())));
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn both_layouts_are_the_old_ones() {
        let mut table = Table {
            headers: vec!["ID", "Name"],
            rows: vec![vec!["1".into(), "ä".into()], vec!["22".into(), "b".into()]],
            vertical: false,
        };
        assert_eq!(
            table.text(),
            "ID  Name  \n--  ----  \n1   ä    \n22  b     \n"
        );
        table.vertical = true;
        assert_eq!(
            table.text(),
            "| ID    | 1   | 22  | \n| Name  | ä  | b   | \n"
        );
    }
}
