//! What the deterministic functions promise on the CPU: their errors, exactness, and that nothing leaves the grid.

mod lanes;

use glam::{DVec3, Vec3};
use num_rational::BigRational;

use super::cases::arguments;
use super::list::{FUNCTIONS, Function, Kind};
use super::{
    Double, SMALLEST_PRODUCT, SMALLEST_ROOT, add_double, div, length3, less_double, mul, mul_double, normalize3, recip,
    rsqrt, split, sqrt, sub_double, turn, two_prod, two_sum,
};

/// The roundoff of `f32`.
const U: f64 = 1.0 / (1 << 24) as f64;
fn cases() -> u64 {
    if crate::is_long_test() { 60_000 } else { 20_000 }
}

fn function(name: &str) -> &'static Function {
    FUNCTIONS.iter().find(|function| function.name == name).expect("it is in the list")
}

fn exact(x: f32) -> BigRational {
    BigRational::from_float(x).expect("finite")
}

fn exact_double(x: Double) -> BigRational {
    exact(x.high) + exact(x.low)
}

/// 2^exponent.
fn power(exponent: i32) -> f32 {
    f32::from_bits(((exponent + 127) as u32) << 23)
}

fn doubles(words: &[u32; 6]) -> [Double; 2] {
    [0, 2].map(|k| Double { high: f32::from_bits(words[k]), low: f32::from_bits(words[k + 1]) })
}

/// Finite, no -0, and a multiple of 2^-123, as the functions themselves assert too.
fn on_grid(bits: u32) -> bool {
    let x = f64::from(f32::from_bits(bits));
    x.is_finite() && bits != 1 << 31 && (x * 2_f64.powi(123)).fract() == 0.0
}

#[test]
fn nothing_leaves_the_grid() {
    for function in FUNCTIONS {
        for case in 0..cases() {
            let words = arguments(function, case);
            let result = (function.evaluate)(&words);
            assert!(words[function.argument_words()..].iter().all(|word| *word == 0));
            if function.name != "clean" {
                assert!(words.into_iter().all(on_grid), "{} case {case}: {words:x?}", function.name);
            }
            if function.result != Kind::Bool {
                assert!(result.into_iter().all(on_grid), "{} of {words:x?} is {result:x?}", function.name);
            }
        }
    }
}

/// The cases contain what they are for.
#[test]
fn cases_are_adversarial() {
    let count = |name: &str, what: &dyn Fn(f32, f32) -> bool| {
        let numbers = |case| arguments(function(name), case).map(f32::from_bits);
        (0..cases())
            .filter(|case| {
                let [a, b, ..] = numbers(*case);
                what(a, b)
            })
            .count()
    };
    let cleaned = |a: f32, b: f32| a * b != 0.0 && (a * b).abs() < SMALLEST_PRODUCT;
    let kept = |a: f32, b: f32| (a * b).abs() >= SMALLEST_PRODUCT && (a * b).abs() < 8.0 * SMALLEST_PRODUCT;
    let half = |a: f32, b: f32| {
        let Double { high, low } = two_sum(a, b);
        low != 0.0 && f64::from(low).abs() * 2.0 == f64::from(high.next_up()) - f64::from(high)
    };
    let seen = [
        ("products that become 0", count("mul", &cleaned)),
        ("products that hardly do not", count("mul", &kept)),
        ("products of 0", count("mul", &|a, b| a == 0.0 || b == 0.0)),
        ("opposite numbers", count("add", &|a, b| a == -b && a != 0.0)),
        ("equal numbers", count("sub", &|a, b| a == b && a != 0.0)),
        ("cancellation", count("add", &|a, b| a != -b && (a + b).abs() < a.abs() / 1e6)),
        ("sums below 2^-100", count("add", &|a, b| a + b != 0.0 && (a + b).abs() < SMALLEST_PRODUCT)),
        ("ties", count("add", &half)),
        ("sums above 2^120", count("add", &|a, b| (a + b).abs() > power(120))),
        ("subnormal inputs", count("clean", &|a, _| a.is_subnormal())),
        ("negative zeros or numbers", count("clean", &|a, _| a.is_sign_negative())),
        ("roots of too small numbers", count("rsqrt", &|a, _| a > 0.0 && a < SMALLEST_ROOT)),
        ("roots of the smallest numbers", count("rsqrt", &|a, _| (SMALLEST_ROOT..2.0 * SMALLEST_ROOT).contains(&a))),
        ("reciprocals of 0", count("recip", &|a, _| a == 0.0)),
    ];
    for (what, seen) in seen {
        println!("{what}: {seen}");
        assert!(seen > 50, "too few cases have {what}: {seen}");
    }
}

/// A worst relative error in units of the roundoff, and where.
fn worst(inputs: impl Iterator<Item = f32>, error: impl Fn(f32) -> f64) -> (f64, f32) {
    inputs.map(|x| (error(x).abs() / U, x)).fold((0.0, 0.0), |a, b| if b.0 > a.0 { b } else { a })
}

