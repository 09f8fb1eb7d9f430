//! What a binding hands out: credentials, drains, routes, volumes, endpoints, times.

use super::sections::BIND;
use crate::case::{Case, must, own, shared};
use crate::client::Reply;
use crate::verdict::{Check, Problems, Stop};
use crate::world::{Binding, World};
use serde_json::Value;

pub(super) const CASES: &[Case] = &[
    must("bind.credentials", &["B52"], BIND).says(
        "Credentials (or a drain, route or volume) are handed out: in the 201, or by fetch after an asynchronous bind",
        "Answer credentials with the 201; for asynchronous binds serve GET on the binding.",
        shared!(credentials),
    ),
    must("bind.accepted-shape", &["B50", "B25"], BIND)
        .says(
            "A 202 to bind holds an operation of at most 10,000 characters and no credentials",
            "Answer `{\"operation\": ...}` alone; credentials are fetched later.",
            own!(accepted_shape),
        )
        .since(14),
    must("bind.async-is-retrievable", &["B52"], BIND)
        .says(
            "A broker that binds asynchronously announces bindings_retrievable",
            "Set bindings_retrievable: true in the catalog, or bind synchronously.",
            own!(async_is_retrievable),
        )
        .since(14),
    must("bind.answer-shape", &["B50", "B53"], BIND).says(
        "The fields of the binding have their types",
        "credentials is an object, the URLs are text, volume_mounts and endpoints are arrays.",
        shared!(answer_shape),
    ),
    must("bind.requires-announced", &["B15", "B53"], BIND).says(
        "A drain, route or volume is handed out only when `requires` announces it",
        "Add syslog_drain, route_forwarding or volume_mount to `requires` of the offering.",
        shared!(requires_announced),
    ),
    must("bind.requires-kept", &["B53"], BIND).says(
        "An offering that requires syslog_drain or volume_mount hands it out",
        "Answer syslog_drain_url or volume_mounts, or take the word out of `requires`.",
        shared!(requires_kept),
    ),
    must("bind.volume-shape", &["B53"], BIND).says(
        "Every volume mount has driver, container_dir, mode, device_type and a device with volume_id",
        "Complete the volume mount; mode is r or rw, device_type is shared.",
        shared!(volume_shape),
    ),
    must("bind.endpoint-shape", &["B57"], BIND)
        .says(
            "Every endpoint has a host and a non-empty list of ports as text; protocol is tcp, udp or all",
            "Write ports as text: \"443\" or \"9000-9010\".",
            shared!(endpoint_shape),
        )
        .since(15),
    must("bind.times", &["B56"], BIND)
        .says(
            "expires_at and renew_before are UTC times, and renew_before is not after expires_at",
            "Write times as 2026-01-31T12:00:00.0Z.",
            shared!(times),
        )
        .since(16),
];

async fn handed_out(world: &mut World) -> Result<Reply, Stop> {
    let binding = world.standing_binding().await?;
    world.handed_out(&binding).await
}

async fn credentials(world: &mut World) -> Check {
    let reply = handed_out(world).await?;
    reply.status_in(&[200, 201], "the binding is there")?;
    let some = [
        "credentials",
        "syslog_drain_url",
        "route_service_url",
        "volume_mounts",
    ];
    reply.ensure(
        some.iter().any(|key| reply.field(key).is_some()),
        "credentials, or syslog_drain_url, route_service_url or volume_mounts",
    )
}

async fn first_202(world: &mut World) -> Result<Reply, Stop> {
    world.need_bindable()?;
    let instance = world.fresh().await?;
    let binding = Binding::new(&instance, &world.plan()?);
    let first = world.send_patiently(binding.put()).await?;
    world.need(first.status == 202, "the broker binds synchronously")?;
    world.settle(binding.poll(first.operation())).await?;
    Ok(first)
}

async fn accepted_shape(world: &mut World) -> Check {
    let reply = first_202(world).await?;
    let body = reply.object()?;
    reply.ensure(!body.contains_key("credentials"), "no credentials in a 202")?;
    let operation = body.get("operation");
    reply.ensure(
        operation.is_none_or(|v| v.is_null() || v.is_string()),
        "operation as text or null",
    )?;
    let length = reply.operation().map_or(0, |text| text.chars().count());
    reply.ensure(length <= 10_000, "operation with at most 10,000 characters")
}

async fn async_is_retrievable(world: &mut World) -> Check {
    let reply = first_202(world).await?;
    let announced = world.plan()?.bindings_retrievable;
    reply.ensure(announced, "201: the catalog does not say bindings_retrievable, so credentials of an asynchronous bind could never be fetched")
}

async fn answer_shape(world: &mut World) -> Check {
    let reply = handed_out(world).await?;
    reply.object()?;
    let mut problems = Problems::default();
    for (key, fine, kind) in [
        (
            "credentials",
            Value::is_object as fn(&Value) -> bool,
            "an object",
        ),
        ("syslog_drain_url", Value::is_string, "text"),
        ("route_service_url", Value::is_string, "text"),
        ("volume_mounts", Value::is_array, "an array"),
        ("endpoints", Value::is_array, "an array"),
        ("metadata", Value::is_object, "an object"),
    ] {
        let holds = reply.field(key).is_none_or(fine);
        problems.take(reply.ensure(holds, format!("{key} as {kind}")))?;
    }
    problems.done()
}

