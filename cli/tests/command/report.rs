//! Reports: `overlaps --report`, `contacts --report`, `compare --report` and `report`.

use super::*;

/// The page at a path, which must hold all it needs.
fn page(path: &str) -> String {
    let text = std::fs::read_to_string(path).expect("a page");
    assert!(text.starts_with("<!doctype html>") && text.ends_with("</html>\n"));
    for loaded in ["http:", "https:", "src=", "href=", "url(", "@import", "import(", "fetch("] {
        assert!(!text.contains(loaded), "{loaded}");
    }
    assert!(text.contains("Content-Security-Policy\" content=\"default-src 'none';"));
    text
}

/// The data of a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").expect("data");
    serde_json::from_str(rest.split_once("</script>").expect("an end").0).expect("JSON")
}

/// The bytes of an array of the data.
fn bytes(array: &Value, kind: &str) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => u32::from(c - b'A'),
        b'a'..=b'z' => u32::from(c - b'a') + 26,
        b'0'..=b'9' => u32::from(c - b'0') + 52,
        b'+' => 62,
        b'/' => 63,
        _ => 0,
    };
    let text = array[kind].as_str().unwrap_or_else(|| panic!("an array of {kind}: {array}"));
    let mut out = Vec::new();
    for four in text.as_bytes().chunks(4) {
        let word = four.iter().fold(0, |word, c| word << 6 | value(*c));
        let padding = four.iter().rev().take_while(|c| **c == b'=').count();
        out.extend_from_slice(&word.to_be_bytes()[1..4 - padding]);
    }
    out
}

fn words(array: &Value, kind: &str) -> Vec<u32> {
    bytes(array, kind).chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

fn floats(array: &Value) -> Vec<f32> {
    words(array, "f32").into_iter().map(f32::from_bits).collect()
}

#[test]
fn the_page_of_a_scene_has_its_bodies_and_pairs() {
    let folder = folder("report-scene");
    let path = |name: &str| folder.join(name).display().to_string();
    let (scene, pairs, report) = (path("mixed.csv"), path("pairs.csv"), path("mixed.html"));
    assert!(tangency(&["scene", "mixed", "--bodies", "3000", "--out", &scene]).status.success());
    let output = tangency(&["overlaps", &scene, "--backend", "cpu", "--out", &pairs, "--report", &report]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = page(&report);
    assert!(page.contains("<title>Pairs of mixed.csv</title>") && page.contains("<dt>bodies</dt><dd>3,000</dd>"));
    let data = data(&page);
    let (a, b, relations) = (words(&data["a"], "u32"), words(&data["b"], "u32"), bytes(&data["relations"], "u8"));
    let listed: String =
        (0..a.len()).map(|k| format!("{},{},{}\n", a[k], b[k], relations[k])).collect::<Vec<_>>().concat();
    assert_eq!(std::fs::read_to_string(&pairs).expect("pairs"), format!("a,b,relation\n{listed}"));
    assert!(a.len() > 1000, "{}", a.len());
    // The bodies, with the numbers of the file to the bit.
    let (kinds, shapes) = (bytes(&data["kinds"], "u8"), floats(&data["shapes"]));
    let lines = std::fs::read_to_string(&scene).expect("a scene");
    assert_eq!((kinds.len(), shapes.len(), lines.lines().count()), (3000, 30_000, 3001));
    for (k, line) in lines.lines().skip(1).enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        let (kind, columns) = match cells[0] {
            "sphere" => (0, &[1, 2, 3, 11][..]),
            "aabb" => (1, &[1, 2, 3, 4, 5, 6][..]),
            _ => (2, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10][..]),
        };
        let expected: Vec<f32> = columns.iter().map(|column| cells[*column].parse().expect("a number")).collect();
        assert_eq!((kinds[k], &shapes[10 * k..10 * k + columns.len()]), (kind, &expected[..]), "{line}");
    }
    // A report alone is all that is written: no pairs on standard output.
    let alone = tangency(&["overlaps", &scene, "--backend", "cpu", "--report", &report]);
    assert!(alone.stdout.is_empty() && text(&alone.stderr).contains(" pairs of 3,000 bodies in "));
    let left = std::fs::read_dir(&folder).expect("a folder").count();
    assert_eq!(left, 3, "nothing but what was asked for");
}

