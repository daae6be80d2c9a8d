//! Whose turn it is to call wgpu, where that matters: on OpenGL.
//!
//! An OpenGL context belongs to one thread at a time. wgpu lends it to one call after the other, also while the driver compiles a kernel or
//! the host waits for the device, and panics in a thread that has waited for some seconds. So threads of this library wait here, however
//! long that takes, before they call what may need the context: what creates, submits, maps, waits for or destroys.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use crate::gpu::lock;

/// The turns of a device. The queries of other interfaces do not wait for each other.
#[derive(Debug, Default)]
pub(in crate::gpu) struct Turns {
    one_by_one: Option<OneByOne>,
}

#[derive(Debug, Default)]
struct OneByOne {
    turn: Mutex<()>,
    /// The [token](me) of the thread that has the turn; 0 if there is none.
    holder: AtomicUsize,
    /// Buffers that are to be destroyed when there is a turn.
    dropped: Mutex<Vec<wgpu::Buffer>>,
}

/// A turn, until it is dropped.
#[must_use]
#[derive(Debug)]
pub(in crate::gpu) struct Turn<'a> {
    /// Absent if nobody has to wait, or if this thread has the turn anyway.
    held: Option<(&'a OneByOne, MutexGuard<'a, ()>)>,
}

/// A number that no other running thread has, not 0.
fn me() -> usize {
    thread_local!(static ME: u8 = const { 0 });
    ME.with(|place| std::ptr::from_ref(place).addr())
}

impl Turns {
    pub(super) fn of(backend: wgpu::Backend) -> Self {
        Self { one_by_one: (backend == wgpu::Backend::Gl).then(OneByOne::default) }
    }

    /// Waits for a turn. A thread that has one may take another.
    pub(in crate::gpu) fn take(&self) -> Turn<'_> {
        let turns = self.one_by_one.as_ref();
        // (Only this thread can have stored its own token.)
        let Some(turns) = turns.filter(|turns| turns.holder.load(Ordering::Relaxed) != me()) else {
            return Turn { held: None };
        };
        let guard = lock(&turns.turn);
        turns.holder.store(me(), Ordering::Relaxed);
        turns.destroy_dropped();
        Turn { held: Some((turns, guard)) }
    }

    /// Destroys a buffer, in the next turn if this is not one: who drops something does not wait, for a driver that hangs perhaps.
    pub(super) fn destroy(&self, buffer: &wgpu::Buffer) {
        let Some(turns) = &self.one_by_one else { return buffer.destroy() };
        lock(&turns.dropped).push(buffer.clone());
        if turns.holder.load(Ordering::Relaxed) == me() {
            turns.destroy_dropped();
        }
    }
}

impl OneByOne {
    fn destroy_dropped(&self) {
        for buffer in std::mem::take(&mut *lock(&self.dropped)) {
            buffer.destroy();
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if let Some((turns, _)) = &self.held {
            turns.holder.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn one_thread_at_a_time_has_a_turn() {
        for (backend, most) in [(wgpu::Backend::Gl, 1), (wgpu::Backend::Vulkan, 4)] {
            let turns = Turns::of(backend);
            let (now, seen) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let started = std::sync::Barrier::new(4);
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        started.wait();
                        let outer = turns.take();
                        seen.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        // A turn within a turn does not end that.
                        drop(turns.take());
                        std::thread::sleep(Duration::from_millis(20));
                        seen.fetch_max(now.load(Ordering::SeqCst), Ordering::SeqCst);
                        now.fetch_sub(1, Ordering::SeqCst);
                        drop(outer);
                    });
                }
            });
            let seen = seen.into_inner();
            assert!(seen <= most && (most == 1 || seen > 1), "{backend}: {seen} threads at once");
        }
    }

    #[test]
    fn a_turn_ends_with_a_panic() {
        let turns = Turns::of(wgpu::Backend::Gl);
        let panicked = crate::gpu::guarded::<()>(|| {
            let _turn = turns.take();
            panic!("lost");
        });
        assert!(panicked.is_err());
        // Neither this thread nor another waits for ever.
        drop(turns.take());
        std::thread::scope(|scope| {
            scope.spawn(|| drop(turns.take()));
        });
    }
}
