//! A body as contacts see it: made once a body, and used for each of its pairs.

use super::turn::scale3;
use crate::det::{
    Double, abs, add, add_double, clean, max, mul, mul_double, neg, neg_double, quick_two_sum, recip, rsqrt,
    sub_double, two_prod, two_sum,
};
use crate::lanes::{Number, Task, Truth, Width};
use crate::shape::hull_record;
use crate::shape::kinds::{Kind, Record};

/// The least and the greatest exponent of a body's largest length, and of a quaternion's largest number, as the bits of an `f32`
/// hold it (127 stands for 2⁰). Pairs with a body outside are left to the scalar function.
const EXPONENTS: std::ops::RangeInclusive<u32> = 127 - 60..=127 + 60;

/// Centre, half extents and axes in numbers on the grid of deterministic arithmetic.
///
/// The centre and the axes are double words: an exact sum, and unit vectors to 2⁻⁴⁴. What most pairs need is in the first half.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Frame {
    pub(super) center: [f32; 3],
    /// The [kind](KIND); [`HAS_LOW`]; [`IS_POINT`]; from bit 8 on the exponent of the largest length, or 0 if the body is outside the domain; from bit 16 on that
    /// of the largest coordinate of the centre.
    tag: u32,
    /// The axes, one after the other, each with the half extent along it. A sphere has its radius instead of half extents. A capsule has only
    /// the axis of its segment, half of whose length is the first extent, and its radius instead of the others.
    pub(super) axes: [[f32; 4]; 3],
    /// What rounding left of the centre, and of the axes and half extents. The last number is the margin of the body, as it is.
    pub(super) center_low: [f32; 4],
    pub(super) axes_low: [[f32; 4]; 3],
}

/// The bit of a frame's tag that says that the lower words of its centre are not all 0.
pub(crate) const HAS_LOW: u32 = 8;

/// The bit of a frame's tag that says that the body is a point: all of its lengths are 0.
pub(crate) const IS_POINT: u32 = 16;

/// The bit of a frame's tag that says that the body is a half-space in the domain: the first axis is its unit normal, with the offset of its border from
/// the origin. (It has no size, so that it is outside the domain of everything else.)
pub(crate) const IS_HALF_SPACE: u32 = 32;

/// The bit of a frame's tag that says that the body is a hull in the domain: the first extent is the word of its record that names its local form. (It is
/// outside the domain of everything that knows no corners.)
pub(crate) const IS_HULL: u32 = 64;

/// Numbers of 2¹⁰⁰ and more are not computed with.
pub(crate) const MOST_EXPONENT: u32 = 127 + 100;

/// An offset may be this many powers of two larger than the largest component of the normal.
const MOST_OFFSET: u32 = 60;

/// The bits of a frame's tag that hold the kind.
pub(crate) const KIND: u32 = 7;

/// The exponent of a number, as its bits hold it.
pub(super) fn exponent(x: f32) -> u32 {
    x.to_bits() >> 23 & 255
}

fn largest_exponent(v: [f32; 3]) -> u32 {
    exponent(v[0]).max(exponent(v[1])).max(exponent(v[2]))
}

impl Frame {
    pub(super) fn kind(&self) -> u32 {
        self.tag & KIND
    }

    /// Whether the body is a half-space, in the domain or not.
    pub(crate) fn is_half_space(&self) -> bool {
        self.kind() == Kind::Plane as u32
    }

    /// The unit normal of a half-space, and the offset of its border from the origin; `None` outside the domain.
    pub(crate) fn half_space(&self) -> Option<([Double; 3], Double)> {
        let double = |k: usize| Double { high: self.axes[0][k], low: self.axes_low[0][k] };
        (self.tag & IS_HALF_SPACE != 0).then(|| ([double(0), double(1), double(2)], double(3)))
    }

    /// Whether the body is a hull, in the domain or not.
    pub(crate) fn is_hull(&self) -> bool {
        self.kind() == Kind::ConvexHull as u32
    }

    /// The word of a hull's record that names its local form; `None` outside the domain.
    pub(crate) fn form_word(&self) -> Option<f32> {
        (self.tag & IS_HULL != 0).then_some(self.axes[0][3])
    }

    /// The exponent of the largest length, or 0 if the body is outside the domain.
    pub(crate) fn exponent(&self) -> u32 {
        self.tag >> 8 & 255
    }

