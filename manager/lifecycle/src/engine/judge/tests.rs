//! Row by row: what each answer means for each verb, at a door and at the manager's own desk.

use super::*;
use http::StatusCode;

fn answer(status: u16, body: &str) -> Result<Response<Bytes>, RelayError> {
    let mut answer = Response::new(Bytes::copy_from_slice(body.as_bytes()));
    *answer.status_mut() = StatusCode::from_u16(status).unwrap();
    Ok(answer)
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Done(_) => "done",
        Verdict::Pending(_) => "pending",
        Verdict::Failed(_) => "failed",
        Verdict::Orphan(_) => "orphan",
        Verdict::Abandoned(_) => "abandoned",
        Verdict::Unknown(_) => "unknown",
        Verdict::Later(_) => "later",
    }
}

#[test]
fn only_a_creation_leaves_an_orphan() {
    use Verb::{Bind, Deprovision, Provision, Unbind, Update};
    let lost = || {
        Err(RelayError::Lost {
            message: "cut".to_owned(),
            source: None,
        })
    };
    let away = || {
        Err(RelayError::Unreachable {
            message: "away".to_owned(),
            source: None,
        })
    };
    let cases: [(Result<_, _>, [&str; 5]); 12] = [
        (answer(200, "{}"), ["done", "done", "done", "done", "done"]),
        (
            answer(201, "{}"),
            ["done", "done", "failed", "failed", "failed"],
        ),
        (
            answer(202, "{}"),
            ["pending", "pending", "pending", "pending", "pending"],
        ),
        (
            answer(204, ""),
            ["orphan", "orphan", "failed", "failed", "failed"],
        ),
        (
            answer(302, ""),
            ["failed", "failed", "failed", "failed", "failed"],
        ),
        (
            answer(400, "{}"),
            ["failed", "failed", "failed", "failed", "failed"],
        ),
        (
            answer(408, "{}"),
            ["failed", "failed", "failed", "failed", "failed"],
        ),
        (
            answer(410, "{}"),
            ["failed", "failed", "failed", "done", "done"],
        ),
        (
            answer(422, "{}"),
            ["failed", "failed", "failed", "failed", "failed"],
        ),
        (
            answer(500, "{}"),
            ["orphan", "orphan", "failed", "failed", "failed"],
        ),
        (
            lost(),
            ["orphan", "orphan", "unknown", "unknown", "unknown"],
        ),
        (away(), ["failed", "failed", "failed", "failed", "failed"]),
    ];
    for (result, wanted) in cases {
        let got =
            [Provision, Bind, Update, Deprovision, Unbind].map(|verb| word(&judge(verb, &result)));
        assert_eq!(got, wanted, "{result:?}");
    }
}

