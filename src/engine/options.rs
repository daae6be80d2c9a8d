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
    ///
    /// ```
    /// # use tangency::Options;
    /// assert!(!Options::new().get_overlapping_only());
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Leave out pairs that merely touch. In a CAD model everything stacked touches, and only overlaps are clashes.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Options, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([2.0, 0.0, 0.0], 1.0)?])?; // touching
    /// let clashes = Engine::new()?.overlaps_with(&bodies, &Options::new().overlapping_only(true))?;
    /// assert!(clashes.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    #[must_use]
    pub fn overlapping_only(mut self, only: bool) -> Self {
        self.overlapping_only = only;
        self
    }

    /// Whether touching pairs are left out.
    ///
    /// ```
    /// # use tangency::Options;
    /// assert!(Options::new().overlapping_only(true).get_overlapping_only());
    /// ```
    pub fn get_overlapping_only(&self) -> bool {
        self.overlapping_only
    }
}
