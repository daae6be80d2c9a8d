//! Random scenes, and the attack.

use super::*;

#[test]
fn random_scenes_agree_with_brute_force() {
    let most = if is_long() { "1200" } else { "300" };
    let answer = on_all_engines(&["soak", "--scenes", "1", "--seed", "1", "--most", most]);
    assert_eq!((&answer["against"], &answer["differences"]), (&Value::from("brute-force"), &serde_json::json!([])));
    assert!(answer["pairs"].as_u64().is_some_and(|pairs| pairs > 150), "{answer}");
    let engines = answer["engines"].as_array().expect("engines");
    let is_gpu = |name: &Value| name.as_str().is_some_and(|name| name.starts_with("gpu "));
    assert_eq!(engines.iter().map(is_gpu).collect::<Vec<_>>(), [false, true][..=usize::from(adapter().is_some())]);
}

/// One round of the attack: every relation, planes and sequences occur, and nothing is wrong. (On a GPU too if there is time to compile for it
/// once more: by default the random scenes above are all that is asked of it here.)
#[test]
fn a_round_of_the_attack_finds_nothing() {
    let attack = ["soak", "--adversarial", "--rounds", "1", "--minutes", "0", "--seed", "0x8", "--pairs", "300"];
    let answer = if is_long() {
        on_all_engines(&attack)
    } else {
        json(&[&attack[..], &["--json", "--backend", "cpu"]].concat())
    };
    assert_eq!(answer["differences"], serde_json::json!([]));
    let engines = answer["engines"].as_array().expect("engines");
    assert_eq!(
        (engines.len(), &engines[0]),
        (2 + usize::from(is_long() && adapter().is_some()), &Value::from("brute-force"))
    );
    assert_eq!((&answer["rounds"], &answer["seed"], &answer["pairs"]), (&1.into(), &8.into(), &300.into()));
    for what in ["separate", "touching", "overlapping", "culled", "queries"] {
        assert!(answer[what].as_u64().is_some_and(|count| count > 50), "{what}: {answer}");
    }
}

#[test]
fn options_of_the_attack_are_checked() {
    assert!(error(&["soak", "--minutes", "2"]).contains("--adversarial"));
    assert!(error(&["soak", "--adversarial", "--minutes=-1"]).contains("minutes"));
    assert!(error(&["soak", "--adversarial", "--minutes", "nan"]).contains("from 0 to 1000000"));
    assert!(error(&["soak", "--adversarial", "--seed", "many"]).contains("a seed is a number"));
}
