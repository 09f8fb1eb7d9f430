//! Every scheme against right, wrong, malformed and missing credentials.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::request::Parts;
use quartermaster_sdk::auth::{
    AnyOf, Authenticator, Basic, Bearer, Caller, Denied, MutualTls, Open, PeerIdentity,
};

/// A request head with these `Authorization` values.
fn head(values: &[&[u8]]) -> Parts {
    let mut request = http::Request::new(());
    for value in values {
        let value = http::HeaderValue::from_bytes(value).unwrap();
        request.headers_mut().append("authorization", value);
    }
    request.into_parts().0
}

fn with(value: &str) -> Parts {
    head(&[value.as_bytes()])
}

fn basic(user_and_password: &str) -> Parts {
    with(&format!("Basic {}", STANDARD.encode(user_and_password)))
}

fn name(answer: Result<Caller, Denied>) -> Option<String> {
    answer.ok().map(|caller| caller.name)
}

fn challenge(denied: &Denied) -> &str {
    denied.challenge.as_ref().unwrap().to_str().unwrap()
}

fn users() -> Basic {
    Basic::new("cf", "s3cret")
        .and_user("k8s", "pa:ss:word")
        .and_user("müller", "größe")
        .and_user("cf", "next-s3cret")
        .and_user("empty", "")
}

#[test]
fn basic_lets_the_right_ones_in() {
    let right = [
        (basic("cf:s3cret"), "cf"),
        (basic("cf:next-s3cret"), "cf"),
        (basic("k8s:pa:ss:word"), "k8s"),
        (basic("müller:größe"), "müller"),
        (basic("empty:"), "empty"),
        (
            with(&format!("bAsIc {}", STANDARD.encode("cf:s3cret"))),
            "cf",
        ),
        (
            with(&format!("Basic    {}  ", STANDARD.encode("cf:s3cret"))),
            "cf",
        ),
        // Padding left out.
        (
            with(&format!(
                "Basic {}",
                STANDARD.encode("cf:s3cret").trim_end_matches('=')
            )),
            "cf",
        ),
    ];
    for (index, (request, expected)) in right.into_iter().enumerate() {
        let answer = name(users().authenticate(&request));
        assert_eq!(answer.as_deref(), Some(expected), "row {index}");
    }
}

#[test]
fn basic_refuses_everything_else_with_a_challenge() {
    let good = STANDARD.encode("cf:s3cret");
    let refused = [
        head(&[]),
        basic("cf:wrong"),
        basic("cf:S3CRET"),
        basic("CF:s3cret"),
        basic("cf:s3cret "),
        basic("cf:"),
        basic(":s3cret"),
        basic(":"),
        basic("cf"),
        basic(""),
        // The name of one user, the password of another.
        basic("k8s:s3cret"),
        // The same bytes, cut elsewhere.
        basic("cf:s3:cret"),
        with(""),
        with("Basic"),
        with("Basic "),
        with("Basic !!!not-base64!!!"),
        with("Basic AAAA===="),
        with(&format!("Bearer {good}")),
        with(&format!("Basic{good}")),
        with(&good),
        // Latin-1 instead of UTF-8, once in the header and once inside the base64.
        head(&[b"Basic \xe4\xf6\xfc"]),
        with(&format!(
            "Basic {}",
            STANDARD.encode(b"m\xfcller:gr\xf6\xdfe")
        )),
        // Two headers, one of them right: whoever reads the other one would see somebody else.
        head(&[format!("Basic {good}").as_bytes(), b"Basic AAAA"]),
        head(&[
            format!("Basic {good}").as_bytes(),
            format!("Basic {good}").as_bytes(),
        ]),
    ];
    for (index, request) in refused.iter().enumerate() {
        let denied = users()
            .authenticate(request)
            .expect_err(&format!("row {index}"));
        assert_eq!(
            challenge(&denied),
            "Basic realm=\"service broker\", charset=\"UTF-8\"",
            "row {index}"
        );
        assert!(!denied.description.is_empty(), "row {index}");
    }
}

#[test]
fn basic_does_not_say_which_half_was_wrong() {
    let unknown_user = users().authenticate(&basic("nobody:s3cret")).unwrap_err();
    let wrong_password = users().authenticate(&basic("cf:wrong")).unwrap_err();
    assert_eq!(unknown_user, wrong_password);
}

#[test]
fn bearer_knows_its_tokens() {
    let tokens = Bearer::new("ci", "abc.def").and_token("ops", "x~y+z/=");
    let cases = [
        (with("Bearer abc.def"), Some("ci")),
        (with("bearer   abc.def "), Some("ci")),
        (with("BEARER x~y+z/="), Some("ops")),
        (with("Bearer abc.de"), None),
        (with("Bearer ABC.DEF"), None),
        (with("Bearer abc.def extra"), None),
        (with("Bearer"), None),
        (with("Basic abc.def"), None),
        (with("abc.def"), None),
        (head(&[]), None),
        (head(&[b"Bearer abc.def", b"Bearer abc.def"]), None),
    ];
    for (index, (request, expected)) in cases.into_iter().enumerate() {
        let answer = name(tokens.authenticate(&request));
        assert_eq!(answer.as_deref(), expected, "row {index}");
    }
    let missing = tokens.authenticate(&head(&[])).unwrap_err();
    assert_eq!(challenge(&missing), "Bearer realm=\"service broker\"");
    let wrong = tokens.authenticate(&with("Bearer nope")).unwrap_err();
    assert_eq!(
        challenge(&wrong),
        "Bearer realm=\"service broker\", error=\"invalid_token\""
    );
}

