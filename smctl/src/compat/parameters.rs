//! What `--show-instance-params` and `--show-binding-params` print.

use super::call::Call;
use crate::client::Query;
use crate::doc::Doc;
use crate::exit::Exit;
use crate::problem::Problem;
use qm_manager_api::path;

/// The parameters of everything that was found by name. `tail` is what the old smctl writes behind them.
pub(super) async fn show(
    call: &Call<'_>,
    collection: &str,
    noun: &str,
    found: &[Doc],
    tail: &str,
) -> Result<Exit, Problem> {
    let mut exit = Exit::Done;
    for one in found {
        let id = one.str("id");
        match call
            .client
            .get(&path::parameters(collection, id), &Query::new())
            .await
        {
            Err(problem) if problem.status == Some(404) => {}
            Err(problem) => {
                println!("Unable to show configuration parameters for {noun} id: {id}");
                let why = if call.global.compat {
                    &problem.old
                } else {
                    &problem.why
                };
                println!("The error: {}\n", why.as_ref().unwrap_or(&problem.what));
                if !call.global.compat {
                    exit = Exit::Failed;
                }
            }
            Ok(parameters) if parameters.is_empty() => {
                println!("No configuration parameters are set for {noun} id: {id}\n");
            }
            Ok(parameters) => {
                println!("Showing configuration parameters for {noun} id: {id} ");
                println!("The parameters: ");
                print!("{} {tail}", parameters.sorted().indented("   "));
            }
        }
    }
    println!();
    Ok(exit)
}
