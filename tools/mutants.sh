#!/usr/bin/env bash
# Breaks the exact and certified code, one place at a time, and fails if the tests do not notice.
#
# Every mutant is one textual change to a copy of the sources: each of the 15 axes (in the filter and in the integers), each
# constant of an error bound (to a sixteenth), each end of the filter's domain, the widths that keep integers from overflowing,
# and faults of the broad phase such as a skipped node. A mutant is killed when a test fails; one that does not compile, or whose text is not found exactly once, is
# an error in this script.
#
# Usage: tools/mutants.sh [PART], to run only the mutants whose text contains PART; tools/mutants.sh --check only looks whether the text of
# each is there. With MUTANTS_LOG=FILE, outcomes are added to a file, and those that it says were killed are not run again: a run of some hours can
# be interrupted.
set -euo pipefail
cd "$(dirname "$0")/.."
part=${1:-}
log=${MUTANTS_LOG:+$(realpath "$MUTANTS_LOG")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$work"
# Most of the time goes into builds.
export CARGO_TARGET_DIR="$PWD/target/mutants" CARGO_PROFILE_DEV_OPT_LEVEL=1
cd "$work"

files=() texts=() replacements=()
# The tests that a mutant meets, one after the other until one fails.
scalar="--test exact exact_vectors::;--lib;--test exact errata::;--test exact relations::"
batch="--test queries overlaps::random"
# On the first software adapter; the kernels need wgpu.
kernels="--features gpu --lib gpu::"
export TANGENCY_REQUIRE_GPU=1 TANGENCY_TEST_ONLY=vulkan:llvmpipe
suites=() suite=$scalar
add() { files+=("$1") texts+=("$2") replacements+=("$3") suites+=("$suite"); }

# The axes, dropped: in the filter by repeating another one, in the integers by calling the gap negative.
for k in 0 1 2; do
  repeat="if k == $k { $(((k + 1) % 3)) } else { k }"
  for side in a b; do
    add src/filter/sat.rs "let faces_$side = [boxes.face_$side(0), boxes.face_$side(1), boxes.face_$side(2)]" \
      "let faces_$side = [0, 1, 2].map(|k| boxes.face_$side($repeat))"
  done
  add src/filter/sat.rs "let faces = [boxes.face_a(0), boxes.face_a(1), boxes.face_a(2)]" \
    "let faces = [0, 1, 2].map(|k| boxes.face_a($repeat))"
  for j in 0 1 2; do
    add src/filter/sat.rs "boxes.edge($k, $j)" "boxes.edge($k, $(((j + 1) % 3)))"
    add src/exact/boxes.rs "|p| p.edge($k, $j)" "|_| Ordering::Less"
  done
  add src/exact/boxes.rs "|p| p.face_a($k)" "|_| Ordering::Less"
  add src/exact/boxes.rs "|p| p.face_b($k)" "|_| Ordering::Less"
  add src/exact/boxes.rs "combine((0..3).map(|i| self.gap_along" "combine((0..3).filter(|i| *i != $k).map(|i| self.gap_along"
  add src/exact/aligned.rs "combine((0..3).map(|k| {" "combine((0..3).filter(|k| *k != $k).map(|k| {"
  add src/exact/aligned.rs "combine((0..3).map(|k| -> Ordering {" "combine((0..3).filter(|k| *k != $k).map(|k| -> Ordering {"
done

# The constants of the bounds, to a sixteenth.
for file in obb_obb aabb_obb sphere plane bounds; do
  while read -r line; do
    add "src/filter/$file.rs" "$line" "${line%;} / 16.0;"
  done < <(grep -E '^pub\(crate\) const [A-Z_]+: f64 = [0-9.]+;$' "src/filter/$file.rs")
done
# What stands for flushed subnormals, to nothing.
add src/filter/real.rs "const TINY: f64 = 1.0 / (1u128 << 90) as f64;" "const TINY: f64 = 0.0; // mutant"
add src/filter/real.rs "const TINY_SQUARED: f64 = 1.0 / (1u128 << 100) as f64;" "const TINY_SQUARED: f64 = 0.0; // mutant"
# The ends of the domain, one power of two further out.
add src/filter/domain.rs "(1u64 << 40) as f32" "(1u64 << 41) as f32"
add src/filter/domain.rs "(1u64 << 30) as f32" "(1u64 << 31) as f32"
add src/filter/domain.rs "= 1.0 / LARGEST_COMPONENT" "= 0.5 / LARGEST_COMPONENT"
add src/filter/domain.rs "(1u128 << 80) as f32" "(1u128 << 81) as f32"
# The widths up to which i128 is used.
add src/exact/boxes.rs "if needed < 127" "if needed < 190"
add src/exact/boxes.rs "2 * quaternion_bits + position_bits + 7 < 127" "2 * quaternion_bits + position_bits + 7 < 190"
add src/exact/boxes.rs "scale.bits + 3 >= 127" "scale.bits + 3 >= 190"
add src/exact/sphere.rs "2 * (2 * q.bits() + scale.bits + 6) + 2 < 127" "2 * (2 * q.bits() + scale.bits + 6) + 2 < 190"
# Touching is neither separate nor overlapping, and the lemma's comparison counts.
add src/exact/boxes.rs "Ordering::Equal => relation = Relation::Touching," "Ordering::Equal => {}"
add src/exact/sphere.rs "Ordering::Equal => Relation::Touching," "Ordering::Equal => Relation::Overlapping,"
add src/filter/sat.rs "gap.overlap > shadow" "gap.overlap + shadow > shadow"
add src/exact/plane.rs "if least == Ordering::Greater" "if least != Ordering::Less"

# The broad phase and what comes after it, against brute force on random scenes.
suite=$batch
add src/cpu/tree.rs "if level == 1 {" "if level == 1 && block % 3 == 2 { // mutant: a skipped node
            } else if level == 1 {"
add src/cpu/tree.rs "truth = truth.and(T::load(&self.min[k][first..]).at_most(T::splat(max[k])));" "truth = truth.and(T::load(&self.min[k][first..]).below(T::splat(max[k])));"
add src/cpu/tree.rs "((leaves.end + (1 << span) - 1) >> span)" "(leaves.end >> span)"
add src/cpu/order.rs "let mut left = own & (own - 1);" "let mut left = own & (own - 1) & (own - 2);"
add src/cpu/order.rs "block + 1..segment.end.div_ceil(WIDTH)" "block + 1..segment.end / WIDTH"
add src/cpu/order.rs "take_while(|other| other.world == own.world)" "take_while(|other| other.world == own.world).take(1)"
add src/cpu/narrow.rs "!(hits | misses) & all" "!(hits | misses) & all & !8"
add src/cpu/pairs.rs "if pairs.len > WAITING {" "if pairs.len > WAITING - 1 { pairs.clear(); } else if pairs.len > WAITING {"
add src/cpu/packed.rs "bounds.set(lane, &bodies.get(id).aabb());" ""
add src/batch/canonical.rs "sort_row(&mut self.partners[first..end]);" ""
add src/batch/canonical.rs "while place > 0 && key(&row[place - 1]) > key(&partner) {" "while place > 1 && key(&row[place - 1]) > key(&partner) {"
add src/cpu/order.rs "in below.chain(shared) {" "in below.chain(&shared[..0]) {"
add src/cpu/order.rs "world => (self.segments_of(world), self.segments_of(Traits::EVERY_WORLD))," "world => (self.segments_of(world), &[]),"
add src/shape/aabb.rs "let y = (x - x.abs()" "let y = (x + x.abs()"
suite="--lib packed"
add src/cpu/packed.rs "} else if usable >> lane & 1 == 1 {" "} else {
            all_usable &= usable >> lane & 1 == 1;
            packed[lane] = scaled(&records[id], scales[lane]);
        }
        if false {"
# Lanes: instructions of one width, which the others do not notice.
suite="--lib lanes;--lib cpu"
add src/cpu/tree.rs "mask |= truth.bits() << first;" "mask = mask << T::LANES | truth.bits();"
add src/lanes/sse2.rs "Self(_mm_movehl_ps(cd, ab))," "Self(_mm_movehl_ps(ab, cd)),"
add src/lanes/avx2.rs "(rows(row(0), row(4)), rows(row(1), row(5)))" "(rows(row(0), row(4)), rows(row(5), row(1)))"
add src/lanes/avx512.rs "_mm512_set1_epi32(first.cast_signed())" "_mm512_set1_epi32((first + 1).cast_signed())"
add src/cpu/sort.rs "run.sort_by_key(|item| item >> low);" "run.sort_by_key(|item| item >> (low + 1));"
# Bounds: the term for an entry of a rotation that cancels, weakened or forgotten; extents that leave out a rounding, of a projection, of the
# product of two rotations, of a sum.
suite="--test exact bounds_contain::boxes_of_needles"
add src/shape/obb.rs "pub(crate) const CANCELLED: f64 = f64::EPSILON;" "pub(crate) const CANCELLED: f64 = f64::EPSILON / 4.0;"
suite="--test exact bounds_contain::a_rod"
add src/shape/obb.rs "+ half[axis] * CANCELLED;" ";"
suite="--test queries grazing_pairs_on_the_cpu"
add src/shape/obb.rs "+ half[axis] * CANCELLED;" "+ half[axis] * (CANCELLED / 8.0);"
suite="--test exact bounds_contain::boxes_of_turned_boxes"
add src/shape/aabb.rs "+ all * super::obb::CANCELLED;" "+ all * (super::obb::CANCELLED / 16.0);"
suite="--test exact bounds_contain::merged_boxes"
add src/shape/obb.rs "check::sum_up(own[k], to_a[k])" "check::round_up(own[k] + to_a[k])"
suite="--test exact bounds_contain::merged_needles"
add src/shape/obb.rs "+ 16.0 * f64::EPSILON * sizes;" "+ 0.0 * sizes;"
suite="--test exact bounds_contain::merged_boxes;--test exact bounds_contain::fitted"
add src/shape/obb.rs "+ 16.0 * f64::EPSILON * offset.abs().max_element()" "+ f64::EPSILON * offset.abs().max_element() / 16.0"
suite="--test exact bounds_contain::carried_boxes"
add src/shape/fit/carried_obb.rs "let slack = 32.0 * f64::EPSILON" "let slack = 0.25 * f64::EPSILON"
suite="--lib fit::capsule"
add src/shape/fit/capsule.rs "4.0 * f64::EPSILON * (to.length()" "0.0 * (to.length()"
suite="--lib fit::simplified_hull"
add src/shape/fit/simplified_hull.rs ".all(|&v| rounded.contains_point(v))" ".all(|v| v.is_finite())"
suite="--test exact bounds_contain::shapes_of_the_plane"
add src/d2/circle.rs "-sum_down(-f64::from(c), -r)" "crate::shape::check::round_up(f64::from(c) + r)"
add src/d2/min_area_rectangle.rs "+ 16.0 * f64::EPSILON * offset" "+ 0.0 * offset"
suite="--test exact in_poses"
add src/shape/placed_hull.rs "16.0 * f64::EPSILON * self.local_reach()" "0.125 * f64::EPSILON * self.local_reach()"
add src/shape/placed_hull.rs "-check::sum_down(-p[k], -(high[k] + slack))" "check::round_up(p[k] + (high[k] + slack))"
# Hulls in poses: bounds of signs, to a 64th, and what the error of a turned point adds, forgotten.
suite="--test exact exact_for_numbers_of_every_size"
add src/exact/hull.rs "16.0 * f64::EPSILON * (self.base_size" "0.25 * f64::EPSILON * (self.base_size"
suite="--lib local_point"
add src/shape/local_point.rs "16.0 * f64::EPSILON * offset.abs().max_element()" "0.25 * f64::EPSILON * offset.abs().max_element()"
add src/shape/local_point.rs " + 4.0 * self.error * products.element_sum()" ""
add src/shape/local_point.rs " + 2.0 * self.error * (u.x.abs() + u.y.abs())" ""
add src/shape/local_point.rs "apart.abs() > 2.0 * self.error" "apart != 0.0"
suite="--test queries overlaps::traits"
add src/bodies/traits.rs "&& other.layer & self.mask != 0" ""
add src/bodies/traits.rs "&& !(self.fixed && other.fixed)" ""
# Kernels: a skipped node and a cluster that is asked only by halves, a scan that forgets a block, a sort that is not stable, a
# bucket off by one, a hit that is not strict, a lost difference, bounds without slack, rows that are not sorted, long rows that are
# counted, found or sorted wrong, a counter that wraps, a tie settled the wrong way or by too few axes, worlds in disorder.
suite=$kernels
add shaders/phases/find_pairs.wgsl "var mask1 = vote(lane, must_visit(own, 1u, node2 * WIDTH + lane));" "var mask1 = vote(lane, must_visit(own, 1u, node2 * WIDTH + lane) && lane != 7u);"
add shaders/phases/find_pairs.wgsl "ahead <= WIDTH / 2u; ahead++" "ahead < WIDTH / 2u; ahead++"
add shaders/phases/find_pairs.wgsl "if iterations >= params.iteration_limit {" "if false {"
add shaders/phases/find_pairs.wgsl "(block == last_block && node < last)" "(block == last_block && node <= last)"
add shaders/phases/find_pairs.wgsl "last == ABSENT || block > last_block" "block > last_block"
add shaders/phases/find_pairs.wgsl "let entry = params.first_unfinished + number / params.level_count[1];" "let entry = number / params.level_count[1];"
add shaders/phases/find_pairs.wgsl "(pair.x == low && pair.y < high);" "(pair.x == low && pair.y <= high);"
# Workgroup memory that is not cleared, and a ledger that is not kept or not read.
add shaders/phases/curve_keys.wgsl "atomicStore(&tally[thread], 0u);" ""
add shaders/lib/rank_digits.wgsl "atomicStore(&exchange[k], 0u);" ""
add shaders/lib/enqueue.wgsl "atomicStore(&queue_length, 0u);
    }
}" "}
}"
add shaders/phases/sort.wgsl "atomicStore(&digit_counts[k], 0u);" ""
add shaders/queries/bucket_pairs.wgsl "atomicStore(&counts[thread], 0u);" ""
add shaders/phases/gather.wgsl "signed = signature(id);" ""
add shaders/phases/scatter_hits.wgsl "signature(number) + min(max(end, first) - first, SCATTERED)" "signature(number)"
add src/gpu/ledger.rs "if found == due { Ok(()) }" "if found == due || stage == \"find_pairs\" { Ok(()) }"
add src/gpu/ledger.rs "compare(stage.name, status[word_of(stage)], due)?;" ""
add src/gpu/capacity.rs "let fits = needed <= self.unfinished;" "let fits = true;"
add src/gpu/attempt.rs "workspace.memory.recall(plan.kind());" ""
add src/gpu/phases/search.rs "step_by(at_once)" "step_by(at_once + 1)"
add shaders/lib/candidate_queue.wgsl "if first + count < first {" "if false {"
add shaders/phases/find_pairs.wgsl "vote(own.lane, low.w != ABSENT && meet(own.box_low" "vote(own.lane, meet(own.box_low"
add shaders/phases/find_pairs.wgsl "found &= ~(1u << (own.lane - WIDTH / 2u));" ""
add shaders/phases/find_pairs.wgsl "return select(found, 0u, mine.low.w == ABSENT);" "return found;"
add shaders/lib/enqueue.wgsl "if queued <= QUEUE_ROOM - 1024u {" "if queued <= QUEUE_ROOM {"
add shaders/phases/row_offsets.wgsl "k < block && k * BLOCK < params.rows; k += THREADS" "k + 1u < block && k * BLOCK < params.rows; k += THREADS"
add shaders/phases/row_offsets.wgsl "if count > SHORT_ROW {" "if count > SHORT_ROW + 1u {"
add shaders/phases/long_rows.wgsl "for (var k = thread; k < block; k += THREADS) {" "for (var k = thread; k + 1u < block; k += THREADS) {"
add shaders/phases/long_rows.wgsl "if starts[middle].y <= entry {" "if starts[middle].y < entry {"
add shaders/phases/long_rows.wgsl "let fit = count <= params.rows_room &&" "let fit ="
add shaders/lib/rank_digits.wgsl "countOneBits(mask & ((1u << lane) - 1u))" "countOneBits(mask >> lane) - 1u"
add shaders/phases/sort.wgsl "add_to_digit_count(g, thread, next - of_group[g]);" "add_to_digit_count(g, thread, next);"
add shaders/phases/sort.wgsl "atomicStore(&digits[thread], in_tile);" ""
add shaders/phases/sort_rows.wgsl "} else if short {" "} else if false {"
add shaders/phases/gather.wgsl "first_position += (count + WIDTH - 1u) & ~(WIDTH - 1u);" "first_position += count;"
add shaders/phases/gather.wgsl "within = within && length_in_domain(vec3u(radius));" ""
add shaders/phases/sort_rows.wgsl "return (a & PARTNER_ID) < (b & PARTNER_ID);" "return a < b;"
add shaders/phases/build_tree.wgsl "if child < params.children {" "if child + 1u < params.children {"
add shaders/lib/bounds.wgsl "let slack = (BOUNDS_POSITION * U) * abs(center)" "let slack = -abs(center) * U"
add shaders/lib/bounds.wgsl "let near_low = each_bounded(low);" "let near_low = vec3<bool>(bounded(low));"
add shaders/lib/real.wgsl "const U: Real = 0x1p-23;" "const U: Real = 0x1p-40;"
add shaders/lib/verdicts.wgsl "candidates[params.first_candidate + first + count] = vec2u(ABSENT);" ""
add shaders/lib/verdicts.wgsl "if first + of_bin > bin_room(lane) {" "if first > bin_room(lane) {"
add shaders/lib/verdicts.wgsl "atomicStore(&first_row_hits, 0u);" ""
add shaders/phases/scatter_hits.wgsl "return bin_start(bin) + atomicLoad(&status[STATUS_HITS + bin]);" "return bin_start(bin) + atomicLoad(&status[STATUS_HITS]);"
add shaders/lib/verdicts.wgsl "select(0u, MARK_TOUCHING, verdict == TOUCH)" "0u"
add shaders/lib/exact.wgsl "return sign(max(b.x - a.y, a.x - b.y));" "return sign(b.x - a.y);"
add shaders/lib/exact.wgsl "if high >= low + 29u {" "if high >= low + 60u {"
add shaders/lib/exact.wgsl "(zero.x && zero.z) || (zero.y && zero.w)," "zero.x || zero.z || (zero.y && zero.w),"
add shaders/phases/settle.wgsl "return all(kept | (max(gaps.faces_a, gaps.faces_b) < Vec(-gaps.face_bound)));" "return true;"
add src/gpu/capacity.rs "check(&mut self.bins.room[k], status[STATUS_HITS + k]);" ""
add src/gpu/phases/prepare.rs "if first && query.whole {" "if first {"
add shaders/phases/world_keys.wgsl "traits[order[k]].w" "traits[order[k]].z"
add src/gpu/phases/long_rows.rs "if rows > 1 {" "if rows > 256 {"
add src/gpu/phases/long_rows.rs "shift.min(PARTNER_ID.count_ones() - DIGIT_BITS)" "shift"
add src/gpu/capacity.rs "if !fits || wasteful {" "if !fits {"
add src/gpu/pair_search.rs "let rows = if self.sorted && fits {" "let rows = if fits {"
add src/gpu/pair_search.rs "is_some_and(|read| u64::from(hits) <= read)" "is_some()"
# The loop that retries, and what one query leaves to the next: memory of another set, parts that begin elsewhere, an index that does not follow.
add src/gpu/phases/lists.rs "self.forget_other_sets();" ""
add src/gpu/attempt.rs "Err(failure) if failure.splits && size > 1 => {" "Err(failure) if failure.splits && size > 1 << 30 => {"
add src/gpu/attempt.rs "Error::Incomplete { .. } => std::mem::take(&mut self.another_try)," "Error::Incomplete { .. } => false,"
add shaders/queries/bucket_pairs.wgsl "pair = asked[k] + vec2u(params.first_slot);" "pair = asked[k];"
add shaders/queries/cull.wgsl "let body = params.first_body + place;" "let body = place;"
suite="--test queries requests::a_refreshed_index"
add src/bodies/columns.rs "self.records[range.clone()].copy_from_slice(&other.records[range.clone()]);" ""
add src/bodies/columns.rs "self.exclusions.clone_from(&other.exclusions);" ""
add src/batch/index.rs "prepared.cpu = Default::default();" ""
suite=$kernels
add src/batch/settle.rs "*offset -= before as u32;" "let _ = offset;"
add src/batch/settle.rs "if marks & MARK_UNDECIDED == 0 && (marks" "if (marks"
add src/batch/settle.rs "out.partners.copy_within(first..first + length, end);" ""
# What is uploaded of a set that has changed: a word of a record or its tags that are forgotten, a log that is too short, traits and
# exclusions of another time.
add shaders/phases/patch_records.wgsl "if word >= params.heading_words {" "if word > params.heading_words {"
add src/gpu/bodies/patch.rs "tag(bodies, id / 4 * 4 + k)" "tag(bodies, id + k)"
add src/gpu/bodies/patch.rs "self.flush_patches(device, runner, status).await?;
        let ids" "let ids"
