//! From the configuration to the settings of each crate. The only file that knows both sides.
//!
//! The rule: sections are taken apart completely, so that a key that nobody reads does not compile.

use crate::config::{Brokers, Builtin, Config, Issuer, Osb};
use anyhow::{Context, Result};
use qm_http::{HttpSettings, RateSettings};
use qm_lifecycle::identity;
use qm_model::Secret;
use qm_model::identity::Role;
use qm_model::page::PageLimits;
use qm_relay::{BreakerSettings, Identity, RelaySettings, Signing};
use qm_stream::StreamSettings;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

/// How often it is looked whether a catalog is due, at most.
const LOOK: Duration = Duration::from_secs(5);

/// Calls to brokers and issuers. Reads the certificates that the configuration names.
pub(crate) fn relay(config: &Config) -> Result<RelaySettings> {
    let Brokers {
        timeout,
        connect_timeout,
        header_timeout,
        idle_timeout,
        concurrency,
        queue_timeout,
        max_catalog_bytes,
        max_answer_bytes,
        breaker_failures,
        breaker_pause,
        allow_http,
        allow_http_issuers,
        denied_networks,
        skip_tls_verification,
        extra_ca_files,
        client_certificate_file,
        client_key_file,
        refresh_interval: _,
        refresh_concurrency: _,
    } = &config.brokers;
    let extra_roots = extra_ca_files
        .iter()
        .map(|path| read(path, "brokers.extra_ca_files"))
        .collect::<Result<_>>()?;
    let identity = match (client_certificate_file, client_key_file) {
        (Some(certificate), Some(key)) => Some(Identity {
            certificate: read(certificate, "brokers.client_certificate_file")?,
            key: Secret::new(read(key, "brokers.client_key_file")?),
        }),
        _ => None,
    };
    Ok(RelaySettings {
        connect_timeout: connect_timeout.0,
        header_timeout: header_timeout.0,
        total_timeout: timeout.0,
        idle_timeout: idle_timeout.0,
        catalog_limit: *max_catalog_bytes,
        answer_limit: *max_answer_bytes,
        concurrency: *concurrency,
        queue_timeout: queue_timeout.0,
        breaker: BreakerSettings {
            failures: *breaker_failures,
            pause: breaker_pause.0,
        },
        extra_roots,
        identity,
        skip_tls_verification: *skip_tls_verification,
        plain_http: *allow_http,
        issuer_plain_http: *allow_http_issuers,
        denied_networks: denied_networks.clone(),
        signing: signing(&config.osb)?,
    })
}

fn signing(section: &Osb) -> Result<Option<Signing>> {
    let Osb {
        context_signing_key_file,
        context_signing_key,
        context_successor_public_key,
    } = section;
    let key = match (context_signing_key_file, context_signing_key) {
        (Some(path), _) => Secret::new(read(path, "osb.context_signing_key_file")?),
        (None, Some(key)) => key.clone(),
        (None, None) => return Ok(None),
    };
    Ok(Some(Signing {
        key,
        successor: context_successor_public_key.clone(),
    }))
}

/// Deeds.
pub(crate) fn deeds(config: &Config, replica: &str) -> Result<qm_lifecycle::Settings> {
    Ok(qm_lifecycle::Settings {
        policy: qm_policy::Settings {
            tenant_label: config.tenancy.label.clone(),
        },
        identity: identity(config)?,
        protected_labels: config.api.protected_labels.iter().cloned().collect(),
        catalog_interval: config.brokers.refresh_interval.0,
        lease: config.operations.lease.0,
        deadline: config.operations.deadline.0,
        osb: qm_lifecycle::Osb {
            call: config.brokers.timeout.0 + config.brokers.queue_timeout.0,
            follow_after: config.operations.follow_after.0,
            poll: config.operations.first_poll.0,
            slowest_poll: config.operations.slowest_poll.0,
            grace: config.operations.mitigation_grace.0,
            retry: config.operations.retry_interval.0,
            longest: config.operations.longest.0,
            ..qm_lifecycle::Osb::default()
        },
        cascade: qm_lifecycle::cascade::Settings {
            at_once: config.operations.cascade_at_once,
            force_deadline: config.operations.force_deadline.0,
        },
        instance_transfer: config.api.enable_instance_transfer,
        own_certificate: config.brokers.client_certificate_file.is_some(),
        replica: replica.to_owned(),
    })
}

fn identity(config: &Config) -> Result<identity::Settings> {
    let section = &config.identity;
    let issuers = section
        .issuers
        .iter()
        .map(|one| issuer(one, config.tenancy.claim.as_deref()))
        .collect::<Result<_>>()?;
    Ok(identity::Settings {
        issuers,
        built_in: match section.builtin {
            Builtin::Auto => None,
            Builtin::On => Some(true),
            Builtin::Off => Some(false),
        },
        public_url: config.server.public_url.clone(),
        access_token_age: section.access_token_lifetime.0,
        refresh_token_age: section.refresh_token_lifetime.0,
        key_age: section.signing_key_lifetime.0,
        issuer_refresh: section.keys_refresh_interval.0,
        ..identity::Settings::default()
    })
}

