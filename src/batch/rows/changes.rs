//! What has changed from one answer to the next.

use super::Overlaps;
use crate::Relation;

/// The pairs that have begun, stayed and ended since an earlier answer: [`Overlaps::changes_from`].
///
/// ```
/// use tangency::{Bodies, Engine, Relation, shape::{Pose, Sphere}};
///
/// let (engine, mut bodies) = (Engine::new()?, Bodies::new());
/// bodies.extend([0.0, 1.0, 9.0].map(|x| Sphere::new([x, 0.0, 0.0], 1.0).expect("a ball")))?;
/// let before = engine.overlaps(&bodies).run()?;
/// bodies.set_pose(1, Pose::at([8.0, 0.0, 0.0])?)?;
/// let changes = engine.overlaps(&bodies).run()?.changes_from(&before);
/// assert_eq!(changes.begun, [(1, 2, Relation::Overlapping)]);
/// assert_eq!(changes.ended, [(0, 1, Relation::Overlapping)]);
/// assert!(changes.stayed.is_empty());
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PairChanges {
    /// Pairs of this answer that the earlier one does not have.
    pub begun: Vec<(u32, u32, Relation)>,
    /// Pairs of both answers, with their relation in this one.
    pub stayed: Vec<(u32, u32, Relation)>,
    /// Pairs that only the earlier answer has, with their relation there.
    pub ended: Vec<(u32, u32, Relation)>,
}

impl Overlaps {
    /// The pairs that have begun, stayed and ended since an earlier answer, each list in canonical order.
    ///
    /// A pair stays if both bodies are the same, not only their ids: where a removed body's id went to another body, its pairs have
    /// ended, and those of the other have begun. The same holds for bodies that [`compact`](crate::Bodies::compact) gave other ids.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let (engine, mut bodies) = (Engine::new()?, Bodies::new());
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// let before = engine.overlaps(&bodies).run()?;
    /// bodies.remove(2)?;
    /// assert_eq!(bodies.push(Sphere::new([0.0; 3], 1.0)?)?, 2); // another body
    /// let changes = engine.overlaps(&bodies).run()?.changes_from(&before);
    /// let pairs = |list: &[(u32, u32, _)]| list.iter().map(|(a, b, _)| [*a, *b]).collect::<Vec<_>>();
    /// assert_eq!(pairs(&changes.stayed), [[0, 1]]);
    /// assert_eq!(pairs(&changes.ended), [[0, 2], [1, 2]]);
    /// assert_eq!(pairs(&changes.begun), [[0, 2], [1, 2]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn changes_from(&self, earlier: &Self) -> PairChanges {
        let mut changes = PairChanges::default();
        let (mut new, mut old) = (self.iter().peekable(), earlier.iter().peekable());
        loop {
            match (new.peek().copied(), old.peek().copied()) {
                (None, None) => return changes,
                (Some(now), Some(then)) if (now.0, now.1) == (then.0, then.1) => {
                    if self.same_bodies(earlier, (now.0, now.1)) {
                        changes.stayed.push(now);
                    } else {
                        changes.ended.push(then);
                        changes.begun.push(now);
                    }
                    new.next();
                    old.next();
                }
                (Some(now), then) if then.is_none_or(|then| (now.0, now.1) < (then.0, then.1)) => {
                    changes.begun.push(now);
                    new.next();
                }
                (_, then) => {
                    changes.ended.extend(then);
                    old.next();
                }
            }
        }
    }

    /// Whether the two ids of a pair had the same bodies in an earlier answer, as far as that is known.
    fn same_bodies(&self, earlier: &Self, (a, b): (u32, u32)) -> bool {
        let (Some(now), Some(then)) = (&self.origin.births, &earlier.origin.births) else { return true };
        let same = |side: usize, id: u32| now[side].get(id as usize) == then[side].get(id as usize);
        same(0, a) && same(1, b)
    }
}
