// Bins of hits. For modules whose params have `bin_first` and `bin_size`.

// The first hit of a bin.
fn bin_start(bin: u32) -> u32 {
    return params.bin_first[bin / 4u][bin % 4u];
}

// The capacity of a bin, in hits.
fn bin_room(bin: u32) -> u32 {
    return params.bin_size[bin / 4u][bin % 4u];
}
