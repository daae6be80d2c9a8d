// Candidates and what becomes of them: the frame of the narrow phase and of the stage that settles what that left open.

// a: the bucket; b: 1 to write the verdict of every candidate instead of the hits.
@group(0) @binding(1) var<uniform> step: Step;
// By slot, as bits: centre or lower corner, and id; radius, upper corner or half extents; quaternion of an oriented box.
@group(0) @binding(2) var<storage, read> places: array<vec4u>; // two a slot
@group(0) @binding(3) var<storage, read> turns: array<vec4u>;
// The slot of the shape of the lower kind and that of the other, with the top bit if the latter's body asks. Workgroups leave those
// that they could not decide where their part of the candidates begins, and after them one of NONE.
@group(0) @binding(4) var<storage, read_write> candidates: array<vec2u>;
// Row and other body of a hit, by bins; or the verdict on a candidate.
@group(0) @binding(5) var<storage, read_write> hits: array<vec2u>;
// The hits of a row are counted in the word after its own.
@group(0) @binding(6) var<storage, read_write> rows: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> status: array<atomic<u32>>;

const GROUP = 128u;
// Candidates of a thread. The more, the fewer workgroups count up the same word.
const EACH = 4u;
// On a slot of a candidate: its body asks. On a body of a hit: undecided.
const TOP = 0x80000000u;
// On a body of a hit: the pair touches.
const TOUCHING = 0x40000000u;

// What became of the workgroup's candidates: hits from the front, and those left open from the back.
var<workgroup> noted: array<vec2u, GROUP * EACH>;
var<workgroup> found: atomic<u32>;
var<workgroup> open: atomic<u32>;
var<workgroup> undecided: atomic<u32>;
// How many hits have the row of the first. Often all have: a body that many others meet.
var<workgroup> of_first_row: atomic<u32>;
// Of each bin, how many hits there are, and where the next one goes.
var<workgroup> bin_counts: array<atomic<u32>, BINS>;
var<workgroup> bin_next: array<atomic<u32>, BINS>;
var<workgroup> number_of_candidates: u32;

// The candidate of one thread.
struct Pair {
    exists: bool,
    // Where it lies among the candidates, and what is there.
    place: u32,
    candidate: vec2u,
    slot_a: u32,
    slot_b: u32,
    // The first words of both shapes.
    a: vec4u,
    b: vec4u,
    b_asks: bool,
}

// Where the candidates of this bucket begin, and how many there is room for.
fn bucket_start() -> u32 {
    return params.bucket_first[step.a / 4u][step.a % 4u];
}

fn bucket_room() -> u32 {
    return params.bucket_size[step.a / 4u][step.a % 4u];
}

// Clears what workgroups count with; a barrier must follow.
fn clear_counts(lane: u32) {
    if lane < BINS {
        atomicStore(&bin_counts[lane], 0u);
    }
    if lane == 0u {
        atomicStore(&found, 0u);
        atomicStore(&open, 0u);
        atomicStore(&undecided, 0u);
        atomicStore(&of_first_row, 0u);
    }
}

// How many candidates the bucket has: the same for all threads. The beginning of every kernel.
fn candidate_count(lane: u32) -> u32 {
    clear_counts(lane);
    if lane == 0u {
        number_of_candidates = min(atomicLoad(&status[STATUS_CANDIDATES + step.a]), bucket_room());
    }
    return workgroupUniformLoad(&number_of_candidates);
}

fn pair_of(number: u32, count: u32) -> Pair {
    var pair: Pair;
    pair.exists = number < count;
    if pair.exists {
        pair.place = bucket_start() + number;
        pair.candidate = candidates[pair.place];
        pair.slot_a = pair.candidate.x;
        pair.slot_b = pair.candidate.y & ~TOP;
        pair.b_asks = pair.candidate.y >= TOP;
        pair.a = places[2u * pair.slot_a];
        pair.b = places[2u * pair.slot_b];
    }
    return pair;
}

// Whether both shapes are in the filters' domain.
fn in_domain(pair: Pair) -> bool {
    return ((pair.a.w | pair.b.w) & OUTSIDE_DOMAIN) == 0u;
}

fn cuboid(slot: u32, center: vec3u) -> Cuboid {
    let axes = rotation(scaled_quaternion(turns[slot]));
    return Cuboid(reals(center), reals(places[2u * slot + 1u].xyz), axes);
}

