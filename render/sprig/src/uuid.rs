//! `uuidv4`: a random UUID.

use qm_gotemplate::{Functions, Signature, Type};

use crate::encoding::hex;
use crate::outside::Outside;

pub(crate) fn add(to: &mut Functions, outside: &Outside) {
    let outside = outside.clone();
    let signature = Signature::new([]).returns(Type::String);
    to.add("uuidv4", signature, move |_, _| {
        let mut bytes = [0; 16];
        outside.fill(&mut bytes)?;
        // Version 4, and the variant of RFC 9562.
        bytes[6] = bytes[6] & 0x0f | 0x40;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        let groups = [0..4, 4..6, 6..8, 8..10, 10..16];
        Ok(groups.map(|group| hex(&bytes[group])).join("-").into())
    });
}