add src/bodies/changes.rs "end.is_none_or(|end| end < entry.range.start)" "true"
add src/gpu/row_lengths.rs "if sum != due {" "if false {"
add src/gpu/pair_search.rs "&& !(self.lengths == Lengths::Read && wide)" ""
add shaders/phases/row_offsets.wgsl "count >= WIDE_ROW);" "count > WIDE_ROW);"
add src/gpu/bodies/mod.rs "self.traits_revision = None;" ""
# Bodies in every world, poses, and what has changed of a body.
add shaders/phases/gather_traits.wgsl "select(found.w, 0u, found.w == EVERY_WORLD)" "found.w"
add shaders/phases/find_pairs.wgsl "a.w == b.w || a.w == EVERY_WORLD || b.w == EVERY_WORLD" "a.w == b.w || a.w == EVERY_WORLD"
add shaders/phases/patch_records.wgsl "if ((POSED_KINDS >> kind) & 1u) != 0u {" "if true {"
add shaders/phases/patch_records.wgsl "(ROTATION_WORDS >> (4u * kind)) & 15u" "(ROTATION_WORDS >> 8u) & 15u"
add shaders/phases/patch_records.wgsl "place(params.first + k / size, word, patches[k]);" "place(k / size, word, patches[k]);"
# Contacts: ties that go to any point, points on the other body, kinds in the wrong order, pairs that nobody may decide, words of a frame
# that are exchanged, edges that are forgotten; what the host does with pairs that the device left open.
add shaders/lib/box_faces.wgsl "|| (a.score == score && lines < a.lines)" ""
add shaders/lib/box_faces.wgsl "let below = select(half.x, det_sub(half.x, corner.z), of_a);" "let below = half.x;"
add shaders/lib/box_axes.wgsl "bits_of(contend_y & is_above" "bits_of(!contend_y & is_above"
add shaders/lib/box_edges.wgsl "return det_add(xyz.high, low);" "return xyz.high;"
add shaders/queries/contacts.wgsl "kind_b < kind_a, touching, exponent" "false, touching, exponent"
add shaders/queries/contacts.wgsl "if outside || (!may_be_apart && (partner & MARK_UNDECIDED) != 0u) {" "if outside {"
add shaders/queries/contacts.wgsl "        with_faces[atomicAdd(&faces_count, 1u)] = number;
    }
}

