//! The signature of a context, checked by somebody else's cryptography.

use crate::support::relay;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use qm_model::Secret;
use qm_relay::{BadSettings, Relay, RelaySettings, Signing};
use quartermaster_osb::Object;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

fn signing(key: impl Into<String>) -> RelaySettings {
    RelaySettings {
        signing: Some(Signing {
            key: Secret::new(key.into()),
            successor: Some("the next one".to_owned()),
        }),
        ..RelaySettings::default()
    }
}

fn context() -> Object {
    let Value::Object(context) = json!({
        "platform": "cloudfoundry",
        "organization_name": "Größe \"A\" <&> \u{2028}",
        "signature": "forged",
        "z": {"b": [1, {"y": null, "x": 1.5}], "a": true},
        "Z": -7,
    }) else {
        panic!("no object");
    };
    context
}

/// The tool's own program, or none with a line that says so.
fn openssl(folder: &Path, arguments: &[&str]) -> Option<String> {
    let ran = Command::new("openssl")
        .current_dir(folder)
        .args(arguments)
        .output();
    let Ok(ran) = ran else {
        assert!(std::env::var_os("CI").is_none(), "openssl is needed");
        eprintln!("skipped: there is no openssl here");
        return None;
    };
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(
        ran.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    Some(said)
}

#[test]
fn openssl_agrees_with_the_signature() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    if openssl(at, &["genrsa", "-traditional", "-out", "pkcs1.pem", "2048"]).is_none() {
        return;
    }
    openssl(
        at,
        &[
            "pkcs8",
            "-topk8",
            "-nocrypt",
            "-in",
            "pkcs1.pem",
            "-out",
            "pkcs8.pem",
        ],
    );
    let read = |name: &str| fs::read_to_string(at.join(name)).unwrap();
    let (pkcs1, pkcs8) = (read("pkcs1.pem"), read("pkcs8.pem"));
    assert!(pkcs1.contains("BEGIN RSA PRIVATE KEY"), "{pkcs1}");
    let forms = [
        STANDARD.encode(&pkcs1),
        pkcs1.replace('\n', "\\n"),
        pkcs1,
        pkcs8,
    ];
    let mut signatures = Vec::new();
    for key in forms {
        let relay = relay(signing(key));
        let mut signed = context();
        relay.sign(&mut signed, "i-1");
        let Some(Value::String(signature)) = signed.remove("signature") else {
            panic!("not signed");
        };
        assert_eq!(signed["service_instance_id"], "i-1");
        // Written by hand: what a broker that knows the rule would make of the context.
        let text = "{\"Z\":-7,\"organization_name\":\"Größe \\\"A\\\" <&> \u{2028}\",\
                    \"platform\":\"cloudfoundry\",\"service_instance_id\":\"i-1\",\
                    \"z\":{\"a\":true,\"b\":[1,{\"x\":1.5,\"y\":null}]}}";
        fs::write(at.join("text"), text).unwrap();
        fs::write(at.join("signature"), STANDARD.decode(&signature).unwrap()).unwrap();
        let public = relay.signing_key().unwrap();
        fs::write(at.join("public.pem"), STANDARD.decode(public).unwrap()).unwrap();
        let verify = [
            "dgst",
            "-sha256",
            "-verify",
            "public.pem",
            "-signature",
            "signature",
            "text",
        ];
        let said = openssl(at, &verify).unwrap();
        assert!(said.contains("Verified OK"), "{said}");
        assert_eq!(relay.next_signing_key().as_deref(), Some("the next one"));
        signatures.push(signature);
    }
    signatures.dedup();
    assert_eq!(signatures.len(), 1, "the same key in every form");
}

#[test]
fn without_a_key_nothing_is_touched() {
    let relay = relay(RelaySettings::default());
    let mut same = context();
    relay.sign(&mut same, "i-1");
    assert_eq!(same, context());
    assert_eq!(relay.signing_key(), None);
    assert_eq!(relay.next_signing_key(), None);
}

#[test]
fn a_key_that_cannot_be_used_is_told_at_start_and_not_quoted() {
    for key in [
        "hunter2",
        "-----BEGIN RSA PRIVATE KEY-----\nhunter2\n-----END RSA PRIVATE KEY-----",
    ] {
        let settings = signing(key);
        assert!(!format!("{settings:?}").contains("hunter2"));
        let error = Relay::new(settings).unwrap_err();
        assert!(matches!(error, BadSettings::Signing(_)), "{error:?}");
        assert!(!error.to_string().contains("hunter2"), "{error}");
    }
}
