//! Keys and certificates are what they should be, by another library's reading.

use num_bigint::BigUint;
use x509_parser::pem::Pem;
use x509_parser::prelude::{FromDer, GeneralName, X509Certificate};

use crate::data::render;

fn blocks(text: &str) -> Vec<Pem> {
    Pem::iter_from_buffer(text.as_bytes())
        .map(Result::unwrap)
        .collect()
}

#[test]
fn an_authority_signs_a_certificate() {
    let text = render(
        r#"{{$ca := genCA "my ca" 365}}{{$c := genSignedCert "me.example" (list "10.0.0.1" "::1") (list "a.example" "b.example") 10 $ca}}{{$ca.Cert}}{{$c.Cert}}{{$c.Key}}"#,
    )
    .unwrap();
    let blocks = blocks(&text);
    assert_eq!(blocks[2].label, "RSA PRIVATE KEY");
    let (_, ca) = X509Certificate::from_der(&blocks[0].contents).unwrap();
    let (_, cert) = X509Certificate::from_der(&blocks[1].contents).unwrap();
    assert!(ca.is_ca() && !cert.is_ca());
    assert_eq!(ca.subject().to_string(), "CN=my ca");
    assert_eq!(cert.subject().to_string(), "CN=me.example");
    assert_eq!(cert.issuer(), ca.subject());
    let validity = cert.validity();
    assert_eq!(validity.not_before.timestamp(), 1_600_000_000);
    assert_eq!(validity.not_after.timestamp(), 1_600_000_000 + 10 * 86_400);
    let names = cert.subject_alternative_name().unwrap().unwrap();
    let names = &names.value.general_names;
    assert_eq!(names[0], GeneralName::DNSName("a.example"));
    assert_eq!(names[2], GeneralName::IPAddress(&[10, 0, 0, 1]));
    assert_eq!(names.len(), 4);
    let usage = cert.key_usage().unwrap().unwrap().value;
    assert!(usage.digital_signature() && usage.key_encipherment() && !usage.key_cert_sign());
    assert!(ca.key_usage().unwrap().unwrap().value.key_cert_sign());
    let purposes = cert.extended_key_usage().unwrap().unwrap().value;
    assert!(purposes.server_auth && purposes.client_auth);
    for (signed, by) in [(&cert, &ca), (&ca, &ca)] {
        verify(signed, by);
    }
}

/// Holds the signature against the public key.
fn verify(signed: &X509Certificate<'_>, by: &X509Certificate<'_>) {
    use aws_lc_rs::signature::{RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey};
    let key = by.public_key().subject_public_key.data.to_vec();
    UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, key)
        .verify(
            signed.tbs_certificate.as_ref(),
            &signed.signature_value.data,
        )
        .unwrap();
}

#[test]
fn each_sort_of_key_makes_a_certificate() {
    for sort in ["ecdsa", "ed25519"] {
        let text = render(&format!(
            r#"{{{{$k := genPrivateKey "{sort}"}}}}{{{{$c := genSelfSignedCertWithKey "x" nil (list "x.example") 1 $k}}}}{{{{$ca := genCAWithKey "ca" 1 $k}}}}{{{{$s := genSignedCertWithKey "y" nil nil 1 $ca $k}}}}{{{{eq $c.Key $k}}}}
{{{{$c.Cert}}}}{{{{$s.Cert}}}}"#
        ))
        .unwrap();
        assert!(text.starts_with("true\n"), "{sort}: {text}");
        let blocks = blocks(&text);
        assert_eq!(blocks.len(), 2);
        for block in &blocks {
            X509Certificate::from_der(&block.contents).unwrap();
        }
    }
}

#[test]
fn keys_are_labelled_by_their_sort() {
    let cases = [("ecdsa", "EC PRIVATE KEY"), ("ed25519", "PRIVATE KEY")];
    for (sort, label) in cases {
        let text = render(&format!("{{{{genPrivateKey {sort:?}}}}}")).unwrap();
        assert_eq!(blocks(&text)[0].label, label);
    }
    let text = render(r#"{{genPrivateKey "x"}}"#).unwrap();
    assert_eq!(text, "Unknown type x");
}

#[test]
fn a_custom_certificate_is_checked() {
    let text = render(
        r#"{{$k := genPrivateKey "ecdsa"}}{{$c := genCAWithKey "ca" 1 $k}}{{$b := buildCustomCert (b64enc $c.Cert) (b64enc $c.Key)}}{{eq $b.Cert $c.Cert}} {{eq $b.Key $c.Key}} {{typeOf $b}}"#,
    );
    assert_eq!(text.unwrap(), "true true sprig.certificate");
    let error = render(r#"{{buildCustomCert (b64enc "x") (b64enc "y")}}"#).unwrap_err();
    assert!(
        error.ends_with("error calling buildCustomCert: unable to decode certificate"),
        "{error}"
    );
}

#[test]
fn a_wrong_authority_is_refused() {
    let error = render(
        r#"{{$a := genCAWithKey "a" 1 (genPrivateKey "ecdsa")}}{{$b := genCAWithKey "b" 1 (genPrivateKey "ecdsa")}}{{$c := buildCustomCert (b64enc $a.Cert) (b64enc $b.Key)}}{{genSignedCertWithKey "x" nil nil 1 $c $a.Key}}"#,
    )
    .unwrap_err();
    let told =
        "error creating certificate: x509: provided PrivateKey doesn't match parent's PublicKey";
    assert!(error.ends_with(told), "{error}");
}

#[test]
fn a_dsa_key_is_made_but_signs_nothing() {
    let text = render(r#"{{genPrivateKey "dsa"}}"#).unwrap();
    let blocks = blocks(&text);
    assert_eq!(blocks[0].label, "DSA PRIVATE KEY");
    let numbers = integers(&blocks[0].contents);
    let [version, p, q, generator, public, secret] = &numbers[..] else {
        panic!("{} numbers", numbers.len());
    };
    assert_eq!(*version, BigUint::ZERO);
    assert_eq!((p.bits(), q.bits()), (2048, 256));
    assert_eq!((p - 1_u32) % q, BigUint::ZERO);
    assert_eq!(generator.modpow(q, p), BigUint::from(1_u32));
    assert_eq!(generator.modpow(secret, p), *public);
    let template = format!("{{{{genCAWithKey \"x\" 1 {text:?}}}}}");
    let error = render(&template).unwrap_err();
    let told = "x509: certificate private key does not implement crypto.Signer";
    assert!(error.ends_with(told), "{error}");
}

/// The numbers of a sequence of numbers.
fn integers(bytes: &[u8]) -> Vec<BigUint> {
    use x509_parser::asn1_rs::{FromDer as _, Integer, Sequence};
    let (_, sequence) = Sequence::from_der(bytes).unwrap();
    let mut rest: &[u8] = &sequence.content;
    let mut numbers = Vec::new();
    while !rest.is_empty() {
        let (behind, number) = Integer::from_der(rest).unwrap();
        numbers.push(BigUint::from_bytes_be(number.as_ref()));
        rest = behind;
    }
    numbers
}
