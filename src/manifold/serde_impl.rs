//! Reading and writing contacts.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::Manifold;
use crate::query::ContactKind;

/// A contact as it is written.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Manifold", deny_unknown_fields)]
struct Written {
    a: u32,
    b: u32,
    normal: [f32; 3],
    depth: f32,
    kind: ContactKind,
    points: Vec<Point>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Point {
    on_b: [f32; 3],
    depth: f32,
    feature: u32,
}

impl Serialize for Manifold {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let points = self
            .points()
            .map(|point| Point { on_b: point.on_b.into(), depth: point.depth, feature: point.feature.0 })
            .collect();
        let (normal, depth) = (self.normal().into(), self.depth());
        Written { a: self.a(), b: self.b(), normal, depth, kind: self.kind(), points }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Manifold {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = Written::deserialize(deserializer)?;
        let finite =
            |numbers: [f32; 3], depth: f32| depth >= 0.0 && (numbers[0] + numbers[1] + numbers[2] + depth).is_finite();
        let kind = written.kind as u32;
        let right = (1..=4).contains(&written.points.len())
            && finite(written.normal, written.depth)
            && written.points.iter().all(|point| finite(point.on_b, point.depth) && point.feature >> 24 == kind);
        if !right {
            return Err(D::Error::custom(
                "a contact has one to four points, finite numbers, depths that are not negative, and features of its kind",
            ));
        }
        let mut found = Self::new((written.a, written.b), written.normal, written.depth, kind);
        for Point { on_b: [x, y, z], depth, feature } in written.points {
            found.push([x, y, z, depth], feature & 0x00ff_ffff);
        }
        Ok(found)
    }
}
