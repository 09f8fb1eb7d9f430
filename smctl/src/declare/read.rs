//! Reads files, folders and standard input. `${NAME}` in a text is a variable of the environment, so that secrets need not
//! stand in files.

use super::Item;
use crate::doc::Doc;
use crate::problem::Problem;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Everything in these files, in the order in which things need each other.
pub(crate) fn read(files: &[PathBuf]) -> Result<Vec<Item>, Problem> {
    let mut items = Vec::new();
    for file in files {
        if file.as_os_str() == "-" {
            let mut text = String::new();
            std::io::stdin()
                .read_to_string(&mut text)
                .map_err(|error| {
                    Problem::usage("standard input cannot be read").why(error.to_string())
                })?;
            parse(&text, "standard input", &mut items)?;
        } else if file.is_dir() {
            for file in inside(file)? {
                one(&file, &mut items)?;
            }
        } else {
            one(file, &mut items)?;
        }
    }
    items.sort_by_key(Item::rank);
    Ok(items)
}

fn inside(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let unreadable = |error: &dyn std::fmt::Display| {
        Problem::usage(format!("{} cannot be read", folder.display())).why(error.to_string())
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| unreadable(&error))? {
        let path = entry.map_err(|error| unreadable(&error))?.path();
        let kind = path
            .extension()
            .and_then(|kind| kind.to_str())
            .unwrap_or_default();
        if matches!(kind, "yaml" | "yml" | "json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn one(file: &Path, items: &mut Vec<Item>) -> Result<(), Problem> {
    let text = std::fs::read_to_string(file).map_err(|error| {
        Problem::usage(format!("{} cannot be read", file.display())).why(error.to_string())
    })?;
    parse(&text, &file.display().to_string(), items)
}

fn parse(text: &str, source: &str, items: &mut Vec<Item>) -> Result<(), Problem> {
    let docs: Vec<Doc> = serde_saphyr::from_multiple(text)
        .map_err(|error| Problem::usage(format!("{source} is no YAML")).why(error.to_string()))?;
    for doc in docs {
        let doc = filled(doc, source)?;
        match doc {
            Doc::Null => {}
            Doc::List(docs) => {
                for doc in docs {
                    items.push(Item::of(doc, source)?);
                }
            }
            doc if !doc.get("items").is_null() => {
                for doc in doc.get("items").items() {
                    items.push(Item::of(doc.clone(), source)?);
                }
            }
            doc => items.push(Item::of(doc, source)?),
        }
    }
    Ok(())
}

fn filled(doc: Doc, source: &str) -> Result<Doc, Problem> {
    Ok(match doc {
        Doc::Text(text) => Doc::Text(substituted(&text, source)?),
        Doc::List(items) => Doc::List(
            items
                .into_iter()
                .map(|item| filled(item, source))
                .collect::<Result<_, _>>()?,
        ),
        Doc::Map(entries) => {
            let entries = entries
                .into_iter()
                .map(|(key, value)| Ok((key, filled(value, source)?)));
            Doc::Map(entries.collect::<Result<_, Problem>>()?)
        }
        other => other,
    })
}

fn substituted(text: &str, source: &str) -> Result<String, Problem> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, tail)) = rest.split_once("${") {
        let Some((name, after)) = tail.split_once('}') else {
            break;
        };
        let value = std::env::var(name).map_err(|_| {
            Problem::usage(format!("{source}: the variable {name} is not set"))
                .hint(format!("export {name}=..."))
        })?;
        out.push_str(before);
        out.push_str(&value);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}
