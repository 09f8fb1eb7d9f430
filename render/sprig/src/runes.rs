//! Go's view of a string as runes: a byte that is not part of UTF-8 is one U+FFFD of width one.

/// The runes of a text with their bytes, in order.
pub(crate) fn runes(bytes: &[u8]) -> impl Iterator<Item = (char, &[u8])> {
    bytes.utf8_chunks().flat_map(|chunk| {
        let valid = chunk.valid();
        let letters = valid
            .char_indices()
            .map(move |(at, c)| (c, &valid.as_bytes()[at..at + c.len_utf8()]));
        let broken = chunk
            .invalid()
            .chunks(1)
            .map(|byte| (char::REPLACEMENT_CHARACTER, byte));
        letters.chain(broken)
    })
}

/// `[]rune(text)`.
pub(crate) fn to_runes(bytes: &[u8]) -> Vec<char> {
    runes(bytes).map(|(c, _)| c).collect()
}

/// How many bytes the first rune takes; 0 at the end.
pub(crate) fn first_width(bytes: &[u8]) -> usize {
    let start = &bytes[..bytes.len().min(4)];
    runes(start).next().map_or(0, |(_, part)| part.len())
}

/// Every rune replaced, as `strings.Map` does.
pub(crate) fn map(bytes: &[u8], mut change: impl FnMut(char) -> char) -> String {
    runes(bytes).map(|(c, _)| change(c)).collect()
}

/// Position of the first occurrence.
pub(crate) fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    if part.is_empty() {
        return Some(0);
    }
    if let (Ok(text), Ok(part)) = (std::str::from_utf8(bytes), std::str::from_utf8(part)) {
        return text.find(part);
    }
    bytes.windows(part.len()).position(|window| window == part)
}
