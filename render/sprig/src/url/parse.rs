//! A URL taken apart, as `url.Parse` does it.

use qm_gotemplate::fmt;

use super::address;
use super::escape::{Part, unescaped};
use super::{Url, User};

/// The error is Go's text, with the URL.
pub(super) fn parse(source: &[u8]) -> Result<Url, String> {
    let told = |url: &[u8], error: String| {
        let url = fmt::quoted(&String::from_utf8_lossy(url));
        format!("parse {url}: {error}")
    };
    let (main, fragment) = cut(source, b'#');
    let mut url = whole(main).map_err(|error| told(main, error))?;
    let fragment = unescaped(fragment.unwrap_or_default(), Part::Fragment);
    url.fragment = fragment.map_err(|error| told(source, error))?;
    Ok(url)
}

/// What is before and behind the first such byte.
fn cut(text: &[u8], at: u8) -> (&[u8], Option<&[u8]>) {
    match text.iter().position(|byte| *byte == at) {
        Some(position) => (&text[..position], Some(&text[position + 1..])),
        None => (text, None),
    }
}

fn whole(source: &[u8]) -> Result<Url, String> {
    if source.iter().any(|byte| *byte < b' ' || *byte == 0x7f) {
        return Err("net/url: invalid control character in URL".to_owned());
    }
    let mut url = Url::default();
    if source == b"*" {
        url.path = source.to_vec();
        return Ok(url);
    }
    let (scheme, rest) = split_scheme(source)?;
    url.scheme = scheme.to_ascii_lowercase();
    let (mut rest, query) = cut(rest, b'?');
    url.query = query.unwrap_or_default().to_vec();
    if !rest.starts_with(b"/") {
        if !scheme.is_empty() {
            url.opaque = rest.to_vec();
            return Ok(url);
        }
        if cut(rest, b'/').0.contains(&b':') {
            return Err("first path segment in URL cannot contain colon".to_owned());
        }
    }
    let has_authority = !scheme.is_empty() || !rest.starts_with(b"///");
    if let Some(behind) = rest.strip_prefix(b"//").filter(|_| has_authority) {
        let end = behind.iter().position(|byte| *byte == b'/');
        let (authority, path) = behind.split_at(end.unwrap_or(behind.len()));
        rest = path;
        (url.user, url.host) = split_authority(&url.scheme, authority)?;
    }
    url.path = unescaped(rest, Part::Path)?;
    Ok(url)
}

fn split_scheme(source: &[u8]) -> Result<(&[u8], &[u8]), String> {
    for (index, byte) in source.iter().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if index > 0 => {}
            b':' if index == 0 => return Err("missing protocol scheme".to_owned()),
            b':' => return Ok((&source[..index], &source[index + 1..])),
            _ => break,
        }
    }
    Ok((b"", source))
}

fn split_authority(scheme: &[u8], authority: &[u8]) -> Result<(Option<User>, Vec<u8>), String> {
    let at = authority.iter().rposition(|byte| *byte == b'@');
    let host = address::host(scheme, at.map_or(authority, |at| &authority[at + 1..]))?;
    let Some(at) = at else {
        return Ok((None, host));
    };
    let userinfo = &authority[..at];
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(byte);
    if !userinfo.iter().all(allowed) {
        return Err("net/url: invalid userinfo".to_owned());
    }
    let (name, password) = cut(userinfo, b':');
    let user = User {
        name: unescaped(name, Part::User)?,
        password: password
            .map(|password| unescaped(password, Part::User))
            .transpose()?,
    };
    Ok((Some(user), host))
}
