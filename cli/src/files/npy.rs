//! Arrays of numpy: `.npy`, one array, and `.npz`, several by name.
//!
//! | columns | bodies |
//! |---|---|
//! | 4 | spheres: centre, radius |
//! | 6 | axis-aligned boxes: lower corner, upper corner |
//! | 7 | capsules: first end, second end, radius |
//! | 10 | oriented boxes: centre, half extents, quaternion x y z w |
//!
//! A `.npy` is one array of these; a `.npz` has them by the names `spheres`, `aabbs`, `obbs` and `capsules`, and half-spaces (4 columns: normal,
//! offset) by the name `planes`, and hulls (8 columns: position, quaternion x y z w, number of the local form) by the name `convex_hulls`. Its bodies
//! come in this order, and it may have an entry for each body in `names` (text), `layer`, `mask`, `group`, `world` and `static` (whole numbers).
//! Corners of local forms are the rows of `hull_corners` (3 columns), and `hull_forms` has the number of the form of each (whole numbers).

mod array;
mod hulls;
mod zip;

use std::path::Path;

use tangency::Traits;
use tangency::glam::{DVec3, Quat, Vec3};
use tangency::shape::{Aabb, Capsule, Obb, Plane, Pose, Shape, Sphere};

use super::Scene;
use super::forms::Forms;
use super::precision::{Border, last_digit_of};
use crate::failure::{Failure, Result, shown};
use array::{Array, Element};

/// The arrays of bodies in an archive, in the order of their bodies, and how many columns each has.
const ARRAYS: [(&str, usize); 6] =
    [("spheres", 4), ("aabbs", 6), ("obbs", 10), ("capsules", 7), (PLANES, 4), (HULLS, 8)];

/// Their rows have as many numbers as those of spheres: only the name tells them apart.
const PLANES: &str = "planes";

/// They need other arrays.
const HULLS: &str = "convex_hulls";

/// Adds the bodies of one array.
pub fn read(path: &Path, scene: &mut Scene) -> Result<()> {
    let bytes = super::whole(path)?;
    let array = Array::parse(&bytes).map_err(|(byte, reason)| Failure::byte(path, byte, reason))?;
    let first = scene.bodies.len();
    let shapes = shapes(&array, scene, (path, ""), first, &mut Forms::default())?;
    scene.extend(shapes.into_iter().map(|shape| (shape, Traits::new())))
}

/// Adds the bodies of the arrays of an archive.
pub fn read_archive(path: &Path, scene: &mut Scene) -> Result<()> {
    let bytes = super::whole(path)?;
    let members = zip::members(&bytes).map_err(|(byte, reason)| Failure::byte(path, byte, reason))?;
    let mut all = Vec::new();
    let mut forms = hulls::forms(&members).map_err(|reason| Failure::whole(path, reason))?;
    let (mut names, mut columns) = (None, [const { None }; 5]);
    let of_traits = ["layer", "mask", "group", "world", "static"];
    // Bodies first, in a fixed order; what is said of them after.
    for wanted in ARRAYS.map(|(name, _)| name).into_iter().chain(["names"]).chain(of_traits) {
        let Some(member) = members.iter().find(|member| member.name == format!("{wanted}.npy")) else { continue };
        let content = member.content().map_err(|(byte, reason)| Failure::byte(path, byte, reason))?;
        let fail = |reason: String| Failure::whole(path, format!("{wanted}: {reason}"));
        let array =
            Array::parse(&content).map_err(|(byte, reason)| fail(format!("byte {byte} of the array: {reason}")))?;
        match of_traits.iter().position(|name| *name == wanted) {
            Some(k) => columns[k] = Some(array.whole_numbers().map_err(fail)?),
            None if wanted == "names" => names = Some(array.texts().map_err(fail)?),
            None => {
                let due = ARRAYS.iter().find(|(name, _)| *name == wanted).map(|(_, columns)| *columns);
                if let Some(due) = due.filter(|due| array.shape.get(1) != Some(due)) {
                    return Err(fail(format!("the shape is {:?}; it must be (bodies, {due})", array.shape)));
                }
                let first = scene.bodies.len() + all.len();
                all.extend(shapes(&array, scene, (path, wanted), first, &mut forms)?);
            }
        }
    }
    let has_bodies = |name: &str| ARRAYS.iter().any(|(array, _)| name.strip_suffix(".npy") == Some(array));
    if all.is_empty() && !members.iter().any(|member| has_bodies(&member.name)) {
        let found: Vec<&str> = members.iter().map(|member| member.name.trim_end_matches(".npy")).collect();
        let known = "spheres, aabbs, obbs, capsules, planes or convex_hulls";
        let reason = format!("there is no array {known}; there are: {}", found.join(", "));
        return Err(Failure::whole(path, reason));
    }
    let lengths = columns.iter().flatten().map(Vec::len).chain(names.as_ref().map(Vec::len));
    if let Some(length) = lengths.into_iter().find(|length| *length != all.len()) {
        let reason = format!("there are {} bodies, and an array of names or traits for {length}", all.len());
        return Err(Failure::whole(path, reason));
    }
    for (k, shape) in all.into_iter().enumerate() {
        let given = |column: usize, default: u32| columns[column].as_ref().map_or(default, |values| values[k]);
        let plain = Traits::new();
        let traits = plain
            .layer(given(0, plain.layer))
            .mask(given(1, plain.mask))
            .group(given(2, plain.group))
            .world(given(3, plain.world))
            .fixed(given(4, 0) != 0);
        scene.push(shape, traits, names.as_ref().map_or("", |names| &names[k]))?;
    }
    Ok(())
}

