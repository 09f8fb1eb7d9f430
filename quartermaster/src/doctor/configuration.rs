//! Whether the configuration can be used, and what in it is unwise.

use super::Report;
use crate::config::{Loaded, Problems};
use std::path::Path;

const NAME: &str = "configuration";

pub(super) fn good(loaded: &Loaded, file: Option<&Path>, report: &mut Report) {
    let from = match file {
        Some(path) => format!("{} over the defaults", path.display()),
        None => "the defaults and the environment".to_owned(),
    };
    report.ok(NAME, from);
    let brokers = &loaded.config.brokers;
    if brokers.skip_tls_verification {
        report.warning(
            NAME,
            "certificates of brokers and issuers are not checked: anybody on the way can be them",
            "set brokers.skip_tls_verification to false; extra_ca_files takes authorities of your own",
        );
    }
}

pub(super) fn bad(problems: &Problems, report: &mut Report) {
    for problem in &problems.0 {
        report.problem(NAME, problem.to_string(), "mend it");
    }
}
