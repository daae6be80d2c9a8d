// Roots in double words.
// import: lib/det

// 1 over the root of a number from 1 to 16.
fn rsqrt_double(x: DetDouble) -> DetDouble {
    let guess = det_rsqrt(x.high);
    let rest = det_sub_double(DetDouble(1.0f, 0.0f), det_mul_double(x, det_two_prod(guess, guess)));
    return det_quick_two_sum(guess, det_mul(det_mul(0.5f, guess), rest.high));
}
