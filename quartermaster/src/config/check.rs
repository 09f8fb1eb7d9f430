//! What each key allows and what keys must say together. Called by [`load`](super::load) at the end.
//!
//! The rule: a configuration that passes here starts, as far as that can be told without touching a
//! file, a socket or the database; the doctor does the rest.

use super::problem::Problem;
use super::section::{Builtin, Config, Identity, Issuer};
use super::span::Span;
use qm_model::identity::Role;
use std::collections::BTreeSet;
use std::time::Duration;

/// hyper needs a buffer of this size for a head.
const SMALLEST_HEAD: usize = 8 * 1024;
/// Nothing is kept for longer.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 3600);
/// Nobody wants to keep fewer records.
const FEWEST: u64 = 1_000;
/// Whoever began an operation has this long to ask what became of it.
const SHORTEST_LIFE: Duration = Duration::from_secs(60);
/// No fewer notifications are kept for any shorter: platforms that reconnect need them.
const SHORTEST_NEWS: Duration = Duration::from_secs(1);

pub(super) fn problems(config: &Config) -> Vec<Problem> {
    let mut found = Found(Vec::new());
    server(config, &mut found);
    identity(config, &mut found);
    api(config, &mut found);
    brokers(config, &mut found);
    steady(config, &mut found);
    seeing(config, &mut found);
    found.0
}

struct Found(Vec<Problem>);

impl Found {
    fn unless(&mut self, right: bool, at: &str, what: impl Into<String>) {
        if !right {
            self.0.push(Problem::new(at, what));
        }
    }

    fn positive(&mut self, span: Span, at: &str) {
        self.unless(!span.is_zero(), at, "it must be longer than nothing");
    }

    /// How long something is kept: longer than nothing, and no longer than a clock can tell.
    fn kept_for(&mut self, span: Span, least: Duration, at: &str) {
        self.unless(
            span.0 >= least && !span.is_zero(),
            at,
            format!(
                "{span} is too short: it must be {} or more, or records are gone before anybody has read them",
                Span(least.max(Duration::from_millis(1)))
            ),
        );
        self.unless(
            span.0 <= LONGEST,
            at,
            format!("{span} is longer than 100 years; write a time that somebody can wait for"),
        );
    }

    /// How many of something are kept.
    fn kept_at_most(&mut self, number: u64, at: &str) {
        self.unless(
            number == 0 || number >= FEWEST,
            at,
            format!("it must be {FEWEST} or more, or 0 for any number"),
        );
    }

    fn at_least_one(&mut self, number: usize, at: &str) {
        self.unless(number > 0, at, "it must be 1 or more");
    }
}

fn server(config: &Config, found: &mut Found) {
    let server = &config.server;
    found.unless(
        server
            .listen
            .rsplit_once(':')
            .is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok()),
        "server.listen",
        "it takes an address and a port, such as 127.0.0.1:8080",
    );
    if let Some(url) = &server.public_url {
        found.unless(
            is_web(url) && !url.contains(['?', '#']) && !url.ends_with('/'),
            "server.public_url",
            "it takes a URL such as https://sm.example.com, without `?`, `#` and a `/` at its end",
        );
    }
    found.positive(server.request_timeout, "server.request_timeout");
    found.positive(server.header_timeout, "server.header_timeout");
    found.at_least_one(server.max_body_bytes, "server.max_body_bytes");
    found.at_least_one(server.max_connections, "server.max_connections");
    found.at_least_one(server.max_in_flight, "server.max_in_flight");
    found.unless(
        server.max_header_bytes >= SMALLEST_HEAD,
        "server.max_header_bytes",
        format!("it must be {SMALLEST_HEAD} or more"),
    );
    if let Some(url) = &config.database.url
        && let Err(error) = qm_db::Options::parse(url.expose())
    {
        found
            .0
            .push(Problem::new("database.url", error.to_string()));
    }
    found.at_least_one(config.database.connections, "database.connections");
}

