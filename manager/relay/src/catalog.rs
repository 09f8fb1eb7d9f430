//! `GET /v2/catalog`. Deeds call it at registration and change of a broker, the refreshing task periodically.
//!
//! The rule: what cannot be used is told with what to do about it, and nothing of the answer is quoted.

use crate::{Relay, RelayError, Target, call};
use bytes::Bytes;
use http::{Response, StatusCode};
use quartermaster_osb::problem::Level;
use quartermaster_osb::{Answer, Call, Catalog, Envelope, Outcome, Verb};
use serde_json::Value;
use uuid::Uuid;

/// As many faults of a catalog are told as a person can read.
const MAX_PROBLEMS: usize = 50;

/// What a broker offers.
#[derive(Debug, Clone, PartialEq)]
pub enum Fetched {
    /// The same as the entity tag that was sent stands for.
    Unchanged,
    /// A catalog.
    Catalog {
        /// As it is understood.
        catalog: Catalog,
        /// As it came.
        raw: Value,
        /// What to send next time.
        etag: Option<String>,
    },
}

impl Relay {
    /// Fetches a catalog. `etag`: what came with the one that is known.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn catalog(
        &self,
        target: &Target<'_>,
        etag: Option<&str>,
    ) -> Result<Fetched, RelayError> {
        let peer = self.peer(target).await?;
        let identity = Uuid::new_v4().to_string();
        let envelope = Envelope {
            request_identity: Some(identity.clone()),
            ..Envelope::default()
        };
        let call = Call::Catalog {
            if_none_match: etag.map(str::to_owned),
        };
        let request = call::build(&peer, &call, &envelope)?;
        let settings = &self.inner.settings;
        let limits = (settings, settings.catalog_limit);
        let answer = call::send(&peer, Verb::Catalog, &identity, request, limits).await?;
        read(&answer, etag.is_some(), &peer.whom, &identity)
    }
}

fn read(
    answer: &Response<Bytes>,
    conditional: bool,
    whom: &str,
    identity: &str,
) -> Result<Fetched, RelayError> {
    let status = answer.status();
    match Outcome::parse(Verb::Catalog, answer) {
        Outcome::Success(Answer::Catalog { body, etag }) => Ok(Fetched::Catalog {
            catalog: *body,
            raw: quartermaster_osb::json::read(answer.body())
                .map_err(|fault| unusable(whom, &fault.to_string()))?,
            etag,
        }),
        Outcome::Success(Answer::NotModified { .. }) if conditional => Ok(Fetched::Unchanged),
        Outcome::Malformed { reason, .. } => {
            Err(unusable(whom, &problems(answer.body()).unwrap_or(reason)))
        }
        _ => Err(RelayError::Refused {
            code: status.as_u16(),
            message: format!(
                "the {whom} answered {} to GET /v2/catalog: {}",
                status.as_u16(),
                meaning(status, identity)
            ),
        }),
    }
}

/// Every fault of a catalog that cannot be understood: the reader stops at the first, and a broker's author would
/// learn of them one by one.
fn problems(body: &[u8]) -> Option<String> {
    let catalog: Value = quartermaster_osb::json::read(body).ok()?;
    let found = quartermaster_osb::catalog::problems_of(&catalog);
    let must = found.iter().filter(|problem| problem.level == Level::Must);
    let mut words: Vec<String> = must.map(ToString::to_string).collect();
    let more = words.len().saturating_sub(MAX_PROBLEMS);
    words.truncate(MAX_PROBLEMS);
    if more > 0 {
        words.push(format!("and {more} more"));
    }
    (!words.is_empty()).then(|| words.join("; "))
}

fn unusable(whom: &str, reason: &str) -> RelayError {
    RelayError::undecodable(format!(
        "the catalog of the {whom} cannot be read: {reason}; the broker must be mended, or the URL \
         is not that of a broker"
    ))
}

/// What to do about a status that is not 200.
fn meaning(status: StatusCode, identity: &str) -> String {
    let advice = match status.as_u16() {
        300..=399 => "redirects are not followed; register the URL it leads to",
        401 | 403 => "it does not accept the credentials it is registered with",
        404 | 405 => "there is no broker at this URL; check its path",
        400 | 412 => {
            "it may not accept version 2.17 of the protocol; its documentation says which it wants"
        }
        _ => {
            return format!(
                "the broker's own log says why, under X-Broker-API-Request-Identity {identity}"
            );
        }
    };
    advice.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(status: u16, body: &'static str, conditional: bool) -> Result<Fetched, RelayError> {
        let answer = Response::builder()
            .status(status)
            .header("ETag", "\"1\"")
            .body(Bytes::from_static(body.as_bytes()))
            .unwrap();
        read(&answer, conditional, "service broker at http://b", "id-1")
    }

    #[test]
    fn every_status_has_its_advice() {
        let rows = [
            (301, "redirects are not followed"),
            (400, "2.17"),
            (401, "credentials"),
            (403, "credentials"),
            (404, "path"),
            (412, "2.17"),
            (202, "id-1"),
            (500, "id-1"),
            (503, "id-1"),
        ];
        for (status, wanted) in rows {
            let error = answered(status, r#"{"description":"hunter2"}"#, true).unwrap_err();
            let text = error.to_string();
            assert_eq!(error.status(), 400, "{status}");
            assert!(
                text.contains(wanted) && text.contains(&status.to_string()),
                "{text}"
            );
            assert!(!text.contains("hunter2"), "{text}");
        }
    }

    #[test]
    fn every_fault_of_a_catalog_is_told_and_none_of_its_values() {
        let body = r#"{"services":[{"id":"","name":"hunter2","description":"d","bindable":true,"plans":[
            {"id":"p","name":"","description":"d"},{"id":7,"name":"n","description":"d"}]}]}"#;
        let text = answered(200, body, false).unwrap_err().to_string();
        for place in ["services[0].id", "plans[0].name", "plans[1].id"] {
            assert!(text.contains(place), "{place} not in {text}");
        }
        assert!(!text.contains("hunter2"), "{text}");
        let many = format!(r#"{{"services":[{}]}}"#, vec!["{}"; 100].join(","));
        let text = answered(200, many.leak(), false).unwrap_err().to_string();
        assert!(text.contains(" more"), "{text}");
    }

    #[test]
    fn unchanged_only_when_asked() {
        assert_eq!(answered(304, "", true).unwrap(), Fetched::Unchanged);
        let error = answered(304, "", false).unwrap_err();
        assert!(
            matches!(error, RelayError::Refused { code: 304, .. }),
            "{error:?}"
        );
    }

    #[test]
    fn a_catalog_is_kept_as_it_came_too() {
        let body = r#"{"services":[],"x-vendor":{"a":[1]}}"#;
        let Fetched::Catalog { catalog, raw, etag } = answered(200, body, true).unwrap() else {
            panic!("no catalog");
        };
        assert!(catalog.services.is_empty());
        assert_eq!(raw["x-vendor"]["a"][0], 1);
        assert_eq!(etag.as_deref(), Some("\"1\""));
    }

    #[test]
    fn what_cannot_be_read_is_not_quoted() {
        for body in [
            "",
            "hunter2",
            "[]",
            r#"{"services":"hunter2"}"#,
            r#"{"services":[{"id":"hunter2"}]}"#,
        ] {
            let error = answered(200, body, false).unwrap_err();
            assert!(matches!(error, RelayError::Undecodable { .. }), "{error:?}");
            assert!(!error.to_string().contains("hunter2"), "{error}");
        }
    }
}
