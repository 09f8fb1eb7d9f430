//! Passes bytes on and counts connections.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Stands before a server.
pub(crate) struct Counting {
    pub(crate) address: SocketAddr,
    total: Arc<AtomicUsize>,
    open: watch::Receiver<usize>,
}

impl Counting {
    pub(crate) async fn start(to: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let total = Arc::new(AtomicUsize::new(0));
        let (changing, open) = watch::channel(0);
        let count = Arc::clone(&total);
        tokio::spawn(async move {
            loop {
                let (mut from, _) = listener.accept().await.unwrap();
                count.fetch_add(1, Ordering::SeqCst);
                changing.send_modify(|open| *open += 1);
                let changing = changing.clone();
                tokio::spawn(async move {
                    let mut to = TcpStream::connect(to).await.unwrap();
                    let _ = tokio::io::copy_bidirectional(&mut from, &mut to).await;
                    drop((from, to));
                    changing.send_modify(|open| *open -= 1);
                });
            }
        });
        Self {
            address,
            total,
            open,
        }
    }

    /// How many there ever were.
    pub(crate) fn total(&self) -> usize {
        self.total.load(Ordering::SeqCst)
    }

    /// How many there are.
    pub(crate) fn open(&self) -> usize {
        *self.open.borrow()
    }

    /// Waits until there are no more than `most`.
    pub(crate) async fn wait_for_open(&self, most: usize) {
        let mut open = self.open.clone();
        let few = open.wait_for(|open| *open <= most);
        tokio::time::timeout(std::time::Duration::from_secs(180), few)
            .await
            .unwrap_or_else(|_| panic!("{} connections stay open", self.open()))
            .unwrap();
    }
}
