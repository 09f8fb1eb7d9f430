//! A marked secret goes every way through the relay and is found in nothing that was written.

use crate::support::server::{Server, answer};
use crate::support::tls::Authority;
use crate::support::{Registered, impatient, passed, relay};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use qm_model::broker::{Auth, Tls};
use qm_model::{Chain, Error};
use qm_relay::Passed;
use qm_testkit::hostile::{Fault, HostileBroker};
use quartermaster_osb::Verb;
use serde_json::json;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use tracing_subscriber::fmt::MakeWriter;

const CANARY: &str = "c4nary-f1nch";

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Written {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

fn every_auth(token_url: &str) -> Vec<Auth> {
    vec![
        Auth::Basic {
            username: "user".to_owned(),
            password: CANARY.to_owned().into(),
        },
        Auth::Bearer {
            token: CANARY.to_owned().into(),
        },
        Auth::Bearer {
            token: format!("{CANARY}\n").into(),
        },
        Auth::OAuth2 {
            token_url: token_url.to_owned(),
            client_id: "client".to_owned(),
            client_secret: CANARY.to_owned().into(),
            scope: String::new(),
        },
    ]
}

/// A platform's request with the secret wherever one can stand.
fn request() -> Passed {
    let path = format!("/v2/service_instances/i?operation={CANARY}");
    let mut request = passed(&path, &json!({"parameters": {CANARY: CANARY}}).to_string());
    for name in ["authorization", "cookie", "x-vendor"] {
        request.headers.insert(name, CANARY.parse().unwrap());
    }
    request
}

#[tokio::test]
async fn a_secret_is_found_nowhere() {
    let written = Written::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_span_events(tracing_subscriber::fmt::format::FmtSpan::FULL)
        .with_writer(written.clone())
        .finish();
    // For the whole program: beside tests that log to nobody, a subscriber of one thread can miss events. What
    // the others write has no canary in it.
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let hostile = HostileBroker::start().await.unwrap();
    let tokens = Server::start(|_| answer(200, format!(r#"{{"access_token":"{CANARY}"}}"#))).await;
    let faults = [
        Fault::Behave,
        Fault::answer(401, json!({"description": CANARY, "error": CANARY})),
        Fault::answer(500, json!(CANARY)),
        Fault::answer(200, json!({"services": CANARY})),
        Fault::answer(
            200,
            json!({"services": [{"id": CANARY, "name": {CANARY: 1}}]}),
        ),
        Fault::answer(200, json!(format!("{{\"{CANARY}"))),
        Fault::redirect(302, &format!("http://{CANARY}@127.0.0.1/?{CANARY}")),
        Fault::Raw {
            text: format!("{CANARY}\r\n\r\n"),
        },
        Fault::Cut,
        Fault::Hang,
    ];
    let mut said = String::new();
    for fault in faults {
        hostile.behave();
        hostile.on_any().then(fault);
        for auth in every_auth(&tokens.url) {
            let relay = relay(impatient());
            let broker = Registered::new("b", hostile.url()).auth(auth);
            said.push_str(&format!("{:?}", broker.target()));
            let asked = broker.catalog(&relay).await.map(drop);
            let passed = broker.pass(&relay, Verb::Provision, request()).await;
            for error in [asked.err(), passed.err()].into_iter().flatten() {
                said.push_str(&format!("{error} {error:?} {}", Chain(&error)));
                let error = Error::from(error);
                said.push_str(&format!("{error} {error:?}"));
            }
            said.push_str(&format!("{:?} {}", request(), relay.numbers()));
            said.push_str(&format!("{relay:?} {:?}", relay.states()));
        }
    }
    let url = hostile
        .url()
        .replace("http://", &format!("http://user:{CANARY}@"));
    let wrong = Registered::new("b", url);
    let relay = relay(impatient());
    said.push_str(&wrong.catalog(&relay).await.unwrap_err().to_string());
    let pair = Authority::new("a").client();
    let tls = Tls::Own {
        certificate: pair.cert,
        key: CANARY.to_owned().into(),
    };
    let wrong = Registered::new("b", "https://127.0.0.1:1").tls(tls);
    said.push_str(&wrong.catalog(&relay).await.unwrap_err().to_string());
    let log = String::from_utf8_lossy(&written.0.lock().unwrap()).into_owned();
    // The log was really kept, and tells who was called.
    assert!(log.contains("broker.call") && log.contains("a call to a broker failed"));
    let basic = STANDARD.encode(format!("user:{CANARY}"));
    let client = STANDARD.encode(format!("client:{CANARY}"));
    for (place, text) in [("errors", &said), ("log", &log)] {
        for secret in [CANARY, &basic, &client] {
            let found = text.lines().find(|line| line.contains(secret));
            assert_eq!(found, None, "in the {place}");
        }
    }
}