fn peer() -> PeerIdentity {
    PeerIdentity {
        common_name: Some("cf".into()),
        subject: "CN=cf, O=Example".into(),
        sans: vec!["URI:spiffe://example/cf".into()],
        fingerprint: "00ff".into(),
    }
}

fn shown(peer: PeerIdentity) -> Parts {
    let mut request = head(&[]);
    request.extensions.insert(peer);
    request
}

#[test]
fn mutual_tls_wants_a_certificate_and_a_fitting_rule() {
    let rules: [(&str, MutualTls, bool); 9] = [
        ("no rule", MutualTls::new(), true),
        (
            "subject",
            MutualTls::new().allow_subject("CN=cf, O=Example"),
            true,
        ),
        ("name", MutualTls::new().allow_common_name("cf"), true),
        (
            "san",
            MutualTls::new().allow_san("URI:spiffe://example/cf"),
            true,
        ),
        (
            "fingerprint",
            MutualTls::new().allow_fingerprint("00:FF"),
            true,
        ),
        (
            "second",
            MutualTls::new()
                .allow_common_name("x")
                .allow_common_name("cf"),
            true,
        ),
        (
            "other",
            MutualTls::new().allow_common_name("CN=cf, O=Example"),
            false,
        ),
        ("kind", MutualTls::new().allow_san("DNS:cf"), false),
        ("part", MutualTls::new().allow_subject("CN=cf"), false),
    ];
    for (row, rule, fits) in rules {
        let answer = name(rule.authenticate(&shown(peer())));
        assert_eq!(answer.as_deref(), fits.then_some("cf"), "{row}");
        assert!(rule.authenticate(&head(&[])).is_err(), "{row}");
    }
}

#[test]
fn mutual_tls_names_the_caller_by_what_there_is() {
    let nameless = PeerIdentity {
        common_name: None,
        ..peer()
    };
    let bare = PeerIdentity {
        subject: String::new(),
        ..nameless.clone()
    };
    let mutual = MutualTls::new();
    let by_subject = name(mutual.authenticate(&shown(nameless)));
    assert_eq!(by_subject.as_deref(), Some("CN=cf, O=Example"));
    let by_san = name(mutual.authenticate(&shown(bare)));
    assert_eq!(by_san.as_deref(), Some("URI:spiffe://example/cf"));
}

#[test]
fn any_of_tries_all_and_names_all() {
    let any = AnyOf::of(users())
        .or(Bearer::new("ci", "abc"))
        .or(MutualTls::new());
    assert_eq!(
        name(any.authenticate(&basic("cf:s3cret"))).as_deref(),
        Some("cf")
    );
    assert_eq!(
        name(any.authenticate(&with("Bearer abc"))).as_deref(),
        Some("ci")
    );
    assert_eq!(
        name(any.authenticate(&shown(peer()))).as_deref(),
        Some("cf")
    );

    let denied = any.authenticate(&head(&[])).unwrap_err();
    assert_eq!(
        challenge(&denied),
        "Basic realm=\"service broker\", charset=\"UTF-8\", Bearer realm=\"service broker\""
    );
    assert!(denied.description.contains("client certificate"));
    assert!(AnyOf(Vec::new()).authenticate(&basic("cf:s3cret")).is_err());
}

#[test]
fn open_and_closures_are_authenticators() {
    let caller = Open.authenticate(&head(&[])).unwrap();
    assert_eq!(caller, Caller::new("anonymous"));

    let own = |request: &Parts| match request.headers.get("x-user") {
        Some(_) => Ok(Caller::new("somebody")),
        None => Err(Denied::new("say who you are")),
    };
    let boxed: Box<dyn Authenticator> = Box::new(own);
    let denied = boxed.authenticate(&head(&[])).unwrap_err();
    assert_eq!(denied, Denied::new("say who you are"));
    let mut request = head(&[]);
    request
        .headers
        .insert("x-user", http::HeaderValue::from_static("me"));
    assert_eq!(
        name(boxed.authenticate(&request)).as_deref(),
        Some("somebody")
    );
}

#[test]
fn nothing_prints_a_secret() {
    let tokens = Bearer::new("ci", "canary-token");
    let users = Basic::new("cf", "canary-password");
    let printed = format!("{users:?} {users:#?} {tokens:?} {tokens:#?}");
    assert!(!printed.contains("canary"), "{printed}");
    assert!(
        printed.contains("cf") && printed.contains("ci"),
        "{printed}"
    );

    for request in [basic("cf:canary-password2"), with("Bearer canary-token2")] {
        for denied in [users.authenticate(&request), tokens.authenticate(&request)] {
            let denied = format!("{:?}", denied.unwrap_err());
            assert!(!denied.contains("canary"), "{denied}");
        }
    }
}

#[test]
fn a_realm_cannot_break_out_of_its_quotes() {
    let odd = Basic::new("a", "b").realm("x\", Bearer realm=\"y\\\r\nü");
    let denied = odd.authenticate(&head(&[])).unwrap_err();
    assert_eq!(
        challenge(&denied),
        "Basic realm=\"x, Bearer realm=y\", charset=\"UTF-8\""
    );
}
