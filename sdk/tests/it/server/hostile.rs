//! Clients that are slow, greedy or broken: each costs its own connection and nothing else.

use super::*;

/// Deadlines short enough to see.
fn strict() -> Limits {
    Limits {
        head_time: Duration::from_millis(200),
        body_time: Duration::from_millis(200),
        handshake_time: Duration::from_millis(200),
        head_bytes: 4 * 1024,
        ..Limits::default()
    }
}

#[tokio::test]
async fn slow_heads_block_nobody_and_are_ended() {
    let server = Running::start(plain().limits(strict())).await;
    let mut slow = Vec::new();
    for _ in 0..50 {
        let mut stream = server.connect().await;
        stream
            .write_all(b"GET /hello HTTP/1.1\r\nx-slow: ")
            .await
            .unwrap();
        slow.push(stream);
    }
    assert!(server.get("/hello").await.ends_with("hello"));
    for stream in slow {
        // An answer or none: hyper may close without a word. The connection must end.
        let answer = read_all(stream).await;
        assert!(!answer.contains("hello"), "{answer}");
    }
    server.stop().await;
}

#[tokio::test]
async fn silent_connections_are_ended() {
    let server = Running::start(plain().limits(strict())).await;
    assert_eq!(read_all(server.connect().await).await, "");
    server.stop().await;
}

#[tokio::test]
async fn slow_bodies_end_although_bytes_keep_coming() {
    let server = Running::start(plain().limits(strict())).await;
    let mut stream = server.connect().await;
    let head = "PUT /echo HTTP/1.1\r\nhost: broker\r\ncontent-length: 1000000\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    let (mut from, mut to) = stream.into_split();
    let trickle = tokio::spawn(async move {
        while to.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let mut answer = Vec::new();
    // The server may reset the connection, because it was still being written to.
    let _ = within(from.read_to_end(&mut answer)).await;
    let answer = String::from_utf8(answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
    within(trickle).await.unwrap();
    assert!(server.get("/hello").await.ends_with("hello"));
    server.stop().await;
}

#[tokio::test]
async fn floods_of_headers_are_refused() {
    let server = Running::start(plain().limits(strict())).await;
    let many: String = (0..150).map(|n| format!("x-{n}: y\r\n")).collect();
    let long = format!("x-long: {}\r\n", "y".repeat(5 * 1024));
    // Larger than any buffer, and without an end.
    let endless = format!("x-long: {}", "y".repeat(64 * 1024));
    for flood in [many + "\r\n", long + "\r\n", endless] {
        let request = format!("GET /hello HTTP/1.1\r\nhost: broker\r\n{flood}");
        let mut stream = server.connect().await;
        // Both may fail: the server need not read all that it refuses.
        let _ = stream.write_all(request.as_bytes()).await;
        let mut answer = Vec::new();
        let _ = within(stream.read_to_end(&mut answer)).await;
        let answer = String::from_utf8(answer).unwrap();
        assert!(
            answer.starts_with("HTTP/1.1 431 "),
            "{} bytes: {answer}",
            request.len()
        );
    }
    assert!(server.get("/hello").await.ends_with("hello"));
    server.stop().await;
}

#[tokio::test]
async fn noise_is_answered_with_400_or_nothing() {
    let server = Running::start(plain().limits(strict())).await;
    let noise = [
        "\r\n\r\n\r\n",
        "nonsense\r\n\r\n",
        "GET /hello HTTP/9.9\r\n\r\n",
        "GET /hello\r\n\r\n",
        "GET /hello HTTP/1.1\r\nbad header\r\n\r\n",
        "GET /hello HTTP/1.1\r\nhost: a\0b\r\n\r\n",
        "PUT /echo HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
        "PUT /echo HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
        "PUT /echo HTTP/1.1\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\nzz\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}",
    ];
    for request in noise {
        let mut stream = server.connect().await;
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let _ = within(stream.read_to_end(&mut answer)).await;
        let answer = String::from_utf8(answer).unwrap();
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 400 "),
            "{request:?}: {answer}"
        );
    }
    assert!(server.get("/hello").await.ends_with("hello"));
    server.stop().await;
}

#[tokio::test]
async fn above_the_limit_connections_wait_for_a_place() {
    let limits = Limits {
        connections: 2,
        ..Limits::default()
    };
    let (gate, entered) = (closed(), closed());
    let server = Server::new(service(Arc::clone(&gate), Arc::clone(&entered)));
    let server = Running::start(server.limits(limits)).await;
    let mut held = Vec::new();
    for _ in 0..2 {
        let mut stream = server.connect().await;
        stream
            .write_all(get_request("/held").as_bytes())
            .await
            .unwrap();
        held.push(stream);
    }
    within(entered.acquire_many(2)).await.unwrap().forget();

    // The system takes the connection, the server does not look at it yet.
    let mut third = server.connect().await;
    third
        .write_all(get_request("/held").as_bytes())
        .await
        .unwrap();
    let early = tokio::time::timeout(Duration::from_millis(100), entered.acquire()).await;
    assert!(
        early.is_err(),
        "a third connection was served above the limit"
    );

    gate.add_permits(1);
    within(entered.acquire()).await.unwrap().forget();
    gate.add_permits(2);
    for stream in held {
        assert!(read_all(stream).await.ends_with("finished"));
    }
    assert!(read_all(third).await.ends_with("finished"));
    server.stop().await;
}
