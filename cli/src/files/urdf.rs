//! Robots as URDF: a body for each collision element, where the joints at zero put it.
//!
//! Links that a joint connects are not tested against each other, nor are the elements of one link.

mod meshes;
mod tree;

use std::path::Path;

use roxmltree::Node;
use tangency::Traits;
use tangency::glam::{DAffine3, DQuat, DVec3, EulerRot};
use tangency::shape::{Capsule, Obb, Sphere};

use super::Scene;
use super::xml::{self, Wrong, children};
use crate::failure::{Failure, Result};
use meshes::Meshes;
use tree::Tree;

pub fn read(path: &Path, scene: &mut Scene) -> Result<()> {
    let bytes = super::whole(path)?;
    let document = xml::parse(path, xml::text(path, &bytes)?)?;
    let robot = document.root_element();
    if robot.tag_name().name() != "robot" {
        let reason = format!("the root element is {:?}; a URDF has \"robot\"", robot.tag_name().name());
        return Err(Failure::line(path, 1, reason));
    }
    let mut reader = Reader { scene, meshes: Meshes::new(path), traits: Traits::new() };
    reader.scene.robots += 1;
    if reader.scene.no_self {
        // From the other end than those who number groups by hand.
        reader.traits = reader.traits.group(u32::MAX - reader.scene.robots);
    }
    let tree = Tree::new(robot).map_err(|error| error.at(path))?;
    let mut bodies = Vec::new();
    for link in &tree.links {
        bodies.push(reader.bodies(link.node, &link.place).map_err(|error| error.at(path))?);
    }
    if bodies.iter().all(Vec::is_empty) {
        let reason = format!("none of the {} links has a collision element", tree.links.len());
        return Err(Failure::whole(path, reason));
    }
    for (child, of_child) in bodies.iter().enumerate() {
        let of_parent = tree.links[child].parent.map_or(&[][..], |parent| &bodies[parent]);
        for (k, &a) in of_child.iter().enumerate() {
            for &b in of_child[k + 1..].iter().chain(of_parent) {
                reader.scene.bodies.exclude(a, b)?;
            }
        }
    }
    Ok(())
}

struct Reader<'a> {
    scene: &'a mut Scene,
    meshes: Meshes<'a>,
    traits: Traits,
}

impl Reader<'_> {
    /// Adds the bodies of a link that is at this place. Returns their ids.
    fn bodies(&mut self, link: Node<'_, '_>, place: &DAffine3) -> Result<Vec<u32>, Wrong> {
        let collisions: Vec<_> = children(link, "collision").collect();
        let name = link.attribute("name").unwrap_or_default();
        let mut ids = Vec::new();
        for (k, collision) in collisions.iter().enumerate() {
            let name = match collision.attribute("name") {
                Some(own) if !own.is_empty() && own != name => format!("{name}/{own}"),
                _ if collisions.len() > 1 => format!("{name}/{k}"),
                _ => name.to_owned(),
            };
            let geometry = children(*collision, "geometry").next();
            let shape = geometry.and_then(|geometry| geometry.children().find(Node::is_element));
            let Some(shape) = shape else { return Err(Wrong::new(*collision, "the element has no geometry")) };
            let place = *place * origin(*collision)?;
            ids.push(self.body(shape, &place, &name)?);
        }
        Ok(ids)
    }

    fn body(&mut self, shape: Node<'_, '_>, place: &DAffine3, name: &str) -> Result<u32, Wrong> {
        let length = |attribute: &str| match numbers::<1>(shape, attribute, None)? {
            [length] if length >= 0.0 => Ok(length),
            [length] => Err(Wrong::new(shape, format!("{attribute} is {length}; it must be zero or more"))),
        };
        let refused = |failure: Failure| Wrong::new(shape, format!("{name}: {failure}"));
        match shape.tag_name().name() {
            "sphere" => {
                let radius = length("radius")?;
                let center = self.scene.precision.center(place.translation, radius, || name.to_owned());
                let ball = Sphere::new(center, radius as f32).map_err(|error| refused(error.into()))?;
                self.scene.push(ball, self.traits, name).map_err(refused)
            }
            "box" => {
                let size = DVec3::from_array(numbers(shape, "size", None)?);
                self.push_box(size / 2.0, place, name).map_err(refused)
            }
            // Its length is that of the segment between the half balls.
            "capsule" => {
                let (radius, length) = (length("radius")?, length("length")?);
                self.push_capsule(radius, length, place, name).map_err(refused)
            }
            // Not a shape of bodies: a box around it is.
            "cylinder" => {
                let (radius, length) = (length("radius")?, length("length")?);
                let id = self.push_box(DVec3::new(radius, radius, length / 2.0), place, name).map_err(refused)?;
                self.scene.bounding_boxes += 1;
                Ok(id)
            }
            "mesh" => {
                let scale = DVec3::from_array(numbers(shape, "scale", Some([1.0; 3]))?);
                let file = shape.attribute("filename").ok_or_else(|| Wrong::new(shape, "the mesh has no filename"))?;
                let points =
                    self.meshes.points(file).map_err(|reason| Wrong::new(shape, format!("mesh {file}: {reason}")))?;
                let placed: Vec<DVec3> = points.iter().map(|point| place.transform_point3(*point * scale)).collect();
                self.scene.push_around(&placed, self.traits, name).map_err(refused)
            }
            other => {
                let known = "box, sphere, cylinder, capsule and mesh";
                Err(Wrong::new(shape, format!("the geometry is {other:?}; {known} are read")))
            }
        }
    }

    fn push_box(&mut self, half: DVec3, place: &DAffine3, name: &str) -> Result<u32> {
        let center = self.scene.precision.center(place.translation, 2.0 * half.max_element(), || name.to_owned());
        let rotation = DQuat::from_affine3(place).as_quat();
        let obb = Obb::new(center, half.as_vec3(), rotation)?;
        self.scene.push(obb, self.traits, name)
    }

    /// A capsule along the z axis of its place, around the middle of its segment.
    fn push_capsule(&mut self, radius: f64, length: f64, place: &DAffine3, name: &str) -> Result<u32> {
        let size = length + 2.0 * radius;
        let mut end = |z: f64| {
            let at = place.transform_point3(DVec3::new(0.0, 0.0, z));
            self.scene.precision.center(at, size, || name.to_owned())
        };
        let capsule = Capsule::new(end(-length / 2.0), end(length / 2.0), radius as f32)?;
        self.scene.push(capsule, self.traits, name)
    }
}