// The cosines" "    }
}

// The cosines"
add shaders/queries/contacts.wgsl "if is_too_rough(edges, size) {" "if false {"
add shaders/queries/contacts.wgsl "low = frame_vector(bodies, second, 4u);" ""
add shaders/queries/list_pairs.wgsl "if rows[middle] <= pair {" "if rows[middle] < pair {"
add shaders/queries/list_pairs.wgsl "row_of_pair(end - 1u, 0u, params.rows)" "row_of_pair(first, 0u, params.rows)"
add shaders/lib/det_rotation.wgsl "set_entry(1u, det_mul_double(det_add_double(xy, wz), twice));" "set_entry(1u, det_mul_double(det_sub_double(xy, wz), twice));"
add src/batch/contacts/gpu.rs "if manifold.is_open() {" "if false {"
add src/gpu/device_rows.rs "row_found.sort_unstable_by_key(|(partner, ..)| partner & PARTNER_ID);" ""
suite="--features gpu --lib manifold;--test queries contacts::every_scene;--test queries contact_quality::"
add src/manifold/axes.rs "const TOLERANCE: f32 = 48.0" "const TOLERANCE: f32 = 4800.0"
add src/manifold/axes.rs "let below_zero = room.below(T::splat(0.0));" "let below_zero = room.below(T::splat(-1.0));"
add src/manifold/axes.rs "rsqrt(best_sine_squared)), tolerance)" "rsqrt(best_sine_squared)), mul(best, T::splat(-0.5)))"
add src/manifold/faces.rs "found.put(2 * e + 1, end_at, part.valid.and(end.cut)," "found.put(2 * e + 1, end_at, end.cut.and(end.cut.not()),"
add src/manifold/faces.rs "beside(d, right, most[0]).and(beside(d, up, most[1]));" "beside(d, right, most[0]).and(beside(d, right, most[0]).not());"
add src/manifold/faces.rs "let inside = flat.and(sides[k].below(abs(through[k]))).not();" "let inside = flat.or(flat.not());"
add src/manifold/edges.rs "[clamped(along, b.half[0]), to_1, to_2]" "[T::splat(0.0), to_1, to_2]"
add src/manifold/edges.rs "const ROUGH: f32 = 64.0" "const ROUGH: f32 = 64e6"
add src/manifold/boxes.rs "if edge.is_last && !self.best.is_edge {" "if edge.is_last {"
add src/manifold/boxes.rs "if edge.is_first {" "if edge.is_last {"
add src/manifold/points.rs "self.at[k] = choose3(swapped, on_a, self.at[k]);" ""
suite="--test queries contact_quality::vectors"
add src/manifold/axes.rs "const EDGE_TOLERANCE: f32 = 6.0" "const EDGE_TOLERANCE: f32 = 48.0"
# (Ties are settled alike for one pair and for several: known answers tell.)
suite="--test queries contacts::every_scene"
add src/manifold/points.rs "here.equals(best.score).and(lines.below(best.lines))" "here.equals(best.score).and(best.lines.below(lines))"
suite="--features gpu --lib bodies::"
add src/bodies/exclusions.rs "if self.state.dropped != 0 {" "if false {"
add src/bodies/exclusions.rs "&& (self.dropped == 0 || self.dropped == other.dropped)" ""
add src/bodies/changes.rs "&& last.part == part" ""
add src/bodies/changes.rs "CAPACITY.max(len / BODIES_A_RANGE)" "CAPACITY.min(len + CAPACITY)"
suite="--test queries bodies::;--test queries requests::a_refreshed_index"
add src/bodies/columns.rs "self.holes.pop_first()?" "self.holes.pop_last()?"
add src/bodies/columns.rs "self.exclusions.reuse();" "self.enabled[i] = false;"
add src/bodies/columns.rs "self.exclusions.reuse();" ""
suite="--test queries results::"
add src/batch/rows/changes.rs "same(0, a) && same(1, b)" "same(0, a)"
add src/batch/rows/neighbours.rs "if self.origin.of_two_sets {" "if false {"
add src/batch/rows/mod.rs "self.smaller.take();
        let births" "let births"

