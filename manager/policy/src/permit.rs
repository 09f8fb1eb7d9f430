//! The proof that somebody asked. The store wants to see one; only this crate can make one.

use crate::Scope;
use std::marker::PhantomData;

/// The right to look.
#[derive(Debug, Clone, Copy)]
pub enum Read {}

/// The right to change.
#[derive(Debug, Clone, Copy)]
pub enum Change {}

/// The right of a platform to speak to a broker through its door.
#[derive(Debug, Clone, Copy)]
pub enum Door {}

/// The right to do `D` to what lies in the scope.
#[derive(Debug, Clone)]
pub struct Permit<D> {
    scope: Scope,
    deed: PhantomData<fn(D)>,
}

impl<D> Permit<D> {
    pub(crate) fn new(scope: Scope) -> Self {
        Self {
            scope,
            deed: PhantomData,
        }
    }

    /// What the right extends to.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }
}
