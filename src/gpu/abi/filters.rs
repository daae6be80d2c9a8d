//! The constants of filters and searches in WGSL. Their formulas exist in Rust and in WGSL; the numbers come from Rust alone.

use crate::filter::{Slabs, bounds, constants, domain};

/// The error bounds in units of the roundoff, and the limits of the domain. The importing source must have the type `Real`.
pub(super) fn filters() -> String {
    let errors = [
        ("OBB_FACE_T", constants::FACE_T),
        ("OBB_FACE_S", constants::FACE_S),
        ("OBB_EDGE_T", constants::EDGE_T),
        ("OBB_EDGE_S", constants::EDGE_S),
        ("OBB_SINE", constants::OBB_SINE),
        ("AABB", constants::AABB),
        ("AABB_SINE", constants::AABB_SINE),
        ("LOCAL_T", constants::LOCAL_T),
        ("LOCAL_E", constants::LOCAL_E),
        ("SQUARES", constants::SQUARES),
        ("OBB_C", constants::OBB_C),
        ("OBB_D", constants::OBB_D),
        ("OBB_E", constants::OBB_E),
        ("AABB_C", constants::AABB_C),
        ("AABB_D", constants::AABB_D),
        ("BALL_C", constants::BALL_C),
        ("BALL_D", constants::BALL_D),
        ("BALL_R", constants::BALL_R),
        ("HULL_LEAST_SUM", constants::HULL_LEAST_SUM),
        ("NORMALS", constants::NORMALS),
    ];
    // Kernels compare the limits with the bits of numbers without their sign.
    let limits = [
        ("LARGEST_LENGTH", domain::LARGEST_LENGTH),
        ("LARGEST_TURN", domain::LARGEST_TURN),
        ("SMALLEST_TURN", domain::SMALLEST_TURN),
        ("LARGEST_COMPONENT", domain::LARGEST_COMPONENT),
        ("SMALLEST_COMPONENT", domain::SMALLEST_COMPONENT),
        ("LARGEST_OFFSET", domain::LARGEST_OFFSET),
    ];
    let errors = errors.map(|(name, value)| format!("const {name}: Real = {value:?};\n"));
    let limits = limits.map(|(name, value)| format!("const {name} = {:#010x}u;\n", value.to_bits()));
    errors.concat() + &limits.concat()
}

/// The constants of the bounds of bodies.
pub(super) fn bounds() -> String {
    let slack = [
        ("BOUNDS_REACH", bounds::REACH as f32),
        ("BOUNDS_POSITION", bounds::POSITION as f32),
        ("BOUNDS_TINY", bounds::TINY as f32),
        ("BOUNDS_LARGEST", bounds::LARGEST),
        ("FLT_MAX", f32::MAX),
    ];
    // The shortest decimal that parses to the same `f32`.
    slack.map(|(name, value)| format!("const {name} = {value:e}f;\n")).concat()
}

/// The constants of the tests of rays.
pub(super) fn rays() -> String {
    let numbers = [
        ("RAY_PAD", f32::PAD as f32),
        ("RAY_LEAST_RATE", f32::LEAST_RATE as f32),
        ("RAY_SLACK", constants::RAY_SLACK as f32),
        ("RAY_NODE_PAD", constants::RAY_NODE_PAD),
        ("RAY_NODE_RATE", constants::RAY_NODE_RATE),
        ("RAY_VAST", constants::RAY_VAST),
        ("RAY_LATEST", crate::cast::LATEST),
        // Later than all times.
        ("RAY_NEVER", f32::MAX),
        ("FLT_MAX", f32::MAX),
    ];
    numbers.map(|(name, value)| format!("const {name} = {value:e}f;\n")).concat()
}

/// The constants of the search for pairs with hulls.
pub(super) fn hulls() -> String {
    use crate::near::hull;
    let numbers = [
        ("HULL_LEAST_SQUARE", hull::LEAST_SQUARE),
        ("HULL_LEAST_STEP", hull::LEAST_STEP),
        ("HULL_OF_CORNERS", hull::OF_CORNERS),
        ("HULL_OF_WAY", hull::OF_WAY),
        ("HULL_LOW", hull::LOW),
        ("HULL_FINE", hull::FINE),
        ("HULL_OF_HEIGHT", hull::OF_HEIGHT),
        ("HULL_OF_VOLUME", hull::OF_VOLUME),
        ("HULL_FINE_VOLUME", hull::FINE_VOLUME),
        ("HULL_OF_REACH", hull::OF_REACH),
        ("HULL_OF_HEIGHT_OVER", hull::OF_HEIGHT_OVER),
        ("HULL_CLOSE", hull::CLOSE),
        ("HULL_FLAT", hull::FLAT),
        ("HULL_LEAST_COSINE", hull::LEAST_COSINE),
        ("HULL_SLACK", hull::SLACK),
        ("HULL_PARALLEL", hull::PARALLEL),
        ("POLY_THIN", hull::THIN),
        ("POLY_PRECISION", hull::PRECISION),
        ("POLY_ABOVE", hull::ABOVE),
        ("POLY_BEYOND", hull::BEYOND),
    ];
    let whole = [
        ("HULL_ROUNDS", hull::ROUNDS),
        ("HULL_REACH", crate::near::REACH as usize),
        ("FACE_CORNERS", hull::MOST_CORNERS),
        ("POLY_POINTS", hull::POINTS),
        ("POLY_FACES", hull::FACES),
        ("POLY_EDGES", hull::EDGES),
        // (So that a number that holds others is not taken for one that is nearly 0.)
        ("POLY_IS_NUMBER", 1.0_f32.to_bits() as usize),
    ];
    let whole = whole.map(|(name, value)| format!("const {name} = {value}u;\n")).concat();
    whole + &numbers.map(|(name, value)| format!("const {name} = {};\n", hexadecimal(value))).concat()
}

/// The constants of when rays enter hulls.
pub(super) fn hull_rays() -> String {
    use crate::cast::hull;
    let numbers = [
        ("HULL_GROWN", hull::GROWN),
        ("HULL_ROUGH", hull::ROUGH),
        ("HULL_ROUGH_END", hull::ROUGH_END),
        ("HULL_LEAST_RATE", hull::LEAST_RATE),
        ("HULL_BESIDE", hull::BESIDE),
        ("HULL_FAST", hull::FAST),
        ("HULL_ROUNDED", hull::ROUNDED),
    ];
    numbers.map(|(name, value)| format!("const {name} = {};\n", hexadecimal(value))).concat()
}

/// A positive number as it is.
fn hexadecimal(x: f32) -> String {
    let (exponent, mantissa) = ((x.to_bits() >> 23).cast_signed() - 127, x.to_bits() & 0x7f_ffff);
    format!("0x1.{:06x}p{exponent:+}f", mantissa << 1)
}
