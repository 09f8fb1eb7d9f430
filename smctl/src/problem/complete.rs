//! What to say where a command said only half: no error is told without a reason and a way on.

use super::Problem;
use crate::cli;
use crate::exit::Exit;

impl Problem {
    /// The same with a reason and something to type, whatever was left out.
    pub(crate) fn completed(mut self) -> Self {
        let (why, hint) = otherwise(self.exit);
        self.why.get_or_insert(why);
        self.hint.get_or_insert(hint);
        self
    }
}

fn otherwise(exit: Exit) -> (String, String) {
    let closer = "smctl doctor looks at everything between here and a service";
    let (why, hint) = match exit {
        Exit::Usage => {
            let (path, usage) = cli::typed();
            return (format!("it is used so: {usage}"), format!("{path} --help"));
        }
        Exit::NotFound => (
            "nothing that you may see is called so",
            "check the name; smctl NOUN list shows what there is",
        ),
        Exit::Conflict => (
            "something else is in the way",
            "smctl NOUN list shows what there is",
        ),
        Exit::Auth => ("the login does not allow it", "smctl login"),
        Exit::Refused => (
            "the other side does not take it as it is",
            "the same with --verbose shows what was sent",
        ),
        Exit::Interrupted => ("a signal came", "the same again, when it suits you"),
        Exit::OperationFailed => ("the broker did not say why", "smctl operation list"),
        Exit::Timeout => ("it took too long", closer),
        Exit::Unreachable => ("there was no answer", closer),
        Exit::Done | Exit::Failed | Exit::Of(_) => (
            "it could not be done here",
            "the same with --verbose shows what was sent and answered",
        ),
    };
    (why.to_owned(), hint.to_owned())
}

#[cfg(test)]
mod tests {
    use super::Problem;
    use crate::exit::Exit;

    #[test]
    fn every_error_has_three_lines() {
        for (exit, _) in Exit::ALL {
            let told = Problem::new(exit, "what").completed().told();
            let lines: Vec<_> = told.lines().collect();
            assert_eq!(lines[0], "Error: what");
            assert!(lines[1].starts_with("  why: "), "{told}");
            assert!(lines[2].starts_with("  try: "), "{told}");
        }
        let own = Problem::usage("what").why("because").hint("this");
        assert_eq!(own.clone().completed(), own);
    }
}
