// Tags of bodies: kind, enabled, fixed. For modules with the binding `tags`, of which four share a word.

fn tag_of(body: u32) -> u32 {
    return (tags[body / 4u] >> (8u * (body % 4u))) & 0xffu;
}
