//! The order of bodies along a Hilbert curve.

use glam::{DVec3, Vec3};

/// The most bits per coordinate of a key.
const MOST_BITS: u32 = 16;

/// A grid of cells over the cube in which most bodies lie. Bodies outside are assigned to the cells at its border.
pub(crate) struct Grid {
    origin: [f32; 3],
    /// Cells per unit of length.
    scale: f32,
    /// Bits per coordinate of a key.
    bits: u32,
    /// The axis along which the set is flat, if it is: it has no part in the keys.
    thin: Option<usize>,
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
    /// The grid for `n` bodies with about these middles. Keys leave `reserved` bits of a `u64` free.
    pub(crate) fn new(n: usize, middle: impl Fn(usize) -> [f32; 3], reserved: u32) -> Self {
        let middles: Vec<DVec3> = sample(n).map(|i| Vec3::from(middle(i)).as_dvec3()).collect();
        let region = Region::new(&middles);
        let thin = region.thin(n);
        let Region { origin, side, .. } = region;
        // Cells are a 32nd as long as the mean distance of bodies: fine enough for clusters that are 32,000 times as dense.
        let dimensions = if thin.is_some() { 2 } else { 3 };
        let bits = (usize::BITS - n.leading_zeros()).div_ceil(dimensions) + 5;
        let bits = bits.min(MOST_BITS).min((64 - reserved) / dimensions);
        let scale = if side > 0.0 { f64::from(1_u32 << bits) / side } else { 0.0 };
        Self { origin: origin.as_vec3().to_array(), scale: scale as f32, bits, thin }
    }

    /// The bits of a key.
    pub(crate) fn key_bits(&self) -> u32 {
        if self.thin.is_some() { 2 * self.bits } else { 3 * self.bits }
    }

    /// The positions along the curve of boxes with these middles, given coordinate by coordinate. Floats steer only, so that rounding
    /// does not matter.
    #[inline(always)]
    pub(crate) fn keys<const N: usize>(&self, middles: &[[f32; N]; 3]) -> [u64; N] {
        let mut cells = [[0; N]; 3];
        let largest = ((1_u32 << self.bits) - 1) as f32;
        for axis in 0..3 {
            for k in 0..N {
                let cell = (middles[axis][k] - self.origin[axis]) * self.scale;
                // (NaN, of a difference that overflows times 0, is cell 0.)
                let cell = if cell > 0.0 { cell } else { 0.0 };
                cells[axis][k] = if cell < largest { cell } else { largest } as u32;
            }
        }
        let mut keys = [0; N];
        let [x, y, z] = cells;
        match self.thin {
            None => along_curve([x, y, z], self.bits, &mut keys),
            Some(0) => along_curve([y, z], self.bits, &mut keys),
            Some(1) => along_curve([x, z], self.bits, &mut keys),
            Some(_) => along_curve([x, y], self.bits, &mut keys),
        }
        keys
    }
}

/// The positions along a Hilbert curve of cells in a grid of 2^bits cells to a side, in as many dimensions as they have coordinates: by
/// the transform of Skilling ("Programming the Hilbert curve", 2004), in steps that compilers do for many cells at a time.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "two rows of the array at a time")]
fn along_curve<const D: usize, const N: usize>(mut cells: [[u32; N]; D], bits: u32, keys: &mut [u64; N]) {
    for level in (1..bits).rev() {
        let (bit, below) = (1_u32 << level, (1_u32 << level) - 1);
        for axis in 0..D {
            for k in 0..N {
                // A half of the cube in which this bit is set has the first axis inverted, another one exchanged with this axis.
                let (first, own) = (cells[0][k], cells[axis][k]);
                let exchanged = (first ^ own) & below;
                let set = own & bit != 0;
                cells[0][k] = first ^ if set { below } else { exchanged };
                if axis > 0 {
                    cells[axis][k] = own ^ if set { 0 } else { exchanged };
                }
            }
        }
    }
    for k in 0..N {
        // The ranks of the parts of a cube follow a Gray code.
        for axis in 1..D {
            cells[axis][k] ^= cells[axis - 1][k];
        }
        // Each bit: the parity of the higher ones.
        let mut parity = cells[D - 1][k] >> 1;
        parity ^= parity >> 1;
        parity ^= parity >> 2;
        parity ^= parity >> 4;
        parity ^= parity >> 8;
        let mut key = 0;
        for (axis, cells) in cells.iter().enumerate() {
            let part = cells[k] ^ parity;
            key |= if D == 3 { spread_by_two(part) } else { spread_by_one(part) } << (D - 1 - axis);
        }
        keys[k] = key;
    }
}

