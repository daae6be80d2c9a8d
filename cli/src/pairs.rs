//! `tangency pairs`: the relations of explicit pairs of shapes.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Parser, ValueEnum};
use serde_json::json;
use tangency::Bodies;
use tangency::glam::{Quat, Vec3};
use tangency::shape::{Aabb, Capsule, Obb, Plane, Pose, Shape, Sphere};

use crate::engines::{self, Backend, Choice};
use crate::failure::{Failure, Result};
use crate::files::{self, Lines};
use crate::{messages, numbers, output, progress};

#[derive(Parser)]
pub struct Args {
    /// One pair a line, - being standard input: optionally a family, then the numbers of both shapes as hexadecimal words (the bits of an f32),
    /// optionally the expected relation (0 separate, 1 touching, 2 overlapping), separated by commas
    file: PathBuf,
    /// The kinds of the two shapes. sphere: cx cy cz r; aabb: min, max; obb: centre, half extents, quaternion x y z w; capsule:
    /// both ends of its segment, r; plane, the half-space behind it: normal, offset; `convex_hull`: position, quaternion x y z w, the number of
    /// its corners (in hexadecimal, as 0000000c), the corners before they are turned and moved
    #[arg(long, value_enum)]
    kind: Kind,
    #[command(flatten)]
    pub choice: Choice,
}

#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Kind {
    ObbObb,
    SphereObb,
    AabbObb,
    SphereSphere,
    SphereAabb,
    AabbAabb,
    SphereCapsule,
    AabbCapsule,
    ObbCapsule,
    CapsuleCapsule,
    SpherePlane,
    AabbPlane,
    ObbPlane,
    CapsulePlane,
    PlanePlane,
    SphereConvexHull,
    AabbConvexHull,
    ObbConvexHull,
    CapsuleConvexHull,
    PlaneConvexHull,
    ConvexHullConvexHull,
}

#[derive(Clone, Copy)]
enum One {
    Sphere,
    Aabb,
    Obb,
    Capsule,
    Plane,
    ConvexHull,
}

/// How many words of a hull come before its corners.
const BEFORE_CORNERS: usize = 8;

impl One {
    /// How many words the shape has that begins these fields; absent for a hull if none of them is the number of its corners.
    fn width(self, fields: &[&str]) -> Option<usize> {
        Some(match self {
            Self::Sphere | Self::Plane => 4,
            Self::Aabb => 6,
            Self::Obb => 10,
            Self::Capsule => 7,
            Self::ConvexHull => {
                let corners = word(fields.get(BEFORE_CORNERS - 1)?)?.to_bits() as usize;
                corners.checked_mul(3)?.checked_add(BEFORE_CORNERS)?
            }
        })
    }

    fn shape(self, v: &[f32]) -> tangency::Result<Shape> {
        Ok(match self {
            Self::Sphere => Sphere::new(Vec3::from_slice(v), v[3])?.into(),
            Self::Aabb => Aabb::new(Vec3::from_slice(v), Vec3::from_slice(&v[3..]))?.into(),
            Self::Obb => Obb::new(Vec3::from_slice(v), Vec3::from_slice(&v[3..]), Quat::from_slice(&v[6..]))?.into(),
            Self::Capsule => Capsule::new(Vec3::from_slice(v), Vec3::from_slice(&v[3..]), v[6])?.into(),
            Self::Plane => Plane::new(Vec3::from_slice(v), v[3])?.into(),
            Self::ConvexHull => {
                let corners = v[BEFORE_CORNERS..].chunks_exact(3).map(Vec3::from_slice).collect();
                let hull = files::hull_of_body(corners)?;
                hull.with_pose(Pose::new(Vec3::from_slice(v), Quat::from_slice(&v[3..]))?).into()
            }
        })
    }
}

impl Kind {
    fn shapes(self) -> (One, One) {
        match self {
            Self::ObbObb => (One::Obb, One::Obb),
            Self::SphereObb => (One::Sphere, One::Obb),
            Self::AabbObb => (One::Aabb, One::Obb),
            Self::SphereSphere => (One::Sphere, One::Sphere),
            Self::SphereAabb => (One::Sphere, One::Aabb),
            Self::AabbAabb => (One::Aabb, One::Aabb),
            Self::SphereCapsule => (One::Sphere, One::Capsule),
            Self::AabbCapsule => (One::Aabb, One::Capsule),
            Self::ObbCapsule => (One::Obb, One::Capsule),
            Self::CapsuleCapsule => (One::Capsule, One::Capsule),
            Self::SpherePlane => (One::Sphere, One::Plane),
            Self::AabbPlane => (One::Aabb, One::Plane),
            Self::ObbPlane => (One::Obb, One::Plane),
            Self::CapsulePlane => (One::Capsule, One::Plane),
            Self::PlanePlane => (One::Plane, One::Plane),
            Self::SphereConvexHull => (One::Sphere, One::ConvexHull),
            Self::AabbConvexHull => (One::Aabb, One::ConvexHull),
            Self::ObbConvexHull => (One::Obb, One::ConvexHull),
            Self::CapsuleConvexHull => (One::Capsule, One::ConvexHull),
            Self::PlaneConvexHull => (One::Plane, One::ConvexHull),
            Self::ConvexHullConvexHull => (One::ConvexHull, One::ConvexHull),
        }
    }
}

