//! GJK in `f64`, of which only proofs decide: its steps may be wrong, what it proves is not.

use glam::DVec3;

use super::Core;
use super::lowest::{Heights, Lowest};
use crate::Relation;
use crate::lanes::Width;

/// More steps than pairs of hulls with 256 corners were seen to need; after them integers decide.
const MAX_STEPS: usize = 64;

/// What is certain, or the corners with which the search ended.
pub(super) struct Found {
    pub verdict: Option<Relation>,
    simplex: Simplex,
}

impl Found {
    /// Pairs of corners, at least one if there is no verdict.
    pub(super) fn simplex(&self) -> &[[usize; 2]] {
        &self.simplex.corners[..self.simplex.count]
    }
}

/// Up to four differences of corners.
#[derive(Clone, Copy)]
struct Simplex {
    points: [DVec3; 4],
    corners: [[usize; 2]; 4],
    count: usize,
}

impl Simplex {
    fn points(&self) -> &[DVec3] {
        &self.points[..self.count]
    }

    fn push(&mut self, point: DVec3, corners: [usize; 2]) {
        (self.points[self.count], self.corners[self.count]) = (point, corners);
        self.count += 1;
    }

    /// Keeps those whose bits are set.
    fn keep(&mut self, mask: u32) {
        let mut kept = 0;
        for k in (0..self.count).filter(|k| mask >> k & 1 == 1) {
            if kept < k {
                (self.points[kept], self.corners[kept]) = (self.points[k], self.corners[k]);
            }
            kept += 1;
        }
        self.count = kept;
    }
}

/// Two cores as the set of their differences.
pub(super) struct Differences<'a> {
    a: &'a Core<'a>,
    b: &'a Core<'a>,
    heights: [Heights<'a>; 2],
    offset: DVec3,
    width: Width,
    /// The sum of the largest coordinates of both positions and of the corners of both.
    pub size: f64,
}

impl<'a> Differences<'a> {
    pub(super) fn new(a: &'a Core<'a>, b: &'a Core<'a>) -> Self {
        let (p, q) = (a.placement.position(), b.placement.position());
        let size = p.abs().max_element() + q.abs().max_element() + a.largest + b.largest;
        Self { a, b, heights: [Heights::new(a), Heights::new(b)], offset: p - q, width: Width::widest(), size }
    }

    /// The difference of two corners, each coordinate off by at most [`error`](Self::error).
    pub(super) fn point(&self, [i, j]: [usize; 2]) -> DVec3 {
        let turned = |core: &Core<'_>, i: usize| core.placement.direction(DVec3::from(core.corner(i).map(f64::from)));
        self.offset + turned(self.a, i) - turned(self.b, j)
    }

    /// With u = ε / 2 and P, m the largest coordinates of positions and corners: u P for the difference of the positions, 17 u m for a
    /// turned corner (as [`ConvexHull::aabb`](crate::shape::ConvexHull::aabb) derives), and u of what they add up to, at most
    /// P + √3 m, for each of two sums: less than 21 u of the size. 32 u is taken.
    ///
    /// Nothing underflows by as much: where the size is not 0 it is at least 2⁻¹⁴⁹, and its third power times u 2⁻⁵⁰⁰.
    pub(super) fn error(&self) -> f64 {
        16.0 * f64::EPSILON * self.size
    }

    /// The pair of corners whose difference is lowest along a direction that is not zero; a bound that no difference is below, and how
    /// much lower that is than what was computed.
    ///
    /// With D = Σ |dₖ|: the product with the offset is off by 4 u D P. A component of R⁻¹ d is off by less than 11 u D (as
    /// `hull.rs` derives), its products with a corner and their sums by 4 u more: 15 u D for each coordinate, 45 u D m for all three.
    /// Adding up the heights rounds twice, by at most 2 · 2 u D of the size. 49 u D of the size in all, and 64 u is taken.
    pub(super) fn lowest(&self, d: DVec3) -> ([usize; 2], f64, f64) {
        let [a, b] = self.heights.each_ref();
        let ways = [self.a.placement.to_local(d), self.b.placement.to_local(-d)];
        let [(i, low), (j, high)] = self.width.run(Lowest([a, b], ways));
        let bound = 32.0 * f64::EPSILON * d.abs().element_sum() * self.size;
        ([i, j], self.offset.dot(d) + low + high - bound, bound)
    }

    /// How far a point that was computed as one of the differences may be from one, and the roundings of its length.
    ///
    /// Corners are off by √3 · 32 u of the size; weights that add up to 1 only within 4 u, and the sums and products that the point is made
    /// of, by less than 30 u of twice the size along each coordinate. Together less than 192 u of the size; 512 u is taken.
    fn slack(&self) -> f64 {
        256.0 * f64::EPSILON * self.size
    }

