//! Scenes as CSV.
//!
//! `kind,cx,cy,cz,ex,ey,ez,qx,qy,qz,qw,r,layer,mask,group,world,static,margin,name`: a sphere uses c and r, an oriented box c, e and q, an
//! axis-aligned box c for its lower and e for its upper corner, a capsule c and e for the ends of its segment and r, a plane, which is the
//! half-space behind it, c for its normal and r for its offset, a convex hull c and q for its pose and r for the number of its local form. A line
//! of the kind corner is no body but a corner of a local form, before all bodies with it: c is the corner, r the number of the form. Fields that a
//! kind does not use are empty. The columns may come in any order, and those that no line needs may be left out.

use std::path::Path;

use tangency::Traits;
use tangency::glam::{DVec3, Quat, Vec3};
use tangency::scenes::CSV_COLUMNS;
use tangency::shape::{Aabb, Capsule, Obb, Plane, Pose, Shape, Sphere};

use super::forms::Forms;
use super::precision::{Border, Precision, last_digit};
use super::{Lines, Scene};
use crate::failure::{Failure, Result, shown};

/// Those of the library, and the name.
const COLUMNS: usize = CSV_COLUMNS.len() + 1;
const KIND: usize = 0;
const CENTER: usize = 1;
const EXTENT: usize = 4;
const ROTATION: usize = 7;
const RADIUS: usize = 11;
const LAYER: usize = 12;
const MASK: usize = 13;
const GROUP: usize = 14;
const WORLD: usize = 15;
const STATIC: usize = 16;
const MARGIN: usize = 17;
const NAME: usize = 18;

fn column(k: usize) -> &'static str {
    CSV_COLUMNS.get(k).unwrap_or(&"name")
}

/// The fields of one line, by column.
struct Fields<'a> {
    values: [&'a str; COLUMNS],
    path: &'a Path,
    line: usize,
    /// That of the body.
    id: usize,
}

