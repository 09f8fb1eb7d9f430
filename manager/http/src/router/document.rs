//! The OpenAPI document: what the table says, with a preface.

use super::{Doors, doors};
use axum::body::Body;
use axum::response::Response;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, StatusCode};
use std::sync::OnceLock;
use utoipa::OpenApi;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Quartermaster Service Manager",
        description = "One central place where brokers and platforms are registered, and from which every platform \
                       learns what it may offer.",
    ),
    tags(
        (name = "brokers", description = "Registered brokers"),
        (name = "platforms", description = "Registered platforms"),
        (name = "visibilities", description = "Which platform may offer which plan"),
        (name = "offerings", description = "Services of the brokers' catalogs"),
        (name = "plans", description = "Plans of the services"),
        (name = "instances", description = "Service instances"),
        (name = "bindings", description = "Service bindings"),
        (name = "tenants", description = "All that a tenant has"),
        (name = "operations", description = "What was and is being done"),
        (name = "osb", description = "Every broker as a platform sees it: Open Service Broker API 2.17"),
        (name = "credentials", description = "What a platform's registrations of brokers log in with"),
        (name = "notifications", description = "What platforms are told"),
        (name = "login", description = "The built-in issuer, its users and clients"),
        (name = "operating", description = "Health, figures, configuration, audit log"),
        (name = "about", description = "What a client must know beforehand"),
    ),
)]
struct Preface;

/// The OpenAPI document of every door.
pub fn openapi() -> utoipa::openapi::OpenApi {
    let Doors {
        guarded,
        osb,
        welcome,
        open,
    } = doors();
    let all = OpenApiRouter::with_openapi(Preface::openapi())
        .merge(guarded.describe())
        .merge(osb.describe())
        .merge(welcome.describe())
        .merge(open.describe());
    let mut document = all.into_openapi();
    let components = document.components.get_or_insert_default();
    components.add_security_scheme(
        "bearer",
        scheme(HttpAuthScheme::Bearer, "A token of a trusted issuer"),
    );
    components.add_security_scheme(
        "platform",
        scheme(HttpAuthScheme::Basic, "A platform's credentials"),
    );
    components.add_security_scheme(
        "client",
        scheme(HttpAuthScheme::Basic, "A client's id and secret"),
    );
    document
}

fn scheme(scheme: HttpAuthScheme, description: &str) -> SecurityScheme {
    let builder = HttpBuilder::new().scheme(scheme);
    SecurityScheme::Http(builder.description(Some(description)).build())
}

/// `GET /openapi.json`. It never changes while the process runs, so it is made once.
pub(super) async fn serve() -> Response {
    static TEXT: OnceLock<String> = OnceLock::new();
    let text = TEXT.get_or_init(|| openapi().to_json().unwrap_or_default());
    let mut response = Response::new(Body::from(text.as_str()));
    *response.status_mut() = StatusCode::OK;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn every_operation_has_a_name_of_its_own_and_a_summary() {
        let document: Value = serde_json::from_str(&openapi().to_json().unwrap()).unwrap();
        let mut names = Vec::new();
        for (path, item) in document["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                let name = operation["operationId"].as_str();
                names.push(
                    name.unwrap_or_else(|| panic!("{method} {path} has no name"))
                        .to_owned(),
                );
                assert!(
                    operation["summary"].is_string(),
                    "{method} {path} has no summary"
                );
            }
        }
        assert!(names.len() > 40, "{} operations", names.len());
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all, "two operations share a name");
    }

    #[test]
    fn every_reference_leads_somewhere() {
        let text = openapi().to_json().unwrap();
        let document: Value = serde_json::from_str(&text).unwrap();
        for reference in text.split("\"$ref\":\"#").skip(1) {
            let pointer = reference.split('"').next().unwrap();
            assert!(document.pointer(pointer).is_some(), "{pointer} is missing");
        }
    }

    #[test]
    fn secured_doors_name_schemes_that_are_described() {
        let document: Value = serde_json::from_str(&openapi().to_json().unwrap()).unwrap();
        let described = &document["components"]["securitySchemes"];
        for item in document["paths"].as_object().unwrap().values() {
            for operation in item.as_object().unwrap().values() {
                let wanted = operation["security"].as_array().unwrap();
                for name in wanted
                    .iter()
                    .flat_map(|one| one.as_object().unwrap().keys())
                {
                    assert!(described[name].is_object(), "{name} is not described");
                }
            }
        }
    }
}
