// When a moving hull and another body first touch, with the same bits on every adapter and on the CPU: the twin of src/near/sweep/hull.rs.
// import: lib/moving_bodies, lib/hull_away

// Sets both bodies at the moment that is looked at: the axes, of which those of the hull are first in `axes_now`, and from the hull to the other body.
fn set_moment(t: vec3f, error: f32) {
    for (var k = 0u; k < 3u; k++) {
        hull_axes[k] = axes_now[3u + k];
        hull_axes[3u + k] = axes_now[k];
    }
    hull_t = t;
    hull_error = error;
}

// The best direction, and a length that the distance of the cores is at most, as in lib/sweep; returns how far all differences are along it.
fn best_height_of_hull() -> f32 {
    best_towards = vec3f();
    best_at_most = NEAR_FARTHEST;
    if largest_of(hull_t) > NEAR_APART {
        best_towards = scaled_towards(hull_t);
        let lowest = det_dot3(best_towards, hull_support(best_towards).at);
        return det_mul(lowest, det_rsqrt(det_dot3(best_towards, best_towards)));
    }
    let found = search_hull(det_neg(1.0f), NEAR_FARTHEST);
    best_at_most = 0.0f;
    if found.has_four {
        return 0.0f;
    }
    best_at_most = det_length3(point_of_simplex(hull_simplex));
    best_towards = found.best;
    return found.height;
}

// From the first body of a pair to the second, of what is from the hull to the other body.
fn outward(normal: vec3f, b_is_hull: bool) -> vec3f {
    if b_is_hull {
        return det_neg3(normal);
    }
    return normal;
}

// A hull and another body that is no half-space, for some more moments. Their frames are at `frames_at`.
fn sweep_hull(hull: Moving, other: Moving, b_is_hull: bool, before: SweepHit) -> SweepHit {
    let of_other = set_away_part(0u, !b_is_hull);
    let of_hull = set_away_part(1u, b_is_hull);
    let size = max(of_other.x, of_hull.x);
    if (of_other.y & of_hull.y) == 0u || !is_in_domain(size) {
        return hit_without_time(SWEEP_OPEN);
    }
    let corners = vec2f(hull_parts[1].largest_sum, hull_parts[0].largest_sum);
    let both = both_scaled(hull.frame, hull.course, other.frame, other.course, size, corners);
    if !both.in_domain {
        return hit_without_time(SWEEP_OPEN);
    }
    hull_scale = bitcast<f32>((254u - size) << 23u);
    keep_axes(hull.frame, both.first, 0u);
    keep_axes(other.frame, both.second, 3u);
    var time = before.time;
    var normal = outward(before.normal, b_is_hull);
    for (var moment = params.zero; moment < SWEEP_MOMENTS; moment++) {
        let hull_shift = turn_body(both.first, 0u, time.high);
        let other_shift = turn_body(both.second, 3u, time.high);
        let t = between_at(both, time, det_sub3(other_shift, hull_shift));
        let error = error_at(both, t);
        set_moment(t, error);
        let height = best_height_of_hull();
        if any(best_towards != vec3f()) {
            normal = det_scale3(best_towards, det_rsqrt(det_dot3(best_towards, best_towards)));
        }
        var look = sweep_step(both, time, normal, height, error);
        if look.state != SWEEP_PENDING {
            look.normal = outward(look.normal, b_is_hull);
            return look;
        }
        time = look.time;
    }
    normal = outward(normal, b_is_hull);
    let rounds = before.rounds + SWEEP_MOMENTS;
    if rounds < SWEEP_ROUNDS {
        return SweepHit(normal, time, SWEEP_HULL_PENDING, rounds);
    }
    return SweepHit(normal, time, SWEEP_MAY_MEET, 0u);
}
