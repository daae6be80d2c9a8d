//! Boxes around what mesh files have, or convex hulls.

use tangency::Traits;
use tangency::glam::{DVec3, Vec3};
use tangency::shape::{Aabb, ConvexHull, Shape, fit};

use super::Scene;
use crate::failure::{Failure, Result};
use std::path::Path;

/// What becomes one body: a node, an object or a solid.
pub struct Part {
    pub name: String,
    /// The points that its faces use.
    pub points: Vec<DVec3>,
}

/// What a mesh file has.
#[derive(Default)]
pub struct Mesh {
    pub parts: Vec<Part>,
    /// What was left out.
    pub notes: Vec<String>,
}

impl Scene {
    /// Adds a body for each part of a mesh file.
    pub(super) fn push_mesh(&mut self, mesh: Mesh, path: &Path) -> Result<()> {
        for part in &mesh.parts {
            self.push_around(&part.points, Traits::new(), &part.name)
                .map_err(|reason| Failure::whole(path, format!("{}: {reason}", part.name)))?;
        }
        mesh.notes.into_iter().for_each(|note| self.note(format!("{}: {note}", path.display())));
        Ok(())
    }

    /// Adds a box or a hull around points, and returns its id.
    pub(super) fn push_around(&mut self, points: &[DVec3], traits: Traits, name: &str) -> Result<u32> {
        let local = self.precision.computed(points, || name.to_owned());
        let shape = if self.hulls { hull_of(&local)? } else { smallest(&local)? };
        let id = self.push(shape, traits, name)?;
        *(if self.hulls { &mut self.bounding_hulls } else { &mut self.bounding_boxes }) += 1;
        Ok(id)
    }
}

/// The most corners of a body.
const MOST_CORNERS: usize = 256;

/// The hull of points, or one with fewer corners that contains it.
fn hull_of(points: &[Vec3]) -> tangency::Result<Shape> {
    let hull = ConvexHull::from_points(points.iter().copied())?;
    Ok(if hull.local_vertices().len() > MOST_CORNERS { fit::simplified_hull(&hull, MOST_CORNERS)? } else { hull }
        .into())
}

/// The smaller of two boxes around points: along the axes of coordinates, which is exact for much of what is built, and along the
/// principal axes of the points.
fn smallest(points: &[Vec3]) -> tangency::Result<Shape> {
    let (upright, turned) = (Aabb::from_points(points.iter().copied())?, fit::pca_obb(points)?);
    // Flat boxes have no volume, and straight ones no area.
    let upright_first =
        [(upright.volume(), turned.volume()), (upright.area(), turned.area()), (upright.diagonal(), turned.diagonal())]
            .into_iter()
            .find(|(a, b)| a != b)
            .is_none_or(|(a, b)| a < b);
    Ok(if upright_first { upright.into() } else { turned.into() })
}

/// The name of a part that has none: that of its file.
pub fn stem(path: &Path) -> String {
    path.file_stem()
        .filter(|_| path.as_os_str() != "-")
        .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tangency::glam::{Quat, vec3};
    use tangency::shape::Obb;

    #[test]
    fn the_smaller_box_is_taken() {
        let upright = Aabb::new([0.0, 0.0, 0.0], [1.0, 2.0, 3.0]).unwrap();
        assert_eq!(smallest(&upright.corners()).unwrap(), upright.into());
        let beam = Obb::new([5.0, 0.0, 0.0], [4.0, 0.1, 0.2], Quat::from_rotation_z(0.6)).unwrap();
        let Shape::Obb(found) = smallest(&beam.corners()).unwrap() else { panic!("a turned box is smaller") };
        assert!(found.volume() < beam.volume() * 1.001);
        let plate = [vec3(0.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0)];
        assert_eq!(smallest(&plate).unwrap(), Aabb::new([0.0; 3], [1.0, 1.0, 0.0]).unwrap().into());
        let point = smallest(&[vec3(1.0, 2.0, 3.0)]).unwrap();
        assert_eq!(point, Aabb::new([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]).unwrap().into());
    }
    #[test]
    fn hulls_of_many_points_have_few_corners() {
        let at = |k: u32| Vec3::new((k as f32).sin() * 2.0, (k as f32 * 0.7).cos(), (k as f32 * 1.3).sin());
        let points: Vec<Vec3> = (0..900).map(|k| at(k).normalize()).collect();
        let Shape::ConvexHull(hull) = hull_of(&points).unwrap() else { panic!("a hull") };
        assert!(hull.local_vertices().len() <= MOST_CORNERS && points.iter().all(|point| hull.contains_point(*point)));
    }
}
