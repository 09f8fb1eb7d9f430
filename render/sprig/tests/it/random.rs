//! What chance decides: lengths, letters, forms.

use crate::data::render;

type Allowed = fn(char) -> bool;

fn drawn(template: &str) -> String {
    render(template).unwrap()
}

#[test]
fn random_texts_have_their_length_and_letters() {
    let cases: [(&str, Allowed); 4] = [
        ("randAlpha", |c| c.is_ascii_alphabetic()),
        ("randNumeric", |c| c.is_ascii_digit()),
        ("randAlphaNum", |c| c.is_ascii_alphanumeric()),
        ("randAscii", |c| (' '..='~').contains(&c)),
    ];
    for (name, allowed) in cases {
        let text = drawn(&format!("{{{{{name} 500}}}}"));
        assert_eq!(text.len(), 500, "{name}");
        assert!(text.chars().all(allowed), "{name}: {text}");
        let different: std::collections::BTreeSet<char> = text.chars().collect();
        assert!(different.len() > 9, "{name}: {text}");
        assert_eq!(drawn(&format!("{{{{{name} 0}}}}{{{{{name} -3}}}}")), "");
    }
}

#[test]
fn random_bytes_are_base64() {
    assert_eq!(drawn("{{randBytes 32 | b64dec | len}}"), "32");
    assert_eq!(drawn("{{randBytes 0}}"), "");
    let error = render("{{randBytes -1}}").unwrap_err();
    assert!(
        error.ends_with("runtime error: makeslice: len out of range"),
        "{error}"
    );
}

#[test]
fn random_integers_are_inside_their_bounds() {
    let text = drawn("{{range until 200}}{{randInt -2 3}} {{end}}");
    let numbers: std::collections::BTreeSet<i64> = text
        .split_whitespace()
        .map(|n| n.parse().unwrap())
        .collect();
    assert_eq!(numbers.into_iter().collect::<Vec<_>>(), [-2, -1, 0, 1, 2]);
    let error = render("{{randInt 3 3}}").unwrap_err();
    assert!(
        error.ends_with("error calling randInt: invalid argument to Intn"),
        "{error}"
    );
}

#[test]
fn shuffling_keeps_all_letters() {
    let text = drawn(r#"{{shuffle "añbcdefghij"}}"#);
    let mut letters: Vec<char> = text.chars().collect();
    letters.sort_unstable();
    assert_eq!(letters.into_iter().collect::<String>(), "abcdefghijñ");
    assert_ne!(text, "añbcdefghij");
}

#[test]
fn uuids_are_of_version_four() {
    let text = drawn("{{uuidv4}}");
    let pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$";
    assert_eq!(
        drawn(&format!("{{{{regexMatch {pattern:?} {text:?}}}}}")),
        "true"
    );
    assert_eq!(drawn("{{eq uuidv4 uuidv4}}"), "false");
}

#[test]
fn bcrypt_hashes_are_those_of_the_password() {
    let hash = drawn(r#"{{bcrypt "secret"}}"#);
    assert!(hash.starts_with("$2a$10$"), "{hash}");
    assert!(bcrypt::verify("secret", &hash).unwrap());
    assert!(!bcrypt::verify("Secret", &hash).unwrap());
    let line = drawn(r#"{{htpasswd "me" "secret"}}"#);
    let (user, hash) = line.split_once(':').unwrap();
    assert_eq!(user, "me");
    assert!(bcrypt::verify("secret", hash).unwrap());
    let long = "x".repeat(73);
    let told = "failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes";
    assert_eq!(drawn(&format!("{{{{bcrypt {long:?}}}}}")), told);
}

#[test]
fn aes_gives_back_what_it_was_given() {
    for text in [
        "a",
        "exactly sixteen!",
        "more than sixteen bytes, with ümlauts",
    ] {
        let template = format!("{{{{encryptAES \"key\" {text:?} | decryptAES \"key\"}}}}");
        assert_eq!(drawn(&template), text);
    }
    assert_eq!(
        drawn(r#"{{encryptAES "key" ""}}{{decryptAES "key" ""}}"#),
        ""
    );
}
