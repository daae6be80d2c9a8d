//! Answers on record, which every backend must give.

use tangency::scenes::Scene;

/// Hits and hash of each scene with 20,000 bodies, found by brute force.
pub const GOLDEN: [(Scene, usize, u64); 8] = [
    (Scene::Uniform, 26_266, 0x4df4_bc4d_8bc3_3094),
    (Scene::Clustered, 21_824, 0x38cc_43f3_f29e_1b11),
    (Scene::Stacks, 240_531, 0x833e_d604_a1c0_ea1b),
    (Scene::City, 28_520, 0xff66_487d_81b9_f5b1),
    (Scene::Mixed, 9471, 0x0cea_ae9a_57b2_22d2),
    (Scene::Escaped, 26_262, 0x8a10_7223_86c5_5622),
    (Scene::Worlds, 20_704, 0xea13_ee4c_594e_bda6),
    (Scene::Granular, 35_066, 0x093c_2510_b39b_cfb9),
];

/// Of the standard scene: bodies, candidates of plain `f32` bounds, hits, hash of the hits.
pub const STANDARD: [(usize, u64, usize, u64); 3] = [
    (10_000, 32_582, 12_960, 0xf4de_160d_6392_2e2a),
    (100_000, 339_320, 133_941, 0xef42_303e_fc85_b81d),
    (1_000_000, 3_458_979, 1_360_322, 0xd071_441a_6f90_c0c6),
];
