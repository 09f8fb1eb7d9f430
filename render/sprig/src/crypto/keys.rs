//! Private keys: made, read from PEM and written. RSA, ECDSA and Ed25519 come from aws-lc-rs, whose
//! generator is its own: a private key is the one thing that the handed-in source does not feed.

mod dsa;
mod parse;

use aws_lc_rs::encoding::{AsBigEndian, AsDer, EcPrivateKeyBin, Pkcs8V1Der};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, EcdsaSigningAlgorithm, Ed25519KeyPair, KeyPair,
    RSA_PKCS1_SHA256, RsaKeyPair,
};
use qm_gotemplate::{Failure, Functions, Value};

use super::der::{self, OBJECT, OCTET_STRING};
use super::pem;
use crate::outside::Outside;
use crate::strings::one;

pub(super) use parse::parse;

/// Steps for making a key with so many bits.
const RSA_2048_STEPS: u64 = 200_000;
const RSA_4096_STEPS: u64 = 1_000_000;

/// A curve: where its name is, and how it signs.
#[derive(Clone, Copy)]
pub(super) struct Curve {
    pub object: &'static [u8],
    pub signing: &'static EcdsaSigningAlgorithm,
    /// The object of the signature algorithm in certificates.
    pub signature: &'static [u8],
}

const P256: Curve = Curve {
    object: &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07],
    signing: &ECDSA_P256_SHA256_ASN1_SIGNING,
    signature: &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
};

/// A private key.
pub(super) enum Key {
    Rsa(Box<RsaKeyPair>),
    Ecdsa(EcdsaKeyPair, Curve),
    Ed25519(Ed25519KeyPair),
    /// Kept as it was read: nothing can be signed with it here or in Go's certificates.
    Dsa(Vec<u8>),
}

pub(super) fn add(to: &mut Functions, outside: &Outside) {
    let outside = outside.clone();
    to.add("genPrivateKey", one(), move |context, args| {
        let key = match &*args.text(0) {
            "" | "rsa" => {
                context.spend(RSA_4096_STEPS)?;
                RsaKeyPair::generate(KeySize::Rsa4096).map(|key| Key::Rsa(Box::new(key)))
            }
            "dsa" => {
                context.spend(RSA_4096_STEPS)?;
                Ok(Key::Dsa(dsa::generate(context, &outside)?))
            }
            "ecdsa" => EcdsaKeyPair::generate(P256.signing).map(|key| Key::Ecdsa(key, P256)),
            "ed25519" => Ed25519KeyPair::generate().map(Key::Ed25519),
            other => return Ok(format!("Unknown type {other}").into()),
        };
        let text = key.and_then(|key| key.pem()).map_err(|_| failed())?;
        Ok(Value::from(text))
    });
}

fn failed() -> Failure {
    Failure::new("failed to generate private key")
}

impl Key {
    /// What certificates are made with.
    pub(super) fn for_certificate(
        context: &mut qm_gotemplate::Context<'_>,
    ) -> Result<Self, Failure> {
        context.spend(RSA_2048_STEPS)?;
        let key = RsaKeyPair::generate(KeySize::Rsa2048);
        key.map(|key| Self::Rsa(Box::new(key)))
            .map_err(|_| "error generating rsa key".into())
    }

    /// As sprig writes it: each sort in its own old form, Ed25519 in PKCS#8.
    pub(super) fn pem(&self) -> Result<String, Unspecified> {
        Ok(match self {
            Self::Rsa(key) => {
                let wrapped: Pkcs8V1Der<'_> = key.as_der()?;
                let inner = parse::unwrapped(wrapped.as_ref()).ok_or(Unspecified)?;
                pem::encode("RSA PRIVATE KEY", inner.key)
            }
            Self::Ecdsa(key, curve) => {
                let secret: EcPrivateKeyBin<'_> = key.private_key().as_be_bytes()?;
                let bytes = der::sequence(&[
                    &der::unsigned(&[1]),
                    &der::value(OCTET_STRING, &[secret.as_ref()]),
                    &der::value(0xa0, &[&der::value(OBJECT, &[curve.object])]),
                    &der::value(0xa1, &[&der::bits(key.public_key().as_ref())]),
                ]);
                pem::encode("EC PRIVATE KEY", &bytes)
            }
            Self::Ed25519(key) => {
                let seed = key.seed()?;
                let seed: aws_lc_rs::encoding::Curve25519SeedBin<'_> = seed.as_be_bytes()?;
                let bytes = der::sequence(&[
                    &der::unsigned(&[0]),
                    &der::sequence(&[&der::value(OBJECT, &[ED25519])]),
                    &der::value(OCTET_STRING, &[&der::value(OCTET_STRING, &[seed.as_ref()])]),
                ]);
                pem::encode("PRIVATE KEY", &bytes)
            }
            Self::Dsa(bytes) => pem::encode("DSA PRIVATE KEY", bytes),
        })
    }

    /// The algorithm and the bits of the public key, as a certificate holds them.
    pub(super) fn public(&self) -> Option<(Vec<u8>, Vec<u8>)> {
        let null = [0x05, 0x00];
        Some(match self {
            Self::Rsa(key) => (
                der::sequence(&[&der::value(OBJECT, &[RSA]), &null]),
                key.public_key().as_ref().to_vec(),
            ),
            Self::Ecdsa(key, curve) => (
                der::sequence(&[
                    &der::value(OBJECT, &[EC_PUBLIC_KEY]),
                    &der::value(OBJECT, &[curve.object]),
                ]),
                key.public_key().as_ref().to_vec(),
            ),
            Self::Ed25519(key) => (
                der::sequence(&[&der::value(OBJECT, &[ED25519])]),
                key.public_key().as_ref().to_vec(),
            ),
            Self::Dsa(_) => return None,
        })
    }

    /// The signature algorithm, as a certificate names it.
    pub(super) fn algorithm(&self) -> Vec<u8> {
        let null: &[u8] = &[0x05, 0x00];
        match self {
            Self::Rsa(_) => der::sequence(&[&der::value(OBJECT, &[SHA256_RSA]), null]),
            Self::Ecdsa(_, curve) => der::sequence(&[&der::value(OBJECT, &[curve.signature])]),
            Self::Ed25519(_) | Self::Dsa(_) => der::sequence(&[&der::value(OBJECT, &[ED25519])]),
        }
    }

    pub(super) fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Unspecified> {
        let random = SystemRandom::new();
        match self {
            Self::Rsa(key) => {
                let mut signature = vec![0; key.public_modulus_len()];
                key.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature)?;
                Ok(signature)
            }
            Self::Ecdsa(key, _) => Ok(key.sign(&random, message)?.as_ref().to_vec()),
            Self::Ed25519(key) => Ok(key.sign(message).as_ref().to_vec()),
            Self::Dsa(_) => Err(Unspecified),
        }
    }
}

const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01];
const SHA256_RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b];
const EC_PUBLIC_KEY: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];
const ED25519: &[u8] = &[0x2b, 0x65, 0x70];
