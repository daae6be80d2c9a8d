//! What a batch query is.

use crate::Result;
use crate::parallel::Pool;

/// A question about whole sets of bodies, which an [`Engine`](crate::Engine) answers as a [`Request`](super::Request).
///
/// This library alone implements it, once a question.
///
/// ```
/// use tangency::{Bodies, Engine, Request, Result, batch::Query};
///
/// fn twice<Q: Query + Clone>(request: Request<'_, Q>) -> Result<[Q::Output; 2]> {
///     Ok([request.clone().run()?, request.run()?])
/// }
/// let [first, second] = twice(Engine::new()?.overlaps(&Bodies::new()))?;
/// assert!(first == second);
/// # Ok::<(), tangency::Error>(())
/// ```
pub trait Query: sealed::Sealed + Sized + Sync {
    /// What the answer is.
    type Output: Default + Send + 'static;

    /// The same question with all that it borrows copied, so that it can be answered while the caller does something else.
    #[doc(hidden)]
    type Owned: Query<Output = Self::Output> + Clone + Send + 'static;

    #[doc(hidden)]
    fn into_owned(self) -> Self::Owned;

    /// Whether the question can be answered at all.
    #[doc(hidden)]
    fn check(&self) -> Result<()>;

    /// How many bodies or pairs it is about: few are answered by the CPU before a GPU would have begun.
    #[doc(hidden)]
    fn size(&self) -> usize;

    /// The answer by its definition, which shares nothing with the other two ways.
    #[doc(hidden)]
    fn by_brute_force(&self, out: &mut Self::Output);

    #[doc(hidden)]
    fn on_cpu(&self, pool: &Pool, out: &mut Self::Output) -> Result<()>;

    /// In a box, so that what it does is compiled with this library, and not once more with every program that asks.
    #[cfg(feature = "gpu")]
    #[doc(hidden)]
    fn on_gpu<'a>(&'a self, context: crate::gpu::Context<'a>, out: &'a mut Self::Output) -> Work<'a>;
}

/// What a GPU is about to do for a query.
#[cfg(feature = "gpu")]
#[doc(hidden)]
pub type Work<'a> = std::pin::Pin<Box<dyn Future<Output = Result<()>> + 'a>>;

pub(super) mod sealed {
    /// Keeps others from implementing [`Query`](super::Query), whose hidden methods may change.
    pub trait Sealed {}
}
