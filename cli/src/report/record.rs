//! Records of `tangency compare --json`.

use std::path::Path;

use serde_json::Value;

use crate::failure::{Failure, Result};

/// What `compare` found on one machine.
pub struct Record {
    /// The machine's name: that of the file it was read from.
    pub label: String,
    pub machine: Machine,
    /// The command's version, and the day; empty if an older version did not write them.
    pub version: String,
    pub date: String,
    pub rows: Vec<Row>,
    pub sizes: Vec<Size>,
    /// What did not run, and why.
    pub missing: Vec<(String, String)>,
    /// As it was read.
    pub source: Value,
}

#[derive(Default)]
pub struct Machine {
    pub system: String,
    pub processor: String,
    pub threads: u64,
    pub adapters: Vec<Adapter>,
}

pub struct Adapter {
    pub name: String,
    pub backend: String,
    pub driver: String,
    pub hardware: bool,
}

/// A scene: bodies of one, with the same seed and number, are the same everywhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Case {
    pub scene: String,
    /// Empty if it is not known.
    pub seed: String,
    pub bodies: u64,
}

/// One backend on one scene.
pub struct Row {
    pub case: Case,
    pub backend: String,
    pub adapter: String,
    /// The stages in order, with milliseconds.
    pub stages: Vec<(String, f64)>,
    pub total: f64,
    pub candidates: u64,
    pub undecided: u64,
    pub hits: u64,
    pub hash: String,
    pub fingerprint: String,
    pub contacts: Option<Contacts>,
}

pub struct Contacts {
    pub count: u64,
    pub fingerprint: String,
    pub on_host: u64,
    pub total: f64,
}

/// What was compared for one number of bodies.
pub struct Size {
    pub bodies: u64,
    /// The engines that were compared with each other; empty if there was only one.
    pub compared: Vec<String>,
}

impl Row {
    /// `gpu vulkan (NVIDIA H200)`
    pub fn engine(&self) -> String {
        format!("{} ({})", self.backend, self.adapter)
    }

    /// All that must be the same on every backend and every machine.
    pub fn answer(&self) -> (u64, &str, &str, Option<&str>) {
        (self.hits, &self.hash, &self.fingerprint, self.contacts.as_ref().map(|found| found.fingerprint.as_str()))
    }
}

/// A place in JSON, which an error names.
struct Place<'a> {
    value: &'a Value,
    name: String,
}

impl<'a> Place<'a> {
    fn at(&self, key: &str) -> Place<'a> {
        Place {
            value: &self.value[key],
            name: format!("{}{}{key}", self.name, if self.name.is_empty() { "" } else { "." }),
        }
    }

    fn list(&self) -> Result<Vec<Place<'a>>, String> {
        let list = self.value.as_array().ok_or_else(|| self.wrong("a list"))?;
        let one = |(k, value)| Place { value, name: format!("{}[{k}]", self.name) };
        Ok(list.iter().enumerate().map(one).collect())
    }

    fn text(&self) -> Result<String, String> {
        self.value.as_str().map(str::to_owned).ok_or_else(|| self.wrong("text"))
    }

    fn whole(&self) -> Result<u64, String> {
        self.value.as_u64().ok_or_else(|| self.wrong("a whole number"))
    }

    fn time(&self) -> Result<f64, String> {
        self.value.as_f64().filter(|ms| ms.is_finite() && *ms >= 0.0).ok_or_else(|| self.wrong("a time"))
    }

    /// What records of older versions do not have.
    fn text_or_empty(&self) -> String {
        self.value.as_str().unwrap_or_default().to_owned()
    }

    fn wrong(&self, expected: &str) -> String {
        match self.value {
            Value::Null => format!("{} is missing; it must be {expected}", self.name),
            _ => format!("{} is not {expected}", self.name),
        }
    }
}

impl Record {
    pub fn read(path: &Path) -> Result<Self> {
        let fail = |reason: String| {
            Failure::Usage(format!("{} is no record of `tangency compare --json`: {reason}", path.display()))
        };
        let text = std::fs::read(path).map_err(|source| Failure::Read { path: path.to_owned(), source })?;
        let source: Value = serde_json::from_slice(&text).map_err(|error| fail(error.to_string()))?;
        let label = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Self::parse(label, source).map_err(fail)
    }

    pub fn parse(label: String, source: Value) -> Result<Self, String> {
        let root = Place { value: &source, name: String::new() };
        let rows = root.at("rows").list()?;
        let seed = source["seed"].as_u64().map_or_else(String::new, |seed| format!("{seed:#x}"));
        let rows = rows.iter().map(|place| row(place, &seed)).collect::<Result<Vec<_>, _>>()?;
        if rows.is_empty() {
            return Err("rows is empty".to_owned());
        }
        let sizes = match source["sizes"] {
            // A record of one size, of a version that knew no other.
            Value::Null => vec![size(&root, rows[0].case.bodies)],
            _ => root
                .at("sizes")
                .list()?
                .iter()
                .map(|one| Ok(size(one, one.at("bodies").whole()?)))
                .collect::<Result<_, String>>()?,
        };
        let missing = match source["missing"] {
            Value::Null => Vec::new(),
            _ => root
                .at("missing")
                .list()?
                .iter()
                .map(|one| (one.at("what").text_or_empty(), one.at("why").text_or_empty()))
                .collect(),
        };
        let machine = match source["machine"] {
            Value::Null => Machine::default(),
            _ => machine(&root.at("machine"))?,
        };
        let (version, date) = (root.at("version").text_or_empty(), root.at("date").text_or_empty());
        Ok(Self { label, machine, version, date, rows, sizes, missing, source })
    }
}

