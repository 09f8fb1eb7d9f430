//! A private key read from PEM. Why bytes are no key is told in short; Go tells the place in the ASN.1.

use aws_lc_rs::signature::{
    ECDSA_P384_SHA384_ASN1_SIGNING, ECDSA_P521_SHA512_ASN1_SIGNING, EcdsaKeyPair, Ed25519KeyPair,
    RsaKeyPair,
};

use super::super::der::{self, INTEGER, OBJECT, OCTET_STRING, SEQUENCE};
use super::super::pem;
use super::{Curve, EC_PUBLIC_KEY, ED25519, Key, P256, RSA};

const P384: Curve = Curve {
    object: &[0x2b, 0x81, 0x04, 0x00, 0x22],
    signing: &ECDSA_P384_SHA384_ASN1_SIGNING,
    signature: &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x03],
};
const P521: Curve = Curve {
    object: &[0x2b, 0x81, 0x04, 0x00, 0x23],
    signing: &ECDSA_P521_SHA512_ASN1_SIGNING,
    signature: &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x04],
};

const MALFORMED: &str = "asn1: structure error: malformed private key";

/// The error is sprig's text.
pub(in super::super) fn parse(text: &str) -> Result<Key, String> {
    let Some(block) = pem::decode(text) else {
        return Err("no PEM data in input".to_owned());
    };
    let bytes = &block.bytes;
    if block.name == "PRIVATE KEY" {
        return pkcs8(bytes).ok_or_else(|| format!("decoding PEM as PKCS#8: {MALFORMED}"));
    }
    let Some(sort) = block.name.strip_suffix(" PRIVATE KEY") else {
        let name = block.name;
        return Err(format!("no private key data in PEM block of type {name}"));
    };
    let key = match sort {
        "RSA" => rsa(bytes),
        "EC" => ecdsa(bytes),
        "DSA" => dsa(bytes),
        _ => return Err(format!("invalid private key type {}", block.name)),
    };
    key.ok_or_else(|| format!("parsing {sort} private key from PEM: {MALFORMED}"))
}

/// What is inside of PKCS#8.
pub(super) struct Unwrapped<'a> {
    algorithm: &'a [u8],
    pub(super) key: &'a [u8],
}

pub(super) fn unwrapped(bytes: &[u8]) -> Option<Unwrapped<'_>> {
    let outer = der::expect(bytes, SEQUENCE)?;
    let version = der::expect(outer.content, INTEGER)?;
    let algorithm = der::expect(version.rest, SEQUENCE)?;
    let key = der::expect(algorithm.rest, OCTET_STRING)?;
    Some(Unwrapped {
        algorithm: der::expect(algorithm.content, OBJECT)?.content,
        key: key.content,
    })
}

fn pkcs8(bytes: &[u8]) -> Option<Key> {
    let inner = unwrapped(bytes)?;
    match inner.algorithm {
        RSA => rsa(inner.key),
        EC_PUBLIC_KEY => [P256, P384, P521].into_iter().find_map(|curve| {
            let key = EcdsaKeyPair::from_pkcs8(curve.signing, bytes).ok()?;
            Some(Key::Ecdsa(key, curve))
        }),
        ED25519 => Ed25519KeyPair::from_pkcs8_maybe_unchecked(bytes)
            .ok()
            .map(Key::Ed25519),
        _ => None,
    }
}

fn rsa(bytes: &[u8]) -> Option<Key> {
    let key = RsaKeyPair::from_der(bytes).ok()?;
    Some(Key::Rsa(Box::new(key)))
}

fn ecdsa(bytes: &[u8]) -> Option<Key> {
    [P256, P384, P521].into_iter().find_map(|curve| {
        let key = EcdsaKeyPair::from_private_key_der(curve.signing, bytes).ok()?;
        Some(Key::Ecdsa(key, curve))
    })
}

/// A version and five numbers.
fn dsa(bytes: &[u8]) -> Option<Key> {
    let mut rest = der::expect(bytes, SEQUENCE)?.content;
    for _ in 0..6 {
        rest = der::expect(rest, INTEGER)?.rest;
    }
    Some(Key::Dsa(bytes.to_vec()))
}
