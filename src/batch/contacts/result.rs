//! What a query for contacts returns.

use crate::batch::iters::PairsWith;
use crate::batch::rows::{Overlaps, Stats};
use crate::hash::{FNV_START, fnv1a_step};
use crate::manifold::Manifold;

/// The contacts of all pairs of bodies that touch or overlap, or that are within a margin, one [`Manifold`] for each pair, in the order of the pairs.
///
/// Every bit is the same on the CPU and on every adapter.
///
/// ```
/// use tangency::{Bodies, Engine, shape::Sphere};
///
/// let mut bodies = Bodies::new();
/// for x in [0.0, 1.5, 3.25] {
///     bodies.push(Sphere::new([x, 0.0, 0.0], 1.0)?)?;
/// }
/// let contacts = Engine::new()?.contacts(&bodies).run()?;
/// for manifold in contacts.manifolds() {
///     println!("{} and {}: {} deep", manifold.a(), manifold.b(), manifold.depth());
/// }
/// assert_eq!(contacts.get(1, 2).map(|manifold| manifold.depth()), Some(0.25));
/// assert_eq!(contacts.pairs().to_vec(), [[0, 1], [1, 2]]);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    pub(super) pairs: Overlaps,
    pub(super) manifolds: Vec<Manifold>,
    /// How many contacts the host computed.
    pub(super) on_host: u64,
}

impl PartialEq for Contacts {
    /// Whether pairs and contacts are the same, bit for bit; how they were found does not count.
    fn eq(&self, other: &Self) -> bool {
        self.pairs == other.pairs && self.words() == other.words()
    }
}

impl Contacts {
    /// The bits of all contacts.
    fn words(&self) -> &[u32] {
        bytemuck::cast_slice(&self.manifolds)
    }

    /// No contacts: to be handed to [`run_into`](crate::Request::run_into), which reuses its memory from call to call.
    ///
    /// ```
    /// # use tangency::{Bodies, Contacts, Engine, shape::Sphere};
    /// let (engine, mut bodies, mut contacts) = (Engine::new()?, Bodies::new(), Contacts::new());
    /// for found in [0, 0, 1] {
    ///     engine.contacts(&bodies).run_into(&mut contacts)?;
    ///     assert_eq!(contacts.len(), found);
    ///     bodies.push(Sphere::new([0.0; 3], 1.0)?)?;
    /// }
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// How many pairs meet.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 4])?;
    /// assert_eq!(Engine::new()?.contacts(&bodies).run()?.len(), 6); // each with each
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.manifolds.len()
    }

    /// Whether no bodies meet.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine};
    /// assert!(Engine::new()?.contacts(&Bodies::new()).run()?.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.manifolds.is_empty()
    }

    /// The pairs, as [`Engine::overlaps`](crate::Engine::overlaps) returns them: contact k is that of pair k, and
    /// [`row`](Overlaps::row) says which are those of a body.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// # bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// let engine = Engine::new()?;
    /// let contacts = engine.contacts(&bodies).run()?;
    /// assert_eq!(*contacts.pairs(), engine.overlaps(&bodies).run()?);
    /// assert_eq!(contacts.manifolds()[contacts.pairs().row(1)].len(), 1);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn pairs(&self) -> &Overlaps {
        &self.pairs
    }

    /// The contacts, sorted by the first body, then by the second.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// # bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// let contacts = Engine::new()?.contacts(&bodies).run()?;
    /// assert_eq!(contacts.manifolds()[1].depth(), 2.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn manifolds(&self) -> &[Manifold] {
        &self.manifolds
    }

    /// The bodies of each pair, and its contact.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// # bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// let contacts = Engine::new()?.contacts(&bodies).run()?;
    /// assert_eq!(contacts.iter().map(|(a, b, _)| [a, b]).collect::<Vec<_>>(), [[0, 1], [0, 2], [1, 2]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn iter(&self) -> PairsWith<'_, Manifold> {
        PairsWith { pairs: self.pairs.pairs(), each: self.manifolds.iter() }
    }

    /// How bodies `a` and `b` meet, if they do. Of one set the smaller id comes first, as in [`pairs`](Self::pairs).
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([9.0, 0.0, 0.0], 1.0)?])?;
    /// assert_eq!(Engine::new()?.contacts(&bodies).run()?.get(0, 1), None);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn get(&self, a: u32, b: u32) -> Option<&Manifold> {
        let row = &self.manifolds[self.pairs.row(a)];
        row.binary_search_by_key(&b, Manifold::b).ok().map(|at| &row[at])
    }

    /// A hash of all pairs and all bits of their contacts, the same on every backend.
    ///
    /// ```
    /// # use tangency::{BackendKind, Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// # bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// let of = |kind| Engine::builder().backend(kind).build()?.contacts(&bodies).run().map(|found| found.fingerprint());
    /// assert_eq!(of(BackendKind::Cpu)?, of(BackendKind::BruteForce)?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn fingerprint(&self) -> u64 {
        self.words().iter().flat_map(|word| word.to_le_bytes()).fold(FNV_START, fnv1a_step)
    }

    /// How many contacts were computed by the host though a GPU answered: pairs that its filters left open, and pairs of numbers so large
    /// or small that deterministic arithmetic leaves them to the scalar function. On the CPU all of them.
    ///
    /// ```
    /// # use tangency::{BackendKind, Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// # bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// let engine = Engine::builder().backend(BackendKind::Cpu).build()?;
    /// assert_eq!(engine.contacts(&bodies).run()?.computed_on_host(), 3);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn computed_on_host(&self) -> u64 {
        self.on_host
    }

    /// How the query went.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine};
    /// assert_eq!(Engine::new()?.contacts(&Bodies::new()).run()?.stats().candidates, 0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn stats(&self) -> &Stats {
        self.pairs.stats()
    }
}

/// Contacts are written as their pairs and the contact of each.
#[cfg(feature = "serde")]
mod serde_impl {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

    use super::{Contacts, Manifold, Overlaps};

    #[derive(Serialize)]
    #[serde(rename = "Contacts")]
    struct Written<'a> {
        pairs: &'a Overlaps,
        manifolds: &'a [Manifold],
    }

    #[derive(Deserialize)]
    #[serde(rename = "Contacts", deny_unknown_fields)]
    struct Read {
        pairs: Overlaps,
        manifolds: Vec<Manifold>,
    }

    impl Serialize for Contacts {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            Written { pairs: &self.pairs, manifolds: &self.manifolds }.serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for Contacts {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let Read { pairs, manifolds } = Read::deserialize(deserializer)?;
            if !pairs.pairs().eq(manifolds.iter().map(|manifold| (manifold.a(), manifold.b()))) {
                return Err(D::Error::custom("there must be a contact for each pair, in the same order"));
            }
            Ok(Self { pairs, manifolds, on_host: 0 })
        }
    }
}
