//! `smctl completion`: a script for the shell. The shell then asks smctl itself, so that names come from the server.

use crate::exit::Exit;
use crate::problem::Problem;
use clap::ValueEnum;
use clap_complete::env::Shells;

pub(super) const EXAMPLES: &str = "\
Examples:
  source <(smctl completion bash)                          # in ~/.bashrc
  source <(smctl completion zsh)                           # in ~/.zshrc
  smctl completion fish | source                           # in config.fish
  smctl completion powershell | Out-String | Invoke-Expression";

/// Flags of `smctl completion`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
    Powershell,
    Elvish,
}

/// The variable with which the shell calls smctl to complete.
pub(crate) const VARIABLE: &str = "SMCTL_COMPLETE";

impl Args {
    pub(super) fn run(self) -> Result<Exit, Problem> {
        let name = match self.shell {
            Shell::Bash => "bash",
            Shell::Zsh => "zsh",
            Shell::Fish => "fish",
            Shell::Powershell => "powershell",
            Shell::Elvish => "elvish",
        };
        let failed =
            |why: String| Problem::new(Exit::Failed, format!("no script for {name}")).why(why);
        let shells = Shells::builtins();
        let Some(shell) = shells.completer(name) else {
            return Err(failed("this smctl was built without it".to_owned()));
        };
        let mut script = Vec::new();
        shell
            .write_registration(VARIABLE, "smctl", "smctl", "smctl", &mut script)
            .map_err(|error| failed(error.to_string()))?;
        print!("{}", String::from_utf8_lossy(&script));
        Ok(Exit::Done)
    }
}
