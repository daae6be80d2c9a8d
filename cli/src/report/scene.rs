//! The page of `overlaps --report` and `contacts --report`: bodies in 3D, and a table of their pairs.
//!
//! The viewer (`viewer/`) is plain JavaScript that takes an element and a data object, which `model.js` describes; this page is one of its users.

use std::path::Path;

use serde_json::{Value, json};
use tangency::query::ContactKind;
use tangency::shape::Shape;
use tangency::{Bodies, Contacts, Overlaps, Relation, Stats};

use super::embed::{f32s, u8s, u32s};
use super::forms::Forms;
use super::page::Page;
use crate::contacts::word;
use crate::engines::{self, Labelled};
use crate::failure::{Failure, Result};
use crate::files::{Names, Scene};
use crate::numbers::{grouped, milliseconds};
use crate::output::Target;

const STYLES: [&str; 1] = [include_str!("viewer/viewer.css")];
/// In this order: each file uses those before it.
const SCRIPTS: [&str; 12] = [
    include_str!("viewer/dom.js"),
    include_str!("viewer/hulls.js"),
    include_str!("viewer/model.js"),
    include_str!("viewer/camera.js"),
    include_str!("viewer/shaders.js"),
    include_str!("viewer/scene.js"),
    include_str!("viewer/table.js"),
    include_str!("viewer/input.js"),
    include_str!("viewer/overlay.js"),
    include_str!("viewer/panel.js"),
    include_str!("viewer/viewer.js"),
    include_str!("viewer/start.js"),
];
const BODY: &str =
    "<main id=\"view\"><noscript>This page needs JavaScript, all of which is inside it.</noscript></main>";

/// The most bytes of data that a page may hold. As text they are a third more, and browsers' strings end at 512 MiB.
const MOST_BYTES: usize = 256 << 20;

/// Kinds of contacts, by the number that stands for them.
const KINDS: [ContactKind; 6] = [
    ContactKind::Round,
    ContactKind::FaceA,
    ContactKind::FaceB,
    ContactKind::Edges,
    ContactKind::Corners,
    ContactKind::Deepest,
];

/// Bodies, and their names.
#[derive(Clone, Copy)]
pub struct Set<'a> {
    pub bodies: &'a Bodies,
    pub names: &'a Names,
}

impl<'a> Set<'a> {
    pub fn of(scene: &'a Scene) -> Self {
        Self { bodies: &scene.bodies, names: &scene.names }
    }
}

pub struct SceneReport<'a> {
    pub title: String,
    pub facts: Vec<(&'static str, String)>,
    pub first: Set<'a>,
    /// The other set, where pairs are those between two.
    pub second: Option<Set<'a>>,
    pub pairs: &'a Overlaps,
    pub contacts: Option<&'a Contacts>,
}

/// The page's title: what it shows, of which files.
pub fn title(what: &str, inputs: &[&Path]) -> String {
    let name = |path: &&Path| {
        path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
    };
    format!("{what} of {}", inputs.iter().map(name).collect::<Vec<_>>().join(" with "))
}

/// What a page tells about its answer: how many bodies, which engines gave it, and how long the last of them took.
pub fn facts(bodies: usize, engines: &[Labelled], stats: &Stats) -> Vec<(&'static str, String)> {
    let answered = if engines::different(engines) < 2 { "answered by" } else { "identical on" };
    let last = engines.last().map_or_else(String::new, Labelled::name);
    vec![
        ("bodies", grouped(bodies as u64)),
        (answered, engines::names(engines)),
        ("time", format!("{} ms on {last}", milliseconds(stats.total()))),
    ]
}

