//! `smctl env`: a binding as variables, for a shell or a file.

use super::credentials::binding;
use super::noun::Binding;
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::inject::{self, Bound};
use crate::problem::Problem;
use crate::{complete, output, session};
use clap::ValueEnum;

pub(super) const EXAMPLES: &str = "\
Examples:
  eval \"$(smctl env app)\"
  smctl env app --format dotenv > .env
  smctl env app --format vcap
  smctl env app --format fish | source";

/// Flags of `smctl env`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Bindings: name, id, or INSTANCE/BINDING.
    #[arg(value_name = "BINDING", required = true, add = complete::names::<Binding>())]
    bindings: Vec<String>,
    /// How to write it.
    #[arg(short = 'F', long, value_enum, default_value_t = Format::Export)]
    format: Format,
    #[command(flatten)]
    output: output::Flag,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// Lines for a POSIX shell.
    Export,
    /// Lines for a .env file.
    Dotenv,
    /// Lines for fish.
    Fish,
    /// Lines for `PowerShell`.
    Powershell,
    /// One JSON object.
    Json,
    /// The value of `VCAP_SERVICES`.
    Vcap,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let mut services = Vec::new();
        for word in &self.bindings {
            let binding = binding(&client, word).await?;
            services.push(Bound::of(&client, binding).await?);
        }
        let variables = inject::variables(&services);
        if !self.output.format.is_table() {
            let doc = match self.format {
                Format::Vcap => inject::vcap(&services),
                _ => whole(variables),
            };
            output::machine(&self.output.format, "env", &doc);
            return Ok(Exit::Done);
        }
        match self.format {
            Format::Vcap => println!("{}", inject::vcap(&services).pretty()),
            Format::Json => println!("{}", whole(variables).pretty()),
            lines => {
                for (name, value) in &variables {
                    println!("{}", line(lines, name, value));
                }
            }
        }
        Ok(Exit::Done)
    }
}

fn whole(variables: Vec<(String, String)>) -> Doc {
    let entries = variables.into_iter();
    Doc::Map(entries.map(|(name, value)| (name, value.into())).collect())
}

fn line(format: Format, name: &str, value: &str) -> String {
    match format {
        Format::Fish => {
            let quoted = value.replace('\\', "\\\\").replace('\'', "\\'");
            format!("set -gx {name} '{quoted}'")
        }
        Format::Powershell => format!("$Env:{name} = '{}'", value.replace('\'', "''")),
        Format::Dotenv => {
            let escaped = value
                .replace('\\', "\\\\")
                .replace('"', "\\\"")
                .replace('$', "\\$")
                .replace('`', "\\`")
                .replace('\n', "\\n");
            format!("{name}=\"{escaped}\"")
        }
        Format::Export | Format::Json | Format::Vcap => {
            format!("export {name}='{}'", value.replace('\'', "'\\''"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Format, line};

    #[test]
    fn quotes_stay_inside() {
        let value = "it's $5 \"x\"";
        assert_eq!(
            line(Format::Export, "A", value),
            "export A='it'\\''s $5 \"x\"'"
        );
        assert_eq!(
            line(Format::Dotenv, "A", value),
            "A=\"it's \\$5 \\\"x\\\"\""
        );
        assert_eq!(
            line(Format::Powershell, "A", value),
            "$Env:A = 'it''s $5 \"x\"'"
        );
        assert_eq!(
            line(Format::Fish, "A", value),
            "set -gx A 'it\\'s $5 \"x\"'"
        );
    }
}
