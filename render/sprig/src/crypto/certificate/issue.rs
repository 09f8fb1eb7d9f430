//! A certificate written and signed, laid out as Go's `x509.CreateCertificate` lays it out.

use std::net::IpAddr;

use aws_lc_rs::digest::{SHA256, digest};
use qm_gotemplate::{Failure, fmt};

use super::super::der::{self, BIT_STRING, INTEGER, OBJECT, OCTET_STRING, SEQUENCE};
use super::super::keys::Key;
use crate::dates::utc_digits;
use crate::outside::{Moment, Outside};

/// What is to be certified.
pub(super) struct Order {
    name: String,
    serial: [u8; 16],
    from: Moment,
    days: i64,
    is_authority: bool,
    names: Vec<String>,
    addresses: Vec<IpAddr>,
}

/// What must be known of a certificate that signs another.
pub(super) struct Known {
    subject: Vec<u8>,
    public_key: Vec<u8>,
    key_id: Option<Vec<u8>>,
}

/// Who signs.
pub(super) struct Issuer {
    pub known: Known,
    pub key: Key,
}

impl Order {
    pub(super) fn new(outside: &Outside, name: &str, days: i64) -> Result<Self, Failure> {
        let mut serial = [0; 16];
        outside.fill(&mut serial)?;
        Ok(Self {
            name: name.to_owned(),
            serial,
            from: outside.now(),
            days,
            is_authority: false,
            names: Vec::new(),
            addresses: Vec::new(),
        })
    }

    pub(super) fn authority(self) -> Self {
        Self {
            is_authority: true,
            ..self
        }
    }

    pub(super) fn alternatives(self, names: Vec<String>, addresses: Vec<IpAddr>) -> Self {
        Self {
            names,
            addresses,
            ..self
        }
    }

    /// The certificate; without an issuer it is signed with its own key.
    pub(super) fn issue(&self, key: &Key, issuer: Option<&Issuer>) -> Result<Vec<u8>, String> {
        const NO_SIGNER: &str = "x509: certificate private key does not implement crypto.Signer";
        let signing = issuer.map_or(key, |issuer| &issuer.key);
        if matches!(signing, Key::Dsa(_)) {
            return Err(NO_SIGNER.to_owned());
        }
        let Some((algorithm, bits)) = key.public() else {
            return Err("x509: unsupported public key type: *dsa.PublicKey".to_owned());
        };
        let public_key = der::sequence(&[&algorithm, &der::bits(&bits)]);
        let subject = self.subject();
        let issuer_name = issuer.map_or(&subject, |issuer| &issuer.known.subject);
        if let Some(issuer) = issuer
            && issuer
                .key
                .public()
                .map(|(algorithm, bits)| der::sequence(&[&algorithm, &der::bits(&bits)]))
                != Some(issuer.known.public_key.clone())
        {
            return Err("x509: provided PrivateKey doesn't match parent's PublicKey".to_owned());
        }
        let authority_id = issuer
            .filter(|_| *issuer_name != subject)
            .and_then(|issuer| issuer.known.key_id.as_deref());
        let extensions = self.extensions(&bits, authority_id)?;
        let signed = der::sequence(&[
            &der::value(0xa0, &[&der::unsigned(&[2])]),
            &der::unsigned(&self.serial),
            &signing.algorithm(),
            issuer_name,
            &self.validity(),
            &subject,
            &public_key,
            &der::value(0xa3, &[&der::sequence(&[&extensions])]),
        ]);
        let signature = signing.sign(&signed).map_err(|_| NO_SIGNER.to_owned())?;
        Ok(der::sequence(&[
            &signed,
            &signing.algorithm(),
            &der::bits(&signature),
        ]))
    }

    /// The common name alone; printable letters in the narrow type of string, others as UTF-8.
    fn subject(&self) -> Vec<u8> {
        if self.name.is_empty() {
            return der::sequence(&[]);
        }
        let printable = |byte: u8| byte.is_ascii_alphanumeric() || b" '()+,-./:=?".contains(&byte);
        let tag = if self.name.bytes().all(printable) {
            0x13
        } else {
            0x0c
        };
        let pair = der::sequence(&[
            &der::value(OBJECT, &[&[0x55, 0x04, 0x03]]),
            &der::value(tag, &[self.name.as_bytes()]),
        ]);
        der::sequence(&[&der::value(0x31, &[&pair])])
    }

    fn validity(&self) -> Vec<u8> {
        let end = self
            .from
            .seconds
            .saturating_add(self.days.saturating_mul(86_400));
        der::sequence(&[&time(self.from.seconds), &time(end)])
    }

