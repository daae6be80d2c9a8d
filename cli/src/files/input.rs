//! The options of commands that read scenes.

use std::path::{Path, PathBuf};

use tangency::glam::DVec3;

use super::{Format, Origin, Scene};
use crate::failure::{Failure, Result};

#[derive(clap::Args)]
pub struct Input {
    /// The bodies: one file or several, whose bodies are numbered one after the other; - is standard input
    #[arg(required = true, value_name = "SCENE")]
    scenes: Vec<PathBuf>,
    /// The format of standard input, and of files whose names do not end in one [default: csv]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Subtract this point from all positions, in f64, before they are rounded to f32; `auto` is the first position there is, rounded
    /// to whole numbers (half-spaces have none, and are moved like all others)
    #[arg(long, value_name = "X,Y,Z|auto", value_parser = origin, allow_hyphen_values = true)]
    origin: Option<Origin>,
    /// Make convex hulls of meshes, of at most 256 corners each, instead of boxes around them (of hulls with many more corners that takes long)
    #[arg(long)]
    hulls: bool,
    /// Do not test the bodies of a robot (URDF) against each other
    #[arg(long)]
    no_self: bool,
}

fn origin(text: &str) -> Result<Origin, String> {
    if text == "auto" {
        return Ok(Origin::Auto);
    }
    let numbers: Vec<f64> = text.split(',').filter_map(|number| number.trim().parse().ok()).collect();
    match numbers[..] {
        [x, y, z] if text.split(',').count() == 3 && numbers.iter().all(|number| number.is_finite()) => {
            Ok(Origin::At(DVec3::new(x, y, z)))
        }
        _ => Err("give three numbers, such as 500000,4600000,0, or auto".to_owned()),
    }
}

impl Input {
    /// All files that are read.
    pub fn paths<'a>(&'a self, with: Option<&'a Path>) -> Vec<&'a Path> {
        self.scenes.iter().map(PathBuf::as_path).chain(with).collect()
    }

    /// Reads the scene, and the one it is compared with, relative to the same origin. What there is to tell of them is told.
    pub fn read(&self, with: Option<&Path>) -> Result<(Scene, Option<Scene>)> {
        if self.paths(with).iter().filter(|path| path.as_os_str() == "-").count() > 1 {
            return Err(Failure::Usage("- stands for standard input, which can be read only once".to_owned()));
        }
        let mut scene = Scene::new(self.origin.unwrap_or(Origin::At(DVec3::ZERO)), self.no_self, self.hulls)?;
        for path in &self.scenes {
            Format::of(path, self.format)?.read(path, &mut scene)?;
        }
        scene.settle()?;
        scene.tell();
        let other = with.map(|path| {
            let mut other = Scene::new(Origin::At(scene.bodies.origin()), self.no_self, self.hulls)?;
            other.robots = scene.robots;
            Format::of(path, self.format)?.read(path, &mut other)?;
            other.tell();
            Ok::<_, Failure>(other)
        });
        let other = other.transpose()?;
        if self.no_self && other.as_ref().map_or(scene.robots, |other| other.robots) == 0 {
            return Err(Failure::Usage("--no-self is about robots; none of the files is a .urdf".to_owned()));
        }
        Ok((scene, other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_three_numbers_or_auto() {
        assert_eq!(origin("auto"), Ok(Origin::Auto));
        assert_eq!(origin("500000,-4.5, 0"), Ok(Origin::At(DVec3::new(500_000.0, -4.5, 0.0))));
        for text in ["", "1,2", "1,2,3,4", "1,2,x", "1,2,inf", "here"] {
            assert!(origin(text).is_err(), "{text}");
        }
    }
}
