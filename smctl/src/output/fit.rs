//! Tables that fit: columns are as wide as they need to be, and on a terminal the widest are cut until all fit.

use crate::paint::cut;
use console::measure_text_width;

/// The narrowest that a column is cut to.
const NARROW: usize = 8;

/// A table of headers and rows, in lines. `width` is that of the terminal, if it is one.
pub(crate) fn table(
    headers: &[String],
    rows: &[Vec<String>],
    width: Option<usize>,
    ruled: bool,
) -> String {
    let mut widths: Vec<_> = headers
        .iter()
        .map(|head| measure_text_width(head))
        .collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(measure_text_width(cell));
        }
    }
    if let Some(width) = width {
        // Ids are the first to go: people read names.
        let ids: Vec<_> = headers.iter().map(|head| head.ends_with("ID")).collect();
        shrink(&mut widths, width, &ids);
        shrink(&mut widths, width, &vec![true; headers.len()]);
    }
    let mut out = line(headers, &widths);
    if ruled {
        let rule: Vec<_> = widths.iter().map(|width| "-".repeat(*width)).collect();
        out.push_str(&line(&rule, &widths));
    }
    for row in rows {
        out.push_str(&line(row, &widths));
    }
    out
}

/// Takes from the widest of some columns, one by one, until all fit or these are narrow.
fn shrink(widths: &mut [usize], width: usize, which: &[bool]) {
    loop {
        let used = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
        if used <= width {
            return;
        }
        let some = widths.iter_mut().zip(which).filter(|(_, some)| **some);
        match some.map(|(width, _)| width).max() {
            Some(widest) if *widest > NARROW => *widest -= 1,
            _ => return,
        }
    }
}

fn line(cells: &[String], widths: &[usize]) -> String {
    let mut out = String::new();
    for (at, (cell, width)) in cells.iter().zip(widths).enumerate() {
        let flat = cell.replace(['\n', '\r', '\t'], " ");
        let cell = cut(&flat, *width);
        out.push_str(&cell);
        if at + 1 < cells.len() {
            let blanks = width.saturating_sub(measure_text_width(&cell)) + 2;
            out.extend(std::iter::repeat_n(' ', blanks));
        }
    }
    let mut out = out.trim_end().to_owned();
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::table;

    #[test]
    fn a_table_fits_or_is_whole() {
        let headers = ["NAME".to_owned(), "DESCRIPTION".to_owned()];
        let rows = vec![vec!["a".to_owned(), "x".repeat(50)]];
        let whole = table(&headers, &rows, None, false);
        assert!(whole.contains(&"x".repeat(50)));
        let fitted = table(&headers, &rows, Some(30), false);
        assert!(
            fitted.lines().all(|line| line.chars().count() <= 30),
            "{fitted}"
        );
        assert!(fitted.contains('…'));
    }
}
