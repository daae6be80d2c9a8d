// Computes the sort key of every body: its size class, then its position along a Hilbert curve. Keys affect only the speed of the
// search, never its results.
// import: lib/ledger, lib/tags, lib/middle, lib/curve

var<workgroup> classes: array<atomic<u32>, CLASS_COUNT>;
var<workgroup> tally: array<atomic<u32>, DIGITS>;
// The signatures of the tile's disabled bodies.
var<workgroup> skipped: atomic<u32>;

// The key of a body, and its size class.
fn key_of(i: u32) -> vec2u {
    var tag = params.tag;
    if tag == ABSENT {
        tag = tag_of(i);
    }
    return curve_key(middle_and_size(i, tag), (tag & TAG_ENABLED) != 0u);
}

// One workgroup per tile of the radix sort; it also computes the histogram of the first digit.
@compute @workgroup_size(THREADS)
fn curve_keys(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let tile = group_number(group, groups);
    atomicStore(&tally[thread], 0u);
    if thread < CLASS_COUNT {
        atomicStore(&classes[thread], 0u);
    }
    if thread == 0u {
        atomicStore(&skipped, 0u);
    }
    workgroupBarrier();
    for (var k = 0u; k < TILE / THREADS; k++) {
        let i = tile * TILE + k * THREADS + thread;
        if i < params.bodies {
            let found = key_of(i);
            keys_out[i] = found.x;
            atomicAdd(&tally[found.x % DIGITS], 1u);
            if (params.flags & CLASSES) != 0u {
                atomicAdd(&classes[found.y], 1u);
                if found.y == CLASS_DISABLED {
                    atomicAdd(&skipped, signature(i));
                }
            }
        }
    }
    workgroupBarrier();
    if tile < params.tiles {
        counts[thread * params.tiles + tile] = atomicLoad(&tally[thread]);
    }
    if thread < CLASS_COUNT {
        let count = atomicLoad(&classes[thread]);
        if count > 0u {
            atomicAdd(&status[params.classes + thread], count);
        }
    }
    if thread == 0u && tile < params.tiles {
        let passed_over = atomicLoad(&skipped);
        // If worlds are sorted before classes, disabled bodies are gathered too, and their slots stay empty.
        if passed_over != 0u && (params.flags & WORLDS) == 0u {
            atomicAdd(&status[STATUS_SKIPPED], passed_over);
        }
        sign_off(SIGN_CURVE_KEYS, tile);
    }
}
