// Settles candidates that the narrow phase left open: boxes with common axes exactly, and others, balls too, with the filters in f64
// where the device has it. Candidates that are still undecided are reported as undecided hits, which the host settles.
//
// Two boxes with a common axis are prisms along it. They are separate if they are separate along that axis, or if their cross
// sections are; and those are rectangles, which are separate if they are along the normal of one of their sides, which is a face
// normal of a box.
// import: lib/verdicts, lib/open_parts, lib/slots, lib/filters, lib/exact

// The verdict, from the signs of the gaps along common axes (`kept`) and from whether the boxes certainly overlap along all other
// axes that need to be tested.
fn verdict_from(signs: vec3i, kept: vec3<bool>, others_overlap: bool) -> u32 {
    let gaps = select(vec3i(-1), signs, kept);
    if any(gaps == vec3i(1)) {
        return MISS;
    }
    if any(gaps == vec3i(UNKNOWN)) || !others_overlap {
        return UNDECIDED;
    }
    return select(HIT, TOUCH, any(gaps == vec3i(0)));
}

// Whether the boxes certainly overlap along all face normals that are not common axes. One common axis leaves two faces of each
// box, three leave none.
fn faces_overlap(gaps: Gaps, kept: vec3<bool>) -> bool {
    return all(kept | (max(gaps.faces_a, gaps.faces_b) < Vec(-gaps.face_bound)));
}

fn settle_obb_obb_verdict(pair: Pair) -> u32 {
    let half_a = slot_shapes[2u * pair.slot_a + 1u];
    let half_b = slot_shapes[2u * pair.slot_b + 1u];
    let quaternion_a = slot_rotations[pair.slot_a];
    let quaternion_b = slot_rotations[pair.slot_b];
    let fine = ordinary(quaternion_a) && ordinary(quaternion_b) && ordinary(vec4u(pair.a.xyz, half_a.x)) && ordinary(vec4u(pair.b.xyz, half_b.x))
        && ordinary(vec4u(half_a.yz, half_b.yz));
    if !fine {
        return UNDECIDED;
    }
    let a = cuboid(pair.slot_a, pair.a.xyz);
    let b = cuboid(pair.slot_b, pair.b.xyz);
    let kept = kept_axes(quaternion_a) & kept_axes(quaternion_b);
    if any(kept) {
        let signs = vec3i(
            gap_sign(vec4u(pair.a.x, half_a.x, pair.b.x, half_b.x), false),
            gap_sign(vec4u(pair.a.y, half_a.y, pair.b.y, half_b.y), false),
            gap_sign(vec4u(pair.a.z, half_a.z, pair.b.z, half_b.z), false),
        );
        let gaps = obb_faces(a, b, opaque(b.center - a.center));
        let verdict = verdict_from(signs, kept, faces_overlap(gaps, kept));
        if verdict != UNDECIDED {
            return verdict;
        }
    }
    return obb_obb(a, b);
}

fn settle_aabb_obb_verdict(pair: Pair) -> u32 {
    let high = slot_shapes[2u * pair.slot_a + 1u];
    let half = slot_shapes[2u * pair.slot_b + 1u];
    let quaternion = slot_rotations[pair.slot_b];
    let fine = ordinary(quaternion) && ordinary(vec4u(pair.a.xyz, high.x)) && ordinary(vec4u(pair.b.xyz, high.y))
        && ordinary(vec4u(half.xyz, high.z));
    if !fine {
        return UNDECIDED;
    }
    let b = cuboid(pair.slot_b, pair.b.xyz);
    let kept = kept_axes(quaternion);
    if any(kept) {
        let signs = vec3i(
            gap_sign(vec4u(pair.a.x, high.x, pair.b.x, half.x), true),
            gap_sign(vec4u(pair.a.y, high.y, pair.b.y, half.y), true),
            gap_sign(vec4u(pair.a.z, high.z, pair.b.z, half.z), true),
        );
        let gaps = aabb_faces(opaque(reals(pair.a.xyz) - b.center), opaque(reals(high.xyz) - b.center), b);
        let verdict = verdict_from(signs, kept, faces_overlap(gaps, kept));
        if verdict != UNDECIDED {
            return verdict;
        }
    }
    return aabb_obb(pair.a.xyz, high.xyz, b);
}

fn settle_sphere_sphere_verdict(pair: Pair) -> u32 {
    let radii = vec2u(slot_shapes[2u * pair.slot_a + 1u].x, slot_shapes[2u * pair.slot_b + 1u].x);
    if !ordinary(vec4u(pair.a.xyz, radii.x)) || !ordinary(vec4u(pair.b.xyz, radii.y)) {
        return UNDECIDED;
    }
    return sphere_sphere(pair.a.xyz, radius(pair.slot_a), pair.b.xyz, radius(pair.slot_b));
}

fn settle_sphere_aabb_verdict(pair: Pair) -> u32 {
    let high = upper_corner(pair.slot_b);
    let radius_bits = slot_shapes[2u * pair.slot_a + 1u].x;
    if !ordinary(vec4u(pair.a.xyz, radius_bits)) || !ordinary(vec4u(pair.b.xyz, high.x)) || !ordinary(vec4u(high, 0u)) {
        return UNDECIDED;
    }
    return sphere_aabb(pair.a.xyz, radius(pair.slot_a), pair.b.xyz, high);
}

fn settle_sphere_obb_verdict(pair: Pair) -> u32 {
    let half = slot_shapes[2u * pair.slot_b + 1u];
    let radius_bits = slot_shapes[2u * pair.slot_a + 1u].x;
    let fine = ordinary(vec4u(pair.a.xyz, radius_bits)) && ordinary(vec4u(pair.b.xyz, half.x)) && ordinary(vec4u(half.yz, 0u, 0u))
        && ordinary(slot_rotations[pair.slot_b]);
    if !fine {
        return UNDECIDED;
    }
    return sphere_obb(pair.a.xyz, radius(pair.slot_a), cuboid(pair.slot_b, pair.b.xyz));
}

// for each settle kernel:
@compute @workgroup_size(NARROW_THREADS)
fn settle_$pair(
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
            if pair.exists && in_domain(pair) {
                verdict = settle_$pair_verdict(pair);
            }
            note(pair, verdict);
        }
        report(lane);
        reset_counts(lane);
    }
    sign_settled(SIGN_SETTLE_$PAIR, group, settled, lane);
}

// end for each
