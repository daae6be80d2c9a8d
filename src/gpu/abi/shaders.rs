//! The WGSL files that modules share, and the generation of kernel sources from these and the modules' own.
//!
//! A name such as `lib/lanes` is a file below `shaders/`. A variant `lib/lanes_subgroups` replaces it on devices with subgroups
//! of 32 threads, and a variant `_doubles` in modules that compute in `f64`; `lib/det_plain` replaces `lib/det` in modules that only prove. Parts
//! whose names begin with `abi/` are generated.

use std::borrow::Cow;

use super::imports::resolve;
use super::{Abilities, filters};
use crate::gpu::stages;

macro_rules! files {
    ($($name:literal)*) => {
        /// All files that modules import, by their names.
        const FILES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../../shaders/", $name, ".wgsl")))),*];
    };
}

files! {
    "lib/aside"
    "lib/bins"
    "lib/bounds"
    "lib/box_axes"
    "lib/box_edges"
    "lib/box_faces"
    "lib/buckets"
    "lib/candidate_queue"
    "lib/capsules"
    "lib/curve"
    "lib/descent"
    "lib/det"
    "lib/det_box_entry"
    "lib/det_cast"
    "lib/det_cast_capsule"
    "lib/det_cast_half_space"
    "lib/det_domain"
    "lib/det_heights"
    "lib/det_plain"
    "lib/det_roots"
    "lib/det_rotation"
    "lib/digit_counts"
    "lib/enqueue"
    "lib/enqueue_subgroups"
    "lib/entry_guess"
    "lib/entry_guess_doubles"
    "lib/exact"
    "lib/exponents"
    "lib/filters"
    "lib/half_space_contacts"
    "lib/half_spaces"
    "lib/hull_away"
    "lib/hull_faces"
    "lib/hull_over"
    "lib/hull_record"
    "lib/hull_slots"
    "lib/hull_sweep"
    "lib/hulls"
    "lib/lane_bounds"
    "lib/lane_bounds_subgroups"
    "lib/lanes"
    "lib/lanes_subgroups"
    "lib/ledger"
    "lib/manifold"
    "lib/margins"
    "lib/middle"
    "lib/moving_bodies"
    "lib/near"
    "lib/opaque"
    "lib/opaque_doubles"
    "lib/open_parts"
    "lib/ordered"
    "lib/over_pairs"
    "lib/own_stack"
    "lib/polytope"
    "lib/precise"
    "lib/precise_hulls"
    "lib/rank_digits"
    "lib/rank_digits_subgroups"
    "lib/ray_bodies"
    "lib/ray_hits"
    "lib/ray_spans"
    "lib/real"
    "lib/real_doubles"
    "lib/reduce"
    "lib/reduce_subgroups"
    "lib/scan"
    "lib/scan_subgroups"
    "lib/simplex"
    "lib/slots"
    "lib/solid"
    "lib/sweep"
    "lib/sweep_records"
    "lib/sweep_straight"
    "lib/tags"
    "lib/verdicts"
}

/// The text of a file, as it is. Tests can be given other files, so that a broken shader does not have to be compiled in.
pub(crate) fn part(name: &str) -> Option<Cow<'static, str>> {
    let of_modules = stages::ALL.iter().map(|stage| (stage.module.shader, stage.module.text));
    let (_, text) = FILES.iter().copied().chain(of_modules).find(|(known, _)| *known == name)?;
    #[cfg(test)]
    if let Ok(folder) = std::env::var("TANGENCY_TEST_SHADERS") {
        return std::fs::read_to_string(format!("{folder}/{name}.wgsl")).ok().map(Cow::Owned);
    }
    Some(Cow::Borrowed(text))
}