/// A parsed line: the two shapes, and the expected relation.
struct Row {
    shapes: [Shape; 2],
    expected: Option<u8>,
}

fn word(text: &str) -> Option<f32> {
    let is_hex = text.len() == 8 && text.bytes().all(|b| b.is_ascii_hexdigit());
    is_hex.then(|| u32::from_str_radix(text, 16).ok().map(f32::from_bits)).flatten()
}

/// Parses one line. A first field that is not a hexadecimal word is the family; a field after the numbers is the expected
/// relation.
fn parse(line: &str, (a, b): (One, One)) -> Result<Row, String> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let widths = |fields: &[&str]| {
        let first = a.width(fields)?;
        Some([first, b.width(fields.get(first..).unwrap_or_default())?])
    };
    let total = |[first, second]: [usize; 2]| first.checked_add(second);
    // A family that looks like a hexadecimal word is recognised by the number of fields.
    let after = fields.len() - 1;
    let has_family = widths(&fields[1..])
        .and_then(total)
        .is_some_and(|wanted| Some(wanted) == after.checked_sub(1) || wanted == after && word(fields[0]).is_none());
    let numbers = &fields[usize::from(has_family)..];
    let Some((split, wanted)) = widths(numbers).and_then(|both| Some((both[0], total(both)?))) else {
        return Err(format!(
            "{} fields; a hull of this kind has its position, its quaternion, the number of its corners in hexadecimal, and these",
            fields.len()
        ));
    };
    let (numbers, expected) = match numbers.len() {
        n if n == wanted => (numbers, None),
        n if Some(n) == wanted.checked_add(1) => (&numbers[..wanted], Some(numbers[wanted])),
        _ => {
            return Err(format!(
                "{} fields; this kind has {wanted} numbers, with a family before and a relation after",
                fields.len()
            ));
        }
    };
    let mut v = Vec::with_capacity(wanted);
    for text in numbers {
        v.push(word(text).ok_or_else(|| format!("{text:?} is no hexadecimal word of eight digits"))?);
    }
    let expected = match expected {
        None => None,
        Some("0") => Some(0),
        Some("1") => Some(1),
        Some("2") => Some(2),
        Some(other) => return Err(format!("the expected relation is {other:?}; it must be 0, 1 or 2")),
    };
    let (first, second) = v.split_at(split);
    let name = |which: &str, error: tangency::Error| format!("the {which} shape: {error}");
    let shapes = [
        a.shape(first).map_err(|error| name("first", error))?,
        b.shape(second).map_err(|error| name("second", error))?,
    ];
    Ok(Row { shapes, expected })
}

fn read(path: &Path, kinds: (One, One)) -> Result<Vec<Row>> {
    let (from, bar) = files::open(path)?;
    let (mut lines, mut rows) = (Lines::new(from, path), Vec::new());
    while let Some((number, line)) = lines.next()? {
        rows.push(parse(line, kinds).map_err(|reason| Failure::line(path, number, reason))?);
    }
    bar.finish_and_clear();
    Ok(rows)
}

pub fn run(args: &Args, choice: &Choice) -> Result<()> {
    let rows = read(&args.file, args.kind.shapes())?;
    let mut bodies = Bodies::with_capacity(2 * rows.len());
    bodies.extend(rows.iter().flat_map(|row| row.shapes.clone()))?;
    let pairs: Vec<[u32; 2]> = (0..rows.len() as u32).map(|k| [2 * k, 2 * k + 1]).collect();
    let mut found: Option<Vec<tangency::Relation>> = None;
    let engines = choice.answering()?;
    let spinner = progress::spinner("deciding".to_owned());
    for labelled in &engines {
        let relations = progress::watched(&spinner, labelled, || labelled.engine.relations(&bodies, &pairs).run())?;
        if found.as_ref().is_some_and(|first| *first != relations) {
            return Err(Failure::Wrong(format!("{} decided otherwise than {}", labelled.name(), engines[0].name())));
        }
        found = Some(relations);
    }
    spinner.finish_and_clear();
    let relations = found.unwrap_or_default();
    let compared = rows.iter().filter(|row| row.expected.is_some()).count();
    let wrong: Vec<usize> = rows
        .iter()
        .zip(&relations)
        .enumerate()
        .filter(|(_, (row, relation))| row.expected.is_some_and(|expected| expected != **relation as u8))
        .map(|(k, _)| k + 1)
        .collect();
    if choice.json {
        let values: Vec<u8> = relations.iter().map(|relation| *relation as u8).collect();
        output::json(&json!({"relations": values, "compared": compared, "wrong_lines": wrong}))?;
    } else {
        output::stdout(|out: &mut dyn Write| relations.iter().try_for_each(|r| writeln!(out, "{}", *r as u8)))?;
    }
    if compared > 0 {
        messages::note(format_args!(
            "{} rows compared, {} wrong",
            numbers::grouped(compared as u64),
            numbers::grouped(wrong.len() as u64)
        ));
    }
    match wrong.first() {
        // The expected relations of the file count as a comparison too.
        None if choice.backend == Backend::All && (compared == 0 || engines::different(&engines) > 1) => {
            engines::compared(&engines)
        }
        None => Ok(()),
        Some(line) => {
            Err(Failure::Wrong(format!("{} of {compared} relations are wrong, the first on line {line}", wrong.len())))
        }
    }
}
