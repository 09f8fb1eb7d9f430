//! The documentation builds without a warning, private items included: a link to something that was
//! renamed fails here.

use anyhow::Result;

use super::{Check, Found, Scene};

pub(super) const CHECK: Check = Check {
    name: "docs",
    holds: "the documentation builds without a warning",
    fix: "mend the comments that are named above",
    run,
};

fn run(scene: &Scene<'_>) -> Result<Found> {
    let words = [
        "doc",
        "--workspace",
        "--no-deps",
        "--all-features",
        "--document-private-items",
    ];
    let mut found = Found::default();
    if !scene.cargo_succeeds(&words, &[("RUSTDOCFLAGS", "-D warnings")])? {
        found
            .problems
            .push("rustdoc has complaints; they are above".to_owned());
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::tests::on_a_crate;
    use super::CHECK;

    #[test]
    fn a_link_to_nothing_fails_it() {
        assert!(
            on_a_crate(&CHECK, "//! See [`a`].\n\n/// It.\npub fn a() {}\n")
                .problems
                .is_empty()
        );
        assert_eq!(
            on_a_crate(&CHECK, "//! See [`b`].\n\n/// It.\npub fn a() {}\n")
                .problems
                .len(),
            1
        );
    }
}
