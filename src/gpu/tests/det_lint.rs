//! A lint: a deterministic kernel contains only operations that have the same bits on every adapter.
//!
//! Two passes over each source. The first reads its text: names of built-ins, literals, and arithmetic between constants, which a
//! compiler evaluates before naga's tree exists. The second reads naga's tree, where types are known: every operation that takes
//! or gives a float is forbidden unless it is listed.

use std::collections::BTreeSet;

use naga::proc::TypeResolution;
use naga::{BinaryOperator as Op, Expression, Handle, MathFunction, ScalarKind, TypeInner, UnaryOperator};

use super::super::abi::{Abilities, part};
use super::det;
use super::det_kernel::CHAIN;
use crate::det::list::{FUNCTIONS, Function};

/// The functions that may apply an operator to floats, and the operator: their results are hidden or cleaned.
const WRAPPERS: [(&str, Op); 3] = [("det_add", Op::Add), ("det_sub", Op::Subtract), ("det_mul", Op::Multiply)];

/// The function of det.wgsl that is not arithmetic and not in the list.
const HIDE: &str = "det_hide";

/// Built-ins whose results may differ between adapters, or may be -0 or NaN. They are found by name, since built-ins of constants
/// leave no trace in naga's tree.
const FORBIDDEN: &str = "sqrt inverseSqrt fma dot cross length distance normalize mix pow exp exp2 log log2 sin cos tan asin acos atan atan2 \
    sinh cosh tanh asinh acosh atanh clamp saturate sign floor ceil round trunc fract modf frexp ldexp smoothstep step degrees radians reflect \
    refract faceForward determinant transpose outerProduct quantizeToF16 pack2x16float unpack2x16float pack2x16snorm unpack2x16snorm \
    pack2x16unorm unpack2x16unorm pack4x8snorm unpack4x8snorm pack4x8unorm unpack4x8unorm dpdx dpdy fwidth subgroupAdd subgroupMul \
    subgroupInclusiveAdd subgroupExclusiveAdd subgroupInclusiveMul subgroupExclusiveMul f16 f64 mat2x2 mat3x3 mat4x4 mat2x2f mat3x3f mat4x4f \
    mat2x3f mat2x4f mat3x2f mat3x4f mat4x2f mat4x3f";

/// The tokens of a source without comments: names, numbers, and all other characters one by one.
fn tokens(source: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for line in source.lines() {
        let line = line.split("//").next().unwrap_or_default();
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let mut end = first.len_utf8();
            if first.is_ascii_alphanumeric()
                || first == '_'
                || first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit())
            {
                let numeric = !(first.is_ascii_alphabetic() || first == '_');
                let hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
                let bytes = rest.as_bytes();
                while end < bytes.len() {
                    let c = bytes[end] as char;
                    let exponent = if hexadecimal { "pP" } else { "eE" };
                    let signed = numeric && "+-".contains(c) && exponent.contains(bytes[end - 1] as char);
                    if !(c.is_ascii_alphanumeric() || c == '_' || numeric && c == '.' || signed) {
                        break;
                    }
                    end += 1;
                }
            }
            tokens.push(rest[..end].to_owned());
            rest = rest[end..].trim_start();
        }
    }
    tokens
}

/// Whether a token is a literal of a float.
fn is_float(token: &str) -> bool {
    let number = token.starts_with(|c: char| c.is_ascii_digit()) || token.len() > 1 && token.starts_with('.');
    let hexadecimal = token.starts_with("0x") || token.starts_with("0X");
    let marks = if hexadecimal { ".pP" } else { ".eEfh" };
    number && token.contains(|c| marks.contains(c))
}

/// Whether a float literal is exactly representable in `f32`, and is 0 or at least 2⁻¹⁰⁰.
fn is_exact(token: &str) -> bool {
    let hexadecimal = token.starts_with("0x") || token.starts_with("0X");
    if token.ends_with('h') {
        return false;
    }
    let digits = if hexadecimal && !token.contains(['p', 'P']) { token } else { token.trim_end_matches('f') };
    let (radix, digits, marks) = if hexadecimal { (16, &digits[2..], ['p', 'P']) } else { (10, digits, ['e', 'E']) };
    let (mantissa, exponent) = digits.split_once(marks).unwrap_or((digits, "0"));
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let (Ok(mut value), Ok(exponent)) =
        (u128::from_str_radix(&format!("0{whole}{part}"), radix), exponent.parse::<i32>())
    else {
        return false;
    };
    // The value is mantissa · 2^power · 5^fives.
    let places = part.len() as i32;
    let (mut power, mut fives) =
        if hexadecimal { (exponent - 4 * places, 0) } else { (exponent - places, exponent - places) };
    while value != 0 && fives < 0 {
        if value % 5 != 0 {
            return false;
        }
        value /= 5;
        fives += 1;
    }
    while value != 0 && fives > 0 {
        let Some(larger) = value.checked_mul(5) else { return false };
        value = larger;
        fives -= 1;
    }
    if value == 0 {
        return true;
    }
    power += value.trailing_zeros() as i32;
    value >>= value.trailing_zeros();
    let bits = 128 - value.leading_zeros() as i32;
    bits <= 24 && (-100..=127).contains(&(power + bits - 1))
}

