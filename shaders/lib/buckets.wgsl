// Buckets of candidates, one for each pair of kinds. For modules whose params have `bucket_first` and `bucket_size`.

// Where the candidates of a bucket begin.
fn bucket_start(bucket: u32) -> u32 {
    return params.bucket_first[bucket / 4u][bucket % 4u];
}

// How many candidates a bucket holds.
fn bucket_room(bucket: u32) -> u32 {
    return params.bucket_size[bucket / 4u][bucket % 4u];
}