fn size(place: &Place<'_>, bodies: u64) -> Size {
    let compared = place.at("compared").list().unwrap_or_default();
    Size { bodies, compared: compared.iter().map(Place::text_or_empty).collect() }
}

fn machine(place: &Place<'_>) -> Result<Machine, String> {
    let adapter = |one: &Place<'_>| {
        Ok(Adapter {
            name: one.at("name").text()?,
            backend: one.at("backend").text()?,
            driver: one.at("driver").text_or_empty(),
            hardware: one.value["hardware"].as_bool().unwrap_or(false),
        })
    };
    Ok(Machine {
        system: place.at("system").text()?,
        processor: place.at("processor").text()?,
        threads: place.at("threads").whole()?,
        adapters: place.at("adapters").list()?.iter().map(adapter).collect::<Result<_, String>>()?,
    })
}

fn row(place: &Place<'_>, seed: &str) -> Result<Row, String> {
    let stages = place.at("stages_ms");
    let times = stages.value.as_object().ok_or_else(|| stages.wrong("an object of times"))?;
    // JSON does not keep the order of an object's members.
    let order: Vec<String> = match place.at("stage_order").list() {
        Ok(names) => names.iter().map(Place::text).collect::<Result<_, _>>()?,
        Err(_) => times.keys().cloned().collect(),
    };
    let stages = order.into_iter().map(|name| Ok((name.clone(), stages.at(&name).time()?)));
    let contacts = place.at("contacts");
    let contacts = if contacts.value.is_null() {
        None
    } else {
        Some(Contacts {
            count: contacts.at("count").whole()?,
            fingerprint: contacts.at("fingerprint").text()?,
            on_host: contacts.at("computed_on_host").whole()?,
            total: contacts.at("total_ms").time()?,
        })
    };
    Ok(Row {
        case: Case { scene: place.at("scene").text()?, seed: seed.to_owned(), bodies: place.at("bodies").whole()? },
        backend: place.at("backend").text()?,
        adapter: place.at("adapter").text()?,
        stages: stages.collect::<Result<_, String>>()?,
        total: place.at("total_ms").time()?,
        candidates: place.at("candidates").whole()?,
        undecided: place.at("undecided").whole()?,
        hits: place.at("hits").whole()?,
        hash: place.at("hash").text()?,
        fingerprint: place.at("fingerprint").text()?,
        contacts,
    })
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use serde_json::json;

    /// A record with two rows, as one machine may have written it.
    pub fn example() -> Value {
        let row = |backend: &str, bodies: u64, total: f64| {
            json!({
                "backend": backend, "adapter": "1 thread", "scene": "uniform", "bodies": bodies,
                "stages_ms": {"tree": 0.25 * total, "narrow": 0.75 * total}, "stage_order": ["tree", "narrow"],
                "total_ms": total, "candidates": 40, "undecided": 3, "hits": 20, "hash": format!("{bodies:016x}"),
                "fingerprint": "00000000000000bb",
                "contacts": {"count": 20, "fingerprint": "00000000000000cc", "computed_on_host": 1, "total_ms": 2.0 * total},
            })
        };
        json!({
            "rows": [row("brute-force", 100, 8.0), row("cpu", 100, 2.0), row("cpu", 10_000, 150.0)],
            "seed": 24301, "version": "0.1.0", "date": "2026-11-16",
            "machine": {"system": "Linux", "processor": "Xeon", "threads": 2, "adapters": []},
            "sizes": [
                {"bodies": 100, "identical": true, "compared": ["brute-force (1 thread)", "cpu (1 thread)"]},
                {"bodies": 10_000, "identical": null, "compared": []},
            ],
            "missing": [{"what": "gpu", "why": "there is none"}],
        })
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let record = Record::parse("mine".to_owned(), example()).unwrap();
        assert_eq!(record.rows.len(), 3);
        assert_eq!(record.rows[1].stages, [("tree".to_owned(), 0.5), ("narrow".to_owned(), 1.5)]);
        assert_eq!(
            record.rows[2].case,
            Case { scene: "uniform".to_owned(), seed: "0x5eed".to_owned(), bodies: 10_000 }
        );
        assert_eq!((record.sizes[0].compared.len(), record.sizes[1].compared.len()), (2, 0));
        assert_eq!((record.machine.threads, record.missing.len()), (2, 1));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = |change: fn(&mut Value)| {
            let mut source = example();
            change(&mut source);
            Record::parse(String::new(), source).err().expect("an error")
        };
        assert_eq!(wrong(|source| *source = json!([])), "rows is missing; it must be a list");
        assert_eq!(wrong(|source| source["rows"] = json!([])), "rows is empty");
        assert_eq!(wrong(|source| source["rows"][1]["hits"] = json!(-1)), "rows[1].hits is not a whole number");
        assert_eq!(wrong(|source| source["rows"][2]["total_ms"] = json!("1")), "rows[2].total_ms is not a time");
        assert_eq!(
            wrong(|source| source["rows"][0]["stage_order"] = json!(["x"])),
            "rows[0].stages_ms.x is missing; it must be a time"
        );
        assert_eq!(wrong(|source| source["machine"]["system"] = json!(1)), "machine.system is not text");
    }
}
