//! The names of bodies.

/// One name for each body, by id, in one piece of memory; most scenes have none.
#[derive(Default)]
pub struct Names {
    text: String,
    /// Where the name of each body ends. May be shorter than there are bodies: the others have no name.
    ends: Vec<usize>,
}

impl Names {
    /// Whether no body has a name.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// How long all names are together.
    pub fn bytes(&self) -> usize {
        self.text.len()
    }

    /// The name of a body; empty if it has none.
    pub fn get(&self, id: u32) -> &str {
        let id = id as usize;
        let Some(&end) = self.ends.get(id) else { return "" };
        let start = if id == 0 { 0 } else { self.ends[id - 1] };
        &self.text[start..end]
    }

    /// Names a body. Bodies before it that were not named have no name.
    pub fn push(&mut self, id: usize, name: &str) {
        if name.is_empty() {
            return;
        }
        self.ends.resize(id, self.text.len());
        self.text.push_str(name);
        self.ends.push(self.text.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_between_have_no_name() {
        let mut names = Names::default();
        names.push(0, "");
        assert!(names.is_empty());
        names.push(2, "door");
        names.push(3, "sill");
        names.push(5, "ä");
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(|id| names.get(id)), ["", "", "door", "sill", "", "ä", ""]);
    }
}
