//! What most old commands do: open the session, look something up by name, tell of an operation in the background.

use super::flags;
use super::print::{self, Format, Shown};
use super::shape::Shape;
use crate::client::{Answer, Client, Query, quoted};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{prompt, session, wait};
use std::io::Write;

/// What was deleted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gone<'a> {
    pub(crate) noun: &'a str,
    /// As the old smctl calls the kind.
    pub(crate) title: &'a str,
    pub(crate) name: &'a str,
    pub(crate) id: &'a str,
}

/// A command under way.
pub(crate) struct Call<'a> {
    pub(crate) global: &'a Global,
    pub(crate) client: Client,
    /// `--param` and `--mode`, which go with every request.
    pub(crate) query: Query,
}

impl<'a> Call<'a> {
    /// Opens the session. `mode` is the word of `--mode`, where there is one.
    pub(crate) async fn open(
        global: &'a Global,
        params: &flags::Params,
        mode: Option<&str>,
    ) -> Result<Self, Problem> {
        let mut query = params.query();
        if let Some(mode) = mode {
            query = query.with("async", flags::mode(mode)?.to_string());
        }
        let client = session::open(global).await?;
        Ok(Self {
            global,
            client,
            query,
        })
    }

    /// Everything of a collection with that name.
    pub(crate) async fn named(&self, path: &str, name: &str) -> Result<Vec<Doc>, Problem> {
        let condition = format!("name eq {}", quoted(name));
        let query = self.query.clone().fields(&[condition]);
        self.client.list(path, &query).await
    }

    /// Asks before something is destroyed. `false`: the person declined and was told so.
    pub(crate) fn confirmed(
        &self,
        force: bool,
        question: &str,
        declined: &str,
    ) -> Result<bool, Problem> {
        if force {
            return Ok(true);
        }
        let marks = if self.global.compat { "Y/n" } else { "y/N" };
        let yes = prompt::confirm(&format!("{question} ({marks}): "))?;
        if !yes {
            print!("{declined}");
            if !self.global.compat {
                println!();
            }
        }
        Ok(yes)
    }

    /// The end after a declined question.
    pub(crate) fn declined(&self) -> Exit {
        if self.global.compat {
            Exit::Done
        } else {
            Exit::Failed
        }
    }

    /// The beginning of an error on standard output, where the old smctl has it.
    pub(crate) fn reason<T>(&self, text: &str, result: Result<T, Problem>) -> Result<T, Problem> {
        result.map_err(|mut problem| {
            if self.global.compat {
                print!("{text}");
                let _ = std::io::stdout().flush();
            } else {
                let what = text.trim_end().trim_end_matches("Reason:").trim_end();
                problem.what = what.trim_end_matches('.').to_owned();
            }
            problem
        })
    }

    /// Something is not there: once printed and forgotten, now an error with a hint.
    pub(crate) fn missing(&self, text: &str, newline: bool, hint: &str) -> Result<Exit, Problem> {
        if self.global.compat {
            print!("{text}");
            if newline {
                println!();
            }
            return Ok(Exit::Done);
        }
        Err(Problem::not_found(text.trim_end_matches('.'))
            .why("nothing that you may see is called so")
            .hint(hint))
    }

    /// Tells of an operation in the background, or waits for its end.
    pub(crate) async fn scheduled(
        &self,
        message: &str,
        location: &str,
        waiting: &wait::Flags,
    ) -> Result<Option<Doc>, Problem> {
        if !waiting.waits() {
            println!("{message} To see status of the operation use:");
            println!("smctl status {location}");
            return Ok(None);
        }
        wait::follow(&self.client, location, waiting)
            .await
            .map(Some)
    }

    /// Tells of a deletion: in the old words, or as a document.
    pub(crate) async fn removed(
        &self,
        format: &Format,
        gone: Gone<'_>,
        answer: Answer,
        waiting: &wait::Flags,
    ) -> Result<Exit, Problem> {
        let Gone {
            noun,
            title,
            name,
            id,
        } = gone;
        let mut state = "deleted";
        if let Some(location) = answer.location {
            if *format == Format::Text || waiting.waits() {
                let message = format!("{title} {name} successfully scheduled for deletion.");
                if self
                    .scheduled(&message, &location, waiting)
                    .await?
                    .is_none()
                {
                    return Ok(Exit::Done);
                }
            } else {
                state = "deleting";
            }
        }
        if *format == Format::Text {
            println!("{title} successfully deleted.");
            return Ok(Exit::Done);
        }
        let doc = Doc::map()
            .with("kind", noun)
            .with("name", name)
            .with("id", id)
            .with("state", state);
        print::document(format, noun, &doc);
        Ok(Exit::Done)
    }

    /// Shows what an answer holds, or what it leads to.
    pub(crate) async fn finished(
        &self,
        shape: Shape,
        answer: Answer,
        format: &Format,
        message: &str,
        waiting: &wait::Flags,
    ) -> Result<Exit, Problem> {
        let Some(location) = answer.location else {
            print::show(self.global, format, &Shown::One(shape, answer.doc));
            return Ok(Exit::Done);
        };
        // The old smctl answers in words then, whatever the format.
        let early = *format != Format::Text && !self.global.compat && !waiting.waits();
        if early || self.scheduled(message, &location, waiting).await?.is_some() {
            let resource = wait::resource_of(&location);
            let mut doc = self.client.get(resource, &Query::new()).await?;
            // What the answer itself would have said: the caller knows it.
            for (key, value) in answer.doc.entries() {
                if doc.get(key).is_null() {
                    doc.set(key, value.clone());
                }
            }
            print::show(self.global, format, &Shown::One(shape, doc));
        }
        Ok(Exit::Done)
    }

    /// Shows a list.
    pub(crate) fn show(&self, format: &Format, shown: &Shown) -> Exit {
        print::show(self.global, format, shown);
        Exit::Done
    }
}
