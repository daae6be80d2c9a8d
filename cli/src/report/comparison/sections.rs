//! The sections below the verdict.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::table::{Cell, Table};
use super::{Rows, Shown, case_name, milliseconds, was_compared};
use crate::numbers::grouped;
use crate::report::chart::{self, COLOURS, Series};
use crate::report::embed::escaped;
use crate::report::record::{Record, Row};

/// A time of a row in milliseconds, if it has that.
type Time = fn(&Row) -> Option<f64>;

fn section(title: &str, told: &str, content: &str) -> String {
    format!("<section><h2>{title}</h2><p>{told}</p>{content}</section>")
}

fn number(n: u64) -> Cell {
    Cell::Number(grouped(n))
}

fn time(ms: Option<f64>) -> Cell {
    Cell::Number(ms.map_or_else(String::new, milliseconds))
}

pub fn machines(records: &[Record], names: &[String]) -> String {
    let mut table = Table::new(records.len() > 1, &["processor", "threads", "system", "adapters", "version"]);
    for (record, name) in records.iter().zip(names) {
        let machine = &record.machine;
        let adapters = machine.adapters.iter().map(|adapter| {
            let kind = if adapter.hardware { "hardware" } else { "software, whose times are not a GPU's" };
            format!("{} {} ({kind}; {})", adapter.backend, adapter.name, adapter.driver)
        });
        let missing = record.missing.iter().map(|(what, why)| format!("not run: {what}: {why}"));
        let lines: Vec<String> = adapters.chain(missing).collect();
        let known = |text: &str| Cell::text(if text.is_empty() { "unknown" } else { text });
        let threads = if machine.threads == 0 { Cell::Number("unknown".to_owned()) } else { number(machine.threads) };
        let adapters = if lines.is_empty() { Cell::text("none") } else { Cell::Lines(lines) };
        let cells = [known(&machine.processor), threads, known(&machine.system), adapters, known(&record.version)];
        table.push(false, name, cells);
    }
    section(if records.len() == 1 { "Machine" } else { "Machines" }, "", &table.html())
}

/// A chart of the pairs and one of the contacts for each scene, and their numbers.
pub fn scaling(rows: &Rows<'_>) -> String {
    let mut told = String::from(
        "From bodies on the host to exact, sorted answers on the host; the fastest run. Dashed: time in proportion to the number of bodies.",
    );
    if rows.cases().count() == 1 {
        told += " With several numbers of bodies (<code>compare --bodies 10k,100k,1M</code>) there would be lines.";
    }
    let mut out = String::new();
    let scenes: BTreeSet<&str> = rows.all.iter().map(|shown| shown.row.case.scene.as_str()).collect();
    let times: [(&str, Time); 2] =
        [("pairs", |row| Some(row.total)), ("contacts", |row| Some(row.contacts.as_ref()?.total))];
    for scene in scenes {
        for (what, time) in times {
            let series = series(rows, scene, time);
            if !series.is_empty() {
                let chart = chart::scaling(&format!("Time of {what} over bodies, {scene}"), &series);
                let _ = write!(out, "<h3>{}: {what}</h3><div class=\"wide\">{chart}</div>", escaped(scene));
            }
        }
    }
    let columns = ["scene", "bodies", "backend", "adapter", "pairs, ms", "bodies/s", "hits", "contacts, ms"];
    let mut table = Table::new(rows.several, &columns);
    for case in rows.cases() {
        for (k, shown) in case.iter().enumerate() {
            let row = shown.row;
            let rate = row.case.bodies as f64 / (row.total / 1e3).max(1e-9);
            let head = [
                Cell::text(&row.case.scene),
                number(row.case.bodies),
                Cell::text(&row.backend),
                Cell::text(&row.adapter),
            ];
            let contacts = time(row.contacts.as_ref().map(|found| found.total));
            let figures = [time(Some(row.total)), number(rate as u64), number(row.hits), contacts];
            table.push(k == 0, shown.machine, head.into_iter().chain(figures));
        }
    }
    section("Time over bodies", &told, &(out + &table.html()))
}

/// The times of each engine on a scene, over the number of bodies.
fn series(rows: &Rows<'_>, scene: &str, time: Time) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    for shown in rows.all.iter().filter(|shown| shown.row.case.scene == scene) {
        let (name, Some(ms)) = (rows.name(shown), time(shown.row)) else { continue };
        // A logarithm needs something above 0.
        let point = (shown.row.case.bodies.max(1) as f64, ms.max(1e-6));
        match series.iter_mut().find(|one| one.name == name) {
            Some(one) => one.points.push(point),
            None => series.push(Series { name, points: vec![point] }),
        }
    }
    series
}