/// A shape for each row of an array with this name, if it has one. The first becomes body `first`.
fn shapes(
    array: &Array<'_>,
    scene: &mut Scene,
    (path, name): (&Path, &str),
    first: usize,
    forms: &mut Forms,
) -> Result<Vec<Shape>> {
    let fail =
        |reason: String| Failure::byte(path, 0, if name.is_empty() { reason } else { format!("{name}: {reason}") });
    let reals = array.reals().map_err(fail)?;
    let &[rows, width] = &array.shape[..] else {
        return Err(fail(format!(
            "the shape is {:?}; it must be (bodies, 4), (bodies, 6), (bodies, 7) or (bodies, 10)",
            array.shape
        )));
    };
    if ARRAYS.iter().all(|(known, columns)| *columns != width || *known == HULLS && name.is_empty()) {
        let kinds = "4 columns are spheres, 6 axis-aligned and 10 oriented boxes, 7 capsules";
        return Err(fail(format!("the shape is ({rows}, {width}); {kinds}")));
    }
    // Numbers that are f32 already have no digits to lose, unless something is subtracted from them.
    let is_single = array.element == Element::Single;
    let mut found = Vec::with_capacity(rows);
    for row in 0..rows {
        let number = |column: usize| reals.at(row, column);
        let unit = |value: f64| last_digit_of(if is_single { f64::from(value as f32) } else { value });
        let place = |column: usize| format!("{}, {name}[{row}, {column}]", shown(path));
        let mut position = |first: usize| -> Vec3 {
            let at = DVec3::new(number(first), number(first + 1), number(first + 2));
            scene.precision.written(at, |k| unit(at[k]), |k| place(first + k))
        };
        let float = |column: usize| number(column) as f32;
        let shape = match width {
            4 if name == PLANES => {
                let (normal, offset) = (Vec3::from_array([0, 1, 2].map(float)), number(3));
                let border = Border { normal, offset, unit: unit(offset) };
                Plane::new(normal, scene.precision.offset(border, first + row, || place(3))).map(Shape::from)
            }
            4 => Sphere::new(position(0), float(3)).map(Shape::from),
            6 => Aabb::new(position(0), position(3)).map(Shape::from),
            7 => Capsule::new(position(0), position(3), float(6)).map(Shape::from),
            8 => {
                let rotation = Quat::from_array([3, 4, 5, 6].map(float));
                let hull = hulls::hull(number(7), Pose::new(position(0), rotation), forms);
                found.push(hull.map_err(|reason| fail(format!("[{row}]: {reason}")))?);
                continue;
            }
            _ => {
                let rotation = Quat::from_array([6, 7, 8, 9].map(float));
                Obb::new(position(0), [3, 4, 5].map(float), rotation).map(Shape::from)
            }
        };
        let refused = |error: tangency::Error| {
            let reason = format!("{name}[{row}]: {error}");
            Failure::byte(path, if name.is_empty() { reals.byte(row, 0) } else { 0 }, reason)
        };
        found.push(shape.map_err(refused)?);
    }
    Ok(found)
}
