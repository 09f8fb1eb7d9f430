//! Prints what was found, in the format that was asked for.

use super::names::Names;
use super::noun::{Column, Kind};
use crate::client::Client;
use crate::doc::Doc;
use crate::output::{self, Format, Paint, fit};

/// A list. An empty one is told on standard error, so that standard output holds results only.
pub(crate) async fn many(client: &Client, kind: &Kind, format: &Format, docs: Vec<Doc>) {
    if !format.is_table() {
        return output::machine(format, kind.noun, &Doc::map().with("items", docs));
    }
    if docs.is_empty() {
        eprintln!("There are no {}.", kind.plural);
        return;
    }
    let names = Names::load(client, kind.needs).await;
    rows(kind, format, &docs, &names);
}

/// One thing.
pub(crate) async fn one(client: &Client, kind: &Kind, format: &Format, doc: Doc) {
    if !format.is_table() {
        return output::machine(format, kind.noun, &doc);
    }
    let names = Names::load(client, kind.needs).await;
    rows(kind, format, &[doc], &names);
}

fn rows(kind: &Kind, format: &Format, docs: &[Doc], names: &Names) {
    let wide = *format == Format::Wide;
    let columns: Vec<&Column> = kind
        .columns
        .iter()
        .filter(|column| wide || !column.wide)
        .collect();
    let paint = Paint::stdout();
    let headers: Vec<_> = columns
        .iter()
        .map(|column| column.head.to_owned())
        .collect();
    let cells = |doc: &Doc| {
        columns
            .iter()
            .map(|column| (column.cell)(doc, names))
            .collect()
    };
    let rows: Vec<Vec<String>> = docs.iter().map(cells).collect();
    let width = (paint.is_terminal && !wide).then_some(paint.width);
    let text = fit::table(&headers, &rows, width, false);
    for (at, line) in text.lines().enumerate() {
        let line = if at == 0 {
            paint.bold(line)
        } else {
            coloured(paint, line)
        };
        println!("{line}");
    }
}

/// Words that mean trouble or work are coloured, on a terminal.
fn coloured(paint: Paint, line: &str) -> String {
    let has = |words: &[&str]| words.iter().any(|word| line.contains(word));
    if has(&[" failed", "unusable", "cannot be fetched", "refused"]) {
        paint.bad(line)
    } else if has(&[
        " in progress",
        "creating",
        "updating",
        "deleting",
        "pending",
        "change held",
    ]) {
        paint.warn(line)
    } else {
        line.to_owned()
    }
}
