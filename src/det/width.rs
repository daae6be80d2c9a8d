//! How many numbers this processor computes side by side.

use wide::f32x8;

use super::number::Number;
#[cfg(target_arch = "x86_64")]
use super::x86::{Eight, Sixteen};

/// What is computed with several numbers side by side.
///
/// `run` is inlined into a function that is compiled for the instructions of those numbers, and so must be what it calls
/// (`#[inline(always)]`; a closure that is called in several places is not).
pub(crate) trait Task {
    fn run<T: Number>(self);
}

/// Which instructions are used. There is a value only for those that this processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Width(Instructions);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instructions {
    /// One number after the other.
    Single,
    /// Those that every processor of this kind has.
    Common,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Width {
    pub(crate) const ONE: Self = Self(Instructions::Single);

    pub(crate) fn widest() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
                return Self(Instructions::Avx512);
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                return Self(Instructions::Avx2);
            }
        }
        Self(Instructions::Common)
    }

    /// All that this processor has.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Self> {
        let widest = Self::widest();
        let mut all = vec![Self(Instructions::Common)];
        #[cfg(target_arch = "x86_64")]
        if widest.0 == Instructions::Avx512 && is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            all.push(Self(Instructions::Avx2));
        }
        if !all.contains(&widest) {
            all.push(widest);
        }
        all
    }

    /// How many numbers that is.
    pub(crate) fn lanes(self) -> usize {
        match self.0 {
            Instructions::Single => 1,
            Instructions::Common => f32x8::LANES,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => Eight::LANES,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => Sixteen::LANES,
        }
    }

    /// The most that any processor has.
    pub(crate) const MOST_LANES: usize = 16;

    pub(crate) fn run(self, task: impl Task) {
        match self.0 {
            Instructions::Single => task.run::<f32>(),
            Instructions::Common => task.run::<f32x8>(),
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

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn with_avx2(task: impl Task) {
    task.run::<Eight>();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
fn with_avx512(task: impl Task) {
    task.run::<Sixteen>();
}
