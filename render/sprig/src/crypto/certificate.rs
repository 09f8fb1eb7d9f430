//! Certificates: self-signed, signed by another, or an authority. Each is a pair of PEM texts.

mod issue;

use std::borrow::Cow;

use qm_gotemplate::{Context, Failure, Function, Functions, Kind, Object, Signature, Type, Value};

use super::keys::{self, Key};
use super::pem;
use crate::encoding::base64;
use crate::outside::Outside;
use crate::strval::sprint;
use issue::{Issuer, Order};

/// A certificate and its private key.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Certificate {
    cert: String,
    key: String,
}

impl Certificate {
    fn go_type() -> Type {
        Type::named("sprig.certificate", Kind::Struct)
    }
}

impl Object for Certificate {
    fn type_name(&self) -> Cow<'_, str> {
        "sprig.certificate".into()
    }

    fn field(&self, name: &str) -> Option<Value> {
        match name {
            "Cert" => Some(self.cert.as_str().into()),
            "Key" => Some(self.key.as_str().into()),
            _ => None,
        }
    }

    fn fields(&self) -> Vec<(Cow<'_, str>, Value)> {
        vec![
            ("Cert".into(), self.cert.as_str().into()),
            ("Key".into(), self.key.as_str().into()),
        ]
    }

    fn method(&self, _name: &str) -> Option<Function> {
        None
    }

    fn equals(&self, other: &dyn Object) -> Option<bool> {
        Some(other.downcast_ref::<Self>() == Some(self))
    }
}

pub(super) fn add(to: &mut Functions, outside: &Outside) {
    let (text, list) = (|| Type::String, Type::list);
    let made = |signature: Signature| signature.returns(Certificate::go_type()).fails();
    let own = outside.clone();
    let signature = Signature::new([text(), Type::Int]);
    to.add("genCA", made(signature), move |context, args| {
        let key = Key::for_certificate(context)?;
        let order = Order::new(&own, &args.text(0), args.int(1))?.authority();
        issued(&order, &key, None)
    });
    let own = outside.clone();
    let signature = Signature::new([text(), Type::Int, text()]);
    to.add("genCAWithKey", made(signature), move |_, args| {
        let key = given(&args.text(2))?;
        let order = Order::new(&own, &args.text(0), args.int(1))?.authority();
        issued(&order, &key, None)
    });
    let own = outside.clone();
    let signature = Signature::new([text(), list(), list(), Type::Int]);
    to.add(
        "genSelfSignedCert",
        made(signature),
        move |context, args| {
            let key = Key::for_certificate(context)?;
            let order = named(context, &own, &args)?;
            issued(&order, &key, None)
        },
    );
    let own = outside.clone();
    let signature = Signature::new([text(), list(), list(), Type::Int, text()]);
    to.add(
        "genSelfSignedCertWithKey",
        made(signature),
        move |context, args| {
            let key = given(&args.text(4))?;
            let order = named(context, &own, &args)?;
            issued(&order, &key, None)
        },
    );
    let ca = Certificate::go_type;
    let own = outside.clone();
    let signature = Signature::new([text(), list(), list(), Type::Int, ca()]);
    to.add("genSignedCert", made(signature), move |context, args| {
        let key = Key::for_certificate(context)?;
        let issuer = signer(args.get(4))?;
        let order = named(context, &own, &args)?;
        issued(&order, &key, Some(&issuer))
    });
    let own = outside.clone();
    let signature = Signature::new([text(), list(), list(), Type::Int, ca(), text()]);
    to.add(
        "genSignedCertWithKey",
        made(signature),
        move |context, args| {
            let key = given(&args.text(5))?;
            let issuer = signer(args.get(4))?;
            let order = named(context, &own, &args)?;
            issued(&order, &key, Some(&issuer))
        },
    );
    let signature = Signature::new([text(), text()]);
    to.add("buildCustomCert", made(signature), |_, args| {
        custom(args.str(0).as_bytes(), args.str(1).as_bytes())
    });
}

/// The key of the forms that are given one.
fn given(text: &str) -> Result<Key, Failure> {
    keys::parse(text).map_err(|error| Failure::new(format!("parsing private key: {error}")))
}

/// What is ordered by a name, addresses, further names and days.
fn named(
    context: &Context<'_>,
    outside: &Outside,
    args: &qm_gotemplate::Args<'_>,
) -> Result<Order, Failure> {
    let mut addresses = Vec::new();
    for value in &args.list(1) {
        let Some(text) = value.as_string() else {
            let shown = sprint(context, value)?;
            return Err(format!("error parsing ip: {shown} is not a string").into());
        };
        let text = text.to_text();
        let address = text
            .parse()
            .map_err(|_| format!("error parsing ip: {text}"))?;
        addresses.push(address);
    }
    let mut names = Vec::new();
    for value in &args.list(2) {
        let Some(text) = value.as_string() else {
            let shown = sprint(context, value)?;
            return Err(
                format!("error processing alternate dns name: {shown} is not a string").into(),
            );
        };
        names.push(text.to_string());
    }
    let order = Order::new(outside, &args.text(0), args.int(3))?;
    Ok(order.alternatives(names, addresses))
}

fn issued(order: &Order, key: &Key, issuer: Option<&Issuer>) -> Result<Value, Failure> {
    let bytes = order
        .issue(key, issuer)
        .map_err(|error| Failure::new(format!("error creating certificate: {error}")))?;
    let key = key
        .pem()
        .map_err(|_| Failure::new("error pem-encoding key"))?;
    Ok(Value::object(Certificate {
        cert: pem::encode("CERTIFICATE", &bytes),
        key,
    }))
}

/// The authority that signs.
fn signer(value: &Value) -> Result<Issuer, Failure> {
    let certificate = match value {
        Value::Object(object) => object.downcast_ref::<Certificate>(),
        _ => None,
    };
    let Some(Certificate { cert, key }) = certificate else {
        return Err("unable to decode certificate".into());
    };
    let Some(block) = pem::decode(cert) else {
        return Err("unable to decode certificate".into());
    };
    let Some(known) = issue::look_into(&block.bytes) else {
        return Err(
            "error parsing certificate: decodedSignerCert.Bytes: x509: malformed certificate"
                .into(),
        );
    };
    let key = keys::parse(key)
        .map_err(|error| Failure::new(format!("error parsing private key: {error}")))?;
    Ok(Issuer { known, key })
}

fn custom(cert: &[u8], key: &[u8]) -> Result<Value, Failure> {
    let cert = base64::decoded(cert).map_err(|_| "unable to decode base64 certificate")?;
    let key = base64::decoded(key).map_err(|_| "unable to decode base64 private key")?;
    let (cert, key) = (
        String::from_utf8_lossy(&cert).into_owned(),
        String::from_utf8_lossy(&key).into_owned(),
    );
    let Some(block) = pem::decode(&cert) else {
        return Err("unable to decode certificate".into());
    };
    if issue::look_into(&block.bytes).is_none() {
        return Err(
            "error parsing certificate: decodedCert.Bytes: x509: malformed certificate".into(),
        );
    }
    keys::parse(&key).map_err(|error| format!("error parsing private key: {error}"))?;
    Ok(Value::object(Certificate { cert, key }))
}
