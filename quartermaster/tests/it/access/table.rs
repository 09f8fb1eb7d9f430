//! The table: for each route a harmless request, who may send it, and what is answered to those who may.

use super::callers::Caller;
use http::Method;
use serde_json::Value;

/// Who may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum May {
    /// Everybody; a proof that is no good makes nobody of its bearer.
    Anybody,
    /// Platforms, and people who may read.
    Read,
    /// Administrators, those of a tenant for what is theirs.
    Change,
    /// Developers and administrators, those of a tenant for what is theirs.
    Develop,
    /// Administrators of all tenants.
    Govern,
    /// Platforms only.
    Platform,
    /// Any user of the built-in issuer, about themselves.
    Oneself,
}

/// One route.
#[derive(Debug)]
pub(super) struct Row {
    route: (&'static str, &'static str),
    may: May,
    /// What those who may get.
    code: u16,
    /// The query of the request.
    query: &'static str,
    /// Its body; empty for none.
    body: &'static str,
}

const fn plain(method: &'static str, path: &'static str, may: May, code: u16) -> Row {
    Row {
        route: (method, path),
        may,
        code,
        query: "",
        body: "",
    }
}

const fn with(
    method: &'static str,
    path: &'static str,
    may: May,
    code: u16,
    body: &'static str,
) -> Row {
    Row {
        route: (method, path),
        may,
        code,
        query: "",
        body,
    }
}

/// Removes all that match, and nothing does.
const fn bulk(path: &'static str, may: May) -> Row {
    let query = "?fieldQuery=id%20eq%20%27nobody%27";
    Row {
        route: ("DELETE", path),
        may,
        code: 404,
        query,
        body: "",
    }
}

