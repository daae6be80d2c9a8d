//! What was compared with what, and whether it is the same.

use std::fmt::Write;

use super::{Rows, Shown, case_name, was_compared};
use crate::numbers::grouped;
use crate::report::embed::escaped;

/// Sizes of a scene for which the same engines gave the same answer.
struct Same {
    scene: String,
    engines: String,
    sizes: Vec<String>,
}

impl Same {
    fn sentence(&self) -> String {
        format!("{}, {} bodies: {}", self.scene, self.sizes.join("; "), self.engines)
    }
}

/// The engines of a scene, machine by machine where there are several.
fn engines(several: bool, case: &[Shown<'_>]) -> String {
    let of = |rows: &[Shown<'_>]| rows.iter().map(|shown| shown.row.engine()).collect::<Vec<_>>().join(", ");
    if !several {
        return of(case);
    }
    let machines = case.chunk_by(|one, other| one.machine == other.machine);
    machines.map(|rows| format!("{}: {}", rows[0].machine, of(rows))).collect::<Vec<_>>().join("; ")
}

pub fn verdict(rows: &Rows<'_>) -> String {
    let (mut same, mut alone, mut different): (Vec<Same>, _, _) = (Vec::new(), Vec::new(), Vec::new());
    for case in rows.cases() {
        let (key, first) = (&case[0].row.case, &case[0]);
        let differs = |shown: &&Shown<'_>| shown.row.answer() != first.row.answer();
        let others: Vec<String> = case.iter().filter(differs).map(|shown| rows.name(shown)).collect();
        let engines = engines(rows.several, case);
        if !others.is_empty() {
            let (others, first) = (others.join(", "), rows.name(first));
            different.push(format!("{}: {others} found another answer than {first}", case_name(key)));
        } else if !was_compared(case) {
            alone.push(format!("{}: only {engines} answered", case_name(key)));
        } else {
            match same.iter_mut().find(|one| one.scene == key.scene && one.engines == engines) {
                Some(one) => one.sizes.push(grouped(key.bodies)),
                None => same.push(Same { scene: key.scene.clone(), engines, sizes: vec![grouped(key.bodies)] }),
            }
        }
    }
    let identical = match (different.is_empty(), alone.is_empty()) {
        (true, true) => "All answers are identical",
        // Nothing that differs or was not compared may seem to be among them.
        _ => "These answers are identical",
    };
    let same: Vec<String> = same.iter().map(Same::sentence).collect();
    let mut out = String::from("<section class=\"verdict\" aria-label=\"Verdict\">");
    for (class, title, lines) in
        [("bad", "The answers differ", different), ("good", identical, same), ("open", "Nothing was compared", alone)]
    {
        if !lines.is_empty() {
            let lines: Vec<String> = lines.iter().map(|line| escaped(line)).collect();
            let lines = lines.join("</li><li>");
            let _ = write!(out, "<div class=\"{class}\"><h2>{title}</h2><ul><li>{lines}</li></ul></div>");
        }
    }
    out + "</section>"
}
