// A self-test: sums, differences and products of f64, which the host compares with the correctly rounded results. And what takes as long as so many
// operations of f32 and of f64, which the host measures.

// Two operands, each as two f32 whose sum it is.
@group(0) @binding(0) var<storage, read> operands: array<vec4f>;
// Each result as three f32 whose sum it is.
@group(0) @binding(1) var<storage, read_write> results: array<f32>;

fn write(at: u32, result: f64) {
    let first = f32(result);
    let rest = result - f64(first);
    let second = f32(rest);
    results[3u * at] = first;
    results[3u * at + 1u] = second;
    results[3u * at + 2u] = f32(rest - f64(second));
}

@compute @workgroup_size(64)
fn doubles(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= arrayLength(&operands) {
        return;
    }
    let words = operands[id.x];
    let a = f64(words.x) + f64(words.y);
    let b = f64(words.z) + f64(words.w);
    write(3u * id.x, a + b);
    write(3u * id.x + 1u, a - b);
    write(3u * id.x + 2u, a * b);
}

// The operations of a thread, each of which needs the one before.
const TIMED = 4096u;

@compute @workgroup_size(64)
fn time_singles(@builtin(global_invocation_id) id: vec3u) {
    let given = operands[0];
    var x = given.x + f32(id.x & 7u);
    for (var k = 0u; k < TIMED; k++) {
        x = x * given.y + given.z;
    }
    // (Never.)
    if x < given.w {
        results[0] = x;
    }
}

@compute @workgroup_size(64)
fn time_doubles(@builtin(global_invocation_id) id: vec3u) {
    let given = vec4<f64>(operands[0]);
    var x = given.x + f64(id.x & 7u);
    for (var k = 0u; k < TIMED; k++) {
        x = x * given.y + given.z;
    }
    if x < given.w {
        results[0] = f32(x);
    }
}
