//! The page of `compare --report` and `report`: backends beside each other, on one machine or several.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use serde_json::json;

use super::chart::{self, COLOURS, Series};
use super::embed::escaped;
use super::page::Page;
use super::record::{Case, Record, Row};
use crate::failure::Result;
use crate::numbers::{grouped, three_digits};
use crate::output;

const STYLES: [&str; 1] = [include_str!("comparison.css")];

pub fn write(path: &Path, records: &[Record]) -> Result<()> {
    let names = labels(records);
    let rows: Vec<Shown<'_>> = records
        .iter()
        .zip(&names)
        .flat_map(|(record, machine)| record.rows.iter().map(move |row| Shown { record, machine, row }))
        .collect();
    let several = records.len() > 1;
    let mut body = String::from("<main>");
    for section in [
        verdict(several, &rows),
        machines(records, &names),
        scaling(several, &rows),
        stages(several, &rows),
        agreement(several, &rows),
        undecided(several, &rows),
    ] {
        body += &section;
    }
    body += "</main>";
    // The records themselves, for whoever wants to read them from the page.
    let data = json!({"records": names.iter().zip(records).map(|(name, one)| json!({"machine": name, "record": one.source})).collect::<Vec<_>>()});
    let page = Page {
        title: "Tangency: backends compared".to_owned(),
        kind: "comparison",
        facts: facts(records, &rows),
        styles: &STYLES,
        body,
        data: &data,
        scripts: &[],
    };
    output::write_to(Some(path), |out| page.write(out))
}

/// A row with the machine it is from.
struct Shown<'a> {
    record: &'a Record,
    machine: &'a str,
    row: &'a Row,
}

impl Shown<'_> {
    /// The engine, with its machine where there are several.
    fn name(&self, several: bool) -> String {
        if several { format!("{}: {}", self.machine, self.row.engine()) } else { self.row.engine() }
    }
}

/// A name for each machine; equal ones are numbered.
fn labels(records: &[Record]) -> Vec<String> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    records
        .iter()
        .map(|record| {
            let count = seen.entry(&record.label).or_default();
            *count += 1;
            if *count == 1 { record.label.clone() } else { format!("{} ({count})", record.label) }
        })
        .collect()
}

