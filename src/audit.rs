//! Comparison of two backends, pair by pair.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write;
use std::path::PathBuf;

use crate::{BackendKind, Bodies, Contacts, Engine, Manifold, Overlaps, Relation, Result, scenes};

/// The result of a comparison of two backends: [`Engine::verify`].
///
/// ```
/// use tangency::{BackendKind, Engine, scenes::Scene};
///
/// let engine = Engine::builder().backend(BackendKind::Cpu).build()?;
/// let audit = engine.verify(&Scene::Stacks.build(64, 1)?)?;
/// assert_eq!((audit.against, audit.differences.len(), audit.scene), (BackendKind::BruteForce, 0, None));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Audit {
    /// The backend with whose answer this engine's was compared.
    pub against: BackendKind,
    /// How many pairs this engine found.
    pub pairs: usize,
    /// The pairs on which the two backends differ. It should be empty: please report it if it is not.
    pub differences: Vec<Difference>,
    /// The pairs that both backends found, but whose contacts have other bits. It should be empty too.
    pub contact_differences: Vec<ContactDifference>,
    /// The file to which the bodies were written if there are differences, as a scene for `tangency overlaps` and
    /// `tangency contacts`.
    pub scene: Option<PathBuf>,
}

impl Audit {
    /// Whether both backends gave the same answer.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine};
    /// assert!(Engine::new()?.verify(&Bodies::new())?.is_ok());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn is_ok(&self) -> bool {
        self.differences.is_empty() && self.contact_differences.is_empty()
    }
}

/// A pair on which two backends differ.
///
/// ```
/// # use tangency::{Engine, scenes::Scene};
/// for difference in Engine::new()?.verify(&Scene::Uniform.build(50, 1)?)?.differences {
///     panic!("{} and {} are {:?}", difference.a, difference.b, difference.expected);
/// }
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The smaller id.
    pub a: u32,
    /// The larger id.
    pub b: u32,
    /// The relation according to this engine.
    pub found: Relation,
    /// The relation according to the other backend.
    pub expected: Relation,
}

/// A pair whose contact is not the same on two backends.
///
/// ```
/// # use tangency::{Engine, scenes::Scene};
/// for difference in Engine::new()?.verify(&Scene::Uniform.build(50, 1)?)?.contact_differences {
///     panic!("{:?} should be {:?}", difference.found, difference.expected);
/// }
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ContactDifference {
    /// The contact according to this engine.
    pub found: Manifold,
    /// The contact according to the other backend.
    pub expected: Manifold,
}

impl Engine {
    /// Answers [`overlaps`](Self::overlaps) and [`contacts`](Self::contacts) by a second backend too, and compares the answers pair by
    /// pair: relations, and every bit of the contacts.
    ///
    /// The second backend is [brute force](BackendKind::BruteForce) for up to 5,000 bodies, and for the CPU backend with any
    /// number of bodies, which takes long for large sets. For more bodies, a GPU is compared with the CPU: a difference then
    /// shows that one of the two is wrong, but not which.
    ///
    /// The answers should always be equal. If a faulty driver makes them differ, the audit names the pairs, and writes the bodies
    /// to a scene in the directory for temporary files, so that the query can be repeated.
    ///
    /// ```
    /// use tangency::{Engine, scenes::Scene};
    ///
    /// let bodies = Scene::Mixed.build(300, 1)?;
    /// let audit = Engine::new()?.verify(&bodies)?;
    /// assert!(audit.is_ok() && audit.pairs > 0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`overlaps`](Self::overlaps).
    pub fn verify(&self, bodies: &Bodies) -> Result<Audit> {
        let against = judge(self.info().backend, bodies.len());
        let (found, contacts) = (self.overlaps(bodies).run()?, self.contacts(bodies).run()?);
        // The pairs of these contacts are what the other backend returns for overlaps.
        let expected = Self::builder().backend(against).build()?.contacts(bodies).run()?;
        let pairs = found.len();
        let (differences, contact_differences) = compare(&found, &contacts, &expected);
        let differs = !(differences.is_empty() && contact_differences.is_empty());
        let scene = if differs { write(bodies, found.fingerprint()) } else { None };
        Ok(Audit { against, pairs, differences, contact_differences, scene })
    }
}

