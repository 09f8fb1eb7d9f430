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
                println!("{noun}/{}", name_of(item));
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
            Err(why) => eprintln!("Error: the template cannot be filled in\n  why: {why}"),
        },
    }
}

/// Its name, else its id.
pub(crate) fn name_of(doc: &Doc) -> &str {
    match doc.str("name") {
        "" => doc.str("id"),
        name => name,
    }
}