    /// Whether the body is in the domain, or a point.
    pub(crate) fn has_size_in_domain(&self) -> bool {
        self.exponent() != 0 || self.tag & IS_POINT != 0
    }

    /// How far the body keeps others away.
    pub(crate) fn margin(&self) -> f32 {
        self.center_low[3]
    }

    pub(crate) fn with_margin(mut self, margin: f32) -> Self {
        self.center_low[3] = margin;
        self
    }

    /// The exponent of the largest coordinate of the centre.
    pub(crate) fn reach(&self) -> u32 {
        self.tag >> 16
    }

    pub(crate) fn of(kind: Kind, record: &Record) -> Self {
        let (mut frame, quaternion) = Self::unturned(kind, record);
        if let Some(quaternion) = quaternion {
            frame.turn(&rotation(quaternion), 0);
        }
        frame
    }

    /// The frames of many bodies, whose rotations are computed side by side.
    pub(crate) fn fill<'a>(frames: &mut [Self], body: impl Fn(usize) -> (Kind, &'a Record)) {
        let width = Width::widest();
        let (mut waiting, mut count) = ([(0, [0.0; 4]); Width::MOST_LANES], 0);
        for k in 0..frames.len() {
            let (kind, record) = body(k);
            let (frame, quaternion) = Self::unturned(kind, record);
            frames[k] = frame;
            if let Some(quaternion) = quaternion {
                waiting[count] = (k, quaternion);
                count += 1;
            }
            if count == width.lanes() {
                width.run(Turns { frames, waiting: &waiting[..count] });
                count = 0;
            }
        }
        if count > 0 {
            width.run(Turns { frames, waiting: &waiting[..count] });
        }
    }

    /// Without its rotation, and the quaternion of that, scaled, if it has one and is in the domain.
    fn unturned(kind: Kind, record: &Record) -> (Self, Option<[f32; 4]>) {
        if kind == Kind::Plane {
            return (Self::of_half_space(record), None);
        }
        if kind == Kind::ConvexHull {
            return Self::of_hull(record);
        }
        let three = |first: usize| [record[first], record[first + 1], record[first + 2]];
        let raw = if kind == Kind::Sphere { [three(0), [record[3]; 3]] } else { [three(0), three(3)] };
        let radius = if kind == Kind::Capsule { record[6] } else { 0.0 };
        let mut frame = Self { tag: kind as u32, ..Self::default() };
        if raw.iter().any(|v| largest_exponent(*v) > MOST_EXPONENT) || exponent(radius) > MOST_EXPONENT {
            return (frame, None);
        }
        let has_corners = matches!(kind, Kind::Aabb | Kind::Capsule);
        let is_point = if has_corners { raw[0] == raw[1] && radius == 0.0 } else { raw[1] == [0.0; 3] };
        let [first, mut half] = raw.map(|v| v.map(clean));
        frame.center = first;
        if has_corners {
            let last = half;
            for k in 0..3 {
                let sum = two_sum(first[k], last[k]);
                frame.center[k] = mul(0.5, sum.high);
                frame.center_low[k] = mul(0.5, sum.low);
                let side = two_sum(last[k], neg(first[k]));
                half[k] = mul(0.5, side.high);
                frame.axes_low[k][3] = mul(0.5, side.low);
            }
        }
        if kind == Kind::Capsule {
            half = frame.set_segment(half, clean(radius));
        }
        for (axis, half) in frame.axes.iter_mut().zip(half) {
            axis[3] = half;
        }
        let mut quaternion = None;
        if kind == Kind::Obb {
            quaternion = scaled_quaternion([record[6], record[7], record[8], record[9]]);
            if quaternion.is_none() {
                return (frame, None);
            }
        } else if kind != Kind::Capsule {
            for k in 0..3 {
                frame.axes[k][k] = 1.0;
            }
        }
        let size = largest_exponent(half);
        if EXPONENTS.contains(&size) {
            frame.tag |= size << 8;
        }
        if is_point {
            frame.tag |= IS_POINT;
        }
        if frame.center_low != [0.0; 4] {
            frame.tag |= HAS_LOW;
        }
        frame.tag |= largest_exponent(frame.center) << 16;
        (frame, quaternion)
    }

    /// Of a hull without its rotation, and its quaternion.
    fn of_hull(record: &Record) -> (Self, Option<[f32; 4]>) {
        let mut frame = Self { tag: Kind::ConvexHull as u32, ..Self::default() };
        let place = [record[0], record[1], record[2]];
        let quaternion = scaled_quaternion([record[6], record[7], record[8], record[9]]);
        if largest_exponent(place) > MOST_EXPONENT || quaternion.is_none() {
            return (frame, None);
        }
        frame.center = place.map(clean);
        frame.axes[0][3] = record[hull_record::FORM_WORD];
        frame.tag |= IS_HULL | largest_exponent(frame.center) << 16;
        (frame, quaternion)
    }

    /// Of a half-space, whose normal and offset are divided by the normal's length. Relative errors of at most 2⁻⁴².
    fn of_half_space(record: &Record) -> Self {
        let mut frame = Self { tag: Kind::Plane as u32, ..Self::default() };
        let largest = largest_exponent([record[0], record[1], record[2]]);
        if !EXPONENTS.contains(&largest) || exponent(record[3]) > largest + MOST_OFFSET {
            return frame;
        }
        let [x, y, z, d] = [0, 1, 2, 3].map(|k| mul(clean(record[k]), power(254 - largest)));
        let square = add_double(add_double(two_prod(x, x), two_prod(y, y)), two_prod(z, z));
        let inverse = rsqrt_double(square);
        for (k, x) in [x, y, z, d].into_iter().enumerate() {
            let Double { high, low } = mul_double(single(x), inverse);
            (frame.axes[0][k], frame.axes_low[0][k]) = (high, low);
        }
        frame.tag |= IS_HALF_SPACE | exponent(frame.axes[0][3]) << 16;
        frame
    }

    /// The extents of a capsule, from half of its segment, whose lower words are where those of half extents are. Sets the axis.
    fn set_segment(&mut self, half: [f32; 3], radius: f32) -> [f32; 3] {
        let largest = largest_exponent(half);
        let low = [0, 1, 2].map(|k| std::mem::take(&mut self.axes_low[k][3]));
        if largest == 0 {
            return [0.0, radius, radius];
        }
        let scale = power(254 - largest);
        let half = [0, 1, 2].map(|k| Double { high: mul(half[k], scale), low: mul(low[k], scale) });
        let square = half.map(|x| mul_double(x, x));
        let square = add_double(add_double(square[0], square[1]), square[2]);
        let inverse = rsqrt_double(square);
        for (k, x) in half.into_iter().enumerate() {
            let Double { high, low } = mul_double(x, inverse);
            (self.axes[0][k], self.axes_low[0][k]) = (high, low);
        }
        let length = mul_double(square, inverse);
        self.axes_low[0][3] = mul(length.low, power(largest));
        [mul(length.high, power(largest)), radius, radius]
    }

    #[inline(always)]
    fn turn<T: Number>(&mut self, axes: &[[Double<T>; 3]; 3], lane: usize) {
        for (k, [x, y, z]) in axes.iter().enumerate() {
            self.axes[k][..3].copy_from_slice(&[x.high.lane(lane), y.high.lane(lane), z.high.lane(lane)]);
            self.axes_low[k][..3].copy_from_slice(&[x.low.lane(lane), y.low.lane(lane), z.low.lane(lane)]);
        }
    }
}

