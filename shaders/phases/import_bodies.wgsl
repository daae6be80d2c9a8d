// Takes over what the caller's shaders have written about bodies: positions, rotations and extents. What is not valid is refused: the body keeps
// what it had, and takes no part until it is valid again.
// import: lib/ledger, lib/ordered

// A word of a body in the caller's buffer.
fn given(k: u32, word: u32) -> u32 {
    return source[params.offset + k * params.stride + word];
}

fn is_finite(bits: u32) -> bool {
    return (bits & 0x7f800000u) != 0x7f800000u;
}

// Finite, and not negative. (-0 is 0.)
fn is_length(bits: u32) -> bool {
    return bits < 0x7f800000u || bits == 0x80000000u;
}

// How many numbers follow the first three, but for a rotation. (Of a hull what follows is the number of its local form, which stays.)
fn lengths_of(kind: u32) -> u32 {
    return select(select(3u, 1u, kind == KIND_SPHERE || kind == KIND_PLANE), 0u, kind == KIND_CONVEX_HULL);
}

fn has_rotation(kind: u32) -> bool {
    return kind == KIND_OBB || kind == KIND_CONVEX_HULL;
}

// Whether what is given of a body of this kind is valid.
fn is_valid(k: u32, kind: u32) -> bool {
    var valid = true;
    if params.position != ABSENT {
        for (var word = 0u; word < 3u; word++) {
            valid = valid && is_finite(given(k, params.position + word));
        }
    }
    if kind == KIND_AABB {
        // Its corners, both of them or none.
        if params.position == ABSENT || params.extents == ABSENT {
            return params.position == params.extents;
        }
        for (var word = 0u; word < 3u; word++) {
            let low = given(k, params.position + word);
            let high = given(k, params.extents + word);
            let same = ((low | high) & 0x7fffffffu) == 0u;
            valid = valid && is_finite(high) && (same || ordered(low) <= ordered(high));
        }
        return valid;
    }
    if kind == KIND_PLANE && params.position != ABSENT {
        // Any normal but 0.
        let x = given(k, params.position);
        let y = given(k, params.position + 1u);
        let z = given(k, params.position + 2u);
        valid = valid && ((x | y | z) & 0x7fffffffu) != 0u;
    }
    if params.extents != ABSENT {
        for (var word = 0u; word < lengths_of(kind); word++) {
            let bits = given(k, params.extents + word);
            // (Of a capsule they are an end, of a half-space the offset.)
            let is_any = kind == KIND_CAPSULE || kind == KIND_PLANE;
            valid = valid && select(is_length(bits), is_finite(bits), is_any);
        }
    }
    if params.rotation != ABSENT && has_rotation(kind) {
        var all = 0u;
        for (var word = 0u; word < 4u; word++) {
            let bits = given(k, params.rotation + word);
            valid = valid && is_finite(bits);
            all |= bits & 0x7fffffffu;
        }
        // Any rotation but 0 stands for one.
        valid = valid && all != 0u;
    }
    return valid;
}

@compute @workgroup_size(THREADS)
fn import_bodies(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let k = number * THREADS + thread;
    if k < params.bodies {
        let id = params.first + k;
        let shift = 8u * (id % 4u);
        let tag = (atomicLoad(&tags[id / 4u]) >> shift) & 0xffu;
        let kind = tag & TAG_KIND;
        if (tag & TAG_WANTED) == 0u {
            // It was removed or disabled: nobody asks where it is.
        } else if is_valid(k, kind) {
            let at = id * RECORD_WORDS;
            if params.position != ABSENT {
                for (var word = 0u; word < 3u; word++) {
                    records[at + word] = given(k, params.position + word);
                }
            }
            if params.extents != ABSENT {
                for (var word = 0u; word < lengths_of(kind); word++) {
                    records[at + 3u + word] = given(k, params.extents + word);
                }
            }
            if params.rotation != ABSENT && has_rotation(kind) {
                for (var word = 0u; word < 4u; word++) {
                    records[at + 6u + word] = given(k, params.rotation + word);
                }
            }
            atomicOr(&tags[id / 4u], TAG_ENABLED << shift);
        } else {
            atomicAnd(&tags[id / 4u], ~(TAG_ENABLED << shift));
            // The least id has the greatest complement.
            atomicMax(&status[STATUS_BAD_BODY], ~id);
        }
    }
    if thread == 0u && k < params.bodies {
        sign_off(SIGN_IMPORT_BODIES, number);
    }
}
