//! `smctl curl`: any request. Lists, empty bodies and headers work too; the old smctl had trouble with them.

use super::call::Call;
use super::flags::{self, bad};
use super::print::Format;
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::output;
use crate::problem::Problem;
use bytes::Bytes;
use http::{HeaderName, HeaderValue, Method};
use std::io::Write;

pub(super) const EXAMPLES: &str = "\
Examples:
  smctl curl /v1/info
  smctl curl /v1/service_plans --param max_items=5 -o yaml
  smctl curl -X PATCH /v1/platforms/ID -d '{\"description\":\"new\"}'
  smctl curl -X POST /v1/service_bindings -d @binding.json -H 'X-Correlation-ID: mine'";

/// Flags of `smctl curl`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The path, as in /v1/service_brokers.
    #[arg(value_name = "PATH")]
    words: Vec<String>,
    /// HTTP method.
    #[arg(short = 'X', long = "X", value_name = "METHOD", default_value = "GET")]
    method: String,
    /// The body, or @FILE.
    #[arg(
        short = 'd',
        long = "d",
        value_name = "DATA",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    body: String,
    /// A header more, as in 'Name: value'.
    #[arg(short = 'H', long = "header", value_name = "HEADER")]
    headers: Vec<String>,
    /// Output format.
    #[arg(short, long, value_name = "FORMAT", default_value = "json")]
    output: String,
    #[command(flatten)]
    params: flags::Params,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let Some(path) = self.words.first() else {
            return Err(bad("[path] is required"));
        };
        let body = match self.body.strip_prefix('@') {
            Some(file) => std::fs::read(file)
                .map_err(|error| bad(format!("error reading file {file}. Reason: {error}")))?,
            None => self.body.clone().into_bytes(),
        };
        let format = Format::parse(&self.output, global.compat)?;
        let method = Method::from_bytes(self.method.as_bytes())
            .map_err(|_| bad(format!("{} is no method", self.method)))?;
        let headers = self.headers.iter().map(|header| read(header));
        let headers = headers.collect::<Result<Vec<_>, _>>()?;
        let call = Call::open(global, &self.params, None).await?;
        let body = (method != Method::GET && !body.is_empty()).then(|| Bytes::from(body));
        let reply = call
            .client
            .call(&method, path, &call.query, body, &headers)
            .await?;
        if !reply.status.is_success() {
            return Err(call.client.refused(&method, path, &call.query, &reply));
        }
        show(&format, &reply.body);
        Ok(Exit::Done)
    }
}

fn show(format: &Format, body: &Bytes) {
    let doc = match Doc::parse(body) {
        Ok(doc) if *format != Format::Text => doc.sorted(),
        _ => {
            let _ = std::io::stdout().write_all(body);
            return;
        }
    };
    match format {
        Format::Yaml => print!("{}", doc.yaml()),
        Format::Own(format) => output::machine(format, "answer", &doc),
        Format::Json | Format::Text => print!("{}", doc.pretty()),
    }
    if console::Term::stdout().is_term() {
        println!();
    }
}

fn read(header: &str) -> Result<(HeaderName, HeaderValue), Problem> {
    let wrong = || bad(format!("{header} is no header: write 'Name: value'"));
    let (name, value) = header.split_once(':').ok_or_else(wrong)?;
    let name = HeaderName::from_bytes(name.trim().as_bytes()).map_err(|_| wrong())?;
    let value = HeaderValue::from_str(value.trim()).map_err(|_| wrong())?;
    Ok((name, value))
}
