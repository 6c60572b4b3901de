//! The numbers of pairs in `shared/bench/cfl`, if that folder is there.

mod common;

use std::path::{Path, PathBuf};

use common::solved;
use recurva_reach::{
    Algorithm, Grammar, Graph, Layout, Notation, Options, Solution, carry_on, read,
};
use recurva_syntax::Source;

/// The folder; says so if it is missing.
#[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench/cfl");
    if !folder.is_dir() {
        eprintln!("skipped: there is no folder shared/bench/cfl");
        return None;
    }
    Some(folder)
}

fn source(path: &Path) -> Source {
    Source::from_bytes(path.display().to_string(), std::fs::read(path).unwrap()).unwrap()
}

fn graph(path: &Path) -> Graph {
    let parsed = read(&source(path), Layout::of(path), u64::MAX, &mut carry_on);
    parsed.unwrap().graph.unwrap()
}

fn grammar(path: &Path) -> Grammar {
    Grammar::read(&source(path), Notation::of(path))
        .grammar
        .unwrap()
}

fn solve(graph: &Graph, grammar: &Grammar, algorithm: Algorithm) -> Option<Solution> {
    let options = Options {
        algorithm,
        ..Options::default()
    };
    solved(graph, grammar, &options)
}

/// Graph, grammar, pairs without and with the diagonal.
fn check(cases: &[(&str, &str, u64, Option<u64>)], algorithms: &[Algorithm]) {
    let Some(folder) = folder() else {
        return;
    };
    for &(graph_name, grammar_name, without, with) in cases {
        let graph = graph(&folder.join(graph_name));
        let grammar = grammar(&folder.join(grammar_name));
        for &algorithm in algorithms {
            let solution = solve(&graph, &grammar, algorithm).unwrap();
            let count = solution.count(&mut carry_on).unwrap();
            let name = algorithm.name();
            assert_eq!(count.pairs, without, "{graph_name} {grammar_name} {name}");
            if let Some(with) = with {
                assert_eq!(count.with_diagonal(), with, "{graph_name} {name}");
            }
        }
    }
}

const SMALL: [Algorithm; 5] = [
    Algorithm::Auto,
    Algorithm::Naive,
    Algorithm::Worklist,
    Algorithm::Rounds,
    Algorithm::Facts,
];

#[test]
fn value_flow_and_alias_graphs_of_pocr() {
    let vf = "pocr/vf.cfg";
    let aa = "pocr/aa.cfg";
    check(
        &[
            ("pocr/art.peg", aa, 242, Some(460)),
            ("pocr/art.vfg", vf, 43_671, Some(48_291)),
            ("pocr/astar.peg", aa, 10_280, Some(12_307)),
            ("pocr/bzip2.peg", aa, 174, Some(616)),
            ("pocr/bzip2.vfg", vf, 226_720, Some(237_386)),
            ("pocr/gzip.peg", aa, 3_874, Some(4_770)),
            ("pocr/namd.peg", aa, 31_022, Some(37_191)),
        ],
        &SMALL,
    );
    check(
        &[
            ("pocr/astar.vfg", vf, 565_470, Some(582_685)),
            ("pocr/gzip.vfg", vf, 806_466, Some(823_940)),
            ("pocr/i3.peg", aa, 13_172_160, Some(13_186_487)),
            ("pocr/i3.vfg", vf, 16_244_493, Some(16_397_804)),
            ("pocr/namd.vfg", vf, 7_147_372, Some(7_237_777)),
            ("pocr/gzip.peg", "pocr/aa_simple.cfg", 3_874, None),
            ("pocr/gzip.vfg", "pocr/vf_simple.cfg", 806_466, None),
        ],
        &[Algorithm::Auto],
    );
}

#[test]
fn pending_calls() {
    let reach = "pocr/vf_reach.cfg";
    check(
        &[
            ("pocr/bzip2.vfg", reach, 1_868_141, None),
            ("pocr/gzip.vfg", reach, 7_040_215, None),
            ("pocr/namd.vfg", reach, 23_399_176, None),
            ("pocr/i3.vfg", reach, 1_035_440_545, None),
        ],
        &[Algorithm::Auto],
    );
}

#[test]
fn ontologies() {
    let rows = [
        ("atom-primitive", 15_316, 122),
        ("biomedical-mesure-primitive", 15_026, 2_871),
        ("core", 240, 214),
        ("enzyme", 0, 8_163),
        ("funding", 17_374, 1_158),
        ("generations", 2_088, 0),
        ("pizza", 55_844, 1_262),
        ("travel", 2_414, 63),
        ("univ-bench", 2_456, 81),
        ("wine", 66_116, 133),
    ];
    for (name, first, second) in rows {
        let graph = format!("rdf/{name}.g");
        let cases = [
            (graph.as_str(), "rdf/gpperf1.cnf", first, None),
            (graph.as_str(), "rdf/gpperf2.cnf", second, None),
        ];
        check(&cases, &SMALL);
    }
}

#[test]
fn aliases_without_fields_and_the_worst_case() {
    let aa = "alias-c/aa_nofield.cnf";
    check(
        &[
            ("alias-c/bzip2.g", aa, 1_626, None),
            ("alias-c/gzip.g", aa, 9_134, None),
            ("alias-c/ls.g", aa, 11_364, None),
            ("alias-c/pr.g", aa, 2_262, None),
            ("alias-c/wc.g", aa, 348, None),
        ],
        &SMALL,
    );
    let brackets = "worstcase/brackets.cnf";
    check(
        &[("worstcase/worstcase_2048.g", brackets, 1_049_599, None)],
        &[Algorithm::Auto, Algorithm::Worklist],
    );
}

#[test]
fn bidirected_dyck_graphs() {
    let Some(folder) = folder() else {
        return;
    };
    let grammar = common::grammar("S = (op_i S ^op_i)*;");
    let rows = [
        ("antlr", 748_213),
        ("btree", 277),
        ("mpegaudio", 715),
        ("xml", 4_606),
    ];
    for (name, unordered) in rows {
        let graph = graph(&folder.join(format!("dyck/{name}.dot")));
        for algorithm in [Algorithm::Auto, Algorithm::Summaries] {
            let solution = solve(&graph, &grammar, algorithm).unwrap();
            assert_eq!(
                solution.count(&mut carry_on).unwrap().pairs,
                2 * unordered,
                "{name}"
            );
        }
        let solution = solve(&graph, &grammar, Algorithm::Auto).unwrap();
        assert_eq!(solution.algorithm(), Algorithm::Dyck);
    }
}
