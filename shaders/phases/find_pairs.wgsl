// Candidates: pairs of bodies whose bounds meet and whose traits agree. 32 threads have a cluster of 32 bodies, find the
// clusters that meet it, and test what of those comes near.
//
// Within one set a cluster asks those after it only. Classes of larger bodies come later in the order, so that a giant is asked
// by the many clusters that it meets and has little to ask itself.
// import: lib/ledger, lib/lanes, lib/lane_bounds, phases/candidate_queue, phases/enqueue

fn meet(low: vec4u, high: vec4u, their_low: vec4u, their_high: vec4u) -> bool {
    return all((bitcast<vec3f>(low.xyz) <= bitcast<vec3f>(their_high.xyz))
        & (bitcast<vec3f>(their_low.xyz) <= bitcast<vec3f>(high.xyz)));
}

// Whether a pair is among the excluded ones. The search takes as many steps for every pair.
fn excluded(a: u32, b: u32) -> bool {
    let low = min(a, b);
    let high = max(a, b);
    var first = 0u;
    for (var reach = 1u << (31u - countLeadingZeros(params.exclusions)); reach != 0u; reach >>= 1u) {
        let next = min(first + reach, params.exclusions);
        let pair = exclusions[next - 1u];
        let before = pair.x < low || (pair.x == low && pair.y < high);
        first = select(first, next, before);
    }
    let pair = exclusions[min(first, params.exclusions - 1u)];
    return pair.x == low && pair.y == high;
}

// Whether the bodies of two slots may be reported: their worlds, layers, groups, whether both are fixed, and exclusions.
fn may_meet(slot: u32, other: u32) -> bool {
    var allowed = true;
    if (params.flags & (HAS_FILTERS | WORLDS)) != 0u {
        let a = slot_traits[slot];
        let b = slot_traits[other];
        let agree = a.w == b.w && (a.x & b.y) != 0u && (b.x & a.y) != 0u && (a.z == 0u || a.z != b.z);
        allowed = agree && (slot_bounds[2u * slot + 1u].w & slot_bounds[2u * other + 1u].w & TAG_FIXED) == 0u;
    }
    if params.exclusions != 0u {
        allowed = allowed && !excluded(slot_bounds[2u * slot].w, slot_bounds[2u * other].w);
    }
    return allowed;
}

// Those of some bodies of a cluster that this thread's body of another cluster meets. `theirs` is this thread's body of that cluster.
fn meetings_in_mask(mine: Box, cluster: u32, theirs: Box, some: u32) -> u32 {
    var left = some;
    var found = 0u;
    while left != 0u {
        let k = firstLeadingBit(left);
        let bit = 1u << k;
        left ^= bit;
        let other = box_of_lane(cluster, theirs, k);
        found |= select(0u, bit, meet(mine.low, mine.high, other.low, other.high));
    }
    return select(found, 0u, mine.low.w == ABSENT);
}

// Those bodies of its own cluster that a body meets, each pair once: half of the others are asked by each.
fn meetings_in_own_cluster(own: Searcher, some: u32) -> u32 {
    var found = 0u;
    for (var ahead = 1u; ahead <= WIDTH / 2u; ahead++) {
        let k = (own.lane + ahead) % WIDTH;
        let other = box_of_lane(own.cluster, Box(own.low, own.high), k);
        found |= select(0u, 1u << k, meet(own.low, own.high, other.low, other.high));
    }
    if own.lane >= WIDTH / 2u {
        // The one halfway round asks this one.
        found &= ~(1u << (own.lane - WIDTH / 2u));
    }
    return select(found & some, 0u, own.low.w == ABSENT);
}

