//! The help text. Printed by `cargo xtask`, `cargo xtask --help` and `cargo xtask COMMAND --help`.

pub(crate) const TEXT: &str = "\
Quartermaster's commands: `cargo xtask COMMAND`

  up [--listen ADDR]            start the Service Manager with an example broker registered, on a
                                scratch PostgreSQL server, and say what to type; Ctrl-C stops all
  test [--no-check] [-- ARGS]   bring what the tests need, run every check, then every test;
                                ARGS go to `cargo test`, e.g. `-- -p qm-db leases`

  check [NAME...]               run the checks, or only the named ones; `check --list` names them
  generate                      write the generated files that `check` compares
  setup                         only bring what the tests need from this machine
  bench NAME [ARGS]             measure, in a release build
  oracle [--write]              build the Go programs that say what templates give, and compare the
                                golden files with them, or write those
  fuzz [TARGET] [--seconds N]   fuzz one target, or each one for N seconds (default 60)

As root, `up`, `test` and `setup` install missing Debian packages and say which and why.
Otherwise they print the line to run.

  QM_CACHE           build output and downloads shared by all clones; default ~/.cache/quartermaster
  CARGO_TARGET_DIR   a build folder of your own instead
  CI                 when set, a test that lacks its component fails instead of skipping";
