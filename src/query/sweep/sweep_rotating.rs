//! The first contact of shapes that move and turn.

use super::pose::Approach;
use super::sweep::{Found, Tolerance};

/// How many moments are looked at before the search is cut off and what is left is reported as possible contact.
const MAX_MOMENTS: usize = 20_000;

/// Subdivision of time: the gap at the middle of an interval clears the times around it in which no motion can close it;
/// what is left on both sides is searched, the earlier first.
///
/// That the middle is clear says nothing of the second half, and that it is in contact says that the first contact lies in
/// the first half, not that it is at the middle.
pub(super) fn first_contact_rotating(pair: &impl Approach, tolerance: &Tolerance) -> Option<Found> {
    let velocity = pair.velocity();
    let mut contact: Option<Found> = None;
    let mut open = vec![(0.0, 1.0)];
    for _ in 0..MAX_MOMENTS {
        let Some((from, to)) = open.pop() else { return contact };
        let middle = 0.5 * (from + to);
        let state = pair.apart(middle);
        let normal = state.normal.filter(|_| state.gap > tolerance.contact);
        if let Some(normal) = normal {
            let (closing, turning) = (velocity.dot(normal), pair.turning_speed(normal));
            let safe = state.gap - tolerance.rounding;
            let clear_after = middle + safe / (closing.max(0.0) + turning);
            let clear_before = middle - safe / ((-closing).max(0.0) + turning);
            if clear_after < to {
                open.push((clear_after, to));
            }
            if clear_before > from {
                open.push((from, clear_before));
            }
        } else {
            // What comes later does not matter any more.
            open.clear();
            let fastest = velocity.length() + pair.top_speed();
            if (middle - from) * fastest <= tolerance.contact || middle <= from {
                return Some(Found { time: from, apart: state, converged: true });
            }
            contact = Some(Found { time: middle, apart: state, converged: true });
            open.push((from, middle));
        }
    }
    let (from, _) = open.pop()?;
    Some(Found { time: from, apart: pair.apart(from), converged: false })
}
