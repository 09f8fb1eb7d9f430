//! Any sequence of requests to a whole broker in memory. Nothing panics, nothing is answered with 5xx,
//! every refusal says why, and no parameter is echoed.

#![no_main]

// The same maker of requests, and the same rule, as the SDK's own test of bad input.
#[path = "../../sdk/tests/it/anything.rs"]
mod anything;

use anything::{Docile, Feed, judge, request};
use libfuzzer_sys::fuzz_target;
use quartermaster_sdk::testing::Platform;
use std::sync::LazyLock;
use tokio::runtime::{Builder, Runtime};

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let runtime = Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build();
    runtime.expect("a runtime")
});

fuzz_target!(|noise: &[u8]| {
    RUNTIME.block_on(async {
        // A broker of its own for each input, or what was found could not be found again.
        let platform = Platform::of(Docile).await.expect("a broker");
        let mut feed = Feed(noise);
        while !feed.is_empty() {
            let Some(request) = request(&mut feed) else {
                continue;
            };
            let response = platform.send(request.clone()).await;
            judge(&request, &response);
        }
        platform.endpoint().shutdown().await;
    });
});
