//! Why a request got no answer, in words for whoever registered the other side.
//!
//! The rule: a kind of failure that has a remedy is told apart from the others, by its type and not by its
//! text; what is left goes to the log as the cause.

use crate::dial::{Denied, DialTimeout};
use crate::{RelayError, tls};
use hyper_util::client::legacy::Error;
use std::error::Error as StdError;
use std::io::{self, ErrorKind};

/// `plain`: the request went without TLS.
pub(super) fn sending(error: Error, whom: &str, plain: bool) -> RelayError {
    let untrusted = causes(&error)
        .find_map(|cause| cause.downcast_ref::<rustls::Error>())
        .map(tls::explain);
    if let Some(why) = untrusted {
        return RelayError::Tls {
            message: format!("no TLS connection to the {whom}: {why}"),
            source: Some(error.into()),
        };
    }
    if causes(&error).any(<dyn StdError>::is::<Denied>) {
        // To which address a name leads inside is nothing for whoever registered it; the log has it.
        tracing::warn!(whom, error = %qm_model::Chain(&error), "a call to a denied network was not made");
        return RelayError::invalid(format!(
            "the {whom} is at an address that this manager is configured not to call \
             (brokers.denied_networks); register one outside of these networks"
        ));
    }
    if error.is_connect() {
        return RelayError::Unreachable {
            message: format!("could not reach the {whom}: {}", connecting(&error, plain)),
            source: Some(error.into()),
        };
    }
    let foreign = causes(&error)
        .filter_map(|cause| cause.downcast_ref::<hyper::Error>())
        .any(hyper::Error::is_parse);
    let how = match (foreign, plain) {
        (true, true) => {
            "does not answer in HTTP/1.1; if it speaks TLS its URL begins with https://"
        }
        (true, false) => "does not answer in HTTP/1.1",
        (false, true) => "closed the connection instead of answering",
        (false, false) => {
            "closed the connection instead of answering; it may want a client certificate"
        }
    };
    RelayError::Lost {
        message: format!("the {whom} {how}"),
        source: Some(error.into()),
    }
}

/// Why there is no connection.
fn connecting(error: &Error, plain: bool) -> &'static str {
    for cause in causes(error) {
        if cause.is::<DialTimeout>() && !plain {
            return "no TLS connection came about in time; check the address, that it speaks TLS, \
                    and firewalls on the way";
        }
        if cause.is::<DialTimeout>() {
            return "no connection came about in time; check the address, and firewalls on the way";
        }
        // The connector has no type for it, and this is the whole of its text.
        if cause.to_string() == "dns error" {
            return "its host name cannot be resolved; check it, and the name servers of this machine";
        }
        let Some(failure) = cause.downcast_ref::<io::Error>() else {
            continue;
        };
        match failure.kind() {
            ErrorKind::ConnectionRefused => {
                return "nothing listens there; check that it runs, and its port";
            }
            ErrorKind::TimedOut => {
                return "no connection came about in time; check the address, and firewalls on the way";
            }
            ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => {
                return "there is no route to it; check the address and the network";
            }
            ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset if !plain => {
                return "it closed the connection in the TLS handshake; check that it speaks TLS at \
                        this port";
            }
            _ => {}
        }
    }
    "the connection failed; the log has the cause"
}

/// An error and everything below it. `io::Error` passes over what it wraps in its `source`, so that is
/// asked for by itself.
fn causes<'a>(
    error: &'a (dyn StdError + 'static),
) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |&error| {
        let wrapped = error
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref);
        match wrapped {
            Some(wrapped) => Some(wrapped as &(dyn StdError + 'static)),
            None => error.source(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_passed_over() {
        let inner = rustls::Error::HandshakeNotComplete;
        let error = io::Error::other(io::Error::new(ErrorKind::InvalidData, inner));
        let kinds: Vec<_> = causes(&error)
            .map(|cause| (cause.is::<io::Error>(), cause.is::<rustls::Error>()))
            .collect();
        assert_eq!(kinds, [(true, false), (true, false), (false, true)]);
    }
}
