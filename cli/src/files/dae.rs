//! COLLADA, as far as meshes of robots need it: a body for each node with geometry, in metres, along the axes that the file has.

use std::collections::HashMap;
use std::path::Path;

use roxmltree::Node;
use tangency::glam::{DAffine3, DMat4, DQuat, DVec3};

use super::mesh::{Mesh, Part, stem};
use super::xml::{self, Wrong, children, list};
use crate::failure::{Failure, Result};

/// How deep nodes may be inside each other, so that a circle of them ends.
const DEEPEST: usize = 100;

pub fn read(path: &Path, bytes: &[u8]) -> Result<Mesh> {
    let text = xml::text(path, bytes)?;
    let document = xml::parse(path, text)?;
    let root = document.root_element();
    if root.tag_name().name() != "COLLADA" {
        return Err(Failure::line(
            path,
            1,
            format!("the root element is {:?}, not \"COLLADA\"", root.tag_name().name()),
        ));
    }
    let by_id = root.descendants().filter_map(|node| Some((node.attribute("id")?, node))).collect();
    let mut reader = Reader { by_id, known: HashMap::new(), mesh: Mesh::default(), unread: 0, stem: stem(path) };
    reader.scene(root).map_err(|wrong| wrong.at(path))?;
    let mut mesh = reader.mesh;
    if mesh.parts.is_empty() {
        return Err(Failure::whole(path, "no node has geometry with vertices"));
    }
    if reader.unread > 0 {
        mesh.notes.push(format!("{} nodes with skins, or with curves instead of faces, were left out", reader.unread));
    }
    Ok(mesh)
}

struct Reader<'a> {
    by_id: HashMap<&'a str, Node<'a, 'a>>,
    /// The points of geometries that were read.
    known: HashMap<&'a str, Vec<DVec3>>,
    mesh: Mesh,
    unread: usize,
    /// The name of what has none.
    stem: String,
}

impl<'a> Reader<'a> {
    fn scene(&mut self, root: Node<'a, 'a>) -> Result<(), Wrong> {
        let unit = children(root, "asset").flat_map(|asset| children(asset, "unit")).next();
        let metre: f64 =
            unit.and_then(|unit| unit.attribute("meter")).and_then(|text| text.parse().ok()).unwrap_or(1.0);
        let shown = children(root, "scene").flat_map(|scene| children(scene, "instance_visual_scene")).next();
        let scene = match shown {
            Some(instance) => self.target(instance, "url")?,
            None => match root.descendants().find(|node| node.has_tag_name_of("visual_scene")) {
                Some(scene) => scene,
                None => return Ok(()),
            },
        };
        children(scene, "node").try_for_each(|node| self.node(node, &DAffine3::from_scale(DVec3::splat(metre)), 0))
    }

    /// The element that an attribute such as `url="#id"` leads to.
    fn target(&self, node: Node<'a, 'a>, attribute: &'static str) -> Result<Node<'a, 'a>, Wrong> {
        let url = node.attribute(attribute).unwrap_or_default();
        let found = url.strip_prefix('#').and_then(|id| self.by_id.get(id));
        found.copied().ok_or_else(|| Wrong::new(node, format!("{attribute} is {url:?}, and nothing has this id")))
    }

