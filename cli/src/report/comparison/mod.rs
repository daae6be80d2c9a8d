//! The page of `compare --report` and `report`: backends beside each other, on one machine or several.

mod sections;
mod table;
mod verdict;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::page::Page;
use super::record::{Case, Record, Row};
use crate::failure::Result;
use crate::numbers::{grouped, three_digits};
use crate::output::Target;

const STYLES: [&str; 1] = [include_str!("page.css")];

/// A row with the machine it is from.
struct Shown<'a> {
    record: &'a Record,
    machine: &'a str,
    row: &'a Row,
}

/// All rows, by scene and size, then by machine.
struct Rows<'a> {
    all: Vec<Shown<'a>>,
    /// Whether there are several machines, which are then named everywhere.
    several: bool,
}

impl<'a> Rows<'a> {
    fn new(records: &'a [Record], names: &'a [String]) -> Self {
        let of = |(record, machine): (&'a Record, &'a String)| {
            record.rows.iter().map(move |row| Shown { record, machine, row }).collect::<Vec<_>>()
        };
        let mut all: Vec<_> = records.iter().zip(names).flat_map(of).collect();
        all.sort_by(|one, other| one.row.case.cmp(&other.row.case));
        Self { all, several: records.len() > 1 }
    }

    /// The rows of each scene of one size.
    fn cases(&self) -> impl Iterator<Item = &[Shown<'a>]> {
        self.all.chunk_by(|one, other| one.row.case == other.row.case)
    }

    /// The engine of a row, with its machine where there are several.
    fn name(&self, shown: &Shown<'_>) -> String {
        let engine = shown.row.engine();
        if self.several { format!("{}: {engine}", shown.machine) } else { engine }
    }
}

/// Whether anything was compared with anything for a scene: two engines of a machine, or two machines.
fn was_compared(case: &[Shown<'_>]) -> bool {
    let machines: BTreeSet<&str> = case.iter().map(|shown| shown.machine).collect();
    let within = |shown: &Shown<'_>| {
        let sizes = &shown.record.sizes;
        sizes.iter().any(|size| size.bodies == shown.row.case.bodies && size.compared.len() > 1)
    };
    machines.len() > 1 || case.iter().any(within)
}

fn case_name(case: &Case) -> String {
    format!("{}, {} bodies", case.scene, grouped(case.bodies))
}

/// Milliseconds with three digits, or with all before the point.
pub fn milliseconds(ms: f64) -> String {
    if ms >= 1000.0 { grouped(ms.round() as u64) } else { three_digits(ms) }
}

pub fn write(target: Target, records: &[Record]) -> Result<()> {
    let names = labels(records);
    let rows = Rows::new(records, &names);
    let sections = [
        verdict::verdict(&rows),
        sections::machines(records, &names),
        sections::scaling(&rows),
        sections::stages(&rows),
        sections::agreement(&rows),
        sections::undecided(&rows),
    ];
    // The records themselves, for whoever wants to read them from the page.
    let source = |(name, one): (&String, &Record)| json!({"machine": name, "record": one.source});
    let data = json!({"records": names.iter().zip(records).map(source).collect::<Vec<_>>()});
    let page = Page {
        title: "Tangency: backends compared".to_owned(),
        kind: "comparison",
        facts: facts(records.len(), &rows),
        styles: &STYLES,
        body: format!("<main>{}</main>", sections.concat()),
        data: &data,
        scripts: &[],
    };
    target.write(|out| page.write(out))
}

/// A name for each machine; equal ones are numbered.
fn labels(records: &[Record]) -> Vec<String> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut labels = Vec::new();
    for Record { label, .. } in records {
        let count = seen.entry(label).or_default();
        *count += 1;
        labels.push(if *count == 1 { label.clone() } else { format!("{label} ({count})") });
    }
    labels
}

fn facts(machines: usize, rows: &Rows<'_>) -> Vec<(&'static str, String)> {
    let each = |of: fn(&Record, &Case) -> String| {
        let texts: BTreeSet<String> = rows.all.iter().map(|shown| of(shown.record, &shown.row.case)).collect();
        texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; ")
    };
    let sizes: BTreeSet<u64> = rows.all.iter().map(|shown| shown.row.case.bodies).collect();
    let mut facts = vec![
        ("scene", each(|_, case| case.scene.clone())),
        ("seed", each(|_, case| case.seed.clone())),
        ("bodies", sizes.into_iter().map(grouped).collect::<Vec<_>>().join("; ")),
        ("machines", grouped(machines as u64)),
        ("measured", each(|record, _| record.date.clone())),
    ];
    facts.retain(|(_, value)| !value.is_empty());
    facts
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
        write(Target::open(Some(&path), &[]).unwrap(), &records).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        text
    }

    #[test]
    fn one_machine_is_compared_where_it_was() {
        let text = page(vec![("mine", example())]);
        assert!(text.contains("<h2>These answers are identical</h2><ul><li>uniform, 100 bodies: brute-force (1 thread), cpu (1 thread)</li>"), "{text}");
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
        assert!(text.contains("All answers are identical") && !text.contains("Nothing was compared"));
        assert_eq!(text.matches("✓ identical").count(), 6);
        let mut other = example();
        other["rows"][2]["contacts"]["fingerprint"] = json!("00000000000000cd");
        let text = page(vec![("mine", example()), ("mine", other)]);
        assert!(text.contains("<h2>The answers differ</h2><ul><li>uniform, 10,000 bodies: mine (2): cpu (1 thread) found another answer than mine: cpu (1 thread)"));
        assert!(text.contains("These answers are identical") && !text.contains("All answers are identical"));
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
