//! The one error type of the library.

/// Everything that can go wrong, with the offending value and what to do about it.
///
/// ```
/// use tangency::{Error, shape::Sphere};
///
/// let error = Sphere::new([0.0, 0.0, 0.0], -1.0).unwrap_err();
/// assert_eq!(error, Error::Negative { field: "radius", value: -1.0 });
/// assert_eq!(error.to_string(), "radius is -1; it must be zero or more");
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number is NaN or infinite, or a sum of finite numbers left the range of `f32`.
    #[error("{field} is {value}; it must be a finite number")]
    NotFinite {
        /// The field, with the component: `center.x`.
        field: &'static str,
        /// What was found there.
        value: f32,
    },
    /// A length is below zero.
    #[error("{field} is {value}; it must be zero or more")]
    Negative {
        /// The field, with the component: `half_extents.z`.
        field: &'static str,
        /// What was found there.
        value: f32,
    },
    /// A number that must be above zero and is not.
    #[error("{field} is {value}; it must be above zero")]
    NotPositive {
        /// The field: `mass`.
        field: &'static str,
        /// What was found there.
        value: f32,
    },
    /// A box whose minimum lies above its maximum.
    #[error("min.{axis} is {min}, which is above max.{axis} = {max}; swap them")]
    Reversed {
        /// `x`, `y` or `z`.
        axis: char,
        /// The minimum that was given.
        min: f32,
        /// The maximum that was given.
        max: f32,
    },
    /// A quaternion of length zero, which is no rotation. Any other length is fine.
    #[error("rotation is (0, 0, 0, 0), which is no rotation; the identity is (0, 0, 0, 1)")]
    ZeroRotation,
    /// A plane whose normal is zero. Any other length is fine.
    #[error("normal is (0, 0, 0), which has no direction; give any non-zero normal")]
    ZeroNormal,
    /// Points from which a shape was to be made, and there are none.
    #[error("there are no points to bound; give at least one, or start from Aabb::EMPTY and merge")]
    NoPoints,
    /// Points that lie on one line, through which no plane is determined.
    #[error("the three points lie on one line (or so nearly that no normal can be formed from them)")]
    CollinearPoints,
    /// The empty box, where a shape with at least one point is needed.
    #[error("the box is empty (Aabb::EMPTY); a shape with at least one point is needed")]
    EmptyBox,
    /// A ray or line whose direction is zero. Any other length is fine.
    #[error("direction is (0, 0, 0), which has no direction; give any non-zero vector")]
    ZeroDirection,
    /// Fewer points than the shape has at least.
    #[error("there are {found} points; at least {needed} are needed")]
    TooFewPoints {
        /// How many the shape needs.
        needed: usize,
        /// How many were given.
        found: usize,
    },
    /// A polygon whose border crosses or touches itself.
    #[error("edges {first} and {second} of the polygon meet; split it where its border crosses or touches itself")]
    NotSimple {
        /// The edge from the corner of this number to the next.
        first: usize,
        /// Another edge that has a point in common with it.
        second: usize,
    },
    /// A query that has no answer for these two kinds of shapes.
    #[error("{query} has no answer for {a} and {b}; see query::dispatch for the pairs that have one")]
    Unsupported {
        /// The query: `contact`.
        query: &'static str,
        /// The kind of the first shape: `plane`.
        a: &'static str,
        /// The kind of the second shape.
        b: &'static str,
    },
    /// A body with an invalid shape.
    #[error("body {index}: {reason}")]
    InvalidBody {
        /// The id that the body has, or would have got.
        index: usize,
        /// What is wrong with its shape.
        #[source]
        reason: Box<Error>,
    },
    /// An id beyond the end of a set.
    #[error("there is no body {index}: the set has {len}")]
    NoSuchBody {
        /// The id that was given.
        index: u32,
        /// How many bodies there are.
        len: usize,
    },
    /// More bodies than ids.
    #[error("a set holds at most {limit} bodies; split it")]
    TooManyBodies {
        /// The most that a set holds.
        limit: usize,
    },
    /// A plane that is invalid.
    #[error("plane {index}: {reason}")]
    InvalidPlane {
        /// Its place in the list that was given.
        index: usize,
        /// What is wrong with it.
        #[source]
        reason: Box<Error>,
    },
    /// The backend that was asked for cannot be had here.
    #[error("the {backend} backend is not available: {reason}")]
    BackendUnavailable {
        /// `gpu`.
        backend: &'static str,
        /// Why, and what to do.
        reason: String,
    },
    /// A buffer that the device cannot give, or that the memory budget does not allow.
    #[error(
        "the device has no room for {what}: {needed} bytes are needed and {limit} can be had; split the set, or use the CPU"
    )]
    DeviceMemory {
        /// What the buffer is for.
        what: &'static str,
        /// Its size in bytes.
        needed: u64,
        /// The most that can be had; 0 where only the device knows.
        limit: u64,
    },
    /// A name that no stage has.
    #[error("there is no stage {name}; CONTRIBUTING.md says where they are listed")]
    NoSuchStage {
        /// The name that was given.
        name: String,
    },
    /// The device is lost, or did not do what it was told.
    #[error("the device failed: {reason}")]
    Device {
        /// What it said.
        reason: String,
    },
    /// A stage of a query on the device did not do all of its work, twice in a row.
    #[error(
        "stage {stage} on the device did not do all that was due, twice in a row (its ledger says {found:08x}, not \
         {due:08x}): the driver or the device is at fault; use another adapter, or the CPU"
    )]
    Incomplete {
        /// The stage: `pairs`.
        stage: &'static str,
        /// What the device noted.
        found: u32,
        /// What it should have noted.
        due: u32,
    },
    /// More threads than an engine starts. None was started.
    #[error("{threads} threads were asked for, and an engine starts at most {limit}; ask for one per core")]
    TooManyThreads {
        /// How many were asked for.
        threads: usize,
        /// The most there may be: [`Builder::MAX_THREADS`](crate::Builder::MAX_THREADS).
        limit: usize,
    },
    /// The threads that were asked for could not be started.
    #[error("cannot start {threads} threads: {reason}; ask for fewer")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the operating system said.
        reason: String,
    },
}

impl Error {
    pub(crate) fn invalid_body(index: usize, reason: Self) -> Self {
        Self::InvalidBody { index, reason: Box::new(reason) }
    }
}

/// `Result` with this library's [`enum@Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;
