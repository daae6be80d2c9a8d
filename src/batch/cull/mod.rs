//! Which bodies lie in this frustum?

#[cfg(feature = "gpu")]
pub(super) mod gpu;

use std::borrow::Cow;

use super::query::{Query, sealed};
use super::set::{Set, SharedSet};
use crate::parallel::Pool;
use crate::query::side;
use crate::shape::Plane;
use crate::{Error, Result, Side};

/// Which bodies lie in this frustum? Asked by [`Engine::cull`](crate::Engine::cull).
///
/// ```
/// # use tangency::{Bodies, Engine, Request, batch::CullQuery};
/// # let bodies = Bodies::new();
/// let request: Request<'_, CullQuery<'_>> = Engine::new()?.cull(&bodies, &[]);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CullQuery<'a> {
    pub(super) set: SharedSet,
    pub(super) planes: Cow<'a, [Plane]>,
}

impl<'a> CullQuery<'a> {
    pub(crate) fn new(set: Set<'_>, planes: &'a [Plane]) -> Self {
        Self { set: set.shared(), planes: Cow::Borrowed(planes) }
    }

    /// The exact side of a body: the worst over all planes, since outside of one half-space is outside of all in common.
    fn side(&self, body: usize) -> Side {
        if !self.set.bodies.enabled_flags()[body] {
            return Side::Outside;
        }
        let shape = self.set.bodies.get(body);
        self.planes.iter().map(|plane| side(&shape, plane)).max().unwrap_or(Side::Inside)
    }
}

impl sealed::Sealed for CullQuery<'_> {}

impl Query for CullQuery<'_> {
    type Output = Vec<Side>;
    type Owned = CullQuery<'static>;

    fn into_owned(self) -> Self::Owned {
        CullQuery { set: self.set, planes: Cow::Owned(self.planes.into_owned()) }
    }

    fn check(&self) -> Result<()> {
        for (index, plane) in self.planes.iter().enumerate() {
            plane.validate().map_err(|reason| Error::InvalidPlane { index, reason: Box::new(reason) })?;
        }
        Ok(())
    }

    fn size(&self) -> usize {
        self.set.bodies.id_bound()
    }

    fn by_brute_force(&self, out: &mut Vec<Side>) {
        out.clear();
        out.extend((0..self.set.bodies.id_bound()).map(|body| self.side(body)));
    }

    fn on_cpu(&self, pool: &Pool, out: &mut Vec<Side>) -> Result<()> {
        out.clear();
        out.resize(self.set.bodies.id_bound(), Side::Outside);
        pool.for_chunks_mut(out, 1024, |start, piece| {
            for (k, side) in piece.iter_mut().enumerate() {
                *side = self.side(start + k);
            }
        });
        Ok(())
    }

    #[cfg(feature = "gpu")]
    fn on_gpu<'a>(&'a self, context: crate::gpu::Context<'a>, out: &'a mut Vec<Side>) -> super::query::Work<'a> {
        Box::pin(gpu::cull(self, context, out))
    }
}