#[test]
fn what_is_kept_of_an_answer_holds_no_credentials() {
    let body =
        r#"{"dashboard_url":"https://d","operation":"op","credentials":{"password":"hunter2"}}"#;
    let Verdict::Done(kept) = judge(Verb::Bind, &answer(201, body)) else {
        panic!("a 201 is done");
    };
    assert!(!format!("{kept:?}").contains("hunter2"));
    let Verdict::Done(kept) = judge(
        Verb::Provision,
        &answer(201, r#"{"dashboard_url":"https://d"}"#),
    ) else {
        panic!("a 201 is done");
    };
    assert_eq!(kept.dashboard_url.as_deref(), Some("https://d"));
    assert_eq!(
        kept.body.as_deref(),
        Some(r#"{"dashboard_url":"https://d"}"#)
    );
    let more = r#"{"metadata":{"labels":{"a":"b"}},"password":"hunter2"}"#;
    let Verdict::Done(kept) = judge(Verb::Update, &answer(200, more)) else {
        panic!("a 200 is done");
    };
    assert_eq!(
        kept.body.as_deref(),
        Some(r#"{"metadata":{"labels":{"a":"b"}}}"#)
    );
    let Verdict::Done(kept) = judge(Verb::Provision, &answer(201, "<html>")) else {
        panic!("the platform takes a 201 for success, so it is one");
    };
    assert_eq!(kept, Answered::default());
}

#[test]
fn the_brokers_words_are_not_for_the_record() {
    let said = r#"{"error":"hunter2","description":"hunter2","instance_usable":false}"#;
    let Verdict::Failed(fault) = judge(Verb::Update, &answer(422, said)) else {
        panic!("a 422 failed");
    };
    assert!(!format!("{fault:?}").contains("hunter2"));
    assert_eq!(fault.usable, Some(false));
    let said = r#"{"error":"ConcurrencyError"}"#;
    let Verdict::Failed(fault) = judge(Verb::Update, &answer(422, said)) else {
        panic!("a 422 failed");
    };
    assert!(fault.description.contains("ConcurrencyError"));
}

#[test]
fn a_poll_ends_only_by_what_the_protocol_knows() {
    let polled = |verb, status, body| {
        let answer = answer(status, body).unwrap();
        let outcome = Outcome::parse(Verb::PollInstance, &answer);
        judge_poll(verb, &outcome).as_ref().map(word)
    };
    let failed = r#"{"state":"failed"}"#;
    assert_eq!(
        polled(Verb::Provision, 200, r#"{"state":"succeeded"}"#),
        Some("done")
    );
    assert_eq!(polled(Verb::Provision, 200, failed), Some("orphan"));
    assert_eq!(polled(Verb::Update, 200, failed), Some("failed"));
    assert_eq!(polled(Verb::Deprovision, 200, failed), Some("failed"));
    assert_eq!(polled(Verb::Deprovision, 410, "{}"), Some("done"));
    for verb in [Verb::Provision, Verb::Update] {
        assert_eq!(polled(verb, 410, "{}"), None);
    }
    for (status, body) in [
        (200, "{}"),
        (200, r#"{"state":"odd"}"#),
        (404, "{}"),
        (500, "{}"),
    ] {
        assert_eq!(
            polled(Verb::Deprovision, status, body),
            None,
            "{status} {body}"
        );
    }
}

#[test]
fn at_the_managers_own_desk_the_table_holds_to_the_letter() {
    use Verb::{Bind, Deprovision, Provision, Unbind, Update};
    let lost = Err(RelayError::Lost {
        message: "cut".to_owned(),
        source: None,
    });
    let away = Err(RelayError::Unreachable {
        message: "away".to_owned(),
        source: None,
    });
    let busy = Err(RelayError::Busy {
        message: "no room".to_owned(),
    });
    let concurrency = r#"{"error":"ConcurrencyError","description":"wait"}"#;
    let cases: [(Result<_, _>, [&str; 5]); 14] = [
        (answer(200, "{}"), ["done"; 5]),
        // Was there before, so this call made nothing.
        (answer(200, "<html>"), ["failed"; 5]),
        (
            answer(201, "{}"),
            ["done", "done", "failed", "unknown", "unknown"],
        ),
        (
            answer(201, "<html>"),
            ["orphan", "orphan", "failed", "unknown", "unknown"],
        ),
        (answer(202, "{}"), ["pending"; 5]),
        (
            answer(202, "<html>"),
            ["orphan", "orphan", "failed", "failed", "failed"],
        ),
        (
            answer(204, ""),
            ["orphan", "orphan", "failed", "unknown", "unknown"],
        ),
        (answer(400, "{}"), ["failed"; 5]),
        (answer(408, "{}"), ["failed"; 5]),
        (
            answer(410, "{}"),
            ["failed", "failed", "failed", "done", "done"],
        ),
        (answer(422, concurrency), ["later"; 5]),
        (
            answer(500, "{}"),
            ["orphan", "orphan", "failed", "unknown", "unknown"],
        ),
        (lost, ["orphan", "orphan", "unknown", "failed", "failed"]),
        (away, ["failed"; 5]),
    ];
    let of = |result: &Result<_, _>| {
        [Provision, Bind, Update, Deprovision, Unbind].map(|verb| word(&judge_own(verb, result)))
    };
    for (result, wanted) in cases {
        assert_eq!(of(&result), wanted, "{result:?}");
    }
    assert_eq!(of(&busy), ["later"; 5]);
}

#[test]
fn the_brokers_own_words_are_kept_apart() {
    let said = r#"{"error":"hunter2","description":"hunter2"}"#;
    let Verdict::Failed(fault) = judge_own(Verb::Provision, &answer(400, said)) else {
        panic!("a 400 failed");
    };
    assert!(!format!("{fault:?}").contains("hunter2"));
    let words = fault.said.unwrap();
    assert_eq!(words.expose()["Description"], "hunter2");
}
