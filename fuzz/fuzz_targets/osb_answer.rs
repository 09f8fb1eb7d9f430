//! Any response. Nothing panics, and an answer that was read is written and read again to the same value.

#![no_main]

use arbitrary::Arbitrary;
use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use libfuzzer_sys::fuzz_target;
use quartermaster_osb::{ApiVersion, Outcome, Verb, mitigation};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    verb: u8,
    status: Status,
    minor: u16,
    headers: [Option<&'a [u8]>; 2],
    body: &'a [u8],
}

#[derive(Arbitrary, Debug)]
enum Status {
    Ok,
    Created,
    Accepted,
    NotModified,
    Other(u16),
}

fuzz_target!(|input: Input<'_>| {
    let verb = Verb::ALL[usize::from(input.verb) % Verb::ALL.len()];
    let status = match input.status {
        Status::Ok => StatusCode::OK,
        Status::Created => StatusCode::CREATED,
        Status::Accepted => StatusCode::ACCEPTED,
        Status::NotModified => StatusCode::NOT_MODIFIED,
        Status::Other(code) => match StatusCode::from_u16(code % 1000) {
            Ok(status) => status,
            Err(_) => return,
        },
    };
    let mut response = Response::new(Bytes::copy_from_slice(input.body));
    *response.status_mut() = status;
    for (name, value) in [header::ETAG, header::RETRY_AFTER]
        .into_iter()
        .zip(input.headers)
    {
        if let Some(value) = value.and_then(|value| HeaderValue::from_bytes(value).ok()) {
            response.headers_mut().insert(name, value);
        }
    }
    let outcome = Outcome::parse(verb, &response);
    for began in Verb::ALL {
        mitigation::decide(began, &outcome);
        mitigation::decide_operation(began, &outcome);
        mitigation::meaning(began, &outcome);
        mitigation::meaning_of_operation(began, &outcome);
    }
    if let Outcome::Success(answer) = outcome {
        let again = Outcome::parse(verb, &answer.response());
        assert_eq!(again, Outcome::Success(answer.clone()));
        let older = answer.for_version(ApiVersion::new(2, input.minor));
        let again = Outcome::parse(verb, &older.response());
        assert_eq!(again, Outcome::Success(older));
    }
});