impl SceneReport<'_> {
    pub fn write(&self, target: Target) -> Result<()> {
        let bytes = self.bytes();
        if bytes > MOST_BYTES {
            return Err(Failure::Usage(format!(
                "--report: {} MiB of bodies and pairs are more than the {} MiB that a browser can be expected to open; \
                 leave out --report, or take a part of the scene",
                grouped((bytes >> 20) as u64),
                MOST_BYTES >> 20
            )));
        }
        let data = self.data()?;
        let (title, facts) = (self.title.clone(), self.facts.clone());
        let page = Page {
            title,
            kind: "scene",
            facts,
            styles: &STYLES,
            body: BODY.to_owned(),
            data: &data,
            scripts: &SCRIPTS,
        };
        target.write(|out| page.write(out))
    }

    fn sets(&self) -> impl Iterator<Item = Set<'_>> {
        std::iter::once(self.first).chain(self.second)
    }

    /// About as many bytes as the data have.
    fn bytes(&self) -> usize {
        let bodies: usize = self.sets().map(|set| 45 * set.bodies.len() + set.names.bytes()).sum();
        let forms: usize = self.sets().map(|set| Forms::bytes(set.bodies)).sum();
        let points = self.contacts.map_or(0, |found| found.manifolds().iter().map(|one| one.points().len()).sum());
        bodies + forms + 9 * self.pairs.len() + self.contacts.map_or(0, |found| 21 * found.len()) + 20 * points
    }

    /// The data object of the viewer.
    fn data(&self) -> Result<Value> {
        let (mut bodies, mut forms) = (Vec::new(), Forms::default());
        for set in self.sets() {
            for id in 0..set.bodies.len() as u32 {
                bodies.push((numbers(&set.bodies.shape(id)?, &mut forms)?, set.bodies.traits(id)?.world));
            }
        }
        let relation = |relation: Relation| relation as u8;
        let mut data = json!({
            "first": self.first.bodies.len(),
            "second": self.second.map_or(0, |set| set.bodies.len()),
            "kinds": u8s(bodies.iter().map(|((kind, _), _)| *kind)),
            "shapes": f32s(bodies.iter().flat_map(|((_, numbers), _)| *numbers)),
            "names": self.names(),
            "a": u32s(self.pairs.iter().map(|(a, _, _)| a)),
            "b": u32s(self.pairs.iter().map(|(_, b, _)| b)),
            "relations": u8s(self.pairs.iter().map(|(_, _, of)| relation(of))),
        });
        if bodies.iter().any(|(_, world)| *world != 0) {
            data["worlds"] = u32s(bodies.iter().map(|(_, world)| *world));
        }
        if !forms.is_empty() {
            data["hulls"] = forms.data();
        }
        if let Some(contacts) = self.contacts {
            data["contacts"] = contact_data(contacts);
        }
        Ok(data)
    }

    /// A name for each body, or none at all.
    fn names(&self) -> Vec<&str> {
        if self.sets().all(|set| set.names.is_empty()) {
            return Vec::new();
        }
        self.sets().flat_map(|set| (0..set.bodies.len() as u32).map(move |id| set.names.get(id))).collect()
    }
}

/// A body's kind and its ten numbers. Shapes that are none of these, which no file holds today, are shown as their bounds. The form of a hull is
/// added to the others if it is new.
fn numbers(shape: &Shape, forms: &mut Forms) -> Result<(u8, [f32; 10])> {
    let mut out = [0.0; 10];
    let mut put = |parts: &[&[f32]]| {
        for (place, value) in out.iter_mut().zip(parts.concat()) {
            *place = value;
        }
    };
    let kind = match shape {
        Shape::Sphere(ball) => {
            put(&[&ball.center().to_array(), &[ball.radius()]]);
            0
        }
        Shape::Obb(obb) => {
            put(&[&obb.center().to_array(), &obb.half_extents().to_array(), &obb.rotation().to_array()]);
            2
        }
        Shape::Capsule(capsule) => {
            put(&[&capsule.a().to_array(), &capsule.b().to_array(), &[capsule.radius()]]);
            3
        }
        Shape::Plane(plane) => {
            put(&[&plane.normal().to_array(), &[plane.offset()]]);
            4
        }
        Shape::ConvexHull(hull) => {
            let pose = hull.pose();
            let form = forms.number(hull) as f32;
            put(&[&pose.position().to_vec3().to_array(), &pose.rotation().to_array(), &[form]]);
            5
        }
        other => {
            let bounds = other.aabb().ok_or_else(|| Failure::Usage("--report: a body has no bounds".to_owned()))?;
            put(&[&bounds.min().to_array(), &bounds.max().to_array()]);
            1
        }
    };
    Ok((kind, out))
}

