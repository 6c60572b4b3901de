//! One small file per mistake in a flat machine: what the user is told.

use recurva_lang::{nsm, pds, rsm};
use recurva_model::{Nsm, rsm::Letters};
use recurva_syntax::Source;
use recurva_testkit::{test_folder, wrong::compare};

#[test]
fn wrong_machines_get_a_clear_message() {
    let folder = test_folder!("wrong_machines");
    compare(&folder, &["rsm", "pds", "nsm"], |source| {
        if source.name().ends_with("rsm") {
            let parsed = rsm::parse(source);
            (parsed.rsm.is_some(), parsed.diagnostics)
        } else if source.name().ends_with("pds") {
            let parsed = pds::parse(source);
            (parsed.pds.is_some(), parsed.diagnostics)
        } else {
            let parsed = nsm::parse(source);
            (parsed.nsm.is_some(), parsed.diagnostics)
        }
    });
}

#[test]
fn no_text_makes_a_reader_panic() {
    let pieces = [
        "component",
        "A",
        "entry",
        "exit",
        "box",
        "b",
        ":",
        "->",
        "-->",
        "<",
        ">",
        "(",
        ")",
        ".",
        ",",
        "\n",
        "init",
        "accept",
        "label",
        "\"",
        "ä",
        "#",
        "-",
        "p",
        "local",
        "call",
        "return",
        "-call->",
        "-ret->",
    ];
    let mut bits = 1u64;
    for _ in 0..4_000 {
        let mut text = String::new();
        for _ in 0..24 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text.push_str(pieces[(bits >> 33) as usize % pieces.len()]);
            if bits >> 60 != 0 {
                text.push(' ');
            }
        }
        let source = Source::new("x", text).expect("a short text");
        let parsed = rsm::parse(&source);
        assert_eq!(parsed.rsm.is_none(), parsed.diagnostics.has_errors());
        let parsed = pds::parse(&source);
        assert_eq!(parsed.pds.is_none(), parsed.diagnostics.has_errors());
        let parsed = nsm::parse(&source);
        assert_eq!(parsed.nsm.is_none(), parsed.diagnostics.has_errors());
    }
}

#[test]
fn nested_machines_read_back_as_they_were_written() {
    let text = "component A\n entry e f\n exit x y\n node n\n box b : A\n box c : B\n \
                e -> b.e\n f -> c.g\n b.x -> n\n b.y -> x\n c.z -> y\n n -> b.f\n \
                label n : p, \"two words\"\n label b.e : q\n\
                component B\n entry g\n exit z\n g -> z\ninit A.e, A.f\naccept A.n\n";
    let source = Source::new("two.rsm", text).expect("a short text");
    let machine = rsm::parse(&source).rsm.expect("a right machine");
    let nested = Nsm::of_rsm(&machine);
    let source = Source::new("two.nsm", nsm::write(&nested.nsm)).expect("a short text");
    let parsed = nsm::parse(&source);
    assert!(parsed.diagnostics.is_empty());
    let again = parsed.nsm.expect("it is written well");
    assert_eq!(nsm::write(&again), source.text());
    insta::assert_snapshot!(source.text());
    let start = nested.nsm.init();
    assert_eq!(
        (nested.vertex(start), nested.nsm.name(start)),
        (None, "start")
    );
    for vertex in machine.vertices() {
        assert_eq!(nested.nsm.name(nested.state(vertex)), machine.name(vertex));
        assert_eq!(nested.vertex(nested.state(vertex)), Some(vertex));
    }
}

#[test]
fn large_machines_are_read_in_one_go() {
    let mut text = String::from("component A\n entry e\n");
    for index in 0..200_000 {
        text.push_str(&format!(
            " node n{index}\n e -> n{index} : l{}\n",
            index % 7
        ));
    }
    text.push_str("init A.e\n");
    let source = Source::new("large.rsm", text).expect("less than 4 GiB");
    let machine = rsm::parse(&source).rsm.expect("a right machine");
    assert_eq!(machine.len(), 200_001);
    let points = machine.to_program(Letters::Dropped);
    assert_eq!(points.program.labels().len(), 200_001);
}
