//! What is said of an instance after each operation in each state, usable or not, against a table written by hand.

use qm_model::id::{InstanceId, OperationId, PlanId, PlatformId};
use qm_model::instance::Instance;
use qm_model::operation::{Family, Operation, State, Story, Verb};
use qm_model::{Kind, Labels, Meta, Time};
use qm_policy::condition::{self, Word};
use serde_json::json;

fn instance(ready: bool, usable: bool, platform: &str) -> Instance {
    let mut meta = Meta::new(Time(0), Labels::default());
    meta.ready = ready;
    Instance {
        id: InstanceId::stored("i1".to_owned()),
        name: "orders".to_owned(),
        plan_id: PlanId::stored("p1".to_owned()),
        platform_id: PlatformId::stored(platform.to_owned()),
        dashboard_url: None,
        maintenance_info: None,
        context: None,
        referenced_instance_id: None,
        shared: None,
        usable,
        meta,
    }
}

fn operation(verb: Verb, state: State) -> Operation {
    Operation {
        id: OperationId::stored("o1".to_owned()),
        verb,
        state,
        resource_kind: Kind::Instance,
        resource_id: "i1".to_owned(),
        platform_id: PlatformId::manager(),
        correlation_id: "c1".to_owned(),
        description: String::new(),
        errors: (state == State::Failed)
            .then(|| json!({"error": "BrokerError", "description": "it said no."})),
        created_at: Time(0),
        updated_at: Time(1),
        deadline: None,
        attempts: 1,
        due_at: (!state.is_terminal()).then_some(Time(5)),
        family: Family::default(),
        story: Story::default(),
    }
}

/// Whether it is ready and usable, what was done last; the word, and what the message offers.
type Line = (
    bool,
    bool,
    Option<(Verb, State)>,
    Word,
    &'static [&'static str],
);

#[test]
fn each_state_has_its_word_and_a_way_out() {
    use State::{Failed, InProgress, Pending, Succeeded};
    use Verb::{Create, Delete, Update};
    use Word::{
        CreateFailed, Creating, DeleteFailed, Deleting, Ready, Unusable, UpdateFailed, Updating,
    };
    let table: [Line; 18] = [
        (true, true, None, Ready, &[]),
        (true, false, None, Unusable, &["delete"]),
        (false, false, None, CreateFailed, &["delete"]),
        (false, false, Some((Create, Pending)), Creating, &[]),
        (false, false, Some((Create, InProgress)), Creating, &[]),
        (
            false,
            false,
            Some((Create, Failed)),
            CreateFailed,
            &["it said no", "Delete it and create it anew"],
        ),
        (true, true, Some((Create, Succeeded)), Ready, &[]),
        (true, true, Some((Update, InProgress)), Updating, &[]),
        (true, true, Some((Update, Succeeded)), Ready, &[]),
        (
            true,
            false,
            Some((Update, Succeeded)),
            Unusable,
            &["delete"],
        ),
        (
            true,
            true,
            Some((Update, Failed)),
            UpdateFailed,
            &["can be used", "/retry", "/rollback"],
        ),
        (
            true,
            false,
            Some((Update, Failed)),
            Unusable,
            &["cannot be used", "/retry", "/rollback"],
        ),
        (true, true, Some((Delete, Pending)), Deleting, &[]),
        (true, true, Some((Delete, InProgress)), Deleting, &[]),
        (
            true,
            true,
            Some((Delete, Failed)),
            DeleteFailed,
            &["can still be used, bound", "/undelete", "force=true"],
        ),
        (
            true,
            false,
            Some((Delete, Failed)),
            Unusable,
            &["cannot be used", "/undelete", "force=true"],
        ),
        (
            false,
            false,
            Some((Delete, Failed)),
            CreateFailed,
            &["deleting it failed", "was never finished", "force=true"],
        ),
        (true, true, Some((Delete, Succeeded)), Ready, &[]),
    ];
    for (ready, usable, last, word, offers) in table {
        let last = last.map(|(verb, state)| operation(verb, state));
        let said = condition::of(&instance(ready, usable, "service-manager"), last.as_ref());
        assert_eq!(said.word, word, "{last:?}");
        assert_eq!(said.message.is_none(), offers.is_empty(), "{said:?}");
        for offer in offers {
            let message = said.message.as_deref().unwrap();
            assert!(message.contains(offer), "{offer} in {message}");
        }
    }
}

#[test]
fn what_goes_on_by_itself_says_why_it_lasts() {
    let mut retried = operation(Verb::Delete, State::InProgress);
    retried.story.first_error = Some("it said no".to_owned());
    retried.story.last_error = Some("away".to_owned());
    let said = condition::of(&instance(true, true, "service-manager"), Some(&retried));
    assert_eq!(said.word, Word::Deleting);
    assert_eq!(
        said.message.unwrap(),
        "not done yet: it said no (and last: away). It is tried again by itself"
    );
}

#[test]
fn what_a_creation_left_is_deleted_before_anybody_is_asked_to_do_something() {
    for state in [State::InProgress, State::Failed] {
        let mut cleaning = operation(Verb::Create, state);
        cleaning.story.first_error = Some("it broke half way".to_owned());
        cleaning.story.cleaning_since = Some(Time(3));
        cleaning.due_at = Some(Time(5));
        let said = condition::of(&instance(false, false, "service-manager"), Some(&cleaning));
        assert_eq!(said.word, Word::CreateFailed);
        let message = said.message.unwrap();
        assert!(
            message.contains("it broke half way") && message.contains("is being deleted"),
            "{message}"
        );
        assert!(!message.contains("create it anew"), "{message}");
        // When that is done, it is the caller's turn.
        cleaning.state = State::Failed;
        cleaning.due_at = None;
        let said = condition::of(&instance(false, false, "service-manager"), Some(&cleaning));
        assert!(said.message.unwrap().contains("create it anew"));
    }
}

#[test]
fn nobody_is_offered_what_only_a_platform_can_do() {
    for verb in [Verb::Create, Verb::Update, Verb::Delete] {
        let failed = operation(verb, State::Failed);
        let said = condition::of(&instance(true, true, "k8s-1"), Some(&failed));
        let message = said.message.unwrap();
        assert!(
            message.contains("its platform's") && !message.contains("POST"),
            "{message}"
        );
    }
}

#[test]
fn a_cascade_that_failed_names_what_stood_in_its_way() {
    let mut failed = operation(Verb::Delete, State::Failed);
    let one = |message: &str| json!({"resource_type": "/v1/service_bindings", "resource_id": "b1", "message": message});
    failed.errors = Some(json!({"cascade_errors": [one("the broker is away"), one("later")]}));
    let said = condition::of(&instance(true, true, "service-manager"), Some(&failed));
    let message = said.message.unwrap();
    assert!(
        message.contains(
            "2 things that depend on it could not be deleted, the first because: the broker is away"
        ),
        "{message}"
    );
}
