//! Numbers side by side in the vectors of a processor, whose instructions are chosen when the program runs.
//!
//! What is computed is a [`Task`], generic over a [`Number`]: one `f32` or several, an operation of which is one instruction. A
//! [`Width`] is a set of instructions that this processor has, and [`Width::run`] compiles the task for them: SSE2, AVX2 with FMA or
//! AVX-512 on x86, NEON on ARM, arrays elsewhere.
//!
//! Sums, differences, products, quotients and roots are rounded to nearest, so that all widths have the same bits; only
//! [`Number::times_plus`] rounds once on some and twice on others.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(test)]
mod either;
#[cfg(target_arch = "aarch64")]
mod neon;
mod number;
#[cfg(any(test, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod portable;
#[cfg(target_arch = "x86_64")]
mod sse2;
mod width;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use either::on_either_neighbour;
pub(crate) use number::{Number, Truth};

/// Asks the processor to have something in its nearest cache soon.
#[inline(always)]
pub(crate) fn prefetch<V>(value: &V) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..size_of::<V>().div_ceil(64) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let first = std::ptr::from_ref(value).cast::<i8>();
        // SAFETY: every x86 processor of 64 bits has this instruction, which reads nothing: any address will do.
        #[allow(unsafe_code)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(first.wrapping_add(64 * line));
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

pub(crate) use width::{Task, Width};
