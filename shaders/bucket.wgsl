// Pairs that were asked for: to buckets by their kinds, and the verdicts back to their order.

@group(0) @binding(1) var<storage, read> asked: array<vec2u>; // params.keys pairs of ids
@group(0) @binding(2) var<storage, read> boxes: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> candidates: array<vec2u>;
@group(0) @binding(4) var<storage, read_write> origins: array<u32>; // which pair a candidate is
@group(0) @binding(5) var<storage, read> verdicts: array<vec2u>; // the first word
@group(0) @binding(6) var<storage, read_write> answers: array<u32>;
@group(0) @binding(7) var<storage, read_write> status: array<atomic<u32>>;

var<workgroup> counts: array<atomic<u32>, 6>;
var<workgroup> first: array<u32, 6>;
var<workgroup> answered: atomic<u32>;

fn start_of(bucket: u32) -> u32 {
    return params.bucket_first[bucket / 4u][bucket % 4u];
}

fn size_of(bucket: u32) -> u32 {
    return params.bucket_size[bucket / 4u][bucket % 4u];
}

@compute @workgroup_size(256)
fn bucket(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let k = number * 256u + thread;
    if thread < 6u {
        atomicStore(&counts[thread], 0u);
    }
    workgroupBarrier();
    var bucket = 0u;
    var place = 0u;
    var pair = vec2u(0u);
    if k < params.keys {
        pair = asked[k] + vec2u(params.first_slot);
        let kind = boxes[2u * pair.x + 1u].w & 3u;
        let other = boxes[2u * pair.y + 1u].w & 3u;
        let low = min(kind, other);
        bucket = low * (5u - low) / 2u + max(kind, other);
        if other < kind {
            pair = pair.yx;
        }
        place = atomicAdd(&counts[bucket], 1u);
    }
    workgroupBarrier();
    if thread < 6u {
        first[thread] = atomicAdd(&status[STATUS_CANDIDATES + thread], atomicLoad(&counts[thread]));
    }
    workgroupBarrier();
    if k < params.keys {
        place += first[bucket];
        if place < size_of(bucket) {
            candidates[start_of(bucket) + place] = pair;
            origins[start_of(bucket) + place] = k;
        }
        if thread == 0u {
            sign_off(SIGN_BUCKET, number);
        }
    }
}

// One thread a place of the candidates, used or not.
@compute @workgroup_size(256)
fn unbucket(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let at = number * 256u + thread;
    if thread == 0u {
        atomicStore(&answered, 0u);
    }
    workgroupBarrier();
    for (var bucket = 0u; bucket < 6u; bucket++) {
        let start = start_of(bucket);
        if at >= start && at - start < min(atomicLoad(&status[STATUS_CANDIDATES + bucket]), size_of(bucket)) {
            answers[origins[at]] = verdicts[at].x;
            atomicAdd(&answered, 1u);
        }
    }
    workgroupBarrier();
    if thread == 0u && at < start_of(5u) + size_of(5u) {
        atomicAdd(&status[STATUS_ANSWERED], atomicLoad(&answered));
        sign_off(SIGN_UNBUCKET, number);
    }
}
