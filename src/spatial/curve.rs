//! The order of bodies along a Hilbert curve.

use glam::{DVec3, Vec3};

use crate::shape::Aabb;

/// The most bits of the key per coordinate.
const MOST_BITS: u32 = 16;

/// A cube of the space that most bodies lie in, cut into cells; what lies outside is counted to its border.
pub(crate) struct Grid {
    origin: DVec3,
    scale: f64,
    /// Bits of the key per coordinate.
    bits: u32,
    /// The axes that count: two where the bodies lie in a plane.
    axes: Vec<usize>,
    curve: Hilbert,
}

/// Bodies looked at to find out where most of them are.
const SAMPLE: usize = 2048;

/// A set with fewer layers than this is flat.
const LAYERS: f64 = 4.0;

/// Where most of some bodies are: a cube from the 1st to the 99th hundredth of a sample, and a little more on either side. One
/// body a million diameters away must not take the resolution from all others.
pub(crate) struct Region {
    pub origin: DVec3,
    pub side: f64,
    /// From the lowest to the highest middle, along each axis.
    extent: DVec3,
}

impl Region {
    /// Of `n` bodies with these bounds.
    pub(crate) fn new(n: usize, bounds: impl Fn(usize) -> Aabb) -> Self {
        let sample: Vec<DVec3> = (0..n).step_by((n / SAMPLE).max(1)).map(|i| middle(&bounds(i))).collect();
        let range = |axis: usize| {
            let mut sample: Vec<f64> = sample.iter().map(|middle| middle[axis]).collect();
            sample.sort_unstable_by(f64::total_cmp);
            let cut = sample.len() / 100;
            match sample[..] {
                [] => (0.0, 0.0),
                _ => (sample[cut], sample[sample.len() - 1 - cut]),
            }
        };
        let ranges = [range(0), range(1), range(2)];
        let origin = DVec3::from(ranges.map(|(low, high)| low - (high - low) / 16.0));
        // A cube, not a box: cells that are longer one way make clusters that are longer that way.
        let side = ranges.iter().fold(0.0_f64, |side, (low, high)| side.max(high - low)) * 1.125;
        Self { origin, side, extent: DVec3::from(ranges.map(|(low, high)| high - low)) }
    }

    /// The axis along which `n` bodies lie in few layers: there a curve in the plane across it serves better than one in space.
    pub(crate) fn thin(&self, n: usize) -> Option<usize> {
        let axis = (0..3).min_by(|a, b| self.extent[*a].total_cmp(&self.extent[*b]))?;
        let area = self.extent[(axis + 1) % 3] * self.extent[(axis + 2) % 3];
        let distance = (area / n.max(1) as f64).sqrt();
        (self.extent[axis] < LAYERS * distance).then_some(axis)
    }
}

impl Grid {
    /// The grid for `n` bodies with these bounds. A key leaves `reserved` bits of a `u64` free.
    pub(crate) fn new(n: usize, bounds: impl Fn(usize) -> Aabb, reserved: u32) -> Self {
        let region = Region::new(n, bounds);
        let thin = region.thin(n);
        let axes: Vec<usize> = (0..3).filter(|axis| thin != Some(*axis)).collect();
        let Region { origin, side, .. } = region;
        // Cells a 32nd as long as the mean distance: fine enough for clusters that are 32,000 times as dense.
        let dimensions = axes.len() as u32;
        let bits = (usize::BITS - n.leading_zeros()).div_ceil(dimensions) + 5;
        let bits = bits.min(MOST_BITS).min((64 - reserved) / dimensions);
        let scale = if side > 0.0 { f64::from(1_u32 << bits) / side } else { 0.0 };
        Self { origin, scale, bits, axes, curve: Hilbert::new() }
    }

    /// How many bits a key has.
    pub(crate) fn key_bits(&self) -> u32 {
        self.axes.len() as u32 * self.bits
    }

    /// The position of a box along the curve.
    pub(crate) fn key(&self, bounds: &Aabb) -> u64 {
        let cell = (middle(bounds) - self.origin) * self.scale;
        let cell = cell.clamp(DVec3::ZERO, DVec3::splat(f64::from((1_u32 << self.bits) - 1)));
        match self.axes[..] {
            [x, y] => key_in_plane(cell[x] as u32, cell[y] as u32, self.bits),
            _ => self.curve.key([cell.x as u32, cell.y as u32, cell.z as u32], self.bits),
        }
    }
}

fn middle(bounds: &Aabb) -> DVec3 {
    let sum = |a: Vec3, b: Vec3| a.as_dvec3() + b.as_dvec3();
    sum(bounds.min(), bounds.max()) * 0.5
}

/// The curve as a machine: in each state, which of the eight parts of a cube comes when, and the state in which that part
/// is run through in turn. An entry is the next state, shifted by 3, and the rank of the part.
struct Hilbert {
    table: Vec<u16>,
}

