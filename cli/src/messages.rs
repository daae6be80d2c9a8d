//! What the command says on standard error. Graphics drivers write there too, so each of our lines begins with our name.

use std::fmt::Display;
use std::io::Write;

/// A line about what was done.
pub fn note(text: impl Display) {
    say(&format_args!("{text}"));
}

/// A line about something that the user may not have expected.
pub fn warning(text: impl Display) {
    say(&format_args!("warning: {text}"));
}

pub fn error(text: impl Display) {
    say(&format_args!("error: {text}"));
}

fn say(text: &dyn Display) {
    // Where standard error cannot be written, there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "tangency: {text}");
}
