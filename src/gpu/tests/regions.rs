//! Region queries between others: the capacity that a region or a giant needs does not affect other queries, and no pair is lost.

use super::super::Gpu;
use super::super::workspace::Workspace;
use super::answers::assert_same;
use super::queries::overlaps;
use crate::hash::mix;
use crate::parallel::Pool;
use crate::shape::{Aabb, Sphere};
use crate::{BackendKind, Bodies, Engine};

/// Balls at random positions in a cube with one unit of volume per ball.
fn balls(n: usize) -> Bodies {
    let side = (n as f64).cbrt();
    let at = |k: u64| ((mix(k) >> 40) as f64 / f64::from(1 << 24) * side) as f32;
    let ball = |k: u64| Sphere::new([at(3 * k), at(3 * k + 1), at(3 * k + 2)], 0.3).expect("a ball");
    let mut bodies = Bodies::new();
    bodies.extend((0..n as u64).map(ball)).expect("room");
    bodies
}

/// A box around everything, a few giants, and a small region.
fn regions(side: f32) -> [Bodies; 3] {
    let region = |low: f32, high: f32| Aabb::new([low; 3], [high; 3]).expect("a box");
    [
        vec![region(-1.0, side + 1.0)],
        (0..40_u8).map(|k| region(f32::from(k) * side / 80.0, side)).collect(),
        vec![region(1.0, 2.0)],
    ]
    .map(|boxes| {
        let mut bodies = Bodies::new();
        bodies.extend(boxes).expect("room");
        bodies
    })
}

/// Queries the balls, then the regions as searching and as searched set, then the balls again, in a workspace where searches are
/// cut short and dispatches are split early.
pub(super) fn region_queries_leave_no_trace(gpu: &Gpu, pool: &Pool, n: usize, few: bool) {
    let cpu = Engine::builder().backend(BackendKind::Cpu).build().expect("the CPU");
    let balls = balls(n);
    let expected = cpu.overlaps(&balls).run().expect("an answer");
    let regions = regions((n as f32).cbrt());
    for (work, max_workgroups) in [(24_000, 1 << 29), (2000, 64), (400, 7)].into_iter().skip(usize::from(few)) {
        let mut workspace = Workspace::new().limited(work, max_workgroups);
        let all = |workspace: &mut Workspace, what: &str| {
            let found = overlaps(gpu, workspace, pool, (None, &balls));
            assert_same(&found, &expected, what);
            (workspace.room_for_unfinished(), workspace.room_for_candidates())
        };
        let before = all(&mut workspace, "before");
        let mut cut_short = 0;
        for (k, region) in regions.iter().enumerate() {
            for (searching, searched) in [(region, &balls), (&balls, region)] {
                let expected = cpu.overlaps(searching).against(searched).run().expect("an answer");
                let found = overlaps(gpu, &mut workspace, pool, (Some(searching), searched));
                assert_same(&found, &expected, &format!("region {k}"));
                cut_short = cut_short.max(workspace.room_for_unfinished());
            }
        }
        assert!(cut_short > 0, "no search was cut short");
        assert_eq!(all(&mut workspace, "after"), before, "the regions have left a trace");
    }
}
