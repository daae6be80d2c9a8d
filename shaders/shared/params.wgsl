// What every stage knows: the sizes of this call, and the words of the status block.

struct Params {
    // Always 0, which the compiler cannot know: see `opaque`.
    zero: u32,
    flags: u32,
    // Bodies of the set that is prepared, and where its slots begin and end. Slots of one set begin at a multiple of 32.
    bodies: u32,
    first_slot: u32,
    end_slot: u32,
    // Bits of a place on the curve, tiles of the sort, and keys to sort.
    curve_bits: u32,
    tiles: u32,
    keys: u32,
    // The grid of the curve, and the size above which a body counts as a giant.
    origin: vec3f,
    scale: f32,
    giant: f32,
    // The first word of the status block with the set's class counts.
    classes: u32,
    // Clusters that ask (from, to).
    own_first: u32,
    own_end: u32,
    // The tree: where each level begins among the nodes, and how many nodes it has. Level 0 are the clusters.
    level_first: vec4u,
    level_count: vec4u,
    // Candidates, by pair of kinds: where each bucket begins, and how many it holds.
    bucket_first: array<vec4u, 2>,
    bucket_size: array<vec4u, 2>,
    // Hits, by bins of rows: where each bin begins, and how many it holds.
    bin_first: array<vec4u, 4>,
    bin_size: array<vec4u, 4>,
    // The bits of a row that do not tell its bin, rows of the result, excluded pairs, the bucket of all candidates if there is only one.
    bin_bits: u32,
    rows: u32,
    exclusions: u32,
    only_bucket: u32,
    // How many clusters whose search was cut short there is room for, and how many iterations a search may make.
    unfinished: u32,
    work: u32,
    // The highest level of the tree that is built.
    top: u32,
    // The tag of all bodies, or NONE if they differ.
    tag: u32,
}

// What differs between the dispatches of one stage.
struct Step {
    a: u32,
    b: u32,
    c: u32,
    d: u32,
}

@group(0) @binding(0) var<uniform> params: Params;

// Bits of `flags`.
const CLASSES = 1u; // keys hold size classes
const WORLDS = 2u; // there are several worlds
const CHOOSY = 4u; // some bodies have traits of their own
const ORDERED = 8u; // one set with itself: each pair once
const EVERYONE = 16u; // disabled bodies too
const FLAT = 32u; // times 1, 2 or 3: bodies lie in a plane across x, y or z

// Words of the status block.
const STATUS_CANDIDATES = 16u; // needed, by bucket
const STATUS_LONG_ROWS = 23u; // rows that no single thread sorts
const STATUS_UNDECIDED = 24u;
const STATUS_CARRY = 25u; // how often a counter went beyond 2^32
const STATUS_UNFINISHED = 26u; // clusters whose search was cut short
const STATUS_LONG_HITS = 27u; // hits of the long rows

const STATUS_CROWDED = 28u; // whether a bin of hits had too little room: nothing is put into rows then, since the call is repeated
const STATUS_HITS = 32u; // needed, by bin

// The ledger: what was processed, which the host compares with what was due.
const STATUS_GATHERED = 48u; // the signatures of the bodies that were given a slot
const STATUS_SKIPPED = 49u; // the signatures of the disabled bodies that need none
const STATUS_LEFT_OPEN = 51u; // candidates that the narrow phase left open
const STATUS_SETTLED = 52u; // those that were taken up again
const STATUS_ANSWERED = 54u; // verdicts returned to the pairs that were asked for

// Bodies in a cluster, and nodes below a node.
const WIDTH = 32u;
// Bins of hits, at most.
const BINS = 16u;
// Keys in a tile of the sort, and values of a digit.
const TILE = 2048u;
const DIGITS = 256u;
// No body.
const NONE = 0xffffffffu;
// Rows up to this length are sorted each by a thread; longer ones otherwise.
const SHORT_ROW = 32u;
// A partner without its marks.
const ID = 0x3fffffffu;
const FLT_MAX = 0x1.fffffep127f;

// The number of a workgroup; large dispatches are two-dimensional.
fn group_number(id: vec3u, groups: vec3u) -> u32 {
    return id.x + id.y * groups.x;
}

// What a unit of work with this number adds to the ledger. Sums of these tell a unit that is missing, and one that was done twice in
// the place of another.
fn signature(number: u32) -> u32 {
    return number * SIGNATURE + 1u;
}

// Notes in the ledger that a unit of a stage's work is done. The host knows the sum over all units.
fn sign_off(stage: u32, number: u32) {
    atomicAdd(&status[stage], signature(number));
}

// Where a bin of hits begins, and how many it holds.
fn bin_start(bin: u32) -> u32 {
    return params.bin_first[bin / 4u][bin % 4u];
}

fn bin_room(bin: u32) -> u32 {
    return params.bin_size[bin / 4u][bin % 4u];
}
