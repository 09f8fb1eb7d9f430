//! Base64, Base32 and hexadecimal text.

pub(crate) mod base32;
pub(crate) mod base64;

use qm_gotemplate::Functions;

use crate::strings::{one, text};

pub(crate) fn add(to: &mut Functions) {
    to.add("b64enc", one(), |_, args| {
        Ok(base64::encoded(args.str(0).as_bytes()).into())
    });
    // What cannot be decoded gives the text of the error.
    to.add("b64dec", one(), |_, args| {
        Ok(match base64::decoded(args.str(0).as_bytes()) {
            Ok(bytes) => text(bytes),
            Err(error) => error.to_string().into(),
        })
    });
    to.add("b32enc", one(), |_, args| {
        Ok(base32::encoded(args.str(0).as_bytes()).into())
    });
    to.add("b32dec", one(), |_, args| {
        Ok(match base32::decoded(args.str(0).as_bytes()) {
            Ok(bytes) => text(bytes),
            Err(error) => error.to_string().into(),
        })
    });
}

/// Where a text stops being an encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("illegal {name} data at input byte {at}")]
pub(crate) struct Corrupt {
    name: &'static str,
    at: usize,
}

/// Lower case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| DIGITS[usize::from(digit)]).collect()
}