pub(super) const TABLE: &[Row] = &[
    plain("GET", "/v1/service_brokers", May::Read, 200),
    plain("GET", "/v1/service_brokers/{id}", May::Read, 404),
    plain(
        "GET",
        "/v1/service_brokers/{id}/operations/{operation}",
        May::Read,
        404,
    ),
    with(
        "POST",
        "/v1/service_brokers",
        May::Change,
        400,
        r#"{"name":"","broker_url":"http://x","credentials":{"basic":{"username":"u","password":"p"}}}"#,
    ),
    with("PATCH", "/v1/service_brokers/{id}", May::Change, 404, "{}"),
    plain("DELETE", "/v1/service_brokers/{id}", May::Change, 404),
    bulk("/v1/service_brokers", May::Change),
    plain("GET", "/v1/platforms", May::Read, 200),
    plain("GET", "/v1/platforms/{id}", May::Read, 404),
    plain(
        "GET",
        "/v1/platforms/{id}/operations/{operation}",
        May::Read,
        404,
    ),
    with(
        "POST",
        "/v1/platforms",
        May::Change,
        400,
        r#"{"name":"","type":""}"#,
    ),
    with("PATCH", "/v1/platforms/{id}", May::Change, 404, "{}"),
    plain("DELETE", "/v1/platforms/{id}", May::Change, 404),
    bulk("/v1/platforms", May::Change),
    plain("GET", "/v1/visibilities", May::Read, 200),
    plain("GET", "/v1/visibilities/{id}", May::Read, 404),
    plain(
        "GET",
        "/v1/visibilities/{id}/operations/{operation}",
        May::Read,
        404,
    ),
    with(
        "POST",
        "/v1/visibilities",
        May::Govern,
        400,
        r#"{"service_plan_id":"nobody"}"#,
    ),
    with("PATCH", "/v1/visibilities/{id}", May::Govern, 404, "{}"),
    plain("DELETE", "/v1/visibilities/{id}", May::Govern, 404),
    bulk("/v1/visibilities", May::Govern),
    plain("GET", "/v1/service_offerings", May::Read, 200),
    plain("GET", "/v1/service_offerings/{id}", May::Read, 404),
    plain(
        "GET",
        "/v1/service_offerings/{id}/operations/{operation}",
        May::Read,
        404,
    ),
    with(
        "PATCH",
        "/v1/service_offerings/{id}",
        May::Govern,
        404,
        r#"{"labels":[]}"#,
    ),
    plain("GET", "/v1/service_plans", May::Read, 200),
    plain("GET", "/v1/service_plans/{id}", May::Read, 404),
    plain(
        "GET",
        "/v1/service_plans/{id}/operations/{operation}",
        May::Read,
        404,
    ),
    with(
        "PATCH",
        "/v1/service_plans/{id}",
        May::Govern,
        404,
        r#"{"labels":[]}"#,
    ),
    plain("GET", "/v1/service_instances", May::Read, 200),
    plain("GET", "/v1/service_instances/{id}", May::Read, 404),
    plain(
        "GET",
        "/v1/service_instances/{id}/operations/{operation}",
        May::Read,
        404,
    ),
    with(
        "POST",
        "/v1/service_instances",
        May::Develop,
        400,
        r#"{"name":"","service_plan_id":"nobody"}"#,
    ),
    with(
        "PATCH",
        "/v1/service_instances/{id}",
        May::Develop,
        404,
        "{}",
    ),
    plain("DELETE", "/v1/service_instances/{id}", May::Develop, 404),
    plain(
        "GET",
        "/v1/service_instances/{id}/parameters",
        May::Develop,
        404,
    ),
    plain(
        "POST",
        "/v1/service_instances/{id}/undelete",
        May::Develop,
        404,
    ),
    plain(
        "POST",
        "/v1/service_instances/{id}/retry",
        May::Develop,
        404,
    ),
    plain(
        "POST",
        "/v1/service_instances/{id}/rollback",
        May::Develop,
        404,
    ),
    plain("GET", "/v1/service_instances/{id}/grants", May::Read, 404),
    with(
        "POST",
        "/v1/service_instances/{id}/grants",
        May::Develop,
        404,
        r#"{"tenant":"t"}"#,
    ),
    plain(
        "DELETE",
        "/v1/service_instances/{id}/grants/{grant}",
        May::Develop,
        404,
    ),
    with(
        "POST",
        "/v1/service_bindings",
        May::Develop,
        400,
        r#"{"name":"","service_instance_id":"nobody"}"#,
    ),
    with(
        "PATCH",
        "/v1/service_bindings/{id}",
        May::Develop,
        404,
        "{}",
    ),
    plain("DELETE", "/v1/service_bindings/{id}", May::Develop, 404),
    plain(
        "GET",
        "/v1/service_bindings/{id}/parameters",
        May::Develop,
        404,
    ),
    // Not without cascade=true.
    plain("DELETE", "/v1/tenants/{id}", May::Govern, 400),
    plain(
        "GET",
        "/v1/tenants/{id}/operations/{operation}",
        May::Govern,
        404,
    ),
    plain("GET", "/v1/service_bindings", May::Read, 200),
    plain("GET", "/v1/service_bindings/{id}", May::Read, 404),
    plain(
        "GET",
        "/v1/service_bindings/{id}/operations/{operation}",
        May::Read,
        404,
    ),
    plain("GET", "/v1/operations", May::Read, 200),
    plain("GET", "/v1/operations/{id}", May::Read, 404),
    plain("DELETE", "/v1/operations/{id}", May::Govern, 404),
    plain("GET", "/v1/audit", May::Govern, 200),
    with(
        "PUT",
        "/v1/credentials",
        May::Platform,
        400,
        r#"{"broker_id":"","username":"","password_hash":""}"#,
    ),
    with(
        "PUT",
        "/v1/credentials/{id}/activate",
        May::Platform,
        404,
        "{}",
    ),
    plain("GET", "/v1/notifications", May::Platform, 400),
    // No such broker.
    plain("GET", "/v1/osb/{broker_id}/v2/catalog", May::Platform, 404),
    with(
        "PUT",
        "/v1/osb/{broker_id}/v2/service_instances/{instance_id}",
        May::Platform,
        404,
        "{}",
    ),
    plain(
        "GET",
        "/v1/osb/{broker_id}/v2/service_instances/{instance_id}",
        May::Platform,
        404,
    ),
    with(
        "PATCH",
        "/v1/osb/{broker_id}/v2/service_instances/{instance_id}",
        May::Platform,
        404,
        "{}",
    ),
    plain(
        "DELETE",
        "/v1/osb/{broker_id}/v2/service_instances/{instance_id}",
        May::Platform,
        404,
    ),
    plain(
        "GET",
        "/v1/osb/{broker_id}/v2/service_instances/{instance_id}/last_operation",
        May::Platform,
        404,
    ),
    with(
        "PUT",
        "/v1/osb/{broker_id}/v2/service_instances/{instance_id}/service_bindings/{binding_id}",
        May::Platform,
        404,
        "{}",
    ),
    plain(
        "GET",
        "/v1/osb/{broker_id}/v2/service_instances/{instance_id}/service_bindings/{binding_id}",
        May::Platform,
        404,
    ),
    plain(
        "DELETE",
        "/v1/osb/{broker_id}/v2/service_instances/{instance_id}/service_bindings/{binding_id}",
        May::Platform,
        404,
    ),
    plain(
        "GET",
        "/v1/osb/{broker_id}/v2/service_instances/{instance_id}/service_bindings/{binding_id}/last_operation",
        May::Platform,
        404,
    ),
    with(
        "POST",
        "/v1/osb/{broker_id}/v2/service_instances/{instance_id}/service_bindings/{binding_id}/adapt_credentials",
        May::Platform,
        404,
        "{}",
    ),
    plain("GET", "/v1/users", May::Govern, 200),
    plain("GET", "/v1/users/{id}", May::Govern, 404),
    with(
        "POST",
        "/v1/users",
        May::Govern,
        400,
        r#"{"name":"","password":"x","roles":[]}"#,
    ),
    with("PATCH", "/v1/users/{id}", May::Govern, 404, "{}"),
    plain("DELETE", "/v1/users/{id}", May::Govern, 404),
    with(
        "PUT",
        "/v1/users/me/password",
        May::Oneself,
        200,
        r#"{"old_password":"correct horse battery","password":"correct horse battery"}"#,
    ),
    plain("GET", "/v1/clients", May::Govern, 200),
    plain("GET", "/v1/clients/{id}", May::Govern, 404),
    // One caller may, so it is made once.
    with(
        "POST",
        "/v1/clients",
        May::Govern,
        201,
        r#"{"id":"table","roles":["viewer"]}"#,
    ),
    with("PATCH", "/v1/clients/{id}", May::Govern, 404, "{}"),
    plain("DELETE", "/v1/clients/{id}", May::Govern, 404),
    plain("GET", "/v1/config", May::Govern, 200),
    plain("GET", "/v1/config/logging", May::Govern, 200),
    with("PUT", "/v1/config/logging", May::Govern, 200, "{}"),
    plain("GET", "/v1/monitor/health", May::Anybody, 200),
    plain("GET", "/readyz", May::Anybody, 200),
    plain("GET", "/metrics", May::Anybody, 200),
    plain("GET", "/healthz", May::Anybody, 200),
    plain("GET", "/v1/info", May::Anybody, 200),
    plain("GET", "/v1/agents/versions", May::Anybody, 200),
    plain(
        "GET",
        "/.well-known/openid-configuration",
        May::Anybody,
        200,
    ),
    plain("GET", "/oauth/jwks", May::Anybody, 200),
    // Nothing to log in at with a browser.
    plain("GET", "/oauth/authorize", May::Anybody, 400),
    // No form, no token.
    with("POST", "/oauth/token", May::Anybody, 400, "{}"),
    with("POST", "/oauth/revoke", May::Anybody, 400, "{}"),
];

