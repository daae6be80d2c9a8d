use super::{Mtd, Polygon, Segment2, SegmentSegment, sat, segment_segment};

/// Whether two polygons, convex or concave, have a point in common; touching counts. Exact.
///
/// The edge-intersection technique: some edge of one meets some edge of the other, or else one polygon lies wholly inside
/// the other or outside it, which any one corner tells.
///
/// ```
/// use tangency::d2::{Polygon, polygon_polygon};
///
/// let cup = Polygon::new([[0., 0.], [4., 0.], [4., 4.], [3., 4.], [3., 1.], [1., 1.], [1., 4.], [0., 4.]])?;
/// let held = Polygon::new([[1.5, 2.0], [2.5, 2.0], [2.0, 3.0]])?; // between the walls, touching none
/// let inside = Polygon::new([[0.2, 0.2], [0.4, 0.2], [0.3, 0.4]])?; // in the wall, crossing no edge
/// assert!(!polygon_polygon(&cup, &held) && polygon_polygon(&cup, &inside));
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn polygon_polygon(a: &Polygon, b: &Polygon) -> bool {
    if a.aabb().intersection(&b.aabb()).is_none() {
        return false;
    }
    let edges_meet = a.edges().any(|(p, q)| {
        let edge = Segment2::between(p, q);
        b.edges().any(|(r, s)| segment_segment(&edge, &Segment2::between(r, s)) != SegmentSegment::Separate)
    });
    edges_meet || a.contains_point(b.vertices()[0]) || b.contains_point(a.vertices()[0])
}

/// The deepest overlap among the convex parts of two polygons, or `None` when they do not meet.
///
/// For convex polygons this is the minimum translation of [`sat`]. For concave ones it is that of the pair of
/// [parts](Polygon::convex_parts) that is deepest in each other: a step towards parting them, to be repeated, because
/// shifting one pair apart can leave or bring others together.
///
/// ```
/// use tangency::d2::{Polygon, polygon_contact};
///
/// let corner = Polygon::new([[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 2.], [0., 2.]])?;
/// let block = Polygon::new([[1.5, 0.75], [3.0, 0.75], [3.0, 2.0], [1.5, 2.0]])?;
/// let contact = polygon_contact(&corner, &block).unwrap();
/// assert_eq!((contact.overlap, contact.normal), (0.25, tangency::glam::Vec2::Y));
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn polygon_contact(a: &Polygon, b: &Polygon) -> Option<Mtd> {
    if !polygon_polygon(a, b) {
        return None;
    }
    let (parts_a, parts_b) = (a.convex_parts(), b.convex_parts());
    let pairs = parts_a.iter().flat_map(|p| parts_b.iter().map(move |q| (p, q)));
    let deepest = pairs.filter_map(|(p, q)| sat(p, q)).max_by(|m, n| m.overlap.total_cmp(&n.overlap))?;
    // They do meet; an overlap below zero is rounding.
    Some(Mtd { overlap: deepest.overlap.max(0.0), ..deepest })
}
