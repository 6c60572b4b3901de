//! CaRet and NT-µ agree (*Logics and Algorithms for Software Model Checking*, Theorem 16).
//!
//! The theorem goes by way of automata: some run violates a formula if the automaton of its
//! violations accepts one, and that there is such a run can be said in NT-µ. Here the automaton is
//! not spelled out in the formula, which would be exponentially large, but moves into the machine:
//! a state of the product is a state of the machine with one of the automaton that has read it.
//! What is left to say is the same for all: some infinite path is good again and again.

use std::{
    collections::{HashMap, HashSet},
    ops::ControlFlow,
};

use recurva_check::{
    Options, Property, Runs,
    spec::{Reader, Vocabulary},
};
use recurva_lang::model::{self, Format};
use recurva_logic::{automaton::Config, caret, ltl::Operator, ntmu};
use recurva_model::{
    Letter, NestedParts, Nsm,
    nsm::{Kind, NsmBuilder, StateId},
};
use recurva_syntax::{Source, Style};
use recurva_testkit::rng::Rng;

use crate::{Answer, ask, questions};

#[path = "../machines/random.rs"]
#[allow(dead_code, reason = "pushdown systems are for other tests")]
mod random;

/// Some infinite path is good again and again. A return is good if its call was, somewhere. All
/// happens in a call that does not return, for a marker to stand for the end of a procedure.
const REPEATS: &str = "<call> (nu X. mu Y. (<loc> (good & X | Y)
    | <call> (good & X | Y) {good & X | Y} | <ret> R1)) {false}";

/// A state of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Both {
    machine: StateId,
    automaton: u32,
    /// How many marks have been passed since all had been.
    passed: u32,
    /// All marks have been passed, here or in the call that returns here.
    good: bool,
    /// Something in this invocation was good.
    seen: bool,
}

struct Product<'a> {
    machine: &'a Nsm,
    automaton: &'a NestedParts,
    /// What holds in each state of the machine.
    letters: Vec<Letter>,
    states: Vec<Both>,
    numbers: HashMap<Both, StateId>,
    builder: NsmBuilder,
}

impl Product<'_> {
    fn number(&mut self, both: Both) -> StateId {
        if let Some(&known) = self.numbers.get(&both) {
            return known;
        }
        let name = format!("s{}", self.states.len());
        let kind = self.machine.kind(both.machine);
        let good: &[&str] = if both.good { &["good"] } else { &[] };
        let state = self.builder.state(&name, kind, good);
        self.states.push(both);
        self.numbers.insert(both, state);
        state
    }

    /// The states in which a state of the machine is read from a head. `seen` is whether
    /// something was good in the invocation before, `inside` whether in the call that returns.
    fn read(
        &mut self,
        machine: StateId,
        head: Option<u32>,
        passed: u32,
        (seen, inside): (bool, bool),
    ) -> Vec<StateId> {
        let letter = self.letters[machine.index()];
        let edges = head.map_or(&[][..], |head| self.automaton.edges_from(head));
        let open = edges
            .iter()
            .filter(|e| e.cubes.iter().any(|c| c.holds(letter)));
        let mut found = Vec::new();
        for edge in open {
            let marks = self.automaton.states[edge.to as usize].marks;
            let wanted = (0..32).filter(|bit| self.automaton.acceptance >> bit & 1 == 1);
            let wanted: Vec<u32> = wanted.collect();
            let ahead = wanted.iter().skip(passed as usize);
            let now = passed + ahead.take_while(|&&bit| marks >> bit & 1 == 1).count() as u32;
            let all = now as usize == wanted.len();
            found.push(Both {
                machine,
                automaton: edge.to,
                passed: if all { 0 } else { now },
                good: all || inside,
                seen: all || inside || seen,
            });
        }
        found.into_iter().map(|both| self.number(both)).collect()
    }

    fn build(mut self) -> Nsm {
        let start = self.builder.state("start", Kind::Call, &[]);
        // The machine has a state of its own in front if it has several initial vertices.
        let first = match self.machine.name(self.machine.init()) {
            "start" => self.machine.locals(self.machine.init()).to_vec(),
            _ => vec![self.machine.init()],
        };
        for state in first {
            for to in self.read(state, Some(self.automaton.initial), 0, (false, false)) {
                self.builder.call(start, to);
            }
        }
        let mut done = 0;
        let mut returned = HashSet::new();
        loop {
            while let Some(&both) = self.states.get(done) {
                let from = self.numbers[&both];
                let own = self.automaton.states[both.automaton as usize];
                for &to in self.machine.locals(both.machine) {
                    for to in self.read(to, own.step, both.passed, (both.seen, false)) {
                        self.builder.local(from, to);
                    }
                }
                for &to in self.machine.calls(both.machine) {
                    for to in self.read(to, own.call, both.passed, (false, false)) {
                        self.builder.call(from, to);
                    }
                }
                done += 1;
            }
            // All pairs of exits and calls, also such as do not belong together.
            let states = self.states.clone();
            for exit in &states {
                for call in &states {
                    if !returned.insert((*exit, *call)) {
                        continue;
                    }
                    let targets: Vec<StateId> = self
                        .machine
                        .returns_to(exit.machine, call.machine)
                        .collect();
                    let end = self.automaton.states[exit.automaton as usize];
                    let begin = self.automaton.states[call.automaton as usize];
                    let head = self.automaton.returned(end, begin);
                    for target in targets {
                        let seen = (call.seen, exit.seen);
                        for to in self.read(target, head, exit.passed, seen) {
                            let (exit, call) = (self.numbers[exit], self.numbers[call]);
                            self.builder.ret(exit, call, to);
                        }
                    }
                }
            }
            if self.states.len() == done {
                break;
            }
        }
        self.builder.finish(start).expect("it fits")
    }
}

