//! The kernel that runs every deterministic function, generated from their list.

use crate::det::list::{ARGUMENT_WORDS, FUNCTIONS, Kind, RESULT_WORDS};

/// The name of the function of the list that is only for tests.
pub(super) const CHAIN: &str = "chain";

const CHAIN_SOURCE: &str = "fn det_chain(first: vec3f, second: vec3f) -> vec3f {
    var a = first;
    var b = second;
    for (var k = 0u; k < 8u; k++) {
        let normal = det_normalize3(det_cross3(a, b));
        let d = det_dot3(a, b);
        let sum = det_two_sum(d, det_recip(det_add(det_abs(d), 1.0f)));
        let product = det_two_prod(sum.high, a.x);
        b = det_add3(det_scale3(normal, sum.high), vec3f(product.low, sum.low, product.high));
        a = det_normalize3(det_sub3(b, a));
    }
    return det_add3(a, b);
}
";

/// The WGSL expression that makes a value from the words beginning with this number.
fn load(kind: Kind, first: usize) -> String {
    let word = |k: usize| format!("word(at, {}u)", first + k);
    match kind {
        Kind::Bool => format!("(inputs[at + {first}u] != 0u)"),
        Kind::Single => word(0),
        Kind::Double => format!("DetDouble({}, {})", word(0), word(1)),
        Kind::Vector => format!("vec3f({}, {}, {})", word(0), word(1), word(2)),
    }
}

/// The WGSL expressions of the words of `result`.
fn store(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Bool => &["select(0u, 1u, result)"],
        Kind::Single => &["bitcast<u32>(result)"],
        Kind::Double => &["bitcast<u32>(result.high)", "bitcast<u32>(result.low)"],
        Kind::Vector => &["bitcast<u32>(result.x)", "bitcast<u32>(result.y)", "bitcast<u32>(result.z)"],
    }
}

/// A kernel that calls each function of the list: the second index of a workgroup selects the function, the first index of a
/// thread the arguments.
pub(super) fn kernel() -> String {
    let mut source = format!(
        "{CHAIN_SOURCE}
fn word(at: u32, number: u32) -> f32 {{
    return bitcast<f32>(inputs[at + number]);
}}

@compute @workgroup_size(64)
fn det_cases(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) group: vec3u) {{
    if id.x >= params.cases {{
        return;
    }}
    let case_number = group.y * params.cases + id.x;
    let at = {ARGUMENT_WORDS}u * case_number;
    let to = {RESULT_WORDS}u * case_number;
    switch group.y {{\n"
    );
    for (number, function) in FUNCTIONS.iter().enumerate() {
        let mut first = 0;
        let mut arguments = Vec::new();
        for kind in function.arguments {
            arguments.push(load(*kind, first));
            first += kind.words();
        }
        let call = format!("det_{}({})", function.name, arguments.join(", "));
        source.extend(["        case ", &number.to_string(), "u: {\n            let result = ", &call, ";\n"]);
        for (k, word) in store(function.result).iter().enumerate() {
            source.extend(["            outputs[to + ", &k.to_string(), "u] = ", word, ";\n"]);
        }
        source += "        }\n";
    }
    source + "        default: {}\n    }\n}\n"
}