    /// Whether four differences are the corners of a tetrahedron with the origin strictly inside, beyond doubt: the origin and any
    /// three of them span a tetrahedron that is turned the same way.
    fn surround(&self, simplex: &Simplex, volumes: [f64; 4]) -> bool {
        let bound = self.volume_bound(simplex.points());
        volumes.iter().all(|volume| *volume > bound) || volumes.iter().all(|volume| *volume < -bound)
    }

    /// What a volume of [`volumes`] may be off by.
    ///
    /// With W the largest coordinate and E its error: six products of three, in each of which any of three may be off: 18 (W + E)² E.
    /// A component of a cross product is off by 4 u W², its product with a coordinate by 2 u W³ more, three of them by 18 u W³, and
    /// their sums by 12 u W³: 15 ε W³. Where E is below W / 8, both are less than half of 64 W² (E + ε W); where it is not, that is
    /// more than any volume, 3 √3 W³.
    pub(super) fn volume_bound(&self, points: &[DVec3]) -> f64 {
        let largest = points.iter().map(|point| point.abs().max_element()).fold(0.0, f64::max);
        64.0 * largest * largest * (self.error() + f64::EPSILON * largest)
    }
}

/// Six times the volumes of the origin with three of four points: all of one sign exactly when it lies inside. Their sum is that of
/// the tetrahedron.
pub(super) fn volumes([p, q, r, s]: &[DVec3; 4]) -> [f64; 4] {
    let pq = p.cross(*q);
    [q.cross(*r).dot(*s), r.cross(*p).dot(*s), pq.dot(*s), -pq.dot(*r)]
}

/// The sum of radii and margins in `f64`, off by at most 2 ε of itself.
fn reach_of(lengths: [f32; 5]) -> f64 {
    lengths.iter().map(|length| f64::from(*length)).sum()
}

/// What is certain of two cores at a distance against a sum of lengths.
pub(super) fn search(a: &Core<'_>, b: &Core<'_>, lengths: [f32; 5]) -> Found {
    let (differences, reach) = (Differences::new(a, b), reach_of(lengths));
    let mut simplex = Simplex { points: [DVec3::ZERO; 4], corners: [[0; 2]; 4], count: 0 };
    let middle = |core: &Core<'_>| core.placement.direction(core.middle.as_dvec3());
    let mut nearest = differences.offset + middle(a) - middle(b);
    let error = differences.error();
    if nearest.abs().max_element() <= error {
        nearest = DVec3::X;
    }
    let mut square = f64::INFINITY;
    let mut verdict = None;
    for _ in 0..MAX_STEPS {
        let (corners, low, _) = differences.lowest(nearest);
        // The reach is off by 4 u, the length by 3 u, and two products round: less than 16 u.
        if low > reach * nearest.length() * (1.0 + 8.0 * f64::EPSILON) {
            verdict = Some(Relation::Separate);
            break;
        }
        if simplex.corners[..simplex.count].contains(&corners) {
            break;
        }
        simplex.push(differences.point(corners), corners);
        let volumes = if simplex.count == 4 { volumes(&simplex.points) } else { [0.0; 4] };
        if let Some(origin) = seen_inside(&simplex, volumes) {
            let certain = differences.surround(&simplex, volumes) || is_within(origin, reach, &differences);
            verdict = certain.then_some(Relation::Overlapping);
            break;
        }
        let (point, mask) = nearest_to_origin(&simplex, volumes);
        simplex.keep(mask);
        if is_within(point, reach, &differences) {
            verdict = Some(Relation::Overlapping);
            break;
        }
        let next = point.length_squared();
        if !(next < square) || point.abs().max_element() <= error {
            break;
        }
        (nearest, square) = (point, next);
    }
    Found { verdict, simplex }
}

/// Between which numbers the distance of two cores without their radii is: of each direction the lowest difference is a lower bound, and
/// each point that is one of the differences an upper one.
pub(super) fn distance(a: &Core<'_>, b: &Core<'_>) -> (f64, f64) {
    let differences = Differences::new(a, b);
    let mut simplex = Simplex { points: [DVec3::ZERO; 4], corners: [[0; 2]; 4], count: 0 };
    let mut nearest = differences.point([0, 0]);
    simplex.push(nearest, [0, 0]);
    let (mut least, mut most) = (0.0_f64, nearest.length() + differences.slack());
    for _ in 0..MAX_STEPS {
        if nearest.abs().max_element() <= differences.error() {
            break;
        }
        let (corners, low, _) = differences.lowest(nearest);
        least = least.max(low / nearest.length() * (1.0 - 8.0 * f64::EPSILON));
        if simplex.corners[..simplex.count].contains(&corners) {
            break;
        }
        simplex.push(differences.point(corners), corners);
        let volumes = if simplex.count == 4 { volumes(&simplex.points) } else { [0.0; 4] };
        if let Some(origin) = seen_inside(&simplex, volumes) {
            let inside = differences.surround(&simplex, volumes);
            return if inside { (0.0, 0.0) } else { (0.0, most.min(origin.length() + differences.slack())) };
        }
        let (point, mask) = nearest_to_origin(&simplex, volumes);
        simplex.keep(mask);
        let found = point.length() + differences.slack();
        if !(found < most) {
            break;
        }
        (nearest, most) = (point, found);
    }
    (least, most)
}

