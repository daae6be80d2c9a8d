//! The local forms of hulls in an archive.

use tangency::glam::Vec3;
use tangency::shape::{Pose, Shape};

use super::array::Array;
use super::zip::Member;
use crate::files::forms::Forms;

/// The rows of this array are the corners of local forms.
const CORNERS: &str = "hull_corners";
/// The number of the form of each corner.
const NUMBERS: &str = "hull_forms";

/// The bytes of the array with this name, if there is one.
fn content(members: &[Member<'_>], name: &str) -> Result<Option<Vec<u8>>, String> {
    let Some(member) = members.iter().find(|member| member.name == format!("{name}.npy")) else { return Ok(None) };
    let bytes = member.content().map_err(|(byte, reason)| format!("{name}: byte {byte} of the file: {reason}"))?;
    Ok(Some(bytes))
}

/// All local forms of an archive.
pub fn forms(members: &[Member<'_>]) -> Result<Forms, String> {
    let mut forms = Forms::default();
    let (corners, numbers) = match (content(members, CORNERS)?, content(members, NUMBERS)?) {
        (None, None) => return Ok(forms),
        (Some(corners), Some(numbers)) => (corners, numbers),
        (Some(_), None) => {
            return Err(format!("{CORNERS} are there without {NUMBERS}, the number of the form of each"));
        }
        (None, Some(_)) => return Err(format!("{NUMBERS} are there without {CORNERS}")),
    };
    let at_byte = |name: &str, (byte, reason)| format!("{name}: byte {byte} of the array: {reason}");
    let corners = Array::parse(&corners).map_err(|error| at_byte(CORNERS, error))?;
    let numbers = Array::parse(&numbers).map_err(|error| at_byte(NUMBERS, error))?;
    let numbers = numbers.whole_numbers().map_err(|reason| format!("{NUMBERS}: {reason}"))?;
    let reals = corners.reals().map_err(|reason| format!("{CORNERS}: {reason}"))?;
    let &[rows, 3] = &corners.shape[..] else {
        return Err(format!("{CORNERS}: the shape is {:?}; it must be (corners, 3)", corners.shape));
    };
    if rows != numbers.len() {
        return Err(format!("{CORNERS} are {rows}, and {NUMBERS} are {}; there must be one for each", numbers.len()));
    }
    for (row, number) in numbers.into_iter().enumerate() {
        let corner = Vec3::from_array([0, 1, 2].map(|column| reals.at(row, column) as f32));
        forms.add(number, corner).map_err(|reason| format!("{CORNERS}[{row}]: {reason}"))?;
    }
    Ok(forms)
}

/// The hull with the form of this number, which is given as a real one, in a pose.
pub fn hull(number: f64, pose: tangency::Result<Pose>, forms: &mut Forms) -> Result<Shape, String> {
    let pose = pose.map_err(|error| error.to_string())?;
    let whole = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
    if !whole {
        return Err(format!("the number of the form is {number}; it must be a whole number from 0 to {}", u32::MAX));
    }
    Ok(forms.hull(number as u32, pose)?.into())
}
