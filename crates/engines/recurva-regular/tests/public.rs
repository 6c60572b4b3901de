//! The public models with explicit transducers, where they are present.

use std::{fs, path::PathBuf};

use recurva_regular::{
    Meter,
    columns::{self, Depth},
    engine::{self, Engine, Problem, Verdict, reach_by_actions},
    json,
    system::System,
};
use recurva_syntax::{Source, Style};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/bench/rmc")
}

fn load(file: &str) -> System {
    let bytes = fs::read(folder().join(file)).expect("the manifest names files that exist");
    let source = Source::from_bytes(file, bytes).expect("UTF-8");
    let parsed = json::parse(&source);
    parsed
        .value
        .unwrap_or_else(|| panic!("{}", parsed.diagnostics.render(&source, Style::Plain)))
}

#[test]
#[allow(clippy::print_stderr, reason = "says why nothing was tested")]
fn all_verdicts_of_the_manifest_come_out() {
    let Ok(manifest) = fs::read_to_string(folder().join("MANIFEST.tsv")) else {
        eprintln!("skipped: the public models are not here");
        return;
    };
    for line in manifest.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, property, verdict, note] = fields[..] else {
            panic!("{line}");
        };
        let system = load(file);
        let bad = system
            .bad
            .iter()
            .find(|bad| bad.name == property)
            .expect("the property");
        let mut meter = Meter::new(u64::MAX);
        let problem = Problem::new(&system, &bad.words, &mut meter).unwrap();
        let outcome = engine::check(&problem, Engine::Auto, &mut meter).expect("claims are right");
        match (outcome.verdict, verdict) {
            (Verdict::Safe(_), "safe") => {}
            (Verdict::Violated(run), "unsafe") => {
                let size = run.words[0].len();
                let told = format!("witness length {size} after {} steps", run.actions.len());
                assert!(note.contains(&told), "{line}: {told}");
            }
            (other, _) => panic!("{line}: {other:?}"),
        }
    }
}

/// Model, sets of columns and states of R⁺ and of R*(I), where the construction ends for the whole
/// relation; and the states of R*(I) by actions.
type Sizes = (
    &'static str,
    Option<(usize, usize)>,
    Option<(usize, usize)>,
    Option<usize>,
);

const SIZES: &[Sizes] = &[
    ("token-passing", Some((4, 3)), Some((5, 2)), Some(2)),
    ("Burns", Some((30, 12)), None, None),
    ("bakery", Some((13, 8)), Some((8, 4)), Some(4)),
    ("Szymanski", None, None, Some(8)),
    ("DijkstraMutEx", None, None, Some(8)),
    ("atomic-dining-philosophers", Some((687, 26)), None, None),
    ("dining-cryptographers", None, Some((21, 17)), Some(17)),
    ("FutureBus", None, None, Some(11)),
    ("Berkeley", None, None, Some(6)),
    ("Illinois", None, None, Some(5)),
];

#[test]
#[allow(clippy::print_stderr, reason = "says why nothing was tested")]
fn exact_sets_have_the_sizes_that_are_known() {
    if !folder().exists() {
        eprintln!("skipped: the public models are not here");
        return;
    }
    for (name, closure, reach, actions) in SIZES {
        let system = load(&format!("dodo-json/{name}.json"));
        let mut meter = Meter::new(u64::MAX);
        let relation = system.relation(&mut meter).unwrap();
        if closure.is_some() {
            let found = columns::closure(&relation, Depth::Any, &mut meter).unwrap();
            assert_eq!(
                Some((found.subsets, found.dfa.states())),
                *closure,
                "{name}"
            );
        }
        if reach.is_some() {
            let found = columns::reach(&system.initial, &relation, Depth::Any, &mut meter).unwrap();
            assert_eq!(Some((found.subsets, found.dfa.states())), *reach, "{name}");
        }
        if actions.is_some() {
            let found = reach_by_actions(&system.initial, &relation, &mut meter).unwrap();
            assert_eq!(Some(found.states()), *actions, "{name}");
        }
    }
}

#[test]
fn the_older_dialect_is_read_too() {
    let text = r#"{
      "alphabet": ["n", "t"],
      "initial": {"initialState": 0, "acceptingStates": [1], "transitions": [
        {"origin": 0, "letter": "t", "target": 1}, {"origin": 1, "letter": "n", "target": 1}]},
      "transducer": {"initialState": "a", "acceptingStates": ["c"], "transitions": [
        {"origin": "a", "letter": "n,n", "target": "a"},
        {"origin": "a", "letter": "t,n", "target": "b"},
        {"origin": "b", "letter": "n,t", "target": ["c"]},
        {"origin": "c", "letter": "n,n", "target": "c"}]},
      "properties": {}
    }"#;
    let source = Source::new("old.json", text).expect("it is short");
    let system = json::parse(&source).value.expect("no errors");
    let mut meter = Meter::new(1_000_000);
    let relation = system.relation(&mut meter).unwrap();
    let found = columns::closure(&relation, Depth::Any, &mut meter).unwrap();
    assert_eq!((found.subsets, found.dfa.states()), (4, 3));
}

#[test]
fn wrong_models_are_refused_with_a_place() {
    let cases = [
        ("{", "this is not JSON"),
        ("[]", "a model is an object"),
        ("{}", "there is no `initial`"),
        (r#"{"initial": 3}"#, "`initial` is an object"),
        (
            r#"{"alphabet": ["a"], "initial": {"initialStates": [0], "accepting": [0], "transitions": [
                {"source": 0, "letter": "b", "target": [0]}]},
                "transducer": {"initialStates": [0], "accepting": [0], "transitions": []}}"#,
            "`b` is not in the alphabet",
        ),
        (
            r#"{"alphabet": ["a"], "initial": {"initialStates": [0], "accepting": [0], "transitions": []},
                "transducer": {"initialStates": [0], "accepting": [0], "transitions": [
                {"source": 0, "letter": "a", "target": [0]}]}}"#,
            "`a` is no pair of letters",
        ),
    ];
    for (text, message) in cases {
        let source = Source::new("wrong.json", text).expect("it is short");
        let parsed = json::parse(&source);
        assert!(parsed.value.is_none(), "{text}");
        let shown = parsed.diagnostics.render(&source, Style::Plain);
        assert!(shown.contains(message), "{shown}");
    }
}
