//! Several brokers and platform prefixes in one process, ids of any form, and the endpoint in an axum program.

use crate::puppet::{Puppet, SERVICE, SMALL, World};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use quartermaster_sdk::auth::Open;
use quartermaster_sdk::{Brokers, Endpoint, MountError, Store};
use serde_json::{Value, json};
use std::sync::Arc;
use tower_service::Service;

async fn endpoint(world: &Arc<World>, name: &str, store: &Store) -> Endpoint {
    let builder = Endpoint::builder(Puppet(world.clone())).auth(Open);
    builder
        .name(name)
        .store(store.clone())
        .build()
        .await
        .unwrap()
}

/// Sends one request to any tower service.
async fn send<S, B>(service: &S, method: &str, path: &str, body: Option<Value>) -> (u16, Value)
where
    S: Service<http::Request<Full<Bytes>>, Response = http::Response<B>> + Clone,
    S::Error: std::fmt::Debug,
    B: http_body::Body<Data = Bytes>,
    B::Error: std::fmt::Debug,
{
    let request = http::Request::builder()
        .method(method)
        .uri(path)
        .header("X-Broker-API-Version", "2.17")
        .header("X-Broker-API-Request-Identity", "echo-me")
        .body(Full::new(body.map_or_else(Bytes::new, |body| {
            Bytes::from(body.to_string())
        })))
        .unwrap();
    let mut service = service.clone();
    std::future::poll_fn(|context| service.poll_ready(context))
        .await
        .unwrap();
    let response = service.call(request).await.unwrap();
    assert_eq!(
        response.headers()["x-broker-api-request-identity"],
        "echo-me"
    );
    let status = response.status().as_u16();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    (
        status,
        serde_json::from_slice(&bytes).unwrap_or(Value::Null),
    )
}

fn create() -> Option<Value> {
    Some(
        json!({ "service_id": SERVICE, "plan_id": SMALL, "organization_guid": "o", "space_guid": "s" }),
    )
}

fn ids() -> String {
    format!("service_id={SERVICE}&plan_id={SMALL}")
}

#[tokio::test]
async fn brokers_and_platforms_do_not_see_each_other() {
    let store = Store::memory().await.unwrap();
    let worlds = [World::new(), World::new()];
    let brokers = Brokers::new()
        .mount("/one", endpoint(&worlds[0], "one", &store).await)
        .unwrap()
        .mount("/two/{platform}", endpoint(&worlds[1], "two", &store).await)
        .unwrap();
    let i = "v2/service_instances/i";
    for (n, prefix) in ["/one", "/two/cf", "/two/k8s"].into_iter().enumerate() {
        assert_eq!(
            send(&brokers, "GET", &format!("{prefix}/v2/catalog"), None)
                .await
                .0,
            200
        );
        assert_eq!(
            send(&brokers, "GET", &format!("{prefix}/{i}"), None)
                .await
                .0,
            404,
            "{prefix}"
        );
        let with = json!({ "parameters": { "n": n } });
        let mut body = create().unwrap();
        body["parameters"] = with["parameters"].clone();
        assert_eq!(
            send(&brokers, "PUT", &format!("{prefix}/{i}"), Some(body))
                .await
                .0,
            201,
            "{prefix}"
        );
        let (status, fetched) = send(&brokers, "GET", &format!("{prefix}/{i}"), None).await;
        assert_eq!(
            (status, &fetched["parameters"]["n"]),
            (200, &json!(n)),
            "{prefix}"
        );
    }
    assert_eq!(
        (worlds[0].called("provision"), worlds[1].called("provision")),
        (1, 2)
    );
    let delete = format!("/two/cf/{i}?{}", ids());
    assert_eq!(send(&brokers, "DELETE", &delete, None).await.0, 200);
    assert_eq!(send(&brokers, "DELETE", &delete, None).await.0, 410);
    assert_eq!(
        send(&brokers, "GET", &format!("/two/k8s/{i}"), None)
            .await
            .0,
        200
    );
    assert_eq!(
        send(&brokers, "GET", &format!("/one/{i}"), None).await.0,
        200
    );
    for nowhere in [
        "/v2/catalog",
        "/three/v2/catalog",
        "/two/v2/catalog",
        "/two//v2/catalog",
        "/one",
        "/",
    ] {
        assert_eq!(
            send(&brokers, "GET", nowhere, None).await.0,
            404,
            "{nowhere}"
        );
    }
}