# Deterministic arithmetic: a result that is not hidden, products that are not cleaned or by another limit, another order, guess or splitter, a
# sign that makes -0, a root of what is too small, a step of Newton's method less; a lint that overlooks an operator or a literal.
suite="--features gpu --lib det"
add shaders/lib/det.wgsl "return bitcast<f32>(bits ^ params.zero);" "return bitcast<f32>(bits);"
add shaders/lib/det.wgsl "return det_clean(a * b);" "return det_hide(bitcast<u32>(a * b));"
add shaders/lib/det.wgsl "const DET_SMALLEST_PRODUCT = 0x0d800000u;" "const DET_SMALLEST_PRODUCT = 0x0d000000u;"
add shaders/lib/det.wgsl "const DET_SMALLEST_ROOT = 0x1p-90f;" "const DET_SMALLEST_ROOT = 0x1p-91f;"
add shaders/lib/det.wgsl "const DET_RECIP_GUESS = 0x7ef311c7u;" "const DET_RECIP_GUESS = 0x7ef311c3u;"
add shaders/lib/det.wgsl "const DET_SPLITTER = 4097.0f;" "const DET_SPLITTER = 8193.0f;"
add shaders/lib/det.wgsl "select(bitcast<u32>(x) ^ DET_SIGN, 0u, x == 0.0f)" "bitcast<u32>(x) ^ DET_SIGN"
add shaders/lib/det.wgsl "det_add(det_add(det_mul(a.x, b.x), det_mul(a.y, b.y)), det_mul(a.z, b.z))" "det_add(det_mul(a.x, b.x), det_add(det_mul(a.y, b.y), det_mul(a.z, b.z)))"
add shaders/lib/det.wgsl "det_sub(b, det_sub(high, a))" "det_sub(det_add(a, b), high)"
add src/det/double.rs "if exact.not().any() {" "if false {"
add src/det/double.rs "low: add(sub(a, a_part), sub(b, b_part))" "low: sub(b, b_part)"
add src/det/double.rs "let sum = quick_two_sum(high.high, add(high.low, low.high));" "let sum = quick_two_sum(high.high, high.low);"
add src/det/scalar.rs "y = mul(y, sub(T::splat(2.0), mul(size, y)));" "y = sub(y, mul(y, sub(mul(size, y), T::splat(1.0))));"
add src/gpu/tests/det_lint.rs "|| compares || wrapped" "|| compares || wrapped || *op == Op::Multiply"
add src/gpu/tests/det_lint.rs "if is_float(token) && !is_exact(token) {" "if false {"

# What keeps the library standing: budgets, devices that are opened anew, answers in parts.
suite="--features gpu --lib device::budget"
add src/gpu/device/budget.rs "used.checked_add(bytes).filter(|used| *used <= self.limit)" "used.checked_add(bytes).filter(|_| used <= self.limit)"
add src/gpu/device/budget.rs "self.used.fetch_sub(self.bytes, Ordering::AcqRel);" "self.used.fetch_sub(self.bytes / 2, Ordering::AcqRel);"
suite="--features gpu --lib gpu::guard"
add src/gpu/guard.rs "Poll::Ready(guarded(|| drop(work)).and(result))" "Poll::Ready(result)"
suite="--lib memory"
add src/memory.rs "found <= self.most(found)" "found <= self.most(found).saturating_mul(2)"
add src/memory.rs "self.full |= !self.limit.add((found - self.counted) as u64);" "self.full |= !self.limit.add(0);"
suite="--lib crew"
add src/crew.rs "std::thread::park_timeout(left);" "std::thread::park();"
suite="--test streamed parts_are"
add src/cpu/rows.rs "b > a && bodies.may_meet(a, b)" "b > a"
add src/cpu/rows.rs "own.all_traits()[a].may_meet(&bodies.all_traits()[b])" "true"
add src/batch/canonical.rs "out.offsets[..=rows.start].fill(0);" "out.offsets[0] = 0;"
suite="--test streamed too_large"
add src/batch/overlaps/cpu.rs "None => PairLimit::of_memory(pool.memory, bytes)," "None => PairLimit::of_memory(None, bytes),"
suite="--features gpu --test streamed parts_are"
add src/batch/some_rows.rs "b as usize > a && !own.exclusions().contains(a as u32, b)" "b as usize > a"
add src/batch/some_rows.rs "out.offsets.copy_within(..len, first);" "out.offsets.copy_within(..len - 1, first);"
suite="--features gpu --test queries destroyed"
add src/gpu/renewal.rs "state.failures += 1;" "state.failures = 1;"
# Recorded queries: what is not valid is taken over, too little room is not noticed, recordings share what was uploaded.
suite=$kernels
add shaders/phases/summarize.wgsl "summary[3] = pairs;" "summary[3] = pairs + 1u;"
add shaders/phases/measure_grid.wgsl "if (a > b) == ((k & size) == 0u) {" "if a > b {"
suite="--features gpu --test queries resident::"
add shaders/phases/import_bodies.wgsl "valid = valid && all != 0u;" "valid = valid && true;"
add shaders/phases/import_bodies.wgsl "atomicMax(&status[STATUS_BAD_BODY], ~id);" ""
add shaders/phases/list_undecided.wgsl "undecided[place] = vec4u(k, row, partner & PARTNER_ID, 0u);" "undecided[place] = vec4u(k, row, partner, 0u);"
add src/gpu/resident/mod.rs "&& had.sufficed_for_long_rows(long, false)" ""
# A recording is judged by the room of a later one; what shaders wrote stays.
add src/gpu/resident/mod.rs "let mut had = room;" "let mut had = *capacity;"
add src/gpu/bodies/record.rs "if self.written != written {" "if false && self.written != written {"
add src/gpu/resident/upload.rs "memory.capacity = *given;" ""
add src/gpu/resident/pairs.rs "Relation::Separate => b | MARK_TOUCHING | MARK_UNDECIDED," "Relation::Separate => b,"
# Workgroups that a dispatch has too many of sign.
suite=$kernels
add shaders/queries/time_hits.wgsl "if lane == 0u && at < params.rays + params.extra_room {" "if lane == 0u {"
add shaders/phases/import_bodies.wgsl "if thread == 0u && k < params.bodies {" "if thread == 0u {"
add shaders/phases/summarize_list.wgsl "if thread == 0u && k < params.results + params.has_extras * params.extra_room {" "if thread == 0u {"
suite="--features gpu --test queries resident::"
# Recorded lists: a refused body is related, a ray that has stopped is complete, times are in other units, what is open is forgotten.
add shaders/queries/bucket_pairs.wgsl "is_refused = was_refused(tag) || was_refused(other_tag);" "is_refused = was_refused(tag);"
add shaders/queries/publish_hits.wgsl "rest > half || (rest == half && (kept & 1u) == 1u)" "rest > half"
add shaders/queries/publish_hits.wgsl "return divided(min(time, rays[at].w), exponent);" "return time;"
add shaders/queries/publish_hits.wgsl "atomicOr(&marks[entry.x], 1u);" ""
add shaders/phases/summarize_list.wgsl "atomicAdd(&status[STATUS_UNDECIDED], 1u);" ""
add src/gpu/resident/mod.rs "&& status[STATUS_RAY_EXTRAS] <= had.rays[0];" ";"
add src/gpu/resident/ask.rs "if shot.last == LATEST && shot.limit.is_finite() {" "if false {"
add src/gpu/resident/hits.rs "let limit = if last < LATEST {" "let limit = if last <= LATEST {"