fn identity(config: &Config, found: &mut Found) {
    let Identity {
        builtin,
        access_token_lifetime,
        refresh_token_lifetime,
        signing_key_lifetime,
        token_basic_auth: _,
        keys_refresh_interval,
        issuers,
    } = &config.identity;
    found.unless(
        *builtin != Builtin::Off || !issuers.is_empty(),
        "identity.builtin",
        "nobody could log in: leave it on, or add a block [[identity.issuers]]",
    );
    found.positive(*access_token_lifetime, "identity.access_token_lifetime");
    found.unless(
        refresh_token_lifetime >= access_token_lifetime,
        "identity.refresh_token_lifetime",
        format!(
            "it must not be shorter than access_token_lifetime, which is {access_token_lifetime}"
        ),
    );
    found.unless(
        signing_key_lifetime > access_token_lifetime,
        "identity.signing_key_lifetime",
        format!("it must be longer than access_token_lifetime, which is {access_token_lifetime}"),
    );
    found.positive(*keys_refresh_interval, "identity.keys_refresh_interval");
    let mut seen = BTreeSet::new();
    for (n, one) in issuers.iter().enumerate() {
        issuer(n + 1, one, config.brokers.allow_http_issuers, found);
        found.unless(
            seen.insert(one.url.trim_end_matches('/')),
            "identity.issuers",
            format!("number {} has the url of another", n + 1),
        );
    }
    found.unless(
        !config.tenancy.label.is_empty(),
        "tenancy.label",
        "a label key is needed, such as \"tenant\"",
    );
}

fn issuer(number: usize, issuer: &Issuer, allow_http: bool, found: &mut Found) {
    let at = "identity.issuers";
    let Issuer {
        url,
        audience: _,
        roles_claim,
        roles,
        name_claim,
        tenant_claim: _,
    } = issuer;
    found.unless(
        is_web(url),
        at,
        format!("number {number} needs a url, such as https://login.example.com"),
    );
    found.unless(
        allow_http || !url.starts_with("http://") || is_here(url),
        at,
        format!("number {number} is asked without TLS, and brokers.allow_http_issuers is false"),
    );
    found.unless(
        !roles_claim.is_empty() && !name_claim.is_empty(),
        at,
        format!("number {number}: roles_claim and name_claim must not be empty"),
    );
    for word in roles.keys() {
        if let Err(error) = Role::from_words([word.as_str()]) {
            found
                .0
                .push(Problem::new(at, format!("number {number}: {error}")));
        }
    }
}

fn api(config: &Config, found: &mut Found) {
    let api = &config.api;
    found.unless(
        api.default_page_size > 0,
        "api.default_page_size",
        "it must be 1 or more",
    );
    found.unless(
        api.default_page_size <= api.max_page_size,
        "api.default_page_size",
        format!(
            "it is larger than max_page_size, which is {}",
            api.max_page_size
        ),
    );
    let limit = &config.rate_limit;
    found.unless(
        !limit.enabled || !limit.rules.is_empty(),
        "rate_limit.rules",
        "rate_limit.enabled is true, and there is no rule",
    );
    for path in &limit.exclude_paths {
        found.unless(
            path.starts_with('/'),
            "rate_limit.exclude_paths",
            format!("{path:?} does not begin with `/`"),
        );
    }
}

