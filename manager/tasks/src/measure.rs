//! Shows what only the store knows: operations by state and age, how many have ended and how, the outbox.

use crate::tasks::Kit;
use qm_model::Error;
use qm_store::Ended;

pub(crate) async fn run(kit: Kit) -> Result<(), Error> {
    let now = kit.deeds.now();
    let (operations, position) = kit
        .store
        .read(async move |tx| {
            let operations = qm_store::operation::counts(tx).await?;
            let position = qm_store::outbox::position(tx).await?;
            Ok::<_, Error>((operations, position))
        })
        .await?;
    for (state, count, oldest) in operations {
        #[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
        let count = count as f64;
        metrics::gauge!("qm_operations", "state" => state.word()).set(count);
        let age = oldest.map_or(0.0, |oldest| now.since(oldest).as_secs_f64());
        metrics::gauge!("qm_operations_oldest_seconds", "state" => state.word()).set(age);
    }
    for (Ended { kind, verb, state }, count) in kit.store.ended() {
        metrics::counter!("qm_operations_ended_total",
            "resource" => kind.noun(), "type" => verb.word(), "state" => state.word())
        .absolute(count);
    }
    #[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
    metrics::gauge!("qm_outbox_trimmed_revision").set(position.trimmed as f64);
    Ok(())
}
