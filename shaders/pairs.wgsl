// Candidates: pairs of bodies whose bounds meet and whose traits agree. 32 threads have a cluster of 32 bodies, find the
// clusters that meet it, and test what of those comes near.
//
// Within one set a cluster asks those after it only. Classes of larger bodies come later in the order, so that a giant is asked
// by the many clusters that it meets and has little to ask itself.

@group(0) @binding(1) var<storage, read> boxes: array<vec4u>;
@group(0) @binding(2) var<storage, read> nodes: array<vec4u>;
@group(0) @binding(3) var<storage, read> traits: array<vec4u>;
@group(0) @binding(4) var<storage, read> exclusions: array<vec2u>;
@group(0) @binding(5) var<storage, read_write> candidates: array<vec2u>;
// Searches that were cut short: the cluster that asks, and the last node of level 1 that it asked, or NONE.
@group(0) @binding(6) var<storage, read_write> unfinished: array<vec2u>;
@group(0) @binding(7) var<storage, read_write> status: array<atomic<u32>>;
@group(0) @binding(8) var<uniform> step: Step; // a, b: searches that were cut short (from, to)

// Pairs that wait to be written, of each team: (slot of the other) * 32 + own lane.
var<workgroup> waiting: array<u32, ROOM * TEAMS>;
// By kind of pair, eight words a team.
var<workgroup> kind_counts: array<atomic<u32>, 8 * TEAMS>;
var<workgroup> kind_first: array<u32, 8 * TEAMS>;

// What a cluster asks with.
struct Own {
    cluster: u32,
    team: u32,
    lane: u32,
    low: vec4u,
    high: vec4u,
    box_low: vec4u,
    box_high: vec4u,
}

// The bounds of a body.
struct Box {
    low: vec4u,
    high: vec4u,
}

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
    if (params.flags & (CHOOSY | WORLDS)) != 0u {
        let a = traits[slot];
        let b = traits[other];
        let agree = a.w == b.w && (a.x & b.y) != 0u && (b.x & a.y) != 0u && (a.z == 0u || a.z != b.z);
        allowed = agree && (boxes[2u * slot + 1u].w & boxes[2u * other + 1u].w & 8u) == 0u;
    }
    if params.exclusions != 0u {
        allowed = allowed && !excluded(boxes[2u * slot].w, boxes[2u * other].w);
    }
    return allowed;
}

// Those bodies of a cluster, of some, that this thread's body of another meets. `theirs` is this thread's body of that cluster.
fn meet_some(mine: Box, cluster: u32, theirs: Box, some: u32) -> u32 {
    var left = some;
    var found = 0u;
    while left != 0u {
        let k = firstLeadingBit(left);
        let bit = 1u << k;
        left ^= bit;
        let other = of_lane(cluster, theirs, k);
        found |= select(0u, bit, meet(mine.low, mine.high, other.low, other.high));
    }
    return select(found, 0u, mine.low.w == NONE);
}

// Those bodies of its own cluster that a body meets, each pair once: half of the others are asked by each.
fn meet_own(own: Own, some: u32) -> u32 {
    var found = 0u;
    for (var ahead = 1u; ahead <= WIDTH / 2u; ahead++) {
        let k = (own.lane + ahead) % WIDTH;
        let other = of_lane(own.cluster, Box(own.low, own.high), k);
        found |= select(0u, 1u << k, meet(own.low, own.high, other.low, other.high));
    }
    if own.lane >= WIDTH / 2u {
        // The one halfway round asks this one.
        found &= ~(1u << (own.lane - WIDTH / 2u));
    }
    return select(found & some, 0u, own.low.w == NONE);
}

// The pairs with one cluster, after those that wait; how many wait then.
fn meet_cluster(own: Own, cluster: u32, already: u32) -> u32 {
    let slot = cluster * WIDTH + own.lane;
    // Of both clusters, those that come near the other at all.
    let low = boxes[2u * slot];
    let high = boxes[2u * slot + 1u];
    let theirs = vote(own.lane, low.w != NONE && meet(own.box_low, own.box_high, low, high));
    if theirs == 0u {
        return already;
    }
    let ours = vote(own.lane, own.low.w != NONE && meet(own.low, own.high, nodes[2u * cluster], nodes[2u * cluster + 1u]));
    if ours == 0u {
        return already;
    }
    // One after the other of the fewer meets the other cluster.
    let turned = countOneBits(ours) < countOneBits(theirs);
    var found = 0u;
    if (params.flags & ORDERED) != 0u && cluster == own.cluster {
        // (Both have as many.)
        found = meet_own(own, theirs);
    } else if turned {
        found = meet_some(Box(low, high), own.cluster, Box(own.low, own.high), ours);
    } else {
        found = meet_some(Box(own.low, own.high), cluster, Box(low, high), theirs);
    }
    // Pairs are (slot of the other) * 32 + own lane, and this thread's have either in common.
    let first = cluster * (WIDTH * WIDTH) + own.lane * select(1u, WIDTH, turned);
    let stride = select(WIDTH, 1u, turned);
    if (params.flags & (CHOOSY | WORLDS)) != 0u || params.exclusions != 0u {
        // Threads vote after this, so all of them go through the same bits.
        var left = of_any(own.lane, found);
        while left != 0u {
            let k = firstLeadingBit(left);
            left ^= 1u << k;
            let pair = first + k * stride;
            let kept = may_meet(own.cluster * WIDTH + pair % WIDTH, pair / WIDTH);
            found &= ~select(1u << k, 0u, kept);
        }
    }
    return let_wait(own, first, stride, found, already);
}

