//! From a verified client certificate to a [`PeerIdentity`].
//!
//! Called after each handshake. The rule: rustls has checked the chain; here the names are only read,
//! and a certificate whose names cannot be read gives no identity, which every rule refuses.

use crate::auth::PeerIdentity;
use aws_lc_rs::digest::{SHA256, digest};
use std::fmt::Write;
use std::net::IpAddr;
use tokio_rustls::server::TlsStream;
use x509_parser::certificate::X509Certificate;
use x509_parser::extensions::GeneralName;
use x509_parser::objects::{oid_registry, oid2abbrev};
use x509_parser::prelude::FromDer;
use x509_parser::x509::{AttributeTypeAndValue, X509Name};

/// Who showed a certificate in this handshake, if anybody.
pub(super) fn identity<IO>(stream: &TlsStream<IO>) -> Option<PeerIdentity> {
    let leaf = stream.get_ref().1.peer_certificates()?.first()?;
    let identity = read(leaf);
    if identity.is_none() {
        tracing::warn!("a client certificate was valid, but its names cannot be read");
    }
    identity
}

fn read(der: &[u8]) -> Option<PeerIdentity> {
    let (_, certificate) = X509Certificate::from_der(der).ok()?;
    let sans = certificate.subject_alternative_name().ok()?;
    let sans = sans.map_or_else(Vec::new, |san| {
        san.value
            .general_names
            .iter()
            .filter_map(alternative)
            .collect()
    });
    let subject = certificate.subject();
    Some(PeerIdentity {
        common_name: common_name(subject),
        subject: spell(subject),
        sans,
        fingerprint: hex(digest(&SHA256, der).as_ref()),
    })
}

/// Two common names would let a certificate pass as either: then it has none.
fn common_name(subject: &X509Name<'_>) -> Option<String> {
    let mut names = subject.iter_common_name();
    match (names.next(), names.next()) {
        (Some(name), None) => name.as_str().ok().map(str::to_owned),
        _ => None,
    }
}

/// The subject in the order of the certificate. What has a meaning between attributes is escaped inside
/// them, so that no value can look like another attribute.
fn spell(subject: &X509Name<'_>) -> String {
    let mut text = String::new();
    for rdn in subject.iter_rdn() {
        for (index, attribute) in rdn.iter().enumerate() {
            match (text.is_empty(), index) {
                (true, _) => {}
                (false, 0) => text.push_str(", "),
                (false, _) => text.push('+'),
            }
            spell_attribute(attribute, &mut text);
        }
    }
    text
}

fn spell_attribute(attribute: &AttributeTypeAndValue<'_>, text: &mut String) {
    match oid2abbrev(attribute.attr_type(), oid_registry()) {
        Ok(name) => text.push_str(name),
        Err(_) => text.push_str(&attribute.attr_type().to_id_string()),
    }
    text.push('=');
    match attribute.as_str() {
        Ok(value) => {
            for character in value.chars() {
                if matches!(character, ',' | '+' | '=' | '"' | '\\' | '<' | '>' | ';') {
                    text.push('\\');
                }
                text.push(character);
            }
        }
        Err(_) => {
            text.push('#');
            text.push_str(&hex(attribute.as_slice()));
        }
    }
}

fn alternative(name: &GeneralName<'_>) -> Option<String> {
    match name {
        GeneralName::DNSName(name) => Some(format!("DNS:{name}")),
        GeneralName::RFC822Name(name) => Some(format!("email:{name}")),
        GeneralName::URI(uri) => Some(format!("URI:{uri}")),
        GeneralName::IPAddress(bytes) => {
            let address = <[u8; 4]>::try_from(*bytes)
                .map(IpAddr::from)
                .or_else(|_| <[u8; 16]>::try_from(*bytes).map(IpAddr::from));
            address.ok().map(|address| format!("IP:{address}"))
        }
        GeneralName::DirectoryName(name) => Some(format!("dirName:{}", spell(name))),
        // Kinds that nobody names a client by.
        GeneralName::OtherName(..)
        | GeneralName::X400Address(_)
        | GeneralName::EDIPartyName(_)
        | GeneralName::RegisteredID(_)
        | GeneralName::Invalid(..) => None,
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