fn contact_data(contacts: &Contacts) -> Value {
    let all = contacts.manifolds();
    let mut offsets = vec![0];
    for one in all {
        offsets.push(offsets[offsets.len() - 1] + one.points().len() as u32);
    }
    let points = || all.iter().flat_map(tangency::Manifold::points);
    let kind = |kind| KINDS.iter().position(|known| *known == kind).unwrap_or(0) as u8;
    json!({
        "normals": f32s(all.iter().flat_map(|one| one.normal().to_array())),
        "depths": f32s(all.iter().map(tangency::Manifold::depth)),
        "kinds": u8s(all.iter().map(|one| kind(one.kind()))),
        "words": KINDS.map(word),
        "offsets": u32s(offsets.into_iter()),
        "points": f32s(points().flat_map(|point| [&point.on_b.to_array()[..], &[point.depth]].concat())),
        "features": u32s(points().map(|point| point.feature.0)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tangency::shape::{Aabb, Sphere};
    use tangency::{BackendKind, Engine};

    const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&<!--";

    /// The page of three bodies with these names, from a file of this name.
    fn page(file: &str, given: &[&str]) -> String {
        let mut names = Names::default();
        given.iter().enumerate().for_each(|(id, name)| names.push(id, name));
        let mut bodies = Bodies::new();
        bodies.push(Aabb::new([0.0; 3], [1.0; 3]).unwrap()).unwrap();
        bodies.push(Sphere::new([2.0, 0.5, 0.5], 1.0).unwrap()).unwrap();
        bodies.push(Sphere::new([9.0, 0.0, 0.0], 1.0).unwrap()).unwrap();
        let engine = Engine::builder().backend(BackendKind::Cpu).threads(1).build().unwrap();
        let found = engine.overlaps(&bodies).run().unwrap();
        let report = SceneReport {
            title: title("Pairs", &[Path::new(file)]),
            facts: vec![("answered by", file.to_owned())],
            first: Set { bodies: &bodies, names: &names },
            second: None,
            pairs: &found,
            contacts: None,
        };
        let path = std::env::temp_dir().join(format!(
            "tangency-scene-{}-{:?}.html",
            std::process::id(),
            std::thread::current().id()
        ));
        report.write(Target::open(Some(&path), &[]).unwrap()).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        text
    }

    #[test]
    fn hostile_names_are_only_text() {
        let text = page(HOSTILE, &[HOSTILE, "plain", ""]);
        assert_eq!((text.matches("<script").count(), text.matches("</script>").count()), (2, 2));
        assert!(!text.contains("<img") && !text.contains("<!--") && !text.contains("alert(1)</"));
        // The data are what they were.
        let (_, data) = text.split_once("id=\"data\">").unwrap();
        let data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
        assert_eq!(data["names"], json!([HOSTILE, "plain", ""]));
        assert_eq!((&data["first"], &data["second"]), (&json!(3), &json!(0)));
        assert!(data["worlds"].is_null() && data["contacts"].is_null());
    }

    #[test]
    fn a_page_without_names_has_none() {
        assert!(page("x.csv", &[]).contains("\"names\":[]"));
    }

    #[test]
    fn each_kind_has_its_number() {
        use tangency::glam::Quat;
        use tangency::shape::{Capsule, Obb, Plane};
        let numbers = |shape: &Shape| numbers(shape, &mut Forms::default());
        let limb = Capsule::new([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], 0.5).unwrap();
        assert_eq!(numbers(&limb.into()).unwrap(), (3, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.5, 0.0, 0.0, 0.0]));
        let crate_ = Obb::new([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], Quat::from_xyzw(0.0, 0.0, 0.0, 2.0)).unwrap();
        assert_eq!(numbers(&crate_.into()).unwrap().0, 2);
        let floor = Plane::new([0.0, 2.0, 0.0], 6.0).unwrap();
        assert_eq!(numbers(&floor.into()).unwrap(), (4, [0.0, 2.0, 0.0, 6.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]));
        assert_eq!(numbers(&limb.aabb().into()).unwrap().0, 1);
        assert_eq!(numbers(&Sphere::new([0.0; 3], 1.0).unwrap().into()).unwrap().0, 0);
    }

    /// A page has every script that the viewer has, and loads nothing.
    #[test]
    fn a_page_is_whole() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/report/viewer");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let text = page("x.csv", &[]);
        for file in files {
            assert!(text.contains(&std::fs::read_to_string(&file).unwrap()), "{}", file.display());
        }
        for loaded in ["http:", "https:", "src=", "href=", "url(", "@import", "import(", "fetch("] {
            assert!(!text.contains(loaded), "{loaded}");
        }
    }
}
