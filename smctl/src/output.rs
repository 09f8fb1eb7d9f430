//! How results are printed: one set of formats for every command, without exception.
//!
//! The rule: a command hands over what it found as a [`Doc`], and what its table looks like; everything else is here.

pub(crate) mod fit;
mod format;
mod jsonpath;
mod template;

pub(crate) use crate::paint::Paint;
pub(crate) use format::{Flag, Format};

use crate::doc::Doc;
use crate::global::Global;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether something could not be shown; the work itself was done by then.
static FAILED: AtomicBool = AtomicBool::new(false);

/// Whether everything could be shown.
pub(crate) fn is_whole() -> bool {
    !FAILED.load(Ordering::Relaxed)
}

/// Prints what programs read. `noun` is what `-o name` puts before a name.
pub(crate) fn machine(format: &Format, noun: &str, doc: &Doc) {
    match format {
        Format::Table | Format::Wide | Format::Json => println!("{}", doc.pretty()),
        Format::Yaml => print!("{}", doc.yaml()),
        Format::Name => {
            let items = match doc.get("items") {
                Doc::List(items) => items.as_slice(),
                _ => std::slice::from_ref(doc),
            };
            for item in items {
                // What has neither a name nor an id may have a number.
                match (name_of(item), item.get("seq").plain()) {
                    ("", number) if number.is_empty() => println!("{noun}"),
                    ("", number) => println!("{noun}/{number}"),
                    (name, _) => println!("{noun}/{name}"),
                }
            }
        }
        Format::JsonPath(path) => {
            let text = path.apply(doc);
            print!("{text}");
            if !text.ends_with('\n') {
                println!();
            }
        }
        Format::Template(template) => match template.apply(doc) {
            Ok(text) => print!("{text}"),
            Err(why) => {
                eprintln!("Error: the template cannot be filled in\n  why: {why}");
                FAILED.store(true, Ordering::Relaxed);
            }
        },
    }
}

/// Tells what was done: a line for people, a document for programs.
pub(crate) fn told(format: &Format, noun: &str, doc: &Doc, line: &str) {
    if format.is_table() {
        println!("{line}");
    } else {
        machine(format, noun, doc);
    }
}

/// What to type next, for a person who has just begun: only where a person looks, and never in the way of a script.
pub(crate) fn next(global: &Global, line: &str) {
    if !global.compat && Paint::stdout().is_terminal && console::Term::stderr().is_term() {
        eprintln!("{}", Paint::stdout().dim(&format!("Next: {line}")));
    }
}

/// Its name, else its id.
pub(crate) fn name_of(doc: &Doc) -> &str {
    match doc.str("name") {
        "" => doc.str("id"),
        name => name,
    }
}
