//! The graceful stop: running requests finish, new ones are refused, nobody waits for ever.

use super::*;

/// A server with a request inside it, and the connection that waits for its answer.
async fn busy(grace: Duration) -> (Running, TcpStream, Arc<Semaphore>) {
    let (gate, entered) = (closed(), closed());
    let server = Server::new(service(Arc::clone(&gate), Arc::clone(&entered)));
    let server = Running::start(server.grace(grace)).await;
    let mut stream = server.connect().await;
    // No "connection: close": ending a kept connection is the server's duty here.
    let request = "GET /held HTTP/1.1\r\nhost: broker\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    within(entered.acquire()).await.unwrap().forget();
    (server, stream, gate)
}

/// Waits until the port is closed.
async fn refused(addr: SocketAddr) {
    within(async {
        while TcpStream::connect(addr).await.is_ok() {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_running_request_is_finished_and_new_ones_are_refused() {
    let (server, stream, gate) = busy(PATIENCE).await;
    let mut idle = server.connect().await;
    idle.write_all(b"GET /hello HTTP/1.1\r\nhost: broker\r\n\r\n")
        .await
        .unwrap();
    read_until(&mut idle, "hello").await;

    server.stop.send(()).unwrap();
    refused(server.addr).await;
    assert_eq!(
        read_all(idle).await,
        "",
        "an idle connection is closed at once"
    );
    assert!(!server.task.is_finished());

    gate.add_permits(1);
    let answer = read_all(stream).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(answer.contains("connection: close\r\n"), "{answer}");
    assert!(answer.ends_with("finished"), "{answer}");
    assert_eq!(within(server.task).await.unwrap(), Stopped { cut: 0 });
}

#[tokio::test]
async fn what_outlasts_the_grace_period_is_cut() {
    let (server, stream, _gate) = busy(Duration::from_millis(50)).await;
    assert_eq!(server.stop().await, Stopped { cut: 1 });
    let mut stream = stream;
    let mut answer = Vec::new();
    let _ = within(stream.read_to_end(&mut answer)).await;
    assert!(answer.is_empty());
}

#[tokio::test]
async fn dropping_the_server_leaves_no_connection_behind() {
    let (server, mut stream, _gate) = busy(PATIENCE).await;
    server.task.abort();
    refused(server.addr).await;
    let mut answer = Vec::new();
    let _ = within(stream.read_to_end(&mut answer)).await;
    assert!(answer.is_empty());
}
