//! The same three cubes in every format: two that touch, and one apart from them.

/// Lower corners of the cubes, whose edges are 1.
pub const CUBES: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [4.0, 0.0, 0.0]];
pub const NAMES: [&str; 3] = ["left", "right", "apart"];
pub const PAIRS: &str = "a,b,relation\n0,1,1\n";
pub const NAMED_PAIRS: &str = "a,b,relation,name_a,name_b\n0,1,1,left,right\n";

fn corners(low: [f32; 3]) -> impl Iterator<Item = [f32; 3]> {
    (0..8).map(move |k| [0, 1, 2].map(|axis| low[axis] + (k >> axis & 1) as f32))
}

pub fn csv() -> String {
    let line =
        |([x, y, z], name): ([f32; 3], &str)| format!("aabb,{x},{y},{z},{},{},{},{name}\n", x + 1.0, y + 1.0, z + 1.0);
    "kind,cx,cy,cz,ex,ey,ez,name\n".to_owned() + &CUBES.into_iter().zip(NAMES).map(line).collect::<String>()
}

pub fn obj() -> String {
    let cube = |(k, low): (usize, [f32; 3])| {
        let vertices = corners(low).map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect::<Vec<_>>().concat();
        format!("o {}\n{vertices}f -8 -7 -6\nf -5/1 -4/2 -3/3\nf -2 -1 -8\n", NAMES[k])
    };
    CUBES.into_iter().enumerate().map(cube).collect()
}

/// Eight corners in three triangles.
fn triangles(low: [f32; 3]) -> Vec<[f32; 3]> {
    let corners: Vec<_> = corners(low).collect();
    [0, 1, 2, 3, 4, 5, 6, 7, 0].map(|k| corners[k]).to_vec()
}

pub fn stl() -> String {
    let solid = |(low, name): ([f32; 3], &str)| {
        let corners: Vec<String> = triangles(low).iter().map(|[x, y, z]| format!("vertex {x} {y} {z}\n")).collect();
        let facets = corners
            .chunks(3)
            .map(|three| format!("facet normal 0 0 1\nouter loop\n{}endloop\nendfacet\n", three.concat()))
            .collect::<Vec<_>>()
            .concat();
        format!("solid {name}\n{facets}endsolid {name}\n")
    };
    CUBES.into_iter().zip(NAMES).map(solid).collect()
}

/// One solid: the first cube.
pub fn binary_stl() -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes.extend(3_u32.to_le_bytes());
    for triangle in triangles(CUBES[0]).chunks(3) {
        bytes.extend([0; 12]);
        bytes.extend(triangle.iter().flatten().flat_map(|x| x.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

pub fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes(), data].concat()
}

pub fn cubes_npy() -> Vec<u8> {
    let rows = CUBES.iter().flat_map(|low| [*low, low.map(|x| x + 1.0)]).flatten();
    npy("<f8", "(3, 6)", &rows.flat_map(|x| f64::from(x).to_le_bytes()).collect::<Vec<u8>>())
}

/// An archive of members that are stored.
pub fn npz(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let crc = |bytes: &[u8]| {
        !bytes.iter().fold(!0_u32, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 })
        })
    };
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in members {
        let name = format!("{name}.npy");
        let size = (content.len() as u32).to_le_bytes();
        let common = [
            &[20, 0, 0, 0, 0, 0, 0, 0, 0, 0][..],
            &crc(content).to_le_bytes(),
            &size,
            &size,
            &[name.len() as u8, 0, 0, 0],
        ]
        .concat();
        directory.push(
            [b"PK\x01\x02\x14\x00", &common[..], &[0; 10], &(out.len() as u32).to_le_bytes(), name.as_bytes()].concat(),
        );
        out.extend([b"PK\x03\x04", &common[..], name.as_bytes(), content].concat());
    }
    let (count, start, directory) = (members.len() as u8, out.len() as u32, directory.concat());
    let sizes = [(directory.len() as u32).to_le_bytes(), start.to_le_bytes()].concat();
    [&out[..], &directory, b"PK\x05\x06\x00\x00\x00\x00", &[count, 0, count, 0], &sizes, &[0, 0]].concat()
}