/// Rotations that are computed side by side, each of the frame with this number.
struct Turns<'a> {
    frames: &'a mut [Frame],
    waiting: &'a [(usize, [f32; 4])],
}

impl Task for Turns<'_> {
    type Output = ();
    #[inline(always)]
    fn run<T: Number>(self) {
        let last = self.waiting.len() - 1;
        let each = |lane: usize| self.waiting[lane.min(last)].1;
        let axes = rotation([
            T::from_fn(|lane| each(lane)[0]),
            T::from_fn(|lane| each(lane)[1]),
            T::from_fn(|lane| each(lane)[2]),
            T::from_fn(|lane| each(lane)[3]),
        ]);
        for (lane, (number, _)) in self.waiting.iter().enumerate() {
            self.frames[*number].turn(&axes, lane);
        }
    }
}

/// The axes of a box with this quaternion, each entry with an error of at most 2⁻⁴⁴; `None` outside the domain.
pub(crate) fn turned_axes(q: [f32; 4]) -> Option<[[Double; 3]; 3]> {
    scaled_quaternion(q).map(rotation)
}

/// The same of finite quaternions side by side, and of which that can be said.
#[inline(always)]
pub(crate) fn turned_axes_of_many<T: Number>(q: [T; 4]) -> ([[Double<T>; 3]; 3], T::Truth) {
    let [x, y, z, w] = q;
    let largest = x.magnitude().greater(y.magnitude()).greater(z.magnitude()).greater(w.magnitude());
    let largest = largest.masked(0x7f80_0000);
    let inside = T::splat(power(*EXPONENTS.start())).at_most(largest);
    let inside = inside.and(largest.at_most(T::splat(power(*EXPONENTS.end()))));
    // (Those outside the domain are as good as any other.)
    let one = T::splat(1.0);
    let scale = T::from_guess(254 << 23, T::choose(inside, largest, one), 0);
    let x = mul(clean(T::choose(inside, x, one)), scale);
    let y = mul(clean(T::choose(inside, y, one)), scale);
    let z = mul(clean(T::choose(inside, z, one)), scale);
    let w = mul(clean(T::choose(inside, w, one)), scale);
    (rotation([x, y, z, w]), inside)
}

