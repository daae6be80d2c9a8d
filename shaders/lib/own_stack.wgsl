// The stack with which each thread descends a tree by itself.

var<private> stack: array<vec2u, RAY_STACK>;
