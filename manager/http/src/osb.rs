//! The OSB doors, `/v1/osb/{broker_id}/v2/...`, one file for each endpoint. A platform is given such an address for
//! every broker and speaks OSB there as it would with the broker itself.
//!
//! The rule: a door reads what is asked, calls one deed, and gives its reply back as it is. What the platform sent
//! goes on byte by byte; whoever wants something of it reads the copy that was parsed here, once.

pub(crate) mod adapt_credentials;
pub(crate) mod bind;
pub(crate) mod catalog;
pub(crate) mod deprovision;
pub(crate) mod fetch_binding;
pub(crate) mod fetch_instance;
pub(crate) mod poll_binding;
pub(crate) mod poll_instance;
pub(crate) mod provision;
pub(crate) mod unbind;
pub(crate) mod update;

/// What all these paths begin with.
const PREFIX: &str = "/v1/osb/";

/// Whether a path leads to one of these doors.
pub(crate) fn is_door(path: &str) -> bool {
    path.starts_with(PREFIX)
}

/// The broker's segment as it was sent, and all after it; none when the path leads elsewhere.
pub(crate) fn split(path: &str) -> Option<(&str, &str)> {
    let rest = path.strip_prefix(PREFIX)?;
    Some(rest.split_at(rest.find('/').unwrap_or(rest.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_split_behind_the_broker() {
        let cases = [
            ("/v1/osb/b/v2/catalog", Some(("b", "/v2/catalog"))),
            ("/v1/osb/b%2F/v2/x?y=/z", Some(("b%2F", "/v2/x?y=/z"))),
            ("/v1/osb/b", Some(("b", ""))),
            ("/v1/osb/", Some(("", ""))),
            ("/v1/osb", None),
            ("/v1/osbx/b/v2", None),
        ];
        for (path, wanted) in cases {
            assert_eq!(split(path), wanted, "{path}");
            assert_eq!(is_door(path), wanted.is_some(), "{path}");
        }
    }
}
