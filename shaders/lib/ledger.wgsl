// Common to all kernels: the number of a workgroup, and the ledger in the status block, where each unit of work is signed for.
// The host compares the sums with those that are due before it trusts an answer (src/gpu/ledger.rs).

// The number of a workgroup; large dispatches are two-dimensional.
fn group_number(id: vec3u, groups: vec3u) -> u32 {
    return id.x + id.y * groups.x;
}

// The signature of a unit of work. Sums of signatures reveal a unit that is missing, or that was done twice in place of another.
fn signature(number: u32) -> u32 {
    return number * SIGNATURE + 1u;
}

// Signs in the ledger for a unit of a stage's work. `stage` is one of the constants SIGN_….
fn sign_off(stage: u32, number: u32) {
    atomicAdd(&status[stage], signature(number));
}
