//! Defect 5: a broker that is known by its certificate alone got the platform's own `Authorization`.

use crate::support::tls::{Authority, Front};
use crate::support::{Registered, passed, relay};
use qm_model::broker::{Auth, Tls};
use qm_relay::RelaySettings;
use qm_testkit::hostile::HostileBroker;
use quartermaster_osb::Verb;

#[tokio::test]
async fn defect_05_a_broker_never_sees_what_the_platform_logged_in_with() {
    let hostile = HostileBroker::start().await.unwrap();
    let (authority, clients) = (Authority::new("servers"), Authority::new("clients"));
    let pair = authority.server(&["127.0.0.1"]);
    let front = Front::start(&pair, Some(&clients), hostile.address()).await;
    let own = clients.client();
    let broker = Registered::new("b", front.url())
        .tls(Tls::Own {
            certificate: own.cert,
            key: own.key.into(),
        })
        .auth(Auth::None);
    let relay = relay(RelaySettings {
        extra_roots: vec![authority.pem()],
        ..RelaySettings::default()
    });
    let path = "/v2/service_instances/i";
    let binding = "/v2/service_instances/i/service_bindings/b";
    for (verb, path) in [
        (Verb::Provision, path),
        (Verb::Update, path),
        (Verb::FetchInstance, path),
        (Verb::Bind, binding),
        (Verb::Unbind, binding),
        (Verb::Deprovision, path),
    ] {
        let request = passed(path, "{}");
        assert!(request.headers.contains_key("authorization"));
        // The hostile broker wants a password: 401 is its answer.
        let got = broker.pass(&relay, verb, request).await.unwrap();
        assert_eq!(got.status(), 401, "{verb}");
    }
    let calls = hostile.calls();
    assert_eq!(calls.len(), 6);
    for call in calls {
        assert_eq!(call.header("authorization"), None, "{:?}", call.verb);
    }
}
