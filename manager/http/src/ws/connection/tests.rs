//! Connections over a real socket, with a feed and a pulse in the hands of the test.

use super::*;
use crate::ws::handshake::{MAX_RECEIVED, look};
use axum::Router;
use axum::extract::Request;
use axum::routing::get;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use tokio_util::sync::CancellationToken;

type Client = WebSocketStream<MaybeTlsStream<TcpStream>>;

struct TestFeed {
    texts: mpsc::UnboundedReceiver<Bytes>,
    end: Arc<OnceLock<End>>,
    over: CancellationToken,
}

impl Feed for TestFeed {
    async fn next(&mut self) -> Option<Bytes> {
        self.texts.recv().await
    }

    fn over(&self) -> impl Future<Output = ()> + Send + 'static {
        self.over.clone().cancelled_owned()
    }

    fn end(&self) -> Option<End> {
        self.end.get().copied()
    }
}

struct TestPulse {
    beats: Arc<AtomicUsize>,
    lost: CancellationToken,
}

impl Pulse for TestPulse {
    fn beat(&mut self) {
        self.beats.fetch_add(1, Ordering::SeqCst);
    }

    async fn lost(&mut self) {
        self.lost.cancelled().await;
    }
}

/// A server for one connection, and everything that moves it.
struct Scene {
    address: String,
    texts: mpsc::UnboundedSender<Bytes>,
    end: Arc<OnceLock<End>>,
    over: CancellationToken,
    lost: CancellationToken,
    beats: Arc<AtomicUsize>,
    served: oneshot::Receiver<Cause>,
}

const LONG: Duration = Duration::from_secs(600);

async fn scene(ping: Duration, write: Duration) -> Scene {
    let (texts, received) = mpsc::unbounded_channel();
    let (done, served) = oneshot::channel();
    let (end, over, lost, beats) = <(
        Arc<OnceLock<End>>,
        CancellationToken,
        CancellationToken,
        Arc<AtomicUsize>,
    )>::default();
    let feed = TestFeed {
        texts: received,
        end: Arc::clone(&end),
        over: over.clone(),
    };
    let pulse = TestPulse {
        beats: Arc::clone(&beats),
        lost: lost.clone(),
    };
    let parts = Arc::new(Mutex::new(Some((feed, pulse, done))));
    let door = get(async move |mut request: Request| {
        let (mut feed, mut pulse, done) = parts.lock().await.take().expect("one connection");
        let (response, opening) = look(&mut request).unwrap();
        tokio::spawn(async move {
            let socket = opening.open().await.unwrap();
            let cause = serve(socket, &mut feed, &mut pulse, Limits { ping, write }).await;
            let _ = done.send(cause);
        });
        response
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move { axum::serve(listener, Router::new().route("/", door)).await });
    Scene {
        address,
        texts,
        end,
        over,
        lost,
        beats,
        served,
    }
}

impl Scene {
    async fn connect(&self) -> Client {
        connect_async(format!("ws://{}/", self.address))
            .await
            .unwrap()
            .0
    }

    /// A client that has shaken hands and from then on does nothing.
    async fn connect_and_sleep(&self) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).await.unwrap();
        let hello = "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                     Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
        stream.write_all(hello.as_bytes()).await.unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 101");
        stream
    }

    fn say(&self, text: impl Into<Bytes>) {
        self.texts.send(text.into()).unwrap();
    }

    fn finish(&self, end: End) {
        self.end.set(end).unwrap();
        self.over.cancel();
    }
}

async fn next(client: &mut Client) -> Message {
    client
        .next()
        .await
        .expect("the connection has ended")
        .unwrap()
}