    fn node(&mut self, node: Node<'a, 'a>, above: &DAffine3, depth: usize) -> Result<(), Wrong> {
        if depth > DEEPEST {
            return Err(Wrong::new(node, "nodes are inside each other without end"));
        }
        let mut place = *above;
        let mut points = Vec::new();
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "instance_geometry" => points.extend_from_slice(self.points(self.target(child, "url")?)?),
                "instance_controller" => self.unread += 1,
                "lookat" | "skew" => {
                    return Err(Wrong::new(child, format!("{} is not supported", child.tag_name().name())));
                }
                _ => place *= transform(child)?,
            }
        }
        if !points.is_empty() {
            let name =
                [node.attribute("name"), node.attribute("id")].into_iter().flatten().find(|name| !name.is_empty());
            let name = name.unwrap_or(&self.stem).to_owned();
            let points = points.into_iter().map(|point| place.transform_point3(point)).collect();
            self.mesh.parts.push(Part { name, points });
        }
        for child in children(node, "node") {
            self.node(child, &place, depth + 1)?;
        }
        for instance in children(node, "instance_node") {
            self.node(self.target(instance, "url")?, &place, depth + 1)?;
        }
        Ok(())
    }

    /// The points that the faces of a geometry use.
    fn points(&mut self, geometry: Node<'a, 'a>) -> Result<&[DVec3], Wrong> {
        let id = geometry.attribute("id").unwrap_or_default();
        if !self.known.contains_key(id) {
            let mut points = Vec::new();
            match children(geometry, "mesh").next() {
                None => self.unread += 1,
                Some(mesh) => {
                    for faces in mesh.children().filter(Node::is_element) {
                        if children(faces, "p").chain(children(faces, "ph")).next().is_some() {
                            points.extend(self.corners(faces)?);
                        }
                    }
                }
            }
            self.known.insert(id, points);
        }
        Ok(&self.known[id])
    }

    /// The positions of the corners of some faces, each once.
    fn corners(&self, faces: Node<'a, 'a>) -> Result<Vec<DVec3>, Wrong> {
        // Each corner has an index for each offset; that of its vertex is looked for.
        let offset =
            |input: Node<'a, 'a>| input.attribute("offset").and_then(|text| text.parse::<usize>().ok()).unwrap_or(0);
        let stride = children(faces, "input").map(offset).max().unwrap_or(0).saturating_add(1);
        let vertex = children(faces, "input").find(|input| input.attribute("semantic") == Some("VERTEX"));
        let Some(vertex) = vertex else { return Err(Wrong::new(faces, "the faces have no input VERTEX")) };
        let vertices = self.target(vertex, "source")?;
        let position = children(vertices, "input").find(|input| input.attribute("semantic") == Some("POSITION"));
        let position = position.ok_or_else(|| Wrong::new(vertices, "the vertices have no input POSITION"))?;
        let positions = positions(self.target(position, "source")?)?;
        let mut used = vec![false; positions.len()];
        // (A polygon with holes has its corners one level deeper.)
        for p in faces.descendants().filter(|node| node.has_tag_name_of("p") || node.has_tag_name_of("h")) {
            for index in list::<usize>(p)?.into_iter().skip(offset(vertex)).step_by(stride) {
                let place = used.get_mut(index);
                let wrong = || Wrong::new(p, format!("there is no vertex {index}; there are {}", positions.len()));
                *place.ok_or_else(wrong)? = true;
            }
        }
        Ok(positions.into_iter().zip(used).filter(|(_, used)| *used).map(|(point, _)| point).collect())
    }
}

/// The points of a source of positions.
fn positions(source: Node<'_, '_>) -> Result<Vec<DVec3>, Wrong> {
    let array = children(source, "float_array").next();
    let array = array.ok_or_else(|| Wrong::new(source, "the source has no float_array"))?;
    let accessor = source.descendants().find(|node| node.has_tag_name_of("accessor"));
    let stride = accessor.and_then(|accessor| accessor.attribute("stride")?.parse().ok()).unwrap_or(3_usize);
    if stride < 3 {
        return Err(Wrong::new(source, format!("the stride is {stride}; a position has three numbers")));
    }
    let numbers = list::<f64>(array)?;
    if let Some(number) = numbers.iter().find(|number| !number.is_finite()) {
        return Err(Wrong::new(array, format!("{number} is no finite number")));
    }
    Ok(numbers.chunks_exact(stride).map(DVec3::from_slice).collect())
}