# Rays: pads and errors that are too small, a face, an edge or an end that is forgotten; a tree that loses a child, worlds that are not looked
# at, a nearest hit that is the last, an open pair that is dropped, rays that do not go on.
suite="--features gpu --lib cast::tests"
add src/filter/ray.rs "const PAD: f64 = 64.0 * Self::U;" "const PAD: f64 = 0.5 * Self::U;"
add src/filter/ray.rs "pub(crate) const SLACK: f64 = 1.0 / (1u64 << 21) as f64;" "pub(crate) const SLACK: f64 = 0.0;"
add src/filter/ray.rs "pub(crate) const NODE_PAD: f32 = 32.0 / (1_u64 << 23) as f32;" "pub(crate) const NODE_PAD: f32 = 0.0; // mutant"
add src/filter/ray.rs "if grown.0 > grown.1 || grown.1 < zero || grown.0 > limit {" "if grown.0 > grown.1 || grown.1 < zero {"
add src/filter/ray.rs "Some((enter, exit)) if enter < exit && exit > zero && enter < limit => {" "Some((enter, exit)) if enter < exit && exit > zero => {"
add src/cast/boxes.rs "const FACE_ERROR: f32 = 1.0 / (1_u64 << 35) as f32;" "const FACE_ERROR: f32 = 0.0;"
add src/cast/boxes.rs "const EDGE_ERROR: f32 = 1.0 / (1_u64 << 33) as f32;" "const EDGE_ERROR: f32 = 0.0;"
add src/cast/boxes.rs "let reaches_low = slab.above_low || below < -error;" "let reaches_low = true;"
add src/cast/boxes.rs "let (a, b) = (&slabs[k], &slabs[(k + 1) % 3]);" "let (a, b) = (&slabs[k % 2], &slabs[k % 2 + 1]);"
add src/cast/ball.rs "const LINE_ERROR: f32 = 1.0 / (1_u64 << 39) as f32;" "const LINE_ERROR: f32 = 0.0;"
add src/cast/ball.rs "|| past_end > TIME_ERROR && from_end > END_ERROR;" "|| past_end > TIME_ERROR;"
add src/cast/ball.rs "let time = sub_double(nearest, half).high;" "let time = nearest.high;"
suite="--test queries rays::"
add src/exact/ray.rs "let reached = if is_segment { near <= rate } else { *near <= zero || *rate > zero };" "let reached = *near <= zero || *rate > zero;"
add src/exact/ray.rs "near.mul(other) <= exit.mul(rate)" "near.mul(other) < exit.mul(rate)"
add src/exact/ray.rs "} else if path.is_segment && along >= way {" "} else if false {"
add src/cast/shot.rs ".min(self.limit)" ""
add src/cpu/rays.rs "if earlier && self.waiting.is_none_or(|waiting| last < waiting.first) {" "if earlier {"
add src/cpu/rays.rs "} else if first <= self.latest() {" "} else if false {"
add src/cpu/order.rs "world => (self.segments_of(world), self.segments_of(Traits::EVERY_WORLD))," "world => (self.segments_of(world), &[]),"
add src/cast/mod.rs "Span::Open(_) => ray_shape(&shot.ray, shot.limit, shape)," "Span::Open(_) => true,"
add src/batch/rays/list.rs "time if time < 0.0 =>" "time if time < -9e9 =>"
# Rays and points many at a time: a bundle that is narrower than its rays, a block that is not come back to, squares that overflow, an axis that is
# nearly at right angles to a distance.
suite="--lib cpu::tests::flights"
add src/cpu/bundles.rs "let (below, above) = (min.minus(T::splat(high)), max.minus(T::splat(low)));" "let (below, above) = (min.minus(T::splat(low)), max.minus(T::splat(high)));"
add src/cpu/route.rs "if met & (met - 1) != 0 {" "if met & (met - 1) & 0xff != 0 {"
add src/cpu/closest.rs "let square = square.lesser(T::splat(f32::MAX));" ""
suite="--lib near::tests"
add src/near/of_points.rs "let is_clear = doubt_a.or(doubt_b).or(doubt_c).not();" "let is_clear = doubt_a.or(doubt_b).not();"
suite=$kernels
add shaders/queries/ray_tree.wgsl "let above = ceil((child_highs[k] - low) * inverse + vec3f(BYTE_SLACK));" "let above = floor((child_highs[k] - low) * inverse);"
add shaders/queries/ray_tree.wgsl "    if most > params.most {" "    if false {"
add shaders/queries/ray_tree.wgsl "child_worlds[k] = vec2u(low.w, high.w);" "child_worlds[k] = vec2u(high.w);"
add shaders/queries/ray_tree.wgsl "all[k] = RAY_NODE | child;" "all[k] = RAY_NODE | wanted_first;"
add shaders/lib/descent.wgsl "return tree[at].w <= world && world <= tree[at + 1u].w;" "return tree[at].w == world;"
add shaders/lib/descent.wgsl "            push(children, all.z);
" ""
add shaders/lib/descent.wgsl "let limit = bitcast<u32>(furthest) | 3u;" "let limit = bitcast<u32>(furthest) & 0xfff00000u;"
add shaders/lib/det_box_entry.wgsl "let latest = det_add(nears[k], ENTRY_ERROR);" "let latest = det_sub(nears[k], 0.125f);"
add shaders/lib/det_box_entry.wgsl "if before && least_rate > 0.0f {" "if before {"
add shaders/lib/det_box_entry.wgsl "q[min(a, c)], q[max(a, c)]" "q[a], q[a]"
add shaders/queries/cast_rays.wgsl "if params.mode == RAYS_NEAREST && is_hit && span.last < earliest {" "if params.mode == RAYS_NEAREST && is_hit {"
add shaders/queries/cast_rays.wgsl "states[number] = vec4u(current, left);" "states[number] = vec4u(current, left);
    states[number].y &= 0xfffffff0u;"
add shaders/queries/cast_rays.wgsl "(step < params.steps || !is_inner(current))" "step < params.steps"
add shaders/queries/reach_nearest.wgsl "if seed != ABSENT && may_meet(point, seed) {" "if seed != ABSENT {"
add shaders/queries/cast_rays.wgsl "            list_extra(number, pending);
        }
        leave" "        }
        leave"
add shaders/queries/cast_rays.wgsl "return agree && !(ray.is_fixed && (tree[2u * slot + 1u].w & TAG_FIXED) != 0u);" "return agree;"
add shaders/lib/ray_spans.wgsl "let outer = (radius + pad) * (radius + pad);" "let outer = radius * radius;"
add shaders/lib/det_cast.wgsl "const CAST_GROWTH = 0x1p-38f;" "const CAST_GROWTH = 0x1p-30f;"
add shaders/lib/det_cast.wgsl "let edges = edge_test(slabs[k], slabs[(k + 1u) % 3u], exact);" "let edges = edge_test(slabs[0], slabs[1], exact);"
add shaders/queries/time_hits.wgsl "if params.mode != RAYS_ANY || !is_certain {" "if params.mode != RAYS_ANY {"
add shaders/queries/cast_rays.wgsl "select(ray.limit, FLT_MAX, ray.limit >= RAY_LATEST)" "ray.limit"
add shaders/queries/pick_hits.wgsl "if entry.w == UNDECIDED {" "if false {"
add shaders/queries/pick_hits.wgsl "~entry.z == best_times[entry.x]" "true"
add src/batch/rays/gpu.rs "best = own.filter_map(|open| settled(set, &shot, open[1])).chain(best).reduce(earlier);" "drop(own);"

