//! The siblings in the plane: rectangles, circles, polygons and lines.
//!
//! As in space, shapes are closed sets of finite `f32`. The [relation](intersect) of boxes and circles, whether polygons
//! meet, and the kinds of line crossings are exact; distances and shifts are computed in `f64` and rounded.
//!
//! ```
//! use tangency::{Relation, d2::{self, Aabb2, Circle}};
//!
//! let square = Aabb2::new([0.0, 0.0], [1.0, 1.0])?;
//! let coin = Circle::new([4.0, 5.0], 5.0)?; // its edge runs through (1, 1)
//! assert_eq!(d2::intersect(&square, &coin), Relation::Touching);
//! # Ok::<(), tangency::Error>(())
//! ```

mod aabb2;
mod check;
mod circle;
mod convex_parts;
mod convex_polygon;
mod edges;
mod intersect;
mod line_line;
mod min_area_rectangle;
mod obb2;
mod overlap;
mod polygon;
mod polygon_polygon;
mod sat;
mod sat_obb2_obb2;
mod segment_segment;

pub use aabb2::Aabb2;
pub use circle::Circle;
pub use convex_polygon::ConvexPolygon;
pub use edges::Edges;
pub use intersect::{Planar, intersect};
pub use line_line::{Line2, LineLine, line_line};
pub use min_area_rectangle::min_area_rectangle;
pub use obb2::Obb2;
pub use overlap::{overlap_1d, overlap_area};
pub use polygon::Polygon;
pub use polygon_polygon::{polygon_contact, polygon_polygon};
pub use sat::{Convex2, Mtd, sat};
pub use sat_obb2_obb2::sat_obb2_obb2;
pub use segment_segment::{Segment2, SegmentSegment, segment_segment};