fn issuer(issuer: &Issuer, tenant_claim: Option<&str>) -> Result<identity::Issuer> {
    let Issuer {
        url,
        audience,
        roles_claim,
        roles,
        name_claim,
        tenant_claim: own_tenant_claim,
    } = issuer;
    let given = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    let mut grants: BTreeMap<String, BTreeSet<Role>> = BTreeMap::new();
    for (role, words) in roles {
        let role = Role::from_words([role.as_str()])?;
        for word in words {
            grants.entry(word.clone()).or_default().extend(&role);
        }
    }
    if roles.is_empty() {
        grants = Role::ALL
            .into_iter()
            .map(|role| (role.word().to_owned(), BTreeSet::from([role])))
            .collect();
    }
    Ok(identity::Issuer {
        url: url.clone(),
        audience: given(audience),
        roles: identity::RoleRule {
            claim: roles_claim.clone(),
            grants,
        },
        tenant_claim: given(own_tenant_claim).or_else(|| tenant_claim.map(str::to_owned)),
        name_claim: name_claim.clone(),
    })
}

/// Notifications.
pub(crate) fn stream(config: &Config) -> StreamSettings {
    StreamSettings {
        queue: config.notifications.queue,
        poll: config.notifications.poll_interval.0,
        ..StreamSettings::default()
    }
}

/// What runs all the time.
pub(crate) fn tasks(config: &Config, replica: &str) -> qm_tasks::Settings {
    let interval = config.brokers.refresh_interval.0;
    qm_tasks::Settings {
        follow_every: config.notifications.poll_interval.0,
        take_up_every: config.operations.poll_interval.0,
        lease: config.operations.lease.0,
        refresh_every: (interval / 10).clamp(Duration::from_millis(100), LOOK),
        catalog_interval: interval,
        catalogs_at_once: config.brokers.refresh_concurrency,
        trim_every: config.notifications.clean_interval.0,
        keep_events: config.notifications.keep_for.0,
        events_at_most: at_most(config.notifications.keep_at_most),
        expire_every: config.operations.cleanup_interval.0,
        keep_operations: config.operations.lifespan.0,
        keep_operations_of_gone: config.operations.gone_lifespan.0,
        operations_at_most: at_most(config.operations.keep_at_most),
        keep_audit: config.audit.keep.map(|keep| keep.0),
        audit_at_most: at_most(config.audit.keep_at_most),
        measure_every: config.metrics.interval.0,
        replica: replica.to_owned(),
    }
}

/// 0 stands for any number.
fn at_most(number: u64) -> Option<u64> {
    (number > 0).then_some(number)
}

/// The doors.
pub(crate) fn http(config: &Config) -> HttpSettings {
    HttpSettings {
        max_body_bytes: config.server.max_body_bytes,
        max_in_flight: config.server.max_in_flight,
        request_timeout: config.server.request_timeout.0,
        door_timeout: door_timeout(config),
        pages: PageLimits {
            default: config.api.default_page_size,
            max: config.api.max_page_size,
        },
        rate: rate(config),
        disabled_parameters: config
            .api
            .disabled_query_parameters
            .iter()
            .cloned()
            .collect(),
        agent_versions: config.api.agents_versions.clone(),
        public_url: config.server.public_url.clone(),
        // What stands before it ends TLS; see docs/running.md.
        tls: false,
        token_basic_auth: config.identity.token_basic_auth,
        tenant_id: config.tenancy.manager_tenant_id.clone(),
        trust_forwarded_for: config.server.trust_forwarded_for,
        open_metrics: config.metrics.public,
        ping_timeout: config.notifications.ping_timeout.0,
    }
}

/// Longer than a broker may take, so that a platform hears what became of its call.
fn door_timeout(config: &Config) -> Duration {
    let queue = config.brokers.queue_timeout.0;
    let broker = queue.saturating_add(config.brokers.timeout.0);
    let own = config.server.request_timeout.0;
    own.max(broker.saturating_add(Duration::from_secs(15)))
}

/// Guessed passwords are slowed down by the deeds of logging in, whatever is configured here.
fn rate(config: &Config) -> RateSettings {
    let section = &config.rate_limit;
    let mut settings = RateSettings::default();
    if section.enabled {
        settings.rules.extend(section.rules.iter().cloned());
    }
    settings.excluded_paths.clone_from(&section.exclude_paths);
    settings
        .excluded_callers
        .clone_from(&section.exclude_callers);
    settings
}

fn read(path: &Path, key: &str) -> Result<String> {
    std::fs::read_to_string(path)
        .with_context(|| format!("{} cannot be read ({key})", path.display()))
}
