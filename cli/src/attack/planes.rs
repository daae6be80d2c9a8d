//! Half-spaces, and shapes that touch their planes up to a unit in the last place.

use super::dice::{Dice, Style, axis, finite, form, half_space, rotation, sign_zeros, step};
use super::form::{Form, Kind};
use super::pairs::Aim;

/// One to three planes (normal, offset), and `count` shapes, each near one of the planes.
pub fn batch(dice: &mut Dice, count: usize) -> (Vec<[f32; 4]>, Vec<Form>) {
    let style = Style::new(dice);
    let planes: Vec<[f32; 4]> = (0..dice.between(1, 3)).map(|_| plane(style, dice)).collect();
    let forms = (0..count).map(|_| touching(&planes[dice.below(planes.len())], style, dice)).collect();
    (planes, forms)
}

/// Normals whose lengths are whole numbers, so that balls can touch them exactly.
const WHOLE: [[f64; 3]; 4] = [[0.0, 1.0, 0.0], [3.0, 4.0, 0.0], [1.0, 2.0, 2.0], [2.0, 3.0, 6.0]];

/// A normal of any direction and any length that is not extreme.
fn normal(dice: &mut Dice) -> [f32; 3] {
    let normal = match dice.below(5) {
        0 => [0; 3].map(|_| f64::from(dice.between(-1, 1))),
        1 => [0; 3].map(|_| f64::from(dice.between(-4, 4))),
        2 => {
            let mut whole = dice.pick(&WHOLE).map(|x| x * dice.pick(&[-1.0, 1.0]));
            dice.shuffle(&mut whole);
            whole
        }
        _ => [0; 3].map(|_| dice.signed()),
    };
    // A normal of any length for which the offset is representable.
    let length = 2_f64.powi(if dice.one_in(2) { 0 } else { dice.between(-60, 60) });
    let normal = normal.map(|x| finite(x * length));
    if normal == [0.0; 3] { [0.0, -1.0, 0.0] } else { normal }
}

fn plane(style: Style, dice: &mut Dice) -> [f32; 4] {
    half_space(normal(dice), [0; 3].map(|_| style.coordinate(dice))).plane()
}

/// A length and a unit vector.
fn unit(normal: [f32; 3]) -> (f64, [f64; 3]) {
    let n = normal.map(f64::from);
    let length = n.iter().map(|x| x * x).sum::<f64>().sqrt();
    (length, n.map(|x| x / length))
}

/// A shape whose support point along the normal, or against it, lies on the plane as nearly as possible.
fn touching(plane: &[f32; 4], style: Style, dice: &mut Dice) -> Form {
    let kind = dice.pick(&Kind::ALL);
    let mut made = if kind == Kind::Plane { parallel(plane, dice) } else { supported(kind, plane, style, dice) };
    let k = dice.below(made.lengths().len());
    let before = made;
    made.v[k] = step(made.v[k], dice.between(-1, 1));
    if !made.is_shape() {
        made = before;
    }
    sign_zeros(&mut made, dice);
    made
}

fn supported(kind: Kind, plane: &[f32; 4], style: Style, dice: &mut Dice) -> Form {
    let (half, turn) = ([0; 3].map(|_| style.length(dice)), rotation(dice));
    let (length, unit) = unit([plane[0], plane[1], plane[2]]);
    let side = if dice.one_in(2) { 1.0 } else { -1.0 };
    let (aim, normal) = (Aim::new(&form(kind, [0.0; 3], half, turn)), unit.map(|x| x * side));
    let support = aim.point(&aim.weights(&normal, dice), &normal);
    // Any position, then moved along the normal until the support point is on the plane.
    let place = [0; 3].map(|_| style.coordinate(dice));
    let height = (0..3).map(|k| f64::from(plane[k]) * (place[k] + support[k])).sum::<f64>() - f64::from(plane[3]);
    form(kind, [0, 1, 2].map(|k| place[k] - unit[k] * (height / length)), half, turn)
}

/// A half-space with the same border as another, mostly on its other side. With a factor that is no power of two, it is only nearly the same.
fn parallel(plane: &[f32; 4], dice: &mut Dice) -> Form {
    let factor = dice.pick(&[-1.0, -1.0, -2.0, -0.5, -1024.0, -3.0, -0.1, 1.0, 3.0]);
    let made = Form::new(Kind::Plane, &plane.map(|x| finite(f64::from(x) * factor)));
    if made.is_shape() { made } else { Form::new(Kind::Plane, plane) }
}

/// A half-space whose border touches this shape, as nearly as possible: its normal is any, or one of the shape's axes. At times the border goes
/// through the shape, or beyond it.
pub fn at(shape: &Form, turn: [f32; 4], dice: &mut Dice) -> Form {
    if shape.kind == Kind::Plane {
        let mut made = parallel(&shape.plane(), dice);
        if dice.one_in(2) {
            made.v[3] = step(made.v[3], dice.between(-2, 2));
        }
        return made;
    }
    let normal = if dice.one_in(4) { axis(turn) } else { normal(dice) };
    let (_, unit) = unit(normal);
    let (aim, against) = (Aim::new(shape), unit.map(|x| -x));
    let support = aim.point(&aim.weights(&against, dice), &against);
    let depth = match dice.below(16) {
        // On the other side, or anywhere near.
        0 => -1.0,
        1 => dice.signed(),
        2 => 2.0 * dice.unit(),
        _ => 1.0,
    };
    half_space(normal, [0, 1, 2].map(|k| aim.center[k] + depth * support[k]))
}
