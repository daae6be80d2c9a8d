//! Scenes as CSV.
//!
//! `kind,cx,cy,cz,ex,ey,ez,qx,qy,qz,qw,r,layer,mask,group,world,static`: a sphere uses c and r, an oriented box c, e and q, an
//! axis-aligned box c for its lower and e for its upper corner. Fields that a kind does not use are empty.

use std::io::BufRead;
use std::path::Path;

use tangency::glam::Quat;
use tangency::scenes::CSV_COLUMNS as COLUMNS;
use tangency::shape::{Aabb, Obb, Shape, Sphere};
use tangency::{Bodies, Traits};

use crate::failure::{Failure, Result};

/// The fields of one line, by column.
struct Fields<'a> {
    values: [&'a str; COLUMNS.len()],
}

impl<'a> Fields<'a> {
    fn text(&self, column: &str) -> &'a str {
        COLUMNS.iter().position(|name| *name == column).map_or("", |k| self.values[k])
    }

    fn float(&self, column: &str) -> Result<f32, String> {
        match self.text(column) {
            "" => Err(format!("{column} is empty; this kind needs it")),
            text => text.parse().map_err(|_| format!("{column} is {text:?}, which is no number")),
        }
    }

    fn floats<const N: usize>(&self, columns: [&str; N]) -> Result<[f32; N], String> {
        let mut values = [0.0; N];
        for (value, column) in values.iter_mut().zip(columns) {
            *value = self.float(column)?;
        }
        Ok(values)
    }

    fn integer(&self, column: &str, default: u32) -> Result<u32, String> {
        let text = self.text(column);
        let parsed = match text.strip_prefix("0x") {
            _ if text.is_empty() => return Ok(default),
            Some(hex) => u32::from_str_radix(hex, 16),
            None => text.parse(),
        };
        parsed.map_err(|_| format!("{column} is {text:?}; it must be a whole number from 0 to {}", u32::MAX))
    }

    fn unused(&self, columns: &[&str]) -> Result<(), String> {
        match columns.iter().find(|column| !self.text(column).is_empty()) {
            Some(column) => Err(format!("{column} is {:?}, but this kind has no {column}", self.text(column))),
            None => Ok(()),
        }
    }

    fn shape(&self) -> Result<Shape, String> {
        let center = ["cx", "cy", "cz"];
        let extent = ["ex", "ey", "ez"];
        let shape = match self.text("kind") {
            "sphere" => {
                self.unused(&["ex", "ey", "ez", "qx", "qy", "qz", "qw"])?;
                Sphere::new(self.floats(center)?, self.float("r")?).map(Shape::from)
            }
            "aabb" => {
                self.unused(&["qx", "qy", "qz", "qw", "r"])?;
                Aabb::new(self.floats(center)?, self.floats(extent)?).map(Shape::from)
            }
            "obb" => {
                self.unused(&["r"])?;
                let rotation = Quat::from_array(self.floats(["qx", "qy", "qz", "qw"])?);
                Obb::new(self.floats(center)?, self.floats(extent)?, rotation).map(Shape::from)
            }
            kind => return Err(format!("kind is {kind:?}; it must be sphere, aabb or obb")),
        };
        shape.map_err(|error| error.to_string())
    }

    fn traits(&self) -> Result<Traits, String> {
        let fixed = match self.text("static") {
            "" | "0" | "false" => false,
            "1" | "true" => true,
            text => return Err(format!("static is {text:?}; it must be 0 or 1")),
        };
        let plain = Traits::new();
        Ok(plain
            .layer(self.integer("layer", plain.layer)?)
            .mask(self.integer("mask", plain.mask)?)
            .group(self.integer("group", plain.group)?)
            .world(self.integer("world", plain.world)?)
            .fixed(fixed))
    }
}

/// The column of each field of a line, from the header.
fn header(line: &str) -> Result<Vec<usize>, String> {
    let mut order = Vec::new();
    for name in line.split(',').map(str::trim) {
        let Some(column) = COLUMNS.iter().position(|known| *known == name) else {
            return Err(format!("unknown column {name:?}; the columns are {}", COLUMNS.join(",")));
        };
        if order.contains(&column) {
            return Err(format!("column {name:?} stands there twice"));
        }
        order.push(column);
    }
    if order.contains(&0) { Ok(order) } else { Err("there is no column \"kind\"; is this the header line?".to_owned()) }
}

/// Reads a scene.
pub fn read(path: &Path) -> Result<Bodies> {
    let file = std::fs::File::open(path).map_err(|source| Failure::Read { path: path.to_owned(), source })?;
    let size = file.metadata().map_or(0, |found| found.len());
    let bar = crate::progress::bar(size, "reading");
    let mut lines = std::io::BufReader::new(bar.wrap_read(file)).lines();
    let mut number = 0;
    let mut next = || -> Result<Option<(usize, String)>> {
        number += 1;
        match lines.next() {
            None => Ok(None),
            Some(Ok(line)) => Ok(Some((number, line))),
            Some(Err(error)) if error.kind() == std::io::ErrorKind::InvalidData => {
                Err(Failure::line(path, number, "this is not text (UTF-8)"))
            }
            Some(Err(source)) => Err(Failure::Read { path: path.to_owned(), source }),
        }
    };
    let Some((line, text)) = next()? else {
        return Err(Failure::line(path, 1, "the file is empty; it needs at least the header line"));
    };
    let order =
        header(text.trim_start_matches('\u{feff}').trim_end()).map_err(|reason| Failure::line(path, line, reason))?;
    let mut bodies = Bodies::new();
    while let Some((line, text)) = next()? {
        let text = text.trim_end();
        if text.is_empty() {
            continue;
        }
        let fail = |reason: String| Failure::line(path, line, reason);
        let given: Vec<&str> = text.split(',').map(str::trim).collect();
        if given.len() != order.len() {
            return Err(fail(format!("{} fields; the header has {}", given.len(), order.len())));
        }
        let mut values = [""; COLUMNS.len()];
        for (column, value) in order.iter().zip(given) {
            values[*column] = value;
        }
        let fields = Fields { values };
        let (shape, traits) = (fields.shape().map_err(fail)?, fields.traits().map_err(fail)?);
        bodies.push_with(shape, traits)?;
    }
    bar.finish_and_clear();
    Ok(bodies)
}
