//! What a TLS failure means and what to do about it.
//!
//! `exchange` puts it into its message. The rule: the side that must act is named.

use qm_model::Time;
use rustls::{AlertDescription, CertificateError, Error};
use rustls_pki_types::UnixTime;

/// How many names of a certificate are told.
const NAMES: usize = 5;

/// Reads after `no TLS connection to ...: `.
pub(crate) fn explain(error: &Error) -> String {
    match error {
        Error::InvalidCertificate(why) => certificate(why),
        Error::AlertReceived(alert) => alerted(*alert),
        Error::InvalidMessage(_) | Error::InappropriateMessage { .. } => {
            "what answers there does not speak TLS; if it speaks plain HTTP its URL begins with \
             http://"
                .to_owned()
        }
        Error::PeerIncompatible(_) => {
            "it speaks no version of TLS or no cipher that we do; TLS 1.2 or 1.3 is needed"
                .to_owned()
        }
        Error::NoCertificatesPresented => "it shows no certificate".to_owned(),
        _ => "the handshake failed; the log has the cause".to_owned(),
    }
}

/// We do not take its certificate.
fn certificate(why: &CertificateError) -> String {
    match why {
        CertificateError::UnknownIssuer => {
            "its certificate is signed by an authority that is not trusted here (unknown CA); add \
             the authority's certificate to the manager's extra root certificates"
                .to_owned()
        }
        CertificateError::Expired => {
            "its certificate has expired; it must be renewed, or this machine's clock set"
                .to_owned()
        }
        CertificateError::ExpiredContext { not_after, .. } => format!(
            "its certificate has expired on {}; it must be renewed, or this machine's clock set",
            date(*not_after)
        ),
        CertificateError::NotValidYet => {
            "its certificate is not valid yet; check the clocks of both machines".to_owned()
        }
        CertificateError::NotValidYetContext { not_before, .. } => format!(
            "its certificate is not valid before {}; check the clocks of both machines",
            date(*not_before)
        ),
        CertificateError::NotValidForName => {
            "its certificate is for another name than that in the URL (name mismatch); use the \
             certificate's name in the URL, or have it made for this one"
                .to_owned()
        }
        CertificateError::NotValidForNameContext {
            expected,
            presented,
        } => format!(
            "its certificate is for {} and not for {} (name mismatch); use the certificate's name \
             in the URL, or have it made for this one",
            names(presented),
            expected.to_str()
        ),
        CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => {
            "its certificate is not made for a server; it must allow server authentication"
                .to_owned()
        }
        // The library's own words about a certificate; there is no secret in one.
        other => format!("its certificate is not accepted: {other}"),
    }
}

/// It does not take ours.
fn alerted(alert: AlertDescription) -> String {
    match alert {
        AlertDescription::CertificateRequired | AlertDescription::NoCertificate => {
            "it demands a client certificate; a broker is registered with one in credentials.tls"
                .to_owned()
        }
        AlertDescription::BadCertificate
        | AlertDescription::UnsupportedCertificate
        | AlertDescription::CertificateRevoked
        | AlertDescription::CertificateExpired
        | AlertDescription::CertificateUnknown
        | AlertDescription::UnknownCA
        | AlertDescription::AccessDenied
        | AlertDescription::DecryptError => format!(
            "it does not accept the client certificate it is shown ({alert:?}); register the \
             broker with another, or let the broker trust this one"
        ),
        AlertDescription::HandshakeFailure => {
            "it refused the handshake; it may demand a client certificate, or speak none of our \
             ciphers"
                .to_owned()
        }
        AlertDescription::ProtocolVersion => {
            "it speaks no version of TLS that we do; TLS 1.2 or 1.3 is needed".to_owned()
        }
        AlertDescription::UnrecognisedName => {
            "it does not know the name in the URL; use the one it serves".to_owned()
        }
        other => format!("it refused the handshake ({other:?})"),
    }
}

fn date(moment: UnixTime) -> Time {
    let seconds = i64::try_from(moment.as_secs()).unwrap_or(i64::MAX);
    Time(seconds.saturating_mul(1000))
}

/// The library writes `DnsName("a.example")`.
fn names(presented: &[String]) -> String {
    let bare = |name: &String| {
        let name = name.split_once('(').map_or(name.as_str(), |(_, name)| name);
        name.trim_end_matches(')').trim_matches('"').to_owned()
    };
    let mut told: Vec<_> = presented.iter().take(NAMES).map(bare).collect();
    if presented.len() > NAMES {
        told.push("others".to_owned());
    }
    match told.is_empty() {
        true => "no name at all".to_owned(),
        false => told.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustls_pki_types::ServerName;
    use std::time::Duration;

    #[test]
    fn every_common_failure_has_a_remedy() {
        let at = |secs| UnixTime::since_unix_epoch(Duration::from_secs(secs));
        let name = |presented: &[&str]| CertificateError::NotValidForNameContext {
            expected: ServerName::try_from("b.example").unwrap(),
            presented: presented.iter().map(|name| (*name).to_owned()).collect(),
        };
        let certificates = [
            (CertificateError::UnknownIssuer, "extra root certificates"),
            (CertificateError::Expired, "expired"),
            (
                CertificateError::ExpiredContext {
                    time: at(9),
                    not_after: at(0),
                },
                "expired on 1970-01-01T00:00:00Z",
            ),
            (
                CertificateError::NotValidYetContext {
                    time: at(0),
                    not_before: at(9),
                },
                "clocks",
            ),
            (
                name(&["DnsName(\"a.example\")", "IpAddress(10.0.0.1)"]),
                "for a.example, 10.0.0.1 and not for b.example",
            ),
            (name(&[]), "no name at all"),
            (CertificateError::InvalidPurpose, "server authentication"),
            (CertificateError::BadSignature, "not accepted"),
        ];
        for (why, wanted) in certificates {
            let text = explain(&Error::InvalidCertificate(why));
            assert!(text.contains(wanted), "{text}");
        }
        let alerts = [
            (
                AlertDescription::CertificateRequired,
                "demands a client certificate",
            ),
            (
                AlertDescription::UnknownCA,
                "does not accept the client certificate",
            ),
            (AlertDescription::HandshakeFailure, "client certificate"),
            (AlertDescription::ProtocolVersion, "TLS 1.2 or 1.3"),
            (AlertDescription::InternalError, "refused"),
        ];
        for (alert, wanted) in alerts {
            let text = explain(&Error::AlertReceived(alert));
            assert!(text.contains(wanted), "{text}");
        }
    }
}
