// Exact comparisons of sums of a few f32 in 32-bit integers, which suffice where the exponents are not too different.
// import: lib/filters

// The sign cannot be decided: the exponents are too different.
const UNKNOWN = 2;

// Whether no number is subnormal: some devices flush subnormals to zero.
fn ordinary(bits: vec4u) -> bool {
    let magnitude = bits & vec4u(MAGNITUDE);
    return all((magnitude == vec4u(0u)) | (magnitude >= vec4u(0x00800000u)));
}

// The sign of the gap between two intervals, or UNKNOWN. The four f32 are the middle and the half length of both; with `ends`,
// the first two are the ends of the first interval.
fn gap_sign(bits: vec4u, ends: bool) -> i32 {
    let magnitude = bits & vec4u(MAGNITUDE);
    // Each number is mantissa * 2^exponent, up to a constant factor.
    let exponent = max(magnitude >> vec4u(23u), vec4u(1u));
    let mantissa = (magnitude & vec4u(0x007fffffu)) | select(vec4u(0u), vec4u(0x00800000u), magnitude >= vec4u(0x00800000u));
    let zero = mantissa == vec4u(0u);
    let lowest = select(exponent + firstTrailingBit(mantissa), vec4u(1000u), zero);
    let highest = select(exponent + vec4u(23u), vec4u(0u), zero);
    let low = min(min(lowest.x, lowest.y), min(lowest.z, lowest.w));
    let high = max(max(highest.x, highest.y), max(highest.z, highest.w));
    if high >= low + 29u {
        return UNKNOWN;
    }
    // Integers in units of 2^low: exact, since no number has lower bits, and below 2^29. (If all are zero, the shifts do
    // nothing.)
    let up = select(vec4u(0u), exponent - vec4u(low), exponent >= vec4u(low));
    let down = select(vec4u(0u), vec4u(low) - exponent, exponent < vec4u(low));
    let size = vec4i((mantissa << min(up, vec4u(31u))) >> min(down, vec4u(31u)));
    let n = select(size, -size, bits > vec4u(MAGNITUDE));
    let a = select(vec2i(n.x - n.y, n.x + n.y), n.xy, ends);
    let b = vec2i(n.z - n.w, n.z + n.w);
    return sign(max(b.x - a.y, a.x - b.y));
}

// Whether each coordinate axis is mapped exactly to itself or to its opposite by this quaternion, so that it is an axis of the
// box.
fn kept_axes(q: vec4u) -> vec3<bool> {
    let zero = (q & vec4u(MAGNITUDE)) == vec4u(0u);
    return vec3<bool>(
        (zero.y && zero.z) || (zero.x && zero.w),
        (zero.x && zero.z) || (zero.y && zero.w),
        (zero.x && zero.y) || (zero.z && zero.w),
    );
}
