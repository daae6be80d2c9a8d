//! Errors of an attempt to answer a query, and what the retry loop has to know about them.

use crate::Error;

/// The result of an attempt.
pub(crate) type Attempt<T> = Result<T, Failure>;

/// An error, and whether splitting the query may avoid it.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub error: Error,
    /// Whether a smaller part of the query would need less of the resource that ran out.
    pub splits: bool,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { error, splits: false }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        failure.error
    }
}

impl Failure {
    /// An error that a smaller part of the query would not have met.
    pub(crate) fn of_too_much(error: Error) -> Self {
        Self { error, splits: true }
    }
}
