//! Going through the bodies of a set.

use super::{Bodies, Traits};
use crate::shape::Shape;

/// A body of a set, as [`Bodies::iter`] returns it.
///
/// ```
/// use tangency::{Bodies, shape::Sphere};
///
/// let mut bodies = Bodies::new();
/// bodies.push(Sphere::new([0.0; 3], 1.0)?)?;
/// let body = bodies.iter().next().expect("there is one");
/// assert_eq!((body.id, body.shape.kind(), body.enabled), (0, "sphere", true));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Body {
    /// Its id.
    pub id: u32,
    /// Its shape, where the body is.
    pub shape: Shape,
    /// Its traits.
    pub traits: Traits,
    /// Whether it takes part in queries.
    pub enabled: bool,
    /// Its [margin](Bodies::set_margin).
    pub margin: f32,
}

/// The bodies of a set, by ascending ids: [`Bodies::iter`].
///
/// ```
/// # use tangency::{Bodies, shape::Sphere};
/// let mut bodies = Bodies::new();
/// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
/// let iter: tangency::bodies::Iter<'_> = bodies.iter();
/// assert_eq!(iter.len(), 3);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    bodies: &'a Bodies,
    next: u32,
    left: usize,
}

impl Bodies {
    /// The bodies, by ascending ids. Holes are left out.
    ///
    /// ```
    /// # use tangency::{Bodies, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 4])?;
    /// bodies.remove(1)?;
    /// assert_eq!(bodies.iter().map(|body| body.id).collect::<Vec<_>>(), [0, 2, 3]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn iter(&self) -> Iter<'_> {
        Iter { bodies: self, next: 0, left: self.len() }
    }
}

impl Iterator for Iter<'_> {
    type Item = Body;

    fn next(&mut self) -> Option<Body> {
        let id = (self.next..self.bodies.id_bound() as u32).find(|id| self.bodies.contains(*id))?;
        self.next = id + 1;
        self.left -= 1;
        let (columns, i) = (&self.bodies.columns, id as usize);
        Some(Body {
            id,
            shape: self.bodies.get(i).into(),
            traits: columns.traits[i],
            enabled: columns.enabled[i],
            margin: self.bodies.margin_of(i),
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Iter<'_> {}
impl std::iter::FusedIterator for Iter<'_> {}

impl<'a> IntoIterator for &'a Bodies {
    type Item = Body;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}