async fn closed_with(client: &mut Client) -> u16 {
    match next(client).await {
        Message::Close(Some(frame)) => u16::from(frame.code),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn messages_arrive_whole_in_order_and_as_text() {
    let scene = scene(LONG, LONG).await;
    let mut client = scene.connect().await;
    // Of two bytes each, so that a part can end in the middle of one.
    let long = format!("x{}", "ü".repeat(200_000));
    let exact = "x".repeat(2 * PART);
    let all = ["first", &long, "", &exact, "last"];
    for text in all {
        scene.say(text.to_owned());
    }
    for text in all {
        assert_eq!(next(&mut client).await, Message::text(text));
    }
}

#[tokio::test]
async fn a_ping_is_answered_with_its_data_while_nothing_is_sent() {
    let scene = scene(LONG, LONG).await;
    let mut client = scene.connect().await;
    for data in ["a", "", "b"] {
        client.send(Message::Ping(data.into())).await.unwrap();
        assert_eq!(next(&mut client).await, Message::Pong(data.into()));
    }
    assert_eq!(scene.beats.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn who_does_not_ping_is_closed_with_1001() {
    let scene = scene(Duration::from_millis(50), LONG).await;
    let mut client = scene.connect().await;
    assert_eq!(closed_with(&mut client).await, 1001);
    assert_eq!(scene.served.await, Ok(Cause::Silent));
}

#[tokio::test]
async fn talking_is_no_ping() {
    let scene = scene(Duration::from_millis(200), LONG).await;
    let (mut speak, mut hear) = scene.connect().await.split();
    let talk = async {
        while speak.send(Message::text("I am here")).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let closed = async {
        loop {
            match hear.next().await {
                Some(Ok(Message::Close(Some(frame)))) => return u16::from(frame.code),
                Some(Ok(_)) => {}
                other => panic!("{other:?}"),
            }
        }
    };
    tokio::select! {
        () = talk => panic!("the connection has ended without a word"),
        code = closed => assert_eq!(code, 1001),
    }
    assert_eq!(scene.beats.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn who_pings_stays() {
    let scene = scene(Duration::from_secs(2), LONG).await;
    let mut client = scene.connect().await;
    for _ in 0..30 {
        client.send(Message::Ping("x".into())).await.unwrap();
        assert_eq!(next(&mut client).await, Message::Pong("x".into()));
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    scene.say("still here");
    assert_eq!(next(&mut client).await, Message::text("still here"));
}

#[tokio::test]
async fn every_end_of_the_feed_has_its_code() {
    for (end, code) in [
        (End::Stopped, 1001),
        (End::Slow, 1013),
        (End::Behind, 1013),
        (End::Removed, 1008),
    ] {
        let scene = scene(LONG, LONG).await;
        let mut client = scene.connect().await;
        scene.say("one");
        assert_eq!(next(&mut client).await, Message::text("one"));
        scene.finish(end);
        assert_eq!(closed_with(&mut client).await, code);
        assert_eq!(scene.served.await, Ok(Cause::Over(Some(end))));
    }
}

#[tokio::test]
async fn a_platform_that_is_gone_is_closed_with_1008() {
    let scene = scene(LONG, LONG).await;
    let mut client = scene.connect().await;
    scene.lost.cancel();
    assert_eq!(closed_with(&mut client).await, 1008);
    assert_eq!(scene.served.await, Ok(Cause::Lost));
}

#[tokio::test]
async fn who_does_not_read_is_cut() {
    let scene = scene(LONG, Duration::from_millis(100)).await;
    let _client = scene.connect_and_sleep().await;
    for _ in 0..64 {
        scene.say(vec![b'x'; 1 << 20]);
    }
    assert_eq!(scene.served.await, Ok(Cause::Stuck));
}

#[tokio::test]
async fn a_message_under_way_does_not_outlive_its_feed() {
    let scene = scene(LONG, LONG).await;
    let _client = scene.connect_and_sleep().await;
    for _ in 0..64 {
        scene.say(vec![b'x'; 1 << 20]);
    }
    // Time to fill what the machine keeps between the two.
    tokio::time::sleep(Duration::from_millis(300)).await;
    scene.finish(End::Slow);
    assert_eq!(scene.served.await, Ok(Cause::Over(Some(End::Slow))));
}

#[tokio::test]
async fn a_client_that_leaves_is_let_go() {
    let scene = scene(LONG, LONG).await;
    let mut client = scene.connect().await;
    client.close(None).await.unwrap();
    assert!(matches!(next(&mut client).await, Message::Close(_)));
    assert_eq!(scene.served.await, Ok(Cause::Client));
}

#[tokio::test]
async fn a_large_message_of_a_client_ends_its_connection() {
    let scene = scene(LONG, LONG).await;
    let mut client = scene.connect().await;
    client
        .send(Message::text("x".repeat(2 * MAX_RECEIVED)))
        .await
        .unwrap();
    assert_eq!(scene.served.await, Ok(Cause::Client));
}
