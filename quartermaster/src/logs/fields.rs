//! The fields of a span as one JSON object, for lines in JSON.
//!
//! Every request has a span, and learns its caller and its status later. The library's own form reads all that was
//! written and writes it anew each time; this one appends. The rule: what is written is an object at any time.

use serde::Serialize;
use std::fmt::{self, Write as _};
use tracing::field::{Field, Visit};
use tracing::span::Record;
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::FormattedFields;
use tracing_subscriber::fmt::format::{FormatFields, Writer};

pub(super) struct Fields;

impl<'w> FormatFields<'w> for Fields {
    fn format_fields<R: RecordFields>(&self, mut writer: Writer<'w>, fields: R) -> fmt::Result {
        writer.write_str(&object(|into| fields.record(into)))
    }

    fn add_fields(
        &self,
        current: &'w mut FormattedFields<Self>,
        fields: &Record<'_>,
    ) -> fmt::Result {
        let text = &mut current.fields;
        let more = object(|into| fields.record(into));
        if text.pop() != Some('}') {
            text.clear();
            text.push('{');
        }
        if text.len() > 1 && more.len() > 2 {
            text.push(',');
        }
        text.push_str(more.trim_start_matches('{'));
        Ok(())
    }
}

fn object(record: impl FnOnce(&mut Object)) -> String {
    let mut object = Object(String::with_capacity(256));
    object.0.push('{');
    record(&mut object);
    object.0.push('}');
    object.0
}

struct Object(String);

impl Object {
    fn put(&mut self, field: &Field, value: &(impl Serialize + ?Sized)) {
        // A value that cannot be JSON leaves no trace; none of ours is like that.
        let (Ok(name), Ok(value)) = (
            serde_json::to_string(field.name()),
            serde_json::to_string(value),
        ) else {
            return;
        };
        if self.0.len() > 1 {
            self.0.push(',');
        }
        // Writing into a string cannot fail.
        let _ = write!(self.0, "{name}:{value}");
    }
}

impl Visit for Object {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, &value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, &value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, &value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, &value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put(field, &format!("{value:?}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use std::io;
    use std::sync::{Arc, Mutex};
    use tracing_subscriber::layer::SubscriberExt as _;

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The span of the only line that a closure logs.
    fn span_of(logs: impl FnOnce()) -> Value {
        let kept = Kept::default();
        let writer = kept.clone();
        let lines = tracing_subscriber::fmt::layer()
            .json()
            .fmt_fields(Fields)
            .with_writer(move || writer.clone());
        tracing::subscriber::with_default(tracing_subscriber::registry().with(lines), logs);
        let line: Value = serde_json::from_slice(&kept.0.lock().unwrap()).unwrap();
        line["span"].clone()
    }

    #[test]
    fn fields_that_come_later_stand_beside_those_from_the_beginning() {
        let span = span_of(|| {
            let span = tracing::info_span!(
                "request",
                route = "/v1/\"x\"",
                status = tracing::field::Empty,
                caller = tracing::field::Empty,
            );
            span.record("status", 200);
            span.record("caller", "a\nb");
            span.in_scope(|| tracing::info!("done"));
        });
        let wanted =
            json!({"name": "request", "route": "/v1/\"x\"", "status": 200, "caller": "a\nb"});
        assert_eq!(span, wanted);
    }

    #[test]
    fn a_span_without_fields_can_get_some() {
        let span = span_of(|| {
            let span = tracing::info_span!("s", n = tracing::field::Empty);
            span.record("n", true);
            span.in_scope(|| tracing::info!("done"));
        });
        assert_eq!(span, json!({"name": "s", "n": true}));
    }
}
