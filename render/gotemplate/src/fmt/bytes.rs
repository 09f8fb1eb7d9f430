//! Letters in Go's strings: a byte that belongs to no letter counts as one letter, U+FFFD.

/// The first letter and its length; `None` as letter when the byte belongs to none. The bytes must
/// not be empty.
pub(crate) fn decode(bytes: &[u8]) -> (Option<char>, usize) {
    let width = match bytes.first() {
        Some(0..=0x7f) => return (bytes.first().map(|byte| char::from(*byte)), 1),
        Some(0xc2..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf4) => 4,
        _ => return (None, 1),
    };
    let text = bytes
        .get(..width)
        .and_then(|part| std::str::from_utf8(part).ok());
    match text.and_then(|text| text.chars().next()) {
        Some(c) => (Some(c), width),
        None => (None, 1),
    }
}

/// How many letters there are.
pub(crate) fn rune_count(bytes: &[u8]) -> usize {
    if bytes.is_ascii() {
        return bytes.len();
    }
    let mut rest = bytes;
    let mut count = 0;
    while !rest.is_empty() {
        rest = &rest[decode(rest).1..];
        count += 1;
    }
    count
}

/// The first `count` letters.
pub(super) fn first(bytes: &[u8], count: usize) -> &[u8] {
    let mut end = 0;
    for _ in 0..count {
        if end >= bytes.len() {
            return bytes;
        }
        end += decode(&bytes[end..]).1;
    }
    &bytes[..end]
}
