//! The one error type of the library.

/// Every error of the library. Each names the offending value, the limit, and what to do.
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
    /// A number is NaN or infinite, or a result computed from finite numbers is outside the range of `f32`.
    #[error("{field} is {value}; it must be a finite number")]
    NotFinite {
        /// The field, with the component: `center.x`.
        field: &'static str,
        /// The value that was given.
        value: f32,
    },
    /// A length is negative.
    #[error("{field} is {value}; it must be zero or more")]
    Negative {
        /// The field, with the component: `half_extents.z`.
        field: &'static str,
        /// The value that was given.
        value: f32,
    },
    /// A number that must be above zero is zero or negative.
    #[error("{field} is {value}; it must be above zero")]
    NotPositive {
        /// The field: `mass`.
        field: &'static str,
        /// The value that was given.
        value: f32,
    },
    /// The minimum of a box lies above its maximum.
    #[error("min.{axis} is {min}, which is above max.{axis} = {max}; swap them")]
    Reversed {
        /// The axis: `x`, `y` or `z`.
        axis: char,
        /// The minimum that was given.
        min: f32,
        /// The maximum that was given.
        max: f32,
    },
    /// A quaternion is zero, and describes no rotation. A quaternion of any other length is valid.
    #[error("rotation is (0, 0, 0, 0), which is no rotation; the identity is (0, 0, 0, 1)")]
    ZeroRotation,
    /// The normal of a plane is zero. A normal of any other length is valid.
    #[error("normal is (0, 0, 0), which has no direction; give any non-zero normal")]
    ZeroNormal,
    /// A shape was to be made from an empty list of points.
    #[error("there are no points to bound; give at least one, or start from Aabb::EMPTY and merge")]
    NoPoints,
    /// Three points lie on one line, or so nearly that they determine no plane.
    #[error(
        "the three points lie on one line (or so nearly that they determine no normal); give three points that span a plane"
    )]
    CollinearPoints,
    /// The empty box was given where a shape with at least one point is needed.
    #[error("the box is empty (Aabb::EMPTY); a shape with at least one point is needed")]
    EmptyBox,
    /// The direction of a ray or line is zero. A direction of any other length is valid.
    #[error("direction is (0, 0, 0), which has no direction; give any non-zero vector")]
    ZeroDirection,
    /// A shape was to be made from too few points.
    #[error("there are {found} points; at least {needed} are needed")]
    TooFewPoints {
        /// The least number of points that the shape needs.
        needed: usize,
        /// The number of points that were given.
        found: usize,
    },
    /// The hull of a body has too many corners.
    #[error(
        "the hull has {found} corners; that of a body has at most {limit}: shape::fit::simplified_hull makes one with fewer around it"
    )]
    TooManyCorners {
        /// The number of corners.
        found: usize,
        /// The most corners that it can have.
        limit: usize,
    },
    /// The bodies of a set have too many different hulls.
    #[error("the bodies of a set have at most {limit} different hulls; let bodies share them, or use several sets")]
    TooManyHulls {
        /// The most that there can be.
        limit: usize,
    },
    /// The border of a polygon crosses or touches itself.
    #[error("edges {first} and {second} of the polygon meet; split it where its border crosses or touches itself")]
    NotSimple {
        /// An edge, by the index of its first corner.
        first: usize,
        /// Another edge that has a point in common with the first.
        second: usize,
    },
    /// A query does not support these two kinds of shapes.
    #[error("{query} has no answer for {a} and {b}; see the docs of tangency::query for the pairs that have one")]
    Unsupported {
        /// The query: `contact`.
        query: &'static str,
        /// The kind of the first shape: `plane`.
        a: &'static str,
        /// The kind of the second shape.
        b: &'static str,
    },
    /// The shape of a body is invalid.
    #[error("body {index}: {reason}")]
    InvalidBody {
        /// The id of the body, or the one that a new body would have got.
        index: usize,
        /// What is wrong with its shape.
        #[source]
        reason: Box<Error>,
    },
    /// No body of a set has this id.
    #[error("there is no body {index}: it was removed, or never added (the ids of this set are below {len})")]
    NoSuchBody {
        /// The id that was given.
        index: u32,
        /// One more than the largest id of the set: [`Bodies::id_bound`](crate::Bodies::id_bound).
        len: usize,
    },
    /// A shape of this kind cannot be that of a body in a set.
    #[error(
        "a {kind} cannot be a body; bodies are spheres, axis-aligned boxes, oriented boxes, capsules, planes and convex hulls"
    )]
    NotABody {
        /// The kind: `triangle`.
        kind: &'static str,
    },
    /// A shape of this kind has no pose.
    #[error("a body of the kind {kind} has no pose; set_shape moves it")]
    NoPose {
        /// The kind: `aabb`, `capsule` or `plane`.
        kind: &'static str,
    },
    /// No shape of a set has this id.
    #[error("there is no shared shape {index}: the set has {len}; a ShapeId is valid only in the set that gave it")]
    NoSuchShape {
        /// The number of the shape.
        index: u32,
        /// How many shared shapes the set has.
        len: usize,
    },
    /// Two sets have coordinates that are relative to different points.
    #[error("the origins of the two sets are {own} and {other}; give both sets the same origin")]
    DifferentOrigins {
        /// The origin of the set that asks.
        own: glam::DVec3,
        /// The origin of the set it is asked against.
        other: glam::DVec3,
    },
    /// A set would have more bodies than there are ids.
    #[error("a set has at most {limit} ids; split it")]
    TooManyBodies {
        /// The most ids of a set: [`Bodies::MAX`](crate::Bodies::MAX).
        limit: usize,
    },
    /// An answer has more pairs than can be counted in 32 bits.
    #[error(
        "the answer has {pairs} pairs, and at most {limit} can be held; split the set, or have the answer in parts: Request::for_each_part"
    )]
    TooManyPairs {
        /// How many pairs there are.
        pairs: u64,
        /// How many an answer can hold.
        limit: u64,
    },
    /// An answer does not fit into the memory of the host, or into the [budget](crate::Builder::host_memory_budget) for it.
    #[error(
        "the answer has {pairs} pairs or more, for which {needed} bytes are needed, and {limit} are available; split the set, or have \
         the answer in parts: Request::for_each_part"
    )]
    AnswerTooLarge {
        /// How many pairs had been found when the query was given up.
        pairs: u64,
        /// How many bytes the host needs for these, while it sorts them.
        needed: u64,
        /// How many bytes are available.
        limit: u64,
    },
    /// A plane is invalid.
    #[error("plane {index}: {reason}")]
    InvalidPlane {
        /// The index of the plane in the list that was given.
        index: usize,
        /// What is wrong with the plane.
        #[source]
        reason: Box<Error>,
    },
    /// A point is invalid.
    #[error("point {index}: {reason}")]
    InvalidPoint {
        /// The number of the point in its list.
        index: usize,
        /// What is wrong with it.
        #[source]
        reason: Box<Error>,
    },
    /// A ray is invalid, or its last time.
    #[error("ray {index}: {reason}")]
    InvalidRay {
        /// The index of the ray in the list that was given.
        index: usize,
        /// What is wrong with the ray.
        #[source]
        reason: Box<Error>,
    },
    /// A list does not have one entry for each ray, or for each id of a set of bodies.
    #[error("there are {found} {what}; give {expected}, one for each")]
    WrongCount {
        /// What the list holds: `last times`, `traits`, `motions`.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// The requested backend, adapter or device cannot be used.
    #[error("the {backend} backend is not available: {reason}")]
    BackendUnavailable {
        /// The backend: `gpu`.
        backend: &'static str,
        /// Why, and what to do.
        reason: String,
    },
    /// Two wishes about an engine exclude each other.
    #[error("an engine cannot have both .{one} and .{other}; leave one of them out")]
    Contradiction {
        /// A call of [`Builder`](crate::Builder): `backend(BackendKind::Cpu)`.
        one: &'static str,
        /// The call that excludes it: `adapter(…)`.
        other: &'static str,
    },
    /// The device cannot allocate a buffer, or the memory budget does not allow it.
    #[error(
        "the device has no room for {what}: {needed} bytes are needed, and {limit} are available; split the set, or use the CPU"
    )]
    DeviceMemory {
        /// What the buffer is for.
        what: &'static str,
        /// The size of the buffer, in bytes.
        needed: u64,
        /// The most bytes that are available; 0 if the device refused the allocation without a number.
        limit: u64,
    },
    /// No stage has this name.
    #[error("there is no stage named {name}; src/gpu/stages.rs lists all stages")]
    NoSuchStage {
        /// The name that was given.
        name: String,
    },
    /// The device is lost, or refused a command.
    #[error("the device failed: {reason}; ask again, with a new device if it was yours, or use the CPU")]
    Device {
        /// The message of the device.
        reason: String,
    },
    /// A stage on the device did not do all of its work, in a query and in its retry.
    #[error(
        "stage {stage} on the device did not do all that was due, twice in a row (its ledger says {found:08x}, not \
         {due:08x}): the driver or the device is at fault; use another adapter, or the CPU"
    )]
    Incomplete {
        /// The stage: `find_pairs`.
        stage: &'static str,
        /// The sum of signatures, or the count, that the device wrote.
        found: u32,
        /// The sum or count that was due.
        due: u32,
    },
    /// A device does not compute the same bits as the CPU, so that answers with floats would differ.
    #[error(
        "{adapter} does not compute the same bits as the CPU: use another adapter, or the CPU, for answers with floats"
    )]
    UnequalBits {
        /// The name of the adapter.
        adapter: String,
    },
    /// A query cannot be recorded, or its result not be read.
    #[error("this cannot be recorded: {reason}")]
    Recording {
        /// Why.
        reason: String,
    },
    /// More threads were requested than an engine may have. No thread was started.
    #[error("{threads} threads were requested, and an engine may have at most {limit}; request one per core")]
    TooManyThreads {
        /// The number of threads that were requested.
        threads: usize,
        /// The most threads of an engine: [`Builder::MAX_THREADS`](crate::Builder::MAX_THREADS).
        limit: usize,
    },
    /// The operating system could not start the requested threads.
    #[error("cannot start {threads} threads: {reason}; request fewer")]
    Threads {
        /// The number of threads that were requested.
        threads: usize,
        /// The message of the operating system.
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
