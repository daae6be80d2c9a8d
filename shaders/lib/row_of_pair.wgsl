// The row of a pair: the last one that begins with it or before, of those from `first` to before `end`.
fn row_of_pair(pair: u32, first: u32, end: u32) -> u32 {
    var low = first;
    var high = end;
    while high - low > 1u {
        let middle = (low + high) / 2u;
        if rows[middle] <= pair {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}