fn radius(slot: u32) -> Real {
    return Real(bitcast<f32>(places[2u * slot + 1u].x));
}

fn upper_corner(slot: u32) -> vec3u {
    return places[2u * slot + 1u].xyz;
}

// Takes down the verdict on a candidate.
fn note(pair: Pair, verdict: u32) {
    if !pair.exists {
        return;
    }
    if step.b == 1u {
        hits[pair.place] = vec2u(verdict, 0u);
    } else if verdict != MISS {
        let a = pair.a.w & ~OUTSIDE_DOMAIN;
        let b = pair.b.w & ~OUTSIDE_DOMAIN;
        let swap = select(pair.b_asks, b < a, (params.flags & ORDERED) != 0u);
        let mark = select(0u, TOP, verdict == UNDECIDED) | select(0u, TOUCHING, verdict == TOUCH);
        let row = select(a, b, swap);
        noted[atomicAdd(&found, 1u)] = vec2u(row, select(b, a, swap) | mark);
        atomicAdd(&bin_counts[row >> params.bin_bits], 1u);
        if verdict == UNDECIDED {
            atomicAdd(&undecided, 1u);
        }
    }
}

// The same for a kind that a later stage may settle.
fn note_or_leave_open(pair: Pair, verdict: u32) {
    if pair.exists && verdict == UNDECIDED && step.b == 0u {
        noted[GROUP * EACH - 1u - atomicAdd(&open, 1u)] = pair.candidate;
    } else {
        note(pair, verdict);
    }
}

// Where the candidates of a workgroup begin, within their bucket.
fn first_of(group: u32) -> u32 {
    return group * (GROUP * EACH);
}

// Leaves the undecided candidates of a workgroup where its candidates began. No thread reads those any more.
fn leave_open(group: u32, lane: u32) {
    workgroupBarrier();
    let first = first_of(group);
    let count = atomicLoad(&open);
    for (var k = lane; k < count; k += GROUP) {
        candidates[bucket_start() + first + k] = noted[GROUP * EACH - 1u - k];
    }
    if lane == 0u && step.b == 0u && count < GROUP * EACH && first + count < bucket_room() {
        candidates[bucket_start() + first + count] = vec2u(NONE);
    }
}

// Writes what was found; for all threads of a workgroup together.
fn report(lane: u32) {
    workgroupBarrier();
    let count = atomicLoad(&found);
    let first_row = noted[0].x;
    if lane < BINS {
        let of_bin = atomicLoad(&bin_counts[lane]);
        if of_bin != 0u {
            let first = atomicAdd(&status[STATUS_HITS + lane], of_bin);
            atomicStore(&bin_next[lane], first);
            if first + of_bin > bin_room(lane) {
                atomicMax(&status[STATUS_CROWDED], 1u);
            }
        }
    }
    if lane == 0u {
        let unsure = atomicLoad(&undecided);
        if unsure != 0u {
            atomicAdd(&status[STATUS_UNDECIDED], unsure);
        }
    }
    workgroupBarrier();
    for (var k = lane; k < count; k += GROUP) {
        let hit = noted[k];
        let bin = hit.x >> params.bin_bits;
        let at = atomicAdd(&bin_next[bin], 1u);
        if at < bin_room(bin) {
            hits[bin_start(bin) + at] = hit;
        }
        if hit.x == first_row {
            atomicAdd(&of_first_row, 1u);
        } else {
            atomicAdd(&rows[hit.x + 1u], 1u);
        }
    }
    workgroupBarrier();
    if lane == 0u && count != 0u {
        atomicAdd(&rows[first_row + 1u], atomicLoad(&of_first_row));
    }
}

// After a report, for another one.
fn start_again(lane: u32) {
    workgroupBarrier();
    clear_counts(lane);
    workgroupBarrier();
}

// Notes in the ledger that a workgroup of the narrow phase has decided its candidates, or left them open.
fn sign_decided(stage: u32, group: u32, count: u32, lane: u32) {
    let first = first_of(group);
    if lane == 0u && first < bucket_room() {
        let left = atomicLoad(&open);
        if left != 0u {
            atomicAdd(&status[STATUS_LEFT_OPEN], left);
        }
        // Together with how many there were.
        atomicAdd(&status[stage], signature(group) + min(max(count, first) - first, GROUP * EACH));
    }
}
