//! The textbook post* of a pushdown system, as slow as it is plain.

use std::collections::BTreeSet;

use recurva_model::{
    Pds,
    pds::{Control, Head, StackSymbol, Word},
};

/// A state of the automaton that accepts the reachable configurations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    Control(Control),
    /// The middle of the rules that push this head's symbol, arriving in its location.
    Middle(Head),
    Final,
}

pub(crate) struct Reached {
    /// The heads of reachable configurations.
    pub(crate) heads: BTreeSet<Head>,
    /// The locations of reachable configurations, those with an empty stack included.
    pub(crate) controls: BTreeSet<Control>,
}

/// Adds transitions until none is missing. `None` is the empty word.
pub(crate) fn post_star(pds: &Pds) -> Reached {
    let start = pds.initial();
    let mut transitions: BTreeSet<(State, Option<StackSymbol>, State)> = BTreeSet::new();
    transitions.insert((
        State::Control(start.control),
        Some(start.symbol),
        State::Final,
    ));
    loop {
        let mut more = Vec::new();
        for rule in pds.rules() {
            for to in reads(&transitions, rule.from) {
                let control = rule.to;
                let from = State::Control(control);
                match rule.word {
                    Word::Pop => more.push((from, None, to)),
                    Word::Swap(symbol) => more.push((from, Some(symbol), to)),
                    Word::Push { top, below } => {
                        let middle = State::Middle(Head {
                            control,
                            symbol: top,
                        });
                        more.push((from, Some(top), middle));
                        more.push((middle, Some(below), to));
                    }
                }
            }
        }
        let before = transitions.len();
        transitions.extend(more);
        if transitions.len() == before {
            break;
        }
    }
    let mut heads = BTreeSet::new();
    let mut controls = BTreeSet::new();
    for index in 0..pds.parts().controls.len() as u32 {
        let control = Control(index);
        for symbol in (0..pds.parts().symbols.len() as u32).map(StackSymbol) {
            let head = Head { control, symbol };
            if !reads(&transitions, head).is_empty() {
                heads.insert(head);
            }
        }
        if transitions.iter().any(|t| t.0 == State::Control(control)) {
            controls.insert(control);
        }
    }
    Reached { heads, controls }
}

/// The states where the location can read the symbol, empty words left out before it.
fn reads(
    transitions: &BTreeSet<(State, Option<StackSymbol>, State)>,
    head: Head,
) -> BTreeSet<State> {
    let mut states = vec![State::Control(head.control)];
    let mut seen: BTreeSet<State> = states.iter().copied().collect();
    let mut found = BTreeSet::new();
    while let Some(state) = states.pop() {
        for &(from, symbol, to) in transitions {
            if from != state {
                continue;
            }
            match symbol {
                None if seen.insert(to) => states.push(to),
                None => {}
                Some(symbol) if symbol == head.symbol => {
                    found.insert(to);
                }
                Some(_) => {}
            }
        }
    }
    found
}
