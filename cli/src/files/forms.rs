//! The local forms of hulls while a file is read: corners by number, and the hulls that they become.

use std::collections::HashMap;

use tangency::glam::Vec3;
use tangency::shape::{ConvexHull, Pose};
use tangency::{Bodies, Error};

/// The forms of one file, by their numbers.
#[derive(Default)]
pub struct Forms {
    forms: HashMap<u32, Form>,
}

enum Form {
    /// More corners may come.
    Open(Vec<Vec3>),
    /// A body has it, so that it may not change any more.
    Built(ConvexHull),
}

impl Forms {
    /// Adds a corner to the form of this number.
    pub fn add(&mut self, number: u32, corner: Vec3) -> Result<(), String> {
        // One point is a hull too, which the library refuses for the same reason as a hull with such a corner.
        ConvexHull::from_points([corner]).map_err(|error| error.to_string())?;
        match self.forms.entry(number).or_insert_with(|| Form::Open(Vec::new())) {
            Form::Open(corners) => {
                corners.push(corner);
                Ok(())
            }
            Form::Built(_) => {
                Err(format!("a body before this has form {number}; all corners of a form come before that"))
            }
        }
    }

    /// The hull of the form of this number, in a pose.
    pub fn hull(&mut self, number: u32, pose: Pose) -> Result<ConvexHull, String> {
        let Some(form) = self.forms.get_mut(&number) else {
            return Err(format!("form {number} has no corners; they come before the bodies with it"));
        };
        Ok(match form {
            Form::Built(hull) => hull.with_pose(pose),
            Form::Open(corners) => {
                let hull = hull_of_body(std::mem::take(corners)).map_err(|error| format!("form {number}: {error}"))?;
                let placed = hull.with_pose(pose);
                *form = Form::Built(hull);
                placed
            }
        })
    }
}

/// The hull of these corners, if a body can have it. That is asked where the line of the file is known, not where bodies are
/// added.
pub fn hull_of_body(corners: Vec<Vec3>) -> tangency::Result<ConvexHull> {
    let hull = ConvexHull::from_points(corners)?;
    match Bodies::new().push(hull.clone()) {
        Ok(_) => Ok(hull),
        Err(Error::InvalidBody { reason, .. }) => Err(*reason),
        Err(other) => Err(other),
    }
}