/// The violations in the text of a deterministic source.
fn faults_of_text(source: &str) -> Vec<String> {
    let tokens = tokens(source);
    let mut faults = Vec::new();
    if source.contains("/*") {
        faults.push("a block comment, which this lint does not read".to_owned());
    }
    // The names of constants that are floats.
    let mut floats = BTreeSet::new();
    for (k, token) in tokens.iter().enumerate() {
        if matches!(token.as_str(), "const" | "override") {
            let declaration: Vec<&str> = tokens[k + 1..].iter().map(String::as_str).take_while(|t| *t != ";").collect();
            let value =
                |t: &&str| is_float(t) || floats.contains(*t) || matches!(*t, "f32" | "vec2f" | "vec3f" | "vec4f");
            if declaration.iter().any(value) {
                floats.insert(declaration[0]);
                if token == "override" {
                    faults.push(format!("the float {} can be overridden", declaration[0]));
                }
            }
        }
    }
    let forbidden: BTreeSet<&str> = FORBIDDEN.split_whitespace().collect();
    let value = |k: usize| tokens.get(k).is_some_and(|t| is_float(t) || floats.contains(t.as_str()));
    for (k, token) in tokens.iter().enumerate() {
        let before = if k == 0 { "" } else { tokens[k - 1].as_str() };
        if is_float(token) && !is_exact(token) {
            faults.push(format!("the literal {token}"));
        }
        if forbidden.contains(token.as_str()) && before != "." && before != "fn" {
            faults.push(format!("the built-in {token}"));
        }
        let operator = matches!(token.as_str(), "+" | "-" | "*" | "/" | "%");
        if operator && (k > 0 && value(k - 1) || value(k + 1)) {
            faults.push(format!("{token} beside a float constant: {before} {token} {}", tokens[k + 1]));
        }
    }
    faults
}

/// A function of naga's tree, with the types of its expressions.
struct Typed<'a> {
    module: &'a naga::Module,
    info: &'a naga::valid::FunctionInfo,
    function: &'a naga::Function,
}