/// The text of a part for a device with these abilities, and a module with plain arithmetic or not.
fn find(name: &str, abilities: Abilities, plain: bool) -> Option<Cow<'static, str>> {
    match name {
        "abi/filters" => return Some(filters::filters().into()),
        "abi/bounds" => return Some(filters::bounds().into()),
        "abi/hulls" => return Some(filters::hulls().into()),
        "abi/hull_rays" => return Some(filters::hull_rays().into()),
        "abi/rays" => return Some(filters::rays().into()),
        _ => {}
    }
    let Abilities { subgroups, doubles, .. } = abilities;
    let variants = [("_subgroups", subgroups), ("_doubles", doubles), ("_plain", plain), ("", true)];
    variants
        .iter()
        .filter(|(_, able)| *able)
        .find_map(|(ending, _)| part(&format!("{name}{ending}")))
        .map(|text| expand(&text).into())
}

/// The text of a shader and of everything that it imports.
pub(super) fn text(shader: &str, abilities: Abilities, plain: bool) -> String {
    match resolve(shader, &|name| find(name, abilities, plain)) {
        Ok(texts) => texts.join("\n"),
        // The files are compiled into the program, and a test resolves all of them.
        Err(error) => panic!("{error}"),
    }
}

/// The lines from a heading to `END` are repeated for each pair of kinds.
const EACH_NARROW: &str = "// for each narrow kernel:\n";
const EACH_SETTLE: &str = "// for each settle kernel:\n";
const END: &str = "// end for each\n";

/// Expands the kernels of each pair of kinds from their common template.
///
/// `$pair` becomes the name of the pair, `$PAIR` the same in capitals. In the narrow phase, `$note` becomes the function that
/// records a verdict, and lines with `$if_open` are kept only for pairs that have a settle kernel.
fn expand(text: &str) -> String {
    let mut rest = text;
    let mut expanded = String::new();
    while let Some((at, head)) =
        [EACH_NARROW, EACH_SETTLE].into_iter().filter_map(|head| Some((rest.find(head)?, head))).min()
    {
        let (before, block) = (&rest[..at], &rest[at + head.len()..]);
        let (block, after) = block.split_once(END).expect("a block has an end");
        expanded += before;
        for kernels in stages::PAIRS.iter().chain([&stages::ACCEPT]).chain(&stages::NEAR) {
            let stages::PairKernels { pair, narrow, settle, leaves_open } = *kernels;
            if narrow.is_none() || head == EACH_SETTLE && settle.is_none() {
                continue;
            }
            let note = if leaves_open { "note_or_leave_open" } else { "note" };
            for line in block.lines().filter(|line| leaves_open || !line.contains("$if_open")) {
                let line = line.replace("$pair", pair).replace("$PAIR", &pair.to_uppercase());
                expanded += line.replace("$note", note).replace(" // $if_open", "").as_str();
                expanded.push('\n');
            }
        }
        rest = after;
    }
    expanded + rest
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Every file below `shaders/` is in the table or of a module, except for the self-tests of devices in `shaders/checks/`.
    #[test]
    fn every_file_is_known() {
        let root = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| ".".to_owned());
        let mut found = Vec::new();
        for folder in ["lib", "phases", "queries"] {
            for entry in std::fs::read_dir(format!("{root}/shaders/{folder}")).expect("the folder") {
                let file = entry.expect("a file").file_name().into_string().expect("a name");
                found.push(format!("{folder}/{}", file.trim_end_matches(".wgsl")));
            }
        }
        let known = FILES.iter().map(|(name, _)| *name).chain(stages::ALL.iter().map(|stage| stage.module.shader));
        assert!(FILES.is_sorted());
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), known.map(str::to_owned).collect());
    }

    #[test]
    fn kernels_of_all_pairs_are_written_from_one_frame() {
        let text =
            "a\n// for each narrow kernel:\nfn $pair_pairs SIGN_$PAIR $note\nleave; // $if_open\n// end for each\nb\n";
        let expanded = expand(text);
        assert!(expanded.starts_with("a\nfn sphere_sphere_pairs SIGN_SPHERE_SPHERE note_or_leave_open\nleave;\n"));
        assert!(expanded.contains("fn aabb_aabb_pairs SIGN_AABB_AABB note\nfn"), "{expanded}");
        assert!(expanded.contains("fn obb_obb_pairs SIGN_OBB_OBB note_or_leave_open\nleave;\n"), "{expanded}");
        assert!(expanded.contains("fn accept_pairs SIGN_ACCEPT note\nfn"), "{expanded}");
    }
}