/// The pairs on which one of two answers differs from what another backend found, sorted; and the contacts that differ.
fn compare(found: &Overlaps, contacts: &Contacts, expected: &Contacts) -> (Vec<Difference>, Vec<ContactDifference>) {
    let mut pairs = differences(found, expected.pairs());
    pairs.extend(differences(contacts.pairs(), expected.pairs()));
    pairs.sort_by_key(|difference| (difference.a, difference.b));
    pairs.dedup();
    (pairs, contact_differences(contacts.manifolds(), expected.manifolds()))
}

/// The most bodies for which every backend is compared with brute force, which takes about a second for this many.
const BRUTE_FORCE: usize = 5000;

/// The backend with which an answer is compared, by its own backend and the number of bodies. Brute force itself is compared with
/// the CPU.
fn judge(backend: BackendKind, bodies: usize) -> BackendKind {
    match backend {
        BackendKind::Cpu => BackendKind::BruteForce,
        BackendKind::BruteForce => BackendKind::Cpu,
        _ if bodies <= BRUTE_FORCE => BackendKind::BruteForce,
        _ => BackendKind::Cpu,
    }
}

/// The pairs whose relations differ, sorted.
fn differences(found: &Overlaps, expected: &Overlaps) -> Vec<Difference> {
    let mut all = Vec::new();
    let (mut x, mut y) = (found.iter().peekable(), expected.iter().peekable());
    loop {
        let (pair_x, pair_y) = (x.peek().map(|p| (p.0, p.1)), y.peek().map(|p| (p.0, p.1)));
        let Some(pair) = pair_x.into_iter().chain(pair_y).min() else { return all };
        let found = x.next_if(|p| (p.0, p.1) == pair).map_or(Relation::Separate, |p| p.2);
        let expected = y.next_if(|p| (p.0, p.1) == pair).map_or(Relation::Separate, |p| p.2);
        if found != expected {
            all.push(Difference { a: pair.0, b: pair.1, found, expected });
        }
    }
}

/// The contacts of the same pair that have other bits. Both lists are sorted by pair.
fn contact_differences(found: &[Manifold], expected: &[Manifold]) -> Vec<ContactDifference> {
    let pair = |manifold: &Manifold| (manifold.a(), manifold.b());
    let mut all = Vec::new();
    let mut rest = expected.iter().peekable();
    for found in found {
        while rest.next_if(|expected| pair(expected) < pair(found)).is_some() {}
        if let Some(expected) = rest.next_if(|expected| pair(expected) == pair(found))
            && bytemuck::bytes_of(expected) != bytemuck::bytes_of(found)
        {
            all.push(ContactDifference { found: *found, expected: *expected });
        }
    }
    all
}

