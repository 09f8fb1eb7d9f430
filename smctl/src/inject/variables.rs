//! Variables: `MYDB_HOST` for every credential, and those that common tools look for.

use super::{Bound, known, vcap};
use crate::doc::Doc;

/// All variables. Of two services of one kind, the first gets the names that tools look for.
pub(crate) fn of(services: &[Bound]) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let mut add = |name: String, value: String| {
        if !all.iter().any(|(known, _)| *known == name) && !value.contains('\0') {
            all.push((name, value));
        }
    };
    for bound in services {
        for (name, value) in known::variables(bound) {
            add(name.to_owned(), value);
        }
    }
    for bound in services {
        let prefix = upper(bound.name());
        flat(&prefix, bound.credentials(), &mut add);
    }
    add("VCAP_SERVICES".to_owned(), vcap(services).compact());
    all
}

fn flat(prefix: &str, value: &Doc, add: &mut impl FnMut(String, String)) {
    match value {
        Doc::Null => {}
        Doc::Map(entries) => {
            for (key, value) in entries {
                flat(&format!("{prefix}_{}", upper(key)), value, add);
            }
        }
        other => add(prefix.to_owned(), other.plain()),
    }
}

/// A name that shells take.
fn upper(name: &str) -> String {
    let mut word: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_uppercase()
            } else {
                '_'
            }
        })
        .collect();
    if word.starts_with(|c: char| c.is_ascii_digit()) || word.is_empty() {
        word.insert(0, '_');
    }
    word
}

#[cfg(test)]
mod tests {
    use super::{Bound, of};
    use crate::doc::Doc;

    #[test]
    fn names_are_made_from_the_service_and_the_key() {
        let credentials = Doc::parse(br#"{"token":"t","tls":{"ca-cert":"c"},"n":null}"#).unwrap();
        let bound = Bound {
            instance: Doc::map().with("name", "my-db"),
            binding: Doc::map().with("credentials", credentials),
            ..Bound::default()
        };
        let all = of(&[bound]);
        assert_eq!(all[0], ("MY_DB_TOKEN".to_owned(), "t".to_owned()));
        assert_eq!(all[1], ("MY_DB_TLS_CA_CERT".to_owned(), "c".to_owned()));
        assert_eq!(all[2].0, "VCAP_SERVICES");
        assert_eq!(all.len(), 3);
    }
}
