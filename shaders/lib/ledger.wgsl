// What every kernel needs: the number of its workgroup, and the ledger in the status block, where each unit of work is signed for. The
// host compares the sums with what was due before it believes an answer (src/gpu/ledger.rs).

// The number of a workgroup; large dispatches are two-dimensional.
fn group_number(id: vec3u, groups: vec3u) -> u32 {
    return id.x + id.y * groups.x;
}

// What a unit of work with this number adds to the ledger. Sums of these tell a unit that is missing, and one that was done twice in
// the place of another.
fn signature(number: u32) -> u32 {
    return number * SIGNATURE + 1u;
}

// Notes in the ledger that a unit of a stage's work is done. `stage` is one of the words SIGN_….
fn sign_off(stage: u32, number: u32) {
    atomicAdd(&status[stage], signature(number));
}
