//! The names of the two bodies of a pair, as two more columns of a table.

use super::table::{Cell, Column, Type};
use super::{Names, Scene};

/// The names of bodies a, and of bodies b: of one scene, or of two.
pub struct PairNames<'a> {
    a: &'a Names,
    b: &'a Names,
}

impl<'a> PairNames<'a> {
    pub fn new(scene: &'a Scene, other: Option<&'a Scene>) -> Self {
        Self { a: &scene.names, b: other.map_or(&scene.names, |other| &other.names) }
    }

    pub fn is_empty(&self) -> bool {
        self.a.is_empty() && self.b.is_empty()
    }

    pub fn of(&self, a: u32, b: u32) -> [&'a str; 2] {
        [self.a.get(a), self.b.get(b)]
    }

    /// The columns with two more.
    pub fn columns<const N: usize, const M: usize>(columns: [Column; N]) -> [Column; M] {
        let names = ["name_a", "name_b"];
        std::array::from_fn(|k| columns.get(k).copied().unwrap_or_else(|| (names[k - N], Type::Text)))
    }

    /// The row, whose first two cells are the bodies, with two more.
    pub fn row<const N: usize, const M: usize>(&self, row: [Cell<'a>; N]) -> [Cell<'a>; M] {
        let id = |cell| if let Cell::Whole(id) = cell { id } else { u32::MAX };
        let names = self.of(id(row[0]), id(row[1]));
        std::array::from_fn(|k| row.get(k).copied().unwrap_or_else(|| Cell::Text(names[k - N])))
    }
}