/// The cubes as boxes with a name each.
pub fn cubes_npz() -> Vec<u8> {
    let half = |low: &[f32; 3]| [&low.map(|x| x + 0.5)[..], &[0.5, 0.5, 0.5, 0.0, 0.0, 0.0, 1.0]].concat();
    let boxes: Vec<u8> = CUBES.iter().flat_map(half).flat_map(f32::to_le_bytes).collect();
    let letters = |name: &str| name.chars().chain(std::iter::repeat('\0')).take(5).map(u32::from).collect::<Vec<_>>();
    let names: Vec<u8> = NAMES.iter().flat_map(|name| letters(name)).flat_map(u32::to_le_bytes).collect();
    npz(&[("obbs", npy("<f4", "(3, 10)", &boxes)), ("names", npy("<U5", "(3,)", &names))])
}

/// One cube about its middle, and three nodes: moved, moved by two nodes, and moved by a matrix.
pub fn gltf(uri: &str) -> String {
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0, 1, 3]}}],
        "nodes": [{{"mesh": 0, "name": "left", "translation": [0.5, 0.5, 0.5]}}, {{"children": [2], "translation": [1, 0, 0.5]}},
        {{"mesh": 0, "name": "right", "translation": [0.5, 0.5, 0], "scale": [1, -1, 1]}},
        {{"mesh": 0, "name": "apart", "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4.5, 0.5, 0.5, 1]}}],
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "indices": 1}}]}}],
        "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 9, "type": "VEC3"}},
        {{"bufferView": 1, "componentType": 5121, "count": 8, "type": "SCALAR"}}],
        "bufferViews": [{{"buffer": 0, "byteLength": 108}}, {{"buffer": 0, "byteOffset": 108, "byteLength": 8}}],
        "buffers": [{{{uri}"byteLength": 116}}]}}"#
    )
}

/// Nine positions, the last of which nothing uses, and eight indices.
pub fn gltf_buffer() -> Vec<u8> {
    let positions = corners([-0.5; 3]).chain([[99.0; 3]]).flatten().flat_map(f32::to_le_bytes);
    positions.chain(0..8).collect()
}

pub fn glb() -> Vec<u8> {
    let (mut json, bin) = (gltf("").into_bytes(), gltf_buffer());
    json.resize(json.len().next_multiple_of(4), b' ');
    let chunk = |kind: &[u8; 4], data: &[u8]| [&(data.len() as u32).to_le_bytes()[..], kind, data].concat();
    let chunks = [chunk(b"JSON", &json), chunk(b"BIN\0", &bin)].concat();
    [b"glTF\x02\x00\x00\x00", &(12 + chunks.len() as u32).to_le_bytes()[..], &chunks].concat()
}

/// Three boxes on a base without a body, so that none is next to another.
pub fn urdf() -> String {
    let link = |(low, name): ([f32; 3], &str)| {
        let [x, y, z] = low.map(|x| x + 0.5);
        format!(
            "<link name='{name}'><collision><origin xyz='0.25 0 0'/><geometry><box size='1 1 1'/></geometry></collision></link>\n\
             <joint name='to {name}' type='fixed'><parent link='base'/><child link='{name}'/><origin xyz='{} {y} {z}'/></joint>\n",
            x - 0.25
        )
    };
    let links: String = CUBES.into_iter().zip(NAMES).map(link).collect();
    format!("<?xml version='1.0'?>\n<robot name='three'>\n<link name='base'/>\n{links}</robot>\n")
}

/// Every format of several bodies: how its files end, and the bytes of one.
pub fn all() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("csv", csv().into_bytes()),
        ("npy", cubes_npy()),
        ("npz", cubes_npz()),
        ("obj", obj().into_bytes()),
        ("stl", stl().into_bytes()),
        (
            "gltf",
            gltf(&format!(r#""uri": "data:application/octet-stream;base64,{}", "#, base64(&gltf_buffer())))
                .into_bytes(),
        ),
        ("glb", glb()),
        ("urdf", urdf().into_bytes()),
    ]
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, k| bits << 8 | u32::from(*three.get(k).unwrap_or(&0)));
        for k in 0..4 {
            out.push(if k <= three.len() { DIGITS[(bits >> (18 - 6 * k) & 63) as usize].into() } else { '=' });
        }
    }
    out
}
