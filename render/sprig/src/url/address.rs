//! The host of a URL: a name or an address, and a port.

use std::net::Ipv6Addr;

use qm_gotemplate::fmt;

use super::escape::{Part, unescaped};

pub(super) fn is_port(text: &[u8]) -> bool {
    match text {
        [] => true,
        [b':', digits @ ..] => digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

fn check_port(text: &[u8]) -> Result<(), String> {
    if is_port(text) {
        return Ok(());
    }
    let shown = fmt::quoted(&String::from_utf8_lossy(text));
    Err(format!("invalid port {shown} after host"))
}

/// The host with its port, without escapes. The error is Go's text.
pub(super) fn host(scheme: &[u8], text: &[u8]) -> Result<Vec<u8>, String> {
    match text.iter().rposition(|byte| *byte == b'[') {
        Some(0) => return literal(text),
        Some(_) => return Err("invalid IP-literal".to_owned()),
        None => {}
    }
    let mut colons = text.iter().enumerate().filter(|(_, byte)| **byte == b':');
    let web = scheme == b"http" || scheme == b"https";
    // Other schemes may list several hosts with ports.
    let colon = if web {
        colons.next()
    } else {
        colons.next_back()
    };
    if let Some((at, _)) = colon {
        check_port(&text[at..])?;
    }
    unescaped(text, Part::Host)
}

/// `[2001:db8::1%25en0]:80`
fn literal(text: &[u8]) -> Result<Vec<u8>, String> {
    let Some(end) = text.iter().rposition(|byte| *byte == b']') else {
        return Err("missing ']' in host".to_owned());
    };
    let (inner, port) = (&text[1..end], &text[end + 1..]);
    check_port(port)?;
    let port = unescaped(port, Part::Host)?;
    let zone = inner.windows(3).position(|window| window == b"%25");
    let (address, zone) = inner.split_at(zone.unwrap_or(inner.len()));
    let inner = [
        unescaped(address, Part::Host)?,
        unescaped(zone, Part::Zone)?,
    ]
    .concat();
    check_address(&inner)?;
    Ok([b"[", &inner[..], b"]", &port].concat())
}

/// Only IPv6 may stand in brackets. Go tells why an address is none; that is told in short here.
fn check_address(inner: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(inner);
    let (address, zone) = match text.split_once('%') {
        Some((address, zone)) => (address, Some(zone)),
        None => (&*text, None),
    };
    if address.parse::<Ipv6Addr>().is_ok() && zone != Some("") {
        return Ok(());
    }
    if text.parse::<std::net::Ipv4Addr>().is_ok() {
        return Err("invalid IP-literal".to_owned());
    }
    let shown = fmt::quoted(&text);
    Err(format!(
        "invalid host: ParseAddr({shown}): unable to parse IP"
    ))
}
