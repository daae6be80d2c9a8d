//! Sums, differences and products of single numbers as a device may compute them that rounds to either neighbour, for tests of bounds that are to hold
//! on all devices.

use std::cell::Cell;
use std::cmp::Ordering;

/// Which neighbour is taken: that further up or down, away from 0 or towards it, or any.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Nearest,
    Up,
    Down,
    Away,
    Towards,
    Any,
}

thread_local! {
    static WAY: Cell<Way> = const { Cell::new(Way::Nearest) };
    static STATE: Cell<u64> = const { Cell::new(0) };
}

/// Does some work on this thread with such numbers, in a way that follows from the seed.
pub(crate) fn on_either_neighbour<R>(seed: u64, work: impl FnOnce() -> R) -> R {
    STATE.set(crate::hash::mix(seed) | 1);
    WAY.set([Way::Up, Way::Down, Way::Away, Way::Towards, Way::Any, Way::Any][(seed % 6) as usize]);
    let done = work();
    WAY.set(Way::Nearest);
    done
}

/// The nearest number to the exact `high + low`, or a neighbour between which and that the exact one is.
#[inline(always)]
pub(super) fn rounded(nearest: f32, exact: impl FnOnce() -> (f64, f64)) -> f32 {
    if WAY.get() == Way::Nearest { nearest } else { neighbour(nearest, exact()) }
}

#[inline(never)]
fn neighbour(nearest: f32, (high, low): (f64, f64)) -> f32 {
    let order = match high.partial_cmp(&f64::from(nearest)) {
        Some(Ordering::Equal) | None => low.partial_cmp(&0.0),
        order => order,
    };
    let (down, up) = match order {
        Some(Ordering::Less) => (nearest.next_down(), nearest),
        Some(Ordering::Greater) => (nearest, nearest.next_up()),
        _ => return nearest,
    };
    let is_up = match WAY.get() {
        Way::Nearest => return nearest,
        Way::Up => true,
        Way::Down => false,
        Way::Away => high > 0.0,
        Way::Towards => high < 0.0,
        Way::Any => {
            // Xorshift.
            let mut x = STATE.get();
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            STATE.set(x);
            x >> 63 == 1
        }
    };
    if is_up { up } else { down }
}

/// The exact sum.
pub(super) fn sum(a: f32, b: f32) -> (f64, f64) {
    let (a, b) = (f64::from(a), f64::from(b));
    let sum = a + b;
    let from_b = sum - a;
    (sum, (a - (sum - from_b)) + (b - from_b))
}

/// The exact product.
pub(super) fn product(a: f32, b: f32) -> (f64, f64) {
    (f64::from(a) * f64::from(b), 0.0)
}