// The pairs with one cluster, after those that wait; how many wait then.
fn search_cluster(own: Searcher, cluster: u32, queued_before: u32) -> u32 {
    let slot = cluster * WIDTH + own.lane;
    // Of both clusters, those that come near the other at all.
    let low = slot_bounds[2u * slot];
    let high = slot_bounds[2u * slot + 1u];
    let theirs = vote(own.lane, low.w != ABSENT && meet(own.box_low, own.box_high, low, high));
    if theirs == 0u {
        return queued_before;
    }
    let ours = vote(own.lane, own.low.w != ABSENT && meet(own.low, own.high, nodes[2u * cluster], nodes[2u * cluster + 1u]));
    if ours == 0u {
        return queued_before;
    }
    // One after the other of the fewer meets the other cluster.
    let turned = countOneBits(ours) < countOneBits(theirs);
    var found = 0u;
    if (params.flags & ORDERED) != 0u && cluster == own.cluster {
        // (Both have as many.)
        found = meetings_in_own_cluster(own, theirs);
    } else if turned {
        found = meetings_in_mask(Box(low, high), own.cluster, Box(own.low, own.high), ours);
    } else {
        found = meetings_in_mask(Box(own.low, own.high), cluster, Box(low, high), theirs);
    }
    // Pairs are (slot of the other) * 32 + own lane, and this thread's have either in common.
    let first = cluster * (WIDTH * WIDTH) + own.lane * select(1u, WIDTH, turned);
    let stride = select(WIDTH, 1u, turned);
    if (params.flags & (HAS_FILTERS | WORLDS)) != 0u || params.exclusions != 0u {
        // Threads vote after this, so all of them go through the same bits.
        var left = or_over_warp(own.lane, found);
        while left != 0u {
            let k = firstLeadingBit(left);
            left ^= 1u << k;
            let pair = first + k * stride;
            let kept = may_meet(own.cluster * WIDTH + pair % WIDTH, pair / WIDTH);
            found &= ~select(1u << k, 0u, kept);
        }
    }
    return enqueue(own, first, stride, found, queued_before);
}

// The pairs with those clusters below a node of level 1 that are in the mask, after those that wait; how many wait then.
fn search_clusters(own: Searcher, node: u32, mask: u32, queued_before: u32) -> u32 {
    var left = mask;
    var queued = queued_before;
    while left != 0u {
        let other = node * WIDTH + firstLeadingBit(left);
        left = clear_highest_bit(left);
        queued = search_cluster(own, other, queued);
    }
    return queued;
}

fn begin_search(cluster: u32, thread: u32) -> Searcher {
    let lane = thread % WIDTH;
    let slot = cluster * WIDTH + lane;
    clear_buckets(warp_of(thread), lane);
    clear_lanes(lane);
    clear_queue(lane);
    warp_barrier();
    return Searcher(
        cluster,
        warp_of(thread),
        lane,
        slot_bounds[2u * slot],
        slot_bounds[2u * slot + 1u],
        nodes[2u * cluster],
        nodes[2u * cluster + 1u],
    );
}

// Whether this cluster has to ask a node of the tree: it is not wholly before it, and boxes and worlds meet.
fn must_visit(own: Searcher, level: u32, node: u32) -> bool {
    if node >= params.level_count[level] {
        return false;
    }
    if level > params.top {
        return true;
    }
    let last = ((node + 1u) << (5u * level)) - 1u;
    if (params.flags & ORDERED) != 0u && last < own.cluster {
        return false;
    }
    let at = params.level_first[level] + node;
    let low = nodes[2u * at];
    let high = nodes[2u * at + 1u];
    return meet(own.box_low, own.box_high, low, high) && low.w <= own.box_high.w && own.box_low.w <= high.w;
}

// A word without its highest bit. (That is found with one instruction, the lowest with two.)
fn clear_highest_bit(mask: u32) -> u32 {
    return mask ^ (1u << firstLeadingBit(mask));
}

// Iterations that asking one cluster may cost, at most: each body of it near, looked up, found, and twice
// on the way out.
fn visit_cost() -> u32 {
    return 192u + select(0u, WIDTH * (32u - countLeadingZeros(params.exclusions)), params.exclusions > 0u);
}

