//! The bodies of the scene of hulls.

use glam::{DVec3, Quat};

use crate::Result;
use crate::shape::{ConvexHull, Pose};

/// How many local forms there are, and how many corners each of them has.
const FORMS: u64 = 16;
const CORNERS: u64 = 64;

/// The local forms: hulls of points on balls that are squeezed along their axes, each ball otherwise. The arithmetic is that of IEEE 754 with a
/// square root, so that the corners have the same bits on every machine.
pub(super) fn forms(random: impl Fn(u64, u64) -> f64) -> Result<Vec<ConvexHull>> {
    // (The random numbers of bodies beyond the scene, as for clusters.)
    let first = 1_u64 << 45;
    let form = |form: u64| {
        let radii = DVec3::from([0, 1, 2].map(|axis| 0.56 + 0.35 * random(first + form, axis)));
        let corner = |k: u64| {
            let at = first + FORMS + form * CORNERS + k;
            let way = DVec3::from([0, 1, 2].map(|axis| 2.0 * random(at, axis) - 1.0));
            (radii * way / way.length()).as_vec3()
        };
        ConvexHull::from_points((0..CORNERS).map(corner))
    };
    (0..FORMS).map(form).collect()
}

/// Body `i`, anywhere in a cube with this side, turned anyhow.
pub(super) fn body(i: u64, forms: &[ConvexHull], side: f64, random: impl Fn(u64, u64) -> f64) -> Result<ConvexHull> {
    let u = |lane| random(i, lane);
    let position = [0, 1, 2].map(|lane| (u(lane) * side) as f32);
    let rotation = Quat::from_array([3, 4, 5, 6].map(|lane| (2.0 * u(lane) - 1.0) as f32));
    Ok(forms[i as usize % forms.len()].with_pose(Pose::new(position, rotation)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::{SEED, Scene, unit};

    #[test]
    fn forms_differ_and_have_all_their_corners() {
        let forms = forms(|i, lane| unit(i, lane, SEED)).expect("hulls");
        assert_eq!(forms.len() as u64, FORMS);
        for (k, form) in forms.iter().enumerate() {
            assert_eq!(form.local_vertices().len() as u64, CORNERS, "{k}");
            assert!(forms[..k].iter().all(|other| other != form), "{k}");
        }
    }

    #[test]
    fn bodies_share_forms() {
        let bodies = Scene::Hulls.build(40, SEED).expect("a scene");
        let corners = |id| {
            let Ok(crate::shape::Shape::ConvexHull(hull)) = bodies.shape(id) else { panic!("{id} is no hull") };
            hull.local_vertices().to_vec()
        };
        assert_eq!(corners(3), corners(19));
        assert_ne!(corners(3), corners(4));
    }
}
