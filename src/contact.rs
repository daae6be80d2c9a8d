//! How any two shapes meet, or are apart: what `Engine::contacts` returns of a pair that is computed alone.
//!
//! Contacts of bodies that meet are those of `manifold`; those of hulls, and of bodies that are apart, need the search for distances too (`near`).
//! What is outside the domain of both is for the scalar functions, on every backend alike.

use crate::manifold::{Frame, Known, Manifold, manifold};
use crate::near::{approach, approach_of_shapes, hull};
use crate::query::contact;
use crate::shape::Shape;
use crate::shape::kinds::BodyShape;

/// How two shapes meet or are apart: by deterministic arithmetic, or outside its domain by the scalar functions.
pub(crate) fn manifold_or_scalar(
    a: (u32, &Frame, &BodyShape<'_>),
    b: (u32, &Frame, &BodyShape<'_>),
    known: Known,
    most: u32,
) -> Manifold {
    let found = if a.1.is_hull() || b.1.is_hull() {
        hull::manifold((a.0, &hull::Body::of(a.1, a.2)), (b.0, &hull::Body::of(b.1, b.2)), known, most)
    } else {
        let found = manifold((a.0, a.1), (b.0, b.1), known, most);
        match known {
            Known::Meet(_) => found,
            Known::Within(_) => found.and_then(|contact| approach(&contact, a.1, b.1)),
        }
    };
    found.unwrap_or_else(|| by_scalar((a.0, a.2), (b.0, b.2), known, most))
}

/// How two shapes meet or are apart, by the scalar functions.
fn by_scalar(a: (u32, &BodyShape<'_>), b: (u32, &BodyShape<'_>), known: Known, most: u32) -> Manifold {
    let found = contact(&Shape::from(*a.1), &Shape::from(*b.1)).ok().flatten();
    let are_half_spaces = matches!((a.1, b.1), (BodyShape::Plane(_), BodyShape::Plane(_)));
    match known {
        // (Two half-spaces have no contact.)
        Known::Within(_) if found.is_none() && !are_half_spaces => approach_of_shapes(a, b),
        _ => Manifold::of_scalar((a.0, b.0), found.as_ref(), most),
    }
}
