//! `quartermaster config`: the configuration in force as TOML, with where each value came from.
//!
//! The rule: what it prints can be given back with `--config`, except for secrets, which are stars.

use super::environment::variable;
use super::layer::{Layers, Origin};
use super::reference;
use std::fmt::Write as _;
use toml::Value;

/// The text.
pub(crate) fn text(layers: &Layers) -> String {
    let (_, sections) = reference::read();
    let mut page = String::new();
    for section in sections {
        let _ = writeln!(page, "[{}]", section.name);
        for key in section.keys {
            let Some(value) = layers
                .table
                .get(&section.name)
                .and_then(|keys| keys.get(key.name))
            else {
                continue;
            };
            let line = format!("{} = {}", key.name, shown(&section.name, key.name, value));
            let origin = match layers.origin(&section.name, key.name) {
                Origin::Default => "default".to_owned(),
                Origin::File(path) => format!("from {path}"),
                Origin::Variable(_) => format!("from {}", variable(&section.name, key.name)),
                Origin::Flag(flag) => format!("from {flag}"),
            };
            let _ = writeln!(page, "{line:<44} # {origin}");
        }
        page.push('\n');
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

/// The values alone, as JSON.
pub(crate) fn json(layers: &Layers) -> serde_json::Map<String, serde_json::Value> {
    let mut table = layers.table.clone();
    if let Some(Value::String(url)) = table.get_mut("database").and_then(|it| it.get_mut("url")) {
        *url = starred(url);
    }
    let key = table
        .get_mut("osb")
        .and_then(|it| it.get_mut("context_signing_key"));
    if let Some(Value::String(key)) = key {
        *key = stars(key);
    }
    match serde_json::to_value(table) {
        Ok(serde_json::Value::Object(map)) => map,
        // A table is an object, always.
        _ => serde_json::Map::new(),
    }
}

/// The keys that can hold a secret; of an address, what helps to recognise it stays.
fn shown(section: &str, key: &str, value: &Value) -> String {
    match (section, key, value) {
        ("database", "url", Value::String(url)) => Value::String(starred(url)).to_string(),
        ("osb", "context_signing_key", Value::String(key)) => Value::String(stars(key)).to_string(),
        _ => value.to_string(),
    }
}

/// Whether it is set, and no more.
fn stars(secret: &str) -> String {
    match secret.is_empty() {
        true => String::new(),
        false => "***".to_owned(),
    }
}

/// An address with its password replaced.
pub(crate) fn starred(url: &str) -> String {
    let (base, query) = match url.split_once('?') {
        Some((base, query)) => (base, Some(query)),
        None => (url, None),
    };
    let base = match base.split_once("://") {
        None => base.to_owned(),
        Some((scheme, rest)) => match rest.rsplit_once('@') {
            None => base.to_owned(),
            Some((who, place)) => {
                let user = who.split(':').next().unwrap_or_default();
                match who.contains(':') {
                    true => format!("{scheme}://{user}:***@{place}"),
                    false => format!("{scheme}://{user}@{place}"),
                }
            }
        },
    };
    let Some(query) = query else { return base };
    let pairs: Vec<String> = query
        .split('&')
        .map(|pair| match pair.split_once('=') {
            Some(("password" | "sslpassword", _)) => "password=***".to_owned(),
            _ => pair.to_owned(),
        })
        .collect();
    format!("{base}?{}", pairs.join("&"))
}

#[cfg(test)]
mod tests {
    use super::starred;

    #[test]
    fn a_password_becomes_stars_wherever_it_stands() {
        for (url, shown) in [
            ("postgres://u:p@h:5/d", "postgres://u:***@h:5/d"),
            ("postgres://u:p@x@h/d", "postgres://u:***@h/d"),
            (
                "postgres://u@h/d?password=p&a=b",
                "postgres://u@h/d?password=***&a=b",
            ),
            ("state/manager.db", "state/manager.db"),
        ] {
            assert_eq!(starred(url), shown);
        }
    }
}
