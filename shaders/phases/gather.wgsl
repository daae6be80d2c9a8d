// Gathers bodies into slots, in the order of their keys: shapes for the narrow phase, bounds, and the bounds of each cluster.
// import: lib/ledger, lib/tags, lib/filters, lib/bounds, lib/hull_record, lib/reduce

// The number of bodies of each class, except for that of disabled bodies, which is the last. A few threads load them for all, to
// avoid contention on the status block.
var<workgroup> class_counts: array<u32, CLASS_COUNT>;

// Whether each class begins at a multiple of 32 slots. If worlds are sorted before classes, it does not.
fn has_classes() -> bool {
    return (params.flags & (CLASSES | WORLDS)) == CLASSES;
}

fn load_classes(thread: u32) {
    if has_classes() {
        if thread < CLASS_DISABLED {
            class_counts[thread] = atomicLoad(&status[params.classes + thread]);
        }
        workgroupBarrier();
    }
}

// The body for a position among the slots of the set, or ABSENT for padding.
fn body_at(position: u32) -> u32 {
    var rank = position;
    if has_classes() {
        var first_position = 0u;
        var first_rank = 0u;
        var found = ABSENT;
        for (var k = 0u; k < CLASS_DISABLED; k++) {
            let count = class_counts[k];
            if position >= first_position && position - first_position < count {
                found = first_rank + (position - first_position);
            }
            first_rank += count;
            first_position += (count + WIDTH - 1u) & ~(WIDTH - 1u);
        }
        rank = found;
    }
    if rank >= params.bodies {
        return ABSENT;
    }
    return order[rank];
}

@compute @workgroup_size(THREADS)
fn gather(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let position = number * THREADS + thread;
    let slot = params.first_slot + position;
    var id = ABSENT;
    var tag = 0u;
    var signed = 0u;
    load_classes(thread);
    if slot < params.end_slot {
        id = body_at(position);
        if id != ABSENT {
            signed = signature(id);
            tag = params.tag;
            if tag == ABSENT {
                tag = tag_of(id);
            }
            if (tag & TAG_ENABLED) == 0u && (params.flags & KEEP_DISABLED) == 0u {
                id = ABSENT;
                tag = 0u;
            }
        }
    }
    var bounds = NOWHERE;
    if id != ABSENT {
        let at = RECORD_WORDS / 2u * id;
        let w1 = shapes[at + 1u];
        let w2 = shapes[at + 2u];
        let center = vec3u(shapes[at], w1.x);
        let second = vec3u(w1.y, w2);
        let kind = tag & TAG_KIND;
        var within = length_in_domain(center);
        if kind == KIND_SPHERE {
            let radius = second.x;
            within = within && length_in_domain(vec3u(radius));
            bounds = bounds_around(bitcast<vec3f>(center), vec3f(bitcast<f32>(radius)));
            slot_shapes[2u * slot + 1u] = vec4u(radius, 0u, 0u, 0u);
        } else if kind == KIND_AABB {
            within = within && length_in_domain(second);
            bounds = aabb_bounds(bitcast<vec3f>(center), bitcast<vec3f>(second));
            slot_shapes[2u * slot + 1u] = vec4u(second, 0u);
        } else if kind == KIND_CAPSULE {
            let radius = shapes[at + 3u].x;
            within = within && length_in_domain(second) && length_in_domain(vec3u(radius));
            bounds = capsule_bounds(bitcast<vec3f>(center), bitcast<vec3f>(second), bitcast<f32>(radius));
            slot_shapes[2u * slot + 1u] = vec4u(second, radius);
            slot_rotations[slot] = vec4u();
        } else if kind == KIND_PLANE {
            within = plane_in_domain(vec4u(center, second.x));
            bounds = EVERYWHERE;
            if within {
                bounds = half_space_bounds(center, bitcast<f32>(second.x));
            }
            slot_shapes[2u * slot + 1u] = vec4u(second.x, 0u, 0u, 0u);
        } else if kind == KIND_CONVEX_HULL {
            let quaternion = vec4u(shapes[at + 3u], shapes[at + 4u]);
            let step = hull_step(second.x);
            let low = hull_corner(second.y, step);
            let high = hull_corner(second.z, step);
            within = within && length_in_domain(vec3u(bitcast<u32>(hull_reach(second.x)))) && quaternion_in_domain(quaternion);
            if quaternion_in_domain(quaternion) {
                bounds = hull_bounds(
                    bitcast<vec3f>(center),
                    low,
                    high,
                    hull_radius_share(second.y, second.z),
                    rotation(scaled_quaternion(quaternion)),
                );
            } else {
                bounds = any_bounds(bitcast<vec3f>(center), max(abs(low), abs(high)));
            }
            slot_shapes[2u * slot + 1u] = vec4u(second, 0u);
            slot_rotations[slot] = quaternion;
        } else {
            let quaternion = vec4u(shapes[at + 3u], shapes[at + 4u]);
            within = within && length_in_domain(second);
            if quaternion_in_domain(quaternion) {
                let axes = rotation(scaled_quaternion(quaternion));
                bounds = obb_bounds(bitcast<vec3f>(center), bitcast<vec3f>(second), axes);
            } else {
                within = false;
                bounds = any_bounds(bitcast<vec3f>(center), bitcast<vec3f>(second));
            }
            slot_shapes[2u * slot + 1u] = vec4u(second, 0u);
            slot_rotations[slot] = quaternion;
        }
        slot_shapes[2u * slot] = vec4u(center, select(id | OUTSIDE_DOMAIN, id, within));
    }
    if slot < params.end_slot {
        slot_bounds[2u * slot] = vec4u(bitcast<vec3u>(bounds.low), id);
        slot_bounds[2u * slot + 1u] = vec4u(bitcast<vec3u>(bounds.high), tag);
    }
    let all = unite(thread, bounds);
    if thread % WIDTH == 0u && slot < params.end_slot {
        nodes[2u * (slot / WIDTH)] = vec4u(bitcast<vec3u>(all.low), 0u);
        nodes[2u * (slot / WIDTH) + 1u] = vec4u(bitcast<vec3u>(all.high), 0u);
    }
    let gathered = sum_over_workgroup(thread, signed);
    if thread == 0u && slot < params.end_slot {
        atomicAdd(&status[STATUS_GATHERED], gathered);
        sign_off(SIGN_GATHER, number);
    }
}
