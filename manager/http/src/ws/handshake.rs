//! From a request to a WebSocket. [`notifications`](super::notifications) asks first whether the request is one, and
//! opens the socket when the answer is on its way.
//!
//! The rule: a connection costs little while nothing happens, and never more than a bound while something does,
//! whatever the size of a message. That is why the socket is made here and not by the router's extractor: that
//! one keeps a buffer as large as the largest message it has ever sent, for every client.

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

/// Clients send pings, which are small.
const READ_BUFFER: usize = 512;
/// Clients have nothing else to say; what they say nevertheless must not cost memory.
pub(super) const MAX_RECEIVED: usize = 4 * 1024;

/// The server's end of a WebSocket.
pub(super) type Socket = WebSocketStream<TokioIo<Upgraded>>;

/// A connection that is about to change hands.
pub(super) struct Opening(OnUpgrade);

/// Looks whether a request opens a WebSocket. The answer to give if it is taken, and the connection to be.
///
/// # Errors
/// What is missing, for people.
pub(super) fn look(request: &mut Request) -> Result<(Response, Opening), String> {
    let response =
        create_response_with_body(request, Body::empty).map_err(|error| error.to_string())?;
    let upgrade = request
        .extensions_mut()
        .remove::<OnUpgrade>()
        .ok_or_else(|| "this connection cannot be upgraded".to_owned())?;
    Ok((response, Opening(upgrade)))
}

impl Opening {
    /// The socket, when the answer has been sent; `None` when the client has gone before.
    pub(super) async fn open(self) -> Option<Socket> {
        let connection = TokioIo::new(self.0.await.ok()?);
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            // Every frame goes out as it is; `connection` keeps frames small.
            .write_buffer_size(0)
            .max_message_size(Some(MAX_RECEIVED))
            .max_frame_size(Some(MAX_RECEIVED));
        Some(WebSocketStream::from_raw_socket(connection, Role::Server, Some(config)).await)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::Method;

    fn request(method: Method, headers: &[(&str, &str)]) -> Request {
        let mut request = Request::builder().method(method);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(Body::empty()).unwrap()
    }

    const GOOD: [(&str, &str); 4] = [
        ("connection", "keep-alive, Upgrade"),
        ("upgrade", "websocket"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];

    #[test]
    fn each_part_of_the_handshake_is_needed() {
        for missing in GOOD {
            let headers: Vec<_> = GOOD
                .into_iter()
                .filter(|header| *header != missing)
                .collect();
            let refused = look(&mut request(Method::GET, &headers)).is_err();
            assert!(refused, "{missing:?}");
        }
        assert!(look(&mut request(Method::POST, &GOOD)).is_err());
    }

    #[test]
    fn a_whole_handshake_fails_only_for_want_of_a_connection() {
        let refused = look(&mut request(Method::GET, &GOOD)).err();
        assert_eq!(
            refused.as_deref(),
            Some("this connection cannot be upgraded")
        );
    }
}