const KINDS: [(&str, &str); 3] = [
    ("syslog_drain_url", "syslog_drain"),
    ("route_service_url", "route_forwarding"),
    ("volume_mounts", "volume_mount"),
];

async fn requires_announced(world: &mut World) -> Check {
    let reply = handed_out(world).await?;
    let requires = world.plan()?.requires;
    let mut problems = Problems::default();
    for (key, word) in KINDS {
        let given = reply
            .field(key)
            .is_some_and(|value| value != &Value::Array(Vec::new()));
        let announced = requires.iter().any(|need| need == word);
        problems.take(reply.ensure(
            !given || announced,
            format!("no {key}, because `requires` does not hold {word}"),
        ))?;
    }
    problems.done()
}

async fn requires_kept(world: &mut World) -> Check {
    let requires = world.plan()?.requires;
    let wanted = |word: &str| requires.iter().any(|need| need == word);
    world.need(
        wanted("syslog_drain") || wanted("volume_mount"),
        "the offering requires neither syslog_drain nor volume_mount",
    )?;
    let reply = handed_out(world).await?;
    let mut problems = Problems::default();
    for (key, word) in [KINDS[0], KINDS[2]] {
        if wanted(word) {
            problems.take(reply.ensure(
                reply.field(key).is_some(),
                format!("{key}, because `requires` holds {word}"),
            ))?;
        }
    }
    problems.done()
}

async fn volume_shape(world: &mut World) -> Check {
    let reply = handed_out(world).await?;
    let mounts = reply
        .field("volume_mounts")
        .and_then(Value::as_array)
        .cloned();
    let Some(mounts) = mounts.filter(|mounts| !mounts.is_empty()) else {
        return Err(Stop::skip("the binding has no volume mounts"));
    };
    let mut problems = Problems::default();
    for mount in mounts {
        for key in ["driver", "container_dir"] {
            let text = mount[key].as_str().is_some_and(|text| !text.is_empty());
            problems.take(reply.ensure(text, format!("volume_mounts[].{key} as text")))?;
        }
        let mode = matches!(mount["mode"].as_str(), Some("r" | "rw"));
        problems.take(reply.ensure(mode, "volume_mounts[].mode r or rw"))?;
        let shared = mount["device_type"] == "shared";
        problems.take(reply.ensure(shared, "volume_mounts[].device_type shared"))?;
        let device = mount["device"]["volume_id"].is_string();
        problems.take(reply.ensure(device, "volume_mounts[].device.volume_id as text"))?;
    }
    problems.done()
}

fn is_ports(text: &str) -> bool {
    let port = |text: &str| text.parse::<u16>().is_ok_and(|port| port > 0);
    match text.split_once('-') {
        Some((low, high)) => port(low) && port(high),
        None => port(text),
    }
}

async fn endpoint_shape(world: &mut World) -> Check {
    let reply = handed_out(world).await?;
    let Some(endpoints) = reply.field("endpoints").and_then(Value::as_array).cloned() else {
        return Err(Stop::skip("the binding has no endpoints"));
    };
    let mut problems = Problems::default();
    for endpoint in endpoints {
        let host = endpoint["host"]
            .as_str()
            .is_some_and(|text| !text.is_empty());
        problems.take(reply.ensure(host, "endpoints[].host as text"))?;
        let ports = endpoint["ports"].as_array().is_some_and(|ports| {
            !ports.is_empty() && ports.iter().all(|port| port.as_str().is_some_and(is_ports))
        });
        problems.take(reply.ensure(
            ports,
            "endpoints[].ports as non-empty array of text like \"443\" or \"9000-9010\"",
        ))?;
        let protocol = &endpoint["protocol"];
        let known = protocol.is_null() || matches!(protocol.as_str(), Some("tcp" | "udp" | "all"));
        problems.take(reply.ensure(known, "endpoints[].protocol tcp, udp or all"))?;
    }
    problems.done()
}

async fn times(world: &mut World) -> Check {
    let reply = handed_out(world).await?;
    judge_times(&reply)
}

/// The two times of a binding.
pub(super) fn judge_times(reply: &Reply) -> Check {
    let Some(metadata) = reply.field("metadata") else {
        return Err(Stop::skip("the binding has no metadata"));
    };
    let mut times = [None, None];
    for (slot, key) in times.iter_mut().zip(["renew_before", "expires_at"]) {
        if metadata[key].is_null() {
            continue;
        }
        let text = metadata[key].as_str().unwrap_or_default();
        let time = text
            .parse::<jiff::Timestamp>()
            .ok()
            .filter(|_| text.ends_with('Z'));
        reply.ensure(
            time.is_some(),
            format!("metadata.{key} as a UTC time like 2026-01-31T12:00:00.0Z"),
        )?;
        *slot = time;
    }
    match times {
        [None, None] => Err(Stop::skip("the binding has no times")),
        [Some(renew), Some(expires)] => {
            reply.ensure(renew <= expires, "renew_before not after expires_at")
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::is_ports;

    #[test]
    fn ports_are_numbers_or_ranges() {
        assert!(is_ports("443") && is_ports("9000-9010"));
        assert!(!is_ports("0") && !is_ports("70000") && !is_ports("http") && !is_ports("1-"));
    }
}
