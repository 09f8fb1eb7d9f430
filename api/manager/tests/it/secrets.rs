//! Secrets are sent and never printed.

use crate::golden::{self, CANARY};

#[test]
fn debug_never_shows_a_secret() {
    let mut with_secrets = Vec::new();
    for golden in golden::all() {
        let shown = (golden.shown)(&golden.json);
        assert!(!shown.contains(CANARY), "{}: {shown}", golden.name);
        if golden.json.contains(CANARY) {
            assert!(shown.contains("***"), "{}: {shown}", golden.name);
            with_secrets.push(golden.name);
        }
    }
    assert_eq!(
        with_secrets,
        [
            "operation",
            "broker",
            "new broker",
            "broker patch",
            "platform",
            "credential",
            "new credential",
            "new instance",
            "instance patch",
            "parameters",
            "binding",
            "new binding",
            "binding patch",
            "broker notification",
            "new user",
            "user patch",
            "client",
            "new client",
            "client patch",
            "token request",
            "token response",
            "error",
        ]
    );
}
