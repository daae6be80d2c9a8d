//! The tree of cells: all bodies of a segment are below its highest block, each once, whatever the keys are.

use super::super::cells::{Cells, Cuts, LEVELS};
use super::super::keys::keys_of;
use super::super::tree::WIDTH;
use super::super::{Bounds, Order, Sorted, Width};
use crate::clock::Clock;
use crate::parallel::Pool;
use crate::scenes::{SEED, Scene};
use crate::shape::Aabb;
use crate::{Bodies, Traits};

/// Notes how often each body is below a block. Returns how many levels of blocks there are from here.
fn visit(order: &Order, cells: &Cells, block: usize, bounds: &Aabb, seen: &mut [u32]) -> usize {
    let (mut levels, mut filled) = (0, 0);
    for lane in 0..WIDTH {
        let own = cells.block(block).lane(lane);
        if own.is_empty() {
            continue;
        }
        filled += 1;
        assert!(bounds.merge(&own) == *bounds, "{own:?} is not inside {bounds:?}");
        let child = cells.child(block, lane);
        if lane < cells.inner(block) {
            levels = levels.max(visit(order, cells, child, &own, seen));
        } else {
            assert_eq!(own, order.tree.bounds(child));
            seen[child] += 1;
        }
    }
    assert!(filled > 0);
    levels + 1
}

fn check(name: &str, order: &Order, keys: &[u64]) {
    for threads in [1, 3] {
        let cells = Cells::new(&Pool::new(Some(threads)).expect("a pool"), order, keys);
        let mut seen = vec![0; order.len()];
        for (number, segment) in order.segments.iter().enumerate() {
            let root = cells.root(number);
            let levels = visit(order, &cells, root, &cells.block(root).union_of_all(), &mut seen);
            assert!(levels <= LEVELS, "{name}: {levels} levels");
            let own = &seen[segment.bodies.clone()];
            assert!(own.iter().all(|count| *count == 1), "{name}: {segment:?}");
            assert_eq!(seen.iter().sum::<u32>() as usize, segment.bodies.end, "{name}: others are below {segment:?}");
        }
    }
}

fn sorted(bodies: &Bodies) -> (Sorted, Vec<u64>) {
    let (pool, width) = (Pool::new(Some(1)).expect("a pool"), Width::widest());
    let sorted = Sorted::of_width(&pool, width, (bodies, Bounds::Shapes), &mut Clock::start());
    let keys = keys_of(&pool, width, bodies, &sorted.order.ids);
    (sorted, keys)
}

#[test]
fn every_body_is_below_its_segment_once() {
    for scene in Scene::ALL {
        for count in [1, 2, 16, 17, 700, 20_000] {
            let mut bodies = scene.build(count, SEED).expect("a scene");
            if count == 700 {
                for id in 0..bodies.len() as u32 {
                    bodies.set_traits(id, Traits::new().world(id % 100)).expect("it is there");
                }
            }
            let (sorted, keys) = sorted(&bodies);
            for segment in &sorted.order.segments {
                assert!(keys[segment.bodies.clone()].is_sorted(), "{scene:?}");
            }
            check(scene.name(), &sorted.order, &keys);
        }
    }
    assert_eq!(Cells::new(&Pool::new(None).expect("a pool"), &sorted(&Bodies::new()).0.order, &[]).count(), 0);
}

#[test]
fn keys_of_any_kind_make_a_tree() {
    let bodies = Scene::Uniform.build(20_000, SEED).expect("a scene");
    let (order, n) = (sorted(&bodies).0.order, 20_000);
    let chain = |k: usize| if k + 64 < n { 0 } else { 1 << (k + 64 - n) };
    let kinds: [(&str, Vec<u64>); 5] = [
        ("all in one cell", vec![7; n]),
        ("two cells", (0..n).map(|k| u64::from(k > 3)).collect()),
        ("each cell in half of another", (0..n).map(chain).collect()),
        ("one after the other", (0..n as u64).collect()),
        ("in no order", (0..n as u64).map(|k| k.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()),
    ];
    for (name, keys) in kinds {
        check(name, &order, &keys);
    }
}

/// Cells that are each in half of another may need as many levels as keys have bits. There are fewer.
#[test]
fn parts_are_no_larger_than_the_levels_below_allow() {
    let keys: Vec<u64> = (0..64).map(|k| 1 << k).collect();
    for (count, most) in [(64, 64), (64, 49), (64, 48), (64, 16), (17, 16), (16, 1), (3, 1)] {
        let cuts = Cuts::new(&keys, 0..count, most);
        let parts: Vec<_> = (0..cuts.count).map(|part| cuts.part(part)).collect();
        assert!(parts.len() <= WIDTH && parts.iter().all(|part| (1..=most).contains(&part.len())), "{parts:?}");
        assert!(parts[0].start == 0 && parts[parts.len() - 1].end == count);
        assert!(parts.windows(2).all(|two| two[0].end == two[1].start), "{parts:?}");
    }
}
