//! What all families of pairs have in common: each pair is what the oracle says, both ways round.

use tangency::Relation;
use tangency::query::intersect;
use tangency::shape::Shape;

/// How many pairs of a family and a kind are separate, touching and overlapping.
pub struct Counts<'a> {
    pub family: &'a str,
    pub kind: &'a str,
    pub separate: usize,
    pub touching: usize,
    pub overlapping: usize,
}

/// Asserts that all pairs of all families and kinds have the relation that an oracle says, and that there are enough of each relation.
pub fn check(
    families: &[&str],
    kinds: &[&str],
    pairs: impl Fn(usize, usize) -> Vec<[Shape; 2]>,
    oracle: impl Fn(&[Shape; 2]) -> Relation,
    is_enough: impl Fn(&Counts<'_>) -> bool,
) {
    for (k, family) in families.iter().enumerate() {
        for (l, kind) in kinds.iter().enumerate() {
            let mut found = [0; 3];
            for pair in pairs(k, l) {
                let [a, b] = &pair;
                let expected = oracle(&pair);
                assert_eq!(intersect(a, b).unwrap(), expected, "{family} {kind}: {pair:?}");
                assert_eq!(intersect(b, a).unwrap(), expected, "{family} {kind}, swapped: {pair:?}");
                found[expected as usize] += 1;
            }
            let [separate, touching, overlapping] = found;
            println!("{family} {kind}: {separate} separate, {touching} touching, {overlapping} overlapping");
            let counts = Counts { family, kind, separate, touching, overlapping };
            assert!(is_enough(&counts), "{family} {kind}: {found:?}");
        }
    }
}
