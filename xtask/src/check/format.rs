//! Every Rust file is formatted by rustfmt with its defaults, those of the fuzz targets too, which
//! are no members of the workspace.

use anyhow::Result;

use super::{Check, Found, Scene};

pub(super) const CHECK: Check = Check {
    name: "format",
    holds: "every file is as rustfmt writes it",
    fix: "cargo fmt --all",
    run,
};

fn run(scene: &Scene<'_>) -> Result<Found> {
    let mut problems = Vec::new();
    if !scene.cargo_succeeds(&["fmt", "--all", "--check"], &[])? {
        problems.push(
            "rustfmt would write some files differently, or cannot read them; see above".to_owned(),
        );
    }
    let fuzz = "fuzz/Cargo.toml";
    if scene.workspace.root.join(fuzz).exists()
        && !scene.cargo_succeeds(&["fmt", "--manifest-path", fuzz, "--check"], &[])?
    {
        problems.push(format!(
            "fuzz targets too: cargo fmt --manifest-path {fuzz}"
        ));
    }
    Ok(problems.into())
}

#[cfg(test)]
mod tests {
    use super::super::tests::on_a_crate;
    use super::CHECK;

    #[test]
    fn it_tells_formatted_from_unformatted() {
        assert!(on_a_crate(&CHECK, "fn a() {}\n").problems.is_empty());
        assert_eq!(on_a_crate(&CHECK, "fn  a( ) {}\n").problems.len(), 1);
    }
}
