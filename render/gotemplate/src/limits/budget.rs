//! What is left of the limits while an execution runs. One budget goes through nested executions,
//! so that a template cannot get more by rendering itself.

use std::sync::Arc;

use super::Limits;
use crate::error::Limit;
use crate::function::Failure;

/// How many steps go between two looks at the clock.
const BETWEEN_CHECKS: u32 = 512;
/// What a nested execution counts in depth.
const RENDER_DEPTH: u32 = 8;

/// Says whether time is up.
pub(crate) type Check = Arc<dyn Fn() -> bool + Send + Sync>;

pub(crate) struct Budget {
    pub(crate) limits: Limits,
    steps: u64,
    until_check: u32,
    memory: usize,
    depth: u32,
    written: usize,
    check: Option<Check>,
}

impl Budget {
    pub(crate) fn new(limits: Limits, check: Option<Check>) -> Self {
        Self {
            limits,
            steps: limits.steps,
            until_check: BETWEEN_CHECKS,
            memory: limits.memory_bytes,
            depth: 0,
            written: 0,
            check,
        }
    }

    /// One step more.
    #[inline]
    pub(crate) fn step(&mut self) -> Result<(), Failure> {
        if self.steps == 0 {
            return Err(exceeded(Limit::Steps, "steps", self.limits.steps));
        }
        self.steps -= 1;
        self.until_check -= 1;
        if self.until_check == 0 {
            self.look()
        } else {
            Ok(())
        }
    }

    pub(crate) fn steps(&mut self, count: u64) -> Result<(), Failure> {
        if self.steps < count {
            return Err(exceeded(Limit::Steps, "steps", self.limits.steps));
        }
        self.steps -= count;
        if count > u64::from(BETWEEN_CHECKS) {
            self.look()?;
        }
        Ok(())
    }

    #[cold]
    fn look(&mut self) -> Result<(), Failure> {
        self.until_check = BETWEEN_CHECKS;
        match &self.check {
            Some(late) if late() => {
                Err(Failure::limit(Limit::Deadline, "exceeded the time allowed"))
            }
            _ => Ok(()),
        }
    }

    /// A value of this size is about to be made, or was made.
    pub(crate) fn value(&mut self, bytes: usize) -> Result<(), Failure> {
        if bytes > self.limits.value_bytes {
            let bound = self.limits.value_bytes as u64;
            return Err(exceeded(Limit::Value, "bytes of one value", bound));
        }
        match self.memory.checked_sub(bytes) {
            Some(left) => self.memory = left,
            None => {
                let bound = self.limits.memory_bytes as u64;
                return Err(exceeded(Limit::Memory, "bytes of values", bound));
            }
        }
        Ok(())
    }

    /// The output has grown to this, besides what enclosing executions have written.
    #[inline]
    pub(crate) fn output(&self, bytes: usize) -> Result<(), Failure> {
        if self.written + bytes > self.limits.output_bytes {
            let bound = self.limits.output_bytes as u64;
            return Err(exceeded(Limit::Output, "bytes of output", bound));
        }
        Ok(())
    }

    /// One nested expression deeper.
    pub(crate) fn enter(&mut self) -> Result<(), Failure> {
        self.deeper(1)
    }

    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// One nested execution deeper; what the outer one has written counts on. Returns the depth to
    /// go back to: an execution that fails does not count down by itself.
    pub(crate) fn enter_render(&mut self, written: usize) -> Result<u32, Failure> {
        let before = self.depth;
        self.deeper(RENDER_DEPTH)?;
        self.written += written;
        Ok(before)
    }

    pub(crate) fn leave_render(&mut self, before: u32, written: usize) {
        self.depth = before;
        self.written -= written;
    }

    fn deeper(&mut self, by: u32) -> Result<(), Failure> {
        if self.depth + by > self.limits.depth {
            return Err(Failure::limit(
                Limit::Depth,
                "max expression depth exceeded",
            ));
        }
        self.depth += by;
        Ok(())
    }
}

#[cold]
fn exceeded(limit: Limit, what: &str, bound: u64) -> Failure {
    Failure::limit(limit, format!("exceeded the limit of {bound} {what}"))
}
