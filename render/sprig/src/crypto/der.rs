//! The little of ASN.1 that keys and certificates need: values written, and read one after the other.

pub(super) const INTEGER: u8 = 0x02;
pub(super) const BIT_STRING: u8 = 0x03;
pub(super) const OCTET_STRING: u8 = 0x04;
pub(super) const OBJECT: u8 = 0x06;
pub(super) const SEQUENCE: u8 = 0x30;

/// A value with its tag and length.
pub(super) fn value(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut out = vec![tag];
    match u8::try_from(length) {
        Ok(short) if short < 0x80 => out.push(short),
        _ => {
            let bytes = length.to_be_bytes();
            let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
            out.push(0x80 | u8::try_from(bytes.len() - zeros).unwrap_or(0));
            out.extend_from_slice(&bytes[zeros..]);
        }
    }
    for part in parts {
        out.extend_from_slice(part);
    }
    out
}

pub(super) fn sequence(parts: &[&[u8]]) -> Vec<u8> {
    value(SEQUENCE, parts)
}

/// A positive number from its bytes, the largest first.
pub(super) fn unsigned(bytes: &[u8]) -> Vec<u8> {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let digits = &bytes[zeros.min(bytes.len().saturating_sub(1))..];
    match digits.first() {
        Some(first) if *first < 0x80 => value(INTEGER, &[digits]),
        _ => value(INTEGER, &[&[0], digits]),
    }
}

/// Whole bytes as bits.
pub(super) fn bits(bytes: &[u8]) -> Vec<u8> {
    value(BIT_STRING, &[&[0], bytes])
}

/// The first value of some bytes: its tag, its content, all of it, and what is behind it.
pub(super) struct Element<'a> {
    pub tag: u8,
    pub content: &'a [u8],
    pub whole: &'a [u8],
    pub rest: &'a [u8],
}

pub(super) fn read(bytes: &[u8]) -> Option<Element<'_>> {
    let [tag, first, behind @ ..] = bytes else {
        return None;
    };
    let (length, content) = if *first < 0x80 {
        (usize::from(*first), behind)
    } else {
        let count = usize::from(first & 0x7f);
        let digits = behind.get(..count).filter(|_| (1..=4).contains(&count))?;
        let length = digits
            .iter()
            .fold(0, |sum, digit| sum << 8 | usize::from(*digit));
        (length, &behind[count..])
    };
    let (content, rest) = content.split_at_checked(length)?;
    Some(Element {
        tag: *tag,
        content,
        whole: &bytes[..bytes.len() - rest.len()],
        rest,
    })
}

/// The first value, when it has this tag.
pub(super) fn expect(bytes: &[u8], tag: u8) -> Option<Element<'_>> {
    read(bytes).filter(|element| element.tag == tag)
}
