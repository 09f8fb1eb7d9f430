//! What the functions need from the world: the clock, randomness, the local time zone, and, when the
//! caller allows it, environment variables and name resolution. `functions` takes one of these.
//!
//! The rule: nothing in this crate asks the system itself, except the generator of private keys.

use std::sync::Arc;

use qm_gotemplate::Failure;

type Clock = dyn Fn() -> Moment + Send + Sync;
type Random = dyn Fn(&mut [u8]) -> Result<(), String> + Send + Sync;
type Environment = dyn Fn(&str) -> Option<String> + Send + Sync;
type Resolver = dyn Fn(&str) -> Vec<String> + Send + Sync;

/// A point in time: seconds since 1970 in UTC, and nanoseconds within the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    /// Seconds since 1970; negative before.
    pub seconds: i64,
    /// Nanoseconds, below a thousand million.
    pub nanos: u32,
}

/// The sources that functions draw from.
#[derive(Clone)]
pub struct Outside {
    clock: Arc<Clock>,
    random: Arc<Random>,
    zone: Arc<str>,
    environment: Option<Arc<Environment>>,
    resolver: Option<Arc<Resolver>>,
}

impl Outside {
    /// A clock and a source of random bytes fit for secrets. The local zone is UTC.
    pub fn new(
        clock: impl Fn() -> Moment + Send + Sync + 'static,
        random: impl Fn(&mut [u8]) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        Self {
            clock: Arc::new(clock),
            random: Arc::new(random),
            zone: "UTC".into(),
            environment: None,
            resolver: None,
        }
    }

    /// The zone that `date` and `toDate` mean by local, by its name in the IANA database.
    #[must_use]
    pub fn local_zone(mut self, name: &str) -> Self {
        self.zone = name.into();
        self
    }

    /// Allows `env` and `expandenv`, which read here.
    #[must_use]
    pub fn environment(
        mut self,
        read: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.environment = Some(Arc::new(read));
        self
    }

    /// Allows `getHostByName`, which asks here for addresses.
    #[must_use]
    pub fn resolver(
        mut self,
        resolve: impl Fn(&str) -> Vec<String> + Send + Sync + 'static,
    ) -> Self {
        self.resolver = Some(Arc::new(resolve));
        self
    }

    pub(crate) fn now(&self) -> Moment {
        (self.clock)()
    }

    pub(crate) fn zone_name(&self) -> &str {
        &self.zone
    }

    pub(crate) fn environment_reader(&self) -> Option<Arc<Environment>> {
        self.environment.clone()
    }

    pub(crate) fn name_resolver(&self) -> Option<Arc<Resolver>> {
        self.resolver.clone()
    }

    /// Fills with random bytes.
    pub(crate) fn fill(&self, buffer: &mut [u8]) -> Result<(), Failure> {
        (self.random)(buffer).map_err(Failure::new)
    }

    /// A number below `bound`, each with the same chance.
    pub(crate) fn below(&self, bound: u64) -> Result<u64, Failure> {
        if bound < 2 {
            return Ok(0);
        }
        // Numbers at the top of the range that would favour small remainders are drawn again.
        let fair = u64::MAX - u64::MAX % bound;
        loop {
            let mut bytes = [0; 8];
            self.fill(&mut bytes)?;
            let drawn = u64::from_le_bytes(bytes);
            if drawn < fair {
                return Ok(drawn % bound);
            }
        }
    }
}

impl std::fmt::Debug for Outside {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Outside")
            .field("zone", &self.zone)
            .field("environment", &self.environment.is_some())
            .field("resolver", &self.resolver.is_some())
            .finish_non_exhaustive()
    }
}
