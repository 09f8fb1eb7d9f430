//! A server for one test: answers each request with what a function says, and remembers what came.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::sync::mpsc::{self, Receiver};

/// A request: its first line and its body.
pub(super) type Seen = (String, Vec<u8>);

/// Starts one; it ends with the test process. `answer` gets the path and gives headers and body.
pub(super) fn serve(
    answer: impl Fn(SocketAddr, &str) -> (String, String) + Send + 'static,
) -> (SocketAddr, Receiver<Seen>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (sender, seen) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut first = String::new();
            if reader.read_line(&mut first).unwrap_or(0) == 0 {
                continue;
            }
            let mut length = 0;
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                let line = line.trim().to_ascii_lowercase();
                if line.is_empty() {
                    break;
                }
                if let Some(number) = line.strip_prefix("content-length:") {
                    length = number.trim().parse().unwrap();
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
            let (headers, text) = answer(address, &path);
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{text}",
                text.len()
            );
            let _ = sender.send((first, body));
        }
    });
    (address, seen)
}
