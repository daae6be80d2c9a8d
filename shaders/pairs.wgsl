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
@group(0) @binding(6) var<storage, read_write> status: array<atomic<u32>>;

// Pairs that wait to be written: (slot of the other) * 32 + own lane. One cluster can add 1024.
const ROOM = 1280u;
const MOST_WAITING = ROOM - 1024u;

var<workgroup> waiting: array<u32, ROOM>;
var<workgroup> waiting_count: atomic<u32>;
var<workgroup> own_tags: array<u32, 32>;
// The bodies of the other cluster.
var<workgroup> other_low: array<vec4u, 32>;
var<workgroup> other_high: array<vec4u, 32>;
var<workgroup> kind_counts: array<atomic<u32>, 6>;
var<workgroup> kind_first: array<u32, 6>;

// What a cluster asks with.
struct Own {
    cluster: u32,
    lane: u32,
    low: vec4u,
    high: vec4u,
    box_low: vec4u,
    box_high: vec4u,
}

fn meet(low: vec4u, high: vec4u, their_low: vec4u, their_high: vec4u) -> bool {
    return all((bitcast<vec3f>(low.xyz) <= bitcast<vec3f>(their_high.xyz))
        & (bitcast<vec3f>(their_low.xyz) <= bitcast<vec3f>(high.xyz)));
}

fn excluded(a: u32, b: u32) -> bool {
    let low = min(a, b);
    let high = max(a, b);
    var first = 0u;
    var end = params.exclusions;
    while first < end {
        let middle = first + (end - first) / 2u;
        let pair = exclusions[middle];
        if pair.x < low || (pair.x == low && pair.y < high) {
            first = middle + 1u;
        } else {
            end = middle;
        }
    }
    if first >= params.exclusions {
        return false;
    }
    let pair = exclusions[first];
    return pair.x == low && pair.y == high;
}

// Whether two slots may be reported: their worlds, layers, groups, whether both are fixed, and exclusions.
fn may_meet(own_slot: u32, other_slot: u32, own_tag: u32, other_tag: u32, own_id: u32, other_id: u32) -> bool {
    if (params.flags & (CHOOSY | WORLDS)) != 0u {
        let a = traits[own_slot];
        let b = traits[other_slot];
        let agree = a.w == b.w && (a.x & b.y) != 0u && (b.x & a.y) != 0u && (a.z == 0u || a.z != b.z);
        if !agree || (own_tag & other_tag & 8u) != 0u {
            return false;
        }
    }
    return params.exclusions == 0u || !excluded(own_id, other_id);
}

// The box of this thread's body in another cluster.
struct Other {
    low: vec4u,
    high: vec4u,
}

fn other_of(cluster: u32, lane: u32) -> Other {
    let slot = cluster * WIDTH + lane;
    return Other(boxes[2u * slot], boxes[2u * slot + 1u]);
}

