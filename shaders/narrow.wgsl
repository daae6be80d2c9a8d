// The narrow phase: a verdict on every candidate, and the hits of one bucket after another.
//
// A bucket holds the candidates of one pair of kinds; each has its own pipeline, so that a workgroup runs one routine.

// a: the bucket; b: 1 to write the verdict of every candidate instead of the hits.
@group(0) @binding(1) var<uniform> step: Step;
// By slot, as bits: centre or lower corner, and id; radius, upper corner or half extents; axes of an oriented box.
@group(0) @binding(2) var<storage, read> places: array<vec4u>; // two a slot
@group(0) @binding(3) var<storage, read> turns: array<vec4u>; // two a slot
// The slot of the shape of the lower kind and that of the other, with the top bit if the latter's body asks.
@group(0) @binding(4) var<storage, read> candidates: array<vec2u>;
// Row, other body, place in the row.
@group(0) @binding(5) var<storage, read_write> hits: array<u32>;
@group(0) @binding(6) var<storage, read_write> rows: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> status: array<atomic<u32>>;

const GROUP = 128u;
// Candidates of a thread. The more, the fewer workgroups count up the same word.
const EACH = 4u;
// On a slot of a candidate: its body asks. On a body of a hit: undecided.
const TOP = 0x80000000u;

var<workgroup> found: atomic<u32>;
var<workgroup> longest: atomic<u32>;
var<workgroup> base: u32;
var<workgroup> number_of_candidates: u32;

// What this thread found: row, other body, place in the row.
var<private> my_rows: array<u32, EACH>;
var<private> my_others: array<u32, EACH>;
var<private> my_places: array<u32, EACH>;
var<private> my_count: u32;

// The candidate of one thread.
struct Pair {
    exists: bool,
    // Where it lies among the candidates.
    place: u32,
    slot_a: u32,
    slot_b: u32,
    // The first words of both shapes.
    a: vec4u,
    b: vec4u,
    b_asks: bool,
}

fn candidate_count(lane: u32) -> u32 {
    let bucket = step.a;
    if lane == 0u {
        let size = params.bucket_size[bucket / 4u][bucket % 4u];
        number_of_candidates = min(atomicLoad(&status[STATUS_CANDIDATES + bucket]), size);
    }
    return workgroupUniformLoad(&number_of_candidates);
}

