//! Scene files: a file of this folder for each format, and the scene that all of them fill.

mod csv;
mod dae;
mod format;
mod forms;
#[cfg(test)]
mod fuzz;
mod gltf;
mod input;
mod lines;
mod mesh;
mod names;
mod npy;
mod obj;
mod pair_names;
mod precision;
mod source;
mod stl;
pub mod table;
mod urdf;
mod xml;

pub use format::Format;
pub use forms::hull_of_body;
pub use input::Input;
pub use lines::Lines;
pub use names::Names;
pub use pair_names::PairNames;
pub use source::open;
use source::whole;

use serde_json::json;
use tangency::glam::DVec3;
use tangency::shape::{Plane, Shape};
use tangency::{Bodies, Traits};

use crate::failure::{Failure, Result};
use crate::{messages, numbers};
use precision::Precision;

/// What was read from one file or several: bodies, their names, and what a user must know about them.
pub struct Scene {
    pub bodies: Bodies,
    /// Empty if no body has a name.
    pub names: Names,
    /// How many bodies are boxes around meshes or cylinders. Pairs of such bodies are candidates: the boxes meet, and what is in them may.
    pub bounding_boxes: usize,
    /// How many are convex hulls of meshes, and whether meshes become hulls: what is in a hull may have hollows, in which others do not meet it.
    pub bounding_hulls: usize,
    hulls: bool,
    /// How many robots there are in this scene and those before it.
    robots: u32,
    /// Whether the bodies of a robot are kept from meeting each other.
    no_self: bool,
    precision: Precision,
    /// What was left out of files, and the like.
    notes: Vec<String>,
}

/// The point that is subtracted from all positions before they are rounded to `f32`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Origin {
    At(DVec3),
    /// The first position of the first file, rounded to whole numbers.
    Auto,
}

impl Scene {
    fn new(origin: Origin, no_self: bool, hulls: bool) -> Result<Self> {
        let (bodies, precision) = match origin {
            Origin::At(at) => (Bodies::with_origin(at)?, Precision::new(Some(at))),
            Origin::Auto => (Bodies::new(), Precision::new(None)),
        };
        Ok(Self {
            bodies,
            names: Names::default(),
            bounding_boxes: 0,
            bounding_hulls: 0,
            hulls,
            robots: 0,
            no_self,
            precision,
            notes: Vec::new(),
        })
    }

    /// Adds a body.
    fn push(&mut self, shape: impl Into<Shape>, traits: Traits, name: &str) -> Result<u32> {
        self.adopt_origin()?;
        let id = self.bodies.push_with(shape, traits)?;
        self.names.push(id as usize, name);
        Ok(id)
    }

    /// Adds bodies without names.
    fn extend(&mut self, bodies: impl IntoIterator<Item = (Shape, Traits)>) -> Result<()> {
        self.adopt_origin()?;
        self.bodies.extend_with(bodies)?;
        Ok(())
    }

    /// Gives the set the origin that the first position has determined. Bodies that are there already are half-spaces, which have no position.
    fn adopt_origin(&mut self) -> Result<()> {
        if self.bodies.origin() != self.precision.origin() {
            let before = std::mem::replace(&mut self.bodies, Bodies::with_origin(self.precision.origin())?);
            self.bodies.extend_with(before.iter().map(|body| (body.shape, body.traits)))?;
            for body in &before {
                let margin = before.margin(body.id)?;
                if margin > 0.0 {
                    self.bodies.set_margin(body.id, margin)?;
                }
            }
        }
        Ok(())
    }

    /// Moves the half-spaces that came before the first position, once all files are read.
    fn settle(&mut self) -> Result<()> {
        for (id, normal, offset, place) in self.precision.early() {
            let plane = Plane::new(normal, offset).map_err(|error| Failure::Usage(format!("{place}: {error}")))?;
            self.bodies.set_shape(id, plane)?;
        }
        Ok(())
    }

    fn note(&mut self, text: String) {
        self.notes.push(text);
    }

    /// The notes as they are printed, those on bounding boxes and hulls first.
    pub fn notes(&self) -> Vec<String> {
        let around = |count: usize, kind: &str, name: &str| {
            (count > 0).then(|| {
                let [some, all] = [count, self.bodies.len()].map(|n| numbers::grouped(n as u64));
                format!("{kind}: candidates ({some} of {all} bodies are {name} around what the file has)")
            })
        };
        let boxes = around(self.bounding_boxes, "bounding boxes", "boxes");
        let hulls = around(self.bounding_hulls, "convex hulls", "hulls");
        let origin = self.bodies.origin();
        let moved = (origin != DVec3::ZERO)
            .then(|| format!("all coordinates are relative to {:?},{:?},{:?}", origin.x, origin.y, origin.z));
        boxes.into_iter().chain(hulls).chain(moved).chain(self.notes.iter().cloned()).collect()
    }

    /// Prints the notes, and a warning if positions were rounded.
    pub fn tell(&self) {
        self.notes().into_iter().for_each(messages::note);
        if let Some(text) = self.precision.warning() {
            messages::warning(text);
        }
    }

    /// Puts into a summary what is known of the bodies.
    pub fn describe(&self, summary: &mut serde_json::Value) {
        summary["bounding_boxes"] = json!(self.bounding_boxes);
        summary["bounding_hulls"] = json!(self.bounding_hulls);
        summary["notes"] = json!(self.notes());
        summary["origin"] = json!(self.bodies.origin().to_array());
        summary["rounding"] = self.precision.json();
    }
}
