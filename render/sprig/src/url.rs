//! URLs taken apart into a map, and put together from one.

mod address;
mod escape;
mod parse;
mod write;

use qm_gotemplate::{Failure, Functions, Map, Signature, Str, Type, Value};

use crate::panics::NIL_POINTER;
use crate::strings::text;

/// A URL in its parts, as Go's holds them.
#[derive(Debug, Default)]
struct Url {
    scheme: Vec<u8>,
    opaque: Vec<u8>,
    user: Option<User>,
    host: Vec<u8>,
    path: Vec<u8>,
    query: Vec<u8>,
    fragment: Vec<u8>,
}

#[derive(Debug, Clone)]
struct User {
    name: Vec<u8>,
    password: Option<Vec<u8>>,
}

pub(crate) fn add(to: &mut Functions) {
    let signature = Signature::new([Type::String]).returns(Type::dict());
    to.add("urlParse", signature, |_, args| {
        let url = parse::parse(args.str(0).as_bytes())
            .map_err(|error| Failure::new(format!("unable to parse url: {error}")))?;
        let hostname = write::hostname(&url.host).to_vec();
        let userinfo = url.user.as_ref().map(write::userinfo).unwrap_or_default();
        let entries = [
            ("scheme", url.scheme),
            ("host", url.host),
            ("hostname", hostname),
            ("path", url.path),
            ("query", url.query),
            ("opaque", url.opaque),
            ("fragment", url.fragment),
            ("userinfo", userinfo),
        ];
        Ok(Map::from_iter(entries.map(|(key, value)| (key, text(value)))).into())
    });
    let signature = Signature::new([Type::dict()]).returns(Type::String);
    to.add("urlJoin", signature, |_, args| {
        joined(&args.map(0)).map(text)
    });
}

fn joined(map: &Map) -> Result<Vec<u8>, Failure> {
    let part = |key: &str| part(map, key);
    let mut url = Url {
        scheme: part("scheme")?,
        host: part("host")?,
        path: part("path")?,
        query: part("query")?,
        opaque: part("opaque")?,
        fragment: part("fragment")?,
        user: None,
    };
    let userinfo = part("userinfo")?;
    if !userinfo.is_empty() {
        let made = [b"proto://", &userinfo[..], b"@host"].concat();
        let parsed = parse::parse(&made)
            .map_err(|error| Failure::new(format!("unable to parse userinfo in dict: {error}")))?;
        url.user = parsed.user;
    }
    Ok(write::written(&url))
}

/// A text of the map; nothing when it is not there.
fn part(map: &Map, key: &str) -> Result<Vec<u8>, Failure> {
    let Some(value) = map.get(key) else {
        return Ok(Vec::new());
    };
    match value.plain() {
        Value::String(text) => Ok(Str::as_bytes(&text).to_vec()),
        plain if plain.is_nothing() => Err(NIL_POINTER.into()),
        plain => {
            let kind = plain.kind();
            Err(Failure::new(format!(
                "unable to parse {key} key, must be of type string, but {kind} found"
            )))
        }
    }
}
