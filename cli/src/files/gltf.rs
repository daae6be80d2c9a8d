//! glTF 2.0, as `.gltf` (JSON) and `.glb` (binary): a body for each node with a mesh, where the nodes above it put it.

mod accessor;
mod document;
mod uri;

use std::collections::HashSet;
use std::path::Path;

use serde_json::Value;
use tangency::glam::{DAffine3, DMat4, DQuat, DVec3};

use super::mesh::{Mesh, Part, stem};
use crate::failure::{Failure, Result};
use document::Document;

/// Required extensions that change how things look, but not where they are.
const HARMLESS: [&str; 7] =
    ["KHR_materials_", "KHR_texture_", "EXT_texture_", "MSFT_", "KHR_lights_", "KHR_mesh_quantization", "KHR_xmp"];

pub fn read(path: &Path, bytes: &[u8]) -> Result<Mesh> {
    let document = Document::parse(path, bytes)?;
    mesh(&document, path).map_err(|reason| Failure::whole(path, reason))
}

fn mesh(document: &Document, path: &Path) -> Result<Mesh, String> {
    let required = document.list("extensionsRequired").iter().filter_map(Value::as_str);
    if let Some(name) = required.into_iter().find(|name| !HARMLESS.iter().any(|known| name.starts_with(known))) {
        return Err(format!("the file cannot be read without the extension {name}, which is not supported"));
    }
    let nodes = document.list("nodes");
    let mut mesh = Mesh::default();
    let (mut seen, mut skinned, mut empty) = (vec![false; nodes.len()], 0, 0);
    let mut next: Vec<(usize, DAffine3)> =
        roots(document)?.into_iter().rev().map(|node| (node, DAffine3::IDENTITY)).collect();
    while let Some((index, above)) = next.pop() {
        let node = nodes.get(index).ok_or_else(|| format!("there is no node {index}; there are {}", nodes.len()))?;
        if std::mem::replace(&mut seen[index], true) {
            return Err(format!("node {index} is below two nodes, or below itself"));
        }
        let place = above * transform(node).map_err(|reason| format!("node {index}: {reason}"))?;
        // The first child is next.
        for child in indices(&node["children"])
            .map_err(|reason| format!("children of node {index}: {reason}"))?
            .into_iter()
            .rev()
        {
            next.push((child, place));
        }
        if node["mesh"].is_null() {
            continue;
        }
        skinned += usize::from(!node["skin"].is_null());
        let of = document.at("meshes", &node["mesh"])?;
        let points = points(document, of).map_err(|reason| format!("mesh {}: {reason}", node["mesh"]))?;
        if points.is_empty() {
            empty += 1;
            continue;
        }
        let named =
            [&node["name"], &of["name"]].into_iter().find_map(|name| name.as_str().filter(|name| !name.is_empty()));
        let name = named.map_or_else(|| format!("{} node {index}", stem(path)).trim().to_owned(), str::to_owned);
        mesh.parts.push(Part { name, points: points.into_iter().map(|point| place.transform_point3(point)).collect() });
    }
    if mesh.parts.is_empty() {
        return Err("no node has a mesh with positions".to_owned());
    }
    if skinned > 0 {
        mesh.notes.push(format!("{skinned} nodes with skins are where they were modelled, not where their joints are"));
    }
    if empty > 0 {
        mesh.notes.push(format!("{empty} meshes without positions were left out"));
    }
    Ok(mesh)
}

/// The nodes of the scene to show; of all that nothing is above if the file has no scenes.
fn roots(document: &Document) -> Result<Vec<usize>, String> {
    if document.list("scenes").is_empty() {
        let nodes = document.list("nodes");
        let mut below = HashSet::new();
        for node in nodes {
            below.extend(indices(&node["children"])?);
        }
        return Ok((0..nodes.len()).filter(|node| !below.contains(node)).collect());
    }
    let first = Value::from(0);
    let chosen = if document.json["scene"].is_null() { &first } else { &document.json["scene"] };
    indices(&document.at("scenes", chosen)?["nodes"])
}

fn indices(list: &Value) -> Result<Vec<usize>, String> {
    let list = match list {
        Value::Null => return Ok(Vec::new()),
        Value::Array(list) => list,
        other => return Err(format!("{other} is no list of indices")),
    };
    let index =
        |value: &Value| value.as_u64().map(|index| index as usize).ok_or_else(|| format!("{value} is no index"));
    list.iter().map(index).collect()
}

/// So many finite numbers.
fn numbers<const N: usize>(value: &Value, otherwise: [f64; N]) -> Result<[f64; N], String> {
    if value.is_null() {
        return Ok(otherwise);
    }
    let found: Option<Vec<f64>> = value.as_array().and_then(|list| list.iter().map(Value::as_f64).collect());
    found.and_then(|found| found.try_into().ok()).ok_or_else(|| format!("{value} is no list of {N} numbers"))
}

/// Where a node is in the one above it.
fn transform(node: &Value) -> Result<DAffine3, String> {
    if !node["matrix"].is_null() {
        let matrix = DMat4::from_cols_array(&numbers(&node["matrix"], [0.0; 16])?);
        return Ok(DAffine3::from_mat4(matrix));
    }
    let scale = DVec3::from_array(numbers(&node["scale"], [1.0; 3])?);
    let rotation = DQuat::from_array(numbers(&node["rotation"], [0.0, 0.0, 0.0, 1.0])?);
    let translation = DVec3::from_array(numbers(&node["translation"], [0.0; 3])?);
    if rotation.length_squared() == 0.0 {
        return Err("the rotation is zero".to_owned());
    }
    Ok(DAffine3::from_scale_rotation_translation(scale, rotation.normalize(), translation))
}

/// The points that the primitives of a mesh use.
fn points(document: &Document, mesh: &Value) -> Result<Vec<DVec3>, String> {
    let mut points = Vec::new();
    for (k, primitive) in mesh["primitives"].as_array().map_or(&[][..], Vec::as_slice).iter().enumerate() {
        let fail = |reason: String| format!("primitive {k}: {reason}");
        let position = &primitive["attributes"]["POSITION"];
        if position.is_null() {
            continue;
        }
        let positions = accessor::read::<3>(document, position).map_err(fail)?;
        let point = |of: [f64; 3]| DVec3::from_array(of);
        if primitive["indices"].is_null() {
            points.extend(positions.into_iter().map(point));
            continue;
        }
        let mut used = vec![false; positions.len()];
        for [index] in accessor::read::<1>(document, &primitive["indices"]).map_err(fail)? {
            let place = used.get_mut(index as usize);
            *place.ok_or_else(|| fail(format!("there is no position {index}; there are {}", positions.len())))? = true;
        }
        points.extend(positions.into_iter().zip(used).filter(|(_, used)| *used).map(|(of, _)| point(of)));
    }
    Ok(points)
}
