// Finds the candidate pairs: bodies whose bounds meet and whose traits allow the pair. A warp searches for one cluster of 32
// bodies: it descends the tree to the clusters whose bounds meet its own, and tests their bodies.
//
// Within one set, a cluster searches only itself and later clusters. Classes of larger bodies come later in the order, so that a
// giant is found by the many small clusters that it meets, and searches little itself.
// import: lib/ledger, lib/lanes, lib/lane_bounds, lib/candidate_queue, lib/enqueue

fn meet(low: vec4u, high: vec4u, their_low: vec4u, their_high: vec4u) -> bool {
    return all((bitcast<vec3f>(low.xyz) <= bitcast<vec3f>(their_high.xyz))
        & (bitcast<vec3f>(their_low.xyz) <= bitcast<vec3f>(high.xyz)));
}

// Whether a pair is excluded: a binary search with the same number of steps for every pair.
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

// Whether traits and exclusions allow the pair of the bodies in two slots.
fn may_meet(slot: u32, other: u32) -> bool {
    var allowed = true;
    if (params.flags & (HAS_FILTERS | WORLDS)) != 0u {
        let a = slot_traits[slot];
        let b = slot_traits[other];
        let together = a.w == b.w || a.w == EVERY_WORLD || b.w == EVERY_WORLD;
        let agree = together && (a.x & b.y) != 0u && (b.x & a.y) != 0u && (a.z == 0u || a.z != b.z);
        allowed = agree && (slot_bounds[2u * slot + 1u].w & slot_bounds[2u * other + 1u].w & TAG_FIXED) == 0u;
    }
    if params.exclusions != 0u {
        allowed = allowed && !excluded(slot_bounds[2u * slot].w, slot_bounds[2u * other].w);
    }
    return allowed;
}

// The bodies of a cluster, among those in the mask `some`, whose bounds meet those of this lane's body `mine` of another cluster.
// `theirs` is this lane's body of the cluster that is tested.
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

// The bodies of its own cluster, among those in the mask `some`, whose bounds meet those of this lane's body. Each lane tests the
// 16 lanes after it, cyclically, so that each pair is found once.
fn meetings_in_own_cluster(own: Searcher, some: u32) -> u32 {
    var found = 0u;
    for (var ahead = 1u; ahead <= WIDTH / 2u; ahead++) {
        let k = (own.lane + ahead) % WIDTH;
        let other = box_of_lane(own.cluster, Box(own.low, own.high), k);
        found |= select(0u, 1u << k, meet(own.low, own.high, other.low, other.high));
    }
    if own.lane >= WIDTH / 2u {
        // The lane halfway round tests this pair.
        found &= ~(1u << (own.lane - WIDTH / 2u));
    }
    return select(found & some, 0u, own.low.w == ABSENT);
}

// Enqueues the candidate pairs of the searching cluster with another one. Returns the length of the queue.
fn search_cluster(own: Searcher, cluster: u32, queued_before: u32) -> u32 {
    let slot = cluster * WIDTH + own.lane;
    // The bodies of each cluster whose bounds meet the bounds of the other cluster.
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
    // The loop runs over the bodies of the cluster with fewer of them; each is tested by all lanes against the other cluster.
    let turned = countOneBits(ours) < countOneBits(theirs);
    var found = 0u;
    if (params.flags & ORDERED) != 0u && cluster == own.cluster {
        // Within one cluster both masks are equal, and `turned` is false.
        found = meetings_in_own_cluster(own, theirs);
    } else if turned {
        found = meetings_in_mask(Box(low, high), own.cluster, Box(own.low, own.high), ours);
    } else {
        found = meetings_in_mask(Box(own.low, own.high), cluster, Box(low, high), theirs);
    }
    // A pair is encoded as (slot of the searched body) * 32 + lane of the searching body. All pairs of this lane share one of the
    // two.
    let first = cluster * (WIDTH * WIDTH) + own.lane * select(1u, WIDTH, turned);
    let stride = select(WIDTH, 1u, turned);
    if (params.flags & (HAS_FILTERS | WORLDS)) != 0u || params.exclusions != 0u {
        // Votes follow, so that control flow must be uniform: all lanes loop over the same bits.
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

// Enqueues the candidate pairs with the clusters below a node of level 1 that are in the mask. Returns the length of the queue.
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

// Whether the search has to visit a node of the tree: its bounds and worlds meet those of the cluster and, within one set, it
// does not lie wholly before the cluster.
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

// Clears the highest bit of a word. (Finding the highest bit takes one instruction, the lowest two.)
fn clear_highest_bit(mask: u32) -> u32 {
    return mask ^ (1u << firstLeadingBit(mask));
}

// An upper bound of the iterations for testing one cluster, in the worst case that all of its bodies meet: loops over tests, over
// exclusions, over pairs to enqueue, and over the queue when it is flushed.
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
                    // All these clusters are visited even if that exceeds the limit: ITERATION_LIMIT leaves room for one node.
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

// Whether a search that was cut short after it visited the node `last` of level 1 has not visited this one. Blocks of 32 nodes of
// level 3 are visited in ascending order, the nodes below a block in descending order.
fn remains(node: u32, last: u32) -> bool {
    let block = node / (WIDTH * WIDTH * WIDTH);
    let last_block = last / (WIDTH * WIDTH * WIDTH);
    return last == ABSENT || block > last_block || (block == last_block && node < last);
}

// Continues an unfinished search below one node of level 1, unless it has visited that node before.
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

// Continues unfinished searches: each warp visits one node of level 1 for one of them.
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

// Tests all pairs without a tree: for sets of few bodies.
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