#[test]
fn random_machines_and_formulas() {
    let wanted = crate::wanted(300);
    let (mut compared, mut violated, mut seed) = (0, 0, 0);
    let repeats = Source::new("formula", REPEATS).expect("a short text");
    let parsed = ntmu::parse(&repeats);
    let errors = parsed.diagnostics.render(&repeats, Style::Plain);
    let repeats = parsed.formula.unwrap_or_else(|| panic!("{errors}"));
    while compared < wanted {
        seed += 1;
        let rsm = random::machine(seed);
        let text = recurva_lang::rsm::write(&rsm);
        let source = Source::new("random.rsm", text).expect("a short text");
        let parsed = model::parse(&source, Format::Rsm, &model::Options::default());
        let model = parsed.model.expect("what is written can be read");
        let machine = model.machine.expect("a machine");
        let mut rng = Rng::new(seed ^ 0x7e_515);
        let names = ["accept", "in(A0)", "call", "ret"];
        let atoms = names.map(str::to_owned);
        let size = 2 + rng.below(5);
        let text = questions::formula(&mut rng, size, &atoms, &["", "_a", "_a", "_c"]);
        let vocabulary = Vocabulary::Machine {
            positions: &machine.positions,
            nested: machine.nested_positions.as_deref(),
            atoms: recurva_logic::ltl::MachineAtoms {
                nested: machine.nested_positions.as_deref(),
                ..Default::default()
            },
        };
        let reader = Reader::new(&model.program, vocabulary);
        let property = questions::read(&reader, &text);
        let Property::Caret(caret) = &property else {
            panic!("not a formula of CaRet");
        };
        let mut violations = caret.formula.clone();
        violations.root = violations.formulas.unary(Operator::Not, violations.root);
        let config = Config {
            states: 60,
            edges: 300,
            ..Config::default()
        };
        let Ok(automaton) = caret::translate(&violations, &config) else {
            continue;
        };
        let nsm = Nsm::of_rsm(&rsm).nsm;
        let holds = |state: StateId, atom: &str| match atom {
            "call" => nsm.kind(state) == Kind::Call,
            "ret" => nsm.kind(state) == Kind::Return,
            name => nsm.proposition(name).is_some_and(|p| nsm.holds(state, p)),
        };
        let letters = nsm.ids().map(|state| {
            let atoms = violations.formulas.atoms().iter().enumerate();
            let bits = atoms.map(|(bit, atom)| Letter::from(holds(state, &atom.text)) << bit);
            bits.sum()
        });
        let product = Product {
            letters: letters.collect(),
            machine: &nsm,
            automaton: &automaton,
            states: Vec::new(),
            numbers: HashMap::new(),
            builder: NsmBuilder::default(),
        };
        let product = product.build();
        if product.states().len() > 300 {
            continue;
        }
        compared += 1;
        let options = recurva_nested::Options::default();
        let go_on = |_: &_| ControlFlow::Continue(());
        let outcome = recurva_nested::check(&product, &repeats, &options, go_on);
        // No state is good if none has such a proposition.
        let expected = match outcome {
            Ok(outcome) => outcome.holds,
            Err(recurva_nested::CheckError::Unknown(_)) => false,
            Err(other) => panic!("{other}"),
        };
        violated += usize::from(expected);
        let options = Options {
            runs: Runs::Infinite,
            ..Options::default()
        };
        let found = ask(&model.program, &property, &options) != Answer::Holds;
        assert_eq!(found, expected, "seed {seed}: {text}\n{}", source.text());
    }
    assert!(
        violated * 10 > wanted && violated * 10 < wanted * 9,
        "{violated}"
    );
}
