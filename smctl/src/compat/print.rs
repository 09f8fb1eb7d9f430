//! How the old commands print: `-o text|json|yaml` as they always did, and our other formats over the same fields.

use super::flags::bad;
use super::shape::Shape;
use super::table::Table;
use crate::doc::Doc;
use crate::global::Global;
use crate::output::{self, Paint};
use crate::problem::Problem;

/// The format.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Format {
    Text,
    Json,
    Yaml,
    /// One of ours.
    Own(output::Format),
}

impl Format {
    pub(crate) fn parse(word: &str, compat: bool) -> Result<Self, Problem> {
        match word.to_lowercase().as_str() {
            "" | "text" => Ok(Self::Text),
            "json" => Ok(Self::Json),
            "yaml" => Ok(Self::Yaml),
            lower if compat => Err(bad(format!("unknown output: {lower}"))),
            "table" | "wide" => Ok(Self::Text),
            lower => match word.parse() {
                Ok(format) => Ok(Self::Own(format)),
                Err(why) => Err(bad(format!("unknown output: {lower}")).why(why)),
            },
        }
    }
}

/// What is printed.
#[derive(Debug)]
pub(crate) enum Shown {
    One(Shape, Doc),
    Many(Shape, Vec<Doc>),
    /// Found by name: one column each.
    Found(Shape, Vec<Doc>),
    /// Offerings with their plans.
    Marketplace(Vec<Doc>),
    /// The plans of one offering.
    PlansOf(Vec<Doc>),
}

impl Shown {
    fn title(&self) -> String {
        match self {
            Self::One(..) => String::new(),
            Self::Many(shape, docs) | Self::Found(shape, docs) => shape.title(docs.len()),
            Self::Marketplace(docs) => Shape::Offering.title(docs.len()),
            Self::PlansOf(docs) => {
                let title = Shape::Plan.title(docs.len());
                format!("{} for this service offering.", title.trim_end_matches('.'))
            }
        }
    }

    fn table(&self) -> Table {
        match self {
            Self::One(shape, doc) => shape.one(doc),
            Self::Many(shape, docs) => shape.many(docs, false),
            Self::Found(shape, docs) => shape.many(docs, true),
            Self::Marketplace(docs) | Self::PlansOf(docs) => {
                let shape = self.shape();
                let mut table = Table::default();
                for doc in docs {
                    let one = shape.one(doc);
                    table.headers = one.headers;
                    table.rows.extend(one.rows);
                }
                table
            }
        }
    }

    fn shape(&self) -> Shape {
        match self {
            Self::One(shape, _) | Self::Many(shape, _) | Self::Found(shape, _) => *shape,
            Self::Marketplace(_) => Shape::Offering,
            Self::PlansOf(_) => Shape::Plan,
        }
    }

    /// As JSON, with the list under a key.
    fn doc(&self, key: &str) -> Doc {
        let shape = self.shape();
        match self {
            Self::One(_, doc) => shape.reduce(doc),
            Self::Many(_, docs)
            | Self::Found(_, docs)
            | Self::Marketplace(docs)
            | Self::PlansOf(docs) => {
                if docs.is_empty() && shape == Shape::Visibility {
                    return Doc::map();
                }
                let items = docs.iter().map(|doc| shape.reduce(doc)).collect::<Vec<_>>();
                Doc::map().with(key, items)
            }
        }
    }
}

/// Prints a document that the old smctl had only words for.
pub(crate) fn document(format: &Format, noun: &str, doc: &Doc) {
    match format {
        Format::Text | Format::Json => output::machine(&output::Format::Json, noun, doc),
        Format::Yaml => output::machine(&output::Format::Yaml, noun, doc),
        Format::Own(format) => output::machine(format, noun, doc),
    }
}

pub(crate) fn show(global: &Global, format: &Format, shown: &Shown) {
    match format {
        Format::Text => {
            let table = shown.table();
            let paint = Paint::stdout();
            let text = if paint.is_terminal && !global.compat {
                table.fitted(paint.width)
            } else {
                table.text()
            };
            println!("{}", shown.title());
            if !table.rows.is_empty() {
                println!("{text}");
            }
            println!();
        }
        Format::Json => println!("{}", shown.doc("items").pretty()),
        Format::Yaml => {
            let key = if global.compat {
                shown.shape().old_key()
            } else {
                "items"
            };
            println!("{}", shown.doc(key).yaml());
        }
        Format::Own(format) => {
            output::machine(format, shown.shape().noun(), &shown.doc("items"));
        }
    }
}
