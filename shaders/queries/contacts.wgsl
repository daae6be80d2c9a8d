// Normal, depth and points of each pair that touches or overlaps.
// import: lib/ledger, lib/box_contacts

// Centres may be this many powers of two further from the origin than the largest length of a pair.
const REACH = 39u;

// The contacts of this workgroup, until they are written side by side.
var<workgroup> contact_words: array<vec4u, CONTACT_THREADS * MANIFOLD_VECTORS>;

// The bodies of the pair, of which B is the one of the higher kind.
var<private> first_is_b: bool;
var<private> frame_of_a: u32;
var<private> frame_of_b: u32;

// Word `number` of the frame of the first body in the order of kinds, or of the second.
fn word_of_first(number: u32) -> f32 {
    if first_is_b {
        return bitcast<f32>(frames_b[frame_of_b + number / 4u][number % 4u]);
    }
    return bitcast<f32>(frames_a[frame_of_a + number / 4u][number % 4u]);
}

fn word_of_second(number: u32) -> f32 {
    if first_is_b {
        return bitcast<f32>(frames_a[frame_of_a + number / 4u][number % 4u]);
    }
    return bitcast<f32>(frames_b[frame_of_b + number / 4u][number % 4u]);
}

fn precise_axis_of_a(k: u32) -> PreciseAxis {
    let at = 12u + 3u * k;
    return PreciseAxis(
        vec3f(word_of_first(at), word_of_first(at + 1u), word_of_first(at + 2u)),
        vec3f(word_of_first(at + 9u), word_of_first(at + 10u), word_of_first(at + 11u)),
    );
}

fn precise_axis_of_b(k: u32) -> PreciseAxis {
    let at = 12u + 3u * k;
    return PreciseAxis(
        vec3f(word_of_second(at), word_of_second(at + 1u), word_of_second(at + 2u)),
        vec3f(word_of_second(at + 9u), word_of_second(at + 10u), word_of_second(at + 11u)),
    );
}

fn scaled(v: vec4u, scale: f32) -> vec3f {
    return det_scale3(bitcast<vec3f>(v.xyz), scale);
}

fn solid_of(center: vec4u, center_low: vec4u, half: vec4u, m0: vec4u, m1: vec4u, m2: vec4u, scale: f32) -> Solid {
    return Solid(
        scaled(center, scale),
        scaled(center_low, scale),
        scaled(half, scale),
        bitcast<vec3f>(m0.xyz),
        bitcast<vec3f>(vec3u(m0.w, m1.xy)),
        bitcast<vec3f>(vec3u(m1.zw, m2.x)),
    );
}

// The row of a pair: the last one that begins with it or before, of those from `first` to before `end`.
fn row_of_pair(pair: u32, first: u32, end: u32) -> u32 {
    var low = first;
    var high = end;
    while high - low > 1u {
        let middle = (low + high) / 2u;
        if rows[middle] <= pair {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// Writes the points of a contact, and leaves the rest of it in `contact`; without points if the pair is outside the domain.
fn meet_bodies(a: u32, b: u32, touching: bool) {
    frame_of_a = FRAME_VECTORS * a;
    frame_of_b = FRAME_VECTORS * b;
    let center_a = frames_a[frame_of_a];
    let low_a = frames_a[frame_of_a + 1u];
    let half_a = frames_a[frame_of_a + 2u];
    let center_b = frames_b[frame_of_b];
    let low_b = frames_b[frame_of_b + 1u];
    let half_b = frames_b[frame_of_b + 2u];
    let exponent = max(low_a.w, low_b.w);
    if low_a.w == 0u || low_b.w == 0u || max(half_a.w, half_b.w) > exponent + REACH {
        return;
    }
    let scale = bitcast<f32>((254u - exponent) << 23u);
    let solid_a = solid_of(
        center_a, low_a, half_a,
        frames_a[frame_of_a + 3u], frames_a[frame_of_a + 4u], frames_a[frame_of_a + 5u], scale,
    );
    let solid_b = solid_of(
        center_b, low_b, half_b,
        frames_b[frame_of_b + 3u], frames_b[frame_of_b + 4u], frames_b[frame_of_b + 5u], scale,
    );
    first_is_b = center_b.w < center_a.w;
    contact_to.swapped = first_is_b;
    contact_to.back = bitcast<f32>(exponent << 23u);
    let first = choose_solid(solid_a, solid_b, first_is_b);
    let second = choose_solid(solid_b, solid_a, first_is_b);
    let least_kind = min(center_a.w, center_b.w);
    let greatest_kind = max(center_a.w, center_b.w);
    let between = difference_of_centers(first, second);
    if least_kind != KIND_SPHERE {
        meet_boxes(first, second, between, touching, params.most);
    } else if greatest_kind == KIND_SPHERE {
        meet_spheres(first, second, between, touching);
    } else {
        meet_sphere_and_box(first, second, between, touching);
    }
}

// How many pairs there are, and the rows of the first and the last of this workgroup.
var<workgroup> pairs_for_all: u32;
var<workgroup> first_row_for_all: u32;
var<workgroup> last_row_for_all: u32;

@compute @workgroup_size(CONTACT_THREADS)
fn contacts(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = group_number(id, groups);
    let first_pair = number * CONTACT_THREADS;
    if lane == 0u {
        // Where bins overflowed there are no rows, and the attempt is repeated.
        pairs_for_all = select(0u, min(rows[params.rows], params.room), atomicLoad(&status[STATUS_BINS_OVERFLOWED]) == 0u);
    }
    let pairs = workgroupUniformLoad(&pairs_for_all);
    if lane == 0u && first_pair < pairs {
        first_row_for_all = row_of_pair(first_pair, 0u, params.rows);
    }
    if lane == CONTACT_THREADS - 1u && first_pair < pairs {
        last_row_for_all = row_of_pair(min(first_pair + CONTACT_THREADS, pairs) - 1u, 0u, params.rows);
    }
    let first_row = workgroupUniformLoad(&first_row_for_all);
    let last_row = workgroupUniformLoad(&last_row_for_all);
    let pair = first_pair + lane;
    if pair < pairs {
        let a = row_of_pair(pair, first_row, last_row + 1u);
        let partner = partners[pair];
        let b = partner & PARTNER_ID;
        begin_contact(vec3f(), 0.0f, 0u);
        contact_to = Target(MANIFOLD_VECTORS * lane, false, 1.0f);
        if (partner & MARK_UNDECIDED) == 0u {
            meet_bodies(a, b, (partner & MARK_TOUCHING) != 0u);
        }
        write_contact(a, b);
    }
    workgroupBarrier();
    let words = MANIFOLD_VECTORS * min(CONTACT_THREADS, max(pairs, first_pair) - first_pair);
    for (var k = lane; k < words; k += CONTACT_THREADS) {
        manifolds[MANIFOLD_VECTORS * first_pair + k] = contact_words[k];
    }
    if lane == 0u && first_pair < params.room {
        sign_off(SIGN_CONTACTS, number);
    }
}
