//! Half-spaces, and shapes that touch their planes up to a unit in the last place.

use super::dice::{Dice, Style, finite, form, rotation, sign_zeros, step};
use super::form::{Form, Kind};
use super::pairs::Aim;

/// One to three planes (normal, offset), and `count` shapes, each near one of the planes.
pub fn batch(dice: &mut Dice, count: usize) -> (Vec<[f32; 4]>, Vec<Form>) {
    let style = Style::new(dice);
    let planes: Vec<[f32; 4]> = (0..dice.between(1, 3)).map(|_| plane(style, dice)).collect();
    let forms = (0..count).map(|_| touching(&planes[dice.below(planes.len())], style, dice)).collect();
    (planes, forms)
}

fn plane(style: Style, dice: &mut Dice) -> [f32; 4] {
    let normal = match dice.below(4) {
        0 => [0; 3].map(|_| f64::from(dice.between(-1, 1))),
        1 => [0; 3].map(|_| f64::from(dice.between(-4, 4))),
        _ => [0; 3].map(|_| dice.signed()),
    };
    // A normal of any length for which the offset is representable.
    let length = 2_f64.powi(if dice.one_in(2) { 0 } else { dice.between(-60, 60) });
    let normal = normal.map(|x| finite(x * length));
    let normal = if normal == [0.0; 3] { [0.0, -1.0, 0.0] } else { normal };
    let point = [0; 3].map(|_| style.coordinate(dice));
    let offset = (0..3).map(|k| f64::from(normal[k]) * point[k]).sum();
    [normal[0], normal[1], normal[2], finite(offset)]
}

/// A shape whose support point along the normal, or against it, lies on the plane as nearly as possible.
fn touching(plane: &[f32; 4], style: Style, dice: &mut Dice) -> Form {
    let kind = dice.pick(&Kind::ALL);
    let (half, turn) = ([0; 3].map(|_| style.length(dice)), rotation(dice));
    let n = [0, 1, 2].map(|k| f64::from(plane[k]));
    let squared: f64 = n.iter().map(|x| x * x).sum();
    let unit = n.map(|x| x / squared.sqrt());
    let side = if dice.one_in(2) { 1.0 } else { -1.0 };
    let (aim, normal) = (Aim::new(&form(kind, [0.0; 3], half, turn)), unit.map(|x| x * side));
    let support = aim.point(&aim.weights(&normal, dice), &normal);
    // Any position, then moved along the normal until the support point is on the plane.
    let place = [0; 3].map(|_| style.coordinate(dice));
    let height: f64 = (0..3).map(|k| n[k] * (place[k] + support[k])).sum::<f64>() - f64::from(plane[3]);
    let at = [0, 1, 2].map(|k| place[k] - n[k] * (height / squared));
    let mut made = form(kind, at, half, turn);
    let k = dice.below(made.lengths().len());
    let before = made;
    made.v[k] = step(made.v[k], dice.between(-1, 1));
    if !made.is_shape() {
        made = before;
    }
    sign_zeros(&mut made, dice);
    made
}
