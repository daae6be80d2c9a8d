//! Wavefront OBJ: a body for each object (`o`); in a file without objects for each group (`g`), and in one without groups for all of it.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use tangency::glam::DVec3;

use super::Lines;
use super::mesh::{Mesh, Part, stem};
use crate::failure::{Failure, Result};

/// The faces between two statements that name an object or a group.
struct Section {
    object: Option<String>,
    group: Option<String>,
    /// The vertices of all its faces, by index.
    corners: Vec<usize>,
}

pub fn read(path: &Path, from: impl Read) -> Result<Mesh> {
    let mut lines = Lines::new(from, path);
    let mut vertices: Vec<DVec3> = Vec::new();
    let mut sections = vec![Section { object: None, group: None, corners: Vec::new() }];
    let mut whole = String::new();
    while let Some((number, line)) = lines.next_lossy()? {
        // A line that ends in a backslash goes on in the next one.
        if let Some(begun) = line.trim_end().strip_suffix('\\') {
            whole.push_str(begun);
            whole.push(' ');
            if whole.len() > super::lines::LONGEST {
                return Err(Failure::line(path, number, "the line goes on and on"));
            }
            continue;
        }
        whole.push_str(&line);
        statement(&whole, &mut vertices, &mut sections).map_err(|reason| Failure::line(path, number, reason))?;
        whole.clear();
    }
    if sections.iter().all(|section| section.corners.is_empty()) {
        let reason = format!("there are no faces ({} vertices); a body is what faces enclose", vertices.len());
        return Err(Failure::whole(path, reason));
    }
    Ok(parts(sections, &vertices, path))
}

fn statement(line: &str, vertices: &mut Vec<DVec3>, sections: &mut Vec<Section>) -> Result<(), String> {
    let mut words = line.split_ascii_whitespace();
    let keyword = words.next().unwrap_or_default();
    // Sections are never taken away, so that there is a last one.
    let Some(last) = sections.last_mut() else { return Ok(()) };
    let (object, group) = match keyword {
        "v" => {
            let mut coordinate = |name: &str| match words.next() {
                None => Err(format!("the vertex has no {name}")),
                Some(word) => match word.parse::<f64>() {
                    Ok(number) if number.is_finite() => Ok(number),
                    Ok(number) => Err(format!("{name} is {number}; it must be a finite number")),
                    Err(_) => Err(format!("{name} is {word:?}, which is no number")),
                },
            };
            vertices.push(DVec3::new(coordinate("x")?, coordinate("y")?, coordinate("z")?));
            return Ok(());
        }
        "f" | "fo" => {
            let before = last.corners.len();
            for word in words {
                // Vertex, texture and normal: only the first counts here.
                let index = word.split('/').next().unwrap_or_default();
                last.corners.push(vertex(index, vertices.len())?);
            }
            return match last.corners.len() - before {
                0 => Err("the face has no corners".to_owned()),
                _ => Ok(()),
            };
        }
        "o" => (Some(named(line)), last.group.clone()),
        "g" => (last.object.clone(), Some(named(line))),
        // Texture coordinates, normals, materials, smoothing, lines, points, curves and comments.
        _ => return Ok(()),
    };
    sections.push(Section { object, group, corners: Vec::new() });
    Ok(())
}

/// What follows the keyword.
fn named(line: &str) -> String {
    let line = line.trim();
    line.split_once(|c: char| c.is_ascii_whitespace()).map_or("", |(_, name)| name.trim()).to_owned()
}

/// Indices count from 1, or from the end if they are negative.
fn vertex(text: &str, count: usize) -> Result<usize, String> {
    let index: i64 = text.parse().map_err(|_| format!("{text:?} is no index of a vertex"))?;
    let found = if index < 0 { count as i64 + index } else { index - 1 };
    match usize::try_from(found) {
        Ok(found) if found < count => Ok(found),
        _ => Err(format!("there is no vertex {index}; there are {count} so far")),
    }
}

/// One part for each name, in the order of the file.
fn parts(sections: Vec<Section>, vertices: &[DVec3], path: &Path) -> Mesh {
    let has = |name: fn(&Section) -> &Option<String>| sections.iter().any(|section| name(section).is_some());
    let name: fn(&Section) -> &Option<String> =
        if has(|section| &section.object) { |section| &section.object } else { |section| &section.group };
    let mut by_name: HashMap<Option<String>, usize> = HashMap::new();
    let mut merged: Vec<(Option<String>, Vec<usize>)> = Vec::new();
    for section in sections {
        let key = name(&section).clone();
        let at = *by_name.entry(key.clone()).or_insert_with(|| {
            merged.push((key, Vec::new()));
            merged.len() - 1
        });
        merged[at].1.extend(section.corners);
    }
    let mut mesh = Mesh::default();
    let mut empty = 0;
    for (name, mut corners) in merged {
        if corners.is_empty() {
            empty += usize::from(name.is_some());
            continue;
        }
        corners.sort_unstable();
        corners.dedup();
        let points = corners.into_iter().map(|corner| vertices[corner]).collect();
        let name = name.filter(|name| !name.is_empty()).unwrap_or_else(|| stem(path));
        mesh.parts.push(Part { name, points });
    }
    if empty > 0 {
        mesh.notes.push(format!("{empty} objects or groups without faces were left out"));
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Mesh> {
        read(Path::new("thing.obj"), text.as_bytes())
    }

    fn names(text: &str) -> Vec<(String, usize)> {
        parsed(text).unwrap().parts.into_iter().map(|part| (part.name, part.points.len())).collect()
    }

    const SQUARE: &str = "v 0 0 0\nv 1 0 0 1.0\nv 1 1 0\nv 0 1 0\nv 9 9 9\n";

    #[test]
    fn bodies_are_objects_or_groups_or_the_file() {
        assert_eq!(names(&format!("{SQUARE}f 1 2 3 4\n")), [("thing".to_owned(), 4)]);
        let groups = format!("{SQUARE}g left\nf 1 2 3\ng right side\nf -3/1/2 -2//4 -1\ng left\nf 4 1 2\n");
        assert_eq!(names(&groups), [("left".to_owned(), 4), ("right side".to_owned(), 3)]);
        let objects = format!("o one\n{SQUARE}g left\nf 1 2 3\ng right\nf 2 3 4\no two\no three\nf 3 4 \\\n5\n");
        assert_eq!(names(&objects), [("one".to_owned(), 4), ("three".to_owned(), 3)]);
        assert_eq!(parsed(&objects).unwrap().notes.len(), 1);
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_line() {
        for (text, reason) in [
            (SQUARE, "thing.obj: there are no faces (5 vertices)"),
            ("v 1 2\n", "line 1: the vertex has no z"),
            ("# a\nv 1 nan 2\n", "line 2: y is NaN"),
            ("v 1 2 x\n", "line 1: z is \"x\", which is no number"),
            ("v 1 2 3\nf 1 2 1\n", "line 2: there is no vertex 2; there are 1 so far"),
            ("v 1 2 3\nf 0 1 1\n", "line 2: there is no vertex 0"),
            ("v 1 2 3\nf -2 1 1\n", "line 2: there is no vertex -2"),
            ("v 1 2 3\nf a b c\n", "line 2: \"a\" is no index of a vertex"),
        ] {
            let message = parsed(text).err().expect(reason).to_string();
            assert!(message.contains(reason), "{message}");
        }
    }
}
