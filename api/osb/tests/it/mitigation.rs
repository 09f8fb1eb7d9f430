//! The orphan-mitigation table of the specification, row by row, for every verb. Each row is a raw
//! response (or its absence), so that parsing is held to the table too.

use bytes::Bytes;
use http::Response;
use quartermaster_osb::{
    Outcome, Verb,
    mitigation::{self, Decision, Meaning},
};

/// What came of a call.
enum Event {
    Answer(u16, &'static str),
    Timeout,
    NotSent,
}

const GOOD: &str = r#"{"services":[],"state":"succeeded"}"#;
const BAD: &str = "<html>";

const INSTANCE: Decision = Decision::DeleteInstance;
const BINDING: Decision = Decision::DeleteBinding;
const NO: Decision = Decision::None;

/// A row: its name, the event, what it means for provision, update, deprovision, bind and unbind, and what
/// each of them decides. `None`: the row does not speak of that verb.
type Row = (&'static str, Event, [Option<(Meaning, Decision)>; 5]);

const VERBS: [Verb; 5] = [
    Verb::Provision,
    Verb::Update,
    Verb::Deprovision,
    Verb::Bind,
    Verb::Unbind,
];

fn rows() -> Vec<Row> {
    use Meaning::{Failure, Pending, Success, Unknown};
    let all = |meaning, decision| [Some((meaning, decision)); 5];
    let ok = Some((Success, NO));
    let failed = Some((Failure, NO));
    let instance = Some((Failure, INSTANCE));
    let binding = Some((Failure, BINDING));
    vec![
        ("200 ok", Event::Answer(200, GOOD), all(Success, NO)),
        (
            "201 ok",
            Event::Answer(201, GOOD),
            [ok, None, None, ok, None],
        ),
        ("202 ok", Event::Answer(202, GOOD), all(Pending, NO)),
        ("200 malformed", Event::Answer(200, BAD), all(Failure, NO)),
        (
            "201 malformed",
            Event::Answer(201, BAD),
            [instance, None, None, binding, None],
        ),
        (
            "202 malformed",
            Event::Answer(202, BAD),
            [instance, failed, failed, binding, failed],
        ),
        (
            "201 where none belongs",
            Event::Answer(201, GOOD),
            [None, failed, instance, None, binding],
        ),
        (
            "204",
            Event::Answer(204, ""),
            [instance, failed, instance, binding, binding],
        ),
        (
            "299",
            Event::Answer(299, GOOD),
            [instance, failed, instance, binding, binding],
        ),
        (
            "302, of which the table is silent",
            Event::Answer(302, ""),
            all(Failure, NO),
        ),
        ("400", Event::Answer(400, "{}"), all(Failure, NO)),
        ("404", Event::Answer(404, "{}"), all(Failure, NO)),
        ("408", Event::Answer(408, "{}"), all(Failure, NO)),
        ("409", Event::Answer(409, "{}"), all(Failure, NO)),
        (
            "410",
            Event::Answer(410, "{}"),
            [failed, failed, ok, failed, ok],
        ),
        (
            "422 ConcurrencyError",
            Event::Answer(422, r#"{"error":"ConcurrencyError"}"#),
            all(Failure, NO),
        ),
        ("499", Event::Answer(499, BAD), all(Failure, NO)),
        (
            "500",
            Event::Answer(500, "{}"),
            [instance, failed, instance, binding, binding],
        ),
        (
            "503 not JSON",
            Event::Answer(503, BAD),
            [instance, failed, instance, binding, binding],
        ),
        (
            "timeout",
            Event::Timeout,
            [
                Some((Unknown, INSTANCE)),
                failed,
                failed,
                Some((Unknown, BINDING)),
                failed,
            ],
        ),
        ("never sent", Event::NotSent, all(Failure, NO)),
    ]
}

fn outcome(verb: Verb, event: &Event) -> Outcome {
    match event {
        Event::Answer(status, body) => {
            let body = Bytes::from_static(body.as_bytes());
            let response = Response::builder().status(*status).body(body).unwrap();
            Outcome::parse(verb, &response)
        }
        Event::Timeout => Outcome::Lost,
        Event::NotSent => Outcome::NotSent,
    }
}

#[test]
fn every_row_holds() {
    for (name, event, wanted) in rows() {
        for (verb, wanted) in VERBS.into_iter().zip(wanted) {
            let Some(wanted) = wanted else { continue };
            let outcome = outcome(verb, &event);
            let found = (
                mitigation::meaning(verb, &outcome),
                mitigation::decide(verb, &outcome),
            );
            assert_eq!(found, wanted, "{name} on {verb}");
        }
    }
}

#[test]
fn reading_never_leaves_an_orphan() {
    for verb in Verb::ALL.into_iter().filter(|verb| !verb.mutates()) {
        for (name, event, _) in rows() {
            let decision = mitigation::decide(verb, &outcome(verb, &event));
            assert_eq!(decision, NO, "{name} on {verb}");
        }
        assert_eq!(mitigation::decide_internal(verb), NO);
    }
}

#[test]
fn a_failed_operation_is_decided_by_what_it_was() {
    let failed = outcome(
        Verb::PollInstance,
        &Event::Answer(200, r#"{"state":"failed"}"#),
    );
    let cases = [
        (Verb::Provision, INSTANCE),
        (Verb::Update, NO),
        (Verb::Deprovision, INSTANCE),
        (Verb::Bind, BINDING),
        (Verb::Unbind, BINDING),
    ];
    for (verb, wanted) in cases {
        assert_eq!(
            mitigation::decide_operation(verb, &failed),
            wanted,
            "{verb}"
        );
        assert_eq!(
            mitigation::meaning_of_operation(verb, &failed),
            Meaning::Failure,
            "{verb}"
        );
    }
    assert_eq!(mitigation::decide(Verb::PollInstance, &failed), NO);
}

#[test]
fn a_poll_goes_on_until_it_is_told() {
    let polls = [
        (
            "in progress",
            Event::Answer(200, r#"{"state":"in progress"}"#),
            Meaning::Pending,
        ),
        (
            "succeeded",
            Event::Answer(200, r#"{"state":"succeeded"}"#),
            Meaning::Success,
        ),
        ("malformed", Event::Answer(200, BAD), Meaning::Pending),
        ("other 2xx", Event::Answer(202, "{}"), Meaning::Pending),
        ("400", Event::Answer(400, "{}"), Meaning::Pending),
        ("404", Event::Answer(404, "{}"), Meaning::Pending),
        ("500", Event::Answer(500, "{}"), Meaning::Pending),
        ("timeout", Event::Timeout, Meaning::Pending),
        ("never sent", Event::NotSent, Meaning::Pending),
    ];
    for (name, event, wanted) in polls {
        for verb in VERBS {
            let poll = outcome(Verb::PollInstance, &event);
            assert_eq!(
                mitigation::meaning_of_operation(verb, &poll),
                wanted,
                "{name} of {verb}"
            );
            assert_eq!(
                mitigation::decide_operation(verb, &poll),
                NO,
                "{name} of {verb}"
            );
        }
    }
}

#[test]
fn gone_finishes_a_delete_and_nothing_else() {
    let gone = outcome(Verb::PollBinding, &Event::Answer(410, "{}"));
    for verb in VERBS {
        let deletes = matches!(verb, Verb::Deprovision | Verb::Unbind);
        let wanted = if deletes {
            Meaning::Success
        } else {
            Meaning::Pending
        };
        assert_eq!(
            mitigation::meaning_of_operation(verb, &gone),
            wanted,
            "{verb}"
        );
    }
}

#[test]
fn a_failure_of_the_platform_undoes_creates_only() {
    let wanted = [INSTANCE, NO, NO, BINDING, NO];
    for (verb, wanted) in VERBS.into_iter().zip(wanted) {
        assert_eq!(mitigation::decide_internal(verb), wanted, "{verb}");
    }
}

#[test]
fn a_broken_delete_is_only_sent_again() {
    for (verb, repeats) in VERBS.into_iter().zip([false, false, true, false, true]) {
        let broken = outcome(verb, &Event::Answer(500, "{}"));
        assert_eq!(
            mitigation::decide(verb, &broken).repeats(verb),
            repeats,
            "{verb}"
        );
    }
}
