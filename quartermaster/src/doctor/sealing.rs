//! Whether the keys can be read. Whether they are the right ones is seen when the database is opened.

use super::Report;
use crate::config::Config;
use crate::data::DataDir;
use crate::keys::{Source, ids};
use qm_db::seal::KeyRing;

const NAME: &str = "keys";

/// The keys, where there are any.
pub(super) fn look(config: &Config, data: &DataDir, report: &mut Report) -> Option<KeyRing> {
    let source = Source::of(config, data);
    let place = match &source {
        Source::Variable => "QM_KEYS".to_owned(),
        Source::Named(file) | Source::Own(file) => file.display().to_string(),
    };
    if source.is_missing() {
        report.ok(
            NAME,
            format!("{place} is not there; the first start makes it"),
        );
        return None;
    }
    match source.read(false) {
        Ok(ring) => {
            let ids = ids(&ring);
            let seals = ids.first().map_or("", String::as_str);
            let what = format!("{place}: {seals} seals, {} can open", ids.len());
            report.ok(NAME, what);
            Some(ring)
        }
        Err(error) => {
            let todo = "put the right keys back; what they sealed cannot be read without them";
            report.problem(NAME, format!("{error:#}"), todo);
            None
        }
    }
}