impl Typed<'_> {
    /// Whether values of a type contain floats.
    fn floats(&self, inner: &TypeInner) -> bool {
        match inner {
            TypeInner::Scalar(scalar) | TypeInner::Vector { scalar, .. } | TypeInner::Atomic(scalar) => {
                is_float_kind(scalar.kind)
            }
            TypeInner::Matrix { .. } => true,
            TypeInner::Struct { members, .. } => members.iter().any(|m| self.floats(&self.module.types[m.ty].inner)),
            TypeInner::Array { base, .. } => self.floats(&self.module.types[*base].inner),
            _ => false,
        }
    }

    fn is_float(&self, expression: Handle<Expression>) -> bool {
        let resolution: &TypeResolution = &self.info[expression].ty;
        self.floats(resolution.inner_with(&self.module.types))
    }

    fn faults(&self, faults: &mut Vec<String>) {
        let name = self.function.name.as_deref().unwrap_or("a kernel");
        let wrapper = WRAPPERS.iter().find(|(wrapper, _)| *wrapper == name);
        for (handle, expression) in self.function.expressions.iter() {
            let result = self.is_float(handle);
            let allowed = match expression {
                Expression::Binary { op, left, right } => {
                    let compares = matches!(
                        op,
                        Op::Equal | Op::NotEqual | Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual
                    );
                    let wrapped = wrapper.is_some_and(|(_, wrapped)| wrapped == op)
                        && [*left, *right]
                            .into_iter()
                            .all(|side| matches!(self.function.expressions[side], Expression::FunctionArgument(_)));
                    !(self.is_float(*left) || self.is_float(*right)) || compares || wrapped
                }
                Expression::Unary { op, expr } => !self.is_float(*expr) || *op == UnaryOperator::LogicalNot,
                Expression::Math { fun, arg, arg1, arg2, arg3 } => {
                    let exact = matches!(fun, MathFunction::Abs | MathFunction::Min | MathFunction::Max);
                    let arguments = [Some(*arg), *arg1, *arg2, *arg3];
                    exact || !result && !arguments.into_iter().flatten().any(|argument| self.is_float(argument))
                }
                // A conversion of the value; without a width it reinterprets the bits.
                Expression::As { expr, kind, convert } => {
                    let same = *kind == ScalarKind::Float && self.is_float(*expr);
                    convert.is_none() || same || !result && !self.is_float(*expr)
                }
                Expression::Literal(literal) => match literal {
                    naga::Literal::F32(x) => x.to_bits() == 0 || x.abs() >= crate::det::SMALLEST_PRODUCT,
                    naga::Literal::F64(_) | naga::Literal::F16(_) | naga::Literal::AbstractFloat(_) => false,
                    _ => true,
                },
                Expression::Constant(_)
                | Expression::ZeroValue(_)
                | Expression::Compose { .. }
                | Expression::Access { .. }
                | Expression::AccessIndex { .. }
                | Expression::Splat { .. }
                | Expression::Swizzle { .. }
                | Expression::FunctionArgument(_)
                | Expression::GlobalVariable(_)
                | Expression::LocalVariable(_)
                | Expression::Load { .. }
                | Expression::Select { .. }
                | Expression::CallResult(_)
                | Expression::WorkGroupUniformLoadResult { .. } => true,
                _ => !result,
            };
            if !allowed {
                faults.push(format!("{expression:?} in {name}"));
            }
        }
    }
}

fn is_float_kind(kind: ScalarKind) -> bool {
    matches!(kind, ScalarKind::Float | ScalarKind::AbstractFloat)
}

/// The violations in a deterministic source.
fn faults(source: &str) -> Vec<String> {
    let mut faults = faults_of_text(source);
    let module =
        naga::front::wgsl::parse_str(source).unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
    let info = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::all())
        .subgroup_stages(naga::valid::ShaderStages::COMPUTE)
        .subgroup_operations(naga::valid::SubgroupOperationSet::all())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{error:?}"));
    for (_, ty) in module.types.iter() {
        let wide = match ty.inner {
            TypeInner::Scalar(scalar) | TypeInner::Vector { scalar, .. } => {
                is_float_kind(scalar.kind) && scalar.width != 4
            }
            TypeInner::Atomic(scalar) => is_float_kind(scalar.kind),
            TypeInner::Matrix { .. } => true,
            _ => false,
        };
        if wide {
            faults.push(format!("the type {:?}", ty.inner));
        }
    }
    let functions = module.functions.iter().map(|(handle, function)| (&info[handle], function));
    let kernels = module.entry_points.iter().enumerate().map(|(k, entry)| (info.get_entry_point(k), &entry.function));
    for (info, function) in functions.chain(kernels) {
        Typed { module: &module, info, function }.faults(&mut faults);
    }
    faults
}

/// What tells a result only if it proves that it is that of deterministic arithmetic, and what stands in its place on devices without `f64`.
const PROVEN: [&str; 2] = ["lib/entry_guess_doubles", "lib/entry_guess"];

/// The sources of all deterministic kernels, with a name each.
fn deterministic() -> Vec<(&'static str, String)> {
    let [proven, plain] = PROVEN.map(|name| part(name).expect("a file"));
    let uses = |source: &str| source.contains("fn det_add(");
    let stages = super::super::stages::ALL.iter().filter(|stage| !stage.module.plain).flat_map(|stage| {
        [
            Abilities::default(),
            Abilities { subgroups: true, doubles: true, quick_doubles: true, params_in_storage_below: 9 },
        ]
        .map(|able| (stage.name, stage.module.source(able).replace(&*proven, &plain)))
    });
    std::iter::once(("det", det::source())).chain(stages.filter(|(_, source)| uses(source))).collect()
}

#[test]
fn deterministic_kernels_are_free_of_what_may_differ() {
    for (name, source) in deterministic() {
        let faults = faults(&source);
        assert!(faults.is_empty(), "{name}: {faults:#?}");
    }
}

/// The functions of the list that are not only for tests.
fn listed() -> impl Iterator<Item = &'static Function> {
    FUNCTIONS.iter().filter(|function| function.name != CHAIN)
}

