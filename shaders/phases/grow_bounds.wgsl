// Grows the bounds in slots, and those of their clusters, to all sides, and takes margins to slots: for pairs that may be some way apart. Slots of points
// whose nearest bodies are known become empty.
// import: lib/ledger, lib/bounds

// By how much, besides the growth itself: as much as rounding may take off, relative to the numbers that are added.
fn grown_by(bounds: Bounds, growth: f32) -> Bounds {
    let low = bounds_around(bounds.low, vec3f(growth)).low;
    let high = bounds_around(bounds.high, vec3f(growth)).high;
    return Bounds(low, high);
}

fn grown(bounds: Bounds, margin: u32) -> Bounds {
    let all = grown_by(bounds, params.growth);
    if margin == 0u {
        return all;
    }
    return grown_by(all, bitcast<f32>(margin));
}

// What a slot has that is empty.
const NO_MARGIN = 0xffffffffu;

// The margins of the bodies in the slots of this workgroup, as bits, of which the larger belong to larger numbers.
var<workgroup> slot_margins: array<u32, THREADS>;

@compute @workgroup_size(THREADS)
fn grow_bounds(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let slot = params.first_slot + number * THREADS + thread;
    var low = vec4u(ABSENT);
    var high = vec4u(ABSENT);
    if slot < params.end_slot {
        low = slot_bounds[2u * slot];
        high = slot_bounds[2u * slot + 1u];
    }
    var margin = 0u;
    if low.w != ABSENT && params.has_margins != 0u {
        margin = margins[low.w];
    }
    let is_known = margin >= MARGIN_KNOWN;
    slot_margins[thread] = select(margin, NO_MARGIN, is_known || low.w == ABSENT);
    workgroupBarrier();
    if slot >= params.end_slot {
        return;
    }
    if is_known {
        slot_bounds[2u * slot] = vec4u(bitcast<vec3u>(NOWHERE.low), ABSENT);
        slot_bounds[2u * slot + 1u] = vec4u(bitcast<vec3u>(NOWHERE.high), high.w);
    } else if low.w != ABSENT {
        let bounds = grown(Bounds(bitcast<vec3f>(low.xyz), bitcast<vec3f>(high.xyz)), margin);
        slot_bounds[2u * slot] = vec4u(bitcast<vec3u>(bounds.low), low.w);
        slot_bounds[2u * slot + 1u] = vec4u(bitcast<vec3u>(bounds.high), high.w);
        if params.has_margins != 0u {
            if (high.w & TAG_KIND) == KIND_CAPSULE {
                slot_rotations[slot].x = margin;
            } else {
                slot_shapes[2u * slot + 1u].w = margin;
            }
        }
    }
    if thread % WIDTH == 0u {
        let node = slot / WIDTH;
        let node_low = nodes[2u * node];
        let node_high = nodes[2u * node + 1u];
        let first = bitcast<vec3f>(node_low.xyz);
        let last = bitcast<vec3f>(node_high.xyz);
        // (Of a cluster without bodies the bounds are nowhere, and stay there.)
        if all(first <= last) {
            var most = 0u;
            var is_empty = true;
            for (var k = 0u; k < WIDTH; k++) {
                let other = slot_margins[thread + k];
                if other != NO_MARGIN {
                    most = max(most, other);
                    is_empty = false;
                }
            }
            var bounds = NOWHERE;
            if !is_empty {
                bounds = grown(Bounds(first, last), most);
            }
            nodes[2u * node] = vec4u(bitcast<vec3u>(bounds.low), node_low.w);
            nodes[2u * node + 1u] = vec4u(bitcast<vec3u>(bounds.high), node_high.w);
        }
    }
    if thread == 0u {
        sign_off(SIGN_GROW_BOUNDS, number);
    }
}
