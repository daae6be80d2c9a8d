// A self-test: sums, differences and products of f64, which the host compares with the correctly rounded results.

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