fn brokers(config: &Config, found: &mut Found) {
    let brokers = &config.brokers;
    found.positive(brokers.timeout, "brokers.timeout");
    found.positive(brokers.connect_timeout, "brokers.connect_timeout");
    found.unless(
        brokers.timeout <= config.server.request_timeout,
        "brokers.timeout",
        format!(
            "a broker may take {} while a request ends after {} (server.request_timeout)",
            brokers.timeout, config.server.request_timeout
        ),
    );
    found.unless(
        brokers.connect_timeout <= brokers.timeout,
        "brokers.connect_timeout",
        format!(
            "it is longer than brokers.timeout, which is {}",
            brokers.timeout
        ),
    );
    found.positive(brokers.header_timeout, "brokers.header_timeout");
    found.at_least_one(brokers.concurrency, "brokers.concurrency");
    found.at_least_one(brokers.max_catalog_bytes, "brokers.max_catalog_bytes");
    found.at_least_one(brokers.max_answer_bytes, "brokers.max_answer_bytes");
    found.unless(
        brokers.breaker_failures > 0,
        "brokers.breaker_failures",
        "it must be 1 or more",
    );
    found.positive(brokers.breaker_pause, "brokers.breaker_pause");
    found.positive(brokers.refresh_interval, "brokers.refresh_interval");
    found.at_least_one(brokers.refresh_concurrency, "brokers.refresh_concurrency");
    found.unless(
        brokers.client_certificate_file.is_some() == brokers.client_key_file.is_some(),
        "brokers.client_certificate_file",
        "client_certificate_file and client_key_file belong together: set both or none",
    );
    let osb = &config.osb;
    found.unless(
        osb.context_signing_key_file.is_none() || osb.context_signing_key.is_none(),
        "osb.context_signing_key",
        "the key is in context_signing_key_file already: set one of the two",
    );
}

/// Notifications and operations: what runs all the time.
fn steady(config: &Config, found: &mut Found) {
    let told = &config.notifications;
    found.at_least_one(told.queue, "notifications.queue");
    found.positive(told.clean_interval, "notifications.clean_interval");
    found.unless(
        told.keep_for >= told.clean_interval,
        "notifications.keep_for",
        format!(
            "it is shorter than clean_interval, which is {}",
            told.clean_interval
        ),
    );
    found.unless(
        told.ping_timeout.0 >= Duration::from_secs(1),
        "notifications.ping_timeout",
        "it must be 1s or more: the proxies in the field refuse less",
    );
    found.positive(told.poll_interval, "notifications.poll_interval");
    found.kept_for(told.keep_for, SHORTEST_NEWS, "notifications.keep_for");
    found.kept_at_most(told.keep_at_most, "notifications.keep_at_most");
    let work = &config.operations;
    found.kept_for(work.lifespan, SHORTEST_LIFE, "operations.lifespan");
    found.kept_for(
        work.gone_lifespan,
        SHORTEST_LIFE,
        "operations.gone_lifespan",
    );
    found.kept_at_most(work.keep_at_most, "operations.keep_at_most");
    found.at_least_one(work.cascade_at_once, "operations.cascade_at_once");
    found.unless(
        work.cascade_at_once <= 1_000,
        "operations.cascade_at_once",
        "it must be 1000 or less",
    );
    found.positive(work.force_deadline, "operations.force_deadline");
    found.positive(work.cleanup_interval, "operations.cleanup_interval");
    found.positive(work.poll_interval, "operations.poll_interval");
    found.unless(
        work.lease.0 >= Duration::from_secs(1),
        "operations.lease",
        "it must be 1s or more, or living replicas lose their work",
    );
    found.unless(
        work.deadline > work.lease,
        "operations.deadline",
        format!("it must be longer than lease, which is {}", work.lease),
    );
}

fn seeing(config: &Config, found: &mut Found) {
    if let Some(keep) = config.audit.keep {
        found.kept_for(keep, Duration::ZERO, "audit.keep");
    }
    found.kept_at_most(config.audit.keep_at_most, "audit.keep_at_most");
    found.unless(
        crate::logs::filter(&config.log.level).is_ok(),
        "log.level",
        "it takes error, warn, info, debug or trace, or target=level pairs parted by commas",
    );
    found.positive(config.metrics.interval, "metrics.interval");
    if let Some(endpoint) = &config.tracing.endpoint {
        found.unless(
            is_web(endpoint),
            "tracing.endpoint",
            "it takes a URL such as http://127.0.0.1:4318",
        );
    }
}

/// A URL of the web, as far as a configuration needs to know.
fn is_web(url: &str) -> bool {
    url.parse::<http::Uri>().is_ok_and(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https"))
            && uri.host().is_some_and(|host| !host.is_empty())
    })
}

