//! `-o`: the words, and what they mean.

use super::jsonpath::JsonPath;
use super::template::Template;
use clap::Args;
use std::str::FromStr;

/// `-o` for commands of our own.
#[derive(Debug, Clone, Args)]
pub(crate) struct Flag {
    /// Output format: table, wide, json, yaml, name, jsonpath=EXPR or go-template=TEMPLATE.
    #[arg(
        id = "output_format",
        short = 'o',
        long = "output",
        value_name = "FORMAT",
        default_value = "table",
        hide_default_value = true
    )]
    pub(crate) format: Format,
}

/// A format.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Format {
    Table,
    Wide,
    Json,
    Yaml,
    Name,
    JsonPath(JsonPath),
    Template(Template),
}

impl Format {
    /// Whether people read it.
    pub(crate) fn is_table(&self) -> bool {
        matches!(self, Self::Table | Self::Wide)
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        if let Some((kind, rest)) = word.split_once('=') {
            return match kind {
                "jsonpath" => JsonPath::parse(rest).map(Self::JsonPath),
                "go-template" | "template" => Template::parse(rest).map(Self::Template),
                "jsonpath-file" => JsonPath::parse(&read(rest)?).map(Self::JsonPath),
                "go-template-file" => Template::parse(&read(rest)?).map(Self::Template),
                _ => Err(unknown()),
            };
        }
        match word.to_lowercase().as_str() {
            "table" | "text" => Ok(Self::Table),
            "wide" => Ok(Self::Wide),
            "json" => Ok(Self::Json),
            "yaml" => Ok(Self::Yaml),
            "name" => Ok(Self::Name),
            _ => Err(unknown()),
        }
    }
}

fn read(file: &str) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|error| format!("{file} cannot be read: {error}"))
}

fn unknown() -> String {
    "there are table, wide, json, yaml, name, jsonpath=EXPR and go-template=TEMPLATE".to_owned()
}
