//! Hard pairs: on the boundary of the Minkowski difference A ⊖ B, then moved by single units in the last place to either side of
//! it.
//!
//! The boundary of the difference of two boxes consists of faces, one for each direction L: the sum of all edge vectors (half
//! extents times axes) with the sign of their dot product with L; those at right angles to L have any factor from -1 to 1. So one
//! rule makes contacts of faces, edges and corners, in their interior, at their rim and just off it. Balls and capsules add their radii
//! along L; the segment of a capsule is a box with one edge. A half-space has one direction, and is put where the other shape reaches farthest against it.
//! Of hulls, which are no such sums, the face is that of the points that are farthest along L.

use tangency::Relation;

use super::dice::{Dice, Style, axes, finite, form, rotation, sign_zeros, step};
use super::form::{Form, Kind};
use super::{oracle, planes};

/// Two shapes and their exact relation.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub a: Form,
    pub b: Form,
    pub relation: Relation,
}

type Vector = [f64; 3];

fn dot(a: &Vector, b: &Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn scaled(a: &Vector, factor: f64) -> Vector {
    a.map(|x| x * factor)
}

fn unit(a: &Vector) -> Option<Vector> {
    let largest = a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let a = scaled(a, 1.0 / largest);
    (largest > 0.0).then(|| scaled(&a, 1.0 / dot(&a, &a).sqrt()))
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A shape in `f64`, which is accurate enough to place another one in contact.
pub struct Aim {
    pub center: Vector,
    half: Vector,
    axes: [Vector; 3],
    radius: f64,
    /// Those of a hull, relative to its position; a hull has no half extents.
    corners: Vec<Vector>,
}

fn moved(a: &Vector, b: &Vector, share: f64) -> Vector {
    [0, 1, 2].map(|k| a[k] + share * (b[k] - a[k]))
}

impl Aim {
    pub fn new(form: &Form) -> Self {
        let v = form.v.map(f64::from);
        let (lower, upper) = ([v[0], v[1], v[2]], [v[3], v[4], v[5]]);
        let axes = axes(form.rotation());
        let middle = || [0, 1, 2].map(|k| lower[k].midpoint(upper[k]));
        let corners = Vec::new();
        match form.kind {
            Kind::Sphere => Self { center: lower, half: [0.0; 3], axes, radius: v[3], corners },
            Kind::Aabb => Self { center: middle(), half: form.size(), axes, radius: 0.0, corners },
            Kind::Obb => Self { center: lower, half: upper, axes, radius: 0.0, corners },
            Kind::ConvexHull => {
                let turned = |[x, y, z]: [f32; 3]| {
                    [0, 1, 2].map(|k| axes[0][k] * f64::from(x) + axes[1][k] * f64::from(y) + axes[2][k] * f64::from(z))
                };
                Self { center: lower, half: [0.0; 3], axes, radius: 0.0, corners: form.points().map(turned).to_vec() }
            }
            // A point of its border.
            Kind::Plane => {
                let share = v[3] / dot(&lower, &lower);
                Self { center: scaled(&lower, share), half: [0.0; 3], axes, radius: 0.0, corners }
            }
            Kind::Capsule => {
                let way = form.size();
                let axes = unit(&way).map_or(axes, |along| {
                    // Across the segment and the coordinate axis that is farthest from it, so that a straight one has straight axes.
                    let least = (0..3).fold(0, |k, i| if along[i].abs() < along[k].abs() { i } else { k });
                    let across = unit(&cross(&along, &[0, 1, 2].map(|k| f64::from(u8::from(k == least)))));
                    let across = across.unwrap_or(axes[1]);
                    [along, across, cross(&along, &across)]
                });
                Self { center: middle(), half: [dot(&way, &axes[0]), 0.0, 0.0], axes, radius: v[6], corners }
            }
        }
    }

    /// The normal of a face, or of a plane through three points of a hull.
    fn face(&self, dice: &mut Dice) -> Vector {
        if self.corners.is_empty() {
            return self.axes[dice.below(3)];
        }
        let [a, b, c] = [0; 3].map(|_| dice.pick(&self.corners));
        let ways = [b, c].map(|to| [0, 1, 2].map(|k| to[k] - a[k]));
        cross(&ways[0], &ways[1])
    }

    /// The direction of an edge, or of a line through two points of a hull.
    fn edge(&self, dice: &mut Dice) -> Vector {
        if self.corners.is_empty() {
            return self.axes[dice.below(3)];
        }
        let [a, b] = [0; 2].map(|_| dice.pick(&self.corners));
        [0, 1, 2].map(|k| b[k] - a[k])
    }

    /// The coordinates, from -1 to 1 along each edge, of a point where the shape's surface has the normal `l`. Of a hull, by how much to go from one of
    /// the points that are there to the next.
    pub fn weights(&self, l: &Vector, dice: &mut Dice) -> Vector {
        if !self.corners.is_empty() {
            return [0; 3].map(|_| if dice.one_in(4) { dice.unit() } else { dice.pick(&[0.0, 0.0, 1.0, 0.5]) });
        }
        self.axes.map(|axis| {
            let along = dot(&axis, l);
            if along.abs() > 1e-9 {
                along.signum()
            } else {
                match dice.below(8) {
                    0 => 0.0,
                    1 | 2 => dice.signed(),
                    // Just off the rim, where another feature is the closest one.
                    3 => dice.pick(&[-1.0, 1.0]) * (1.0 + 2_f64.powi(-dice.between(1, 26))),
                    _ => dice.pick(&[-1.0, 1.0]),
                }
            }
        })
    }

    /// The point with these weights and the normal `l`, relative to the centre.
    pub fn point(&self, weights: &Vector, l: &Vector) -> Vector {
        if !self.corners.is_empty() {
            let heights: Vec<f64> = self.corners.iter().map(|corner| dot(corner, l)).collect();
            let (low, high) = heights.iter().fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(*x), high.max(*x)));
            let is_there = |k: &usize| heights[*k] >= high - 1e-9 * (high - low);
            let mut there = (0..self.corners.len()).filter(is_there).map(|k| self.corners[k]);
            let first = there.next().unwrap_or_default();
            return there.zip(weights).fold(first, |at, (next, share)| moved(&at, &next, *share));
        }
        let edge = |j: usize, k: usize| weights[j] * self.half[j] * self.axes[j][k];
        [0, 1, 2].map(|k| self.radius * l[k] + edge(0, k) + edge(1, k) + edge(2, k))
    }
}

