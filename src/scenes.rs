//! The named benchmark scenes, deterministic by seed: the same numbers in every language.

use glam::{Quat, Vec3};

use crate::shape::Obb;

/// The seed of the scenes whose answers are on record.
pub const SEED: u64 = 0x5EED;

/// `SplitMix64`: a step of the golden gamma, then the finaliser.
fn mix(z: u64) -> u64 {
    let z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The `lane`-th random number of body `i`, in [0, 1) with 24 bits.
fn unit(i: u64, lane: u64, seed: u64) -> f64 {
    (mix(mix(i * 16 + lane) ^ seed) >> 40) as f64 / f64::from(1 << 24)
}

/// The standard scene: `n` boxes of random size and orientation, uniform in a cube that gives each four units of volume.
///
/// ```
/// let bodies = tangency::scenes::uniform(10_000, tangency::scenes::SEED);
/// assert_eq!(tangency::scenes::input_hash(&bodies), 0x2a1f_c70a_1e1e_2315);
/// ```
pub fn uniform(n: usize, seed: u64) -> Vec<Obb> {
    let side = (4.0 * n as f64).cbrt();
    (0..n as u64)
        .map(|i| {
            let u = |lane| unit(i, lane, seed);
            let center = [0, 1, 2].map(|lane| (u(lane) * side) as f32);
            let half = [3, 4, 5].map(|lane| (0.25 + 0.5 * u(lane)) as f32);
            let (a, t, p) = (u(6), std::f64::consts::TAU * u(7), std::f64::consts::TAU * u(8));
            let (s, c) = ((1.0 - a).sqrt(), a.sqrt());
            let q = [s * t.sin(), s * t.cos(), c * p.sin(), c * p.cos()].map(|x| x as f32);
            Obb::new(Vec3::from(center), Vec3::from(half), Quat::from_array(q)).unwrap_or_default()
        })
        .collect()
}

/// FNV-1a over the bits of every box: centre, half extents, quaternion.
pub fn input_hash(bodies: &[Obb]) -> u64 {
    fnv1a(bytemuck::cast_slice(bodies))
}

/// FNV-1a, 64 bit.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
