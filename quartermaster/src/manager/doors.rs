//! The doors with everything that only the executable knows: its configuration, logs and metrics.

use crate::config::Loaded;
use crate::logs::{self, Dial};
use metrics_exporter_prometheus::PrometheusHandle;
use qm_http::{App, Entrance, Logging, Outside};
use qm_lifecycle::Lifecycle;
use qm_manager_api::{LoggingConfig, LoggingPatch};
use qm_relay::Relay;
use qm_stream::Stream;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

pub(super) fn open(
    loaded: &Loaded,
    deeds: &Lifecycle,
    stream: &Stream,
    dial: &Dial,
    metrics: PrometheusHandle,
    relay: Relay,
    stopping: &CancellationToken,
) -> Entrance {
    qm_http::router(App {
        deeds: deeds.clone(),
        stream: stream.clone(),
        settings: Arc::new(crate::wire::http(&loaded.config)),
        outside: Arc::new(Outside {
            config: loaded.json(),
            logging: Box::new(Words(dial.clone())),
            metrics: Box::new(move || metrics.render() + &relay.numbers()),
            join_trace: Box::new(logs::join),
            stopping: stopping.clone(),
        }),
    })
}

/// The log's dial in the words of the API.
struct Words(Dial);

impl Logging for Words {
    fn current(&self) -> LoggingConfig {
        LoggingConfig {
            level: self.0.level(),
            format: self.0.format().to_owned(),
            output: OUTPUT.to_owned(),
        }
    }

    fn change(&self, patch: LoggingPatch) -> Result<(), String> {
        let LoggingPatch {
            level,
            format,
            output,
        } = patch;
        if let Some(output) = output.value()
            && output != OUTPUT
        {
            return Err(format!("logs go to {OUTPUT}, and that cannot be changed"));
        }
        let (level, format) = (level.value(), format.value());
        self.0.turn(level.as_deref(), format.as_deref())
    }
}

/// In the words of the old server.
const OUTPUT: &str = "/dev/stderr";