#[tokio::test]
async fn the_closest_prefix_wins() {
    let store = Store::memory().await.unwrap();
    let worlds = [World::new(), World::new(), World::new()];
    let root = endpoint(&worlds[0], "root", &store).await;
    let brokers = Brokers::new()
        .mount("/", root.clone())
        .unwrap()
        .mount("/{platform}", endpoint(&worlds[1], "any", &store).await)
        .unwrap()
        .mount("/word", endpoint(&worlds[2], "word", &store).await)
        .unwrap();
    for (n, prefix) in ["", "/elsewhere", "/word"].into_iter().enumerate() {
        let path = format!("{prefix}/v2/service_instances/i");
        assert_eq!(send(&brokers, "PUT", &path, create()).await.0, 201);
        assert_eq!(worlds[n].called("provision"), 1, "{prefix}");
    }
    assert!(matches!(
        brokers.clone().mount("/{other}", root.clone()),
        Err(MountError::Taken(_))
    ));
    for bad in ["", "word", "/a//b", "/v2", "/a/"] {
        assert!(
            matches!(
                brokers.clone().mount(bad, root.clone()),
                Err(MountError::BadPrefix(_))
            ),
            "{bad}"
        );
    }
}

#[tokio::test]
async fn ids_may_be_anything_that_can_be_encoded() {
    let store = Store::memory().await.unwrap();
    let world = World::new();
    let brokers = Brokers::new()
        .mount("/p", endpoint(&world, "one", &store).await)
        .unwrap();
    let ids = ids();
    for (encoded, plain) in [
        ("a%2Fb", "a/b"),
        ("a%20b%3F%23", "a b?#"),
        ("%F0%9F%90%98", "\u{1f418}"),
        ("%2e%2e", ".."),
        ("100%25", "100%"),
        ("a+b", "a+b"),
    ] {
        let path = format!("/p/v2/service_instances/{encoded}");
        assert_eq!(
            send(&brokers, "PUT", &path, create()).await.0,
            201,
            "{encoded}"
        );
        let binding = format!("{path}/service_bindings/{encoded}");
        let bind = json!({ "service_id": SERVICE, "plan_id": SMALL });
        assert_eq!(send(&brokers, "PUT", &binding, Some(bind)).await.0, 201);
        assert!(world.thing(plain).is_some(), "{plain}");
        assert!(
            world.thing(&format!("{plain}/{plain}")).is_some(),
            "{plain}"
        );
        assert_eq!(
            send(&brokers, "GET", &format!("{binding}/last_operation"), None)
                .await
                .0,
            200
        );
        assert_eq!(
            send(&brokers, "DELETE", &format!("{binding}?{ids}"), None)
                .await
                .0,
            200
        );
        assert_eq!(
            send(&brokers, "DELETE", &format!("{path}?{ids}"), None)
                .await
                .0,
            200
        );
    }
    assert!(world.is_empty());
    let (status, said) = send(&brokers, "GET", "/p/v2/service_instances/%00", None).await;
    assert_eq!(status, 400);
    assert!(
        said["description"]
            .as_str()
            .unwrap()
            .contains("control characters"),
        "{said}"
    );
    assert_eq!(
        send(&brokers, "GET", "/p/v2/service_instances/%ff", None)
            .await
            .0,
        400
    );
}

#[tokio::test]
async fn an_endpoint_is_a_service_of_an_axum_program() {
    let store = Store::memory().await.unwrap();
    let world = World::new();
    let broker = endpoint(&world, "one", &store).await;
    let prefixed = Brokers::new()
        .mount("/brokers/{platform}", broker.clone())
        .unwrap();
    let stamp = axum::middleware::from_fn(
        |request: axum::extract::Request, next: axum::middleware::Next| async {
            let identity = request
                .headers()
                .get("x-broker-api-request-identity")
                .cloned();
            let mut response = next.run(request).await;
            response.headers_mut().extend(identity.map(|value| {
                (
                    http::HeaderName::from_static("x-broker-api-request-identity"),
                    value,
                )
            }));
            response
        },
    );
    let app: axum::Router = axum::Router::new()
        .route(
            "/hello",
            axum::routing::get(|| async { "hello" }).layer(stamp),
        )
        .nest_service("/osb", broker.clone())
        .route_service("/brokers/{*rest}", prefixed)
        .fallback_service(broker);
    let i = "v2/service_instances/i";
    assert_eq!(send(&app, "GET", "/hello", None).await.0, 200);
    assert_eq!(send(&app, "GET", "/v2/catalog", None).await.0, 200);
    assert_eq!(
        send(&app, "PUT", &format!("/osb/{i}"), create()).await.0,
        201
    );
    // The same endpoint at another place is the same broker.
    assert_eq!(send(&app, "PUT", &format!("/{i}"), create()).await.0, 200);
    assert_eq!(
        send(&app, "PUT", &format!("/brokers/cf/{i}"), create())
            .await
            .0,
        201
    );
    assert_eq!(
        send(&app, "DELETE", &format!("/osb/{i}?{}", ids()), None)
            .await
            .0,
        200
    );
    assert_eq!(
        send(&app, "GET", &format!("/brokers/cf/{i}"), None).await.0,
        200
    );
    assert_eq!(send(&app, "GET", "/nowhere", None).await.0, 404);
}
