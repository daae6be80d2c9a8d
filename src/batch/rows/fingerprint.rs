//! Numbers by which answers of different machines are compared.

use super::Overlaps;
use crate::hash::{FNV_START, fnv1a_step};

impl Overlaps {
    /// FNV-1a, 64 bit, over the little-endian ids of every pair: equal pairs have equal hashes on every machine.
    ///
    /// Relations are not part of it: [`fingerprint`](Self::fingerprint) covers them too.
    ///
    /// ```
    /// # use tangency::Overlaps;
    /// assert_eq!(Overlaps::new().pairs_fingerprint(), 0xcbf2_9ce4_8422_2325); // the start of FNV-1a
    /// ```
    pub fn pairs_fingerprint(&self) -> u64 {
        self.pairs().flat_map(|(a, b)| [a, b]).flat_map(u32::to_le_bytes).fold(FNV_START, fnv1a_step)
    }

    /// FNV-1a, 64 bit, over nine bytes for every pair in canonical order: the first id and the second id (four bytes each,
    /// little-endian), then the relation (1 touching, 2 overlapping). Equal answers have equal fingerprints on every machine, and
    /// a touching pair that is called overlapping changes it.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Overlaps, shape::Sphere};
    /// assert_eq!(Overlaps::new().fingerprint(), 0xcbf2_9ce4_8422_2325); // the start of FNV-1a
    /// let engine = Engine::new()?;
    /// let [touching, overlapping] = [2.0, 1.5].map(|x| {
    ///     let mut bodies = Bodies::new();
    ///     bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([x, 0.0, 0.0], 1.0)?])?;
    ///     engine.overlaps(&bodies).run()
    /// });
    /// let (touching, overlapping) = (touching?, overlapping?);
    /// assert_eq!(touching.pairs_fingerprint(), overlapping.pairs_fingerprint()); // the same pair
    /// assert_ne!(touching.fingerprint(), overlapping.fingerprint()); // but not the same relation
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn fingerprint(&self) -> u64 {
        self.iter()
            .flat_map(|(a, b, relation)| {
                let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (a.to_le_bytes(), b.to_le_bytes());
                [a0, a1, a2, a3, b0, b1, b2, b3, relation as u8]
            })
            .fold(FNV_START, fnv1a_step)
    }
}