/// The 16 lowest bits of `x`, with two zero bits between neighbours.
#[inline(always)]
fn spread_by_two(x: u32) -> u64 {
    let mut x = u64::from(x) & 0xffff;
    x = (x | x << 16) & 0xff00_00ff;
    x = (x | x << 8) & 0xf00f_00f0_0f00_f00f;
    x = (x | x << 4) & 0x30c3_0c30_c30c_30c3;
    (x | x << 2) & 0x9249_2492_4924_9249
}

/// The 16 lowest bits of `x`, with a zero bit between neighbours.
#[inline(always)]
fn spread_by_one(x: u32) -> u64 {
    let mut x = u64::from(x) & 0xffff;
    x = (x | x << 8) & 0x00ff_00ff;
    x = (x | x << 4) & 0x0f0f_0f0f;
    x = (x | x << 2) & 0x3333_3333;
    (x | x << 1) & 0x5555_5555
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The curve visits every cell of a grid once, each one next to the one before.
    fn check<const D: usize, const N: usize>(bits: u32) {
        let side = 1_u32 << bits;
        let cells: [[u32; N]; D] =
            std::array::from_fn(|axis| std::array::from_fn(|k| k as u32 / side.pow(axis as u32) % side));
        let mut keys = [0; N];
        along_curve(cells, bits, &mut keys);
        let mut visits: Vec<(u64, usize)> = keys.into_iter().zip(0..).collect();
        visits.sort_unstable();
        for (rank, pair) in visits.windows(2).enumerate() {
            let distance: u32 = cells.iter().map(|axis| axis[pair[0].1].abs_diff(axis[pair[1].1])).sum();
            assert_eq!((pair[0].0, distance), (rank as u64, 1));
        }
    }

    #[test]
    fn neighbours_on_the_curve_are_neighbours_in_space() {
        check::<3, 8>(1);
        check::<3, 512>(3);
        check::<3, 4096>(4);
        check::<2, 1024>(5);
        check::<2, 4096>(6);
    }

    #[test]
    fn all_bits_of_a_key_are_used() {
        // The last cell of the curve is at the end of the first axis, at the beginning of the others.
        for bits in 1..=MOST_BITS {
            let (mut keys, end) = ([0; 2], (1 << bits) - 1);
            along_curve([[end, 0], [0, 0], [0, 0]], bits, &mut keys);
            assert_eq!(keys, [(1 << (3 * bits)) - 1, 0]);
            along_curve([[end, 0], [0, 0]], bits, &mut keys);
            assert_eq!(keys, [(1 << (2 * bits)) - 1, 0]);
        }
    }

    #[test]
    fn a_flat_scene_is_ordered_in_its_plane() {
        let at = |height: f32, i: usize| [(i % 50) as f32, height * (i % 7) as f32, (i / 50) as f32];
        let flat = Grid::new(2500, |i| at(0.1, i), 0);
        assert_eq!(flat.thin, Some(1));
        assert_eq!(flat.keys(&[[3.0; 2], [0.0, 0.6], [7.0; 2]])[0], flat.keys(&[[3.0; 2], [0.0, 0.6], [7.0; 2]])[1]);
        assert_eq!(Grid::new(2500, |i| at(9.0, i), 0).thin, None);
    }

    #[test]
    fn what_is_outside_of_the_grid_is_at_its_border() {
        let grid = Grid::new(1000, |i| [i as f32 + 0.5; 3], 0);
        let far = f32::MAX;
        let keys =
            grid.keys(&[[-far, -9999.0, far, 9999.0], [-far, -9999.0, far, 9999.0], [-far, -9999.0, far, 9999.0]]);
        assert_eq!((keys[0], keys[2]), (keys[1], keys[3]));
        assert_ne!(keys[0], keys[2]);
    }
}
