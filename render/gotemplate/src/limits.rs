//! What one execution may take. The defaults are safe on a stack of 2 MiB, also in a debug build.

mod budget;

pub(crate) use budget::Budget;

/// Bounds of one execution, nested executions included. Reaching one ends it with
/// [`Error::Limit`](crate::Error::Limit).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Nested parentheses, when parsing and when executing; a function that renders a template
    /// counts as eight. Raise it only on a larger stack.
    pub depth: u32,
    /// Templates under way at once through `{{template}}`; Go's own bound is the default. They take
    /// memory, not stack.
    pub calls: u32,
    /// Steps: actions, loop rounds and calls.
    pub steps: u64,
    /// Bytes of output.
    pub output_bytes: usize,
    /// Bytes of one value that a function makes.
    pub value_bytes: usize,
    /// Bytes of all values that functions make, whether still held or not.
    pub memory_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: 200,
            calls: 100_000,
            steps: 5_000_000,
            output_bytes: 64 << 20,
            value_bytes: 16 << 20,
            memory_bytes: 256 << 20,
        }
    }
}
