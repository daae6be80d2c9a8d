//! Questions that wait to be answered, and the ways to have them answered.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::backends::Backends;
use super::query::Query;
use crate::Result;
#[cfg(not(target_family = "wasm"))]
use crate::crew::{self, Outcome};

/// A question that an [`Engine`](crate::Engine) was asked. It does nothing until it is run or awaited.
///
/// Every query ends in one of these ways; options, where it has any, are methods that come before:
///
/// ```
/// use tangency::{Bodies, Engine, Overlaps, shape::Sphere};
///
/// let engine = Engine::new()?;
/// let mut bodies = Bodies::new();
/// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([2.0, 0.0, 0.0], 1.0)?])?;
///
/// let hits = engine.overlaps(&bodies).run()?; // blocks, and returns a new result
/// let mut kept = Overlaps::new();
/// engine.overlaps(&bodies).run_into(&mut kept)?; // blocks, and reuses the memory of a result
/// let awaited = pollster::block_on(async { engine.overlaps(&bodies).await })?; // does not block
/// assert!(hits == kept && hits == awaited);
///
/// let clashes = engine.overlaps(&bodies).overlapping_only().run()?; // they only touch
/// assert!(clashes.is_empty());
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone)]
#[must_use = "a request does nothing until it is run or awaited"]
pub struct Request<'a, Q> {
    backends: Arc<Backends>,
    pub(super) query: Q,
    /// What the question is about cannot change before it is answered.
    borrowed: PhantomData<&'a ()>,
}

impl<Q: fmt::Debug> fmt::Debug for Request<'_, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request").field("query", &self.query).finish_non_exhaustive()
    }
}

impl<'a, Q: Query> Request<'a, Q> {
    pub(crate) fn new(backends: &Arc<Backends>, query: Q) -> Self {
        Self { backends: Arc::clone(backends), query, borrowed: PhantomData }
    }

    #[cfg(feature = "gpu")]
    pub(super) fn backends(&self) -> &Backends {
        &self.backends
    }

    /// The same request with another query.
    pub(super) fn map(self, change: impl FnOnce(Q) -> Q) -> Self {
        Self { query: change(self.query), ..self }
    }

    /// A request with another kind of query.
    pub(super) fn map_into<R>(self, change: impl FnOnce(Q) -> R) -> Request<'a, R> {
        Request { backends: self.backends, query: change(self.query), borrowed: PhantomData }
    }

    /// Answers the question. The calling thread waits for it.
    /// (A page in a browser cannot wait for its GPU: there it is `.await`.)
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// assert_eq!(Engine::new()?.overlaps(&bodies).run()?.to_vec(), [[0, 1], [0, 2], [1, 2]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// What the query says about its arguments. Of a GPU that was asked for: [`DeviceMemory`](crate::Error::DeviceMemory),
    /// [`Incomplete`](crate::Error::Incomplete), [`Device`](crate::Error::Device) and, for answers with floats (contacts, rays, distances, sweeps),
    /// [`UnequalBits`](crate::Error::UnequalBits); one that was chosen automatically gives way to the CPU
    /// (`docs/robustness.md`).
    pub fn run(self) -> Result<Q::Output> {
        let mut out = Q::Output::default();
        self.run_into(&mut out)?;
        Ok(out)
    }

    /// Answers the question into a result of the caller's, whose memory is used again. After an error it may hold anything.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Overlaps, shape::Sphere};
    /// let (engine, mut bodies, mut hits) = (Engine::new()?, Bodies::new(), Overlaps::new());
    /// for step in 0..3 {
    ///     bodies.push(Sphere::new([step as f32, 0.0, 0.0], 0.5)?)?;
    ///     engine.overlaps(&bodies).run_into(&mut hits)?;
    ///     assert_eq!(hits.len(), step);
    /// }
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_into(self, out: &mut Q::Output) -> Result<()> {
        self.query.check()?;
        let Self { backends, query, .. } = self;
        answer_into(&backends, query, out)
    }

    /// Answers another question of the same kind, which has been checked.
    pub(super) fn answer_into(&self, query: Q, out: &mut Q::Output) -> Result<()> {
        answer_into(&self.backends, query, out)
    }
}

