//! Why an attempt to answer a query failed, and what may help.

use crate::Error;

/// What an attempt comes to.
pub(crate) type Attempt<T> = Result<T, Failure>;

/// An error, with what the loop that retries has to know about it.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub error: Error,
    /// Whether less work at a time needs less of what was missing.
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
    /// An error that less work at a time would not have met.
    pub(crate) fn of_too_much(error: Error) -> Self {
        Self { error, splits: true }
    }
}