/// Whether a URL leads to this machine itself.
fn is_here(url: &str) -> bool {
    url.parse::<http::Uri>().is_ok_and(|uri| {
        uri.host()
            .is_some_and(|host| matches!(host, "localhost" | "127.0.0.1" | "[::1]"))
    })
}

#[cfg(test)]
mod tests {
    use crate::config::load;

    #[track_caller]
    fn refused(variables: &[(&str, &str)], parts: &[&str]) {
        let variables = variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let problems = load(None, variables, Vec::new()).unwrap_err().to_string();
        for part in parts {
            assert!(problems.contains(part), "{part:?} is missing in {problems}");
        }
    }

    #[test]
    fn keys_are_judged_together_and_all_at_once() {
        refused(
            &[
                ("QM_IDENTITY_BUILTIN", "off"),
                ("QM_API_DEFAULT_PAGE_SIZE", "500"),
                ("QM_BROKERS_TIMEOUT", "5m"),
                ("QM_BROKERS_CLIENT_KEY_FILE", "k.pem"),
                ("QM_SERVER_PUBLIC_URL", "sm.example.com/"),
                ("QM_DATABASE_URL", "mysql://u:hunter2@h/d"),
                ("QM_LOG_LEVEL", "loud"),
                ("QM_NOTIFICATIONS_PING_TIMEOUT", "10ms"),
            ],
            &[
                "identity.builtin (QM_IDENTITY_BUILTIN): nobody could log in",
                "api.default_page_size",
                "brokers.timeout",
                "set both or none",
                "server.public_url",
                "database.url",
                "log.level",
                "notifications.ping_timeout",
            ],
        );
    }

    /// Peripli/service-manager#257: a clean-up with a negative age could have wiped the table.
    #[test]
    fn what_would_wipe_the_records_is_refused() {
        refused(
            &[
                ("QM_OPERATIONS_LIFESPAN", "0s"),
                ("QM_OPERATIONS_GONE_LIFESPAN", "10s"),
                ("QM_OPERATIONS_KEEP_AT_MOST", "10"),
                ("QM_NOTIFICATIONS_KEEP_FOR", "40000d"),
                ("QM_NOTIFICATIONS_KEEP_AT_MOST", "1"),
                ("QM_AUDIT_KEEP", "0s"),
                ("QM_AUDIT_KEEP_AT_MOST", "999"),
                ("QM_OPERATIONS_CASCADE_AT_ONCE", "0"),
            ],
            &[
                "operations.lifespan (QM_OPERATIONS_LIFESPAN): 0s is too short: it must be 1m or more",
                "operations.gone_lifespan (QM_OPERATIONS_GONE_LIFESPAN): 10s is too short",
                "operations.keep_at_most (QM_OPERATIONS_KEEP_AT_MOST): it must be 1000 or more, or 0",
                "notifications.keep_for (QM_NOTIFICATIONS_KEEP_FOR): 40000d is longer than 100 years",
                "notifications.keep_at_most",
                "audit.keep (QM_AUDIT_KEEP): 0s is too short",
                "audit.keep_at_most",
                "operations.cascade_at_once",
            ],
        );
        for (key, value) in [
            ("QM_OPERATIONS_LIFESPAN", "-1h"),
            ("QM_NOTIFICATIONS_KEEP_FOR", "-1s"),
            ("QM_AUDIT_KEEP", "-7d"),
        ] {
            refused(&[(key, value)], &["is no duration"]);
        }
    }

    #[test]
    fn an_issuer_is_judged_block_by_block() {
        refused(
            &[(
                "QM_IDENTITY_ISSUERS",
                r#"[{"url":"login"},{"url":"https://a.example","roles":{"boss":["x"]}},{"url":"https://a.example/"}]"#,
            )],
            &[
                "number 1 needs a url",
                "\"boss\" is no role",
                "number 3 has the url of another",
            ],
        );
    }
}
