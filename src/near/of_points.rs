//! How far oriented boxes are from points, many side by side: the bits of [`clearance_of`](super::clearance_of) for a ball without radius.
//!
//! What it does for any two bodies is done here for a point and a box, step by step and with the same operations: the box's axes say where it is
//! nearest, and the direction between tells how far that is. Where an axis is nearly at right angles to that direction, several directions
//! are tried, one pair after the other.
//!
//! (Components are written out rather than mapped by closures: see [`Task`].)

use glam::Vec3;

use super::precise::{ERROR as PRECISE_ERROR, NEARLY};
use super::search::LEAST_SQUARE;
use super::{APART, ERROR, EXPONENTS, REACH};
use crate::det::{
    Double, SMALLEST_ROOT, abs, add, add_double, clean, div, max, min, mul, mul_double, neg, neg_double, sub_double,
    two_prod, two_sum,
};
use crate::lanes::{Number, Task, Truth, Width};
use crate::manifold::turn::{add3, choose3, dot3, neg3, scale3, sub3};
use crate::manifold::{MOST_EXPONENT, rsqrt_double, turned_axes_of_many};
use crate::shape::kinds::Record;

/// The bits of a number that hold its exponent.
const EXPONENT: u32 = 0x7f80_0000;

fn power(exponent: u32) -> f32 {
    f32::from_bits(exponent << 23)
}

/// How far a box is from a point, and where it is nearest.
pub(crate) type Nearest = (f32, Vec3);

/// Finds how far oriented boxes are from points: for each pair, or `None` where this cannot tell.
pub(crate) fn boxes_from_points(pairs: &[([f32; 3], &Record)]) -> Vec<Option<Nearest>> {
    Width::widest().run(Pairs(pairs))
}

