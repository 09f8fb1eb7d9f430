//! The address of a manager as people type it.

/// The address with a scheme, and whether one was put there. Machines of one's own are asked over http, others over https.
pub(crate) fn with_scheme(typed: &str) -> (String, bool) {
    if typed.contains("://") {
        return (typed.to_owned(), false);
    }
    let host = typed.split(['/', '?']).next().unwrap_or_default();
    let name = match host.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let own = name == "localhost" || name == "::1" || name.starts_with("127.");
    let scheme = if own { "http" } else { "https" };
    (format!("{scheme}://{typed}"), true)
}

#[cfg(test)]
mod tests {
    use super::with_scheme;

    #[test]
    fn a_scheme_is_put_where_it_is_missing() {
        let cases = [
            ("sm.example.com", "https://sm.example.com"),
            ("sm.example.com:8443/x", "https://sm.example.com:8443/x"),
            ("localhost:8080", "http://localhost:8080"),
            ("127.0.0.1:1", "http://127.0.0.1:1"),
            ("[::1]:1", "http://[::1]:1"),
        ];
        for (typed, wanted) in cases {
            assert_eq!(with_scheme(typed), (wanted.to_owned(), true));
        }
        assert!(!with_scheme("http://h").1);
    }
}
