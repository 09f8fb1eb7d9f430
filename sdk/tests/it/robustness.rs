//! Bad input of any kind is answered as the protocol says, never with 5xx.

use crate::anything::{Docile, Feed, judge, request};
use crate::desk::Desk;
use bytes::Bytes;
use quartermaster_sdk::testing::Platform;
use serde_json::json;

#[tokio::test]
async fn anything_is_answered() {
    let mut codes = std::collections::BTreeMap::<u16, usize>::new();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..60 {
        let platform = Platform::of(Docile).await.unwrap();
        let noise: Vec<u8> = std::iter::repeat_with(|| {
            // xorshift
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u8
        })
        .take(3000)
        .collect();
        let mut feed = Feed(&noise);
        while !feed.is_empty() {
            let Some(request) = request(&mut feed) else {
                continue;
            };
            let response = platform.send(request.clone()).await;
            judge(&request, &response);
            *codes.entry(response.status().as_u16()).or_default() += 1;
        }
    }
    println!("{codes:?}");
    // The requests reach every corner.
    for code in [200, 201, 400, 404, 405, 409, 410, 412, 422] {
        assert!(
            codes.get(&code).is_some_and(|times| *times >= 5),
            "{code}: {codes:?}"
        );
    }
}

#[tokio::test]
async fn bodies_that_are_too_large_are_refused() {
    let desk = Desk::tuned(|builder| builder.body_limit(1000)).await;
    let large = json!({ "parameters": { "a": "x".repeat(1000) } });
    let said = desk.provision_with("i", false, large).await.is(413);
    assert!(
        said.description().contains("1000"),
        "{}",
        said.description()
    );
    desk.last("i", "").await.is(404);
    desk.provision("i", false).await.is(201);
}

/// A body that breaks off in the middle, as a cut connection leaves it.
#[tokio::test]
async fn bodies_that_break_off_are_refused() {
    use http_body_util::BodyExt;
    use tower_service::Service;
    struct Broken(bool);
    impl http_body::Body for Broken {
        type Data = Bytes;
        type Error = std::io::Error;
        fn poll_frame(
            mut self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Option<Result<http_body::Frame<Bytes>, std::io::Error>>> {
            let first = !std::mem::replace(&mut self.0, true);
            std::task::Poll::Ready(Some(match first {
                true => Ok(http_body::Frame::data(Bytes::from_static(
                    b"{\"service_id\":",
                ))),
                false => Err(std::io::ErrorKind::ConnectionReset.into()),
            }))
        }
    }
    let desk = Desk::new().await;
    let request = http::Request::builder()
        .method("PUT")
        .uri("/v2/service_instances/i")
        .header("X-Broker-API-Version", "2.17")
        .body(Broken(false))
        .unwrap();
    let response = desk
        .platform
        .endpoint()
        .clone()
        .call(request)
        .await
        .unwrap();
    assert_eq!(response.status(), 400);
    let body = response.into_body().collect().await.unwrap().to_bytes();
    assert!(String::from_utf8_lossy(&body).contains("cut short"));
    desk.last("i", "").await.is(404);
}

/// Each of these is the author's most likely question, so the answer names the field.
#[tokio::test]
async fn refusals_say_what_to_change() {
    let desk = Desk::new().await;
    for (over, word) in [
        (json!({ "service_id": null }), "service_id"),
        (json!({ "plan_id": null }), "plan_id"),
        (json!({ "organization_guid": null }), "organization_guid"),
        (json!({ "space_guid": null }), "space_guid"),
        (json!({ "service_id": "unknown" }), "/v2/catalog"),
        (json!({ "plan_id": "unknown" }), "/v2/catalog"),
        (json!({ "parameters": 5 }), "parameters"),
        (
            json!({ "maintenance_info": {} }),
            "maintenance_info.version",
        ),
        (json!({ "context": [] }), "context"),
    ] {
        let said = desk.provision_with("i", true, over.clone()).await.is(400);
        assert!(
            said.description().contains(word),
            "{over}: {}",
            said.description()
        );
    }
    desk.provision_with("f", false, json!({ "plan_id": crate::puppet::FIXED }))
        .await
        .is(201);
    let said = desk
        .bind_with("f", "b", false, json!({ "plan_id": crate::puppet::FIXED }))
        .await
        .is(400);
    assert!(
        said.description().contains("bindable"),
        "{}",
        said.description()
    );
}
