//! The driver that is a program: lines in, lines out, in any order.

use qm_conformance::platform::driver::Command;
use qm_conformance::platform::{Driver, State, Wish};

fn show(instance: &str) -> Wish {
    Wish::ShowInstance {
        broker: "b".to_owned(),
        instance: instance.to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_are_matched_by_id_and_noise_is_ignored() {
    // Takes two wishes, says something that is no answer, and answers the second wish first.
    let program = r#"read one; read two; echo "starting up"; echo '{"id":99,"state":"failed"}'
        echo '{"id":2,"state":"refused","description":"not now"}'
        case "$one" in *'"do":"show_instance"'*'"instance":"i-1"'*) ok=true;; *) ok=false;; esac
        echo '{"id":1,"state":"succeeded","exists":'$ok',"dashboard_url":"http://d"}'; cat > /dev/null"#;
    let driver = Command::start(program).unwrap();
    let (one, two) = tokio::join!(driver.fulfil(show("i-1")), driver.fulfil(Wish::Hello));
    assert_eq!(
        (one.state, one.exists),
        (State::Succeeded, Some(true)),
        "{one:?}"
    );
    assert_eq!(one.dashboard_url.as_deref(), Some("http://d"));
    assert_eq!(
        (two.state, two.description.as_str()),
        (State::Refused, "not now")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_ends_breaks_every_wish() {
    let driver = Command::start("read one; exit 3").unwrap();
    let told = driver.fulfil(Wish::Hello).await;
    assert_eq!(told.state, State::Broken, "{told:?}");
    let told = driver.fulfil(Wish::Hello).await;
    assert_eq!(told.state, State::Broken, "{told:?}");
}
