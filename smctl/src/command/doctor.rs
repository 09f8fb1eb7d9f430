//! `smctl doctor`: looks at everything between this machine and a service, and says what to do about what is wrong.

mod checks;

use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::output::{self, Paint};
use crate::problem::Problem;
use checks::Finding;

/// Flags of `smctl doctor`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let findings = checks::all(global).await;
        let bad = findings.iter().any(|finding| !finding.good);
        if self.output.format.is_table() {
            let paint = Paint::stdout();
            for finding in &findings {
                show(paint, finding);
            }
        } else {
            let doc = |finding: &Finding| {
                Doc::map()
                    .with("name", finding.what)
                    .with("good", finding.good)
                    .with("detail", &finding.detail)
                    .with_some("hint", finding.hint.as_ref())
            };
            let items: Vec<_> = findings.iter().map(doc).collect();
            output::machine(
                &self.output.format,
                "check",
                &Doc::map().with("items", items),
            );
        }
        Ok(if bad { Exit::Failed } else { Exit::Done })
    }
}

fn show(paint: Paint, finding: &Finding) {
    let mark = if finding.good {
        paint.good("ok ")
    } else {
        paint.bad("bad")
    };
    println!("{mark}  {:<12}  {}", finding.what, finding.detail);
    if let Some(hint) = &finding.hint {
        println!("     {:<12}  try: {hint}", "");
    }
}
