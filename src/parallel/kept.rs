//! Memory of large arrays that is kept from one query to the next: a system takes as long to hand over pages of its own as a query takes
//! to fill them.

use std::any::Any;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most arrays of a type that are kept: as many as a query has at a time.
const ARRAYS: usize = 2;
/// What a query wants is at least one part in so many of the array that it gets: memory of a much larger one is given back.
const SHARE: usize = 4;
/// Smaller arrays are left to the allocator.
const LEAST_BYTES: usize = 1 << 20;

/// Arrays that nobody needs, whose memory is used again.
#[derive(Default)]
pub(super) struct Kept(Mutex<Vec<Box<dyn Any + Send>>>);

impl Kept {
    fn lock(&self) -> MutexGuard<'_, Vec<Box<dyn Any + Send>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An array with room for so many elements, and with any elements.
    pub(super) fn take<T: Send + 'static>(&self, len: usize) -> Vec<T> {
        let mut found = Vec::new();
        if len * size_of::<T>() >= LEAST_BYTES {
            let mut arrays = self.lock();
            if let Some(k) = arrays.iter().position(|array| array.is::<Vec<T>>()) {
                found = arrays.swap_remove(k).downcast::<Vec<T>>().map(|array| *array).unwrap_or_default();
            }
        }
        if found.capacity() < len || found.capacity() / SHARE > len {
            found = Vec::with_capacity(len);
        }
        found.truncate(len);
        found
    }

    /// Keeps the memory of an array.
    pub(super) fn keep<T: Send + 'static>(&self, array: Vec<T>) {
        if array.capacity() * size_of::<T>() < LEAST_BYTES {
            return;
        }
        let mut arrays = self.lock();
        if arrays.iter().filter(|array| array.is::<Vec<T>>()).count() < ARRAYS {
            arrays.push(Box::new(array));
        }
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Kept").field(&self.lock().len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LARGE: usize = 1 << 20;

    #[test]
    fn memory_is_used_again_by_arrays_of_the_same_type() {
        let kept = Kept::default();
        let mut array = kept.take::<u64>(LARGE);
        array.resize(LARGE, 7);
        let address = array.as_ptr();
        kept.keep(array);
        assert_eq!(kept.take::<u32>(LARGE).len(), 0);
        let again = kept.take::<u64>(LARGE / 2);
        assert_eq!((again.as_ptr(), again.len()), (address, LARGE / 2));
        let other = kept.take::<u64>(LARGE);
        assert_ne!(other.as_ptr(), address, "it is in use");
    }

    #[test]
    fn no_more_is_kept_than_the_next_query_is_likely_to_want() {
        let kept = Kept::default();
        for _ in 0..10 {
            kept.keep(Vec::<u64>::with_capacity(LARGE));
        }
        kept.keep(Vec::<u64>::with_capacity(10));
        assert_eq!(kept.lock().len(), ARRAYS);
        assert_eq!(kept.take::<u64>(10).capacity(), 10, "small arrays are left to the allocator");
        assert!(kept.take::<u64>(LARGE / 8).capacity() < LARGE, "one that is much larger is given back");
        assert!(kept.take::<u64>(2 * LARGE).capacity() >= 2 * LARGE, "and so is one that is too small");
        assert_eq!(kept.lock().len(), 0);
    }
}
