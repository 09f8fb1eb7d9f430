//! The guide quotes the example word for word, so that what a reader copies is what is tested.

/// The program itself, for the test in it: cargo builds an example as a program or as a test, and the
/// conformance suite needs the program.
#[path = "../../examples/folders/main.rs"]
#[allow(dead_code, reason = "its main is for the program")]
mod folders;

const GUIDE: &str = include_str!("../../../docs/first-broker.md");
const PROGRAM: &str = include_str!("../../examples/folders/main.rs");
const CATALOG: &str = include_str!("../../examples/folders/catalog.yaml");

#[test]
fn the_guide_quotes_the_example() {
    assert!(GUIDE.contains(CATALOG), "catalog.yaml changed");
    let (program, test) = PROGRAM.split_once("#[cfg(test)]").unwrap();
    assert!(GUIDE.contains(program.trim_end()), "main.rs changed");
    assert!(GUIDE.contains(test), "the test in main.rs changed");
}
