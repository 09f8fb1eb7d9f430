//! Clippy finds nothing in any target, with all features. The lints themselves are in the root
//! manifest.

use anyhow::Result;

use super::{Check, Found, Scene};

pub(super) const CHECK: Check = Check {
    name: "clippy",
    holds: "no warning from rustc or clippy, tests and examples included",
    fix: "mend what is named above; an exception is `#[expect(lint, reason = \"...\")]` at its place",
    run,
};

fn run(scene: &Scene<'_>) -> Result<Found> {
    let words = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--",
        "-D",
        "warnings",
    ];
    let mut found = Found::default();
    if !scene.cargo_succeeds(&words, &[])? {
        found
            .problems
            .push("clippy has complaints; they are above".to_owned());
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::tests::on_a_crate;
    use super::CHECK;

    #[test]
    fn a_warning_fails_it() {
        assert!(
            on_a_crate(&CHECK, "pub fn a() -> u8 {\n    1\n}\n")
                .problems
                .is_empty()
        );
        assert_eq!(
            on_a_crate(&CHECK, "pub fn a() -> u8 {\n    return 1;\n}\n")
                .problems
                .len(),
            1
        );
    }
}
