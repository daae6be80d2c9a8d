// Buckets of candidates, one for each pair of kinds. For modules whose params have `bucket_first` and `bucket_size`.

// The first candidate of a bucket.
fn bucket_start(bucket: u32) -> u32 {
    return params.bucket_first[bucket / 4u][bucket % 4u];
}

// The capacity of a bucket, in candidates.
fn bucket_room(bucket: u32) -> u32 {
    return params.bucket_size[bucket / 4u][bucket % 4u];
}
