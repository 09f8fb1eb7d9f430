//! Which letters may stand in an identifier and which are printed as they are. ASCII is decided
//! here, the rest by Go's own tables.

mod table;

/// `strconv.IsPrint`.
pub(crate) fn is_print(c: char) -> bool {
    match c {
        ' '..='~' => true,
        c if c.is_ascii() => false,
        c => inside(table::PRINT, c),
    }
}

/// A letter, a digit or an underscore.
pub(crate) fn is_word(c: char) -> bool {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => true,
        c if c.is_ascii() => false,
        c => inside(table::WORD, c),
    }
}

fn inside(ranges: &[(u32, u32)], c: char) -> bool {
    let code = u32::from(c);
    let after = ranges.partition_point(|(first, _)| *first <= code);
    after > 0 && code <= ranges[after - 1].1
}
