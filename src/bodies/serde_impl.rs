//! Reading and writing sets of bodies. What is read is validated like any other input.

use glam::DVec3;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::{Bodies, Traits};
use crate::shape::{Shape, Sphere};

/// A body; `null` stands for a hole.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Body", deny_unknown_fields)]
struct Entry {
    shape: Shape,
    #[serde(default)]
    traits: Traits,
    #[serde(default = "yes")]
    enabled: bool,
    #[serde(default)]
    margin: f32,
}

fn yes() -> bool {
    true
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Bodies", deny_unknown_fields)]
struct Fields {
    /// By id.
    bodies: Vec<Option<Entry>>,
    #[serde(default)]
    excluded: Vec<(u32, u32)>,
    #[serde(default)]
    shared: Vec<Shape>,
    #[serde(default)]
    origin: DVec3,
}

impl Serialize for Bodies {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let entry = |id: u32| {
            let (shape, traits) = (self.shape(id).ok()?, self.traits(id).ok()?);
            Some(Entry { shape, traits, enabled: self.is_enabled(id).ok()?, margin: self.margin_of(id as usize) })
        };
        let fields = Fields {
            bodies: (0..self.id_bound() as u32).map(entry).collect(),
            excluded: self.excluded(),
            shared: self.columns.shared.clone(),
            origin: self.origin(),
        };
        fields.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Bodies {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Fields { bodies, excluded, shared, origin } = Fields::deserialize(deserializer)?;
        let mut set = Self::with_origin(origin).map_err(D::Error::custom)?;
        let (mut disabled, mut holes, mut margins) = (Vec::new(), Vec::new(), Vec::new());
        let entries = (0..).zip(bodies).map(|(id, entry): (u32, Option<Entry>)| {
            let Some(entry) = entry else {
                holes.push(id);
                return (Sphere::default().into(), Traits::new());
            };
            if !entry.enabled {
                disabled.push(id);
            }
            if entry.margin != 0.0 {
                margins.push((id, entry.margin));
            }
            (entry.shape, entry.traits)
        });
        set.extend_with(entries).map_err(D::Error::custom)?;
        for (id, margin) in margins {
            set.set_margin(id, margin).map_err(D::Error::custom)?;
        }
        for id in disabled {
            set.disable(id).map_err(D::Error::custom)?;
        }
        for id in holes {
            set.remove(id).map_err(D::Error::custom)?;
        }
        for (a, b) in excluded {
            set.exclude(a, b).map_err(D::Error::custom)?;
        }
        for shape in shared {
            set.share(shape).map_err(D::Error::custom)?;
        }
        Ok(set)
    }
}