/// A quaternion whose largest number is from 1 to 2; `None` outside the domain.
fn scaled_quaternion(q: [f32; 4]) -> Option<[f32; 4]> {
    let largest = q.iter().fold(0, |largest, x| largest.max(exponent(*x)));
    EXPONENTS.contains(&largest).then(|| q.map(|x| mul(clean(x), power(254 - largest))))
}

/// The power of two whose exponent has these bits.
pub(crate) fn power(exponent: u32) -> f32 {
    f32::from_bits(exponent << 23)
}

#[inline(always)]
fn single<T: Number>(x: T) -> Double<T> {
    Double { high: x, low: T::splat(0.0) }
}

/// The columns of the rotation of a quaternion whose largest number is from 1 to 2. Each entry has an error of at most 2⁻⁴⁴.
#[inline(always)]
fn rotation<T: Number>([x, y, z, w]: [T; 4]) -> [[Double<T>; 3]; 3] {
    let (xx, yy, zz, ww) = (two_prod(x, x), two_prod(y, y), two_prod(z, z), two_prod(w, w));
    let (xy, xz, yz) = (two_prod(x, y), two_prod(x, z), two_prod(y, z));
    let (wx, wy, wz) = (two_prod(w, x), two_prod(w, y), two_prod(w, z));
    let inverse = recip_double(add_double(add_double(xx, yy), add_double(zz, ww)));
    let twice = Double { high: add(inverse.high, inverse.high), low: add(inverse.low, inverse.low) };
    [
        [diagonal([ww, xx, yy, zz], inverse), sum(xy, wz, twice), sum(xz, neg_double(wy), twice)],
        [sum(xy, neg_double(wz), twice), diagonal([ww, yy, xx, zz], inverse), sum(yz, wx, twice)],
        [sum(xz, wy, twice), sum(yz, neg_double(wx), twice), diagonal([ww, zz, xx, yy], inverse)],
    ]
}

/// (a + b) − (c + d), times a factor.
#[inline(always)]
fn diagonal<T: Number>([a, b, c, d]: [Double<T>; 4], factor: Double<T>) -> Double<T> {
    mul_double(sub_double(add_double(a, b), add_double(c, d)), factor)
}

/// a + b, times a factor.
#[inline(always)]
fn sum<T: Number>(a: Double<T>, b: Double<T>, factor: Double<T>) -> Double<T> {
    mul_double(add_double(a, b), factor)
}

/// 1/x by a further step of Newton's method, for x from 1 to 16. Relative error at most 2⁻⁴⁴.
#[inline(always)]
fn recip_double<T: Number>(x: Double<T>) -> Double<T> {
    let guess = recip(x.high);
    let rest = sub_double(single(T::splat(1.0)), mul_double(x, single(guess)));
    quick_two_sum(guess, mul(guess, rest.high))
}

/// 1/√x by a further step of Newton's method, for x from 1 to 16. Relative error at most 2⁻⁴³.
#[inline(always)]
pub(crate) fn rsqrt_double<T: Number>(x: Double<T>) -> Double<T> {
    let guess = rsqrt(x.high);
    let rest = sub_double(single(T::splat(1.0)), mul_double(x, two_prod(guess, guess)));
    quick_two_sum(guess, mul(mul(T::splat(0.5), guess), rest.high))
}

