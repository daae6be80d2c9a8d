//! Hashes that are the same on every machine, and numbers that look random and are too.

/// The value with which FNV-1a starts.
pub(crate) const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// One more byte of FNV-1a, 64 bit.
pub(crate) fn fnv1a_step(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
}

/// `SplitMix64`: a step of the golden gamma, then the finaliser.
pub(crate) fn mix(z: u64) -> u64 {
    let z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