    fn extensions(&self, bits: &[u8], authority_id: Option<&[u8]>) -> Result<Vec<u8>, String> {
        let purpose =
            |last: u8| der::value(OBJECT, &[&[0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, last]]);
        // Digital signature, key encipherment, and for an authority signing certificates.
        let usage: &[u8] = if self.is_authority {
            &[2, 0xa4]
        } else {
            &[5, 0xa0]
        };
        let authority = [0x01, 0x01, 0xff];
        let constraints: &[u8] = if self.is_authority { &authority } else { &[] };
        let mut out = Vec::new();
        out.extend(extension(15, true, &der::value(BIT_STRING, &[usage])));
        out.extend(extension(
            37,
            false,
            &der::sequence(&[&purpose(1), &purpose(2)]),
        ));
        out.extend(extension(19, true, &der::sequence(&[constraints])));
        if self.is_authority {
            let sum = digest(&SHA256, bits);
            out.extend(extension(
                14,
                false,
                &der::value(OCTET_STRING, &[&sum.as_ref()[..20]]),
            ));
        }
        if let Some(id) = authority_id {
            out.extend(extension(
                35,
                false,
                &der::sequence(&[&der::value(0x80, &[id])]),
            ));
        }
        let alternatives = self.alternative_names()?;
        if !alternatives.is_empty() {
            let names = der::sequence(&[&alternatives]);
            out.extend(extension(17, self.name.is_empty(), &names));
        }
        Ok(out)
    }

    fn alternative_names(&self) -> Result<Vec<u8>, String> {
        let mut out = Vec::new();
        for name in &self.names {
            if !name.is_ascii() {
                let shown = fmt::quoted(name);
                return Err(format!("x509: {shown} cannot be encoded as an IA5String"));
            }
            out.extend(der::value(0x82, &[name.as_bytes()]));
        }
        for address in &self.addresses {
            out.extend(match address.to_canonical() {
                IpAddr::V4(address) => der::value(0x87, &[&address.octets()]),
                IpAddr::V6(address) => der::value(0x87, &[&address.octets()]),
            });
        }
        Ok(out)
    }
}

/// An extension of the family that all of ours are of.
fn extension(number: u8, critical: bool, content: &[u8]) -> Vec<u8> {
    let flag: &[u8] = if critical { &[0x01, 0x01, 0xff] } else { &[] };
    der::sequence(&[
        &der::value(OBJECT, &[&[0x55, 0x1d, number]]),
        flag,
        &der::value(OCTET_STRING, &[content]),
    ])
}

/// Two digits for the year until 2049, four from then on.
fn time(seconds: i64) -> Vec<u8> {
    let digits = utc_digits(seconds);
    match digits.as_str() {
        short if ("1950".."2050").contains(&&short[..4]) => {
            der::value(0x17, &[&digits.as_bytes()[2..], b"Z"])
        }
        _ => der::value(0x18, &[digits.as_bytes(), b"Z"]),
    }
}

/// The parts of a certificate that its children need; `None` when it is none.
pub(super) fn look_into(bytes: &[u8]) -> Option<Known> {
    let whole = der::expect(bytes, SEQUENCE).filter(|whole| whole.rest.is_empty())?;
    let mut at = der::expect(whole.content, SEQUENCE)?.content;
    if let Some(version) = der::expect(at, 0xa0) {
        at = version.rest;
    }
    at = der::expect(at, INTEGER)?.rest;
    // Algorithm, issuer, validity.
    for _ in 0..3 {
        at = der::expect(at, SEQUENCE)?.rest;
    }
    let subject = der::expect(at, SEQUENCE)?;
    let public_key = der::expect(subject.rest, SEQUENCE)?;
    let mut known = Known {
        subject: subject.whole.to_vec(),
        public_key: public_key.whole.to_vec(),
        key_id: None,
    };
    let mut rest = public_key.rest;
    while let Some(element) = der::read(rest) {
        if element.tag == 0xa3 {
            known.key_id = key_id(element.content);
        }
        rest = element.rest;
    }
    Some(known)
}

fn key_id(extensions: &[u8]) -> Option<Vec<u8>> {
    let mut rest = der::expect(extensions, SEQUENCE)?.content;
    while let Some(extension) = der::expect(rest, SEQUENCE) {
        rest = extension.rest;
        let object = der::expect(extension.content, OBJECT)?;
        if object.content == [0x55, 0x1d, 14] {
            let content = der::expect(object.rest, OCTET_STRING)?.content;
            return Some(der::expect(content, OCTET_STRING)?.content.to_vec());
        }
    }
    None
}