/// Whether a point that was computed as one of the differences proves that some difference is nearer than the reach.
///
/// As [`slack`](Differences::slack) says, and the roundings of this comparison, of the length (4 u) and of the reach (4 u) are covered too.
fn is_within(point: DVec3, reach: f64, differences: &Differences<'_>) -> bool {
    point.length() + differences.slack() + 256.0 * f64::EPSILON * reach < reach
}

/// If four points seem to have the origin inside, by their volumes: about the origin, as their mean with weights that are not negative.
fn seen_inside(simplex: &Simplex, volumes: [f64; 4]) -> Option<DVec3> {
    let same = volumes.iter().all(|volume| *volume > 0.0) || volumes.iter().all(|volume| *volume < 0.0);
    let whole: f64 = volumes.iter().sum();
    same.then(|| simplex.points.iter().zip(volumes).map(|(point, volume)| *point * (volume / whole)).sum())
}

/// About the point of a simplex that is nearest to the origin, and a bit for each corner that it is made of. A tetrahedron must not
/// contain the origin.
fn nearest_to_origin(simplex: &Simplex, volumes: [f64; 4]) -> (DVec3, u32) {
    match *simplex.points() {
        [a] => (a, 1),
        [a, b] => on_segment(a, b),
        [a, b, c] => on_triangle(a, b, c),
        _ => {
            let [p, q, r, s] = simplex.points;
            let whole: f64 = volumes.iter().sum();
            // The newest point is the last; the origin lies before the face without it no longer.
            let faces = [(0, [q, r, s], [1, 2, 3]), (1, [p, r, s], [0, 2, 3]), (2, [p, q, s], [0, 1, 3])];
            let mut best = (DVec3::INFINITY, 0);
            for (k, [a, b, c], places) in faces {
                if volumes[k] * whole > 0.0 {
                    continue;
                }
                let (point, mask) = on_triangle(a, b, c);
                if point.length_squared() < best.0.length_squared() {
                    let bit = |i: usize| (mask >> i & 1) << places[i];
                    best = (point, bit(0) | bit(1) | bit(2));
                }
            }
            // A tetrahedron without volume ends the search.
            if best.1 == 0 { (DVec3::NAN, 15) } else { best }
        }
    }
}

fn on_segment(a: DVec3, b: DVec3) -> (DVec3, u32) {
    let way = b - a;
    let (along, whole) = (-a.dot(way), way.length_squared());
    if along <= 0.0 {
        (a, 1)
    } else if along >= whole {
        (b, 2)
    } else {
        (a + way * (along / whole), 3)
    }
}

/// By the regions of the triangle's corners, edges and inside (Ericson, Real-Time Collision Detection, 5.1.5).
fn on_triangle(a: DVec3, b: DVec3, c: DVec3) -> (DVec3, u32) {
    let (ab, ac) = (b - a, c - a);
    let (a1, a2) = (-ab.dot(a), -ac.dot(a));
    if a1 <= 0.0 && a2 <= 0.0 {
        return (a, 1);
    }
    let (b1, b2) = (-ab.dot(b), -ac.dot(b));
    if b1 >= 0.0 && b2 <= b1 {
        return (b, 2);
    }
    let of_c = a1 * b2 - b1 * a2;
    if of_c <= 0.0 && a1 >= 0.0 && b1 <= 0.0 {
        return (a + ab * (a1 / (a1 - b1)), 3);
    }
    let (c1, c2) = (-ab.dot(c), -ac.dot(c));
    if c2 >= 0.0 && c1 <= c2 {
        return (c, 4);
    }
    let of_b = c1 * a2 - a1 * c2;
    if of_b <= 0.0 && a2 >= 0.0 && c2 <= 0.0 {
        return (a + ac * (a2 / (a2 - c2)), 5);
    }
    let of_a = b1 * c2 - c1 * b2;
    let (to_c, to_b) = (b2 - b1, c1 - c2);
    if of_a <= 0.0 && to_c >= 0.0 && to_b >= 0.0 {
        return (b + (c - b) * (to_c / (to_c + to_b)), 6);
    }
    let whole = 1.0 / (of_a + of_b + of_c);
    (a + ab * (of_b * whole) + ac * (of_c * whole), 7)
}
