//! What one side writes the other side reads as the same value: any call, any answer.

use crate::any;
use proptest::prelude::*;
use quartermaster_osb::{
    Answer, ApiVersion, Catalog, Envelope, Level, Outcome, Route, State, Verb, catalog, decode,
};

/// The verb that an answer belongs to.
fn verb(answer: &Answer) -> Verb {
    match answer {
        Answer::Catalog { .. } | Answer::NotModified { .. } => Verb::Catalog,
        Answer::Provisioned { .. } => Verb::Provision,
        Answer::Instance(_) => Verb::FetchInstance,
        Answer::Updated(_) => Verb::Update,
        Answer::Bound { .. } => Verb::Bind,
        Answer::Binding(_) => Verb::FetchBinding,
        Answer::Deleted => Verb::Deprovision,
        Answer::Accepted(_) => Verb::Unbind,
        Answer::LastOperation { .. } => Verb::PollBinding,
        Answer::Error { .. } => Verb::Update,
    }
}

/// What a platform is to make of it.
fn outcome(answer: Answer) -> Outcome {
    match answer {
        Answer::LastOperation { body, .. } if body.state == State::Failed => {
            Outcome::OperationFailed(body)
        }
        Answer::Error { status, body } if status.is_client_error() => {
            Outcome::Refused { status, body }
        }
        Answer::Error { status, body } => Outcome::Broken { status, body },
        answer => Outcome::Success(answer),
    }
}

proptest! {
    #[test]
    fn any_call(call in any::call()) {
        let request = call.request("https://h/some/prefix/", &Envelope::default()).unwrap();
        let (parts, body) = request.into_parts();
        let path = parts.uri.path().strip_prefix("/some/prefix").unwrap();
        let route = Route::of(&parts.method, path).unwrap();
        prop_assert_eq!(route.verb, call.verb());
        let again = decode(route, parts.uri.query(), &parts.headers, &body).unwrap();
        prop_assert_eq!(again, call);
    }

    #[test]
    fn any_answer(answer in any::answer()) {
        let found = Outcome::parse(verb(&answer), &answer.response());
        prop_assert_eq!(found, outcome(answer));
    }

    #[test]
    fn an_older_answer_is_still_an_answer(answer in any::answer(), minor in 0_u16..30) {
        let verb = verb(&answer);
        let version = ApiVersion::new(2, minor);
        let gated = answer.clone().for_version(version);
        prop_assert_eq!(gated.status(), answer.status());
        prop_assert_eq!(gated.clone().for_version(version), gated.clone());
        if minor >= 17 {
            prop_assert_eq!(&gated, &answer);
        }
        prop_assert_eq!(Outcome::parse(verb, &gated.response()), outcome(gated));
    }

    #[test]
    fn a_catalog_without_a_must_decodes(catalog in any::catalog()) {
        let value = serde_json::to_value(&*catalog).unwrap();
        let problems = catalog::problems_of(&value);
        if problems.iter().all(|problem| problem.level == Level::Should) {
            let again: Catalog = serde_json::from_value(value).unwrap();
            prop_assert_eq!(&again, &*catalog);
        }
        prop_assert_eq!(problems, catalog.problems());
    }
}