/// A bar for each row, divided into its stages; the times of all stages below.
pub fn stages(rows: &Rows<'_>) -> String {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in rows.all.iter().flat_map(|shown| &shown.row.stages) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let mut bars = Table::new(rows.several, &["bodies", "backend", "adapter", "total, ms", "share of each stage"]);
    let mut times = Table::new(rows.several, &[&["bodies", "engine"], &names[..]].concat());
    for case in rows.cases() {
        for (k, Shown { machine, row, .. }) in case.iter().enumerate() {
            let text = [number(row.case.bodies), Cell::text(&row.backend), Cell::text(&row.adapter)];
            bars.push(k == 0, machine, text.into_iter().chain([time(Some(row.total)), Cell::Markup(bar(row, &names))]));
            let of = |name: &&str| time(row.stages.iter().find(|(known, _)| known == name).map(|(_, ms)| *ms));
            times.push(
                k == 0,
                machine,
                [number(row.case.bodies), Cell::text(row.engine())].into_iter().chain(names.iter().map(of)),
            );
        }
    }
    let key =
        |(k, name): (usize, &&str)| format!("<li><span class=\"key s{}\"></span>{}</li>", k % COLOURS, escaped(name));
    let legend: String = names.iter().enumerate().map(key).collect();
    let told = "Stages of finding pairs, in their order. Bars are shares of a row's own total, so that rows of very different times can be compared.";
    let content = format!(
        "<ul class=\"legend\">{legend}</ul>{}<details><summary>Times of all stages in ms</summary>{}</details>",
        bars.html(),
        times.html()
    );
    section("Time by stage", told, &content)
}

/// The stages of a row as parts of a bar.
fn bar(row: &Row, names: &[&str]) -> String {
    let mut out = String::from("<div class=\"bar\">");
    for (name, ms) in row.stages.iter().filter(|(_, ms)| *ms > 0.0) {
        let share = ms / row.total.max(1e-9);
        let told = escaped(&format!("{name}: {} ms, {:.1} %", milliseconds(*ms), 100.0 * share));
        // A name in a part too narrow for it would be cut off.
        let shown = if share > 0.02 * name.chars().count() as f64 { escaped(name) } else { String::new() };
        let colour = names.iter().position(|known| known == name).unwrap_or(0) % COLOURS;
        let _ = write!(out, "<span class=\"s{colour}\" style=\"flex:{share:.5}\" title=\"{told}\">{shown}</span>");
    }
    out + "</div>"
}

/// The fingerprints of each scene, and whether they are those of its first row.
pub fn agreement(rows: &Rows<'_>) -> String {
    let columns = ["scene", "engine", "hits", "pairs", "pairs and relations", "contacts", "answer"];
    let mut table = Table::new(rows.several, &columns);
    for case in rows.cases() {
        let (compared, first) = (was_compared(case), case[0].row);
        for (k, shown) in case.iter().enumerate() {
            let row = shown.row;
            let answer = match (row.answer() == first.answer(), compared) {
                (false, _) => Cell::Markup("<span class=\"bad\">✗ differs</span>".to_owned()),
                (true, true) => Cell::Markup("<span class=\"good\">✓ identical</span>".to_owned()),
                (true, false) => Cell::text("not compared"),
            };
            let code = |text: &str, right: &str| {
                let class = if text == right { "mono" } else { "mono bad" };
                Cell::Markup(format!("<span class=\"{class}\">{}</span>", escaped(text)))
            };
            let contacts = |row: &Row| row.answer().3.unwrap_or_default().to_owned();
            let codes = [
                code(&row.hash, &first.hash),
                code(&row.fingerprint, &first.fingerprint),
                code(&contacts(row), &contacts(first)),
            ];
            let head = [Cell::text(case_name(&row.case)), Cell::text(row.engine()), number(row.hits)];
            table.push(k == 0, shown.machine, head.into_iter().chain(codes).chain([answer]));
        }
    }
    let told = "Fingerprints of the answers. Equal scenes must have equal ones, on every backend and every machine.";
    section("Agreement", told, &table.html())
}

pub fn undecided(rows: &Rows<'_>) -> String {
    let columns = ["scene", "engine", "candidates", "undecided", "share", "contacts", "computed on the host", "share"];
    let mut table = Table::new(rows.several, &columns);
    let percent = |part: u64, whole: u64| match whole {
        0 => Cell::Number(String::new()),
        _ => Cell::Number(format!("{:.3} %", 100.0 * part as f64 / whole as f64)),
    };
    for case in rows.cases() {
        for (k, shown) in case.iter().enumerate() {
            let row = shown.row;
            let text = [Cell::text(case_name(&row.case)), Cell::text(row.engine())];
            let figures = [number(row.candidates), number(row.undecided), percent(row.undecided, row.candidates)];
            let contacts = match &row.contacts {
                Some(found) => [number(found.count), number(found.on_host), percent(found.on_host, found.count)],
                None => [const { Cell::Number(String::new()) }; 3],
            };
            table.push(k == 0, shown.machine, text.into_iter().chain(figures).chain(contacts));
        }
    }
    let told = "Candidates that the floating-point filter could not decide, and that exact arithmetic did; contacts that the host computed.";
    section("Undecided pairs", told, &table.html())
}
