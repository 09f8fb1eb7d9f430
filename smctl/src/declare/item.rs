//! One thing of a file.

use crate::command::{self, Kind, Noun};
use crate::doc::Doc;
use crate::problem::Problem;

/// One thing of a file.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) kind: &'static Kind,
    pub(crate) doc: Doc,
}

/// The kinds, in the order in which they need each other.
pub(crate) const ORDER: [&Kind; 5] = [
    command::Broker::KIND,
    command::Platform::KIND,
    command::Visibility::KIND,
    command::Instance::KIND,
    command::Binding::KIND,
];

impl Item {
    /// From a document of a file.
    pub(super) fn of(doc: Doc, source: &str) -> Result<Self, Problem> {
        let word = doc.str("kind").to_lowercase();
        let kind = ORDER
            .into_iter()
            .find(|kind| kind.noun == word || kind.plural == word);
        let Some(kind) = kind else {
            return Err(
                Problem::usage(format!("{source}: a document has no kind that is known"))
                    .why(format!("kind is {word:?}"))
                    .hint("kind: broker, platform, visibility, instance or binding"),
            );
        };
        let needed: &[&str] = match kind.noun {
            "broker" => &["name", "url"],
            "platform" => &["name", "type"],
            "visibility" => &["plan"],
            "instance" => &["name", "plan"],
            _ => &["name", "instance"],
        };
        let known: &[&str] = match kind.noun {
            "broker" => &[
                "kind",
                "name",
                "url",
                "description",
                "labels",
                "credentials",
            ],
            "platform" => &["kind", "id", "name", "type", "description", "labels"],
            "visibility" => &["kind", "plan", "platform", "labels"],
            "instance" => &["kind", "name", "plan", "labels", "parameters"],
            _ => &["kind", "name", "instance", "labels", "parameters"],
        };
        for key in needed {
            if doc.str(key).is_empty() {
                return Err(Problem::usage(format!(
                    "{source}: a {} has no {key}",
                    kind.noun
                )));
            }
        }
        if let Some((key, _)) = doc
            .entries()
            .iter()
            .find(|(key, _)| !known.contains(&key.as_str()))
        {
            return Err(
                Problem::usage(format!("{source}: a {} has no {key}", kind.noun))
                    .why(format!("it has {}", known.join(", "))),
            );
        }
        Ok(Self { kind, doc })
    }

    /// What it is called in what is printed.
    pub(crate) fn title(&self) -> String {
        format!("{} {}", self.kind.noun, self.name())
    }

    /// Its name, with what it belongs to.
    pub(crate) fn name(&self) -> String {
        match self.kind.noun {
            "visibility" => match self.doc.str("platform") {
                "" => format!("{} for all", self.doc.str("plan")),
                platform => format!("{} for {platform}", self.doc.str("plan")),
            },
            "binding" => format!("{}/{}", self.doc.str("instance"), self.doc.str("name")),
            _ => self.doc.str("name").to_owned(),
        }
    }

    /// Its place in the order.
    pub(crate) fn rank(&self) -> usize {
        ORDER
            .iter()
            .position(|kind| kind.noun == self.kind.noun)
            .unwrap_or_default()
    }
}