impl Fields<'_> {
    fn number(&self, k: usize) -> Result<f64, String> {
        match self.values[k] {
            "" => Err(format!("{} is empty; this kind needs it", column(k))),
            text => text.parse().map_err(|_| format!("{} is {text:?}, which is no number", column(k))),
        }
    }

    fn numbers<const N: usize>(&self, first: usize) -> Result<[f64; N], String> {
        let mut values = [0.0; N];
        for (k, value) in values.iter_mut().enumerate() {
            *value = self.number(first + k)?;
        }
        Ok(values)
    }

    /// The nearest `f32` to the text in this column, whose value in `f64` is known.
    fn nearest(&self, k: usize, value: f64) -> f32 {
        // A value halfway between two f32 may have been rounded to there; numbers below the normal ones have fewer bits.
        let halfway = value.to_bits() & 0x1fff_ffff == 0x1000_0000;
        if halfway || value.abs() < f64::from(f32::MIN_POSITIVE) {
            self.values[k].parse().unwrap_or(value as f32)
        } else {
            value as f32
        }
    }

    fn floats<const N: usize>(&self, first: usize) -> Result<[f32; N], String> {
        let values = self.numbers::<N>(first)?;
        Ok(std::array::from_fn(|k| self.nearest(first + k, values[k])))
    }

    /// A point of space, relative to the origin.
    fn position(&self, first: usize, precision: &mut Precision) -> Result<Vec3, String> {
        let at = DVec3::from_array(self.numbers(first)?);
        let place = |k: usize| format!("{}, line {}, {}", shown(self.path), self.line, column(first + k));
        let mut local = precision.written(at, |k| last_digit(self.values[first + k]), place);
        for k in 0..3 {
            if precision.origin()[k] == 0.0 {
                local[k] = self.nearest(first + k, at[k]);
            }
        }
        Ok(local)
    }

    /// The offset of a half-space, relative to the origin.
    fn offset(&self, precision: &mut Precision) -> Result<f32, String> {
        let (normal, offset) = (Vec3::from_array(self.floats(CENTER)?), self.number(RADIUS)?);
        let place = || format!("{}, line {}, {}", shown(self.path), self.line, column(RADIUS));
        let local = precision.offset(Border { normal, offset, unit: last_digit(self.values[RADIUS]) }, self.id, place);
        Ok(if precision.origin() == DVec3::ZERO { self.nearest(RADIUS, offset) } else { local })
    }

    fn integer(&self, k: usize, default: u32) -> Result<u32, String> {
        let text = self.values[k];
        let parsed = match text.strip_prefix("0x") {
            _ if text.is_empty() => return Ok(default),
            Some(hex) => u32::from_str_radix(hex, 16),
            None => text.parse(),
        };
        parsed.map_err(|_| format!("{} is {text:?}; it must be a whole number from 0 to {}", column(k), u32::MAX))
    }

    fn unused(&self, columns: std::ops::RangeInclusive<usize>) -> Result<(), String> {
        match columns.into_iter().find(|k| !self.values[*k].is_empty()) {
            Some(k) => Err(format!("{0} is {1:?}, but this kind has no {0}", column(k), self.values[k])),
            None => Ok(()),
        }
    }

    /// The number of a local form.
    fn form(&self) -> Result<u32, String> {
        match self.values[RADIUS] {
            "" => Err("r is empty; it must be the number of a local form".to_owned()),
            _ => self.integer(RADIUS, 0),
        }
    }

    /// A corner of a local form, and the number of the form. Nothing else may be said of it.
    fn corner(&self) -> Result<(u32, Vec3), String> {
        self.unused(EXTENT..=RADIUS - 1)?;
        self.unused(LAYER..=NAME)?;
        Ok((self.form()?, Vec3::from_array(self.floats(CENTER)?)))
    }

    fn shape(&self, precision: &mut Precision, forms: &mut Forms) -> Result<Shape, String> {
        let shape = match self.values[KIND] {
            "sphere" => {
                self.unused(EXTENT..=RADIUS - 1)?;
                let [radius] = self.floats(RADIUS)?;
                Sphere::new(self.position(CENTER, precision)?, radius).map(Shape::from)
            }
            "aabb" => {
                self.unused(ROTATION..=RADIUS)?;
                Aabb::new(self.position(CENTER, precision)?, self.position(EXTENT, precision)?).map(Shape::from)
            }
            "obb" => {
                self.unused(RADIUS..=RADIUS)?;
                let (extents, rotation) = (self.floats::<3>(EXTENT)?, Quat::from_array(self.floats(ROTATION)?));
                Obb::new(self.position(CENTER, precision)?, extents, rotation).map(Shape::from)
            }
            "capsule" => {
                self.unused(ROTATION..=RADIUS - 1)?;
                let [radius] = self.floats(RADIUS)?;
                Capsule::new(self.position(CENTER, precision)?, self.position(EXTENT, precision)?, radius)
                    .map(Shape::from)
            }
            "plane" => {
                self.unused(EXTENT..=RADIUS - 1)?;
                Plane::new(self.floats::<3>(CENTER)?, self.offset(precision)?).map(Shape::from)
            }
            "convex_hull" => {
                self.unused(EXTENT..=ROTATION - 1)?;
                let rotation = Quat::from_array(self.floats(ROTATION)?);
                let pose = Pose::new(self.position(CENTER, precision)?, rotation).map_err(|error| error.to_string())?;
                return Ok(forms.hull(self.form()?, pose)?.into());
            }
            kind => {
                let kinds = "sphere, aabb, obb, capsule, plane or convex_hull, or corner for a corner of a hull";
                return Err(format!("kind is {kind:?}; it must be {kinds}"));
            }
        };
        shape.map_err(|error| error.to_string())
    }

    fn margin(&self) -> Result<f32, String> {
        if self.values[MARGIN].is_empty() {
            return Ok(0.0);
        }
        let [margin] = self.floats(MARGIN)?;
        if margin.is_finite() && margin >= 0.0 {
            Ok(margin)
        } else {
            Err(format!("margin is {margin}; it must be 0 or more"))
        }
    }

    fn traits(&self) -> Result<Traits, String> {
        let fixed = match self.values[STATIC] {
            "" | "0" | "false" => false,
            "1" | "true" => true,
            text => return Err(format!("static is {text:?}; it must be 0 or 1")),
        };
        let plain = Traits::new();
        Ok(plain
            .layer(self.integer(LAYER, plain.layer)?)
            .mask(self.integer(MASK, plain.mask)?)
            .group(self.integer(GROUP, plain.group)?)
            .world(self.integer(WORLD, plain.world)?)
            .fixed(fixed))
    }
}

/// The column of each field of a line, from the header.
fn header(line: &str) -> Result<Vec<usize>, String> {
    let mut order = Vec::new();
    for name in line.split(',').map(str::trim) {
        let Some(k) = (0..COLUMNS).find(|k| column(*k) == name) else {
            return Err(format!("unknown column {name:?}; the columns are {},name", CSV_COLUMNS.join(",")));
        };
        if order.contains(&k) {
            return Err(format!("column {name:?} stands there twice"));
        }
        order.push(k);
    }
    if order.contains(&KIND) {
        Ok(order)
    } else {
        Err("there is no column \"kind\"; is this the header line?".to_owned())
    }
}

/// Puts the fields of a line that has no quotes in their columns. Returns how many there are.
fn split<'a>(line: &'a str, order: &[usize], values: &mut [&'a str; COLUMNS]) -> usize {
    let (mut start, mut count) = (0, 0);
    for end in memchr::memchr_iter(b',', line.as_bytes()).chain([line.len()]) {
        if let Some(column) = order.get(count) {
            values[*column] = line[start..end].trim_ascii();
        }
        (start, count) = (end + 1, count + 1);
    }
    count
}