# Margins: what is certain, what integers decide, which bounds are grown, on the CPU and on devices.
suite="--lib near::;--test exact margins::"
add src/near/mod.rs "const ERROR: f32 = 64.0 / (1 << 24) as f32;" "const ERROR: f32 = 0.0;"
add src/near/mod.rs "along = sub(along, abs(dot3(direction, generator)));" "along = sub(along, dot3(direction, generator));"
add src/near/search.rs "if simplex.count == 4 {" "if false {"
add src/exact/near.rs "for body in 0..2 {" "for body in 0..1 {"
add src/exact/near.rs "for edges in 0..9 {" "for edges in 1..9 {"
add src/exact/near.rs "if Int::abs(&along_g) > square || Int::abs(&along_h) > square {" "if Int::abs(&along_g) > square {"
add src/exact/near.rs "> length(&self.a.half) + length(&self.b.half) + self.reach + self.slack" "> length(&self.a.half) + self.reach + self.slack"
add src/exact/near.rs "x.add(&y).add(&z).twice()" "x.add(&y).add(&z)"
add src/exact/sphere.rs "radii.into_iter().chain(margin.0)" "radii.into_iter().chain(margin.0).take(1)"
suite="--test queries overlaps::margins"
add src/cpu/order.rs "leaf.meets::<T>(&growth.of(leaf.lane(j))) & left" "leaf.meets::<T>(&leaf.lane(j)) & left"
add src/cpu/order.rs "other.meets::<T>(&growth.of(leaf.lane(j))) & theirs" "other.meets::<T>(&leaf.lane(j)) & theirs"
add src/cpu/order.rs "leaf.meets::<T>(&growth.of(tree.leaf_union(k))) & own" "leaf.meets::<T>(&tree.leaf_union(k)) & own"
add src/cpu/order.rs "&growth.of(leaf.union(own))" "&leaf.union(own)"
add src/cpu/order.rs "let bounds = growth.of(order.tree.bounds(i));" "let bounds = order.tree.bounds(i);"
add src/cpu/order.rs "let bounds = self.growth.of(order.tree.bounds(i));" "let bounds = order.tree.bounds(i);"
suite=$kernels
add src/gpu/phases/prepare.rs "distance: query.narrow.distance()," "distance: 0.0,"
add src/gpu/phases/prepare.rs "(distance / 2.0).next_up()" "distance / 4.0"
add src/gpu/phases/narrow.rs "flags & ORDERED == 0 && mode == REPORT_HITS" "false"
add shaders/lib/near.wgsl "const NEAR_ERROR = 0x1p-18f;" "const NEAR_ERROR = 0x1p-19f;"
add shaders/lib/simplex.wgsl "let of_zero = det_neg(det_dot3(a, normal));" "let of_zero = det_dot3(a, normal);"
add shaders/lib/near.wgsl "if simplex.count == 4u {" "if simplex.count >= 3u {"
add shaders/phases/near.wgsl "near_body(!pair.b_searches, pair.a.w" "near_body(pair.b_searches, pair.a.w"
add shaders/lib/filters.wgsl "if faces > gaps.face_bound + more || edges > gaps.edge_bound + more {" "if faces > gaps.face_bound || edges > gaps.edge_bound + more {"
add shaders/lib/filters.wgsl "select(UNDECIDED, HIT, faces < -gaps.face_bound && edges < -gaps.edge_bound)" "select(UNDECIDED, HIT, faces < -gaps.face_bound)"
add src/gpu/phases/narrow.rs "recording.run(&stages::NEAR_OPEN, groups_of_open, &params.as_near(), &self.near_buffers(flags, mode));" ""
add shaders/phases/grow_bounds.wgsl "if all(first <= last) {" "if any(first > last) {"
add shaders/queries/frames.wgsl "all(same) && (radius << 1u) == 0u, has_corners);" "any(same) && (radius << 1u) == 0u, has_corners);"
# Margins of bodies.
add shaders/phases/grow_bounds.wgsl "return grown_by(all, bitcast<f32>(margin));" "return all;"
add shaders/phases/grow_bounds.wgsl "most = max(most, slot_margins[thread + k]);" "most = slot_margins[thread];"
add shaders/phases/near.wgsl "near_of(a.frame, b.frame, vec3f(params.margin, a.margin, b.margin))" "near_of(a.frame, b.frame, vec3f(params.margin, a.margin, a.margin))"
add src/gpu/phases/narrow.rs "stages::near_filter(bucket).filter(|_| !narrow.has_margins())" "stages::near_filter(bucket)"
# The nearest bodies of points.
add shaders/queries/reach_nearest.wgsl "const REACH_ERROR = 0x1p-17f;" "const REACH_ERROR = -0x1p-12f;"
add shaders/queries/reach_nearest.wgsl "return select(last, all, is_all);" "return last;"
add shaders/queries/reach_nearest.wgsl "return min(found, last);" "return found;"
add shaders/queries/reach_nearest.wgsl "return sum3(v);" "return 0.0f;"
add src/batch/closest/gpu.rs "query.rank(point, &mut near);" "near.truncate(1);"
# Distances.
add shaders/lib/precise.wgsl "const PRECISE_ERROR = 0x1p-18f;" "const PRECISE_ERROR = 0.0f;"
add shaders/lib/precise.wgsl "- select(0u, 1u, gap.low < 0.0f)" ""
add shaders/lib/precise.wgsl "towards = nearest_axis(3u * (k - 1u), first);" "towards = nearest_axis(0u, first);"
add shaders/lib/precise.wgsl "towards = across_generators(free, first);" ""
add shaders/lib/precise.wgsl "towards = without_generator(k - 4u, way);" ""
add shaders/queries/frames.wgsl "low[8], place.half_low.z)" "low[8], 0.0f)"
add src/batch/clearances/gpu.rs "if clearance.is_open() {" "if false {"
# Moving bodies.
add shaders/lib/sweep.wgsl "const SWEEP_LESS = 0x1.ffffep-1f;" "const SWEEP_LESS = 0x1p0f;"
add shaders/lib/sweep.wgsl "between_at(both, time, det_sub3(shift_b, shift_a))" "between_at(both, time, shift_b)"
add shaders/lib/sweep_straight.wgsl "let is_rough = sine_squared < vec3f(SWEEP_PARALLEL);" "let is_rough = vec3<bool>();"
add shaders/lib/sweep_straight.wgsl "let gap = det_sub(whole, glance.error);" "let gap = whole;"
add shaders/lib/sweep_straight.wgsl "det_mul(gap, last.closing) > det_mul(last.gap, closing)" "gap > last.gap"
add shaders/lib/sweep.wgsl "towards = nearest_axis_now(k - 1u, first);" ""
add shaders/lib/sweep.wgsl "towards = across_now(free, first);" ""
add shaders/lib/sweep.wgsl "if largest_of(near.t) > NEAR_APART {" "if false {"
add shaders/lib/sweep.wgsl "let turning = det_add(speed_of_turn(both.first, normal), speed_of_turn(both.second, normal));" "let turning = speed_of_turn(both.first, normal);"
add shaders/lib/sweep.wgsl "det_mul_double(way, time)" "det_mul_double(way, DetDouble(time.high, 0.0f))"
add shaders/lib/det.wgsl "vec3f(det_neg(cosine), det_neg(sine), det_add(1.0f, cosine))" "vec3f(det_neg(cosine), sine, det_add(1.0f, cosine))"
add shaders/queries/sweeps.wgsl "sweep_straight(a.frame, a.course, b.frame, b.course);" "sweep_straight(a.frame, a.course, b.frame, a.course);"
add shaders/lib/moving_bodies.wgsl "let course = params.courses_b + COURSE_VECTORS * body;" "let course = params.courses_b + COURSE_VECTORS * (body / 2u);"
add shaders/queries/sweeps.wgsl "k < left; k += CONTACT_THREADS" "k < min(left, 1u); k += CONTACT_THREADS"
add src/gpu/phases/details.rs "if query.moving { MOVING + set } else { set }" "set"
# Contacts of bodies that are apart.
add shaders/queries/contacts.wgsl "det_neg(det_add(det_add(m, n), o))" "det_neg(det_add(m, n))"
add shaders/lib/manifold.wgsl "det_min(det_max(raw_depth, least_depth), contact.depth)" "det_min(raw_depth, contact.depth)"
add shaders/queries/approaches.wgsl "are_edges || !is_along" "!is_along"
add shaders/queries/approaches.wgsl "&& !beside &&" "&&"
add shaders/queries/approaches.wgsl "&& !(deepest < det_neg(det_add(found.away, found.error)))" ""
add shaders/queries/approaches.wgsl "if found.away < 0.0f {" "if false {"
add shaders/queries/approaches.wgsl " && !(bitcast<f32>(manifolds[at].w) > 0.0f)" ""
add shaders/queries/approaches.wgsl "k < listed; k += CONTACT_THREADS" "k < min(listed, CONTACT_THREADS); k += CONTACT_THREADS"
suite="--lib closest::;--test queries closest::"
add src/exact/closest.rs "if left < BigInt::zero() {" "if false {"
add src/exact/closest.rs "const ERROR: f64 = 128.0 / (1_u64 << 53) as f64;" "const ERROR: f64 = 0.0;"
add src/exact/closest.rs "self.most == 0.0 && other.most == 0.0" "self.least == 0.0 && other.least == 0.0"
add src/exact/closest.rs "roots(&b, &a).reverse()" "roots(&b, &a)"
add src/batch/closest/mod.rs ".then(a.cmp(b))" ""
add src/batch/closest/mod.rs "away.most < limit || away.least <= limit && is_within(*body)" "away.least <= limit"
add src/cpu/closest.rs "self.found.retain(|(away, _)| away.least <= most);" "self.found.retain(|(away, _)| away.most <= 0.5 * most);"
add src/cpu/closest.rs "const GROWN: f64 = 1.0 + 1.0 / (1 << 20) as f64;" "const GROWN: f64 = 0.9;"
suite="--test queries margins::"
add src/bodies/columns.rs "*margin = 0.0;" ""
add src/bodies/removal.rs "columns.margins[kept] = columns.margins[i];" ""
add src/cpu/order.rs "leaf.grow(|lane| self.ids.get(lane).map(|id| Growth(margins[*id as usize])));" ""
add src/gpu/bodies/margins.rs "device.write(self.margins.buffer(), 4 * range.start as u64, words).await?;" "device.write(self.margins.buffer(), 0, words).await?;"
suite="--lib near::"
add src/near/precise.rs "const ERROR: f32 = 1.0 / (1 << 18) as f32;" "const ERROR: f32 = 0.0; // mutant"
add src/near/precise.rs "- u32::from(gap.low < 0.0)" ""
add src/near/clearance.rs "[towards, axes[0], axes[1], precise.across(free, towards)]" "[towards, axes[0], axes[0], precise.across(free, towards)]"
add src/near/clearance.rs "found.free | precise.nearly_across(towards)" "found.free"
add src/near/clearance.rs "1 => precise.without(free.trailing_zeros() as usize, way)," "1 => precise.without(0, way),"
add src/near/search.rs "neg(div(along, square))" "div(along, square)"
add src/near/clearance.rs "if found.direction == Vec3::ZERO { way } else { found.direction }" "found.direction"

