//! Rays and points that are asked about the standard scene, as `tangency bench` makes them, and the rays of a picture.

use std::error::Error;
use std::fs;
use std::path::Path;

use tangency::glam::Vec3;
use tangency::shape::{Aabb, Obb, Ray};

/// A stream of random numbers: splitmix64, seeded as that of `tangency bench`.
struct Dice(u64);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0xD6E8_FEB8_6659_FD93) ^ 0x5EED)
    }

    /// From 0 to 1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A point anywhere in a box.
    fn place(&mut self, bounds: &Aabb) -> Vec3 {
        let share = Vec3::new(self.unit() as f32, self.unit() as f32, self.unit() as f32);
        bounds.min() + (bounds.max() - bounds.min()) * share
    }

    /// A direction, all of them equally likely.
    fn direction(&mut self) -> Vec3 {
        loop {
            let way = Vec3::from([0; 3].map(|_| (2.0 * self.unit() - 1.0) as f32));
            if (0.01..=1.0).contains(&way.length_squared()) {
                return way;
            }
        }
    }
}

/// How many rays and points there are to be.
#[derive(Clone, Copy)]
pub struct Counts {
    pub rays: Option<usize>,
    /// Pixels along a side.
    pub picture: Option<usize>,
    pub points: Option<usize>,
}

impl Counts {
    /// Whether there are to be any.
    pub fn any(self) -> bool {
        [self.rays, self.picture, self.points].iter().any(Option::is_some)
    }
}

/// What is asked about a scene.
pub struct Probes {
    /// Rays from all over the scene in all directions.
    pub rays: Option<Vec<Ray>>,
    /// The rays of a pinhole camera, row by row: it looks along z, from as far before the middle of the scene as that is deep.
    pub picture: Option<Vec<Ray>>,
    /// Points all over the scene.
    pub points: Option<Vec<Vec3>>,
}

impl Probes {
    pub fn new(boxes: &[Obb], counts: Counts) -> tangency::Result<Self> {
        let all = boxes.iter().map(Obb::aabb).fold(Aabb::EMPTY, |all, bounds| all.merge(&bounds));
        let rays = |count: usize| {
            let mut dice = Dice::new(1);
            (0..count).map(|_| Ray::new(dice.place(&all), dice.direction())).collect()
        };
        let points = |count: usize| {
            let mut dice = Dice::new(2);
            (0..count).map(|_| dice.place(&all)).collect()
        };
        Ok(Self {
            rays: counts.rays.map(rays).transpose()?,
            picture: counts.picture.map(|side| picture(&all, side)).transpose()?,
            points: counts.points.map(points),
        })
    }

    /// The sets of rays, with what the rows of the table call them.
    pub fn sets_of_rays(&self) -> impl Iterator<Item = (String, &[Ray])> {
        let rays = self.rays.iter().map(|rays| (format!("{} rays", rays.len()), rays.as_slice()));
        rays.chain(self.picture.iter().map(|rays| {
            let side = rays.len().isqrt();
            (format!("picture of {side} x {side} pixels"), rays.as_slice())
        }))
    }

    /// Writes the boxes and what is asked about them to files in a folder, in floats, for the program for cuBQL.
    pub fn write(&self, boxes: &[Obb], folder: &Path) -> Result<(), Box<dyn Error>> {
        fs::create_dir_all(folder)?;
        let write = |name: &str, numbers: &mut dyn Iterator<Item = f32>| {
            fs::write(folder.join(name), numbers.flat_map(f32::to_le_bytes).collect::<Vec<u8>>())
        };
        let of_box = |b: &Obb| {
            let ([c, h], q) = ([b.center(), b.half_extents()], b.rotation().normalize());
            [c.x, c.y, c.z, h.x, h.y, h.z, q.x, q.y, q.z, q.w]
        };
        let of_ray = |ray: &Ray| {
            let [o, d] = [ray.origin(), ray.direction()];
            [o.x, o.y, o.z, d.x, d.y, d.z, f32::INFINITY]
        };
        write("boxes", &mut boxes.iter().flat_map(of_box))?;
        for (name, rays) in [("rays", &self.rays), ("picture", &self.picture)] {
            if let Some(rays) = rays {
                write(name, &mut rays.iter().flat_map(of_ray))?;
            }
        }
        if let Some(points) = &self.points {
            write("points", &mut points.iter().flat_map(Vec3::to_array))?;
        }
        Ok(())
    }
}

fn picture(all: &Aabb, side: usize) -> tangency::Result<Vec<Ray>> {
    let eye = (all.min() + all.max()) / 2.0 - Vec3::Z * (all.max().z - all.min().z);
    let place = |k: usize| (k as f32 + 0.5) / side as f32 - 0.5;
    (0..side * side).map(|k| Ray::new(eye, [place(k % side), place(k / side), 1.0])).collect()
}
