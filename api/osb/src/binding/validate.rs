//! Every fault of a binding that was returned, held against its offering (B15, B53, B56).
//!
//! SDK brokers call it on what an author returns, the conformance suite on what came over the wire. The
//! rule: no message quotes a value, since a binding is made of secrets.

use super::{Binding, BindingMetadata, Endpoint, Timestamp, VolumeDevice, VolumeMount};
use crate::{
    Offering,
    problem::{Problem, Report},
};

/// Faults of shape belong to the endpoint itself: bind is E7 of the wire map.
const SHAPE: &str = "E7";

impl Binding {
    /// Every fault of this binding of an instance of `offering`.
    pub fn problems(&self, offering: &Offering) -> Vec<Problem> {
        let Self {
            metadata,
            credentials: _,
            syslog_drain_url,
            route_service_url,
            volume_mounts,
            endpoints,
            parameters: _,
            extra: _,
        } = self;
        let mut report = Report::default();
        let mounts = volume_mounts.as_deref().unwrap_or_default();
        url(
            "$.syslog_drain_url",
            syslog_drain_url.as_deref(),
            &mut report,
        );
        url(
            "$.route_service_url",
            route_service_url.as_deref(),
            &mut report,
        );
        for (path, word, returned, always) in [
            (
                "$.syslog_drain_url",
                "syslog_drain",
                syslog_drain_url.is_some(),
                true,
            ),
            // A route service may have its proxy arranged elsewhere, and then returns none (B53).
            (
                "$.route_service_url",
                "route_forwarding",
                route_service_url.is_some(),
                false,
            ),
            ("$.volume_mounts", "volume_mount", !mounts.is_empty(), true),
        ] {
            let required = offering.requires.iter().any(|known| known == word);
            if returned && !required {
                let message =
                    format!("must not be returned unless the catalog's requires has {word}");
                report.must(path, "B15", message);
            } else if required && !returned && always {
                // Only a SHOULD: an offering may require several and return one per binding.
                let message =
                    format!("should be returned, since the catalog's requires has {word}");
                report.should(path, "B53", message);
            }
        }
        for (at, mount) in mounts.iter().enumerate() {
            volume_mount(mount, &format!("$.volume_mounts[{at}]"), &mut report);
        }
        for (at, one) in endpoints.iter().flatten().enumerate() {
            endpoint(one, &format!("$.endpoints[{at}]"), &mut report);
        }
        if let Some(metadata) = metadata {
            times(metadata, &mut report);
        }
        report.finish()
    }
}

fn url(path: &str, url: Option<&str>, report: &mut Report) {
    if url.is_some_and(str::is_empty) {
        report.must(path, SHAPE, "must not be empty");
    }
}

fn filled(path: &str, key: &str, text: &str, report: &mut Report) {
    if text.is_empty() {
        report.must(&format!("{path}.{key}"), SHAPE, "must not be empty");
    }
}

fn volume_mount(mount: &VolumeMount, path: &str, report: &mut Report) {
    let VolumeMount {
        driver,
        container_dir,
        mode,
        device_type,
        device,
        extra: _,
    } = mount;
    let VolumeDevice {
        volume_id,
        mount_config: _,
        extra: _,
    } = device;
    filled(path, "driver", driver, report);
    filled(path, "container_dir", container_dir, report);
    if !matches!(mode.as_str(), "r" | "rw") {
        report.must(&format!("{path}.mode"), SHAPE, "must be r or rw");
    }
    if device_type != "shared" {
        report.must(&format!("{path}.device_type"), SHAPE, "must be shared");
    }
    filled(path, "device.volume_id", volume_id, report);
}

fn endpoint(endpoint: &Endpoint, path: &str, report: &mut Report) {
    let Endpoint {
        host,
        ports,
        protocol,
        extra: _,
    } = endpoint;
    filled(path, "host", host, report);
    if ports.is_empty() {
        report.must(
            &format!("{path}.ports"),
            SHAPE,
            "must have at least one port",
        );
    }
    for (at, port) in ports.iter().enumerate() {
        if !is_port_or_range(port) {
            let message = "must be a port or a range of ports, as in 443 or 9000-9010";
            report.must(&format!("{path}.ports[{at}]"), SHAPE, message);
        }
    }
    if let Some(word) = protocol
        && !matches!(word.as_str(), "tcp" | "udp" | "all")
    {
        report.must(
            &format!("{path}.protocol"),
            SHAPE,
            "must be tcp, udp or all",
        );
    }
}

fn is_port_or_range(text: &str) -> bool {
    match text.split_once('-') {
        None => port(text).is_some(),
        Some((first, last)) => match (port(first), port(last)) {
            (Some(first), Some(last)) => first <= last,
            _ => false,
        },
    }
}

fn port(text: &str) -> Option<u16> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let port = digits.then(|| text.parse().ok()).flatten()?;
    (port > 0).then_some(port)
}

fn times(metadata: &BindingMetadata, report: &mut Report) {
    let BindingMetadata {
        expires_at,
        renew_before,
        extra: _,
    } = metadata;
    let expires = time("$.metadata.expires_at", expires_at.as_deref(), report);
    let renew = time("$.metadata.renew_before", renew_before.as_deref(), report);
    if let (Some(expires), Some(renew)) = (expires, renew)
        && renew > expires
    {
        let message = "must not be later than expires_at";
        report.must("$.metadata.renew_before", "B56", message);
    }
}

fn time(path: &str, text: Option<&str>, report: &mut Report) -> Option<Timestamp> {
    let text = text?;
    let time = Timestamp::parse(text);
    if time.is_none() {
        let message = "must be a time in UTC, written as in 2031-05-17T08:30:00.0Z";
        report.must(path, "B56", message);
    }
    time
}
