//! `smctl provision`.

use super::call::Call;
use super::flags::{self, bad};
use super::shape::Shape;
use crate::client::{Doing, Query, quoted};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{output, wait};
use qm_manager_api::{broker, instance, offering, plan};

pub(super) const EXAMPLES: &str = "\
Examples:
  smctl provision mydb postgresql small --wait
  smctl provision mydb postgresql small -c '{\"extensions\":[\"pg_trgm\"]}'

Next: smctl exec --service mydb -- COMMAND   # runs a program with credentials for it";

/// Flags of `smctl provision`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its name, the offering and the plan.
    #[arg(value_name = "NAME OFFERING PLAN")]
    words: Vec<String>,
    /// Name of the broker which provides the service offering. Required when offering name is ambiguous.
    #[arg(short, long, default_value = "", hide_default_value = true)]
    broker_name: String,
    /// Valid JSON object containing instance parameters, or @FILE.
    #[arg(
        short = 'c',
        long,
        value_name = "JSON",
        default_value = "",
        hide_default_value = true
    )]
    parameters: String,
    #[command(flatten)]
    output: flags::Output,
    #[command(flatten)]
    params: flags::Params,
    /// How calls to SM are performed: sync or async.
    #[arg(long, default_value = "async")]
    mode: String,
    #[command(flatten)]
    waiting: wait::Flags,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let [name, offering, plan, ..] = self.words.as_slice() else {
            return Err(bad("name, offering and plan are required"));
        };
        let format = self.output.format(global.compat)?;
        let parameters = parameters(&self.parameters)?;
        let call = Call::open(global, &self.params, Some(&self.mode)).await?;
        let service = self.offering(&call, offering).await?;
        let conditions = [
            format!("name eq {}", quoted(plan)),
            format!("service_offering_id eq {}", quoted(&service)),
        ];
        let plans = call
            .client
            .list(plan::PATH, &call.query.clone().fields(&conditions))
            .await?;
        let [found] = plans.as_slice() else {
            return Err(no_plan(&call, offering, &service, plan).await);
        };
        let body = Doc::map()
            .with("name", name)
            .with("service_id", service)
            .with("service_plan_id", found.str("id"))
            .with_some("parameters", parameters);
        let answer = call
            .client
            .post(instance::PATH, &call.query, &body)
            .await
            .doing(|| format!("the instance {name} was not made"))?;
        let message = format!("Service Instance {name} successfully scheduled for provisioning.");
        let exit = call
            .finished(Shape::Instance, answer, &format, &message, &self.waiting)
            .await?;
        let next =
            format!("smctl exec --service {name} -- COMMAND, or smctl bind {name} app --wait");
        output::next(global, &next);
        Ok(exit)
    }

    /// The id of the offering. Several may have the name; then the broker decides.
    async fn offering(&self, call: &Call<'_>, name: &str) -> Result<String, Problem> {
        let offerings = call.named(offering::PATH, name).await?;
        let first = match offerings.as_slice() {
            [] => {
                return Err(no_offering(call, name).await);
            }
            [one] => return Ok(one.str("id").to_owned()),
            [first, ..] => first,
        };
        if self.broker_name.is_empty() {
            return Err(Problem::new(
                Exit::Conflict,
                format!("more than one service offering with name {name} found. Use -b flag to specify broker name"),
            )
            .hint("smctl offering list -o wide"));
        }
        let brokers = call.named(broker::PATH, &self.broker_name).await?;
        let [broker] = brokers.as_slice() else {
            let what = format!(
                "exactly one broker with name {} expected, found {}",
                self.broker_name,
                brokers.len()
            );
            return Err(Problem::not_found(what).hint("smctl broker list"));
        };
        let owned = offerings
            .iter()
            .find(|offering| offering.str("broker_id") == broker.str("id"));
        match owned {
            Some(offering) => Ok(offering.str("id").to_owned()),
            // The old smctl took the first then, of whatever broker.
            None if call.global.compat => Ok(first.str("id").to_owned()),
            None => Err(Problem::not_found(format!(
                "the broker {} has no offering {name}",
                self.broker_name
            ))
            .hint("smctl offering list -o wide")),
        }
    }
}

/// What there is instead, so that a slip of the finger needs no second question.
async fn no_offering(call: &Call<'_>, name: &str) -> Problem {
    let all = call.client.list(offering::PATH, &Query::new()).await;
    let why = match known(&all.unwrap_or_default()) {
        names if names.is_empty() => "you see no offerings at all".to_owned(),
        names => format!("there are {names}"),
    };
    Problem::not_found(format!("there is no service offering {name}"))
        .old(format!("service offering with name {name} not found"))
        .why(why)
        .hint("smctl marketplace")
}

async fn no_plan(call: &Call<'_>, offering: &str, id: &str, name: &str) -> Problem {
    let query = Query::new().fields(&[format!("service_offering_id eq {}", quoted(id))]);
    let all = call.client.list(plan::PATH, &query).await;
    let why = match known(&all.unwrap_or_default()) {
        names if names.is_empty() => "you see none of its plans".to_owned(),
        names => format!("it has {names}"),
    };
    let old =
        format!("exactly one service plan with name {name} for offering with id {id} expected");
    Problem::not_found(format!("the offering {offering} has no plan {name}"))
        .old(old)
        .why(why)
        .hint(format!("smctl marketplace -s {offering}"))
}

/// Some names, and how many more.
fn known(docs: &[Doc]) -> String {
    const SOME: usize = 8;
    let names: Vec<_> = docs.iter().take(SOME).map(|doc| doc.str("name")).collect();
    let mut text = names.join(", ");
    if docs.len() > SOME {
        text.push_str(&format!(" and {} more", docs.len() - SOME));
    }
    text
}

/// Parameters as they were typed: JSON, or a file behind `@`.
pub(crate) fn parameters(typed: &str) -> Result<Option<Doc>, Problem> {
    if typed.is_empty() {
        return Ok(None);
    }
    let text = match typed.strip_prefix('@') {
        Some(file) => std::fs::read_to_string(file).map_err(|error| {
            Problem::usage(format!("{file} cannot be read")).why(error.to_string())
        })?,
        None => typed.to_owned(),
    };
    let doc = Doc::parse(text.as_bytes())
        .map_err(|error| Problem::usage("the parameters are no JSON").why(error.to_string()))?;
    Ok(Some(doc))
}
