//! STL, as text and binary: a body for each solid.

use std::path::Path;

use tangency::glam::DVec3;

use super::Lines;
use super::mesh::{Mesh, Part, stem};
use crate::failure::{Failure, Result};

/// A binary file is a text of 80 bytes, the number of triangles, and 50 bytes for each of them.
const HEADER: usize = 84;
const TRIANGLE: usize = 50;

pub fn read(path: &Path, bytes: &[u8]) -> Result<Mesh> {
    let count = bytes.get(80..HEADER).and_then(|count| count.try_into().ok()).map(u32::from_le_bytes);
    let size = count.map(|count| HEADER + count as usize * TRIANGLE);
    // Binary files may begin with the word "solid" too. If the size is right, it is one.
    let is_text = bytes.trim_ascii_start().starts_with(b"solid") && size != Some(bytes.len());
    if is_text {
        return read_text(path, bytes);
    }
    let (Some(count), Some(size)) = (count, size) else {
        let reason =
            format!("the file ends here; it is neither a text that begins with \"solid\" nor {HEADER} bytes long");
        return Err(Failure::byte(path, bytes.len(), reason));
    };
    if bytes.len() < size {
        let reason = format!("the file ends here; {count} triangles need {size} bytes");
        return Err(Failure::byte(path, bytes.len(), reason));
    }
    if count == 0 {
        return Err(Failure::whole(path, "there are no triangles"));
    }
    let mut points = Vec::with_capacity(3 * count as usize);
    for (k, triangle) in bytes[HEADER..size].chunks_exact(TRIANGLE).enumerate() {
        // The normal comes first, and two bytes last.
        for (corner, numbers) in triangle[12..48].chunks_exact(12).enumerate() {
            let number = |i: usize| f32::from_le_bytes(std::array::from_fn(|byte| numbers[4 * i + byte]));
            let point = DVec3::from_array([number(0), number(1), number(2)].map(f64::from));
            if !point.is_finite() {
                let reason = format!("triangle {k} has a corner at {point}; coordinates must be finite numbers");
                return Err(Failure::byte(path, HEADER + k * TRIANGLE + 12 + 12 * corner, reason));
            }
            points.push(point);
        }
    }
    let mut mesh = Mesh { parts: vec![Part { name: stem(path), points }], notes: Vec::new() };
    if bytes.len() > size {
        mesh.notes.push(format!("{} bytes after the last triangle were left out", bytes.len() - size));
    }
    Ok(mesh)
}

fn read_text(path: &Path, bytes: &[u8]) -> Result<Mesh> {
    let mut lines = Lines::new(bytes, path);
    let mut mesh = Mesh::default();
    let (mut open, mut empty, mut last): (Option<Part>, usize, usize) = (None, 0, 0);
    while let Some((number, line)) = lines.next_lossy()? {
        last = number;
        let fail = |reason: String| Failure::line(path, number, reason);
        let mut words = line.split_ascii_whitespace();
        let Some(keyword) = words.next() else { continue };
        match (keyword.to_ascii_lowercase().as_str(), &mut open) {
            ("solid", None) => {
                let name = line.trim()["solid".len()..].trim();
                let name = if name.is_empty() { stem(path) } else { name.to_owned() };
                open = Some(Part { name, points: Vec::new() });
            }
            ("solid", Some(part)) => {
                return Err(fail(format!("a solid begins before {:?} has ended", part.name)));
            }
            ("vertex", Some(part)) => {
                let numbers: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
                match numbers[..] {
                    [x, y, z] if numbers.iter().all(|number| number.is_finite()) => {
                        part.points.push(DVec3::new(x, y, z));
                    }
                    _ => return Err(fail(format!("{:?} is not a vertex with three finite numbers", line.trim()))),
                }
            }
            ("endsolid", Some(_)) => {
                let part = open.take().unwrap_or_else(|| Part { name: String::new(), points: Vec::new() });
                if part.points.is_empty() {
                    empty += 1;
                } else {
                    mesh.parts.push(part);
                }
            }
            ("facet" | "outer" | "endloop" | "endfacet", Some(_)) => {}
            (word, _) => return Err(fail(format!("{word:?} is no word that can stand here"))),
        }
    }
    if let Some(part) = open {
        return Err(Failure::line(path, last, format!("the file ends before the solid {:?} does", part.name)));
    }
    if mesh.parts.is_empty() {
        return Err(Failure::whole(path, "there are no triangles"));
    }
    if empty > 0 {
        mesh.notes.push(format!("{empty} solids without triangles were left out"));
    }
    Ok(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(bytes: &[u8]) -> Result<Mesh> {
        read(Path::new("part.stl"), bytes)
    }

    fn binary(header: &str, corners: &[[f32; 3]]) -> Vec<u8> {
        let mut bytes = header.as_bytes().to_vec();
        bytes.resize(80, b' ');
        bytes.extend((corners.len() as u32 / 3).to_le_bytes());
        for triangle in corners.chunks(3) {
            bytes.extend([0; 12]);
            bytes.extend(triangle.iter().flatten().flat_map(|x| x.to_le_bytes()));
            bytes.extend([0; 2]);
        }
        bytes
    }

    const CORNERS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.5]];
    const TEXT: &str = "solid a b\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nVERTEX 1 0 0\nvertex 0 1e0 0\nendloop\nendfacet\nendsolid a b\n";

    #[test]
    fn both_kinds_are_told_apart() {
        for header in ["made by nobody", "solid of the binary kind"] {
            let mesh = parsed(&binary(header, &CORNERS)).unwrap();
            assert_eq!((mesh.parts[0].name.as_str(), mesh.parts[0].points.len()), ("part", 3));
            assert_eq!(mesh.parts[0].points[2], DVec3::new(0.0, 2.0, 0.5));
        }
        let mesh = parsed(format!("{TEXT}solid\nendsolid\n{}", TEXT.replace("a b", "")).as_bytes()).unwrap();
        let names: Vec<&str> = mesh.parts.iter().map(|part| part.name.as_str()).collect();
        assert_eq!((names, mesh.notes.len()), (vec!["a b", "part"], 1));
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_place() {
        let whole = binary("", &CORNERS);
        let mut nan = whole.clone();
        nan[HEADER + 12 + 12..HEADER + 12 + 16].copy_from_slice(&f32::NAN.to_le_bytes());
        for (bytes, reason) in [
            (&whole[..100], "byte 100: the file ends here; 1 triangles need 134 bytes"),
            (&whole[..50], "byte 50: the file ends here"),
            (&[][..], "byte 0: the file ends here"),
            (&nan, "byte 108: triangle 0 has a corner at [NaN, 0, 0]"),
            (&binary("", &[]), "there are no triangles"),
            (b"solid x\nvertex 1 2\n", "line 2: \"vertex 1 2\" is not a vertex"),
            (b"solid x\nvertex 1 2 inf\n", "line 2: \"vertex 1 2 inf\" is not a vertex"),
            (b"solid x\nfacet\n", "line 2: the file ends before the solid \"x\" does"),
            (b"solid x\nsolid y\n", "line 2: a solid begins before \"x\" has ended"),
            (b"solid x\ncube\n", "line 2: \"cube\" is no word that can stand here"),
            (b"solid x\nendsolid x\n", "there are no triangles"),
        ] {
            let message = parsed(bytes).err().expect(reason).to_string();
            assert!(message.contains(reason), "{message}");
        }
    }
}
