//! What common tools look for: libpq, Redis, MySQL, MongoDB, AMQP, S3.

use super::Bound;
use crate::doc::Doc;
use percent_encoding::percent_decode_str;

/// Which of the known kinds a service is; its offering's name when it is none.
pub(super) fn kind(bound: &Bound) -> &str {
    let said = bound.credentials();
    let address = uri(said);
    let scheme = address.split("://").next().unwrap_or_default();
    let by_scheme = match scheme {
        "postgres" | "postgresql" => "postgresql",
        "redis" | "rediss" => "redis",
        "mysql" | "mariadb" => "mysql",
        "mongodb" | "mongodb+srv" => "mongodb",
        "amqp" | "amqps" => "rabbitmq",
        _ => "",
    };
    if !by_scheme.is_empty() {
        return by_scheme;
    }
    let name = bound.offering.str("name").to_lowercase();
    let tags = bound.offering.get("tags").items();
    let hints = |word: &str| name.contains(word) || tags.iter().any(|tag| tag.as_str() == word);
    for (word, kind) in [
        ("postgres", "postgresql"),
        ("redis", "redis"),
        ("valkey", "redis"),
        ("mysql", "mysql"),
        ("mariadb", "mysql"),
        ("mongo", "mongodb"),
        ("rabbit", "rabbitmq"),
        ("s3", "s3"),
    ] {
        if hints(word) {
            return kind;
        }
    }
    bound.offering.str("name")
}

/// Variables of the tools for this kind.
pub(super) fn variables(bound: &Bound) -> Vec<(&'static str, String)> {
    let said = bound.credentials();
    let address = uri(said).to_owned();
    let parts = Parts::of(said, &address);
    let table: &[(&'static str, &str)] = match kind(bound) {
        "postgresql" => &[
            ("PGHOST", "host"),
            ("PGPORT", "port"),
            ("PGUSER", "user"),
            ("PGPASSWORD", "password"),
            ("PGDATABASE", "database"),
            ("PGSSLMODE", "sslmode"),
            ("DATABASE_URL", "uri"),
        ],
        "mysql" => &[
            ("MYSQL_HOST", "host"),
            ("MYSQL_TCP_PORT", "port"),
            ("MYSQL_USER", "user"),
            ("MYSQL_PWD", "password"),
            ("MYSQL_DATABASE", "database"),
            ("DATABASE_URL", "uri"),
        ],
        "redis" => &[
            ("REDIS_HOST", "host"),
            ("REDIS_PORT", "port"),
            ("REDIS_PASSWORD", "password"),
            ("REDIS_URL", "uri"),
        ],
        "mongodb" => &[("MONGODB_URI", "uri"), ("MONGO_URL", "uri")],
        "rabbitmq" => &[
            ("AMQP_URL", "uri"),
            ("RABBITMQ_URL", "uri"),
            ("CLOUDAMQP_URL", "uri"),
        ],
        "s3" => &[
            ("AWS_ACCESS_KEY_ID", "access_key_id"),
            ("AWS_SECRET_ACCESS_KEY", "secret_access_key"),
            ("AWS_REGION", "region"),
            ("AWS_ENDPOINT_URL_S3", "endpoint"),
            ("S3_BUCKET", "bucket"),
        ],
        _ => &[],
    };
    let found = table
        .iter()
        .map(|(variable, part)| (*variable, parts.get(part)));
    found.filter(|(_, value)| !value.is_empty()).collect()
}

/// The address among credentials.
fn uri(said: &Doc) -> &str {
    ["uri", "url", "connection_string", "dsn", "database_url"]
        .iter()
        .map(|key| said.str(key))
        .find(|text| text.contains("://"))
        .unwrap_or_default()
}

/// Credentials by the names used here, wherever they were said.
struct Parts<'d> {
    said: &'d Doc,
    uri: &'d str,
}

impl<'d> Parts<'d> {
    fn of(said: &'d Doc, uri: &'d str) -> Self {
        Self { said, uri }
    }

    fn get(&self, part: &str) -> String {
        let others: &[&str] = match part {
            "uri" => return self.uri.to_owned(),
            "host" => &["hostname"],
            "user" => &["username"],
            "database" => &["dbname", "db", "name"],
            "access_key_id" => &["accessKeyId", "access_key"],
            "secret_access_key" => &["secretAccessKey", "secret_key"],
            _ => &[],
        };
        for name in std::iter::once(part).chain(others.iter().copied()) {
            let value = self.said.get(name).plain();
            if !value.is_empty() {
                return value;
            }
        }
        self.in_uri(part)
    }

    /// The part of `scheme://user:password@host:port/database?sslmode=...`.
    fn in_uri(&self, part: &str) -> String {
        let Some((_, rest)) = self.uri.split_once("://") else {
            return String::new();
        };
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let (login, place) = authority.rsplit_once('@').unwrap_or(("", authority));
        let (user, password) = login.split_once(':').unwrap_or((login, ""));
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) if port.chars().all(|c| c.is_ascii_digit()) => (host, port),
            _ => (place, ""),
        };
        let found = match part {
            "host" => host.trim_matches(['[', ']']),
            "port" => port,
            "user" => user,
            "password" => password,
            "database" => path,
            "sslmode" => query
                .split('&')
                .find_map(|pair| pair.strip_prefix("sslmode="))
                .unwrap_or_default(),
            _ => "",
        };
        percent_decode_str(found).decode_utf8_lossy().into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{Bound, kind, variables};
    use crate::doc::Doc;

    fn bound(credentials: &str) -> Bound {
        let credentials = Doc::parse(credentials.as_bytes()).unwrap();
        Bound {
            binding: Doc::map().with("credentials", credentials),
            ..Bound::default()
        }
    }

    #[test]
    fn an_address_is_taken_apart() {
        let bound = bound(r#"{"uri":"postgres://u:p%40s@h:5433/d?sslmode=require"}"#);
        assert_eq!(kind(&bound), "postgresql");
        let found = variables(&bound);
        let value = |name: &str| {
            found
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value.as_str())
        };
        assert_eq!(value("PGHOST"), Some("h"));
        assert_eq!(value("PGPORT"), Some("5433"));
        assert_eq!(value("PGUSER"), Some("u"));
        assert_eq!(value("PGPASSWORD"), Some("p@s"));
        assert_eq!(value("PGDATABASE"), Some("d"));
        assert_eq!(value("PGSSLMODE"), Some("require"));
    }

    #[test]
    fn what_is_said_plainly_wins() {
        let bound = bound(r#"{"url":"redis://h:1","host":"other","port":6379}"#);
        let found = variables(&bound);
        assert!(found.contains(&("REDIS_HOST", "other".to_owned())));
        assert!(found.contains(&("REDIS_PORT", "6379".to_owned())));
        assert!(found.contains(&("REDIS_URL", "redis://h:1".to_owned())));
    }
}
