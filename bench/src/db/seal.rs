//! What sealing a secret costs, so that nobody is tempted to cache one.

use std::hint::black_box;
use std::time::Instant;

use anyhow::Result;
use qm_db::seal::KeyRing;

const TIMES: u32 = 20_000;

/// Prints the time to seal and to open 600 bytes.
pub(super) fn run() -> Result<()> {
    let ring = KeyRing::generate()?;
    let place = [
        "binding",
        "5c0b5a3e-9c7e-4d0e-9d7f-6f3f1a2b3c4d",
        "credentials",
    ];
    let plain = [7; 600];
    let sealed = ring.seal(&place, &plain)?;
    let each = |start: Instant| start.elapsed().as_secs_f64() / f64::from(TIMES) * 1e6;
    let start = Instant::now();
    for _ in 0..TIMES {
        black_box(ring.seal(black_box(&place), black_box(&plain))?);
    }
    let seal = each(start);
    let start = Instant::now();
    for _ in 0..TIMES {
        black_box(ring.open(black_box(&place), black_box(&sealed))?);
    }
    let open = each(start);
    println!("600 bytes: sealed in {seal:.1} us, opened in {open:.1} us");
    Ok(())
}