/// Writes the bodies to a file. Returns its path; absent if it could not be written.
fn write(bodies: &Bodies, hash: u64) -> Option<PathBuf> {
    // Nobody can guess the name, and put a link there to be followed.
    let random = RandomState::new().build_hasher().finish();
    let path = std::env::temp_dir().join(format!("tangency-{hash:016x}-{random:016x}.csv"));
    let file = std::fs::File::options().write(true).create_new(true).open(&path).ok()?;
    let mut out = std::io::BufWriter::new(file);
    scenes::write_csv(bodies, &mut out).and_then(|()| out.flush()).ok()?;
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relation::MARK_TOUCHING;
    use crate::shape::Sphere;

    fn row() -> Bodies {
        let mut bodies = Bodies::new();
        bodies.extend([0.0, 1.0, 3.0, 4.5].map(|x| Sphere::new([x, 0.0, 0.0], 1.0).expect("a ball"))).expect("room");
        bodies
    }

    #[test]
    fn brute_force_judges_where_it_is_bearable() {
        use BackendKind::{BruteForce, Cpu, Gpu};
        assert_eq!([judge(Gpu, 5000), judge(Gpu, 5001)], [BruteForce, Cpu]);
        assert_eq!([judge(Cpu, 5), judge(Cpu, 50_000), judge(BruteForce, 5)], [BruteForce, BruteForce, Cpu]);
    }

    #[test]
    fn differences_are_named_by_pair() {
        let bodies = row();
        let right = Engine::builder().backend(BackendKind::Cpu).build().unwrap().overlaps(&bodies).run().unwrap();
        assert_eq!(right.to_vec(), [[0, 1], [1, 2], [2, 3]]);
        assert!(differences(&right, &right).is_empty());
        // A wrong relation alone is a difference, and changes the fingerprint, though not the hash.
        let mut confused = right.clone();
        confused.partners[0] |= MARK_TOUCHING;
        assert_eq!(differences(&confused, &right).len(), 1);
        assert_eq!(confused.pairs_fingerprint(), right.pairs_fingerprint());
        assert_ne!(confused.fingerprint(), right.fingerprint());
        // One pair is missing, one touching pair is called overlapping, and one pair is wrong.
        let mut wrong = right.clone();
        wrong.partners[0] = 3;
        wrong.partners[1] &= !MARK_TOUCHING;
        let named: Vec<_> = differences(&wrong, &right).iter().map(|d| (d.a, d.b, d.found, d.expected)).collect();
        assert_eq!(
            named,
            [
                (0, 1, Relation::Separate, Relation::Overlapping),
                (0, 3, Relation::Overlapping, Relation::Separate),
                (1, 2, Relation::Overlapping, Relation::Touching),
            ]
        );
    }

    fn contacts(xs: &[f32]) -> Contacts {
        let mut bodies = Bodies::new();
        bodies.extend(xs.iter().map(|x| Sphere::new([*x, 0.0, 0.0], 1.0).expect("a ball"))).expect("room");
        Engine::builder().backend(BackendKind::Cpu).build().unwrap().contacts(&bodies).run().unwrap()
    }

    /// A contact of other bits is a difference; a pair that only one backend has is one of the pairs.
    #[test]
    fn contacts_are_compared_by_their_bits() {
        let right = contacts(&[0.0, 1.5, 3.0, 4.5]);
        assert_eq!(compare(right.pairs(), &right, &right), (Vec::new(), Vec::new()));
        let near = contacts(&[0.0, 1.5, 3.0, 4.5_f32.next_down()]);
        let (pairs, differing) = compare(right.pairs(), &near, &right);
        assert_eq!((pairs.len(), differing.len()), (0, 1));
        let ContactDifference { found, expected } = differing[0];
        assert_eq!((found.a(), found.b(), expected.a(), expected.b()), (2, 3, 2, 3));
        assert!(found.depth() > expected.depth(), "{found:?}, {expected:?}");
        // The pair (2, 3) is missing in the contacts only, and the contact of (1, 2) still differs.
        let fewer = contacts(&[0.0, 1.5, 2.75, 9.0]);
        let (pairs, differing) = compare(right.pairs(), &fewer, &right);
        let named: Vec<_> = pairs.iter().map(|d| (d.a, d.b, d.found, d.expected)).collect();
        assert_eq!(named, [(2, 3, Relation::Separate, Relation::Overlapping)]);
        assert_eq!(differing.iter().map(|d| (d.found.a(), d.found.b())).collect::<Vec<_>>(), [(1, 2)]);
        // What both answers lack is named once.
        assert_eq!(compare(fewer.pairs(), &fewer, &right).0.len(), 1);
        // A contact too many is found, and so is what comes after it.
        let (pairs, differing) = compare(right.pairs(), &right, &fewer);
        assert_eq!((pairs.len(), differing.len()), (1, 1));
    }

    #[test]
    fn the_scene_is_written() {
        let mut bodies = row();
        bodies.disable(3).unwrap();
        let path = write(&bodies, 0xfeed).expect("a file");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 5);
        assert_eq!(lines[2], "sphere,1.0,0.0,0.0,,,,,,,,1.0,1,4294967295,0,0,0");
        // A disabled body is in no layer, and so meets nothing.
        assert_eq!(lines[4], "sphere,4.5,0.0,0.0,,,,,,,,1.0,0,4294967295,0,0,0");
    }
}