/// The numbers from 1 to a power of two.
fn mantissas(end: f32) -> impl Iterator<Item = f32> {
    (1_f32.to_bits()..end.to_bits()).map(f32::from_bits)
}

/// All mantissas, so that the bounds are proven for the whole domain with [`powers_of_two_commute`].
#[test]
fn reciprocals_and_roots_are_as_good_as_stated() {
    // All, or unless there is time every fifth.
    let step = if crate::is_long_test() { 1 } else { 5 };
    let (error, at) = worst(mantissas(2.0).step_by(step), |x| f64::from(recip(x)) * f64::from(x) - 1.0);
    println!("recip: {error:.4} u at {at:?}");
    assert!(error > 1.0 && error <= 1.67, "recip({at:?}) is {error} u off");
    let (error, at) = worst(mantissas(4.0).step_by(step), |x| f64::from(rsqrt(x)) * f64::from(x).sqrt() - 1.0);
    println!("rsqrt: {error:.4} u at {at:?}");
    assert!(error > 1.0 && error <= 2.0, "rsqrt({at:?}) is {error} u off");
    let (error, at) = worst(mantissas(4.0).step_by(step), |x| f64::from(sqrt(x)) / f64::from(x).sqrt() - 1.0);
    println!("sqrt: {error:.4} u at {at:?}");
    assert!(error > 1.0 && error <= 2.55, "sqrt({at:?}) is {error} u off");
}

#[test]
fn powers_of_two_commute() {
    for (k, x) in mantissas(4.0).step_by(997).enumerate() {
        if x < 2.0 {
            let exponent = (k as i32 * 7) % 222 - 123;
            // Below 2^-100 only multiples of 2^-123 are numbers of the domain.
            let exponent = exponent.max(-100);
            let (size, inverse) = (power(exponent), power(-exponent));
            assert_eq!(recip(x * size).to_bits(), mul(recip(x), inverse).to_bits(), "{x} 2^{exponent}");
            assert_eq!(recip(-x * size), -recip(x * size));
        }
        let exponent = (k as i32 * 7) % 90 - 45;
        let size = power(2 * exponent);
        if (SMALLEST_ROOT..power(90)).contains(&(x * size)) {
            assert_eq!(rsqrt(x * size).to_bits(), mul(rsqrt(x), power(-exponent)).to_bits(), "{x} 4^{exponent}");
        }
    }
    for exponent in -123..=98 {
        let error = f64::from(recip(power(exponent))) * f64::from(power(exponent)) - 1.0;
        assert!(error.abs() <= 1.67 * U, "1/2^{exponent}");
    }
}

#[test]
fn quotients_and_lengths_are_as_good_as_stated() {
    let (mut quotient, mut length, mut unit) = (0_f64, 0_f64, 0_f64);
    for case in 0..8 * cases() {
        let [a, b, ..] = arguments(function("div"), case).map(f32::from_bits);
        let expected = f64::from(a) / f64::from(b);
        if b != 0.0 && expected.abs() >= f64::from(SMALLEST_PRODUCT) * 2.0 {
            quotient = quotient.max((f64::from(div(a, b)) / expected - 1.0).abs() / U);
        }
        let [x, y, z, ..] = arguments(function("normalize3"), case).map(f32::from_bits);
        let v = Vec3::new(x, y, z);
        let wide = DVec3::new(x.into(), y.into(), z.into());
        if wide.length() >= f64::from(power(-36)) {
            length = length.max((f64::from(length3(v)) / wide.length() - 1.0).abs() / U);
            let difference = normalize3(v).as_dvec3() - wide / wide.length();
            unit = unit.max(difference.abs().max_element() / U);
        }
    }
    println!("div: {quotient:.3} u, length3: {length:.3} u, normalize3: {unit:.3} u");
    assert!(quotient > 2.0 && quotient <= 2.68 && length > 2.0 && length <= 4.2 && unit > 2.0 && unit <= 4.6);
    assert_eq!([recip(0.0), rsqrt(0.0), sqrt(0.0), div(1.0, 0.0)].map(f32::to_bits), [0; 4]);
    assert_eq!([rsqrt(-1.0), rsqrt(SMALLEST_ROOT.next_down())].map(f32::to_bits), [0; 2]);
    assert!((rsqrt(SMALLEST_ROOT) / power(45) - 1.0).abs() < 1e-6);
    assert_eq!(normalize3(Vec3::ZERO), Vec3::ZERO);
}

#[test]
fn sums_of_two_are_exact() {
    for case in 0..cases() {
        let [a, b, ..] = arguments(function("two_sum"), case).map(f32::from_bits);
        let sum = two_sum(a, b);
        assert_eq!(exact_double(sum), exact(a) + exact(b), "{a:e} + {b:e}");
        let (large, small) = if a.abs() < b.abs() { (b, a) } else { (a, b) };
        assert_eq!(super::quick_two_sum(large, small), sum);
        let [x, ..] = arguments(function("split"), case).map(f32::from_bits);
        let Double { high, low } = split(x);
        assert_eq!(exact(high) + exact(low), exact(x));
        assert!([high, low].iter().all(|half| half.to_bits().trailing_zeros() >= 12), "{x:e} is {high:e} and {low:e}");
    }
}

