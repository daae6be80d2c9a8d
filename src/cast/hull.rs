//! Rays and convex hulls, in `f64`.

use glam::DVec3;

use crate::exact::local_planes;
use crate::filter::{Path, Span, behind_planes, ray_aabb};
use crate::shape::PlacedHull;

/// What is certain of a ray and a hull: it is behind all planes of its local form, and in its bounds. (Where planes meet at a small angle, what
/// is behind all of them when they are moved outward reaches far beyond the hull; the bounds do not.)
pub(super) fn span(path: &Path<f64>, hull: &PlacedHull<'_>) -> Span<f64> {
    let in_bounds = ray_aabb(path, &hull.aabb());
    let enters = match in_bounds {
        Span::Miss => return Span::Miss,
        Span::Hit(first, _) | Span::Open(first) => first,
    };
    let placement = hull.placement();
    let to_origin = DVec3::from(path.origin) - placement.position();
    let (from, way) = (placement.to_local(to_origin), placement.to_local(path.direction.into()));
    let reach = to_origin.abs().element_sum() + 3.0 * hull.local_reach();
    let planes = hull.local_planes(|| local_planes(hull));
    let ahead = planes.iter().map(|(normal, offset)| (offset - normal.dot(from), normal.dot(way)));
    match behind_planes(ahead, reach, path.limit) {
        Span::Miss => Span::Miss,
        Span::Hit(first, last) => Span::Hit(first.max(enters).min(last), last),
        Span::Open(first) => Span::Open(first.max(enters)),
    }
}
