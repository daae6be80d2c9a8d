//! Answers in parts, for those that are larger than memory.

use std::convert::Infallible;
use std::ops::{ControlFlow, Range};

use super::query::Query;
use super::request::Request;
use crate::{Error, Result};

/// A question whose answer has a row for each body, so that it can be had [in parts](Request::for_each_part).
///
/// This library alone implements it.
///
/// ```
/// use tangency::{Bodies, Engine, Request, Result, batch::RowQuery};
///
/// fn parts<Q: RowQuery>(request: Request<'_, Q>) -> Result<usize> {
///     let mut parts = 0;
///     request.for_each_part(|_| parts += 1)?;
///     Ok(parts)
/// }
/// assert_eq!(parts(Engine::new()?.candidates(&Bodies::new()))?, 0);
/// # Ok::<(), tangency::Error>(())
/// ```
pub trait RowQuery: Query + Clone {
    /// The most pairs of a part.
    #[doc(hidden)]
    const MOST_PAIRS: u64;

    /// How many rows there are.
    #[doc(hidden)]
    fn rows(&self) -> usize;

    /// The same question, about a set that is prepared once for all parts.
    #[doc(hidden)]
    #[must_use]
    fn kept(self) -> Self;

    /// The question about some rows. More than [`MOST_PAIRS`](Self::MOST_PAIRS) in several rows are an error.
    #[doc(hidden)]
    #[must_use]
    fn of_rows(&self, rows: Range<usize>) -> Self;

    /// How many pairs there are in an answer.
    #[doc(hidden)]
    fn pairs(out: &Self::Output) -> usize;
}

/// Rows of the first part: of a set in which each body meets each other, with ids of 14 bits.
const FIRST_ROWS: usize = 256;

/// How many rows to ask for next, given that so many had so many pairs: for about half as many pairs as there may be.
fn next_rows(rows: usize, pairs: usize, most: u64) -> usize {
    let wanted = rows as u128 * u128::from(most / 2) / (pairs.max(1) as u128);
    (wanted.min(4 * rows as u128) as usize).max(1)
}

impl<Q: RowQuery> Request<'_, Q> {
    /// Answers the question in parts, each of which is handed to `part` and then forgotten: an answer of any number of pairs takes
    /// bounded memory.
    ///
    /// A part has the rows of some consecutive bodies, with the ids of the whole set, and parts come in order: all of them one after
    /// the other are what [`run`](Self::run) returns, on every backend. A part has at most 4,194,304 pairs, 262,144 contacts, or 1,048,576 distances, nearest bodies or times,
    /// unless it is the row of one body. Parts without pairs are left out. Each pair is found from both of its bodies, so that this
    /// takes up to twice as long as `run`.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 1000])?; // each meets each
    /// let mut pairs = 0;
    /// Engine::new()?.overlaps(&bodies).for_each_part(|rows| pairs += rows.len())?;
    /// assert_eq!(pairs, 1000 * 999 / 2);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`run`](Self::run). The parts that came before were right.
    pub fn for_each_part(self, mut part: impl FnMut(&Q::Output)) -> Result<()> {
        let all = self.try_for_each_part(|rows| {
            part(rows);
            ControlFlow::<Infallible>::Continue(())
        });
        all.map(|_| ())
    }

    /// Answers the question in parts, as [`for_each_part`](Self::for_each_part) does, until `part` says that it has seen enough.
    ///
    /// ```
    /// # use std::ops::ControlFlow;
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 100])?;
    /// let found = Engine::new()?.overlaps(&bodies).try_for_each_part(|rows| match rows.pairs().next() {
    ///     Some(pair) => ControlFlow::Break(pair),
    ///     None => ControlFlow::Continue(()),
    /// })?;
    /// assert_eq!(found, ControlFlow::Break((0, 1)));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`run`](Self::run). The parts that came before were right.
    pub fn try_for_each_part<B>(self, mut part: impl FnMut(&Q::Output) -> ControlFlow<B>) -> Result<ControlFlow<B>> {
        self.query.check()?;
        let request = self.map(Q::kept);
        let (all, mut out) = (request.query.rows(), Q::Output::default());
        let (mut first, mut rows) = (0, FIRST_ROWS);
        while first < all {
            let end = all.min(first + rows);
            match request.answer_into(request.query.of_rows(first..end), &mut out) {
                Ok(()) => {
                    let pairs = Q::pairs(&out);
                    if pairs > 0
                        && let ControlFlow::Break(value) = part(&out)
                    {
                        return Ok(ControlFlow::Break(value));
                    }
                    rows = next_rows(end - first, pairs, Q::MOST_PAIRS);
                    first = end;
                }
                Err(Error::AnswerTooLarge { .. } | Error::TooManyPairs { .. }) if end - first > 1 => {
                    rows = (end - first) / 2;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_as_many_as_have_half_the_pairs_that_there_may_be() {
        assert_eq!(next_rows(256, 0, 1000), 1024);
        assert_eq!(next_rows(256, 500, 1000), 256);
        assert_eq!(next_rows(256, 1000, 1000), 128);
        assert_eq!(next_rows(1, usize::MAX, 1000), 1);
        assert_eq!(next_rows(1 << 30, 1, 1 << 22), 1 << 32);
    }
}
