//! Answers on record, which every backend must give.

use tangency::scenes::Scene;

/// Hits, hash and fingerprint of each scene with 20,000 bodies, found by brute force.
pub const GOLDEN: [(Scene, usize, u64, u64); 11] = [
    (Scene::Uniform, 26_266, 0x4df4_bc4d_8bc3_3094, 0x1b13_ba4c_472c_b5d0),
    (Scene::Clustered, 21_824, 0x38cc_43f3_f29e_1b11, 0x8b2c_1017_9734_2c4b),
    (Scene::Stacks, 240_531, 0x833e_d604_a1c0_ea1b, 0xb916_8b06_7a1d_ebfe),
    (Scene::City, 28_520, 0xff66_487d_81b9_f5b1, 0x0b40_c14c_0e51_e628),
    (Scene::Mixed, 9471, 0x0cea_ae9a_57b2_22d2, 0x05e9_00ea_43a5_3c64),
    (Scene::Escaped, 26_262, 0x8a10_7223_86c5_5622, 0x4135_6d28_0caa_2602),
    (Scene::Worlds, 20_704, 0xea13_ee4c_594e_bda6, 0xc3a3_5b48_0aaf_dd4c),
    (Scene::Granular, 35_066, 0x093c_2510_b39b_cfb9, 0x893a_e803_ef94_1163),
    (Scene::Capsules, 7232, 0x6aba_c7ef_7d2d_e003, 0x3bc6_b76e_57c5_0c23),
    (Scene::Room, 28_556, 0x850e_4d85_c7f1_fef5, 0x0c28_6c21_50a5_463f),
    (Scene::Hulls, 26_017, 0x5fd4_5249_4a35_a3a0, 0xe776_768b_4ace_148a),
];

/// Of the standard scene: bodies, candidates of plain `f32` bounds, hits, hash and fingerprint of the hits.
pub const STANDARD: [(usize, u64, usize, u64, u64); 3] = [
    (10_000, 32_582, 12_960, 0xf4de_160d_6392_2e2a, 0x1605_3738_64cc_8d50),
    (100_000, 339_320, 133_941, 0xef42_303e_fc85_b81d, 0x4443_234d_21f0_4ced),
    (1_000_000, 3_458_979, 1_360_322, 0xd071_441a_6f90_c0c6, 0x6c02_bfbf_a347_e392),
];
