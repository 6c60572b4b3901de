//! Random machines and formulas.

use super::{Formula, Kind, Machine, State, Which};
use crate::growing::Random;

/// A machine with up to 8 states. States may step, return, do both or neither.
pub(crate) fn grow_machine(random: &mut Random) -> Machine {
    let counts = [1 + random.below(3), 1 + random.below(2), random.below(4)];
    let mut kinds = Vec::new();
    for (kind, count) in [Kind::Local, Kind::Call, Kind::Return]
        .into_iter()
        .zip(counts)
    {
        kinds.extend(vec![kind; count]);
    }
    let of = |wanted: &[Kind]| -> Vec<State> {
        let all = kinds.iter().enumerate();
        let all = all.filter(|(_, kind)| wanted.contains(kind));
        all.map(|(state, _)| state).collect()
    };
    let enterable = of(&[Kind::Local, Kind::Call]);
    let (calls, returns) = (of(&[Kind::Call]), of(&[Kind::Return]));
    // How many moves there are is decided for a machine, so that some have few of one kind.
    let (steps, backs) = (1 + random.below(3), 1 + random.below(3));
    let mut next = Vec::new();
    let mut exits = Vec::new();
    for (state, kind) in kinds.iter().enumerate() {
        let count = random.below(steps + 1);
        let mut list: Vec<State> = (0..count).map(|_| random.pick(&enterable)).collect();
        list.sort_unstable();
        list.dedup();
        next.push(list);
        if *kind != Kind::Call && !returns.is_empty() {
            for &pending in &calls {
                for _ in 0..random.below(backs) {
                    exits.push((state, pending, random.pick(&returns)));
                }
            }
        }
    }
    exits.sort_unstable();
    exits.dedup();
    let init = match random.below(2) {
        0 => random.pick(&calls),
        _ => random.pick(&enterable),
    };
    Machine {
        labels: kinds
            .iter()
            .map(|_| [random.below(2) == 0, random.below(2) == 0])
            .collect(),
        kinds,
        next,
        returns: exits,
        init,
    }
}

/// Patterns, with the number of arguments.
pub(crate) const PATTERNS: [(&str, usize); 13] = [
    ("partial_correctness", 3),
    ("total_correctness", 3),
    ("all_calls_return", 0),
    ("never_under", 2),
    ("only_under", 2),
    ("all_callers", 2),
    ("never_once_called", 2),
    ("no_calls", 0),
    ("each_callee", 1),
    ("access_control", 3),
    ("very_busy", 2),
    ("very_busy_mixed", 3),
    ("written_then", 4),
];

/// A formula so deep in which so many markers may occur.
pub(crate) fn grow_formula(random: &mut Random, depth: usize, markers: usize) -> Formula {
    if depth == 0 {
        return match random.below(if markers > 0 { 6 } else { 4 }) {
            0 | 1 => Formula::Label(random.below(2)),
            2 => Formula::Not(Box::new(Formula::Label(random.below(2)))),
            3 => match random.below(3) {
                0 => Formula::Terminates,
                1 => Formula::ReturnConstant(which(random), random.below(2) == 0),
                _ => Formula::Constant(random.below(2) == 0),
            },
            _ => Formula::Return(which(random), random.below(markers)),
        };
    }
    let depth = depth - 1;
    let kind = which(random);
    match random.below(12) {
        0 => {
            let parts = Box::new([
                grow_formula(random, depth, markers),
                grow_formula(random, depth / 2, markers),
            ]);
            match kind {
                Which::All => Formula::And(parts),
                Which::Some => Formula::Or(parts),
            }
        }
        1 => Formula::Not(Box::new(grow_formula(random, depth, 0))),
        2 => Formula::Local(kind, Box::new(grow_formula(random, depth, markers))),
        3 | 4 => {
            let count = random.below(3);
            let body = grow_formula(random, depth, count);
            let returns = (0..count).map(|_| grow_formula(random, depth / 2, markers));
            Formula::Call(kind, Box::new(body), returns.collect())
        }
        5 => Formula::Jump(kind, Box::new(grow_formula(random, depth, markers))),
        6 => {
            let (name, count) = random.pick(&PATTERNS);
            let arguments = (0..count).map(|_| grow_formula(random, depth / 2, 0));
            Formula::Pattern(name, arguments.collect())
        }
        7 | 8 => {
            let local = random.below(2) == 0;
            let markers = if local { markers } else { 0 };
            Formula::Short {
                which: kind,
                always: random.below(2) == 0,
                local,
                part: Box::new(grow_formula(random, depth, markers)),
            }
        }
        _ => {
            let local = random.below(2) == 0;
            let markers = if local { markers } else { 0 };
            Formula::Path {
                which: kind,
                weak: random.below(2) == 0,
                local,
                parts: Box::new([
                    grow_formula(random, depth, markers),
                    grow_formula(random, depth / 2, markers),
                ]),
            }
        }
    }
}

fn which(random: &mut Random) -> Which {
    random.pick(&[Which::Some, Which::All])
}