/// Answers a question that has been checked.
#[cfg_attr(not(feature = "gpu"), expect(clippy::needless_pass_by_value, reason = "only a GPU is asked elsewhere"))]
fn answer_into<Q: Query>(backends: &Arc<Backends>, query: Q, out: &mut Q::Output) -> Result<()> {
    #[cfg(all(feature = "gpu", not(target_family = "wasm")))]
    if backends.is_timed(query.size()) {
        return backends.answer_in_time(&query.into_owned(), out);
    }
    pollster::block_on(backends.answer(&query, out))
}

impl<'a, Q: Query> IntoFuture for Request<'a, Q> {
    type Output = Result<Q::Output>;
    type IntoFuture = Answer<'a, Q::Output>;

    /// Asks without blocking. The work begins when the future is first polled, on threads of the engine, so that several questions
    /// are answered at the same time. (In a browser it is done by the browser, between other tasks.)
    ///
    /// Dropping the future is safe at any time: what has begun comes to its end unseen, and the next query finds the memory again.
    fn into_future(self) -> Self::IntoFuture {
        let Self { backends, query, .. } = self;
        Answer::new(backends, query.into_owned())
    }
}

/// Checks and answers a question that owns all it needs.
async fn ask<Q: Query + Clone + Send + 'static>(backends: Arc<Backends>, query: Q) -> Result<Q::Output> {
    query.check()?;
    let mut out = Q::Output::default();
    #[cfg(all(feature = "gpu", not(target_family = "wasm")))]
    if backends.is_timed(query.size()) {
        return backends.answer_in_time(&query, &mut out).map(|()| out);
    }
    backends.answer(&query, &mut out).await?;
    Ok(out)
}

/// The future of a [`Request`] that is awaited.
///
/// ```
/// use std::future::IntoFuture;
/// use tangency::{Bodies, Engine, Overlaps, batch::Answer};
///
/// let (engine, bodies) = (Engine::new()?, Bodies::new());
/// let answer: Answer<'_, Overlaps> = engine.overlaps(&bodies).into_future();
/// assert!(pollster::block_on(answer)?.is_empty());
/// # Ok::<(), tangency::Error>(())
/// ```
#[must_use = "futures do nothing unless they are polled"]
pub struct Answer<'a, T> {
    state: State<T>,
    borrowed: PhantomData<&'a ()>,
}

impl<T> fmt::Debug for Answer<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer").finish_non_exhaustive()
    }
}

#[cfg(not(target_family = "wasm"))]
enum State<T> {
    New(Box<dyn FnOnce() -> Outcome<Result<T>> + Send>),
    UnderWay(Outcome<Result<T>>),
    /// Only while the work is being started.
    Starting,
}

/// A browser has one thread, and calls back when the device is done.
#[cfg(target_family = "wasm")]
struct State<T>(Pin<Box<dyn Future<Output = Result<T>>>>);

#[cfg(not(target_family = "wasm"))]
impl<T: Send + 'static> Answer<'_, T> {
    fn new<Q: Query<Output = T> + Clone + Send + 'static>(backends: Arc<Backends>, query: Q) -> Self {
        let start = move || {
            let (threads, waits) = (Arc::clone(&backends), backends.waits_for_device(query.size()));
            let spawn = move |job| if waits { crew::spawn(job) } else { threads.pool.spawn(job) };
            Outcome::of(move || pollster::block_on(ask(backends, query)), spawn)
        };
        Self { state: State::New(Box::new(start)), borrowed: PhantomData }
    }
}

#[cfg(target_family = "wasm")]
impl<T: 'static> Answer<'_, T> {
    fn new<Q: Query<Output = T> + Clone + Send + 'static>(backends: Arc<Backends>, query: Q) -> Self {
        Self { state: State(Box::pin(ask(backends, query))), borrowed: PhantomData }
    }
}

impl<T> Future for Answer<'_, T> {
    type Output = Result<T>;

    #[cfg(not(target_family = "wasm"))]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if matches!(self.state, State::New(_))
            && let State::New(start) = std::mem::replace(&mut self.state, State::Starting)
        {
            self.state = State::UnderWay(start());
        }
        match &mut self.state {
            State::UnderWay(outcome) => Pin::new(outcome).poll(context),
            State::New(_) | State::Starting => Poll::Pending,
        }
    }

    #[cfg(target_family = "wasm")]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.state.0.as_mut().poll(context)
    }
}