// The pairs with one cluster.
fn meet_cluster(own: Own, cluster: u32, other: Other) {
    let low = other.low;
    let high = other.high;
    other_low[own.lane] = low;
    other_high[own.lane] = high;
    // Those that come near at all.
    var near = ballot(own.lane, low.w != NONE && meet(own.box_low, own.box_high, low, high));
    var found = 0u;
    while near != 0u {
        let k = firstTrailingBit(near);
        near &= near - 1u;
        found |= select(0u, 1u << k, meet(own.low, own.high, other_low[k], other_high[k]));
    }
    if own.low.w == NONE {
        found = 0u;
    }
    if (params.flags & ORDERED) != 0u && cluster == own.cluster {
        // Each pair once: with those after it.
        found &= ~((2u << own.lane) - 1u);
    }
    if (params.flags & (CHOOSY | WORLDS)) != 0u || params.exclusions != 0u {
        var left = found;
        while left != 0u {
            let k = firstTrailingBit(left);
            left &= left - 1u;
            let own_slot = own.cluster * WIDTH + own.lane;
            let other_slot = cluster * WIDTH + k;
            if !may_meet(own_slot, other_slot, own.high.w, other_high[k].w, own.low.w, other_low[k].w) {
                found &= ~(1u << k);
            }
        }
    }
    if found != 0u {
        var at = atomicAdd(&waiting_count, countOneBits(found));
        while found != 0u {
            waiting[at] = (cluster * WIDTH + firstTrailingBit(found)) * WIDTH + own.lane;
            found &= found - 1u;
            at += 1u;
        }
    }
    workgroupBarrier();
    if of_first(own.lane, atomicLoad(&waiting_count)) > MOST_WAITING {
        write_waiting(own);
    }
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

// Writes the pairs that wait to their buckets; what finds no room is counted all the same.
fn write_waiting(own: Own) {
    workgroupBarrier();
    let count = of_first(own.lane, atomicLoad(&waiting_count));
    if count == 0u {
        return;
    }
    let several = params.only_bucket == NONE;
    if several {
        for (var k = own.lane; k < count; k += WIDTH) {
            let entry = waiting[k];
            let other_kind = boxes[2u * (entry / WIDTH) + 1u].w & 3u;
            atomicAdd(&kind_counts[bucket_of(own_tags[entry % WIDTH] & 3u, other_kind)], 1u);
        }
        workgroupBarrier();
        if own.lane < 6u {
            let of_kind = atomicExchange(&kind_counts[own.lane], 0u);
            if of_kind > 0u {
                kind_first[own.lane] = claim(own.lane, of_kind);
            }
        }
    } else if own.lane == 0u {
        kind_first[params.only_bucket] = claim(params.only_bucket, count);
    }
    workgroupBarrier();
    for (var k = own.lane; k < count; k += WIDTH) {
        let entry = waiting[k];
        let own_slot = own.cluster * WIDTH + entry % WIDTH;
        let other_slot = entry / WIDTH;
        var bucket = params.only_bucket;
        var place = k;
        var pair = vec2u(own_slot, other_slot);
        if several {
            let own_kind = own_tags[entry % WIDTH] & 3u;
            let other_kind = boxes[2u * other_slot + 1u].w & 3u;
            bucket = bucket_of(own_kind, other_kind);
            place = atomicAdd(&kind_counts[bucket], 1u);
            if other_kind < own_kind {
                pair = vec2u(other_slot, own_slot | 0x80000000u);
            }
        }
        place += kind_first[bucket];
        if place < params.bucket_size[bucket / 4u][bucket % 4u] {
            candidates[params.bucket_first[bucket / 4u][bucket % 4u] + place] = pair;
        }
    }
    workgroupBarrier();
    if own.lane < 6u {
        atomicStore(&kind_counts[own.lane], 0u);
    }
    if own.lane == 0u {
        atomicStore(&waiting_count, 0u);
    }
    workgroupBarrier();
}

fn begin(cluster: u32, lane: u32) -> Own {
    let slot = cluster * WIDTH + lane;
    let own = Own(cluster, lane, boxes[2u * slot], boxes[2u * slot + 1u], nodes[2u * cluster], nodes[2u * cluster + 1u]);
    own_tags[lane] = own.high.w;
    return own;
}

// Whether this cluster has to ask a node of the tree: it is not wholly before it, and boxes and worlds meet.
fn asks(own: Own, level: u32, node: u32) -> bool {
    if node >= params.level_count[level] {
        return false;
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

// Iterations that asking one cluster may cost, at most: each body of it near, found, looked up, and twice on the way out.
fn visit_cost() -> u32 {
    return 160u + select(0u, WIDTH * (32u - countLeadingZeros(params.exclusions)), params.exclusions > 0u);
}

@compute @workgroup_size(32)
fn pairs(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = group_number(group, groups);
    let cluster = params.own_first + number / params.splits;
    let share = number % params.splits;
    if cluster >= params.own_end {
        return;
    }
    let own = begin(cluster, lane);
    let cost = visit_cost();
    var work = 0u;
    for (var top = 0u; top < params.level_count[3] && work < params.work; top += WIDTH) {
        work += 1u;
        var mask3 = vote(lane, asks(own, 3u, top + lane));
        while mask3 != 0u && work < params.work {
            work += 1u;
            let node3 = top + firstTrailingBit(mask3);
            mask3 &= mask3 - 1u;
            var mask2 = vote(lane, asks(own, 2u, node3 * WIDTH + lane));
            while mask2 != 0u && work < params.work {
                work += 1u;
                let node2 = node3 * WIDTH + firstTrailingBit(mask2);
                mask2 &= mask2 - 1u;
                var mask1 = vote(lane, asks(own, 1u, node2 * WIDTH + lane));
                while mask1 != 0u && work < params.work {
                    work += 1u;
                    let node1 = node2 * WIDTH + firstTrailingBit(mask1);
                    mask1 &= mask1 - 1u;
                    let mine = (node1 * WIDTH + lane) % params.splits == share;
                    var mask0 = vote(lane, mine && asks(own, 0u, node1 * WIDTH + lane));
                    // The next cluster is on its way while this one is tested.
                    var next = node1 * WIDTH + firstTrailingBit(mask0);
                    var coming: Other;
                    if mask0 != 0u {
                        coming = other_of(next, lane);
                    }
                    while mask0 != 0u && work < params.work {
                        work += cost;
                        let cluster = next;
                        let other = coming;
                        mask0 &= mask0 - 1u;
                        if mask0 != 0u {
                            next = node1 * WIDTH + firstTrailingBit(mask0);
                            coming = other_of(next, lane);
                        }
                        meet_cluster(own, cluster, other);
                    }
                }
            }
        }
    }
    write_waiting(own);
    // The search may have been cut short: the host lets more groups share the work.
    if work >= params.work && lane == 0u {
        atomicMax(&status[STATUS_UNFINISHED], 1u);
    }
}

// All pairs, without a tree: for few bodies.
@compute @workgroup_size(32)
fn brute(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let cluster = params.own_first + group_number(group, groups);
    if cluster >= params.own_end {
        return;
    }
    let own = begin(cluster, lane);
    for (var other = 0u; other < params.level_count[0]; other++) {
        if (params.flags & ORDERED) == 0u || other >= cluster {
            meet_cluster(own, other, other_of(other, lane));
        }
    }
    write_waiting(own);
}
