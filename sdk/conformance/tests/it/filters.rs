//! What is chosen is run, and nothing else; what cannot be chosen is said.

use crate::brokers::{judge, minimal, quick, target};
use qm_conformance::{Options, RunError, Target};

#[tokio::test(flavor = "multi_thread")]
async fn only_skip_and_plan_narrow_the_run() {
    let broker = minimal().await;
    let options = Options {
        only: vec!["catalog".into(), "provision.works".into()],
        skip: vec!["catalog.etag-*".into()],
        plans: vec!["instant".into()],
        ..quick()
    };
    let report = judge(target(&broker.process.url()), options).await.unwrap();
    assert_eq!(report.plans, ["token/instant"]);
    assert_eq!(report.of("provision.works").count(), 1);
    assert_eq!(report.of("catalog.works").count(), 1);
    assert_eq!(report.of("catalog.etag-match").count(), 0);
    assert_eq!(report.of("bind.works").count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_cannot_begin_says_why() {
    let broker = minimal().await;
    let url = broker.process.url();
    let options = Options {
        plans: vec!["enormous".into()],
        ..quick()
    };
    match judge(target(&url), options).await {
        Err(RunError::NoSuchPlan(known)) => assert_eq!(known, "token/instant, token/relaxed"),
        other => panic!("{other:?}"),
    }
    let stranger = Target::new(&url).unwrap().with_basic("nobody", "wrong");
    assert!(matches!(
        judge(stranger, quick()).await,
        Err(RunError::Refused(401))
    ));
    let free = qm_testkit::process::free_address().unwrap();
    let nobody = target(&format!("http://{free}"));
    assert!(matches!(
        judge(nobody, quick()).await,
        Err(RunError::Unreachable(_))
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn given_parameters_are_sent() {
    let broker = minimal().await;
    let file = "instant:\n  provision: { label: given }\n  update: { label: changed }\n";
    let options = Options {
        only: vec![
            "provision.works".into(),
            "fetch-instance.parameters".into(),
            "update.parameters".into(),
        ],
        plans: vec!["instant".into()],
        parameters: qm_conformance::Parameters::parse(file).unwrap(),
        keep_evidence: true,
        ..quick()
    };
    let report = judge(target(&broker.process.url()), options).await.unwrap();
    assert_eq!(report.summary.failed, 0);
    let sent = &report.of("provision.works").next().unwrap().evidence[0].sent;
    assert!(
        sent.body
            .as_ref()
            .unwrap()
            .contains("\"parameters\":{\"label\":\"***\"}"),
        "{sent:?}"
    );
}