/// What an element of a node does to what comes after it; nothing if it is no transform.
fn transform(node: Node<'_, '_>) -> Result<DAffine3, Wrong> {
    let numbers = |count: usize| {
        let found = list::<f64>(node)?;
        let fits = found.len() == count && found.iter().all(|number| number.is_finite());
        if fits { Ok(found) } else { Err(Wrong::new(node, format!("these are not {count} finite numbers"))) }
    };
    Ok(match node.tag_name().name() {
        "matrix" => {
            let rows: [f64; 16] = numbers(16)?.try_into().unwrap_or([0.0; 16]);
            DAffine3::from_mat4(DMat4::from_cols_array(&rows).transpose())
        }
        "translate" => DAffine3::from_translation(DVec3::from_slice(&numbers(3)?)),
        "scale" => DAffine3::from_scale(DVec3::from_slice(&numbers(3)?)),
        "rotate" => {
            let numbers = numbers(4)?;
            let axis = DVec3::from_slice(&numbers).normalize_or_zero();
            DAffine3::from_quat(DQuat::from_axis_angle(axis, numbers[3].to_radians()).normalize())
        }
        _ => DAffine3::IDENTITY,
    })
}

/// Names without the namespace that all elements of a file have.
trait TagName {
    fn has_tag_name_of(&self, name: &str) -> bool;
}

impl TagName for Node<'_, '_> {
    fn has_tag_name_of(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A triangle in centimetres, twice: turned about z by 90 degrees and moved, and moved by the node above it.
    const FILE: &str = r##"<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema">
<asset><unit meter="0.01"/></asset>
<library_geometries><geometry id="g"><mesh>
<source id="s"><float_array count="12">0 0 0 100 0 0 0 200 0 9 9 9</float_array>
<technique_common><accessor count="4" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="1"/><input semantic="NORMAL" source="#s" offset="0"/>
<p>0 0 0 1 0 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="scene"><node name="turned"><translate>0 0 100</translate><rotate>0 0 1 90</rotate>
<instance_geometry url="#g"/></node>
<node><matrix>1 0 0 50 0 1 0 0 0 0 1 0 0 0 0 1</matrix><node id="inside"><instance_geometry url="#g"/></node></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>"##;

    fn parsed(text: &str) -> Result<Mesh> {
        read(Path::new("part.dae"), text.as_bytes())
    }

    #[test]
    fn nodes_are_where_their_transforms_put_them() {
        let mesh = parsed(FILE).unwrap();
        let expected = [
            ("turned", [[0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [-2.0, 0.0, 1.0]]),
            ("inside", [[0.5, 0.0, 0.0], [1.5, 0.0, 0.0], [0.5, 2.0, 0.0]]),
        ];
        assert_eq!(mesh.parts.len(), 2);
        for (part, (name, points)) in mesh.parts.iter().zip(expected) {
            assert_eq!((part.name.as_str(), part.points.len()), (name, 3));
            for (found, point) in part.points.iter().zip(points) {
                assert!((*found - DVec3::from_array(point)).length() < 1e-15, "{found} {point:?}");
            }
        }
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_line() {
        for (from, to, reason) in [
            ("url=\"#g\"", "url=\"#h\"", "line 12: url is \"#h\", and nothing has this id"),
            ("<p>0 0 0 1", "<p>0 0 0 7", "line 9: there is no vertex 7; there are 4"),
            ("<p>0 0 0 1", "<p>0 0 0 x", "line 9: \"x\" is no number that can stand here"),
            ("100 0 0 0", "100 nan 0 0", "line 5: NaN is no finite number"),
            ("1 0 0 50", "1 0 0", "line 13: these are not 16 finite numbers"),
            ("<translate>0 0 100</translate>", "<lookat/>", "line 11: lookat is not supported"),
            ("<COLLADA ", "<COLLADO ", "no XML"),
            ("instance_geometry", "instance_controller", "no node has geometry"),
        ] {
            let message = parsed(&FILE.replace(from, to)).err().expect(reason).to_string();
            assert!(message.contains(reason), "{message}");
        }
        let circle = FILE.replace("<node id=\"inside\">", "<node id=\"inside\"><instance_node url=\"#inside\"/>");
        assert!(parsed(&circle).err().expect("a circle").to_string().contains("without end"));
    }
}
