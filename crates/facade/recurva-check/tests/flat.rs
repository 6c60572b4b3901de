//! Flat machines as a whole against the program made from them: the same verdicts on random
//! machines, for positions and for letters, whatever the stack does.

#[path = "machines/random.rs"]
#[allow(dead_code, reason = "shared with another test")]
mod random;

use std::ops::ControlFlow;

use recurva_check::{
    Options, Property, Runs, Stack, check,
    flat::{FlatMachine, decide},
    spec::{Reader, Vocabulary},
};
use recurva_lang::{
    model::{self, Format},
    rsm,
};
use recurva_model::{Point, rsm::Letters};
use recurva_syntax::Source;
use recurva_testkit::rng::Rng;

const SHAPES: [&str; 8] = [
    "G F A",
    "F G A",
    "F A",
    "G A",
    "A U B",
    "G(A -> F B)",
    "X A | F(B & X A)",
    "G(A -> X B)",
];

/// A formula over two of the names.
fn formula(rng: &mut Rng, names: &[String]) -> String {
    let shape = SHAPES[rng.below(SHAPES.len())];
    let mut pick = || format!("\"{}\"", names[rng.below(names.len())]);
    let (a, b) = (pick(), pick());
    let shape = shape.replace('A', "%").replace('B', &b);
    shape.replace('%', &a)
}

#[test]
fn random_machines() {
    let (mut violated, mut held) = (0, 0);
    for seed in 0..1_500 {
        let mut rng = Rng::new(seed);
        let text = rsm::write(&random::machine(seed));
        let source = Source::new("random.rsm", text.as_str()).expect("a short text");
        for letters in [Letters::Dropped, Letters::Nodes] {
            let options = model::Options {
                letters,
                ..model::Options::default()
            };
            let parsed = model::parse(&source, Format::Rsm, &options);
            let model = parsed.model.expect("a written machine can be read");
            let machine = model.machine.expect("a machine");
            let nodes: Vec<Point> = machine
                .letters
                .iter()
                .filter_map(|(_, points)| points.first().copied())
                .collect();
            let (vocabulary, names) = match letters {
                Letters::Dropped => {
                    let labels = model.program.labels().iter();
                    let names: Vec<String> = labels.map(|label| label.name.to_string()).collect();
                    let vocabulary = Vocabulary::Machine {
                        positions: &machine.positions,
                        nested: machine.nested_positions.as_deref(),
                        atoms: recurva_logic::ltl::MachineAtoms {
                            nested: machine.nested_positions.as_deref(),
                            ..Default::default()
                        },
                    };
                    (vocabulary, names)
                }
                Letters::Nodes => {
                    let names = machine.letters.iter();
                    let names: Vec<String> = names.map(|(name, _)| name.to_string()).collect();
                    (Vocabulary::Letters(&machine.letters), names)
                }
            };
            if names.is_empty() || nodes.len() < machine.letters.len() && letters == Letters::Nodes
            {
                continue;
            }
            let flat = FlatMachine {
                rsm: &machine.rsm,
                points: &machine.points,
                letters: (letters == Letters::Nodes).then_some(&nodes[..]),
            };
            let reader = Reader::new(&model.program, vocabulary);
            let asked = formula(&mut rng, &names);
            let written = Source::new("formula", asked.as_str()).expect("a short text");
            let spec = reader
                .formula(&written)
                .properties
                .expect("a right formula");
            let mut properties = vec![spec[0].property.clone()];
            if letters == Letters::Dropped {
                let name = &names[rng.below(names.len())];
                properties.push(Property::repeat(&model.program, name).expect("a label"));
                properties.push(Property::label(&model.program, name).expect("a label"));
            }
            for property in &properties {
                for stack in [Stack::Any, Stack::Finite, Stack::Diverging] {
                    let options = Options {
                        stack,
                        runs: Runs::Infinite,
                        ..Options::default()
                    };
                    let outcome = check(&model.program, property, &options, &mut ())
                        .unwrap_or_else(|error| panic!("{}\n{text}\n{error}", property.name()));
                    let expected = outcome.is_violated();
                    let found = decide(&flat, property, stack, &mut || ControlFlow::Continue(()));
                    let found = found
                        .expect("no limit")
                        .expect("a question it knows")
                        .violated;
                    assert_eq!(found, expected, "{} {stack:?}\n{text}", property.name());
                    violated += u32::from(found);
                    held += u32::from(!found);
                }
            }
        }
    }
    assert!(violated > 1_000 && held > 1_000, "{violated} and {held}");
}
