//! Go's engine in a process of its own: `render/oracle`, built by `cargo xtask bench render`, which
//! says where it is.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value as Json, json};

use super::Timing;

const VARIABLE: &str = "QUARTERMASTER_TEMPLATE_ORACLE";

pub(super) struct Peer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Peer {
    pub(super) fn start() -> Result<Self> {
        let Some(program) = std::env::var_os(VARIABLE) else {
            bail!(
                "{VARIABLE} is not set; `cargo xtask bench render` sets it where Go is installed"
            );
        };
        let mut child = Command::new(program)
            .arg("bench")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the oracle")?;
        let input = child.stdin.take().context("no input")?;
        let output = BufReader::new(child.stdout.take().context("no output")?);
        Ok(Self {
            child,
            input,
            output,
        })
    }

    /// How long Go takes, and what it gives.
    pub(super) fn measure(
        &mut self,
        text: &str,
        data: &str,
        rounds: u32,
    ) -> Result<(Timing, Vec<u8>)> {
        let request = json!({ "text": text, "data": data, "rounds": rounds });
        writeln!(self.input, "{request}")?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let answer: Json = serde_json::from_str(&line).context("the oracle said no JSON")?;
        let bytes = |name: &str| answer[name].as_str().map(|text| STANDARD.decode(text));
        if let Some(error) = bytes("error") {
            bail!("Go: {}", String::from_utf8_lossy(&error?));
        }
        let figure = |name: &str| answer[name].as_f64().context("a figure is missing");
        let timing = Timing {
            parse: figure("parse")?,
            execute: figure("execute")?,
        };
        Ok((timing, bytes("output").context("no output")??))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It is ours, and has nothing to save.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