/// The normal of a contact: of a face, of two edges, or any direction (of two corners).
fn normal(a: &Aim, b: &Aim, dice: &mut Dice) -> Vector {
    let l = match dice.below(8) {
        0 | 1 => a.face(dice),
        2 => b.face(dice),
        3 | 4 => cross(&a.edge(dice), &b.edge(dice)),
        5 => [0; 3].map(|_| dice.signed()),
        6 => [0; 3].map(|_| f64::from(dice.between(-1, 1))),
        // A coordinate axis, along which bounds touch.
        _ => dice.pick(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    };
    let l = unit(&l).filter(|l| l.iter().all(|x| x.is_finite())).unwrap_or(a.axes[0]);
    if dice.one_in(2) { l } else { scaled(&l, -1.0) }
}

fn half_extents(style: Style, dice: &mut Dice) -> Vector {
    match dice.below(6) {
        // A cube or a point; a rod.
        0 => [style.length(dice); 3],
        1 => {
            let mut half = [0.0; 3];
            half[dice.below(3)] = style.length(dice);
            half
        }
        _ => [0; 3].map(|_| style.length(dice)),
    }
}

/// A rotation for the second shape: any, or one that makes edges parallel or nearly parallel.
fn partner(q: [f32; 4], dice: &mut Dice) -> [f32; 4] {
    let mut p = q;
    match dice.below(4) {
        0 | 1 => return rotation(dice),
        // The same rotation.
        2 => {}
        // A neighbour in one component.
        _ => {
            let k = dice.below(4);
            p[k] = step(p[k], dice.pick(&[-1, 1, -3, 64]));
        }
    }
    if p == [0.0; 4] { q } else { p }
}

/// Two shapes in contact, as nearly as the numbers of this style allow.
pub fn contact(kinds: (Kind, Kind), style: Style, center: Vector, dice: &mut Dice) -> (Form, Form) {
    match kinds {
        (Kind::Plane, other) => {
            let (a, b) = contact_with_half_space(other, style, center, dice);
            (b, a)
        }
        (other, Kind::Plane) => contact_with_half_space(other, style, center, dice),
        _ => contact_of_bounded(kinds, style, center, dice),
    }
}

/// A shape, and a half-space that touches it.
fn contact_with_half_space(kind: Kind, style: Style, center: Vector, dice: &mut Dice) -> (Form, Form) {
    let turn = rotation(dice);
    let half = half_extents(style, dice);
    let a = if kind == Kind::Aabb && dice.one_in(2) {
        anchored(center, half, [0; 3].map(|_| dice.pick(&[-1.0, 1.0])))
    } else {
        form(kind, center, half, turn)
    };
    (a, planes::at(&a, turn, dice))
}

fn contact_of_bounded(kinds: (Kind, Kind), style: Style, center: Vector, dice: &mut Dice) -> (Form, Form) {
    let turn = rotation(dice);
    let mut a = form(kinds.0, center, half_extents(style, dice), turn);
    if kinds.0 == Kind::Aabb && dice.one_in(2) {
        // The box is placed by its faces, not by its middle, so that their coordinates are simple numbers.
        a = anchored(center, a.size(), [0; 3].map(|_| dice.pick(&[-1.0, 1.0])));
    }
    let (half, turn) = (half_extents(style, dice), partner(turn, dice));
    let aim = Aim::new(&a);
    // The second shape is placed at the origin first, to find its support point.
    let other = Aim::new(&form(kinds.1, [0.0; 3], half, turn));
    let l = normal(&aim, &other, dice);
    let against = scaled(&l, -1.0);
    let (here, there) = (aim.weights(&l, dice), other.weights(&against, dice));
    let (from, to) = (aim.point(&here, &l), other.point(&there, &against));
    let depth = match dice.below(16) {
        // One shape inside the other, with the same centre or not; or anywhere near.
        0 => 0.0,
        1 => dice.unit(),
        2 => 2.0 * dice.unit(),
        _ => 1.0,
    };
    if kinds.1 == Kind::Aabb && depth == 1.0 {
        let point = [0, 1, 2].map(|k| aim.center[k] + from[k]);
        return (a, anchored(point, half, there));
    }
    let at = [0, 1, 2].map(|k| aim.center[k] + depth * (from[k] - to[k]));
    (a, form(kinds.1, at, half, turn))
}

/// An axis-aligned box in which this point has these weights along its edges. Computed by way of the centre, a face next to zero
/// would be rounded to the precision of the box's size; computed directly, it keeps its own.
fn anchored(point: Vector, half: Vector, weights: Vector) -> Form {
    let corner = |side: f64| [0, 1, 2].map(|k| finite(point[k] + half[k] * (side - weights[k])));
    Form::new(Kind::Aabb, &[corner(-1.0), corner(1.0)].concat())
}

/// One number of one of two shapes, which can be changed by units in the last place.
struct Knob {
    first: bool,
    index: usize,
}

impl Knob {
    fn turned(&self, (mut a, mut b): (Form, Form), units: i32) -> Option<(Form, Form)> {
        let form = if self.first { &mut a } else { &mut b };
        form.v[self.index] = step(form.v[self.index], units);
        let valid = form.is_shape();
        valid.then_some((a, b))
    }
}

fn knob(pair: &(Form, Form), lengths: bool, dice: &mut Dice) -> Knob {
    let first = dice.one_in(2);
    let form = if first { &pair.0 } else { &pair.1 };
    let numbers = if lengths { form.lengths().len() } else { form.numbers().len() };
    Knob { first, index: dice.below(numbers) }
}

/// The two neighbouring values of a knob between which the relation changes, if they are near.
fn flip(pair: (Form, Form), knob: &Knob) -> Option<[Case; 2]> {
    let at = |units: i32| {
        let (a, b) = knob.turned(pair, units)?;
        Some(Case { a, b, relation: oracle::relation(&a, &b) })
    };
    let here = at(0)?;
    let differs = |case: &Case| case.relation.is_hit() != here.relation.is_hit();
    let (mut far, mut other) = (0..14)
        .flat_map(|k| [1_i32 << k, -(1 << k)])
        .find_map(|units| at(units).filter(differs).map(|case| (units, case)))?;
    let (mut near, mut this) = (0, here);
    while (far - near).abs() > 1 {
        let middle = near.midpoint(far);
        let case = at(middle)?;
        if differs(&case) {
            (far, other) = (middle, case);
        } else {
            (near, this) = (middle, case);
        }
    }
    Some([this, other])
}

/// The cases around one contact.
fn cases(dice: &mut Dice, out: &mut Vec<Case>) {
    let style = Style::new(dice);
    let kinds = (dice.pick(&Kind::ALL), dice.pick(&Kind::ALL));
    let center = [0; 3].map(|_| style.coordinate(dice));
    let mut pair = contact(kinds, style, center, dice);
    match dice.below(3) {
        0 => {
            let knob = knob(&pair, true, dice);
            if let Some(both) = flip(pair, &knob) {
                out.extend(both);
                return;
            }
        }
        1 => {
            for _ in 0..dice.between(1, 2) {
                let turned = knob(&pair, false, dice).turned(pair, dice.between(-2, 2));
                pair = turned.unwrap_or(pair);
            }
        }
        _ => {}
    }
    sign_zeros(&mut pair.0, dice);
    sign_zeros(&mut pair.1, dice);
    let (a, b) = if dice.one_in(2) { pair } else { (pair.1, pair.0) };
    out.push(Case { a, b, relation: oracle::relation(&a, &b) });
}

/// The cases of a seed, generated on all cores.
pub fn batch(seed: u64, count: usize) -> Vec<Case> {
    const PART: usize = 128;
    let parts = count.div_ceil(PART);
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(parts.max(1));
    let part = |number: usize| {
        let mut dice = Dice::new(seed ^ (number as u64) << 40);
        let mut out = Vec::with_capacity(PART + 1);
        while out.len() < PART {
            cases(&mut dice, &mut out);
        }
        out
    };
    let mut made: Vec<(usize, Vec<Case>)> = std::thread::scope(|scope| {
        let work = |worker: usize| (worker..parts).step_by(workers).map(|k| (k, part(k))).collect::<Vec<_>>();
        let threads: Vec<_> = (0..workers).map(|worker| scope.spawn(move || work(worker))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("the generator does not panic")).collect()
    });
    made.sort_unstable_by_key(|(number, _)| *number);
    made.into_iter().flat_map(|(_, cases)| cases).take(count).collect()
}

/// A box, a ball, an oriented box, a capsule, a hull or a half-space around all coordinates that `f32` can represent.
pub fn giant(dice: &mut Dice) -> Form {
    let all = f64::from(f32::MAX);
    let kind = dice.pick(&Kind::ALL);
    let mut giant = form(kind, [0.0; 3], [all; 3], rotation(dice));
    if kind == Kind::Obb && dice.one_in(2) {
        // A beam through the scene instead.
        giant.v[3 + dice.below(3)] = finite(2_f64.powi(dice.between(-20, 20)));
    }
    if kind == Kind::Capsule && dice.one_in(2) {
        giant.v[6] = finite(2_f64.powi(dice.between(-20, 20)));
    }
    if kind == Kind::Plane && !dice.one_in(4) {
        // A border through the scene.
        giant.v[3] = f32::from(dice.between(-4, 4) as i8) / 2.0;
    }
    giant
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_has_every_pair_of_kinds_every_relation_and_every_size() {
        let batch = batch(1, 6000);
        assert_eq!(batch.len(), 6000);
        for x in Kind::ALL {
            for y in Kind::ALL {
                for relation in [Relation::Separate, Relation::Touching, Relation::Overlapping] {
                    let found = |case: &&Case| (case.a.kind, case.b.kind, case.relation) == (x, y, relation);
                    let count = batch.iter().filter(found).count();
                    assert!(count > 10, "{x:?} {y:?} {relation:?}: {count}");
                }
            }
        }
        assert!(batch.iter().all(|case| case.a.is_shape() && case.b.is_shape()));
        let any = |test: &dyn Fn(f32) -> bool| {
            batch.iter().filter(|case| case.a.numbers().iter().chain(case.b.numbers()).any(|x| test(*x))).count()
        };
        assert!(any(&|x| x.is_subnormal()) > 200, "subnormal numbers");
        assert!(any(&|x| x.abs() > 1e38) > 100, "the largest numbers");
        assert!(any(&|x| x == 0.0 && x.is_sign_negative()) > 100, "negative zeros");
        // The same seed, the same cases.
        let [once, again] = [(); 2].map(|()| super::batch(2, 500));
        assert!(once.iter().zip(&again).all(|(x, y)| x.a.bits() == y.a.bits() && x.b.bits() == y.b.bits()));
    }

    #[test]
    fn a_flip_is_between_neighbours() {
        let pair = (Form::new(Kind::Sphere, &[0.0, 0.0, 0.0, 1.0]), Form::new(Kind::Sphere, &[2.0, 0.0, 0.0, 1.0]));
        let [meet, apart] = flip(pair, &Knob { first: false, index: 0 }).expect("a flip");
        assert_eq!((meet.relation, meet.b.v[0]), (Relation::Touching, 2.0));
        assert_eq!((apart.relation, apart.b.v[0]), (Relation::Separate, 2.0_f32.next_up()));
    }
}
