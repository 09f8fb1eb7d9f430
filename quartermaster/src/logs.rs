//! Logs and traces of the process. `manager` calls [`start`] once, before anything is worth logging.
//!
//! The rule: everything goes to standard error, one line per event, because standard output belongs to
//! the one line that says where we listen. Level and form can be changed while it runs; traces have a
//! filter of their own, so fewer lines never mean holes in them.

mod fields;
mod otlp;
mod parent;

pub(crate) use parent::join;

use crate::config::{Config, Format};
use anyhow::{Context as _, Result, anyhow};
use fields::Fields;
use otlp::Tracer;
use std::io::{IsTerminal as _, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tracing::Metadata;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::{DynFilterFn, FilterExt as _};
use tracing_subscriber::layer::{Context, Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Registry, fmt, reload};

/// Logs are set up. Finish it at the end, or the last traces are lost.
pub(crate) struct Logs {
    tracer: Option<Tracer>,
    pub(crate) dial: Dial,
}

/// What is logged and how, to look at and to change.
#[derive(Clone)]
pub(crate) struct Dial {
    /// Called for each form of lines: both have a filter of their own.
    #[expect(
        clippy::type_complexity,
        reason = "the types of the handles name every layer below"
    )]
    reload: Arc<dyn Fn(&str) -> Result<(), String> + Send + Sync>,
    level: Arc<Mutex<String>>,
    json: Arc<AtomicBool>,
}

impl Dial {
    /// The filter in force.
    pub(crate) fn level(&self) -> String {
        self.level
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// `text` or `json`.
    pub(crate) fn format(&self) -> &'static str {
        match self.json.load(Ordering::Relaxed) {
            true => "json",
            false => "text",
        }
    }

    /// Changes level, form or both; what is not understood changes nothing.
    ///
    /// # Errors
    /// What is wrong, in words for whoever asked.
    pub(crate) fn turn(&self, level: Option<&str>, format: Option<&str>) -> Result<(), String> {
        let json = match format {
            None => None,
            Some("json") => Some(true),
            Some("text") => Some(false),
            Some(other) => {
                return Err(format!(
                    "{other:?} is no log format; there are text and json"
                ));
            }
        };
        if let Some(level) = level {
            // The old server's word.
            let level = if level == "warning" { "warn" } else { level };
            let mut now = self.level.lock().unwrap_or_else(PoisonError::into_inner);
            (self.reload)(level)?;
            level.clone_into(&mut now);
        }
        if let Some(json) = json {
            self.json.store(json, Ordering::Relaxed);
        }
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
    let level = config.log.level.clone();
    let terminal = stderr().is_terminal();
    let json = Arc::new(AtomicBool::new(match config.log.format {
        Format::Auto => !terminal,
        Format::Text => false,
        Format::Json => true,
    }));
    let (text_filter, text_handle) = reload::Layer::new(filter(&level).map_err(|e| anyhow!(e))?);
    let (json_filter, json_handle) = reload::Layer::new(filter(&level).map_err(|e| anyhow!(e))?);
    let is_json = Arc::clone(&json);
    let is_text = Arc::clone(&json);
    let colours = terminal && std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty());
    let text_lines = fmt::layer()
        .with_writer(stderr)
        .with_target(false)
        .with_ansi(colours)
        .with_filter(text_filter.and(only_if(move || !is_text.load(Ordering::Relaxed))));
    let json_lines = fmt::layer()
        .with_writer(stderr)
        .json()
        .flatten_event(true)
        .with_span_list(false)
        .fmt_fields(Fields)
        .with_filter(json_filter.and(only_if(move || is_json.load(Ordering::Relaxed))));
    let tracer = Tracer::new(config.tracing.endpoint.as_deref())
        .map_err(|error| anyhow!(error))
        .context("traces cannot be sent to the collector; see [tracing] in the configuration")?;
    let lines = Registry::default().with(text_lines).with(json_lines);
    // Not a layer that may be missing: one without a filter wants everything, and each request would pay for it.
    match &tracer {
        Some(tracer) => lines.with(tracer.layer()).try_init(),
        None => lines.try_init(),
    }
    .context("logs were set up before")?;
    let reload = move |level: &str| {
        let gone = |_| "the log cannot be changed any more".to_owned();
        let (text, json) = (filter(level)?, filter(level)?);
        text_handle.reload(text).map_err(gone)?;
        json_handle.reload(json).map_err(gone)
    };
    Ok(Logs {
        tracer,
        dial: Dial {
            reload: Arc::new(reload),
            level: Arc::new(Mutex::new(level)),
            json,
        },
    })
}

/// Says no more than whether a form of lines is the one in force. The hint leaves the level to the other filter.
fn only_if<S>(
    wanted: impl Fn() -> bool,
) -> DynFilterFn<S, impl Fn(&Metadata<'_>, &Context<'_, S>) -> bool> {
    DynFilterFn::new(move |_: &Metadata<'_>, _: &Context<'_, S>| wanted())
        .with_max_level_hint(LevelFilter::TRACE)
}

/// A filter from a level or from pairs of target and level. A word alone is a level: the library would take any
/// other for a target, and a slip of the pen would silence everything.
pub(crate) fn filter(text: &str) -> Result<EnvFilter, String> {
    let wrong =
        || format!("{text:?} is no log level; there are error, warn, info, debug and trace");
    let is_level =
        |word: &str| ["off", "error", "warn", "info", "debug", "trace"].contains(&word.trim());
    let ends_in_level = |part: &str| part.rsplit('=').next().is_some_and(is_level);
    match text.split(',').all(ends_in_level) {
        false => Err(wrong()),
        true => EnvFilter::try_new(text).map_err(|_| wrong()),
    }
}
