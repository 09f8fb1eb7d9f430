//! Checksums of a text.

use aws_lc_rs::digest::{self, SHA1_FOR_LEGACY_USE_ONLY, SHA256, SHA512};
use qm_gotemplate::Functions;

use crate::encoding::hex;
use crate::strings::one;

pub(super) fn add(to: &mut Functions) {
    for (name, algorithm) in [
        ("sha1sum", &SHA1_FOR_LEGACY_USE_ONLY),
        ("sha256sum", &SHA256),
        ("sha512sum", &SHA512),
    ] {
        to.add(name, one(), move |_, args| {
            let sum = digest::digest(algorithm, args.str(0).as_bytes());
            Ok(hex(sum.as_ref()).into())
        });
    }
    to.add("adler32sum", one(), |_, args| {
        Ok(adler32(args.str(0).as_bytes()).to_string().into())
    });
}

fn adler32(bytes: &[u8]) -> u32 {
    const BASE: u32 = 65_521;
    let (mut low, mut high) = (1_u32, 0_u32);
    // So many bytes can be added before a sum must be reduced.
    for part in bytes.chunks(5552) {
        for byte in part {
            low += u32::from(*byte);
            high += low;
        }
        low %= BASE;
        high %= BASE;
    }
    high << 16 | low
}
