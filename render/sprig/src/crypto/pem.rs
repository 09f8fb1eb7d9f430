//! PEM: bytes in Base64 between lines that say what they are.

use crate::encoding::base64;

/// A block of bytes with a name.
pub(super) struct Block {
    pub name: String,
    pub bytes: Vec<u8>,
}

pub(super) fn encode(name: &str, bytes: &[u8]) -> String {
    let text = base64::encoded(bytes);
    let mut out = format!("-----BEGIN {name}-----\n");
    let mut rest = &text[..];
    while !rest.is_empty() {
        let (line, behind) = rest.split_at(rest.len().min(64));
        out.push_str(line);
        out.push('\n');
        rest = behind;
    }
    out.push_str(&format!("-----END {name}-----\n"));
    out
}

/// The first block; headers in it are skipped.
pub(super) fn decode(text: &str) -> Option<Block> {
    let mut lines = text.lines().map(str::trim_end);
    loop {
        let name = lines.by_ref().find_map(|line| {
            let name = line.strip_prefix("-----BEGIN ")?.strip_suffix("-----")?;
            Some(name.to_owned())
        })?;
        let end = format!("-----END {name}-----");
        let (mut body, mut closed) = (String::new(), false);
        for line in lines.by_ref() {
            if line == end {
                closed = true;
                break;
            }
            if !line.contains(':') {
                body.push_str(line.trim());
            }
        }
        if closed && let Ok(bytes) = base64::decoded(body.as_bytes()) {
            return Some(Block { name, bytes });
        }
    }
}
