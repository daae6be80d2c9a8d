//! The formats of scene files, by the ends of their names.

use std::path::Path;

use clap::ValueEnum;

use super::mesh::Mesh;
use super::{Scene, csv, dae, gltf, npy, obj, stl, urdf};
use crate::failure::{Failure, Result};

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub enum Format {
    /// A body a line, as `tangency scene` writes it
    Csv,
    /// An array of numpy: 4 columns are spheres, 6 axis-aligned boxes, 7 capsules, 10 oriented boxes
    Npy,
    /// Arrays of numpy: spheres, aabbs, obbs, capsules, planes, `convex_hulls` (with `hull_corners` and `hull_forms`); names
    Npz,
    /// Wavefront: a box around each object or group
    Obj,
    /// Text or binary: a box around each solid
    Stl,
    /// COLLADA: a box around each node with geometry
    Dae,
    /// glTF 2.0 as JSON: a box around each node with a mesh
    Gltf,
    /// glTF 2.0, binary
    Glb,
    /// A robot: a body for each collision element, all joints at zero
    Urdf,
}

impl Format {
    /// The format of a file: what the end of its name says, or else the given one, or else CSV where there is no end, as that of a
    /// pipe.
    pub fn of(path: &Path, otherwise: Option<Self>) -> Result<Self> {
        let Some(end) = path.extension().map(|end| end.to_string_lossy().to_lowercase()) else {
            return Ok(otherwise.unwrap_or(Self::Csv));
        };
        let named = Self::value_variants().iter().find(|format| format.end() == end);
        named.copied().or(otherwise).ok_or_else(|| {
            let known: Vec<String> = Self::value_variants().iter().map(|format| format!(".{}", format.end())).collect();
            let path = path.display();
            Failure::Usage(format!(
                "{path}: .{end} is no format that is read; these are: {}; --format names one",
                known.join(", ")
            ))
        })
    }

    /// How the names of such files end.
    fn end(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Adds to the scene what a file has.
    pub fn read(self, path: &Path, scene: &mut Scene) -> Result<()> {
        match self {
            Self::Csv => csv::read(path, scene),
            Self::Npy => npy::read(path, scene),
            Self::Npz => npy::read_archive(path, scene),
            Self::Urdf => urdf::read(path, scene),
            mesh => scene.push_mesh(mesh.mesh(path)?, path),
        }
    }

    /// What a mesh file has.
    pub(super) fn mesh(self, path: &Path) -> Result<Mesh> {
        match self {
            Self::Obj => {
                let (from, bar) = super::open(path)?;
                let mesh = obj::read(path, from)?;
                bar.finish_and_clear();
                Ok(mesh)
            }
            Self::Stl => stl::read(path, &super::whole(path)?),
            Self::Dae => dae::read(path, &super::whole(path)?),
            Self::Gltf | Self::Glb => gltf::read(path, &super::whole(path)?),
            Self::Csv | Self::Npy | Self::Npz | Self::Urdf => Err(Failure::whole(path, "this is no mesh")),
        }
    }
}