#[test]
fn the_page_of_contacts_has_their_numbers() {
    let folder = folder("report-contacts");
    let path = |name: &str| folder.join(name).display().to_string();
    let (scene, contacts, report) = (path("city.csv"), path("contacts.csv"), path("city.html"));
    assert!(tangency(&["scene", "city", "--bodies", "500", "--out", &scene]).status.success());
    let output = tangency(&["contacts", &scene, "--backend", "cpu", "--out", &contacts, "--report", &report]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let data = data(&page(&report));
    let found = &data["contacts"];
    let (a, b, offsets) = (words(&data["a"], "u32"), words(&data["b"], "u32"), words(&found["offsets"], "u32"));
    let (normals, depths, kinds) = (floats(&found["normals"]), floats(&found["depths"]), bytes(&found["kinds"], "u8"));
    let (points, features) = (floats(&found["points"]), words(&found["features"], "u32"));
    let mut lines = vec!["a,b,nx,ny,nz,depth,kind,px,py,pz,pdepth,feature\n".to_owned()];
    for k in 0..a.len() {
        let kind = found["words"][usize::from(kinds[k])].as_str().expect("a word");
        let [nx, ny, nz] = [0, 1, 2].map(|axis| normals[3 * k + axis]);
        for p in offsets[k] as usize..offsets[k + 1] as usize {
            let [x, y, z, depth] = [0, 1, 2, 3].map(|axis| points[4 * p + axis]);
            let (a, b, whole, feature) = (a[k], b[k], depths[k], features[p]);
            lines
                .push(format!("{a},{b},{nx:?},{ny:?},{nz:?},{whole:?},{kind},{x:?},{y:?},{z:?},{depth:?},{feature}\n"));
        }
    }
    assert!(a.len() > 500, "{}", a.len());
    assert_eq!(std::fs::read_to_string(&contacts).expect("contacts"), lines.concat());
}

/// Two sets keep their own ids, and worlds are there where bodies have some.
#[test]
fn the_page_of_two_sets_tells_them_apart() {
    let folder = folder("report-between");
    let path = |name: &str| folder.join(name).display().to_string();
    let (first, second, report) = (path("a.csv"), path("b.csv"), path("<b>both&.html"));
    std::fs::write(&first, "kind,cx,cy,cz,r,world\nsphere,0,0,0,1,7\nsphere,5,0,0,1,8\n").expect("a file");
    std::fs::write(&second, "kind,cx,cy,cz,r,world\nsphere,9,0,0,1,7\nsphere,9,0,0,1,7\nsphere,6,0,0,1,8\n")
        .expect("a file");
    assert!(tangency(&["overlaps", &first, "--with", &second, "--report", &report]).status.success());
    let data = data(&page(&report));
    assert_eq!((&data["first"], &data["second"]), (&2.into(), &3.into()));
    assert_eq!((words(&data["a"], "u32"), words(&data["b"], "u32")), (vec![1], vec![2]));
    assert_eq!(words(&data["worlds"], "u32"), [7, 8, 7, 7, 8]);
}

#[cfg(unix)]
#[test]
fn hostile_file_names_are_only_text() {
    let scene = folder("report-hostile").join("<img src=x onerror=alert(1)>&\"'.csv").display().to_string();
    std::fs::write(&scene, "kind,cx,cy,cz,r\nsphere,0,0,0,1\n").expect("a file");
    let report = scene.replace(".csv", ".html");
    assert!(tangency(&["overlaps", &scene, "--report", &report]).status.success());
    let text = std::fs::read_to_string(&report).expect("a page");
    let title = "<title>Pairs of &lt;img src=x onerror=alert(1)&gt;&amp;&quot;&#39;.csv</title>";
    assert!(text.contains(title) && !text.contains("<img"));
}

#[test]
fn reports_that_cannot_be_written_are_errors() {
    let scene = written("report-errors", "kind,cx,cy,cz,r\nsphere,0,0,0,1\n");
    for command in ["overlaps", "contacts"] {
        let output = tangency(&[command, &scene, "--report", &scene]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("this is the file that is read"), "{}", text(&output.stderr));
        assert!(
            error(&[command, &scene, "--report", "/no/such/folder/x.html"])
                .contains("cannot write /no/such/folder/x.html")
        );
    }
    assert!(std::fs::read_to_string(&scene).expect("the scene").starts_with("kind,"), "it is as it was");
    let out = folder("report-records").join("out.html").display().to_string();
    let output = tangency(&["report", &scene, "--out", &out]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("is no record of `tangency compare --json`: expected value at line 1"));
    let bench = written("report-bench", "{\"rows\": [{\"backend\": \"cpu\"}]}");
    assert!(error(&["report", &bench, "--out", &out]).contains("rows[0].stages_ms is missing"));
    assert!(error(&["report", "no-such.json", "--out", &out]).contains("cannot read no-such.json"));
    assert!(error(&["report", "--out", &out]).contains("RECORD.json"));
    assert!(!std::path::Path::new(&out).exists(), "nothing was written");
}

/// Several sizes in one run, their page, and the records of two machines in one page.
#[test]
fn compare_reports_several_sizes_and_machines() {
    let folder = folder("report-compare");
    let path = |name: &str| folder.join(name).display().to_string();
    let args = ["compare", "--bodies", "200,6k", "--backend", "cpu", "--threads", "1", "--report", &path("page.html")];
    let output = tangency(&[&args[..], &["--json"]].concat());
    let record: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    // Few bodies were compared with brute force; for many there was nothing to compare with, and nothing looks as if there had been.
    assert_eq!((output.status.code(), &record["identical"]), (Some(3), &Value::Null));
    assert!(text(&output.stderr).contains("6,000 bodies: nothing was compared"), "{}", text(&output.stderr));
    let sizes = record["sizes"].as_array().expect("sizes");
    assert_eq!((&sizes[0]["bodies"], &sizes[0]["identical"]), (&200.into(), &true.into()));
    assert_eq!((&sizes[1]["bodies"], &sizes[1]["identical"]), (&6000.into(), &Value::Null));
    let rows: Vec<_> =
        record["rows"].as_array().expect("rows").iter().map(|row| (&row["backend"], &row["bodies"])).collect();
    assert_eq!(
        rows,
        [
            (&"brute-force".into(), &200.into()),
            (&"cpu".into(), &200.into()),
            (&"cpu".into(), &6000.into()) as (&Value, &Value)
        ]
    );
    let one = page(&path("page.html"));
    assert!(one.contains(
        "<h2>These answers are identical</h2><ul><li>uniform, 200 bodies: brute-force (1 thread), cpu (1 thread)</li>"
    ));
    assert!(
        one.contains("<h2>Nothing was compared</h2><ul><li>uniform, 6,000 bodies: only cpu (1 thread) answered</li>")
    );
    assert_eq!(one.matches("<svg class=\"chart\"").count(), 2);
    assert_eq!(data(&one)["records"][0]["record"], record);
    let fingerprint = record["rows"][0]["fingerprint"].as_str().expect("a fingerprint");
    assert_eq!(one.matches(&format!("<span class=\"mono\">{fingerprint}</span>")).count(), 2);
    // Another machine with the same answers: now all sizes are compared.
    for name in ["here.json", "there.json"] {
        std::fs::write(path(name), record.to_string()).expect("a record");
    }
    let both = path("both.html");
    let output = tangency(&["report", &path("here.json"), &path("there.json"), "--out", &both]);
    assert!(
        output.status.success() && text(&output.stderr).contains("wrote 2 records to "),
        "{}",
        text(&output.stderr)
    );
    let joined = page(&both);
    assert!(joined.contains("All answers are identical") && !joined.contains("Nothing was compared"));
    assert!(joined.contains("<td>here</td>") && joined.contains("<td>there</td>"));
    // The text of a run of several sizes says which is which.
    let table = text(&tangency(&args).stdout);
    assert!(
        table.contains("uniform, 200 bodies, seed 0x5eed") && table.contains("uniform, 6,000 bodies, seed 0x5eed"),
        "{table}"
    );
    assert!(
        table.contains("\n200 bodies: all answers are identical: brute-force (1 thread), cpu (1 thread)\n"),
        "{table}"
    );
    assert!(
        table.ends_with("6,000 bodies: only cpu (1 thread) answered: no second backend to compare with\n"),
        "{table}"
    );
}
