//! How many numbers this processor computes side by side.

#[cfg(target_arch = "x86_64")]
use super::avx2::Eight;
#[cfg(target_arch = "x86_64")]
use super::avx512::Sixteen;
#[cfg(target_arch = "aarch64")]
use super::neon::Four;
use super::number::Number;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
use super::portable::Four;
#[cfg(target_arch = "x86_64")]
use super::sse2::Four;

/// What is computed with several numbers side by side.
///
/// `run` is inlined into a function that is compiled for the instructions of those numbers, and so must be what it calls
/// (`#[inline(always)]`; a closure that is called in several places is not).
pub(crate) trait Task {
    type Output;
    fn run<T: Number>(self) -> Self::Output;
}

/// Which instructions are used. There is a value only for those that this processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Width(Instructions);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instructions {
    /// One number after the other.
    Single,
    /// Four in arrays, beside those that this kind of processor has: `./test.sh --long` compiles every task for them too.
    #[cfg(all(test, portable_lanes))]
    Portable,
    /// Those that every processor of this kind has: SSE2, NEON, or none.
    Common,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    has_avx2() && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq")
}

impl Width {
    pub(crate) const ONE: Self = Self(Instructions::Single);

    pub(crate) fn widest() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if has_avx512() {
                return Self(Instructions::Avx512);
            }
            if has_avx2() {
                return Self(Instructions::Avx2);
            }
        }
        Self(Instructions::Common)
    }

    /// All that this processor has, but for [`ONE`](Self::ONE).
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Self> {
        let mut all = vec![Self(Instructions::Common)];
        #[cfg(portable_lanes)]
        all.push(Self(Instructions::Portable));
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(has_avx2().then_some(Self(Instructions::Avx2)));
            all.extend(has_avx512().then_some(Self(Instructions::Avx512)));
        }
        all
    }

    /// How many numbers that is.
    pub(crate) fn lanes(self) -> usize {
        match self.0 {
            Instructions::Single => 1,
            #[cfg(all(test, portable_lanes))]
            Instructions::Portable => super::portable::Four::LANES,
            Instructions::Common => Four::LANES,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => Eight::LANES,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => Sixteen::LANES,
        }
    }

    /// The most that any processor has.
    pub(crate) const MOST_LANES: usize = 16;

    pub(crate) fn run<W: Task>(self, task: W) -> W::Output {
        match self.0 {
            Instructions::Single => with_single(task),
            #[cfg(all(test, portable_lanes))]
            Instructions::Portable => with_portable(task),
            Instructions::Common => with_common(task),
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            // SAFETY: the processor has these instructions, or there would be no such value.
            Instructions::Avx2 => unsafe { with_avx2(task) },
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            // SAFETY: as above.
            Instructions::Avx512 => unsafe { with_avx512(task) },
        }
    }
}

// (Functions of their own, as those below are anyway: the compiler takes much longer for one in which a task is inlined several times.)
#[inline(never)]
fn with_single<W: Task>(task: W) -> W::Output {
    task.run::<f32>()
}

#[cfg(all(test, portable_lanes))]
#[inline(never)]
fn with_portable<W: Task>(task: W) -> W::Output {
    task.run::<super::portable::Four>()
}

#[inline(never)]
fn with_common<W: Task>(task: W) -> W::Output {
    task.run::<Four>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,popcnt")]
fn with_avx2<W: Task>(task: W) -> W::Output {
    task.run::<Eight>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx2,fma,bmi1,popcnt")]
fn with_avx512<W: Task>(task: W) -> W::Output {
    task.run::<Sixteen>()
}
