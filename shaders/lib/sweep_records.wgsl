// Pairs of moving bodies and what was found of them, for modules with arrays `rows` and `records`.
// import: lib/sweep

fn write_hit(pair: u32, found: SweepHit, second: u32) {
    records[SWEEP_VECTORS * pair] = bitcast<vec4u>(vec4f(found.normal, found.time.high));
    records[SWEEP_VECTORS * pair + 1u] = vec4u(bitcast<u32>(found.time.low), found.state, second, found.rounds);
}

fn hit_of(pair: u32) -> SweepHit {
    let first = bitcast<vec4f>(records[SWEEP_VECTORS * pair]);
    let second = records[SWEEP_VECTORS * pair + 1u];
    return SweepHit(first.xyz, DetDouble(first.w, bitcast<f32>(second.x)), second.y, second.w);
}

// How many pairs there are. Where bins overflowed there are none, and the attempt is repeated.
fn pair_count() -> u32 {
    return select(0u, min(rows[params.rows], params.room), atomicLoad(&status[STATUS_BINS_OVERFLOWED]) == 0u);
}
