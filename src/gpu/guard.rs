//! Panics of wgpu as errors.
//!
//! wgpu reports most failures of a driver as errors, but some as panics: a device that is lost while the host waits for it, a driver that
//! cannot say which extensions it has, a queue that cannot become idle when it is dropped. None of them leaves a lock held or a structure
//! of the library half written that is used again: the device is opened anew after each.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::{Error, Result};

/// What a panic said.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    // wgpu explains over several lines.
    let lines: Vec<&str> = text.unwrap_or("a panic without words").lines().map(str::trim).collect();
    lines.join(" ")
}

fn error_of(panic: &(dyn Any + Send)) -> Error {
    Error::Device { reason: message(panic) }
}

/// Runs `work`; a panic in it is an [error](Error::Device).
pub(crate) fn guarded<R>(work: impl FnOnce() -> R) -> Result<R> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| error_of(&*panic))
}

/// A value that may panic when it is dropped, which is of no consequence then.
pub(crate) struct DroppedWithCare<T>(Option<T>);

impl<T> DroppedWithCare<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Some(value))
    }

    /// Leaves the value to the system. It cannot be used any more.
    pub(crate) fn leave(&mut self) {
        std::mem::forget(self.0.take());
    }
}

impl<T> std::ops::Deref for DroppedWithCare<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().expect("it is there until it is dropped")
    }
}

impl<T> Drop for DroppedWithCare<T> {
    fn drop(&mut self) {
        let value = self.0.take();
        if std::thread::panicking() {
            // A second panic would end the process: rather leave it to the system.
            std::mem::forget(value);
        } else {
            // It is gone either way.
            drop(guarded(|| drop(value)));
        }
    }
}

/// A future in which a panic is an [error](Error::Device).
pub(crate) struct Guarded<'a, T>(Option<Pin<Box<dyn Future<Output = Result<T>> + 'a>>>);

impl<'a, T> Guarded<'a, T> {
    pub(crate) fn new(work: impl Future<Output = Result<T>> + 'a) -> Self {
        Self(Some(Box::pin(work)))
    }
}

impl<T> Future for Guarded<'_, T> {
    type Output = Result<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(work) = &mut self.0 else { return Poll::Pending };
        let result = match guarded(|| work.as_mut().poll(context)) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(result)) => result,
            Err(error) => Err(error),
        };
        // What it still holds may panic too when it is dropped.
        let work = self.0.take();
        Poll::Ready(guarded(|| drop(work)).and(result))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_with_its_words() {
        let failed = |reason: &str| Err(Error::Device { reason: reason.to_owned() });
        assert_eq!(guarded(|| 7), Ok(7));
        assert_eq!(guarded(|| -> u8 { panic!("lost\n  at {}", "sea") }), failed("lost at sea"));
        assert_eq!(guarded(|| -> u8 { std::panic::panic_any(5) }), failed("a panic without words"));
        let future = |fails: bool| async move {
            assert!(!fails, "on purpose");
            Ok(7)
        };
        assert_eq!(pollster::block_on(Guarded::new(future(false))), Ok(7));
        assert_eq!(pollster::block_on(Guarded::new(future(true))), failed("on purpose"));
    }

    #[test]
    fn a_panic_while_something_is_dropped_is_of_no_consequence() {
        struct Restive;
        impl Drop for Restive {
            fn drop(&mut self) {
                panic!("on purpose");
            }
        }
        drop(DroppedWithCare::new(Restive));
        let during_another = || {
            let _restive = DroppedWithCare::new(Restive);
            panic!("first");
        };
        assert_eq!(guarded::<()>(during_another), Err(Error::Device { reason: "first".to_owned() }));
        assert_eq!(*DroppedWithCare::new(7), 7);
        let future = async {
            let _restive = Restive;
            std::future::ready(()).await;
            Ok(7)
        };
        let failed = Err(Error::Device { reason: "on purpose".to_owned() });
        assert_eq!(pollster::block_on(Guarded::new(future)), failed);
        // What work still holds when it is done.
        let held = Restive;
        let holding = std::future::poll_fn(move |_| {
            let _ = &held;
            Poll::Ready(Ok(7))
        });
        assert_eq!(pollster::block_on(Guarded::new(holding)), failed);
    }
}