/// So many numbers in an attribute.
fn numbers<const N: usize>(
    node: Node<'_, '_>,
    attribute: &str,
    otherwise: Option<[f64; N]>,
) -> Result<[f64; N], Wrong> {
    let Some(text) = node.attribute(attribute) else {
        let reason = || Wrong::new(node, format!("{} has no {attribute}", node.tag_name().name()));
        return otherwise.ok_or_else(reason);
    };
    let found: Option<Vec<f64>> = text.split_ascii_whitespace().map(|word| word.parse().ok()).collect();
    let found = found.filter(|found: &Vec<f64>| found.iter().all(|number| number.is_finite()));
    let wrong = || Wrong::new(node, format!("{attribute} is {text:?}; it must be {N} finite numbers"));
    found.and_then(|found| found.try_into().ok()).ok_or_else(wrong)
}

/// Where the `origin` of an element puts it: turned about the fixed axes x, y and z, then moved.
fn origin(node: Node<'_, '_>) -> Result<DAffine3, Wrong> {
    let Some(origin) = children(node, "origin").next() else { return Ok(DAffine3::IDENTITY) };
    let translation = DVec3::from_array(numbers(origin, "xyz", Some([0.0; 3]))?);
    let [roll, pitch, yaw] = numbers(origin, "rpy", Some([0.0; 3]))?;
    let rotation = DQuat::from_euler(EulerRot::ZYX, yaw, pitch, roll);
    Ok(DAffine3::from_rotation_translation(rotation, translation))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// roll, pitch and yaw are about fixed axes, one after the other.
    #[test]
    fn angles_are_about_fixed_axes() {
        let quarter = std::f64::consts::FRAC_PI_2;
        let text = format!("<joint><origin xyz='1 2 3' rpy='{quarter} 0 {quarter}'/></joint>");
        let document = roxmltree::Document::parse(&text).unwrap();
        let place = origin(document.root_element()).ok().unwrap();
        // y goes to z by the roll, and stays there; x goes to y by the yaw.
        assert!((place.transform_vector3(DVec3::Y) - DVec3::Z).length() < 1e-15);
        assert!((place.transform_vector3(DVec3::X) - DVec3::Y).length() < 1e-15);
        assert_eq!(place.translation, DVec3::new(1.0, 2.0, 3.0));
    }
}
