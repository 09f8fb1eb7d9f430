//! Flags that several old commands take.

use super::print::Format;
use crate::client::Query;
use crate::exit::Exit;
use crate::problem::Problem;
use clap::Args;

/// `-o`.
#[derive(Debug, Clone, Args)]
pub(crate) struct Output {
    /// Output format: text, json, yaml, table, wide, name, jsonpath=EXPR or go-template=TEMPLATE.
    #[arg(
        short,
        long,
        value_name = "FORMAT",
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) output: String,
}

impl Output {
    pub(crate) fn format(&self, compat: bool) -> Result<Format, Problem> {
        Format::parse(&self.output, compat)
    }
}

/// `--param`.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Params {
    /// Additional query parameters in the form key=value.
    #[arg(long = "param", value_name = "KEY=VALUE")]
    pub(crate) params: Vec<String>,
}

impl Params {
    pub(crate) fn query(&self) -> Query {
        self.params
            .iter()
            .fold(Query::new(), |query, param| match param.split_once('=') {
                Some((key, value)) => query.with(key, value),
                None => query.with(param, ""),
            })
    }
}

/// `-f` and `-l` of lists.
#[derive(Debug, Clone, Args)]
pub(crate) struct Filter {
    /// Filtering based on field querying.
    #[arg(short, long, value_name = "QUERY")]
    pub(crate) field_query: Vec<String>,
    /// Filtering based on label querying.
    #[arg(short, long, value_name = "QUERY")]
    pub(crate) label_query: Vec<String>,
}

impl Filter {
    pub(crate) fn on(&self, query: Query) -> Query {
        query.fields(&self.field_query).labels(&self.label_query)
    }
}

/// `async` for a mode.
pub(crate) fn mode(word: &str) -> Result<bool, Problem> {
    match word {
        "async" => Ok(true),
        "sync" => Ok(false),
        _ => Err(bad("only sync/async modes are supported")),
    }
}

/// Something that was typed wrongly, in the words of the old smctl.
pub(crate) fn bad(what: impl Into<String>) -> Problem {
    Problem::new(Exit::Usage, what)
}