/// A body as one pair sees it: scaled by a power of two. Or the bodies of several pairs side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solid<T = f32> {
    pub(super) center: [T; 3],
    pub(super) center_low: [T; 3],
    pub(super) half: [T; 3],
    pub(super) axes: [[T; 3]; 3],
}

/// The axes in turn, from each of them on.
const TURNS: [[usize; 3]; 3] = [[0, 1, 2], [1, 2, 0], [2, 0, 1]];

/// The numbers of several frames side by side, in memory.
type Rows<const N: usize> = [[f32; Width::MOST_LANES]; N];

#[inline(always)]
fn row3<T: Number, const N: usize>(rows: &Rows<N>, first: usize) -> [T; 3] {
    [
        T::from_fn(|lane| rows[first][lane]),
        T::from_fn(|lane| rows[first + 1][lane]),
        T::from_fn(|lane| rows[first + 2][lane]),
    ]
}

#[inline(always)]
fn put3<const N: usize>(rows: &mut Rows<N>, first: usize, lane: usize, v: [f32; 3]) {
    (rows[first][lane], rows[first + 1][lane], rows[first + 2][lane]) = (v[0], v[1], v[2]);
}

/// What the rounding of the axes left. `of` returns a body, and which of its axes is the first.
#[inline(always)]
pub(super) fn low_words<'a, T: Number>(of: impl Fn(usize) -> (&'a Frame, usize)) -> [[T; 3]; 3] {
    let mut rows: Rows<9> = [[0.0; Width::MOST_LANES]; 9];
    for lane in 0..T::LANES {
        let (frame, first) = of(lane);
        for (k, axis) in TURNS[first].into_iter().enumerate() {
            let [x, y, z, _] = frame.axes_low[axis];
            put3(&mut rows, 3 * k, lane, [x, y, z]);
        }
    }
    [row3(&rows, 0), row3(&rows, 3), row3(&rows, 6)]
}

impl<T: Number> Solid<T> {
    /// Scaled by this. `of` returns a body, and which of its axes is the first.
    #[inline(always)]
    pub(super) fn of<'a>(of: impl Fn(usize) -> (&'a Frame, usize), scale: T) -> Self {
        let mut rows: Rows<18> = [[0.0; Width::MOST_LANES]; 18];
        for lane in 0..T::LANES {
            let (frame, first) = of(lane);
            let [x, y, z] = TURNS[first].map(|k| frame.axes[k]);
            let [low_x, low_y, low_z, _] = frame.center_low;
            put3(&mut rows, 0, lane, frame.center);
            put3(&mut rows, 3, lane, [low_x, low_y, low_z]);
            put3(&mut rows, 6, lane, [x[3], y[3], z[3]]);
            put3(&mut rows, 9, lane, [x[0], x[1], x[2]]);
            put3(&mut rows, 12, lane, [y[0], y[1], y[2]]);
            put3(&mut rows, 15, lane, [z[0], z[1], z[2]]);
        }
        Self {
            center: scale3(row3(&rows, 0), scale),
            center_low: scale3(row3(&rows, 3), scale),
            half: scale3(row3(&rows, 6), scale),
            axes: [row3(&rows, 9), row3(&rows, 12), row3(&rows, 15)],
        }
    }

    /// The largest half extent, or the radius.
    #[inline(always)]
    pub(super) fn size(&self) -> T {
        let [x, y, z] = self.half;
        max(max(x, y), z)
    }
}

/// From the centre of one body to that of another: exact but for one rounding.
#[inline(always)]
pub(super) fn between<T: Number>(a: &Solid<T>, b: &Solid<T>) -> [T; 3] {
    [between_along(a, b, 0), between_along(a, b, 1), between_along(a, b, 2)]
}

#[inline(always)]
fn between_along<T: Number>(a: &Solid<T>, b: &Solid<T>, k: usize) -> T {
    let to = Double { high: b.center[k], low: b.center_low[k] };
    sub_double(to, Double { high: a.center[k], low: a.center_low[k] }).high
}

/// −x or x.
#[inline(always)]
pub(super) fn signed<T: Number>(x: T, positive: T::Truth) -> T {
    T::choose(positive, x, neg(x))
}

/// −`most`, x or `most`.
#[inline(always)]
pub(super) fn clamped<T: Number>(x: T, most: T) -> T {
    T::choose(abs(x).below(most), x, signed(most, x.below(T::splat(0.0)).not()))
}