# Capsules: segments in integers, the ends of their part on a face, and what rounding is reckoned with.
suite="--test exact capsules::"
add src/exact/segment.rs ".min(self.inside(other, limit))" ""
add src/exact/segment.rs "time >= zero && (!line.ends || time <= whole)" "time >= zero"
add src/exact/segment.rs "self.ends && along >= way" "self.ends && along > way.twice()"
add src/exact/segment.rs "for edge in 0..12 {" "for edge in 0..11 {"
add src/exact/segment.rs "Int::abs(&BigInt::dot(&n, &middle)) < reach" "Int::abs(&BigInt::dot(&n, &middle)) <= reach"
add src/exact/segment.rs "*reach > zero || self.is_in_interior(half)" "true"
add src/exact/segment.rs "distance < reach - slack" "distance <= reach + slack"
add src/exact/segment.rs "> reach + slack).then_some" "> reach - slack).then_some"
# Convex cores: what a proof in f64 must exceed, and in integers which corners carry the nearest point and which planes have all on one side.
suite="--lib convex::;--test exact hulls::"
add src/exact/convex/mod.rs "if !(a.valid && b.valid) {" "if !a.valid {"
add src/exact/convex/lowest.rs "const TOLERANCE: f64 = 8.0 / (1 << 24) as f64;" "const TOLERANCE: f64 = 0.5 / (1 << 24) as f64;"
add src/exact/convex/search.rs "self.offset.dot(d) + low + high - bound, bound)" "self.offset.dot(d) + low + high, bound)"
add src/exact/convex/search.rs "32.0 * f64::EPSILON * d.abs().element_sum()" "0.25 * f64::EPSILON * d.abs().element_sum()"
add src/exact/convex/search.rs "16.0 * f64::EPSILON * self.size" "f64::EPSILON * self.size"
add src/exact/convex/search.rs "64.0 * largest * largest *" "0.0 * largest * largest *"
add src/exact/convex/search.rs "256.0 * f64::EPSILON * self.size" "0.0 * f64::EPSILON * self.size"
add src/exact/convex/search.rs "differences.surround(&simplex, volumes) || is_within(origin, reach, &differences)" "true"
add src/exact/convex/integers.rs "exact.limit > zero || points.len() == 4 ||" "points.len() == 4 ||"
add src/exact/convex/integers.rs "points.len() == 4 || exact.has_inside(&points)" "exact.limit == zero"
add src/exact/convex/integers.rs "low > zero && Int::mul(&low, &low) > limit" "low > zero"
add src/exact/convex/integers.rs "16.0 * f64::EPSILON * largest * core.largest" "0.0 * f64::EPSILON * largest * core.largest"
add src/exact/convex/integers.rs "if height < best.1 {" "if height > best.1 {"
add src/exact/convex/integers.rs "lengths.into_iter().fold(BigInt::zero()" "lengths.into_iter().take(2).fold(BigInt::zero()"
add src/exact/convex/interior.rs "for i in 0..=last {" "for i in last..=last {"
add src/exact/convex/interior.rs "below &= height <= zero;" "below &= height < zero;"
suite="--test queries closest::order_is_exact;--lib closest::"
add src/exact/closest.rs "let right = Int::mul(&Int::mul(&square, &Int::mul(&a.over, &a.over))," "let right = Int::mul(&Int::mul(&square, &Int::mul(&a.over, &b.over)),"
suite="--lib cast::"
add src/filter/ray.rs "F::constant(2.0 * F::PAD)" "F::constant(0.0 * F::PAD)"
add src/filter/ray.rs "joined(joined(self.ball(0, limit), self.ball(1, limit)), self.cylinder(limit, longer))" "joined(self.ball(0, limit), self.cylinder(limit, longer))"
add src/cast/capsule.rs "const GROWTH: f32 = 1.0 / (1_u64 << 35) as f32;" "const GROWTH: f32 = 0.0;"
add src/cast/capsule.rs ".joined(self.cylinder(limit, longer))" ""
suite="--lib manifold::"
add src/manifold/capsule.rs "abs(place) < half || mul(dot3(way, axis), place) > 0.0" "false"
add src/manifold/capsule.rs "const TOUCHING: f32 = 1.0 / (1_u64 << 40) as f32;" "const TOUCHING: f32 = 0.0;"
add src/manifold/capsule.rs "add(depth, tolerance) < least || is_as_good" "is_as_good"
add src/manifold/capsule.rs "mul(mul(sine, sine), sine) > mul(near, near)" "true"
add src/manifold/capsule.rs "let ends = [neg(half_b), half_b]" "let ends = [neg(half_b), mul(0.5, half_b)]"
suite=$kernels
add shaders/lib/bounds.wgsl "widened(max(a, b), vec3f(radius)).high" "widened(b, vec3f(radius)).high"
add shaders/lib/near.wgsl "return NearCore(solid, half.z, select(half.x, 0.0f, extents == 0u));" "return NearCore(solid, half.z, 0.0f);"
add shaders/lib/filters.wgsl "min(first, second) - reach, bound" "first - reach, bound"
add shaders/lib/ray_spans.wgsl "* (2.0 * RAY_PAD) + 2.0 * TINY" "* (0.0 * RAY_PAD)"
add shaders/lib/capsules.wgsl "det_abs(place) < half || det_mul(det_dot3(way, axis), place) > 0.0f" "false"
add shaders/lib/capsules.wgsl "select(outward, vec3f(), vec3u(passed) == vec3u(0u, 1u, 2u))" "outward"
add shaders/lib/det_cast_capsule.wgsl "const LIMB_GROWTH = 0x1p-35f;" "const LIMB_GROWTH = 0x1p-36f;"
add shaders/queries/frames.wgsl "set_entry(2u, det_mul_double(z, inverse));" "set_entry(2u, DetDouble(det_mul_double(z, inverse).high, 0.0f));"
add shaders/queries/reach_nearest.wgsl "max(length_of(abs(t - share * way)) - radius, 0.0f) + slack" "max(length_of(abs(t - share * way)) - 2.0f * radius, 0.0f) + slack"
add shaders/phases/import_bodies.wgsl "select(is_length(bits), is_finite(bits), is_any)" "is_length(bits)"

# Half-spaces: the lowest point in integers and without rounding, two of them, rays, points, contacts, distances and sweeps.
suite="--test exact half_spaces::"
add src/exact/half_space.rs "if *reach == zero {" "if false {"
add src/exact/half_space.rs "if n[k] > zero { first[k].clone() }" "if n[k] < zero { first[k].clone() }"
add src/exact/half_space.rs "BigInt::dot(&n, &first).min(BigInt::dot(&n, &second))" "BigInt::dot(&n, &first)"
add src/exact/half_space.rs "if !are_parallel || a[k] * b[k] > 0.0 {" "if !are_parallel {"
add src/exact/half_space.rs "const SLACK: f64 = 1.0 / (1_u64 << 44) as f64;" "const SLACK: f64 = 0.0; // mutant"
add src/exact/half_space.rs "(lost == 0.0).then_some(next)" "Some(next)"
suite="--test queries half_spaces::margins"
add src/exact/half_space.rs "if is_grown && !is_along_axis { None }" "if false { None }"
add src/exact/half_space.rs "(gap, Int::shl(&reach, shift.unsigned_abs()))" "(gap, reach)"
suite="--lib cast::;--test queries rays::brute"
add src/exact/ray.rs "side_at(0.0).is_le() || ends_inside()" "side_at(0.0).is_le()"
add src/filter/ray.rs "let (low, high) = (height - of_height, height + of_height);" "let (low, high) = (height, height);"
add src/cast/half_space.rs "const HEIGHT_ERROR: f32 = 1.0 / (1_u64 << 40) as f32;" "const HEIGHT_ERROR: f32 = 0.0;"
suite="--test queries closest::order_is_exact"
add src/exact/closest.rs "Int::sub(&BigInt::dot(&n, &p), &d).max(zero.clone())" "Int::sub(&BigInt::dot(&n, &p), &d)"
suite="--test queries contacts::every_scene;--test queries half_spaces::details;--test queries half_spaces_are_parted"
add src/manifold/half_space.rs "exists && !(depth < self.floor)" "exists"
add src/manifold/half_space.rs "let both = !(drops[z] < add(drops[x], drops[y]));" "let both = true;"
suite="--lib near::"
add src/near/half_space.rs "Double { high: mul(HEIGHT_ERROR, sizes), low: 0.0 }" "Double { high: neg(mul(ERROR, sizes)), low: 0.0 }"
suite="--test queries sweeps::"
add src/near/sweep/half_space.rs "add(add(max(neg(rate.high), 0.0), of_turn), slack)" "add(max(neg(rate.high), 0.0), slack)"
suite="--test queries half_spaces::what_is_above"
add src/shape/plane.rs "max[k] = check::round_up(above)" "max[k] = -check::round_up(above)"
suite=$kernels
add shaders/lib/half_spaces.wgsl "const HEIGHT_ERROR = 0x1p-40f;" "const HEIGHT_ERROR = 0x1p-30f;"
add shaders/lib/half_spaces.wgsl "if cosine.high < 0.0f {" "if false {"
add shaders/lib/half_space_contacts.wgsl "let both = !(drops[z] < det_add(drops[x], drops[y]));" "let both = true;"
add shaders/lib/half_space_contacts.wgsl "if k == 0u || !(most == 1u || depth < least_depth || half == 0.0f) {" "if k == 0u || !(most == 1u || half == 0.0f) {"
add shaders/lib/det_cast_half_space.wgsl "const HALF_SPACE_LEAST_FALL = 0x1p-30f;" "const HALF_SPACE_LEAST_FALL = 0x1p-2f;"
add shaders/lib/ray_spans.wgsl "let low = height - of_height;" "let low = height + of_height;"
add shaders/lib/bounds.wgsl "let slack = abs(border) * 0x1p-20f + 0x1p-90f;" "let slack = 0.0f;"
add shaders/phases/gather.wgsl "within = plane_in_domain(vec4u(center, second.x));" "within = true;"
add shaders/queries/reach_nearest.wgsl "max(dot(normal, point.at) - offset, 0.0f) + sizes * REACH_ERROR" "0.5f * max(dot(normal, point.at) - offset, 0.0f)"
add shaders/phases/near.wgsl "let searches = !pair.b_searches == is_a;" "let searches = !pair.b_searches;"

