/// What a query for pairs may be asked beyond the default.
///
/// ```
/// let options = tangency::Options::new().overlapping_only(true);
/// assert!(options.get_overlapping_only());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Options {
    overlapping_only: bool,
}

impl Options {
    /// All hits, touching ones too.
    pub fn new() -> Self {
        Self::default()
    }

    /// Leave out pairs that merely touch. In a CAD model everything stacked touches, and only overlaps are clashes.
    #[must_use]
    pub fn overlapping_only(mut self, only: bool) -> Self {
        self.overlapping_only = only;
        self
    }

    /// Whether touching pairs are left out.
    pub fn get_overlapping_only(&self) -> bool {
        self.overlapping_only
    }
}
