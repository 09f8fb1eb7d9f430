//! Paths: those that clients have built in, and those made from ids.

use qm_manager_api::*;

#[test]
fn collections_are_where_clients_look() {
    let paths = [
        broker::PATH,
        platform::PATH,
        visibility::PATH,
        offering::PATH,
        plan::PATH,
        instance::PATH,
        binding::PATH,
        operation::PATH,
        credential::PATH,
        notification::PATH,
        info::PATH,
        health::PATH,
        config::PATH,
        config::LOGGING_PATH,
        agents::PATH,
        tenant::PATH,
        path::OSB,
        token::PATH,
        discovery::PATH,
    ];
    assert_eq!(
        paths,
        [
            "/v1/service_brokers",
            "/v1/platforms",
            "/v1/visibilities",
            "/v1/service_offerings",
            "/v1/service_plans",
            "/v1/service_instances",
            "/v1/service_bindings",
            "/v1/operations",
            "/v1/credentials",
            "/v1/notifications",
            "/v1/info",
            "/v1/monitor/health",
            "/v1/config",
            "/v1/config/logging",
            "/v1/agents/versions",
            "/v1/tenants",
            "/v1/osb",
            "/oauth/token",
            "/.well-known/openid-configuration",
        ]
    );
}

#[test]
fn an_id_is_one_segment() {
    assert_eq!(
        path::operation(broker::PATH, "b1", "o1"),
        "/v1/service_brokers/b1/operations/o1"
    );
    assert_eq!(path::grants("i/1"), "/v1/service_instances/i%2F1/grants");
    assert_eq!(
        path::item(platform::PATH, "a/b c?ä~.-_"),
        "/v1/platforms/a%2Fb%20c%3F%C3%A4~.-_"
    );
    assert_eq!(path::item(platform::PATH, ".."), "/v1/platforms/%2E%2E");
    assert_eq!(path::item(platform::PATH, "..."), "/v1/platforms/...");
    assert_eq!(
        path::parameters(instance::PATH, "i1"),
        "/v1/service_instances/i1/parameters"
    );
    assert_eq!(path::activate("c1"), "/v1/credentials/c1/activate");
    assert_eq!(path::osb("b1"), "/v1/osb/b1");
}

#[test]
fn header_names_are_in_the_form_that_http_wants() {
    for name in header::CORRELATION.into_iter().chain([
        header::AGENT_VERSION,
        header::LAST_NOTIFICATION_REVISION,
        header::MAX_PING_PERIOD,
        header::ORIGINATING_IDENTITY,
    ]) {
        assert_eq!(name, name.to_ascii_lowercase());
    }
}