#[test]
fn products_of_two_are_exact() {
    let (mut checked, mut near) = (0, 0);
    for case in 0..4 * cases() {
        let [a, b, ..] = arguments(function("two_prod"), case).map(f32::from_bits);
        let (product, size) = (exact_double(two_prod(a, b)), f64::from(a) * f64::from(b));
        let error = product - exact(a) * exact(b);
        if size == 0.0 || size.abs() >= f64::from(power(-52)) {
            assert_eq!(error, exact(0.0), "{a:e} · {b:e}");
            checked += 1;
            near += usize::from(size.abs() < f64::from(power(-45)));
        } else {
            let bound = exact(5.0 * SMALLEST_PRODUCT);
            assert!(error <= bound && -error <= exact(5.0 * SMALLEST_PRODUCT), "{a:e} · {b:e}");
        }
    }
    println!("exact products: {checked}, {near} of them below 2^-45");
    assert!(checked > 50_000 && near > 20);
    // The bound is tight: lower halves of one bit give the least product, here 2^-100, and with one power of two less it is lost.
    let a = 1_f32.next_up();
    for (exponent, is_exact) in [(0, true), (-54, true), (-55, false), (-60, false)] {
        let b = a * power(exponent);
        assert_eq!(exact_double(two_prod(a, b)) == exact(a) * exact(b), is_exact, "2^{exponent}");
    }
}

#[test]
fn double_words_are_as_good_as_stated() {
    let square = BigRational::from_float(U * U).expect("finite");
    // Errors in hundredths of u², relative to the exact value.
    let hundredths = |found: Double, expected: &BigRational| {
        let error = (exact_double(found) - expected) / (&square * expected);
        (error * exact(100.0)).to_integer().try_into().map_or(i64::MAX, i64::abs)
    };
    let normalised = |x: Double| x.high + x.low == x.high;
    let (mut sums, mut products, mut compared) = (0, 0, [0; 2]);
    for case in 0..cases() {
        let [x, y] = doubles(&arguments(function("add_double"), case));
        if normalised(x) && normalised(y) {
            for (found, expected) in [
                (add_double(x, y), exact_double(x) + exact_double(y)),
                (sub_double(x, y), exact_double(x) - exact_double(y)),
            ] {
                assert!(normalised(found), "{found:?}");
                if expected == exact(0.0) {
                    assert_eq!(exact_double(found), expected);
                } else {
                    sums = sums.max(hundredths(found, &expected));
                }
            }
            let less = exact_double(x) < exact_double(y);
            assert_eq!(less_double(x, y), less, "{x:?} {y:?}");
            compared[usize::from(x.high == y.high)] += 1;
        }
        let [x, y] = doubles(&arguments(function("mul_double"), case));
        let expected = exact_double(x) * exact_double(y);
        if normalised(x) && normalised(y) && (f64::from(x.high) * f64::from(y.high)).abs() >= f64::from(power(-50)) {
            let found = mul_double(x, y);
            assert!(normalised(found), "{found:?}");
            products = products.max(hundredths(found, &expected));
        }
    }
    println!("add_double: {sums} hundredths of u², mul_double: {products}; compared {compared:?}");
    assert!((50..=301).contains(&sums) && (50..=750).contains(&products));
    assert!(compared[0] > 10_000 && compared[1] > 500, "high words differ and are equal: {compared:?}");
}

/// Sines, cosines and versines of all angles up to 2¹⁰, against `f64`.
#[test]
fn turns_are_as_good_as_stated() {
    let (mut worst, mut relative) = (0.0_f64, 0.0_f64);
    for case in 0..20 * cases() {
        let share = (crate::hash::mix(case) >> 11) as f64 / (1_u64 << 53) as f64;
        // As many below each power of two.
        let angle = mul((share + 1.0) as f32, power(9 - (case % 40) as i32));
        let (found, exact) = (turn(angle), f64::from(angle));
        let versine = 2.0 * (exact / 2.0).sin().powi(2);
        for (found, exact) in found.to_array().into_iter().zip([exact.cos(), exact.sin(), versine]) {
            worst = worst.max((f64::from(found) - exact).abs() / U);
        }
        if exact < std::f64::consts::FRAC_PI_4 && exact > 1e-6 {
            for (found, exact) in [(found.y, exact.sin()), (found.z, versine)] {
                relative = relative.max((f64::from(found) / exact - 1.0).abs() / U);
            }
        }
        assert_eq!(turn(-angle).to_array(), [found.x, -found.y, found.z], "{angle}");
    }
    println!("turn: {worst:.3} u, relative {relative:.3} u");
    assert!(worst > 1.0 && worst <= 3.0 && relative <= 4.0, "{worst} u, {relative} u");
    assert_eq!(turn(0.0).to_array().map(f32::to_bits), [1.0_f32.to_bits(), 0, 0]);
}
