//! What a request would do, in the word of the audit log. Known from its method and path alone, before anything that
//! was sent is looked at.

use http::Method;

/// The word; `None`: it only looks.
pub(crate) fn of(method: &Method, path: &str) -> Option<&'static str> {
    let below = path.split('/').nth(4);
    match (method, below) {
        (&Method::POST, Some("undelete")) => Some("undelete"),
        (&Method::POST, Some("retry")) => Some("retry"),
        (&Method::POST, Some("rollback")) => Some("rollback"),
        (&Method::POST, Some("grants")) => Some("grant"),
        (&Method::DELETE, Some("grants")) => Some("revoke"),
        (&Method::POST, _) => Some("create"),
        (&Method::PATCH | &Method::PUT, _) => Some("update"),
        (&Method::DELETE, _) => Some("delete"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_request_has_its_word() {
        let instance = "/v1/service_instances/i1";
        let cases = [
            (Method::GET, String::from(instance), None),
            (Method::GET, format!("{instance}/grants"), None),
            (
                Method::POST,
                "/v1/service_instances".to_owned(),
                Some("create"),
            ),
            (Method::PATCH, instance.to_owned(), Some("update")),
            (Method::PUT, "/v1/config/logging".to_owned(), Some("update")),
            (Method::DELETE, instance.to_owned(), Some("delete")),
            (
                Method::POST,
                format!("{instance}/undelete"),
                Some("undelete"),
            ),
            (Method::POST, format!("{instance}/retry"), Some("retry")),
            (
                Method::POST,
                format!("{instance}/rollback"),
                Some("rollback"),
            ),
            (Method::POST, format!("{instance}/grants"), Some("grant")),
            (
                Method::DELETE,
                format!("{instance}/grants/g1"),
                Some("revoke"),
            ),
            // An id that is one of these words is an id.
            (
                Method::DELETE,
                "/v1/service_instances/grants".to_owned(),
                Some("delete"),
            ),
        ];
        for (method, path, wanted) in cases {
            assert_eq!(of(&method, &path), wanted, "{method} {path}");
        }
    }
}
