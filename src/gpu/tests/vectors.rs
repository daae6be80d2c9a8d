//! The public test vectors, with exact answers.

use super::super::Gpu;
use super::super::abi::UNDECIDED;
use super::super::workspace::Workspace;
use super::answers::check_verdict;
use super::queries::{overlaps, verdicts};
use crate::parallel::Pool;
use crate::shape::kinds::{Kind, RECORD_WORDS, decode};
use crate::{Bodies, Relation, Traits};

/// No certain verdict on the public test vectors is wrong, and few random pairs are left undecided.
pub(super) fn vectors(gpu: &Gpu, pool: &Pool) {
    let number = |hex: &str| f32::from_bits(u32::from_str_radix(hex, 16).expect("hex"));
    let mut workspace = Workspace::new();
    for (file, kinds) in [
        ("obb_obb", [Kind::Obb, Kind::Obb]),
        ("sphere_obb", [Kind::Sphere, Kind::Obb]),
        ("aabb_obb", [Kind::Aabb, Kind::Obb]),
        ("sphere_sphere", [Kind::Sphere, Kind::Sphere]),
        ("sphere_aabb", [Kind::Sphere, Kind::Aabb]),
    ] {
        // Read at run time: the tests may run on another machine than the one they were built on.
        let root = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| ".".to_owned());
        let path = format!("{root}/tests/data/{file}.csv");
        let text = std::fs::read_to_string(path).expect("the vectors");
        let (mut bodies, mut rows) = (Bodies::new(), Vec::new());
        for line in text.lines() {
            let fields: Vec<&str> = line.split(',').collect();
            let numbers: Vec<f32> = fields[1..fields.len() - 1].iter().map(|hex| number(hex)).collect();
            let mut rest = &numbers[..];
            for kind in kinds {
                let (here, after) = rest.split_at(kind.words());
                rest = after;
                let mut record = [0.0; RECORD_WORDS];
                record[..here.len()].copy_from_slice(here);
                bodies.push(decode(kind, &record, &[])).expect("valid");
            }
            rows.push((fields[0].to_owned(), fields[fields.len() - 1].parse::<u32>().expect("a relation")));
        }
        let pairs: Vec<[u32; 2]> = (0..rows.len() as u32).map(|k| [2 * k, 2 * k + 1]).collect();
        let verdicts = verdicts(gpu, &mut workspace, pool, &bodies, &pairs).expect("verdicts");
        let mut random = (0, 0);
        for ((family, relation), verdict) in rows.iter().zip(&verdicts) {
            let exact = [Relation::Separate, Relation::Touching, Relation::Overlapping][*relation as usize];
            check_verdict(*verdict, exact, &format!("{file}, {family}"));
            if family == "random" {
                random = (random.0 + u32::from(*verdict == UNDECIDED), random.1 + 1);
            }
        }
        println!("    {file}: {} rows, 0 wrong; random: {} of {} undecided", rows.len(), random.0, random.1);
        // Half of that file's random family lies within a millionth of touching.
        let most = if file == "aabb_obb" { random.1 / 2 + 10 } else { random.1 / 1000 };
        assert!(random.0 <= most, "{file}: too many random pairs are left undecided");
        vectors_as_worlds(gpu, pool, &mut workspace, &bodies, &rows, file);
    }
}

/// Runs a whole query on the same pairs, each in a world of its own: pairs that the filters leave open are settled on the device
/// where possible, and otherwise on the host.
fn vectors_as_worlds(
    gpu: &Gpu,
    pool: &Pool,
    workspace: &mut Workspace,
    bodies: &Bodies,
    rows: &[(String, u32)],
    file: &str,
) {
    let mut apart = Bodies::new();
    for i in 0..bodies.id_bound() {
        apart.push_with(bodies.get(i), Traits::new().world(i as u32 / 2)).expect("room");
    }
    let found = overlaps(gpu, workspace, pool, (None, &apart));
    let expected = rows.iter().enumerate().filter(|(_, (_, relation))| *relation > 0).map(|(k, (_, relation))| {
        let exact = [Relation::Separate, Relation::Touching, Relation::Overlapping][*relation as usize];
        (2 * k as u32, 2 * k as u32 + 1, exact)
    });
    assert!(found.iter().eq(expected), "{file}: pairs in worlds of their own");
    let (open, touching) = (found.stats().undecided, rows.iter().filter(|(_, relation)| *relation == 1).count());
    println!("    {file}: {open} left to the host, of {touching} that touch");
}
