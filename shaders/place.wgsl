// Hits in their rows, each row in the order of the second ids.

@group(0) @binding(1) var<storage, read> rows: array<u32>; // where each begins
@group(0) @binding(2) var<storage, read> hits: array<u32>; // a, b and whether undecided, place in the row
@group(0) @binding(3) var<storage, read_write> placed: array<vec2u>; // a, b and whether undecided
@group(0) @binding(4) var<storage, read_write> partners: array<u32>;
@group(0) @binding(5) var<storage, read_write> status: array<atomic<u32>>;

const UNDECIDED_BIT = 0x80000000u;
// Longer rows are sorted otherwise.
const LONG_ROW = 512u;

var<workgroup> number_of_hits: u32;

// None if there was no room for all of them: the call is repeated then.
fn hit_count(thread: u32) -> u32 {
    if thread == 0u {
        let count = atomicLoad(&status[STATUS_HITS]);
        number_of_hits = select(count, 0u, count > params.hits);
    }
    return workgroupUniformLoad(&number_of_hits);
}

@compute @workgroup_size(256)
fn place(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let k = group_number(group, groups) * 256u + thread;
    if k < hit_count(thread) {
        let a = hits[3u * k];
        placed[rows[a] + hits[3u * k + 2u]] = vec2u(a, hits[3u * k + 1u]);
    }
}

var<workgroup> undecided: atomic<u32>;

@compute @workgroup_size(256)
fn rank(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let k = group_number(group, groups) * 256u + thread;
    if k < hit_count(thread) {
        let own = placed[k];
        let first = rows[own.x];
        let end = rows[own.x + 1u];
        if end - first <= LONG_ROW {
            let id = own.y & ~UNDECIDED_BIT;
            var before = 0u;
            for (var other = first; other < end; other++) {
                before += u32((placed[other].y & ~UNDECIDED_BIT) < id);
            }
            partners[first + before] = own.y;
        }
        if (own.y & UNDECIDED_BIT) != 0u {
            atomicAdd(&undecided, 1u);
        }
    }
    workgroupBarrier();
    if thread == 0u {
        let count = atomicLoad(&undecided);
        if count > 0u {
            atomicAdd(&status[STATUS_UNDECIDED], count);
        }
    }
}
