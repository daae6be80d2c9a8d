//! Whether a device computes the same bits as the CPU.
//!
//! That rests on sums and products that are rounded to nearest, which WGSL does not promise, and on compilers that do not look through an
//! exclusive or with a uniform. So before the first query whose answer has floats, the query's own kernels run on fixed pairs, and all
//! bits are compared with the CPU's.

use super::pair_search::PairSearch;
use super::workspace::{Narrow, Workspace};
use super::{Gpu, attempt};
use crate::manifold::{Frame, Manifold, fixed_pairs, manifold};
use crate::parallel::Pool;
use crate::relation::{MARK_TOUCHING, MARK_UNDECIDED};
use crate::shape::kinds::encode;
use crate::{Bodies, Error, Relation, Result, Traits};

impl Gpu {
    /// Checks that contacts have equal bits, once for a device.
    ///
    /// # Errors
    /// [`UnequalBits`](Error::UnequalBits) if they have not; what a query can fail with, if the check itself fails.
    pub(crate) async fn check_bits(&self, pool: &Pool) -> Result<()> {
        if self.equal_bits.get().is_none() {
            let found = self.has_equal_bits(pool).await?;
            self.equal_bits.get_or_init(|| found);
        }
        if self.equal_bits.get() == Some(&true) {
            Ok(())
        } else {
            Err(Error::UnequalBits { adapter: self.adapter().0.to_owned() })
        }
    }

    async fn has_equal_bits(&self, pool: &Pool) -> Result<bool> {
        let mut bodies = Bodies::new();
        for (world, pair) in (0..).zip(fixed_pairs()) {
            for shape in pair {
                bodies.push_with(shape, Traits::new().world(world))?;
            }
        }
        let frames: Vec<Frame> = (0..bodies.id_bound())
            .map(|i| {
                let (kind, record) = encode(&bodies.get(i));
                Frame::of(kind, &record)
            })
            .collect();
        let (mut workspace, mut context) = (Workspace::new(), self.context(pool));
        workspace.runner.twins.clone_from(&self.twins);
        for most in [1, 4] {
            let mut plan = PairSearch::new((None, &bodies), Narrow::Filter).with_contacts(most);
            let found = attempt::answer(&mut plan, &mut workspace, &mut context).await?;
            for (partner, contact) in found.partners().iter().zip(found.manifolds()) {
                let (a, b) = (contact.a(), contact.b());
                let relation = if partner & MARK_TOUCHING == 0 { Relation::Overlapping } else { Relation::Touching };
                let (first, second) = ((a, &frames[a as usize]), (b, &frames[b as usize]));
                let known = (partner & MARK_UNDECIDED == 0).then(|| manifold(first, second, relation, most)).flatten();
                let expected = known.unwrap_or_else(|| Manifold::open(a, b));
                if bytemuck::bytes_of(contact) != bytemuck::bytes_of(&expected) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}