fn facts(records: &[Record], rows: &[Shown<'_>]) -> Vec<(&'static str, String)> {
    let each = |of: &dyn Fn(&Shown<'_>) -> String| {
        rows.iter().map(of).filter(|text| !text.is_empty()).collect::<BTreeSet<_>>()
    };
    let sizes: BTreeSet<u64> = rows.iter().map(|shown| shown.row.case.bodies).collect();
    let mut facts = vec![
        ("scene", listed(each(&|shown| shown.row.case.scene.clone()))),
        ("seed", listed(each(&|shown| shown.row.case.seed.clone()))),
        ("bodies", listed(sizes.into_iter().map(grouped))),
        ("machines", grouped(records.len() as u64)),
        ("measured", listed(each(&|shown| shown.record.date.clone()))),
    ];
    facts.retain(|(_, value)| !value.is_empty());
    facts
}

fn listed(values: impl IntoIterator<Item = String>) -> String {
    values.into_iter().collect::<Vec<_>>().join("; ")
}

/// The rows of each scene of one size, the smallest first.
fn by_case<'a>(rows: &'a [Shown<'a>]) -> BTreeMap<&'a Case, Vec<&'a Shown<'a>>> {
    let mut cases: BTreeMap<&Case, Vec<&Shown<'_>>> = BTreeMap::new();
    for shown in rows {
        cases.entry(&shown.row.case).or_default().push(shown);
    }
    cases
}

/// Whether anything was compared with anything: two engines of a machine, or two machines.
fn was_compared(rows: &[&Shown<'_>]) -> bool {
    let machines: BTreeSet<&str> = rows.iter().map(|shown| shown.machine).collect();
    let within = |shown: &&Shown<'_>| {
        shown.record.sizes.iter().any(|size| size.bodies == shown.row.case.bodies && size.compared.len() > 1)
    };
    machines.len() > 1 || rows.iter().any(|shown| within(&shown))
}

fn case_name(case: &Case) -> String {
    format!("{}, {} bodies", case.scene, grouped(case.bodies))
}

/// What was compared with what, and whether it is the same.
fn verdict(several: bool, rows: &[Shown<'_>]) -> String {
    let (mut same, mut alone, mut different) = (Vec::new(), Vec::new(), Vec::new());
    for (case, rows) in by_case(rows) {
        let others: Vec<String> = rows
            .iter()
            .filter(|shown| shown.row.answer() != rows[0].row.answer())
            .map(|shown| shown.name(several))
            .collect();
        if !others.is_empty() {
            different.push(format!(
                "{}: {} found another answer than {}",
                case_name(case),
                others.join(", "),
                rows[0].name(several)
            ));
        } else if was_compared(&rows) {
            let engines: BTreeSet<String> = rows.iter().map(|shown| shown.name(several)).collect();
            same.push(format!("{}: {}", case_name(case), listed(engines)));
        } else {
            alone.push(format!(
                "{}: only {} answered",
                case_name(case),
                listed(rows.iter().map(|shown| shown.name(several)))
            ));
        }
    }
    let mut out = String::from("<section class=\"verdict\" aria-label=\"Verdict\">");
    for (class, title, lines) in [
        ("bad", "The answers differ", different),
        ("good", "All answers are identical", same),
        ("open", "Nothing was compared", alone),
    ] {
        // Identical are those that are listed, never those that differ.
        let title =
            if class == "good" && out.contains("class=\"bad\"") { "The other answers are identical" } else { title };
        if !lines.is_empty() {
            let lines: String = lines.iter().map(|line| format!("<li>{}</li>", escaped(line))).collect();
            let _ = write!(out, "<div class=\"{class}\"><h2>{title}</h2><ul>{lines}</ul></div>");
        }
    }
    out + "</section>"
}

/// A table whose first column, the machine, is left out if there is only one.
fn by_machine(several: bool, head: &[(&str, bool)], rows: &[Vec<String>]) -> String {
    if several {
        return table(head, rows);
    }
    table(&head[1..], &rows.iter().map(|row| row[1..].to_vec()).collect::<Vec<_>>())
}

/// A table; cells are markup already, and columns of numbers are aligned to the right.
fn table(head: &[(&str, bool)], rows: &[Vec<String>]) -> String {
    let cell = |tag: &str, (text, number): (&str, bool)| {
        format!(
            "<{tag}{}>{text}</{}>",
            if number { " class=\"number\"" } else { "" },
            tag.split(' ').next().unwrap_or(tag)
        )
    };
    let top: String = head.iter().map(|(name, number)| cell("th scope=\"col\"", (name, *number))).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(head).map(|(text, (_, number))| cell("td", (text, *number)));
        format!("<tr>{}</tr>", cells.collect::<String>())
    };
    let lines: String = rows.iter().map(line).collect();
    format!("<div class=\"wide\"><table><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table></div>")
}

fn machines(records: &[Record], names: &[String]) -> String {
    let row = |(record, name): (&Record, &String)| {
        let machine = &record.machine;
        let adapters = machine.adapters.iter().map(|adapter| {
            let kind = if adapter.hardware {
                "hardware"
            } else {
                "a program on the CPU that acts as a GPU; its time is not a GPU's"
            };
            format!("{} {} ({kind}; {})", adapter.backend, adapter.name, adapter.driver)
        });
        let missing = record.missing.iter().map(|(what, why)| format!("not run: {what}: {why}"));
        let lines: Vec<String> = adapters.chain(missing).map(|line| escaped(&line)).collect();
        let unknown = |text: &str| if text.is_empty() { "unknown".to_owned() } else { escaped(text) };
        let threads = if machine.threads == 0 { "unknown".to_owned() } else { grouped(machine.threads) };
        let adapters = if lines.is_empty() { "none".to_owned() } else { lines.join("<br>") };
        vec![
            escaped(name),
            unknown(&machine.processor),
            threads,
            unknown(&machine.system),
            adapters,
            unknown(&record.version),
        ]
    };
    let head = [
        ("machine", false),
        ("processor", false),
        ("threads", true),
        ("system", false),
        ("adapters", false),
        ("version", false),
    ];
    let rows: Vec<_> = records.iter().zip(names).map(row).collect();
    format!(
        "<section><h2>{}</h2>{}</section>",
        if rows.len() == 1 { "Machine" } else { "Machines" },
        table(&head, &rows)
    )
}

/// A chart of the pairs and one of the contacts, for each scene.
fn scaling(several: bool, rows: &[Shown<'_>]) -> String {
    let mut out = String::from(
        "<section><h2>Time over bodies</h2><p>From bodies on the host to exact, sorted answers on the host; the fastest run. ",
    );
    out += "Dashed: time in proportion to the number of bodies.";
    if by_case(rows).len() == 1 {
        out += " With several numbers of bodies (<code>compare --bodies 10k,100k,1M</code>) there would be lines.";
    }
    out += "</p>";
    let scenes: BTreeSet<&str> = rows.iter().map(|shown| shown.row.case.scene.as_str()).collect();
    for scene in scenes {
        let here: Vec<&Shown<'_>> = rows.iter().filter(|shown| shown.row.case.scene == scene).collect();
        for (what, time) in [
            ("pairs", (|row: &Row| Some(row.total)) as fn(&Row) -> Option<f64>),
            ("contacts", |row| Some(row.contacts.as_ref()?.total)),
        ] {
            let mut series: Vec<Series> = Vec::new();
            for shown in &here {
                let (name, Some(ms)) = (shown.name(several), time(shown.row)) else { continue };
                // A logarithm needs something above 0.
                let point = (shown.row.case.bodies.max(1) as f64, ms.max(1e-6));
                match series.iter_mut().find(|one| one.name == name) {
                    Some(one) => one.points.push(point),
                    None => series.push(Series { name, points: vec![point] }),
                }
            }
            series.iter_mut().for_each(|one| one.points.sort_by(|p, q| p.0.total_cmp(&q.0)));
            if !series.is_empty() {
                let title = format!("Time of {what} over bodies, {scene}");
                let _ = write!(
                    out,
                    "<h3>{}: {what}</h3><div class=\"wide\">{}</div>",
                    escaped(scene),
                    chart::scaling(&title, &series)
                );
            }
        }
    }
    let row = |shown: &Shown<'_>| {
        let row = shown.row;
        let rate = row.case.bodies as f64 / (row.total / 1e3).max(1e-9);
        let contacts = row.contacts.as_ref().map_or_else(String::new, |found| three_digits(found.total));
        let text = [shown.machine, &row.backend, &row.adapter, &row.case.scene].map(escaped);
        let numbers =
            [grouped(row.case.bodies), three_digits(row.total), grouped(rate as u64), grouped(row.hits), contacts];
        text.into_iter().chain(numbers).collect::<Vec<_>>()
    };
    let head = [
        ("machine", false),
        ("backend", false),
        ("adapter", false),
        ("scene", false),
        ("bodies", true),
        ("pairs, ms", true),
    ];
    let head = [&head[..], &[("bodies/s", true), ("hits", true), ("contacts, ms", true)]].concat();
    out + &by_machine(several, &head, &rows.iter().map(row).collect::<Vec<_>>()) + "</section>"
}

/// A bar for each row, divided into its stages; the times of all stages below.
fn stages(several: bool, rows: &[Shown<'_>]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in rows.iter().flat_map(|shown| &shown.row.stages) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let colour = |name: &str| names.iter().position(|known| *known == name).unwrap_or(0) % COLOURS;
    let bar = |row: &Row| {
        let mut out = String::from("<div class=\"bar\">");
        for (name, ms) in row.stages.iter().filter(|(_, ms)| *ms > 0.0) {
            let share = ms / row.total.max(1e-9);
            let told = format!("{name}: {} ms, {:.1} %", three_digits(*ms), 100.0 * share);
            // A name in a part too narrow for it would be cut off.
            let shown = if share > 0.012 * name.chars().count() as f64 { escaped(name) } else { String::new() };
            let _ = write!(
                out,
                "<span class=\"s{}\" style=\"flex:{share:.5}\" title=\"{}\">{shown}</span>",
                colour(name),
                escaped(&told)
            );
        }
        out + "</div>"
    };
    let row = |shown: &Shown<'_>| {
        let row = shown.row;
        let text = [shown.machine, &row.backend, &row.adapter].map(escaped);
        text.into_iter().chain([grouped(row.case.bodies), three_digits(row.total), bar(row)]).collect::<Vec<_>>()
    };
    let head = [
        ("machine", false),
        ("backend", false),
        ("adapter", false),
        ("bodies", true),
        ("total, ms", true),
        ("share of each stage", false),
    ];
    let bars = by_machine(several, &head, &rows.iter().map(row).collect::<Vec<_>>());
    let legend: String = names
        .iter()
        .map(|name| format!("<li><span class=\"key s{}\"></span>{}</li>", colour(name), escaped(name)))
        .collect();
    let times = |shown: &Shown<'_>| {
        let of = |name: &&str| {
            let found = shown.row.stages.iter().find(|(known, _)| known == name);
            found.map_or_else(String::new, |(_, ms)| three_digits(*ms))
        };
        let text = [escaped(shown.machine), escaped(&shown.row.engine()), grouped(shown.row.case.bodies)];
        text.into_iter().chain(names.iter().map(of)).collect::<Vec<_>>()
    };
    let escaped_names: Vec<String> = names.iter().map(|name| escaped(name)).collect();
    let head: Vec<(&str, bool)> = [("machine", false), ("engine", false), ("bodies", true)]
        .into_iter()
        .chain(escaped_names.iter().map(|name| (name.as_str(), true)))
        .collect();
    let numbers = by_machine(several, &head, &rows.iter().map(times).collect::<Vec<_>>());
    format!(
        "<section class=\"stages\"><h2>Time by stage</h2><p>Stages of finding pairs, in their order. Bars are shares of a row's own total, so that \
         rows of very different times can be compared.</p><ul class=\"legend\">{legend}</ul>{bars}<details><summary>Times of all stages in ms</summary>{numbers}</details></section>"
    )
}

/// The fingerprints of each scene, and whether they are those of its first row.
fn agreement(several: bool, rows: &[Shown<'_>]) -> String {
    let mut lines = Vec::new();
    for (case, rows) in by_case(rows) {
        let compared = was_compared(&rows);
        for shown in &rows {
            let (row, first) = (shown.row, rows[0].row);
            let verdict = match (row.answer() == first.answer(), compared) {
                (false, _) => "<span class=\"bad\">✗ differs</span>",
                (true, false) => "not compared",
                (true, true) => "<span class=\"good\">✓ identical</span>",
            };
            let code = |text: &str, right: &str| {
                let class = if text == right { "mono" } else { "mono bad" };
                format!("<span class=\"{class}\">{}</span>", escaped(text))
            };
            let (contacts, right) = (row.answer().3.unwrap_or_default(), first.answer().3.unwrap_or_default());
            lines.push(vec![
                escaped(shown.machine),
                escaped(&case_name(case)),
                escaped(&row.engine()),
                grouped(row.hits),
                code(&row.hash, &first.hash),
                code(&row.fingerprint, &first.fingerprint),
                code(contacts, right),
                verdict.to_owned(),
            ]);
        }
    }
    let head = [
        ("machine", false),
        ("scene", false),
        ("engine", false),
        ("hits", true),
        ("pairs", false),
        ("pairs and relations", false),
    ];
    let head = [&head[..], &[("contacts", false), ("answer", false)]].concat();
    format!(
        "<section><h2>Agreement</h2><p>Fingerprints of the answers. Equal scenes must have equal ones, on every backend and every machine.</p>{}</section>",
        by_machine(several, &head, &lines)
    )
}

fn undecided(several: bool, rows: &[Shown<'_>]) -> String {
    let row = |shown: &Shown<'_>| {
        let row = shown.row;
        let percent = |part: u64, whole: u64| match whole {
            0 => String::new(),
            _ => format!("{:.3} %", 100.0 * part as f64 / whole as f64),
        };
        let contacts = row.contacts.as_ref();
        let text = [shown.machine, &row.engine(), &case_name(&row.case)].map(escaped);
        let numbers = [grouped(row.candidates), grouped(row.undecided), percent(row.undecided, row.candidates)];
        let host = [
            contacts.map_or_else(String::new, |found| grouped(found.on_host)),
            contacts.map_or_else(String::new, |found| percent(found.on_host, found.count)),
        ];
        text.into_iter().chain(numbers).chain(host).collect::<Vec<_>>()
    };
    let head = [
        ("machine", false),
        ("engine", false),
        ("scene", false),
        ("candidates", true),
        ("undecided", true),
        ("share", true),
    ];
    let head = [&head[..], &[("contacts on the host", true), ("share", true)]].concat();
    format!(
        "<section><h2>Undecided pairs</h2><p>Candidates that the floating-point filter could not decide, and that exact arithmetic did; contacts that \
         the host computed.</p>{}</section>",
        by_machine(several, &head, &rows.iter().map(row).collect::<Vec<_>>())
    )
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::example;
    use super::*;
    use serde_json::Value;

    fn page(sources: Vec<(&str, Value)>) -> String {
        let records: Vec<Record> =
            sources.into_iter().map(|(label, source)| Record::parse(label.to_owned(), source).unwrap()).collect();
        let path = std::env::temp_dir().join(format!(
            "tangency-comparison-{}-{:?}.html",
            std::process::id(),
            std::thread::current().id()
        ));
        write(&path, &records).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        text
    }

    #[test]
    fn one_machine_is_compared_where_it_was() {
        let text = page(vec![("mine", example())]);
        assert!(text.contains("<h2>All answers are identical</h2><ul><li>uniform, 100 bodies: "), "{text}");
        assert!(
            text.contains("<h2>Nothing was compared</h2><ul><li>uniform, 10,000 bodies: only cpu (1 thread) answered")
        );
        assert!(
            !text.contains("The answers differ")
                && text.contains("7.500 %")
                && text.contains("not run: gpu: there is none")
        );
        assert_eq!(text.matches("✓ identical").count(), 2);
        assert_eq!(text.matches("<svg").count(), 2);
    }

    #[test]
    fn machines_are_compared_with_each_other() {
        let text = page(vec![("mine", example()), ("yours", example())]);
        assert!(!text.contains("Nothing was compared") && !text.contains("differ</h2>"));
        assert_eq!(text.matches("✓ identical").count(), 6);
        let mut other = example();
        other["rows"][2]["contacts"]["fingerprint"] = json!("00000000000000cd");
        let text = page(vec![("mine", example()), ("mine", other)]);
        assert!(text.contains("<h2>The answers differ</h2><ul><li>uniform, 10,000 bodies: mine (2): cpu (1 thread) found another answer than mine: cpu (1 thread)"));
        assert!(text.contains("The other answers are identical") && !text.contains("All answers are identical"));
        assert_eq!((text.matches("✗ differs").count(), text.matches("✓ identical").count()), (1, 5));
        // Another seed is another scene, which says nothing about this one.
        let mut other = example();
        other["seed"] = json!(1);
        other["rows"][2]["hash"] = json!("0000000000000001");
        assert!(!page(vec![("mine", example()), ("yours", other)]).contains("The answers differ"));
    }

    /// Every text of a record is somebody else's.
    #[test]
    fn hostile_records_are_only_text() {
        const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&";
        let mut source = example();
        for row in source["rows"].as_array_mut().unwrap() {
            for key in ["backend", "adapter", "scene", "hash", "fingerprint"] {
                row[key] = json!(HOSTILE);
            }
            row["contacts"]["fingerprint"] = json!(HOSTILE);
            row["stages_ms"] = json!({ HOSTILE: 1.0 });
            row["stage_order"] = json!([HOSTILE]);
        }
        source["machine"] = json!({"system": HOSTILE, "processor": HOSTILE, "threads": 1, "adapters": [
            {"name": HOSTILE, "backend": HOSTILE, "driver": HOSTILE, "hardware": true}]});
        source["version"] = json!(HOSTILE);
        source["date"] = json!(HOSTILE);
        source["missing"] = json!([{"what": HOSTILE, "why": HOSTILE}]);
        source["sizes"][0]["compared"] = json!([HOSTILE, HOSTILE]);
        let text = page(vec![(HOSTILE, source)]);
        assert_eq!((text.matches("<script").count(), text.matches("</script>").count()), (2, 2));
        assert!(!text.contains("<img") && !text.contains("\"'&\""), "markup");
        assert!(text.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
    }

    #[test]
    fn a_page_loads_nothing() {
        let text = page(vec![("mine", example())]);
        for loaded in ["http:", "https:", "src=", "href=", "url(", "@import", "import("] {
            assert!(!text.contains(loaded), "{loaded}");
        }
    }
}
