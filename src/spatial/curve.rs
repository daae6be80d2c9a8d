//! The order of bodies along a Hilbert curve.

use glam::{DVec3, Vec3};

use crate::shape::Aabb;

/// The most bits per coordinate of a key.
const MOST_BITS: u32 = 16;

/// A grid of cells over the cube in which most bodies lie. Bodies outside are assigned to the cells at its border.
pub(crate) struct Grid {
    origin: DVec3,
    scale: f64,
    /// Bits per coordinate of a key.
    bits: u32,
    /// The axes of the grid: two of them if the set is flat.
    axes: Vec<usize>,
    curve: Hilbert,
}

/// The size of the sample from which the region of most bodies is estimated.
const SAMPLE: usize = 2048;

/// A set is flat if it has fewer layers of bodies than this along one axis.
const LAYERS: f64 = 4.0;

/// The region in which most bodies of a set lie: a cube around the middles of a sample from the 1st to the 99th percentile, and a
/// little more on either side. So one body a million diameters away does not coarsen the grid for all others.
pub(crate) struct Region {
    pub origin: DVec3,
    pub side: f64,
    /// The extent of these middles along each axis.
    extent: DVec3,
}

/// The bodies of a sample of `n`.
pub(crate) fn sample(n: usize) -> impl Iterator<Item = usize> {
    (0..n).step_by((n / SAMPLE).max(1))
}

impl Region {
    /// The region of the bodies of a sample, which have these middles.
    pub(crate) fn new(middles: &[DVec3]) -> Self {
        let range = |axis: usize| {
            let mut along: Vec<f64> = middles.iter().map(|middle| middle[axis]).collect();
            let cut = along.len() / 100;
            let mut at = |place: usize| match along[..] {
                [] => 0.0,
                _ => *along.select_nth_unstable_by(place, f64::total_cmp).1,
            };
            (at(cut), at(middles.len().saturating_sub(1 + cut)))
        };
        let ranges = [range(0), range(1), range(2)];
        let origin = DVec3::from(ranges.map(|(low, high)| low - (high - low) / 16.0));
        // A cube, because oblong cells would make oblong clusters.
        let side = ranges.iter().fold(0.0_f64, |side, (low, high)| side.max(high - low)) * 1.125;
        Self { origin, side, extent: DVec3::from(ranges.map(|(low, high)| high - low)) }
    }

    /// The axis along which `n` bodies lie in few layers, so that a curve in the plane across it serves better than one in space.
    pub(crate) fn thin(&self, n: usize) -> Option<usize> {
        let axis = (0..3).min_by(|a, b| self.extent[*a].total_cmp(&self.extent[*b]))?;
        let area = self.extent[(axis + 1) % 3] * self.extent[(axis + 2) % 3];
        let distance = (area / n.max(1) as f64).sqrt();
        (self.extent[axis] < LAYERS * distance).then_some(axis)
    }
}

impl Grid {
    /// The grid for `n` bodies with these bounds. Keys leave `reserved` bits of a `u64` free.
    pub(crate) fn new(n: usize, bounds: impl Fn(usize) -> Aabb, reserved: u32) -> Self {
        let middles: Vec<DVec3> = sample(n).map(|i| middle(&bounds(i))).collect();
        let region = Region::new(&middles);
        let thin = region.thin(n);
        let axes: Vec<usize> = (0..3).filter(|axis| thin != Some(*axis)).collect();
        let Region { origin, side, .. } = region;
        // Cells are a 32nd as long as the mean distance of bodies: fine enough for clusters that are 32,000 times as dense.
        let dimensions = axes.len() as u32;
        let bits = (usize::BITS - n.leading_zeros()).div_ceil(dimensions) + 5;
        let bits = bits.min(MOST_BITS).min((64 - reserved) / dimensions);
        let scale = if side > 0.0 { f64::from(1_u32 << bits) / side } else { 0.0 };
        Self { origin, scale, bits, axes, curve: Hilbert::new() }
    }

    /// The bits of a key.
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

/// The Hilbert curve as a state machine: for each state and octant of a cube, the rank of the octant along the curve and the
/// state in which the curve traverses it. An entry is the next state, shifted by 3, and the rank.
struct Hilbert {
    table: Vec<u16>,
}

/// The orientation of the curve in a cube: how axes are exchanged and inverted, and whether ranks are complemented.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Pose {
    axes: [u8; 3],
    inverted: [bool; 3],
    complemented: bool,
}

impl Pose {
    /// One level of Skilling's transform ("Programming the Hilbert curve", 2004): the rank of an octant, and the orientation
    /// within it.
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
        // The ranks of the octants follow a Gray code.
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

    /// The position along the curve of a cell in a grid of 2^bits cells to a side.
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

/// The position along the curve in the plane, of a cell in a grid of 2^bits cells to a side.
fn key_in_plane(mut x: u32, mut y: u32, bits: u32) -> u64 {
    let mut key = 0;
    for level in (0..bits).rev() {
        let (right, upper) = (x >> level & 1, y >> level & 1);
        key = key << 2 | u64::from((3 * right) ^ upper);
        // The curve traverses the quarters in different orientations: in the lower ones the axes are exchanged, in the right one
        // also inverted.
        if upper == 0 {
            if right == 1 {
                (x, y) = (!x, !y);
            }
            (x, y) = (y, x);
        }
    }
    key
}

/// The bits of `x`, with two zero bits between neighbours.
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
        // With four bits, the curve visits every cell of a 16³ grid once, each one next to the one before.
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