/// The functions of the WGSL file are exactly those of the list.
#[test]
fn the_list_is_complete() {
    let source = part("lib/det").expect("the file");
    let tokens = tokens(&source);
    let found: Vec<&str> =
        tokens.windows(2).filter(|w| w[0] == "fn").map(|w| w[1].as_str()).filter(|f| *f != HIDE).collect();
    let expected: Vec<String> = listed().map(|function| format!("det_{}", function.name)).collect();
    assert_eq!(found, expected);
    // And the functions that `det` exports in Rust are the same.
    let exported = include_str!("../../det/mod.rs");
    let names: BTreeSet<String> = exported
        .split("pub(crate) use ")
        .skip(1)
        .flat_map(|text| text.split(';').next().unwrap_or_default().split(['{', '}', ',', ':']))
        .map(|name| name.trim().to_owned())
        // (Types and modules are none.)
        .filter(|name| name.starts_with(char::is_lowercase))
        .filter(|name| !["double", "number", "scalar", "vector", "width"].contains(&name.as_str()))
        .collect();
    let expected: BTreeSet<String> = listed().map(|function| function.name.to_owned()).collect();
    assert_eq!(names, expected);
}

/// The lint reports each forbidden construct, in a source that is otherwise correct.
#[test]
fn the_lint_notices() {
    let with = |body: &str| {
        format!("{}\nfn extra(a: f32, b: f32, v: vec3f, w: vec3f, n: u32, m: i32) -> f32 {{ {body} }}\n", det::source())
    };
    let allowed = [
        "return det_add(a, det_mul(b, 0.75f));",
        "return select(a, b, a < b || n % 3u == 1u);",
        "let k = (n * 7u + 5u) / 3u - 1u; return bitcast<f32>(k & 0xffu);",
        "return max(min(abs(a), b), 0x1.8p-3f);",
        "let i = -m; return select(v.x, w.y, i > 0);",
        "const HALF = 0.5; return det_mul(HALF, a);",
        "let u = vec3f(a, b, 1e3); return u.z;",
        "return bitcast<f32>(u32(m));",
    ];
    for body in allowed {
        assert_eq!(faults(&with(body)), [""; 0], "{body}");
    }
    let forbidden = [
        "return a + b;",
        "return a - b;",
        "return a * b;",
        "return a / b;",
        "return a % b;",
        "return -a;",
        "var x = a; x += b; return x;",
        "return (v + w).x;",
        "return (v * a).x;",
        "return sqrt(a);",
        "return inverseSqrt(a);",
        "return fma(a, b, a);",
        "return dot(v, w);",
        "return cross(v, w).x;",
        "return length(v);",
        "return normalize(v).x;",
        "return distance(v, w);",
        "return mix(a, b, a);",
        "return pow(a, b);",
        "return sin(a);",
        "return clamp(a, b, a);",
        "return sign(a);",
        "return floor(a);",
        "return round(a);",
        "return fract(a);",
        "return ldexp(a, m);",
        "return frexp(a).fract;",
        "return modf(a).fract;",
        "return f32(n);",
        "return f32(m);",
        "return bitcast<f32>(u32(a));",
        "return bitcast<f32>(i32(a));",
        "return unpack2x16float(n).x;",
        "return mat3x3f(v, w, v)[0].x;",
        "return det_mul(a, 0.1);",
        "return det_mul(a, 1e-3f);",
        "return det_mul(a, 16777217.0);",
        "return det_mul(a, 0x1p-110f);",
        "return det_mul(a, 1.0 / 4.0);",
        "return det_mul(a, -1.0);",
        "const THIRD = 1.0 / 3.0; return det_mul(a, THIRD);",
        "const X = 1.5; const Y = X; return det_mul(a, X * Y);",
        "const R = sqrt(2.0); return det_mul(a, R);",
        "return select(a, -0.0, a < b);",
    ];
    for body in forbidden {
        assert_ne!(faults(&with(body)), [""; 0], "{body}");
    }
    // A wrapper may apply only its own operator, and only to its arguments.
    for (from, to) in [("bitcast<u32>(a + b)", "bitcast<u32>(a - b)"), ("det_clean(a * b)", "det_clean(a * (b * a))")] {
        let source = det::source();
        assert!(source.contains(from));
        assert_ne!(faults(&source.replace(from, to)), [""; 0], "{to}");
    }
}
