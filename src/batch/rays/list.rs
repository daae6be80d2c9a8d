//! The rays of a query, with their last times and traits.

use std::borrow::Cow;

use crate::cast::Shot;
use crate::lanes::prefetch;
use crate::shape::Ray;
use crate::{Error, Result, Traits};

/// One value for all rays, or one for each.
#[derive(Clone, Debug)]
pub(super) enum PerRay<'a, T: Clone> {
    Same(T),
    Each(Cow<'a, [T]>),
}

impl<T: Clone + Copy> PerRay<'_, T> {
    fn get(&self, ray: usize) -> T {
        match self {
            Self::Same(value) => *value,
            Self::Each(values) => values[ray],
        }
    }

    fn into_owned(self) -> PerRay<'static, T> {
        match self {
            Self::Same(value) => PerRay::Same(value),
            Self::Each(values) => PerRay::Each(Cow::Owned(values.into_owned())),
        }
    }

    fn check(&self, what: &'static str, rays: usize) -> Result<()> {
        match self {
            Self::Each(values) if values.len() != rays => {
                Err(Error::WrongCount { what, found: values.len(), expected: rays })
            }
            _ => Ok(()),
        }
    }
}

/// The rays of a query, with their last times and traits.
#[derive(Clone, Debug)]
pub(crate) struct Rays<'a> {
    list: Cow<'a, [Ray]>,
    pub(super) limits: PerRay<'a, f32>,
    pub(super) traits: PerRay<'a, Traits>,
}

impl<'a> Rays<'a> {
    /// Half-lines with the usual traits.
    pub(crate) fn new(rays: &'a [Ray]) -> Self {
        Self { list: rays.into(), limits: PerRay::Same(f32::INFINITY), traits: PerRay::Same(Traits::new()) }
    }

    pub(super) fn into_owned(self) -> Rays<'static> {
        Rays {
            list: Cow::Owned(self.list.into_owned()),
            limits: self.limits.into_owned(),
            traits: self.traits.into_owned(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn shot(&self, ray: usize) -> Shot {
        Shot::new(&self.list[ray], self.limits.get(ray))
    }

    /// Asks for a ray that is looked at soon.
    pub(crate) fn prefetch(&self, ray: usize) {
        prefetch(&self.list[ray]);
    }

    /// Where a ray is after about so long a way, and the signs of its direction as bits. (Rays from one place differ by where they go.)
    pub(crate) fn on_the_way(&self, ray: usize, way: f32) -> ([f32; 3], u32) {
        let (origin, direction) = (self.list[ray].origin(), self.list[ray].direction());
        let place = origin + direction * (way / direction.abs().max_element());
        (place.to_array(), direction.is_negative_bitmask())
    }

    pub(crate) fn traits(&self, ray: usize) -> Traits {
        self.traits.get(ray)
    }

    /// The traits that all rays have in common, if they were given so.
    #[cfg(feature = "gpu")]
    pub(in crate::batch) fn common_traits(&self) -> Option<Traits> {
        match self.traits {
            PerRay::Same(traits) => Some(traits),
            PerRay::Each(_) => None,
        }
    }

    pub(super) fn check(&self) -> Result<()> {
        self.limits.check("last times", self.len())?;
        self.traits.check("traits", self.len())?;
        let invalid = |index: usize, reason: Error| Error::InvalidRay { index, reason: Box::new(reason) };
        for (index, ray) in self.list.iter().enumerate() {
            ray.validate().map_err(|reason| invalid(index, reason))?;
        }
        let check = |index: usize, time: f32| match time {
            time if time.is_nan() => Err(invalid(index, Error::NotFinite { field: "until", value: time })),
            time if time < 0.0 => Err(invalid(index, Error::Negative { field: "until", value: time })),
            _ => Ok(()),
        };
        match &self.limits {
            PerRay::Same(time) => check(0, *time),
            PerRay::Each(times) => times.iter().enumerate().try_for_each(|(index, time)| check(index, *time)),
        }
    }
}
