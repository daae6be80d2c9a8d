//! Scenes as text, for the `tangency` command.

use std::collections::HashMap;
use std::io::Write;

use crate::Bodies;
use crate::shape::kinds::BodyShape;

/// The columns of a scene. The last one is left out where all margins are 0.
///
/// ```
/// assert_eq!(tangency::scenes::CSV_COLUMNS[0], "kind");
/// ```
pub const CSV_COLUMNS: [&str; 18] = [
    "kind", "cx", "cy", "cz", "ex", "ey", "ez", "qx", "qy", "qz", "qw", "r", "layer", "mask", "group", "world",
    "static", "margin",
];

fn numbers(v: &[f32]) -> String {
    v.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(",")
}

/// Writes the corners of all local forms that bodies have, with so many empty fields after their number. Returns the numbers of the forms, by
/// fingerprint.
fn write_forms(bodies: &Bodies, empty: usize, out: &mut dyn Write) -> std::io::Result<HashMap<u64, usize>> {
    let mut forms = HashMap::new();
    for i in 0..bodies.id_bound() {
        let BodyShape::ConvexHull(hull) = bodies.get(i) else { continue };
        let number = forms.len();
        if forms.contains_key(&hull.fingerprint()) {
            continue;
        }
        forms.insert(hull.fingerprint(), number);
        for corner in hull.local_vertices() {
            writeln!(out, "corner,{},,,,,,,,{number}{}", numbers(&corner.to_array()), ",".repeat(empty))?;
        }
    }
    Ok(forms)
}

/// Writes all bodies as CSV, floats in the fewest digits that read back to the same bits.
///
/// A sphere uses the columns c and r, an oriented box c, e and q, an axis-aligned box c for its lower and e for its upper corner, a capsule c and
/// e for the ends of its segment and r, a half-space (`plane`) c for its normal and r for its offset, and a hull (`convex_hull`) c and q for its pose and
/// r for the number of its local form. A row of the kind `corner` is no body but a corner of a local form, and comes before all bodies with that form:
/// c is the corner, and r the number of the form. Columns that a kind does not use are empty. A disabled body is written as a body in no layer. Excluded
/// pairs are not written.
///
/// ```
/// use tangency::{Bodies, scenes, shape::Sphere};
///
/// let mut bodies = Bodies::new();
/// bodies.push(Sphere::new([1.0, 2.0, 3.0], 0.1)?)?;
/// let mut text = Vec::new();
/// scenes::write_csv(&bodies, &mut text).expect("memory");
/// assert!(text.ends_with(b"sphere,1.0,2.0,3.0,,,,,,,,0.1,1,4294967295,0,0,0\n"));
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// The errors of the writer.
pub fn write_csv(bodies: &Bodies, out: &mut dyn Write) -> std::io::Result<()> {
    let (columns, margins) = (CSV_COLUMNS.len(), bodies.margins());
    let columns = columns - usize::from(margins.is_none());
    writeln!(out, "{}", CSV_COLUMNS[..columns].join(","))?;
    let forms = write_forms(bodies, columns - 12, out)?;
    for i in 0..bodies.id_bound() {
        let traits = &bodies.all_traits()[i];
        let fields = match bodies.get(i) {
            BodyShape::Sphere(s) => format!("sphere,{},,,,,,,,{:?}", numbers(&s.center().to_array()), s.radius()),
            BodyShape::Aabb(b) => {
                format!("aabb,{},{},,,,,", numbers(&b.min().to_array()), numbers(&b.max().to_array()))
            }
            BodyShape::Obb(b) => format!(
                "obb,{},{},{},",
                numbers(&b.center().to_array()),
                numbers(&b.half_extents().to_array()),
                numbers(&b.rotation_array())
            ),
            BodyShape::Capsule(c) => {
                format!("capsule,{},{},,,,,{:?}", numbers(&c.a().to_array()), numbers(&c.b().to_array()), c.radius())
            }
            BodyShape::Plane(p) => format!("plane,{},,,,,,,,{:?}", numbers(&p.normal().to_array()), p.offset()),
            BodyShape::ConvexHull(hull) => format!(
                "convex_hull,{},,,,{},{}",
                numbers(&hull.pose().position().to_vec3().to_array()),
                numbers(&hull.pose().rotation_array()),
                forms[&hull.fingerprint()]
            ),
        };
        let layer = if bodies.enabled_flags()[i] { traits.layer } else { 0 };
        let (mask, group, world) = (traits.mask, traits.group, traits.world);
        write!(out, "{fields},{layer},{mask},{group},{world},{}", u8::from(traits.fixed))?;
        if let Some(margins) = margins {
            write!(out, ",{:?}", margins[i])?;
        }
        writeln!(out)?;
    }
    Ok(())
}
