//! Starts the real manager and talks to it. Every test of this binary stands on it.
//!
//! ```text
//! on_both_engines!(the_name);
//!
//! async fn the_name(engine: Engine) {
//!     let manager = Manager::start(engine).await;
//!     let admin = manager.admin();
//!     admin.get("/v1/platforms").await.expect(200);
//! }
//! ```
//!
//! The rule: a test knows the manager by its doors, its files and its output alone. Where a state cannot be
//! reached through a door yet, [`Manager::sql`] writes it.

pub(crate) mod answer;
pub(crate) mod brokers;
pub(crate) mod client;
pub(crate) mod engine;
pub(crate) mod login;
pub(crate) mod manager;
pub(crate) mod platforms;
pub(crate) mod setup;
pub(crate) mod socket;
pub(crate) mod wait;

pub(crate) use answer::Answer;
pub(crate) use client::{Client, query};
pub(crate) use engine::Engine;
pub(crate) use manager::Manager;
pub(crate) use platforms::Platform;
pub(crate) use setup::Setup;
pub(crate) use socket::{Refused, Socket};
pub(crate) use wait::eventually;

/// Makes a test of each function for each engine: `sqlite::NAME` and `postgres::NAME`. Without PostgreSQL on
/// the machine the second one says so and passes, or fails where `CI` is set.
macro_rules! on_both_engines {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(
                #[tokio::test]
                async fn $name() {
                    super::$name($crate::harness::Engine::Sqlite).await;
                }
            )+
        }

        mod postgres {
            $(
                #[tokio::test]
                async fn $name() {
                    let engine = $crate::harness::Engine::Postgres;
                    if engine.is_here().await {
                        super::$name(engine).await;
                    }
                }
            )+
        }
    };
}
