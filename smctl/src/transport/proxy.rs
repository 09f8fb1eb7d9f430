//! Plain requests through a proxy: one connection to it, and the whole address in the request line.

use bytes::Bytes;
use http::header::{HOST, PROXY_AUTHORIZATION};
use http::{HeaderValue, Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper_util::client::proxy::matcher::Intercept;
use hyper_util::rt::TokioIo;
use std::error::Error as StdError;
use tokio::net::TcpStream;

pub(super) async fn request(
    proxy: &Intercept,
    mut request: Request<Full<Bytes>>,
) -> Result<Response<Incoming>, Box<dyn StdError + Send + Sync>> {
    let host = proxy.uri().host().unwrap_or_default();
    let port = proxy.uri().port_u16().unwrap_or(80);
    let stream = TcpStream::connect((host, port)).await?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    if let Some(auth) = proxy.basic_auth() {
        request
            .headers_mut()
            .insert(PROXY_AUTHORIZATION, auth.clone());
    }
    if let Some(authority) = request.uri().authority() {
        let host = HeaderValue::from_str(authority.as_str())?;
        request.headers_mut().insert(HOST, host);
    }
    Ok(sender.send_request(request).await?)
}
