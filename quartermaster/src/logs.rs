//! Logs and traces of the process. `manager` calls [`start`] once, before anything is worth logging.
//!
//! The rule: everything goes to standard error, one line per event, because standard output belongs to
//! the one line that says where we listen. The level can be changed while it runs; traces have a filter
//! of their own, so fewer lines never mean holes in them.

mod otlp;

use crate::config::{Config, Format};
use anyhow::{Context, Result, anyhow};
use otlp::Tracer;
use std::io::{IsTerminal as _, stderr};
use std::sync::{Arc, Mutex, PoisonError};
use tracing::Subscriber;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::reload;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer, Registry, fmt};

/// Logs are set up. Finish it at the end, or the last traces are lost.
pub(crate) struct Logs {
    tracer: Option<Tracer>,
    pub(crate) level: Level,
}

/// The level of the log, to look at and to change.
#[derive(Clone)]
pub(crate) struct Level {
    filter: reload::Handle<EnvFilter, Registry>,
    now: Arc<Mutex<String>>,
    format: &'static str,
}

impl Level {
    /// The filter in force.
    pub(crate) fn get(&self) -> String {
        self.now
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// `text` or `json`.
    pub(crate) fn format(&self) -> &'static str {
        self.format
    }

    /// Another filter from now on.
    ///
    /// # Errors
    /// It is no filter, in words for whoever asked.
    pub(crate) fn set(&self, text: &str) -> Result<(), String> {
        let wrong = || format!("{text:?} is no log level; write error, warn, info, debug or trace");
        if text.is_empty() {
            return Err(wrong());
        }
        let filter = EnvFilter::try_new(text).map_err(|_| wrong())?;
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        self.filter
            .reload(filter)
            .map_err(|_| "the log cannot be changed any more".to_owned())?;
        text.clone_into(&mut now);
        Ok(())
    }
}

impl Logs {
    /// Sends the traces that still wait.
    pub(crate) async fn finish(self) {
        if let Some(tracer) = self.tracer {
            tracer.finish().await;
        }
    }
}

/// Sets up logs, and traces where a collector is named. Call it inside a tokio runtime.
pub(crate) fn start(config: &Config) -> Result<Logs> {
    let text = &config.log.level;
    let filter = EnvFilter::try_new(text).with_context(|| format!("{text:?} is no log level"))?;
    let (filter, handle) = reload::Layer::new(filter);
    let human = match config.log.format {
        Format::Auto => stderr().is_terminal(),
        Format::Text => true,
        Format::Json => false,
    };
    let tracer = Tracer::new(config.tracing.endpoint.as_deref())
        .map_err(|error| anyhow!(error))
        .context("traces cannot be sent to the collector; see [tracing] in the configuration")?;
    let spans = tracer.as_ref().map(Tracer::layer);
    Registry::default()
        .with(lines(human).with_filter(filter))
        .with(spans)
        .try_init()
        .context("logs were set up before")?;
    Ok(Logs {
        tracer,
        level: Level {
            filter: handle,
            now: Arc::new(Mutex::new(text.clone())),
            format: if human { "text" } else { "json" },
        },
    })
}

fn lines<S>(human: bool) -> Box<dyn Layer<S> + Send + Sync>
where
    S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
{
    let lines = fmt::layer().with_writer(stderr);
    match human {
        true => {
            let colours = stderr().is_terminal()
                && std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty());
            Box::new(lines.with_target(false).with_ansi(colours))
        }
        false => Box::new(lines.json().flatten_event(true).with_span_list(false)),
    }
}
