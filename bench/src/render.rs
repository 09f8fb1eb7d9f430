//! Templates parsed and executed next to Go's own engine: `cargo xtask bench render`.
//!
//! Both get the same template of 70 lines and the same data and must give the same bytes. Rounds
//! alternate between the two processes, so that a busy minute meets both; medians count.

mod go;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, ensure};
use qm_gotemplate::{Functions, Numbers, TemplateSet, Value};

use crate::report::{Report, Wanted};

const TEMPLATE: &str = include_str!("render/deployment.yaml");
const DATA: &str = include_str!("render/deployment.json");
const ROUNDS: usize = 11;
const REPEATS: u32 = 2_000;

/// Nanoseconds of one parse and of one execution.
struct Timing {
    parse: f64,
    execute: f64,
}

/// Measures and prints the table.
///
/// # Errors
/// When there is no Go to measure against, the outputs differ, or a ratio is missed.
pub(crate) fn run() -> Result<()> {
    let mut peer = go::Peer::start()?;
    let data = Value::from_json(&serde_json::from_str(DATA)?, Numbers::Float64);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let (timing, output) = peer.measure(TEMPLATE, DATA, REPEATS)?;
        ensure!(
            output == compiled()?.execute("t", data.clone())?.into_bytes(),
            "the two give different output"
        );
        theirs.push(timing);
        ours.push(measure(&data)?);
    }
    let mut report = Report::default();
    let lines = TEMPLATE.lines().count();
    report.part(&format!(
        "a template of {lines} lines, {} bytes of output, {REPEATS} times a round, median of {ROUNDS} rounds",
        compiled()?.execute("t", data.clone())?.len()
    ));
    let parse = (median(&ours, |t| t.parse), median(&theirs, |t| t.parse));
    let execute = (median(&ours, |t| t.execute), median(&theirs, |t| t.execute));
    for (name, (own, other), wanted) in [("parse", parse, 2.0), ("execute", execute, 3.0)] {
        report.figure(&format!("{name}, Go"), other / 1e3, "us", Wanted::Nothing);
        report.figure(&format!("{name}, ours"), own / 1e3, "us", Wanted::Nothing);
        let ratio = format!("{name}, times as fast");
        report.figure(&ratio, other / own, "", Wanted::AtLeast(wanted));
    }
    report.close()
}

fn compiled() -> Result<TemplateSet> {
    let mut set = TemplateSet::new(Arc::new(Functions::new()));
    set.parse("t", TEMPLATE)?;
    Ok(set)
}

fn measure(data: &Value) -> Result<Timing> {
    let repeats = f64::from(REPEATS);
    let started = Instant::now();
    for _ in 0..REPEATS {
        black_box(compiled()?);
    }
    #[allow(clippy::cast_precision_loss, reason = "nanoseconds of a second")]
    let parse = started.elapsed().as_nanos() as f64 / repeats;
    let set = compiled()?;
    let mut output = Vec::new();
    let started = Instant::now();
    for _ in 0..REPEATS {
        output.clear();
        set.run("t").data(data.clone()).write(&mut output)?;
        black_box(&output);
    }
    #[allow(clippy::cast_precision_loss, reason = "nanoseconds of a second")]
    let execute = started.elapsed().as_nanos() as f64 / repeats;
    Ok(Timing { parse, execute })
}

fn median(timings: &[Timing], of: impl Fn(&Timing) -> f64) -> f64 {
    let mut figures: Vec<f64> = timings.iter().map(of).collect();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
