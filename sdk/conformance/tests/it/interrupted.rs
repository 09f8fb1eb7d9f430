//! An interrupted run reports what it has and leaves nothing behind.

use crate::brokers::{minimal, quick, target};
use crate::mutants::proxy::{self, Proxy};
use qm_conformance::{CancellationToken, Event};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[tokio::test(flavor = "multi_thread")]
async fn what_was_created_is_deleted() {
    let broker = minimal().await;
    let proxy = Proxy::start(broker.process.address(), proxy::faithful()).await;
    let cancel = CancellationToken::new();
    let finished = Arc::new(AtomicUsize::new(0));
    let listener = {
        let (cancel, finished) = (cancel.clone(), Arc::clone(&finished));
        move |event| {
            if matches!(event, Event::Finished { .. })
                && finished.fetch_add(1, Ordering::Relaxed) == 120
            {
                cancel.cancel();
            }
        }
    };
    let report = qm_conformance::run(target(&proxy.url), quick(), Arc::new(listener), cancel)
        .await
        .unwrap();
    assert!(report.interrupted);
    assert!(report.summary.passed > 50, "{:?}", report.summary);
    let cut = report.results.iter().filter(|result| {
        matches!(&result.verdict, qm_conformance::Verdict::Skipped { reason } if reason.contains("interrupted"))
    });
    assert!(cut.count() > 20, "{:?}", report.summary);
    assert!(report.leftovers.is_empty(), "{:?}", report.leftovers);
    let created = proxy.created();
    assert!(created.len() > 10, "{}", created.len());
    for path in created {
        let status = proxy.status(&path).await;
        assert_eq!(status, 404, "{path} is still there");
    }
}
