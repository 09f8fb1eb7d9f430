//! A broker of others: the run goes to its end and names what that library really does wrong, and only that.
//!
//! The lists below are the table in `docs/conformance-openbrokerapi.md`; a case that appears or disappears changes both.

use crate::brokers::{PASSWORD, USER, complaints, judge, quick, target};
use std::collections::BTreeSet;

/// What openbrokerapi 4.7.3 does wrong by itself.
const LIBRARY: &[&str] = &[
    "auth.before-version",
    "bind.missing-service-id",
    "bind.unknown-service",
    "bind.wrong-types",
    "body.deep",
    "deprovision.missing-service-id",
    "errors.description",
    "errors.no-5xx",
    "errors.non-empty",
    "errors.object",
    "ids.binding",
    "ids.lookalike",
    "ids.slash",
    "last-operation.codes",
    "last-operation.unknown-binding",
    "last-operation.unknown-instance",
    "maintenance.provision-without",
    "provision.empty-service-id",
    "provision.missing-organization",
    "provision.missing-space",
    "provision.unknown-service",
    "provision.wrong-types",
    "request-id.bad-request",
    "request-id.conflict",
    "request-id.everywhere",
    "request-id.gone",
    "request-id.success",
    "request-id.unauthorized",
    "request-id.unknown-route",
    "request-id.verbatim",
    "request-id.version-refused",
    "routes.trailing-slash",
    "unbind.missing-service-id",
    "unbind.works",
    "update.missing-service-id",
    "update.unknown-service",
    "update.wrong-types",
    "version.malformed",
    "version.refusal-says-why",
    "version.repeated",
];

/// What the small broker on top of it leaves out, because the library leaves it to its authors.
const AUTHOR: &[&str] = &["bind.conflict-app"];

/// Seen only when a request falls into the moment in which work is under way, which a busy machine may miss.
const FLEETING: &[&str] = &[
    "concurrency.unbind-while-binding",
    "deprovision.repeat-in-progress",
    "unbind.repeat-in-progress",
    "update.repeat-in-progress",
];

#[tokio::test(flavor = "multi_thread")]
async fn its_real_deviations_are_named() {
    let Some(broker) = qm_testkit::openbrokerapi::start(USER, PASSWORD).await else {
        return;
    };
    let report = judge(target(&broker.url()), quick()).await.unwrap();
    assert!(!report.interrupted && !report.is_conformant());
    assert!(report.leftovers.is_empty(), "{:?}", report.leftovers);
    let named: BTreeSet<&str> = report
        .results
        .iter()
        .filter(|result| matches!(result.verdict.word(), "failed" | "warned"))
        .map(|result| result.id)
        .collect();
    let known: BTreeSet<&str> = LIBRARY.iter().chain(AUTHOR).copied().collect();
    let missed: Vec<_> = known.difference(&named).collect();
    let new: Vec<_> = named
        .difference(&known)
        .filter(|id| !FLEETING.contains(id))
        .collect();
    assert!(
        missed.is_empty() && new.is_empty(),
        "missed {missed:?}, new {new:?}{}",
        complaints(&report)
    );
}
