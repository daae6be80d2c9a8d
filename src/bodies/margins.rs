//! How far bodies keep others away, where that counts.

use std::sync::Arc;

use super::Bodies;
use crate::exact::Margin;
use crate::query::relation_within;
use crate::shape::check::finite_length;
use crate::{Error, Relation, Result};

impl Bodies {
    /// Gives a body a margin: so far it keeps others away. It is 0 unless it is set.
    ///
    /// Margins count in queries about distances, [`overlaps`](crate::Engine::overlaps) and [`contacts`](crate::Engine::contacts) with a
    /// [`margin`](crate::Request::margin), and [`clearances`](crate::Engine::clearances): two bodies are a pair if they are no further apart than the distance of the query and the margins of
    /// both, which are added exactly. All other queries are about the shapes as they are.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([4.0, 0.0, 0.0], 1.0)?])?; // two apart
    /// let engine = Engine::new()?;
    /// bodies.set_margin(0, 1.25)?;
    /// assert!(engine.overlaps(&bodies).margin(0.0).run()?.is_empty());
    /// bodies.set_margin(1, 0.75)?;
    /// assert_eq!(engine.overlaps(&bodies).margin(0.0).run()?.len(), 1);
    /// assert!(engine.overlaps(&bodies).run()?.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](Error::NoSuchBody); [`InvalidBody`](Error::InvalidBody) if the margin is negative or not finite, and the body then keeps
    /// its own.
    pub fn set_margin(&mut self, id: u32, margin: f32) -> Result<()> {
        let i = self.check(id)?;
        finite_length("margin", margin).map_err(|reason| Error::invalid_body(i, reason))?;
        if self.margin_of(i) == margin {
            return Ok(());
        }
        let columns = Arc::make_mut(&mut self.columns);
        columns.set_margin(i, margin.abs()); // (0, not −0)
        columns.record(id..id + 1);
        Ok(())
    }

    /// How far a body keeps others away: [`set_margin`](Self::set_margin).
    ///
    /// ```
    /// # use tangency::{Bodies, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 2])?;
    /// bodies.set_margin(1, 0.5)?;
    /// assert_eq!((bodies.margin(0)?, bodies.margin(1)?), (0.0, 0.5));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](Error::NoSuchBody).
    pub fn margin(&self, id: u32) -> Result<f32> {
        Ok(self.margin_of(self.check(id)?))
    }

    /// The margins of all ids; absent if all are 0.
    pub(crate) fn margins(&self) -> Option<&[f32]> {
        (!self.columns.margins.is_empty()).then_some(&self.columns.margins)
    }

    pub(crate) fn margin_of(&self, i: usize) -> f32 {
        self.columns.margins.get(i).copied().unwrap_or_default()
    }
}

/// How near each other the bodies of a pair are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reach {
    /// They touch or overlap.
    Touching,
    /// They are no further apart than this and the margins of both.
    Within(f32),
    /// They are no further apart than this, whatever their margins.
    #[cfg(feature = "gpu")]
    Alone(f32),
}

impl Reach {
    /// The distance, if bodies of these sets may be some way apart.
    pub(crate) fn distance(self, sets: [&Bodies; 2]) -> Option<f32> {
        match self {
            Self::Within(distance) if distance > 0.0 || sets.iter().any(|set| set.margins().is_some()) => {
                Some(distance)
            }
            _ => None,
        }
    }

    /// How far apart body `i` of one set and body `j` of another may be.
    pub(crate) fn margin(self, (a, i): (&Bodies, usize), (b, j): (&Bodies, usize)) -> Margin {
        match self {
            Self::Touching => Margin::default(),
            Self::Within(distance) => Margin([distance, a.margin_of(i), b.margin_of(j)]),
            #[cfg(feature = "gpu")]
            Self::Alone(distance) => Margin([distance, 0.0, 0.0]),
        }
    }

    /// The exact relation of two bodies of which one is grown by as much as they may be apart.
    pub(crate) fn relation(self, (a, i): (&Bodies, usize), (b, j): (&Bodies, usize)) -> Relation {
        relation_within(&a.get(i), &b.get(j), self.margin((a, i), (b, j)))
    }
}