// The pairs with those clusters below a node of level 1 that are in the mask, after those that wait; how many wait then.
fn meet_clusters(own: Own, node: u32, mask: u32, already: u32) -> u32 {
    var left = mask;
    var waits = already;
    while left != 0u {
        let other = node * WIDTH + firstLeadingBit(left);
        left = without_first(left);
        waits = meet_cluster(own, other, waits);
    }
    return waits;
}

// Pairs of kinds in their order: sphere, aligned box, oriented box.
fn bucket_of(kind: u32, other: u32) -> u32 {
    let low = min(kind, other);
    return low * (5u - low) / 2u + max(kind, other);
}

// Places for `count` pairs in a bucket: the first of them.
fn claim(bucket: u32, count: u32) -> u32 {
    let first = atomicAdd(&status[STATUS_CANDIDATES + bucket], count);
    if first + count < first {
        atomicAdd(&status[STATUS_CARRY], 1u);
    }
    return first;
}

// The kind of the body in a slot.
fn kind_of(slot: u32) -> u32 {
    return boxes[2u * slot + 1u].w & 3u;
}

// Writes a pair to its bucket, if that has room: to the place that is given if there is only one bucket.
fn write_pair(own: Own, entry: u32, only_place: u32) {
    let own_slot = own.cluster * WIDTH + entry % WIDTH;
    let other_slot = entry / WIDTH;
    var bucket = params.only_bucket;
    var place = only_place;
    var pair = vec2u(own_slot, other_slot);
    if params.only_bucket == NONE {
        let kinds = 8u * own.team;
        let own_kind = kind_of(own_slot);
        let other_kind = kind_of(other_slot);
        bucket = bucket_of(own_kind, other_kind);
        place = kind_first[kinds + bucket] + atomicAdd(&kind_counts[kinds + bucket], 1u);
        if other_kind < own_kind {
            pair = vec2u(other_slot, own_slot | 0x80000000u);
        }
    }
    if place < params.bucket_size[bucket / 4u][bucket % 4u] {
        candidates[params.bucket_first[bucket / 4u][bucket % 4u] + place] = pair;
    }
}

// Writes the pairs that wait to their buckets; what finds no room is counted all the same.
fn write_waiting(own: Own, count: u32) {
    hand_over();
    let kinds = 8u * own.team;
    let several = params.only_bucket == NONE;
    var only_first = 0u;
    if several {
        for (var first = 0u; first < count; first += WIDTH) {
            if first + own.lane < count {
                let entry = waiting[own.team * ROOM + first + own.lane];
                let own_kind = kind_of(own.cluster * WIDTH + entry % WIDTH);
                atomicAdd(&kind_counts[kinds + bucket_of(own_kind, kind_of(entry / WIDTH))], 1u);
            }
        }
        hand_over();
        if own.lane < 6u {
            let of_kind = atomicExchange(&kind_counts[kinds + own.lane], 0u);
            if of_kind > 0u {
                kind_first[kinds + own.lane] = claim(own.lane, of_kind);
            }
        }
        hand_over();
    } else {
        if own.lane == 0u {
            only_first = claim(params.only_bucket, count);
        }
        only_first = of_first(own.lane, only_first);
    }
    for (var first = 0u; first < count; first += WIDTH) {
        if first + own.lane < count {
            write_pair(own, waiting[own.team * ROOM + first + own.lane], only_first + first + own.lane);
        }
    }
    hand_over();
    if several {
        if own.lane < 6u {
            atomicStore(&kind_counts[kinds + own.lane], 0u);
        }
        hand_over();
    }
}

fn begin(cluster: u32, thread: u32) -> Own {
    let lane = thread % WIDTH;
    let slot = cluster * WIDTH + lane;
    if lane < 8u {
        atomicStore(&kind_counts[8u * team_of(thread) + lane], 0u);
    }
    clear_lanes(lane);
    hand_over();
    return Own(
        cluster,
        team_of(thread),
        lane,
        boxes[2u * slot],
        boxes[2u * slot + 1u],
        nodes[2u * cluster],
        nodes[2u * cluster + 1u],
    );
}