/// How the axes of a cube are seen from the curve: exchanged, inverted, and whether ranks are complemented.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Pose {
    axes: [u8; 3],
    inverted: [bool; 3],
    complemented: bool,
}

impl Pose {
    /// One level of Skilling's transform ("Programming the Hilbert curve", 2004): the rank of a part, and the pose within it.
    fn enter(mut self, part: u16) -> (u16, Self) {
        let bits = [0, 1, 2].map(|i| (part >> (2 - self.axes[i]) & 1 == 1) != self.inverted[i]);
        for (i, bit) in bits.into_iter().enumerate() {
            if bit {
                self.inverted[0] = !self.inverted[0];
            } else {
                self.axes.swap(0, i);
                self.inverted.swap(0, i);
            }
        }
        // The ranks of the parts follow a Gray code.
        let gray = [bits[0], bits[0] ^ bits[1], bits[0] ^ bits[1] ^ bits[2]];
        let rank = gray.iter().fold(0, |rank, bit| rank << 1 | u16::from(*bit != self.complemented));
        self.complemented ^= gray[2];
        (rank, self)
    }
}

impl Hilbert {
    fn new() -> Self {
        let mut poses = vec![Pose { axes: [0, 1, 2], inverted: [false; 3], complemented: false }];
        let mut table = Vec::new();
        let mut next = 0;
        while next < poses.len() {
            for part in 0..8 {
                let (rank, pose) = poses[next].enter(part);
                let known = poses.iter().position(|other| *other == pose).unwrap_or_else(|| {
                    poses.push(pose);
                    poses.len() - 1
                });
                table.push((known as u16) << 3 | rank);
            }
            next += 1;
        }
        Self { table }
    }

    /// The place on the curve of a cell of a grid of 2^bits to a side.
    #[inline]
    fn key(&self, [x, y, z]: [u32; 3], bits: u32) -> u64 {
        let parts = spread(x) << 2 | spread(y) << 1 | spread(z);
        let (mut key, mut state) = (0, 0);
        for level in (0..bits).rev() {
            let entry = self.table[state << 3 | (parts >> (3 * level) & 7) as usize];
            key = key << 3 | u64::from(entry & 7);
            state = usize::from(entry >> 3);
        }
        key
    }
}

/// The place on the curve in a plane, of a cell of a grid of 2^bits to a side.
fn key_in_plane(mut x: u32, mut y: u32, bits: u32) -> u64 {
    let mut key = 0;
    for level in (0..bits).rev() {
        let (right, upper) = (x >> level & 1, y >> level & 1);
        key = key << 2 | u64::from((3 * right) ^ upper);
        // Quarters are run through turned: in the lower ones the axes are exchanged, in the right one also inverted.
        if upper == 0 {
            if right == 1 {
                (x, y) = (!x, !y);
            }
            (x, y) = (y, x);
        }
    }
    key
}

/// The bits of `x`, two places apart.
fn spread(x: u32) -> u64 {
    let mut x = u64::from(x) & 0x1f_ffff;
    x = (x | x << 32) & 0x1f_0000_0000_ffff;
    x = (x | x << 16) & 0x1f_0000_ff00_00ff;
    x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
    x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
    (x | x << 2) & 0x1249_2492_4924_9249
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_on_the_curve_are_neighbours_in_space() {
        // Four bits visit every cell of a 16³ grid once, each next to the one before.
        let curve = Hilbert::new();
        let mut cells: Vec<(u64, [i32; 3])> = (0..4096_u32)
            .map(|k| {
                let cell = [k & 15, k >> 4 & 15, k >> 8];
                (curve.key(cell, 4), cell.map(|x| x as i32))
            })
            .collect();
        cells.sort_unstable();
        for (rank, pair) in cells.windows(2).enumerate() {
            let distance: i32 = (0..3).map(|k| (pair[0].1[k] - pair[1].1[k]).abs()).sum();
            assert_eq!((pair[0].0, distance), (rank as u64, 1));
        }
    }

    #[test]
    fn so_they_are_in_a_plane() {
        let mut cells: Vec<(u64, u32, u32)> =
            (0..1024_u32).map(|k| (key_in_plane(k & 31, k >> 5, 5), k & 31, k >> 5)).collect();
        cells.sort_unstable();
        for (rank, pair) in cells.windows(2).enumerate() {
            let distance = pair[0].1.abs_diff(pair[1].1) + pair[0].2.abs_diff(pair[1].2);
            assert_eq!((pair[0].0, distance), (rank as u64, 1));
        }
    }

    #[test]
    fn a_flat_scene_is_ordered_in_its_plane() {
        let box_at = |height: f32, i: usize| {
            let at = Vec3::new((i % 50) as f32, height * (i % 7) as f32, (i / 50) as f32);
            Aabb::new(at, at + Vec3::ONE).expect("a box")
        };
        assert_eq!(Grid::new(2500, |i| box_at(0.1, i), 0).axes, [0, 2]);
        assert_eq!(Grid::new(2500, |i| box_at(9.0, i), 0).axes, [0, 1, 2]);
    }
}