# Hulls as bodies: half-spaces below their corners, rays behind their planes, distances, forms, records, and the search of kernels.
suite="--test exact hulls::;--test queries hulls::"
add src/exact/half_space.rs "let low = heights.min().unwrap_or_default();" "let low = heights.max().unwrap_or_default();"
suite="--test queries rays::brute"
add src/exact/faces.rs "Ordering::Equal if outside > zero => return false," "Ordering::Equal if outside >= zero => return false,"
add src/exact/faces.rs "(cross(&way(k, next(k)), &normal), k)" "(cross(&normal, &way(k, next(k))), k)"
suite="--lib faces"
add src/exact/faces.rs "let ends = [(minus_one(&axis), 0), (axis.clone(), last)];" "let ends = [(minus_one(&axis), 0)];"
suite="--test queries closest::order_is_exact"
add src/exact/convex/integers.rs "return (Int::mul(&height, &height), Int::mul(&square, &unit));" "return (Int::mul(&height, &height), square);"
suite="--test queries hull_forms::"
add src/bodies/hulls.rs "self.numbers.retain(|_, number| used[*number as usize]);" ""
add src/bodies/hulls.rs "self.free = (0..used.len() as u32).filter(|number| !used[*number as usize]).collect();" ""
suite="--features gpu --lib hull_record"
add src/shape/hull_record.rs "(f64::from(x) / power(exponent)).floor()" "(f64::from(x) / power(exponent)).round()"
add src/shape/hull_record.rs "let share = share.ceil()" "let share = share.floor()"
suite="--features gpu --lib near::hull"
add src/near/hull/mod.rs "const OF_CORNERS: f32 = 128.0 / (1 << 24) as f32;" "const OF_CORNERS: f32 = 2.0 / (1 << 24) as f32;"
add src/near/hull/mod.rs "const LOW: f32 = 1.0 / (1 << 13) as f32;" "const LOW: f32 = -1.0;"
add src/near/hull/mod.rs "if sub(height, pair.error) > far {" "if add(height, pair.error) > far {"
add src/near/hull/verdict.rs "add(mul(OF_HEIGHT, self.error), mul(OF_VOLUME, largest))" "neg(mul(OF_HEIGHT, self.error))"
add src/near/hull/mod.rs "near > 0.0 && add(mul(near_square, rsqrt(near_square)), pair.error) < near" "near > 0.0 && mul(near_square, rsqrt(near_square)) < add(near, pair.error)"
suite="--lib near::"
add src/near/hull/apart.rs "sub_double(height, single(self.bodies[0].radius))" "height"
add src/near/hull/apart.rs "(true, away(b, a)?)" "(false, away(b, a)?)"
add src/near/hull/apart.rs "along = add_double(along, self.lowest(0, &n));" ""
# Contacts of hulls: where the polytope ends, which side the plane of its face is on, what is in a face and what is next to it, and corners over a border.
suite="--lib manifold::tests::hulls"
add src/near/hull/polytope.rs "const PRECISION: f32 = 1.0 / (1 << 21) as f32;" "const PRECISION: f32 = 1.0 / (1 << 10) as f32;"
add src/near/hull/axis.rs "if dot3(high(&fine), rough) < 0.0 {" "if false {"
add src/near/hull/faces.rs "const FLAT: f32 = 1.0 / (1 << 21) as f32;" "const FLAT: f32 = 0.0;"
add src/near/hull/faces.rs "if rises < slope {" "if rises > slope {"
add src/near/hull/contact.rs "if i == heights.lowest { raw } else { sub(raw, at.z) }" "raw"
suite="--test queries sweeps::scenes"
add src/near/sweep/course.rs "{ hull.center() }" "{ center }"
suite=$kernels
add shaders/lib/hull_away.wgsl "            if body == 1u {" "            if false {"
add shaders/lib/hull_away.wgsl "away_half[k].low = det_mul(low, hull_scale);" ""
add shaders/lib/hull_away.wgsl "if det_sub(det_sub(apart, radius), least) > hull_error {" "if true {"
add shaders/lib/hull_sweep.wgsl "hull_axes[k] = axes_now[3u + k];" "hull_axes[k] = axes_now[k];"
add shaders/lib/hull_sweep.wgsl "look.normal = outward(look.normal, b_is_hull);" ""
add shaders/queries/hull_sweeps.wgsl "        if params.turns > 0u {" "        if false {"
add src/gpu/bodies/hulls.rs "if self.hulls_revision == Some(revision) {" "if self.hulls_revision.is_some() {"
add shaders/lib/hulls.wgsl "        if part.searches {" "        if true {"
add shaders/lib/hulls.wgsl "return select(det_neg3(half), half, corner_bits(i));" "return half;"
add shaders/lib/precise_hulls.wgsl "if body == 0u && turns {" "if false {"
add shaders/lib/precise_hulls.wgsl "if found.has_four && do_precisely_surround(found.four) {" "if false {"
add shaders/lib/hull_slots.wgsl "set_hull_part(1u, KIND_CONVEX_HULL, pair.b, slot_shapes[2u * pair.slot_b + 1u], pair.b_searches);" "set_hull_part(1u, KIND_CONVEX_HULL, pair.b, slot_shapes[2u * pair.slot_b + 1u], !pair.b_searches);"
add shaders/phases/open_hulls.wgsl "pair.exists = hits[pair.place].x == UNDECIDED;" "pair.exists = false;"
add shaders/lib/bounds.wgsl "sqrt(dot(half, half)) * share * (1.0 + 0x1p-16)" "sqrt(dot(half, half)) * share * 0.9"
add shaders/queries/reach_nearest.wgsl "let reach = 3.0f * hull_reach(second.x);" "let reach = 0.0f;"
add shaders/lib/simplex.wgsl "if weight == 0.0f {" "if false {"

features="--no-default-features --features rayon"
mkdir results
# A mutant's outcome: killed by what, survived, or an error in this script.
outcome() {
  printf '%s\n' "$2" >"results/$1" && echo "$2"
  [ -z "$log" ] || tr '\n' ' ' <<<"$2" | sed 's/ *$/\n/' >>"$log"
}
was_killed() { [ -n "$log" ] && [ -e "$log" ] && grep -qF -- "killed    $(name_of "$1" | tr '\n' ' ')" "$log"; }

# Replaces the text of mutant K in a copy of its file, whose place is given; fails if the text is not there exactly once.
mutate() {
  local original rest text=${texts[$1]}
  original=$(cat "${files[$1]}" && printf x)
  original=${original%x}
  rest=${original/"$text"/}
  if [ "$rest" = "$original" ] || [ "${rest/"$text"/}" != "$rest" ]; then
    outcome "$1" "ERROR     this text is not found exactly once in ${files[$1]}: $text"
    return 1
  fi
  printf '%s' "${original/"$text"/"${replacements[$1]}"}" >"$2"
}
name_of() { echo "${files[$1]}: ${texts[$1]} -> ${replacements[$1]}"; }

# A mutant in Rust: built, and tested by one suite after the other until one fails.
rust_mutant() {
  local k=$1 file=${files[$1]} killer="" tests long
  # Few random cases first, and many if these notice nothing, but for tests of kernels, which take too long then.
  long=(0 1)
  [[ ${suites[$1]} != *gpu::* ]] || long=(0)
  cp "$file" unbroken
  mutate "$k" "$file" || return 0
  while [ -z "$killer" ] && read -r -d ';' suite; do
    read -ra tests <<<"$suite"
    if ! cargo test --quiet --no-run $features -p tangency "${tests[@]}" >build.log 2>&1; then
      cat build.log >&2
      outcome "$k" "ERROR     this mutant does not compile: $(name_of "$k")"
      cp unbroken "$file"
      return 0
    fi
    for many in "${long[@]}"; do
      # (A test that does not end has noticed too.)
      if ! TANGENCY_TEST_LONG=$many timeout 1800 cargo test --quiet $features -p tangency "${tests[@]}" >test.log 2>&1; then
        killer=$(grep -m1 -oE '^    [a-z_:0-9]+$' test.log | tr -d ' ' || true)
        killer=${killer:-a test}
        break
      elif ! grep -qE '^running [1-9]' test.log; then
        outcome "$k" "ERROR     no test is named as in $suite: $(name_of "$k")"
        cp unbroken "$file"
        return 0
      fi
    done
  done <<<"${suites[$k]};"
  cp unbroken "$file"
  if [ -n "$killer" ]; then outcome "$k" "killed    $(name_of "$k") (by $killer)"; else outcome "$k" "SURVIVED  $(name_of "$k")"; fi
}

# A mutant in WGSL: the tests read the shaders from a folder of its own, so that nothing is built.
shader_mutant() {
  local k=$1 folder=shaders.$1 filter=gpu::tests::every_adapter
  cp -r shaders "$folder"
  mutate "$k" "$folder/${files[$k]#shaders/}" || return 0
  [ "${suites[$k]}" = "$kernels" ] || filter=det
  if TANGENCY_TEST_SHADERS=$PWD/$folder CARGO_MANIFEST_DIR=$PWD ./kernels "$filter" >"$folder/log" 2>&1; then
    outcome "$k" "SURVIVED  $(name_of "$k")"
  else
    outcome "$k" "killed    $(name_of "$k") (by $(grep -m1 -oE 'src/[a-z_/]+\.rs:[0-9]+' "$folder/log" || echo a test))"
  fi
  rm -rf "$folder"
}

if [ "$part" = --check ]; then
  wrong=0
  for k in "${!files[@]}"; do mutate "$k" /dev/null || wrong=$((wrong + 1)); done
  echo "${#files[@]} mutants, $wrong of them without a place"
  exit $((wrong > 0))
fi

rust=() shaders=()
for k in "${!files[@]}"; do
  [[ "${files[$k]} ${texts[$k]} ${replacements[$k]}" == *"$part"* ]] || continue
  if was_killed "$k"; then
    before=$((${before:-0} + 1))
    continue
  fi
  # (Only the tests of the library itself can read shaders from elsewhere.)
  if [[ ${files[$k]} == *.wgsl && ${suites[$k]} != *--test* ]]; then shaders+=("$k"); else rust+=("$k"); fi
done
echo "${before:-0} mutants were killed before"
if [ ${#shaders[@]} -gt 0 ]; then
  cargo test --quiet --no-run $features --features gpu -p tangency --lib
  binary=$(cargo test --no-run $features --features gpu -p tangency --lib --message-format=json 2>/dev/null |
    grep -oE '"executable":"[^"]+"' | tail -n 1 | cut -d'"' -f4)
  cp "$binary" kernels
  # Unbroken shaders pass, or nothing that follows means anything.
  TANGENCY_TEST_SHADERS=$PWD/shaders CARGO_MANIFEST_DIR=$PWD ./kernels gpu::tests::every_adapter >kernels.log 2>&1 || { cat kernels.log >&2 && exit 2; }
  for k in "${shaders[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
    shader_mutant "$k" &
  done
  wait
fi
if [ ${#rust[@]} -gt 0 ]; then
  # The copy has another path: build once so that only the mutated crate is compiled per mutant.
  cargo test --quiet --no-run $features -p tangency --lib --test exact --test queries
  for k in "${rust[@]}"; do rust_mutant "$k"; done
fi
total=$((${#rust[@]} + ${#shaders[@]} + ${before:-0}))
killed=$(($(cat results/* 2>/dev/null | grep -c '^killed' || true) + ${before:-0}))
cat results/* 2>/dev/null | grep -vE '^killed' || true
echo "mutants: $total, killed: $killed, not killed: $((total - killed))"
[ "$killed" = "$total" ] && [ "$total" -gt 0 ]
