//! The ways in which a request can be run, for checks that use all of them.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

use tangency::Request;
use tangency::batch::{ContactsQuery, OverlapsQuery, Query};

/// How a request is run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// By `run`, into a new result.
    Run,
    /// By `run_into`, into the result of an earlier query.
    Into,
    Await,
}

impl Ending {
    pub const ALL: [Self; 3] = [Self::Run, Self::Into, Self::Await];

    /// Runs a request in this way. Only [`Await`](Self::Await) does not block.
    pub async fn answer<Q: Query>(self, request: Request<'_, Q>, out: &mut Q::Output) -> tangency::Result<()> {
        match self {
            Self::Run => *out = request.run()?,
            Self::Into => request.run_into(out)?,
            Self::Await => *out = request.await?,
        }
        Ok(())
    }

    /// The answer to a request that is run in this way.
    pub fn of<Q: Query>(self, request: Request<'_, Q>) -> tangency::Result<Q::Output> {
        let mut out = Q::Output::default();
        pollster::block_on(self.answer(request, &mut out))?;
        Ok(out)
    }
}

/// The request, limited to overlapping pairs if `only`.
pub fn filtered(request: Request<'_, OverlapsQuery>, only: bool) -> Request<'_, OverlapsQuery> {
    if only { request.overlapping_only() } else { request }
}

/// The request for contacts, limited to overlapping pairs if `only`, and to the deepest point of each if `deepest`.
pub fn limited(request: Request<'_, ContactsQuery>, only: bool, deepest: bool) -> Request<'_, ContactsQuery> {
    let request = if only { request.overlapping_only() } else { request };
    if deepest { request.deepest_point_only() } else { request }
}

/// A boxed future.
pub type Work<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// Awaits all these futures at once on this thread. Returns the results in order.
pub fn together<T>(mut all: Vec<Work<'_, T>>) -> Vec<T> {
    let mut done: Vec<Option<T>> = all.iter().map(|_| None).collect();
    pollster::block_on(poll_fn(|context| {
        for (work, done) in all.iter_mut().zip(&mut done).filter(|(_, done)| done.is_none()) {
            if let Poll::Ready(value) = work.as_mut().poll(context) {
                *done = Some(value);
            }
        }
        if done.iter().all(Option::is_some) { Poll::Ready(()) } else { Poll::Pending }
    }));
    done.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tangency::{BackendKind, Engine, scenes};

    #[test]
    fn every_ending_gives_the_answer() {
        let engine = Engine::builder().backend(BackendKind::Cpu).build().unwrap();
        let bodies = scenes::random(3, 400).unwrap();
        let expected = engine.overlaps(&bodies).run().unwrap();
        let clashes = engine.overlaps(&bodies).overlapping_only().run().unwrap();
        assert!(expected != clashes);
        for ending in Ending::ALL {
            assert!(ending.of(filtered(engine.overlaps(&bodies), false)).unwrap() == expected, "{ending:?}");
            assert!(ending.of(filtered(engine.overlaps(&bodies), true)).unwrap() == clashes, "{ending:?}");
        }
    }

    /// Three boxes in a row: the first two touch, the last two overlap.
    #[test]
    fn contacts_are_limited_as_asked() {
        let engine = Engine::builder().backend(BackendKind::Cpu).build().unwrap();
        let mut bodies = tangency::Bodies::new();
        for (from, to) in [(0.0, 1.0), (1.0, 2.0), (1.75, 3.0)] {
            bodies.push(tangency::shape::Aabb::new([from, 0.0, 0.0], [to, 1.0, 1.0]).unwrap()).unwrap();
        }
        for (only, deepest, points) in
            [(false, false, &[4, 4][..]), (false, true, &[1, 1]), (true, false, &[4]), (true, true, &[1])]
        {
            let contacts = limited(engine.contacts(&bodies), only, deepest).run().unwrap();
            let found: Vec<usize> = contacts.manifolds().iter().map(|manifold| manifold.points().len()).collect();
            assert_eq!(found, points, "{only} {deepest}");
        }
    }

    /// Each future waits for the other, so that both must be polled.
    #[test]
    fn all_are_awaited_at_once() {
        let turn = std::cell::Cell::new(0);
        let work = |mine: usize| -> Work<'_, usize> {
            let turn = &turn;
            Box::pin(poll_fn(move |context| {
                if turn.get() >= mine {
                    turn.set(turn.get().max(mine + 1));
                    return Poll::Ready(mine);
                }
                context.waker().wake_by_ref();
                Poll::Pending
            }))
        };
        assert_eq!(together(vec![work(2), work(1), work(0)]), [2, 1, 0]);
        assert!(together::<()>(Vec::new()).is_empty());
    }
}