impl Row {
    pub(super) fn method(&self) -> Method {
        self.route.0.parse().unwrap()
    }

    /// Path and query, with an id that nobody has.
    pub(super) fn request(&self) -> String {
        let segments = self.route.1.split('/').map(|segment| {
            if segment.starts_with('{') {
                "nobody"
            } else {
                segment
            }
        });
        format!("{}{}", segments.collect::<Vec<_>>().join("/"), self.query)
    }

    /// Whether what was sent must be read to know whether the caller may.
    pub(super) fn proof_is_in_body(&self) -> bool {
        self.may == May::Oneself
    }

    pub(super) fn body(&self) -> Option<Value> {
        (!self.body.is_empty()).then(|| serde_json::from_str(self.body).unwrap())
    }
}

/// The row of a route.
pub(super) fn row(method: &str, path: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.route == (method, path))
}

/// The code that a caller gets.
pub(super) fn expected(row: &Row, caller: Caller) -> u16 {
    use Caller::{Admin, Developer, NoRole, OldPair, Platform, Purge, TenantAdmin, Viewer};
    let unproved = 401;
    let denied = match caller {
        Admin | Developer | NoRole | Purge | TenantAdmin | Viewer => 403,
        _ => unproved,
    };
    if row.may == May::Oneself && matches!(caller, Admin | Platform | OldPair) {
        // The administrator's password is another one, and a platform has none.
        return 403;
    }
    let allowed = match (row.may, caller) {
        (May::Anybody, _) | (_, Admin) if row.may != May::Platform => true,
        (May::Read, Platform | OldPair | Viewer | Developer | TenantAdmin) => true,
        (May::Change | May::Develop, TenantAdmin) | (May::Develop, Developer) => true,
        (May::Platform, Platform | OldPair) => true,
        (May::Oneself, _) => denied == 403,
        _ => false,
    };
    match (allowed, row.may) {
        (true, _) => row.code,
        // A person who wants what only a platform may has brought the wrong kind of proof.
        (false, May::Platform) => unproved,
        (false, _) => denied,
    }
}