@compute @workgroup_size(WIDTH * WARPS)
fn find_pairs(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let lane = thread % WIDTH;
    let cluster = params.first_cluster + group_number(group, groups) * WARPS + warp_of(thread);
    if cluster >= params.end_cluster {
        return;
    }
    let own = begin_search(cluster, thread);
    var queued = 0u;
    let cost = visit_cost();
    var iterations = 0u;
    var last = ABSENT;
    for (var top = 0u; top < params.level_count[3] && iterations < params.iteration_limit; top += WIDTH) {
        iterations += 1u;
        var mask3 = vote(lane, must_visit(own, 3u, top + lane));
        while mask3 != 0u && iterations < params.iteration_limit {
            iterations += 1u;
            let node3 = top + firstLeadingBit(mask3);
            mask3 = clear_highest_bit(mask3);
            var mask2 = vote(lane, must_visit(own, 2u, node3 * WIDTH + lane));
            while mask2 != 0u && iterations < params.iteration_limit {
                iterations += 1u;
                let node2 = node3 * WIDTH + firstLeadingBit(mask2);
                mask2 = clear_highest_bit(mask2);
                var mask1 = vote(lane, must_visit(own, 1u, node2 * WIDTH + lane));
                while mask1 != 0u && iterations < params.iteration_limit {
                    last = node2 * WIDTH + firstLeadingBit(mask1);
                    mask1 = clear_highest_bit(mask1);
                    let mask0 = vote(lane, must_visit(own, 0u, last * WIDTH + lane));
                    // These are all asked, even if that is more than it may: the host leaves room for so many.
                    iterations += 1u + cost * countOneBits(mask0);
                    queued = search_clusters(own, last, mask0, queued);
                }
            }
        }
    }
    if queued > 0u {
        flush_queue(own, queued);
    }
    if lane == 0u {
        if iterations >= params.iteration_limit {
            let at = atomicAdd(&status[STATUS_UNFINISHED], 1u);
            if at < params.unfinished_room {
                unfinished[at] = vec2u(cluster, last);
            }
        }
        sign_off(SIGN_FIND_PAIRS, cluster);
    }
}

// Whether a search that was cut short after it asked the node `last` of level 1 has not asked this one. It takes blocks of 32 nodes
// of level 3 from the first to the last, and what is below a block from the last to the first.
fn remains(node: u32, last: u32) -> bool {
    let block = node / (WIDTH * WIDTH * WIDTH);
    let last_block = last / (WIDTH * WIDTH * WIDTH);
    return last == ABSENT || block > last_block || (block == last_block && node < last);
}

// Asks what is below one node of level 1 for a search that was cut short, unless it has asked that.
fn resume_at_node(entry: u32, node: u32, thread: u32) {
    let lane = thread % WIDTH;
    if entry >= broadcast_first(lane, atomicLoad(&status[STATUS_UNFINISHED])) {
        return;
    }
    let cluster = broadcast_first(lane, unfinished[entry].x);
    if !remains(node, broadcast_first(lane, unfinished[entry].y)) {
        return;
    }
    let own = begin_search(cluster, thread);
    let mask0 = vote(lane, must_visit(own, 1u, node) && must_visit(own, 0u, node * WIDTH + lane));
    let queued = search_clusters(own, node, mask0, 0u);
    if queued > 0u {
        flush_queue(own, queued);
    }
}

// Does the rest of searches that were cut short: each group of 32 threads asks one node of level 1 for one of them.
@compute @workgroup_size(WIDTH * WARPS)
fn resume_search(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups) * WARPS + warp_of(thread);
    let entry = params.first_unfinished + number / params.level_count[1];
    if entry >= params.end_unfinished {
        return;
    }
    resume_at_node(entry, number % params.level_count[1], thread);
    if thread % WIDTH == 0u {
        sign_off(SIGN_RESUME_SEARCH, number);
    }
}

// All pairs, without a tree: for few bodies.
@compute @workgroup_size(WIDTH * WARPS)
fn all_pairs(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let lane = thread % WIDTH;
    let cluster = params.first_cluster + group_number(group, groups) * WARPS + warp_of(thread);
    if cluster >= params.end_cluster {
        return;
    }
    let own = begin_search(cluster, thread);
    var queued = 0u;
    for (var other = 0u; other < params.level_count[0]; other++) {
        if (params.flags & ORDERED) == 0u || other >= cluster {
            queued = search_cluster(own, other, queued);
        }
    }
    if queued > 0u {
        flush_queue(own, queued);
    }
    if lane == 0u {
        sign_off(SIGN_ALL_PAIRS, cluster);
    }
}
