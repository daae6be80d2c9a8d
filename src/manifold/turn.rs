//! Vectors of numbers, or of several numbers side by side, and the components of a vector in turn from one that is chosen.
//!
//! (Components are written out rather than mapped by closures: see [`Task`](crate::lanes::Task).)

use crate::det::{abs, add, mul, neg, sub};
use crate::lanes::{Number, Truth};

#[inline(always)]
pub(crate) fn add3<T: Number>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    [add(a[0], b[0]), add(a[1], b[1]), add(a[2], b[2])]
}

#[inline(always)]
pub(crate) fn sub3<T: Number>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    [sub(a[0], b[0]), sub(a[1], b[1]), sub(a[2], b[2])]
}

#[inline(always)]
pub(crate) fn neg3<T: Number>(v: [T; 3]) -> [T; 3] {
    [neg(v[0]), neg(v[1]), neg(v[2])]
}

#[inline(always)]
pub(super) fn abs3<T: Number>(v: [T; 3]) -> [T; 3] {
    [abs(v[0]), abs(v[1]), abs(v[2])]
}

#[inline(always)]
pub(crate) fn scale3<T: Number>(v: [T; 3], s: T) -> [T; 3] {
    [mul(v[0], s), mul(v[1], s), mul(v[2], s)]
}

#[inline(always)]
pub(crate) fn dot3<T: Number>(a: [T; 3], b: [T; 3]) -> T {
    add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]))
}

/// −v or v.
#[inline(always)]
pub(super) fn signed3<T: Number>(v: [T; 3], positive: T::Truth) -> [T; 3] {
    choose3(positive, v, neg3(v))
}

/// Whether any of them holds.
#[inline(always)]
pub(super) fn any_of<T: Number>(truths: &[T::Truth]) -> T::Truth {
    let mut any = truths[0];
    for truth in &truths[1..] {
        any = any.or(*truth);
    }
    any
}

#[inline(always)]
pub(crate) fn choose3<T: Number>(which: T::Truth, yes: [T; 3], no: [T; 3]) -> [T; 3] {
    [T::choose(which, yes[0], no[0]), T::choose(which, yes[1], no[1]), T::choose(which, yes[2], no[2])]
}

/// The axes in turn, from one that is chosen.
#[derive(Clone, Copy)]
pub(super) struct Turn<T: Number> {
    /// Whether the second or the third is the first now.
    second: T::Truth,
    third: T::Truth,
}

impl<T: Number> Turn<T> {
    /// From the second or the third axis on, or from the first.
    #[inline(always)]
    pub(super) fn by(second: T::Truth, third: T::Truth) -> Self {
        Self { second, third }
    }

    #[inline(always)]
    fn pick(self, v: [T; 3]) -> T {
        T::choose(self.third, v[2], T::choose(self.second, v[1], v[0]))
    }

    /// The components in turn.
    #[inline(always)]
    pub(super) fn of(self, [x, y, z]: [T; 3]) -> [T; 3] {
        [self.pick([x, y, z]), self.pick([y, z, x]), self.pick([z, x, y])]
    }
}
