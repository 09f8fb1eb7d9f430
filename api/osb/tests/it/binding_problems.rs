//! One good binding, broken in one way at a time, held against offerings that do and do not allow it.

use quartermaster_osb::{Binding, Level, Offering};
use serde_json::{Value, json};

fn offering(requires: &[&str]) -> Offering {
    let offering = json!({
        "name": "n", "id": "i", "description": "d", "bindable": true, "plans": [], "requires": requires
    });
    serde_json::from_value(offering).unwrap()
}

fn good() -> Value {
    json!({
        "metadata": {"expires_at": "2031-05-17T08:30:00.0Z", "renew_before": "2031-05-17T08:30:00.000Z"},
        "credentials": {"password": "hunter2"},
        "syslog_drain_url": "syslog://logs.example",
        "route_service_url": "https://proxy.example",
        "volume_mounts": [{
            "driver": "nfs", "container_dir": "/data", "mode": "rw", "device_type": "shared",
            "device": {"volume_id": "v", "mount_config": {"password": "hunter2"}}
        }],
        "endpoints": [{"host": "db.example", "ports": ["443", "9000-9010"], "protocol": "tcp"}]
    })
}

const ALL: [&str; 3] = ["syslog_drain", "route_forwarding", "volume_mount"];

fn found(binding: Value, requires: &[&str]) -> Vec<(String, &'static str, Level)> {
    let binding: Binding = serde_json::from_value(binding).unwrap();
    let problems = binding.problems(&offering(requires));
    for problem in &problems {
        assert!(!problem.to_string().contains("hunter2"), "{problem}");
    }
    problems
        .into_iter()
        .map(|problem| (problem.path, problem.rule, problem.level))
        .collect()
}

#[test]
fn a_good_binding_has_no_problems() {
    assert_eq!(found(good(), &ALL), []);
    assert_eq!(found(json!({}), &["route_forwarding"]), []);
    assert_eq!(found(json!({"volume_mounts": []}), &[]), []);
}

#[test]
fn what_is_returned_must_be_announced() {
    let must = |path: &str| (path.to_owned(), "B15", Level::Must);
    assert_eq!(
        found(good(), &[]),
        [
            must("$.syslog_drain_url"),
            must("$.route_service_url"),
            must("$.volume_mounts")
        ]
    );
    let should = |path: &str| (path.to_owned(), "B53", Level::Should);
    assert_eq!(
        found(json!({}), &ALL),
        [should("$.syslog_drain_url"), should("$.volume_mounts")]
    );
}

#[test]
fn every_break_is_found() {
    let mount = "/volume_mounts/0";
    let endpoint = "/endpoints/0";
    let cases = [
        (
            "/syslog_drain_url".into(),
            json!(""),
            "$.syslog_drain_url",
            "E7",
        ),
        (
            "/route_service_url".into(),
            json!(""),
            "$.route_service_url",
            "E7",
        ),
        (
            format!("{mount}/driver"),
            json!(""),
            "$.volume_mounts[0].driver",
            "E7",
        ),
        (
            format!("{mount}/container_dir"),
            json!(""),
            "$.volume_mounts[0].container_dir",
            "E7",
        ),
        (
            format!("{mount}/mode"),
            json!("w"),
            "$.volume_mounts[0].mode",
            "E7",
        ),
        (
            format!("{mount}/mode"),
            json!("RW"),
            "$.volume_mounts[0].mode",
            "E7",
        ),
        (
            format!("{mount}/device_type"),
            json!("block"),
            "$.volume_mounts[0].device_type",
            "E7",
        ),
        (
            format!("{mount}/device/volume_id"),
            json!(""),
            "$.volume_mounts[0].device.volume_id",
            "E7",
        ),
        (
            format!("{endpoint}/host"),
            json!(""),
            "$.endpoints[0].host",
            "E7",
        ),
        (
            format!("{endpoint}/ports"),
            json!([]),
            "$.endpoints[0].ports",
            "E7",
        ),
        (
            format!("{endpoint}/ports/1"),
            json!("http"),
            "$.endpoints[0].ports[1]",
            "E7",
        ),
        (
            format!("{endpoint}/ports/1"),
            json!(""),
            "$.endpoints[0].ports[1]",
            "E7",
        ),
        (
            format!("{endpoint}/ports/1"),
            json!("0"),
            "$.endpoints[0].ports[1]",
            "E7",
        ),
        (
            format!("{endpoint}/ports/1"),
            json!("65536"),
            "$.endpoints[0].ports[1]",
            "E7",
        ),
        (
            format!("{endpoint}/ports/1"),
            json!("+443"),
            "$.endpoints[0].ports[1]",
            "E7",
        ),
        (
            format!("{endpoint}/ports/1"),
            json!("10-9"),
            "$.endpoints[0].ports[1]",
            "E7",
        ),
        (
            format!("{endpoint}/ports/1"),
            json!("1-2-3"),
            "$.endpoints[0].ports[1]",
            "E7",
        ),
        (
            format!("{endpoint}/ports/1"),
            json!("9-"),
            "$.endpoints[0].ports[1]",
            "E7",
        ),
        (
            format!("{endpoint}/protocol"),
            json!("TCP"),
            "$.endpoints[0].protocol",
            "E7",
        ),
        (
            "/metadata/expires_at".into(),
            json!("tomorrow"),
            "$.metadata.expires_at",
            "B56",
        ),
        (
            "/metadata/expires_at".into(),
            json!("2031-05-17T08:30:00Z"),
            "$.metadata.expires_at",
            "B56",
        ),
        (
            "/metadata/renew_before".into(),
            json!(""),
            "$.metadata.renew_before",
            "B56",
        ),
        (
            "/metadata/renew_before".into(),
            json!("2031-05-17T08:30:00.001Z"),
            "$.metadata.renew_before",
            "B56",
        ),
    ];
    for (pointer, value, path, rule) in cases {
        let mut binding = good();
        *binding.pointer_mut(&pointer).unwrap() = value.clone();
        let wanted = vec![(path.to_owned(), rule, Level::Must)];
        assert_eq!(found(binding, &ALL), wanted, "{pointer} = {value}");
    }
}
