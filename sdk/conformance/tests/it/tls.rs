//! TLS: a CA of one's own is trusted, others are not, and `insecure` trusts anybody.

use crate::brokers::{judge, quick};
use qm_conformance::{Options, Report, RunError, Target, TlsError};
use rustls::ServerConfig;
use rustls::crypto::aws_lc_rs;
use rustls_pki_types::PrivateKeyDer;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// A TLS server that answers an empty catalog; its URL and the certificate to trust.
async fn server() -> (String, Vec<u8>) {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let pem = made.cert.pem().into_bytes();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!(
        "https://localhost:{}",
        listener.local_addr().unwrap().port()
    );
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let Ok(mut stream) = acceptor.accept(stream).await else {
                    return;
                };
                let _ = stream.read(&mut [0; 16 * 1024]).await;
                let answer = "HTTP/1.1 200 OK\r\ncontent-length: 15\r\nconnection: close\r\n\r\n{\"services\":[]}";
                let _ = stream.write_all(answer.as_bytes()).await;
                let _ = stream.shutdown().await;
            });
        }
    });
    (url, pem)
}

async fn run(url: &str, ca_pem: Option<Vec<u8>>, insecure: bool) -> Result<Report, RunError> {
    let mut target = Target::new(url).unwrap();
    target.tls.ca_pem = ca_pem;
    target.tls.insecure = insecure;
    let options = Options {
        only: vec!["catalog.works".into()],
        ..quick()
    };
    judge(target, options).await
}

#[tokio::test(flavor = "multi_thread")]
async fn whom_to_trust_is_chosen() {
    let (url, pem) = server().await;
    let trusted = run(&url, Some(pem), false).await.unwrap();
    assert_eq!(trusted.summary.passed, 1);
    let careless = run(&url, None, true).await.unwrap();
    assert_eq!(careless.summary.passed, 1);
    assert!(matches!(
        run(&url, None, false).await,
        Err(RunError::Unreachable(_))
    ));
    let (_, other) = server().await;
    assert!(matches!(
        run(&url, Some(other), false).await,
        Err(RunError::Unreachable(_))
    ));
    let rubbish = run(&url, Some(b"no certificate".to_vec()), false).await;
    assert!(
        matches!(rubbish, Err(RunError::Tls(TlsError::Empty))),
        "{rubbish:?}"
    );
}
