//! Ctrl-C and SIGTERM as a flag. `up` polls it, so that the broker and the server are stopped in
//! order instead of being left behind.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

pub(super) struct Signals {
    came: Arc<AtomicBool>,
}

impl Signals {
    pub(super) fn catch() -> Result<Self> {
        let came = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            signal_hook::flag::register(signal, Arc::clone(&came))
                .context("cannot catch signals")?;
        }
        Ok(Self { came })
    }

    pub(super) fn came(&self) -> bool {
        self.came.load(Ordering::SeqCst)
    }
}
