// The entries that rays have listed, one or a few for each thread. For modules with `rays` and `extra_room` in their params.
// import: lib/ledger

var<workgroup> entry_count: u32;

// How many there are: none unless all rays have come to their ends, and all bodies have found room. Otherwise all of this runs again.
fn listed_entries(lane: u32) -> u32 {
    // (One thread reads the status block for all: they would wait for one another.)
    if lane == 0u {
        let extras = atomicLoad(&status[STATUS_RAY_EXTRAS]);
        let is_complete = atomicLoad(&status[STATUS_RAYS_UNFINISHED]) == 0u
            && atomicLoad(&status[STATUS_CARRY]) == 0u
            && extras <= params.extra_room;
        entry_count = select(0u, params.rays + extras, is_complete);
    }
    workgroupBarrier();
    return entry_count;
}

// The place of one of a thread's entries.
fn entry_at(group: u32, each: u32, k: u32, lane: u32) -> u32 {
    return (group * each + k) * BODY_THREADS + lane;
}