/// The fields of a line that has quotes: `"a ""b"", c"` is `a "b", c`.
fn unquoted(line: &str) -> Result<Vec<String>, String> {
    let (mut fields, mut rest) = (Vec::new(), line);
    loop {
        let field = rest.trim_start();
        let (text, after) = if let Some(quoted) = field.strip_prefix('"') {
            let (mut text, mut rest) = (String::new(), quoted);
            loop {
                let Some(end) = rest.find('"') else { return Err("a quote is not closed".to_owned()) };
                text.push_str(&rest[..end]);
                rest = &rest[end + 1..];
                match rest.strip_prefix('"') {
                    Some(more) => {
                        text.push('"');
                        rest = more;
                    }
                    None => break,
                }
            }
            (text, rest.trim_start())
        } else {
            let end = field.find(',').unwrap_or(field.len());
            (field[..end].trim_end().to_owned(), &field[end..])
        };
        fields.push(text);
        match after.strip_prefix(',') {
            Some(more) => rest = more,
            None if after.is_empty() => return Ok(fields),
            None => return Err(format!("{after:?} follows a closed quote")),
        }
    }
}

/// How many bodies are added at a time.
const BATCH: usize = 4096;

/// Adds the bodies of a scene.
pub fn read(path: &Path, scene: &mut Scene) -> Result<()> {
    let (from, bar) = super::open(path)?;
    let mut lines = Lines::new(from, path);
    let Some((line, text)) = lines.next()? else {
        return Err(Failure::line(path, 1, "the file is empty; it needs at least the header line"));
    };
    let order =
        header(text.trim_start_matches('\u{feff}').trim_end()).map_err(|reason| Failure::line(path, line, reason))?;
    let (mut batch, mut margins, mut forms) = (Vec::with_capacity(BATCH), Vec::new(), Forms::default());
    while let Some((line, text)) = lines.next()? {
        let text = text.trim_ascii_end();
        if text.is_empty() {
            continue;
        }
        let fail = |reason: String| Failure::line(path, line, reason);
        let unquoted =
            if memchr::memchr(b'"', text.as_bytes()).is_some() { Some(unquoted(text).map_err(fail)?) } else { None };
        let id = scene.bodies.len() + batch.len();
        let mut fields = Fields { values: [""; COLUMNS], path, line, id };
        let count = match &unquoted {
            None => split(text, &order, &mut fields.values),
            Some(given) => {
                order.iter().zip(given).for_each(|(column, value)| fields.values[*column] = value);
                given.len()
            }
        };
        if count != order.len() {
            return Err(fail(format!("{count} fields; the header has {}", order.len())));
        }
        if fields.values[KIND] == "corner" {
            fields.corner().and_then(|(form, corner)| forms.add(form, corner)).map_err(fail)?;
            continue;
        }
        let shape = fields.shape(&mut scene.precision, &mut forms).map_err(fail)?;
        scene.names.push(id, fields.values[NAME]);
        let margin = fields.margin().map_err(fail)?;
        if margin > 0.0 {
            margins.push((id as u32, margin));
        }
        batch.push((shape, fields.traits().map_err(fail)?));
        if batch.len() == BATCH {
            scene.extend(batch.drain(..))?;
        }
    }
    scene.extend(batch)?;
    for (id, margin) in margins {
        scene.bodies.set_margin(id, margin)?;
    }
    bar.finish_and_clear();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_taken_off() {
        assert_eq!(unquoted(r#"sphere, "a ""b"", c" ,,1"#).unwrap(), ["sphere", "a \"b\", c", "", "1"]);
        assert_eq!(unquoted(r#""""#).unwrap(), [""]);
        assert!(unquoted(r#"a,"b"#).unwrap_err().contains("not closed"));
        assert!(unquoted(r#""a"b,c"#).unwrap_err().contains("follows"));
    }

    /// A text is rounded to f32 once, not by way of f64.
    #[test]
    fn numbers_are_rounded_once() {
        let fields = |text| {
            let mut values = [""; COLUMNS];
            values[CENTER] = text;
            Fields { values, path: Path::new("-"), line: 2, id: 0 }
        };
        // The first is just above halfway between 1 and the next f32, by less than f64 can tell.
        for text in ["1.00000005960464477539062500000001", "1e-45", "7.0064923216240853e-46", "0.1", "-1e-50", "1e39"] {
            let direct: f32 = text.parse().unwrap();
            assert_eq!(fields(text).floats::<1>(CENTER).unwrap()[0].to_bits(), direct.to_bits(), "{text}");
        }
        assert_eq!(fields("1.00000005960464477539062500000001").floats::<1>(CENTER), Ok([1.0 + f32::EPSILON]));
    }
}
