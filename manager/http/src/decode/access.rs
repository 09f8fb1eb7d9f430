//! How to log in at a broker: at most one way for the `Authorization` header, at most one certificate.
//! Whether what is given is sound, the deed decides.

use crate::Failure;
use qm_manager_api::{
    BasicCredentials, BearerCredentials, BrokerCredentials, OAuth2Credentials, Secret,
    TlsCredentials,
};
use qm_model::broker::{Access, Auth, Tls};

/// The model's form of a broker's credentials.
pub(crate) fn access(credentials: BrokerCredentials) -> Result<Access, Failure> {
    let BrokerCredentials {
        basic,
        tls,
        bearer,
        token,
        oauth2,
    } = credentials;
    let ways = [
        basic.and_then(of_basic),
        bearer.map(|BearerCredentials { token }| Auth::Bearer { token }),
        token.map(|token| Auth::Bearer { token }),
        oauth2.map(of_oauth2),
    ];
    let mut ways = ways.into_iter().flatten();
    let auth = ways.next().unwrap_or(Auth::None);
    if ways.next().is_some() {
        return Err(Failure::bad_request(
            "credentials: only one of basic, bearer, token and oauth2 can be used",
        ));
    }
    let tls = tls.map_or(Ok(Tls::None), of_tls)?;
    Ok(Access { auth, tls })
}

/// A pair of two empty texts is how some clients leave it out.
fn of_basic(basic: BasicCredentials) -> Option<Auth> {
    let BasicCredentials { username, password } = basic;
    let empty = username.is_empty() && password.expose().is_empty();
    (!empty).then_some(Auth::Basic { username, password })
}

fn of_oauth2(oauth2: OAuth2Credentials) -> Auth {
    let OAuth2Credentials {
        token_url,
        client_id,
        client_secret,
        scope,
    } = oauth2;
    Auth::OAuth2 {
        token_url,
        client_id,
        client_secret,
        scope: scope.unwrap_or_default(),
    }
}

fn of_tls(tls: TlsCredentials) -> Result<Tls, Failure> {
    let TlsCredentials {
        client_certificate,
        client_key,
        sm_provided_tls_credentials,
    } = tls;
    let certificate = client_certificate.filter(|pem| !pem.is_empty());
    let key = client_key.filter(|pem: &Secret<String>| !pem.expose().is_empty());
    match (certificate, key, sm_provided_tls_credentials) {
        (None, None, false) => Ok(Tls::None),
        (None, None, true) => Ok(Tls::Managers),
        (Some(certificate), Some(key), false) => Ok(Tls::Own { certificate, key }),
        (_, _, true) => Err(Failure::bad_request(
            "credentials.tls: a certificate and sm_provided_tls_credentials exclude each other",
        )),
        (_, _, false) => Err(Failure::bad_request(
            "credentials.tls: client_certificate and client_key are both needed",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, from_value, json};

    fn read(credentials: Value) -> Result<Access, String> {
        let shape = from_value(credentials).unwrap();
        access(shape).map_err(|failure| failure.description)
    }

    #[test]
    fn each_way_is_read() {
        let basic = read(json!({"basic": {"username": "u", "password": "p"}})).unwrap();
        assert!(matches!(basic.auth, Auth::Basic { .. }));
        for token in [json!({"token": "t"}), json!({"bearer": {"token": "t"}})] {
            assert!(matches!(read(token).unwrap().auth, Auth::Bearer { .. }));
        }
        let tls = json!({"client_certificate": "c", "client_key": "k"});
        let both = read(json!({"basic": {"username": "u", "password": "p"}, "tls": tls})).unwrap();
        assert!(matches!(
            (both.auth, both.tls),
            (Auth::Basic { .. }, Tls::Own { .. })
        ));
        let managers = read(json!({"tls": {"sm_provided_tls_credentials": true}})).unwrap();
        assert_eq!((managers.auth, managers.tls), (Auth::None, Tls::Managers));
    }

    #[test]
    fn empty_parts_are_left_out() {
        let empty = json!({"basic": {"username": "", "password": ""}, "tls": {}});
        let access = read(empty).unwrap();
        assert_eq!((access.auth, access.tls), (Auth::None, Tls::None));
    }

    #[test]
    fn two_ways_exclude_each_other() {
        let two = json!({"token": "hunter2", "basic": {"username": "u", "password": "hunter2"}});
        assert!(!read(two).unwrap_err().contains("hunter2"));
        let certificates = json!({"client_certificate": "c", "client_key": "k", "sm_provided_tls_credentials": true});
        assert!(read(json!({"tls": certificates})).is_err());
        assert!(read(json!({"tls": {"client_key": "k"}})).is_err());
    }
}