/// Pairs of a point and the record of an oriented box.
pub(super) struct Pairs<'a>(pub &'a [([f32; 3], &'a Record)]);

impl Task for Pairs<'_> {
    type Output = Vec<Option<Nearest>>;

    #[inline(always)]
    fn run<T: Number>(self) -> Self::Output {
        let mut all = Vec::with_capacity(self.0.len());
        for some in self.0.chunks(T::LANES) {
            let last = some.len() - 1;
            let mut rows = [[[0.0; 4]; 4]; Width::MOST_LANES];
            for (lane, rows) in rows.iter_mut().enumerate().take(T::LANES) {
                let (point, record) = &some[lane.min(last)];
                let [a, b, c, d, e, f, i, j, k, w] = **record;
                *rows = [[a, b, c, point[0]], [d, e, f, point[1]], [i, j, k, w], [point[2], 0.0, 0.0, 0.0]];
            }
            let [a, b, c, x] = T::columns(|lane| &rows[lane][0]);
            let [d, e, f, y] = T::columns(|lane| &rows[lane][1]);
            let turn = T::columns(|lane| &rows[lane][2]);
            let [z, ..] = T::columns(|lane| &rows[lane][3]);
            let found = nearest([x, y, z], [a, b, c], [d, e, f], turn);
            let mut columns = [[0.0; Width::MOST_LANES]; 6];
            let [x, y, z] = found.point;
            for (column, found) in columns.iter_mut().zip([found.gap.high, found.gap.low, found.size, x, y, z]) {
                found.store(column);
            }
            for lane in 0..some.len() {
                let [high, low, size, x, y, z] = columns.map(|column| column[lane]);
                // Rounded down.
                let is_apart = found.is_apart >> lane & 1 == 1 && high > 0.0;
                let gap = if is_apart { f32::from_bits(high.to_bits() - u32::from(low < 0.0)) } else { 0.0 };
                let is_known = found.is_known >> lane & 1 == 1;
                all.push(is_known.then(|| (mul(gap, size), Vec3::new(x, y, z))));
            }
        }
        all
    }
}

/// Points and boxes side by side.
struct Found<T> {
    /// How far they are apart, in units of `size`, before it is rounded.
    gap: Double<T>,
    size: T,
    /// The points of the boxes that are nearest.
    point: [T; 3],
    /// A bit for each pair that is not known to meet, and for each that this can tell anything of.
    is_apart: u32,
    is_known: u32,
}

#[inline(always)]
fn splat3<T: Number>(x: f32) -> [T; 3] {
    [T::splat(x), T::splat(x), T::splat(x)]
}

#[inline(always)]
fn clean3<T: Number>([x, y, z]: [T; 3]) -> [T; 3] {
    [clean(x), clean(y), clean(z)]
}

#[inline(always)]
fn largest_of<T: Number>([x, y, z]: [T; 3]) -> T {
    x.magnitude().greater(y.magnitude()).greater(z.magnitude())
}

/// Whether numbers are small enough to be computed with.
#[inline(always)]
fn are_small<T: Number>(v: [T; 3]) -> T::Truth {
    largest_of(v).below(T::splat(power(MOST_EXPONENT + 1)))
}

/// Whether a power of two has one of the [`EXPONENTS`].
#[inline(always)]
fn is_within<T: Number>(size: T) -> T::Truth {
    T::splat(power(*EXPONENTS.start())).at_most(size).and(size.at_most(T::splat(power(*EXPONENTS.end()))))
}

#[inline(always)]
fn single<T: Number>(x: T) -> Double<T> {
    Double { high: x, low: T::splat(0.0) }
}

#[inline(always)]
fn choose<T: Number>(which: T::Truth, yes: Double<T>, no: Double<T>) -> Double<T> {
    Double { high: T::choose(which, yes.high, no.high), low: T::choose(which, yes.low, no.low) }
}

#[inline(always)]
fn choose_axis<T: Number>(which: T::Truth, yes: &[Double<T>; 3], no: &[Double<T>; 3]) -> [Double<T>; 3] {
    [choose(which, yes[0], no[0]), choose(which, yes[1], no[1]), choose(which, yes[2], no[2])]
}

#[inline(always)]
fn high3<T: Number>(v: &[Double<T>; 3]) -> [T; 3] {
    [v[0].high, v[1].high, v[2].high]
}

#[inline(always)]
fn dot_double<T: Number>(n: [T; 3], v: &[Double<T>; 3]) -> Double<T> {
    let sum = add_double(mul_double(single(n[0]), v[0]), mul_double(single(n[1]), v[1]));
    add_double(sum, mul_double(single(n[2]), v[2]))
}

/// One number of the vector at right angles to two others.
#[inline(always)]
fn across<T: Number>(a: &[Double<T>; 3], b: &[Double<T>; 3], x: usize, y: usize) -> T {
    sub_double(mul_double(a[x], b[y]), mul_double(a[y], b[x])).high
}

/// Where one of a box's axes ends up in the difference that is nearest to 0.
struct Share<T: Number> {
    /// Between −1 and 1, and whether it may be moved.
    share: T,
    is_free: T::Truth,
}

/// How much of a generator is in the nearest difference.
#[inline(always)]
fn share_of<T: Number>(generator: [T; 3], t: [T; 3]) -> Share<T> {
    let (zero, one) = (T::splat(0.0), T::splat(1.0));
    let (along, square) = (dot3(generator, t), dot3(generator, generator));
    let is_long = T::splat(LEAST_SQUARE).below(square);
    let is_inner = abs(along).below(square);
    let inner = neg(div(T::choose(is_inner, along, zero), T::choose(is_long, square, one)));
    let outer = T::choose(along.below(zero), one, neg(one));
    let share = T::choose(is_inner, inner, outer).unless(is_long.not());
    Share { share, is_free: is_long.and(is_inner) }
}

/// How far all differences are along a direction that is not 0, as [`PrecisePair`](super::precise::PrecisePair) has it.
#[inline(always)]
fn gap_along<T: Number>(
    direction: [T; 3],
    t: &[Double<T>; 3],
    axes: &[[Double<T>; 3]; 3],
    half: [T; 3],
    error: T,
) -> Double<T> {
    let (zero, largest) = (T::splat(0.0), largest_of(direction).masked(EXPONENT));
    let n = scale3(direction, T::from_guess(254 << 23, largest, 0));
    let mut along = dot_double(n, t);
    for k in 0..3 {
        let turned = dot_double(n, &axes[k]);
        let turned = choose(turned.high.below(zero), neg_double(turned), turned);
        along = sub_double(along, mul_double(turned, single(half[k])));
    }
    let square = add_double(add_double(two_prod(n[0], n[0]), two_prod(n[1], n[1])), two_prod(n[2], n[2]));
    let height = mul_double(along, rsqrt_double(square));
    sub_double(sub_double(height, two_sum(zero, zero)), single(mul(T::splat(PRECISE_ERROR), error)))
}

#[inline(always)]
fn nearest<T: Number>(point: [T; 3], center: [T; 3], half: [T; 3], turn: [T; 4]) -> Found<T> {
    let (zero, one) = (T::splat(0.0), T::splat(1.0));
    let is_point = half[0].equals(zero).and(half[1].equals(zero)).and(half[2].equals(zero));
    let inside = are_small(point).and(are_small(center)).and(are_small(half));
    // (What is outside the domain is computed with other numbers.)
    let point = clean3(choose3(inside, point, splat3(0.0)));
    let center = clean3(choose3(inside, center, splat3(0.0)));
    let half = clean3(choose3(inside, half, splat3(1.0)));
    let extent = largest_of(half).masked(EXPONENT);
    let has_size = is_within(extent);
    let size = largest_of(sub3(center, point)).masked(EXPONENT).greater(extent.unless(has_size.not()));
    let reach = largest_of(point).greater(largest_of(center)).masked(EXPONENT);
    let inside = inside.and(has_size.or(is_point)).and(is_within(size));
    let inside = inside.and(reach.at_most(size.times(T::splat(power(127 + REACH)))));
    let size = T::choose(inside, size, one);
    let point = choose3(inside, point, splat3(0.0));
    let center = choose3(inside, center, splat3(0.0));
    let half = choose3(inside, half, splat3(1.0));
    let (axes, are_axes) = turned_axes_of_many(turn);
    // The pair, scaled.
    let scale = T::from_guess(254 << 23, size, 0);
    let (from, to, half) = (scale3(point, scale), scale3(center, scale), scale3(half, scale));
    let t = sub3(to, from);
    let inside = inside.and(are_axes).and(largest_of(t).masked(EXPONENT).at_most(T::splat(power(APART))));
    let sizes = add(add(abs(t[0]), abs(t[1])), abs(t[2]));
    let error = mul(T::splat(ERROR), add(sizes, add(add(half[0], half[1]), half[2])));
    let [a, b, c] = [high3(&axes[0]), high3(&axes[1]), high3(&axes[2])];
    // The nearest difference.
    let (ga, gb, gc) = (scale3(a, half[0]), scale3(b, half[1]), scale3(c, half[2]));
    let (sa, sb, sc) = (share_of(ga, t), share_of(gb, t), share_of(gc, t));
    let found = add3(add3(add3(t, scale3(ga, sa.share)), scale3(gb, sb.share)), scale3(gc, sc.share));
    let of_a = scale3(ga, min(max(sa.share, neg(one)), one));
    let of_b = scale3(gb, min(max(sb.share, neg(one)), one));
    let of_c = scale3(gc, min(max(sc.share, neg(one)), one));
    let of_box = add3(add3(of_a, of_b), of_c);
    let way = add3(t, of_box);
    let is_far = dot3(found, found).below(T::splat(LEAST_SQUARE)).not();
    let towards = choose3(is_far, found, way);
    let is_inside = sa.is_free.and(sb.is_free).and(sc.is_free);
    let is_nowhere = largest_of(towards).equals(zero);
    // Which axes are at right angles to it, and whether others nearly are.
    let least = max(mul(T::splat(NEARLY), dot3(towards, towards)), mul(error, error));
    let (xa, xb, xc) = (dot3(towards, a), dot3(towards, b), dot3(towards, c));
    let doubt_a = mul(xa, xa).below(least).and(sa.is_free.not());
    let doubt_b = mul(xb, xb).below(least).and(sb.is_free.not());
    let doubt_c = mul(xc, xc).below(least).and(sc.is_free.not());
    let is_clear = doubt_a.or(doubt_b).or(doubt_c).not();
    // Of one axis: without what the direction has of it. (A pair without any that is at right angles keeps its direction.)
    let free = choose3(sa.is_free, a, choose3(sb.is_free, b, c));
    let without = sub3(way, scale3(free, dot3(way, free)));
    // Of two: across both.
    let first = choose_axis(sa.is_free, &axes[0], &axes[1]);
    let second = choose_axis(sc.is_free, &axes[2], &axes[1]);
    let both = [across(&first, &second, 1, 2), across(&first, &second, 2, 0), across(&first, &second, 0, 1)];
    let both = choose3(zero.below(dot3(both, both)), both, splat3(0.0));
    let both = choose3(dot3(both, towards).below(zero), neg3(both), both);
    let two = sa.is_free.and(sb.is_free).or(sa.is_free.and(sc.is_free)).or(sb.is_free.and(sc.is_free));
    let any = sa.is_free.or(sb.is_free).or(sc.is_free);
    let direction = choose3(two, both, choose3(any, without, towards));
    let is_apart = is_inside.or(is_nowhere).or(largest_of(direction).equals(zero)).not();
    let direction = choose3(is_apart, direction, splat3(1.0));
    let precise = [
        sub_double(single(to[0]), single(from[0])),
        sub_double(single(to[1]), single(from[1])),
        sub_double(single(to[2]), single(from[2])),
    ];
    let gap = gap_along(direction, &precise, &axes, half, error);
    // A point in the box is its own nearest point.
    let is_away = T::splat(SMALLEST_ROOT).at_most(dot3(way, way));
    let on_box = choose3(is_away, add3(center, scale3(of_box, size)), point);
    let is_known = inside.and(is_clear.or(is_inside).or(is_nowhere));
    Found { gap, size, point: on_box, is_apart: is_apart.bits(), is_known: is_known.bits() }
}
