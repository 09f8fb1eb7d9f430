//! Ends a caller's wait. Deeds run on tasks of their own, so what was begun goes on and is not cut half
//! way; the caller is told to look before it repeats. At an OSB door a platform waits longer than the broker may
//! take, so that it hears what the broker said. Who changes an instance or a binding and says `async=false` wants to
//! wait for the broker's end of it, and waits longer than the deed does, which then answers 202.

use crate::{Failure, HttpSettings, osb};
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::{Method, Uri};
use qm_manager_api::{binding, instance};
use std::future::Future;
use std::time::Duration;

/// Longer than a deed waits for the end of what a broker works on.
const PATIENCE: Duration = Duration::from_secs(630);

/// How long the caller of a request waits.
pub(super) fn of(settings: &HttpSettings, request: &Request) -> Duration {
    if osb::is_door(request.uri().path()) {
        settings.door_timeout
    } else if wants_the_end(request.method(), request.uri()) {
        settings.request_timeout.max(PATIENCE)
    } else {
        settings.request_timeout
    }
}

fn wants_the_end(method: &Method, uri: &Uri) -> bool {
    let driven = [instance::PATH, binding::PATH];
    *method != Method::GET
        && driven.iter().any(|path| uri.path().starts_with(path))
        && uri
            .query()
            .is_some_and(|query| query.split('&').any(|pair| pair == "async=false"))
}

pub(super) async fn within<E>(
    wait: Duration,
    answering: impl Future<Output = Result<Response, E>>,
) -> Result<Response, E> {
    match tokio::time::timeout(wait, answering).await {
        Ok(response) => response,
        Err(_) => Ok(Failure::timeout().into_response()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_asks_for_the_end_waits_for_it() {
        let cases = [
            (Method::POST, "/v1/service_instances?async=false", true),
            (
                Method::DELETE,
                "/v1/service_bindings/b?x=1&async=false",
                true,
            ),
            (
                Method::POST,
                "/v1/service_instances/i/rollback?async=false",
                true,
            ),
            (Method::GET, "/v1/service_instances?async=false", false),
            (Method::POST, "/v1/service_instances", false),
            (Method::POST, "/v1/service_instances?async=true", false),
            (Method::POST, "/v1/service_brokers?async=false", false),
        ];
        for (method, uri, wanted) in cases {
            let found = wants_the_end(&method, &Uri::from_static(uri));
            assert_eq!(found, wanted, "{method} {uri}");
        }
    }
}