// Whether this cluster has to ask a node of the tree: it is not wholly before it, and boxes and worlds meet.
fn asks(own: Own, level: u32, node: u32) -> bool {
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
fn without_first(mask: u32) -> u32 {
    return mask ^ (1u << firstLeadingBit(mask));
}

// Iterations that asking one cluster may cost, at most: each body of it near, looked up, found, and twice
// on the way out.
fn visit_cost() -> u32 {
    return 192u + select(0u, WIDTH * (32u - countLeadingZeros(params.exclusions)), params.exclusions > 0u);
}

@compute @workgroup_size(32 * TEAMS)
fn pairs(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let lane = thread % WIDTH;
    let cluster = params.own_first + group_number(group, groups) * TEAMS + team_of(thread);
    if cluster >= params.own_end {
        return;
    }
    let own = begin(cluster, thread);
    var waits = 0u;
    let cost = visit_cost();
    var work = 0u;
    var last = NONE;
    for (var top = 0u; top < params.level_count[3] && work < params.work; top += WIDTH) {
        work += 1u;
        var mask3 = vote(lane, asks(own, 3u, top + lane));
        while mask3 != 0u && work < params.work {
            work += 1u;
            let node3 = top + firstLeadingBit(mask3);
            mask3 = without_first(mask3);
            var mask2 = vote(lane, asks(own, 2u, node3 * WIDTH + lane));
            while mask2 != 0u && work < params.work {
                work += 1u;
                let node2 = node3 * WIDTH + firstLeadingBit(mask2);
                mask2 = without_first(mask2);
                var mask1 = vote(lane, asks(own, 1u, node2 * WIDTH + lane));
                while mask1 != 0u && work < params.work {
                    last = node2 * WIDTH + firstLeadingBit(mask1);
                    mask1 = without_first(mask1);
                    let mask0 = vote(lane, asks(own, 0u, last * WIDTH + lane));
                    // These are all asked, even if that is more than it may: the host leaves room for so many.
                    work += 1u + cost * countOneBits(mask0);
                    waits = meet_clusters(own, last, mask0, waits);
                }
            }
        }
    }
    if waits > 0u {
        write_waiting(own, waits);
    }
    if lane == 0u {
        if work >= params.work {
            let at = atomicAdd(&status[STATUS_UNFINISHED], 1u);
            if at < params.unfinished {
                unfinished[at] = vec2u(cluster, last);
            }
        }
        sign_off(SIGN_PAIRS, cluster);
    }
}

// Whether a search that was cut short after it asked the node `last` of level 1 has not asked this one. It takes blocks of 32 nodes
// of level 3 from the first to the last, and what is below a block from the last to the first.
fn remains(node: u32, last: u32) -> bool {
    let block = node / (WIDTH * WIDTH * WIDTH);
    let last_block = last / (WIDTH * WIDTH * WIDTH);
    return last == NONE || block > last_block || (block == last_block && node < last);
}

// Asks what is below one node of level 1 for a search that was cut short, unless it has asked that.
fn ask_rest(entry: u32, node: u32, thread: u32) {
    let lane = thread % WIDTH;
    if entry >= of_first(lane, atomicLoad(&status[STATUS_UNFINISHED])) {
        return;
    }
    let cluster = of_first(lane, unfinished[entry].x);
    if !remains(node, of_first(lane, unfinished[entry].y)) {
        return;
    }
    let own = begin(cluster, thread);
    let mask0 = vote(lane, asks(own, 1u, node) && asks(own, 0u, node * WIDTH + lane));
    let waits = meet_clusters(own, node, mask0, 0u);
    if waits > 0u {
        write_waiting(own, waits);
    }
}

// What searches that were cut short have not asked: each group of 32 threads one node of level 1 for one of them.
@compute @workgroup_size(32 * TEAMS)
fn rest(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups) * TEAMS + team_of(thread);
    let entry = step.a + number / params.level_count[1];
    if entry >= step.b {
        return;
    }
    ask_rest(entry, number % params.level_count[1], thread);
    if thread % WIDTH == 0u {
        sign_off(SIGN_REST, number);
    }
}

// All pairs, without a tree: for few bodies.
@compute @workgroup_size(32 * TEAMS)
fn brute(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let lane = thread % WIDTH;
    let cluster = params.own_first + group_number(group, groups) * TEAMS + team_of(thread);
    if cluster >= params.own_end {
        return;
    }
    let own = begin(cluster, thread);
    var waits = 0u;
    for (var other = 0u; other < params.level_count[0]; other++) {
        if (params.flags & ORDERED) == 0u || other >= cluster {
            waits = meet_cluster(own, other, waits);
        }
    }
    if waits > 0u {
        write_waiting(own, waits);
    }
    if lane == 0u {
        sign_off(SIGN_BRUTE, cluster);
    }
}
