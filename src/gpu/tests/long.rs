//! Queries with long rows.

use super::super::Gpu;
use super::super::abi::{DIGITS, PARTNER_ID, SHORT_ROW};
use super::super::phases::id_digits;
use super::super::workspace::Workspace;
use super::answers::assert_same;
use super::queries::overlaps;
use crate::hash::mix;
use crate::parallel::Pool;
use crate::shape::{Aabb, Obb, Sphere};
use crate::{BackendKind, Bodies, Engine, Overlaps};

fn ball(at: [f32; 3], radius: f32) -> Sphere {
    Sphere::new(at, radius).expect("a ball")
}

/// A floor under this many bodies: turned boxes that touch it, balls that touch or overlap it.
fn floor(bodies: u16) -> Bodies {
    let mut all = Bodies::new();
    all.push(Aabb::new([-100.0, -1.0, -100.0], [100.0, 0.0, 100.0]).expect("a floor")).expect("room");
    for i in 0..bodies {
        let (x, z) = (f32::from(i % 80) - 40.0, f32::from(i / 80) - 40.0);
        let turn = glam::Quat::from_rotation_y(f32::from(i));
        match i % 3 {
            0 => all.push(Obb::new([x, 0.25, z], [0.3, 0.25, 0.3], turn).expect("a box")),
            1 => all.push(ball([x, 0.25, z], 0.25)),
            _ => all.push(ball([x, 0.125, z], 0.25)),
        }
        .expect("room");
    }
    all
}

/// Groups of bodies that all meet each other, far apart, each followed by bodies that meet none. Half of the pairs in a group
/// touch, the others overlap.
fn crowds(sizes: &[u16], lonely: u16) -> Bodies {
    let mut all = Bodies::new();
    for (k, size) in sizes.iter().enumerate() {
        let z = 10.0 * k as f32;
        all.extend((0..*size).map(|i| ball([f32::from(i % 2) * 2.0, 0.0, z], 1.0))).expect("room");
        all.extend((0..lonely).map(|i| ball([f32::from(i) + 10.0, 0.0, z], 0.25))).expect("room");
    }
    all
}

/// Runs a query and compares its answer with that of the CPU. Returns the answer, and the number of submissions.
fn run_query(
    gpu: &Gpu,
    pool: &Pool,
    workspace: &mut Workspace,
    (searching, searched): (Option<&Bodies>, &Bodies),
) -> (Overlaps, u64) {
    let cpu = Engine::builder().backend(BackendKind::Cpu).build().expect("the CPU");
    let expected = match searching {
        Some(searching) => cpu.overlaps(searching).against(searched).run(),
        None => cpu.overlaps(searched).run(),
    };
    let before = workspace.runner.runs;
    let found = overlaps(gpu, workspace, pool, (searching, searched));
    assert_same(&found, &expected.expect("an answer"), "long rows");
    (found, workspace.runner.runs - before)
}

/// Long rows in a first query, which learns of them too late, and in later ones with enough capacity for them or too little.
pub(super) fn long_rows(gpu: &Gpu, pool: &Pool) {
    let mut workspace = Workspace::new();
    let one = floor(5000);
    let (found, runs) = run_query(gpu, pool, &mut workspace, (None, &one));
    assert_eq!((found.partners(0).len(), runs), (5000, 2));
    assert!(found.stats().undecided > 1000, "{} are undecided", found.stats().undecided);
    assert_eq!(workspace.room_for_long_rows(), 1);
    assert_eq!(run_query(gpu, pool, &mut workspace, (None, &one)).1, 1);
    // No row is long any more, and the capacity for long rows is dropped.
    let none = crowds(&[SHORT_ROW as u16 + 1, 20], 2500);
    assert_eq!((run_query(gpu, pool, &mut workspace, (None, &none)).1, workspace.room_for_long_rows()), (1, 0));
    let shortest = crowds(&[2, SHORT_ROW as u16 + 2], 2500);
    let (found, runs) = run_query(gpu, pool, &mut workspace, (None, &shortest));
    assert_eq!((found.partners(2502).len(), runs, workspace.room_for_long_rows()), (33, 2, 1));
    // More long rows than the capacity; ranks of two digits, and rows of 33 to 300 partners in two blocks of three.
    let many = crowds(&[301, 2, 301], 2100);
    let (found, _) = run_query(gpu, pool, &mut workspace, (None, &many));
    let lengths: Vec<usize> = (0..many.len() as u32).map(|row| found.partners(row).len()).collect();
    assert_eq!((lengths.iter().max(), lengths.iter().filter(|length| **length > 32).count()), (Some(&300), 2 * 268));
    assert!(workspace.room_for_long_rows() >= 2 * 268);
    // As many are read ahead as there were, in the same submission.
    assert_eq!(run_query(gpu, pool, &mut workspace, (None, &many)).1, 1);
    // Rows between two sets, where the searching set has more bodies or fewer.
    run_query(gpu, pool, &mut workspace, (Some(&one), &many));
    run_query(gpu, pool, &mut workspace, (Some(&many), &one));
    let few = crowds(&[40], 3);
    run_query(gpu, pool, &mut workspace, (Some(&few), &few));
    // A small answer is read in the same submission, since the large capacity has shrunk.
    assert_eq!(run_query(gpu, pool, &mut workspace, (Some(&few), &few)).1, 1);
    // Queries within one set have learned from earlier ones within one set, and not from those between two.
    assert_eq!((run_query(gpu, pool, &mut workspace, (None, &few)).1, workspace.room_for_long_rows()), (1, 7));
    assert_eq!((run_query(gpu, pool, &mut workspace, (None, &few)).1, workspace.room_for_long_rows()), (1, 7));
    // About as many hits, all in one row, which needs no sort by rows.
    assert_eq!((run_query(gpu, pool, &mut workspace, (None, &floor(240))).1, workspace.room_for_long_rows()), (1, 1));
}

/// Long rows of fewer bodies, each dispatch compared with its twin.
pub(super) fn long_rows_and_twins(gpu: &Gpu, pool: &Pool) {
    let mut workspace = Workspace::new();
    workspace.runner.checked = true;
    let sets = [crowds(&[33, 34, 60], 0), floor(100), crowds(&[30], 50), crowds(&[150, 7, 140], 0)];
    for bodies in &sets {
        run_query(gpu, pool, &mut workspace, (None, bodies));
        run_query(gpu, pool, &mut workspace, (None, bodies));
    }
    run_query(gpu, pool, &mut workspace, (Some(&sets[0]), &sets[3]));
}

/// The digits of ids do not contain the marks.
#[test]
fn digits_tell_ids_apart() {
    for (ids, digits) in [(1, 0), (2, 1), (256, 1), (257, 2), (1 << 24, 3), ((1 << 24) + 1, 4), (1 << 30, 4)] {
        assert_eq!(id_digits(ids).len(), digits);
        let word = |k: u64| ((mix(k) as u32 & PARTNER_ID) % ids) | (mix(!k) as u32 & !PARTNER_ID);
        let mut words: Vec<u32> = (0..3000).map(word).collect();
        for shift in id_digits(ids) {
            words.sort_by_key(|word| word >> shift & (DIGITS - 1));
        }
        assert!(words.is_sorted_by_key(|word| word & PARTNER_ID), "{ids} ids");
    }
}
