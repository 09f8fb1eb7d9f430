//! A URL put together, as `URL.String` does it.

use super::address::is_port;
use super::escape::{Part, escaped};
use super::{Url, User};

/// The host without its port and brackets.
pub(super) fn hostname(host: &[u8]) -> &[u8] {
    let mut name = host;
    if let Some(colon) = host.iter().rposition(|byte| *byte == b':')
        && is_port(&host[colon..])
    {
        name = &host[..colon];
    }
    match name {
        [b'[', inner @ .., b']'] => inner,
        name => name,
    }
}

pub(super) fn userinfo(user: &User) -> Vec<u8> {
    let mut out = escaped(&user.name, Part::User);
    if let Some(password) = &user.password {
        out.push(b':');
        out.extend(escaped(password, Part::User));
    }
    out
}

pub(super) fn written(url: &Url) -> Vec<u8> {
    let mut out = Vec::new();
    if !url.scheme.is_empty() {
        out.extend_from_slice(&url.scheme);
        out.push(b':');
    }
    if url.opaque.is_empty() {
        hierarchy(&mut out, url);
    } else {
        out.extend_from_slice(&url.opaque);
    }
    if !url.query.is_empty() {
        out.push(b'?');
        out.extend_from_slice(&url.query);
    }
    if !url.fragment.is_empty() {
        out.push(b'#');
        out.extend(escaped(&url.fragment, Part::Fragment));
    }
    out
}

/// User, host and path.
fn hierarchy(out: &mut Vec<u8>, url: &Url) {
    let has_host = !url.host.is_empty();
    if !url.scheme.is_empty() || has_host || url.user.is_some() {
        if has_host || !url.path.is_empty() || url.user.is_some() {
            out.extend_from_slice(b"//");
        }
        if let Some(user) = &url.user {
            out.extend(userinfo(user));
            out.push(b'@');
        }
        out.extend(escaped(&url.host, Part::Host));
    }
    let path = match &url.path[..] {
        b"*" => b"*".to_vec(),
        path => escaped(path, Part::Path),
    };
    if has_host && !path.is_empty() && !path.starts_with(b"/") {
        out.push(b'/');
    }
    // A colon in the first part would make it a scheme.
    let first = path.split(|byte| *byte == b'/').next().unwrap_or_default();
    if out.is_empty() && first.contains(&b':') {
        out.extend_from_slice(b"./");
    }
    out.extend_from_slice(&path);
}
