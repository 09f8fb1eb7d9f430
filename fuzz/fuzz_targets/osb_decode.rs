//! Any request. Nothing panics, and a call that was decoded is built and decoded again to the same value.

#![no_main]

use arbitrary::Arbitrary;
use http::{HeaderMap, HeaderValue, Method, header};
use libfuzzer_sys::fuzz_target;
use quartermaster_osb::{BuildError, Call, Envelope, Route, decode, header as osb};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    method: u8,
    path: Path<'a>,
    query: Option<&'a str>,
    headers: [Option<&'a [u8]>; 4],
    body: &'a [u8],
}

/// Free paths hardly ever hit an endpoint, so most are made from the segments that matter.
#[derive(Arbitrary, Debug)]
enum Path<'a> {
    Free(&'a str),
    Catalog,
    Instance(&'a str),
    PollInstance(&'a str),
    Binding(&'a str, &'a str),
    PollBinding(&'a str, &'a str),
}

impl Path<'_> {
    fn text(&self) -> String {
        match self {
            Self::Free(path) => (*path).to_owned(),
            Self::Catalog => "/v2/catalog".to_owned(),
            Self::Instance(i) => format!("/v2/service_instances/{i}"),
            Self::PollInstance(i) => format!("/v2/service_instances/{i}/last_operation"),
            Self::Binding(i, b) => format!("/v2/service_instances/{i}/service_bindings/{b}"),
            Self::PollBinding(i, b) => {
                format!("/v2/service_instances/{i}/service_bindings/{b}/last_operation")
            }
        }
    }
}

fuzz_target!(|input: Input<'_>| {
    let methods = [
        Method::GET,
        Method::PUT,
        Method::PATCH,
        Method::DELETE,
        Method::POST,
    ];
    let method = &methods[usize::from(input.method) % methods.len()];
    let names = [
        header::CONTENT_TYPE,
        header::IF_NONE_MATCH,
        osb::API_VERSION,
        osb::ORIGINATING_IDENTITY,
    ];
    let mut headers = HeaderMap::new();
    for (name, value) in names.into_iter().zip(input.headers) {
        if let Some(value) = value.and_then(|value| HeaderValue::from_bytes(value).ok()) {
            headers.insert(name, value);
        }
    }
    if let Ok(Some(version)) = osb::api_version(&headers) {
        assert_eq!(version.to_string().parse(), Ok(version));
    }
    if let Ok(Some(identity)) = osb::originating_identity(&headers) {
        assert_eq!(identity.to_string().parse(), Ok(identity));
    }
    let route = match Route::of(method, &input.path.text()) {
        Ok(route) => route,
        Err(error) => return drop(error.message()),
    };
    let call = match decode(route, input.query, &headers, input.body) {
        Ok(call) => call,
        Err(bad) => {
            assert!(!bad.message().is_empty());
            return;
        }
    };
    let request = match call.request("http://h/p", &Envelope::default()) {
        Ok(request) => request,
        // Ids that were short as text may be too long for a URL once encoded.
        Err(BuildError::Uri(_)) => return,
        Err(other) => panic!("{other:?}"),
    };
    assert_eq!(again(&request), call);
});

fn again(request: &http::Request<bytes::Bytes>) -> Call {
    let uri = request.uri();
    let path = uri.path().strip_prefix("/p").expect("the prefix is kept");
    let route = Route::of(request.method(), path).expect("what was built is routed");
    decode(route, uri.query(), request.headers(), request.body())
        .expect("what was built is decoded")
}