fn pair_of(number: u32, count: u32) -> Pair {
    let bucket = step.a;
    var pair: Pair;
    pair.exists = number < count;
    if pair.exists {
        pair.place = params.bucket_first[bucket / 4u][bucket % 4u] + number;
        let candidate = candidates[pair.place];
        pair.slot_a = candidate.x;
        pair.slot_b = candidate.y & ~TOP;
        pair.b_asks = candidate.y >= TOP;
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
    let f1 = bitcast<vec4f>(places[2u * slot + 1u]);
    let f2 = bitcast<vec4f>(turns[2u * slot]);
    let f3 = bitcast<vec4f>(turns[2u * slot + 1u]);
    let axes = mat3x3f(f2.xyz, vec3f(f2.w, f3.xy), vec3f(f3.zw, f1.w));
    return Cuboid(bitcast<vec3f>(center), f1.xyz, axes);
}

fn radius(slot: u32) -> f32 {
    return bitcast<f32>(places[2u * slot + 1u].x);
}

fn upper_corner(slot: u32) -> vec3u {
    return places[2u * slot + 1u].xyz;
}

// Takes down a verdict.
fn note(pair: Pair, verdict: u32) {
    if !pair.exists {
        return;
    }
    if step.b == 1u {
        hits[pair.place] = verdict;
    } else if verdict != MISS {
        let a = pair.a.w & ~OUTSIDE_DOMAIN;
        let b = pair.b.w & ~OUTSIDE_DOMAIN;
        let swap = select(pair.b_asks, b < a, (params.flags & ORDERED) != 0u);
        let row = select(a, b, swap);
        my_rows[my_count] = row;
        my_others[my_count] = select(b, a, swap) | select(0u, TOP, verdict == UNDECIDED);
        my_places[my_count] = atomicAdd(&rows[row], 1u);
        my_count += 1u;
    }
}

// Writes what was found; for all threads of a workgroup together.
fn report(lane: u32) {
    var first = 0u;
    if my_count > 0u {
        first = atomicAdd(&found, my_count);
        for (var k = 0u; k < my_count; k++) {
            atomicMax(&longest, my_places[k] + 1u);
        }
    }
    workgroupBarrier();
    if lane == 0u {
        let count = atomicLoad(&found);
        if count != 0u {
            base = atomicAdd(&status[STATUS_HITS], count);
            let most = atomicLoad(&longest);
            if most > atomicLoad(&status[STATUS_LONGEST]) {
                atomicMax(&status[STATUS_LONGEST], most);
            }
        }
    }
    workgroupBarrier();
    for (var k = 0u; k < my_count; k++) {
        let p = base + first + k;
        if p < params.hits {
            hits[3u * p] = my_rows[k];
            hits[3u * p + 1u] = my_others[k];
            hits[3u * p + 2u] = my_places[k];
        }
    }
}

@compute @workgroup_size(128)
fn sphere_sphere_pairs(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let count = candidate_count(lane);
    let first = group_number(id, groups) * (GROUP * EACH) + lane;
    for (var k = 0u; k < EACH; k++) {
        let pair = pair_of(first + k * GROUP, count);
        var verdict = UNDECIDED;
        if pair.exists && in_domain(pair) {
            verdict = sphere_sphere(pair.a.xyz, radius(pair.slot_a), pair.b.xyz, radius(pair.slot_b));
        }
        note(pair, verdict);
    }
    report(lane);
}

@compute @workgroup_size(128)
fn sphere_aabb_pairs(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let count = candidate_count(lane);
    let first = group_number(id, groups) * (GROUP * EACH) + lane;
    for (var k = 0u; k < EACH; k++) {
        let pair = pair_of(first + k * GROUP, count);
        var verdict = UNDECIDED;
        if pair.exists && in_domain(pair) {
            verdict = sphere_aabb(pair.a.xyz, radius(pair.slot_a), pair.b.xyz, upper_corner(pair.slot_b));
        }
        note(pair, verdict);
    }
    report(lane);
}

@compute @workgroup_size(128)
fn sphere_obb_pairs(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let count = candidate_count(lane);
    let first = group_number(id, groups) * (GROUP * EACH) + lane;
    for (var k = 0u; k < EACH; k++) {
        let pair = pair_of(first + k * GROUP, count);
        var verdict = UNDECIDED;
        if pair.exists && in_domain(pair) {
            verdict = sphere_obb(pair.a.xyz, radius(pair.slot_a), cuboid(pair.slot_b, pair.b.xyz));
        }
        note(pair, verdict);
    }
    report(lane);
}

@compute @workgroup_size(128)
fn aabb_aabb_pairs(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let count = candidate_count(lane);
    let first = group_number(id, groups) * (GROUP * EACH) + lane;
    for (var k = 0u; k < EACH; k++) {
        let pair = pair_of(first + k * GROUP, count);
        var verdict = UNDECIDED;
        if pair.exists {
            verdict = aabb_aabb(pair.a.xyz, upper_corner(pair.slot_a), pair.b.xyz, upper_corner(pair.slot_b));
        }
        note(pair, verdict);
    }
    report(lane);
}

@compute @workgroup_size(128)
fn aabb_obb_pairs(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let count = candidate_count(lane);
    let first = group_number(id, groups) * (GROUP * EACH) + lane;
    for (var k = 0u; k < EACH; k++) {
        let pair = pair_of(first + k * GROUP, count);
        var verdict = UNDECIDED;
        if pair.exists && in_domain(pair) {
            verdict = aabb_obb(pair.a.xyz, upper_corner(pair.slot_a), cuboid(pair.slot_b, pair.b.xyz));
        }
        note(pair, verdict);
    }
    report(lane);
}

@compute @workgroup_size(128)
fn obb_obb_pairs(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let count = candidate_count(lane);
    let first = group_number(id, groups) * (GROUP * EACH) + lane;
    for (var k = 0u; k < EACH; k++) {
        let pair = pair_of(first + k * GROUP, count);
        var verdict = UNDECIDED;
        if pair.exists && in_domain(pair) {
            verdict = obb_obb(cuboid(pair.slot_a, pair.a.xyz), cuboid(pair.slot_b, pair.b.xyz));
        }
        note(pair, verdict);
    }
    report(lane);
}

// Takes every candidate as a hit.
@compute @workgroup_size(128)
fn accept(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let count = candidate_count(lane);
    let first = group_number(id, groups) * (GROUP * EACH) + lane;
    for (var k = 0u; k < EACH; k++) {
        note(pair_of(first + k * GROUP, count), HIT);
    }
    report(lane);
}
