// Tags of bodies: kind, enabled, fixed. Four tags share a word. For modules with the binding `tags`.

fn tag_of(body: u32) -> u32 {
    return (tags[body / 4u] >> (8u * (body % 4u))) & 0xffu;
}
