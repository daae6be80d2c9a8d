//! What the broad phase returns.

use crate::batch::rows::{Overlaps, Stats};

/// Pairs whose bounds meet, in canonical order: each once, sorted by the first id, then by the second.
///
/// ```
/// use tangency::{Bodies, Engine, shape::Sphere};
///
/// let mut bodies = Bodies::new();
/// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([1.9, 1.9, 0.0], 1.0)?])?;
/// let candidates = Engine::new()?.candidates(&bodies).run()?;
/// assert_eq!((candidates.len(), candidates.to_vec()), (1, vec![[0, 1]]));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// The relations in it mean nothing.
    pub(super) rows: Overlaps,
}

impl PartialEq for Candidates {
    /// Whether the pairs are the same; how they were found does not count.
    fn eq(&self, other: &Self) -> bool {
        self.rows == other.rows
    }
}

impl Candidates {
    /// No pairs: to be handed to [`run_into`](crate::Request::run_into), which reuses its memory from call to call.
    ///
    /// ```
    /// # use tangency::Candidates;
    /// assert!(Candidates::new().is_empty());
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// How many pairs there are.
    ///
    /// ```
    /// # use tangency::Candidates;
    /// assert_eq!(Candidates::new().len(), 0);
    /// ```
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no pairs.
    ///
    /// ```
    /// # use tangency::Candidates;
    /// assert!(Candidates::new().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The pairs.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// let candidates = Engine::new()?.candidates(&bodies).run()?;
    /// assert_eq!(candidates.pairs().collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 2)]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn pairs(&self) -> crate::batch::rows::Pairs<'_> {
        self.rows.pairs()
    }

    /// The pairs as a list of their own.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 2])?;
    /// assert_eq!(Engine::new()?.candidates(&bodies).run()?.to_vec(), [[0, 1]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn to_vec(&self) -> Vec<[u32; 2]> {
        self.rows.to_vec()
    }

    /// Where each body's row begins in the list of pairs: body a has the pairs `offsets[a]..offsets[a + 1]`.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// assert_eq!(Engine::new()?.candidates(&bodies).run()?.offsets(), [0, 2, 3, 3]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn offsets(&self) -> &[u32] {
        self.rows.offsets()
    }

    /// How the query went.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// assert_eq!(Engine::new()?.candidates(&bodies).run()?.stats().candidates, 3);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn stats(&self) -> &Stats {
        self.rows.stats()
    }
}

/// Candidates are written as their pairs, without relations, which they do not have.
#[cfg(feature = "serde")]
mod serde_impl {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Candidates;
    use crate::Relation;
    use crate::batch::rows::Written;

    impl Serialize for Candidates {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            Written::of(&self.rows, |(a, b, _)| [a, b]).serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for Candidates {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let written = Written::<[u32; 2]>::deserialize(deserializer)?;
            let rows = written.read(|[a, b]| (a, b, Relation::Overlapping)).map_err(serde::de::Error::custom)?;
            Ok(Self { rows })
        }
    }
}
