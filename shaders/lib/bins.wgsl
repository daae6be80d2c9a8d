// Bins of hits. For modules whose params have `bin_first` and `bin_size`.

// Where a bin of hits begins.
fn bin_start(bin: u32) -> u32 {
    return params.bin_first[bin / 4u][bin % 4u];
}

// How many hits a bin holds.
fn bin_room(bin: u32) -> u32 {
    return params.bin_size[bin / 4u][bin % 4u];
}
