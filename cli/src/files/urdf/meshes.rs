//! The mesh files that a robot names.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tangency::glam::DVec3;

use crate::files::Format;

pub struct Meshes<'a> {
    robot: &'a Path,
    /// What was read already: robots have several equal parts.
    known: HashMap<PathBuf, Rc<Vec<DVec3>>>,
}

impl<'a> Meshes<'a> {
    pub fn new(robot: &'a Path) -> Self {
        Self { robot, known: HashMap::new() }
    }

    /// All points of a mesh file.
    pub fn points(&mut self, name: &str) -> Result<Rc<Vec<DVec3>>, String> {
        let path = self.find(name)?;
        if let Some(points) = self.known.get(&path) {
            return Ok(Rc::clone(points));
        }
        let format =
            Format::of(&path, None).map_err(|_| "meshes are read from .obj, .stl, .dae, .gltf and .glb".to_owned())?;
        let mesh = format.mesh(&path).map_err(|failure| failure.to_string())?;
        let points = Rc::new(mesh.parts.into_iter().flat_map(|part| part.points).collect::<Vec<_>>());
        self.known.insert(path, Rc::clone(&points));
        Ok(points)
    }

    /// `package://NAME/PATH` is PATH in the folder NAME that is the robot's own, one above it, or beside one of these. Other names are
    /// relative to the robot's file.
    fn find(&self, name: &str) -> Result<PathBuf, String> {
        let here = std::path::absolute(self.robot).map_err(|error| error.to_string())?;
        let folder = here.parent().unwrap_or(Path::new("."));
        let Some(inside) = name.strip_prefix("package://").or_else(|| name.strip_prefix("model://")) else {
            let path = folder.join(name.strip_prefix("file://").unwrap_or(name));
            return if path.is_file() { Ok(path) } else { Err("there is no such file".to_owned()) };
        };
        let (package, rest) = inside.split_once('/').unwrap_or((inside, ""));
        let own = folder.ancestors().filter(|above| above.file_name().is_some_and(|name| name == package));
        let beside = folder.ancestors().map(|above| above.join(package));
        let found = own.map(Path::to_owned).chain(beside).map(|package| package.join(rest)).find(|path| path.is_file());
        found.ok_or_else(|| format!("there is no such file in a folder {package:?} at or above {}", folder.display()))
    }
}
