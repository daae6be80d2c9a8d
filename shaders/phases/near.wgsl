// Decides the candidates of one bucket that may be some way apart: whether they are nearer than a margin.
// import: lib/verdicts, lib/open_parts, lib/near, lib/half_spaces

// A body of a pair, and how far it keeps others away.
struct NearBody {
    frame: NearFrame,
    margin: f32,
}

// A body of the searching set, or of the searched one.
fn near_body(searches: bool, id: u32) -> NearBody {
    var words: array<vec4u, 5>;
    for (var k = 0u; k < 5u; k++) {
        if searches {
            words[k] = frames_a[FRAME_VECTORS * id + k];
        } else {
            words[k] = frames_b[FRAME_VECTORS * id + k];
        }
    }
    let frame = NearFrame(
        bitcast<vec3f>(words[0].xyz),
        words[0].w,
        bitcast<vec3f>(words[4].xyz),
        bitcast<vec4f>(words[1]),
        bitcast<vec4f>(words[2]),
        bitcast<vec4f>(words[3]),
    );
    return NearBody(frame, bitcast<f32>(words[4].w));
}

// All of a body's frame.
fn low_body(searches: bool, id: u32) -> Frame {
    var words: Frame;
    for (var k = 0u; k < FRAME_VECTORS; k++) {
        if searches {
            words[k] = frames_a[FRAME_VECTORS * id + k];
        } else {
            words[k] = frames_b[FRAME_VECTORS * id + k];
        }
    }
    return words;
}

// Whether a body and a half-space are nearer than a margin.
fn verdict_over(margins: vec3f) -> u32 {
    let size = max(largest_of(margins), (body_frame[0].w >> 8u) & 255u);
    if !has_size_in_domain() || !is_over_size(size) || !set_over(size) {
        return UNDECIDED;
    }
    let scale = bitcast<f32>((254u - size) << 23u);
    let m = vec3f(
        det_mul(det_clean(margins.x), scale),
        det_mul(det_clean(margins.y), scale),
        det_mul(det_clean(margins.z), scale),
    );
    let reach = det_add(det_add(det_add(m.x, m.y), m.z), over_pair.radius);
    let error = det_add(det_mul(OVER_ERROR, det_add(reach, over_sizes())), det_mul(HEIGHT_ERROR, over_pair.far));
    let gap = over_lowest().high;
    if det_sub(gap, error) > reach {
        return MISS;
    }
    return select(UNDECIDED, HIT, det_add(gap, error) < reach);
}

fn verdict_on(pair: Pair) -> u32 {
    let a = near_body(!pair.b_searches, pair.a.w & ~OUTSIDE_DOMAIN);
    let b = near_body(pair.b_searches, pair.b.w & ~OUTSIDE_DOMAIN);
    let is_a = (a.frame.tag & FRAME_KIND) == KIND_PLANE;
    let is_b = (b.frame.tag & FRAME_KIND) == KIND_PLANE;
    if is_a || is_b {
        if is_a && is_b {
            return UNDECIDED;
        }
        let searches = !pair.b_searches == is_a;
        let half_space = select(pair.b.w, pair.a.w, is_a) & ~OUTSIDE_DOMAIN;
        let body = select(pair.a.w, pair.b.w, is_a) & ~OUTSIDE_DOMAIN;
        half_space_frame = low_body(searches, half_space);
        body_frame = low_body(!searches, body);
        return verdict_over(vec3f(params.margin, a.margin, b.margin));
    }
    let near = near_of(a.frame, b.frame, vec3f(params.margin, a.margin, b.margin));
    if !near.in_domain {
        return UNDECIDED;
    }
    return near_verdict(near);
}

@compute @workgroup_size(NARROW_THREADS)
fn near_pairs(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let count = candidate_count(lane);
    let group = group_number(id, groups);
    let first = first_of(group) + lane;
    for (var k = 0u; k < NARROW_EACH; k++) {
        let pair = pair_of(first + k * NARROW_THREADS, count);
        var verdict = UNDECIDED;
        if pair.exists {
            verdict = verdict_on(pair);
        }
        note(pair, verdict);
    }
    report(lane);
    sign_decided(SIGN_NEAR_PAIRS, group, count, lane);
}

// Decides the candidates that the narrow phase left open.
@compute @workgroup_size(NARROW_THREADS)
fn near_open(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let group = group_number(id, groups);
    var parts = find_open_parts(group, lane);
    var settled = 0u;
    while parts != 0u {
        let part = group * SETTLE_PARTS + firstTrailingBit(parts);
        parts &= parts - 1u;
        let count = open_count(part, lane);
        let end = first_of(part) + count;
        settled += count;
        for (var k = 0u; k < NARROW_EACH; k++) {
            let pair = pair_of(first_of(part) + k * NARROW_THREADS + lane, end);
            var verdict = UNDECIDED;
            if pair.exists {
                verdict = verdict_on(pair);
            }
            note(pair, verdict);
        }
        report(lane);
        reset_counts(lane);
    }
    sign_settled(SIGN_NEAR_OPEN, group, settled, lane);
}
