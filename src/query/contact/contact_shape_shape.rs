use super::{Contact, ContactWith};
use crate::Result;
use crate::query::by_kind::{by_kind, unsupported};
use crate::shape::Shape;

impl ContactWith<Self> for Shape {
    type Answer = Result<Option<Contact>>;

    /// [`Unsupported`](crate::Error::Unsupported) for two planes.
    fn contact(&self, other: &Self) -> Result<Option<Contact>> {
        by_kind!(self, |a| by_kind!(other, |b| Ok(a.contact(b))), |a| by_kind!(other, |b| Ok(a.contact(b)), |_plane| {
            unsupported("contact", self, other)
        }))
    }
}
