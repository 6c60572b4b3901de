//! Random machines and formulas.

#![allow(dead_code, reason = "not every test needs everything")]

use recurva_logic::ntmu::{Fixpoint, Formula, FormulaId, Formulas, Modality, VariableId};
use recurva_model::nsm::{Kind, Nsm, NsmBuilder, StateId};

/// A generator of random numbers (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    pub(crate) fn modality(&mut self) -> Modality {
        self.pick(&[Modality::Some, Modality::All])
    }
}

/// A machine with up to 8 states, of which up to 3 are return states.
pub(crate) fn random_machine(random: &mut Random) -> Nsm {
    let mut builder = NsmBuilder::default();
    let mut states: [Vec<StateId>; 3] = Default::default();
    let counts = [1 + random.below(3), 1 + random.below(2), random.below(4)];
    for (kind, count) in [Kind::Local, Kind::Call, Kind::Return]
        .into_iter()
        .zip(counts)
    {
        for index in 0..count {
            let labels: &[&str] = random.pick(&[&[], &["p"], &["q"], &["p", "q"]]);
            let state = builder.state(&format!("{}{index}", kind.word()), kind, labels);
            states[kind as usize].push(state);
        }
    }
    let start = states[0][0];
    builder.label(start, "p").label(start, "q");
    let [locals, calls, returns] = states;
    let inside: Vec<StateId> = locals.iter().chain(&returns).copied().collect();
    let enterable: Vec<StateId> = locals.iter().chain(&calls).copied().collect();
    for &from in &inside {
        for _ in 0..random.below(3) {
            builder.local(from, random.pick(&enterable));
        }
    }
    for &call in &calls {
        for _ in 0..1 + random.below(2) {
            builder.call(call, random.pick(&enterable));
        }
    }
    if !returns.is_empty() {
        for &from in &inside {
            for &pending in &calls {
                for _ in 0..random.below(3) {
                    builder.ret(from, pending, random.pick(&returns));
                }
            }
        }
    }
    builder.finish(random.pick(&enterable)).expect("it fits")
}

/// Grows formulas.
pub(crate) struct Grower<'r> {
    pub(crate) random: &'r mut Random,
    pub(crate) formulas: Formulas,
    pub(crate) bound: Vec<VariableId>,
    /// The kinds of the fixpoints around, innermost last.
    pub(crate) kinds: Vec<Fixpoint>,
    pub(crate) arity: usize,
}

impl Grower<'_> {
    /// A formula in which so many markers may occur.
    pub(crate) fn grow(&mut self, size: usize, markers: usize) -> FormulaId {
        if size == 0 {
            return self.leaf(markers);
        }
        let size = size - 1;
        match self.random.below(9) {
            0 | 1 => {
                let left = self.grow(size / 2, markers);
                let right = self.grow(size - size / 2, markers);
                match self.random.below(2) {
                    0 => self.formulas.and(left, right),
                    _ => self.formulas.or(left, right),
                }
            }
            2 | 3 => {
                let body = self.grow(size, markers);
                let modality = self.random.modality();
                self.formulas.local(modality, body)
            }
            4..=6 => {
                let count = self.random.below(self.arity + 1);
                let share = size / (count + 1);
                let body = self.grow(size - share * count, count);
                let returns: Vec<FormulaId> =
                    (0..count).map(|_| self.grow(share, markers)).collect();
                let modality = self.random.modality();
                self.formulas.call(modality, body, &returns)
            }
            _ => {
                let kind = self.random.pick(&[Fixpoint::Least, Fixpoint::Greatest]);
                let changes =
                    |kinds: &[Fixpoint]| kinds.windows(2).filter(|w| w[0] != w[1]).count();
                self.kinds.push(kind);
                if changes(&self.kinds) > 2 {
                    self.kinds.pop();
                    return self.leaf(markers);
                }
                let variable = self.formulas.new_variable("X");
                self.bound.push(variable);
                let body = self.grow(size, markers);
                self.bound.pop();
                self.kinds.pop();
                self.formulas.fixpoint(kind, variable, body)
            }
        }
    }

    /// Fixpoints of alternating kinds around a choice of moves to their variables: the formulas
    /// in which inner fixpoints have to be computed again.
    fn nest(&mut self) -> FormulaId {
        let first = self.random.below(2);
        let depth = 2 + self.random.below(2);
        for index in 0..depth {
            let variable = self.formulas.new_variable("X");
            self.bound.push(variable);
            let kinds = [Fixpoint::Least, Fixpoint::Greatest];
            self.kinds.push(kinds[(first + index) % 2]);
        }
        let mut body = None;
        for _ in 0..depth + self.random.below(3) {
            let variable = self.random.pick(&self.bound);
            let variable = self.formulas.variable(variable);
            let modality = self.random.modality();
            let step = match self.random.below(4) {
                0 if self.arity > 0 => {
                    let inside = self.grow(2, 1);
                    self.formulas.call(modality, inside, &[variable])
                }
                1 => self.formulas.call(modality, variable, &[]),
                _ => self.formulas.local(modality, variable),
            };
            let guard = self.grow(0, 0);
            let step = match self.random.below(2) {
                0 => self.formulas.and(guard, step),
                _ => self.formulas.or(guard, step),
            };
            body = Some(match (body, self.random.below(2)) {
                (None, _) => step,
                (Some(body), 0) => self.formulas.and(body, step),
                (Some(body), _) => self.formulas.or(body, step),
            });
        }
        let mut body = body.expect("there is a step");
        while let (Some(variable), Some(kind)) = (self.bound.pop(), self.kinds.pop()) {
            body = self.formulas.fixpoint(kind, variable, body);
        }
        body
    }

    fn leaf(&mut self, markers: usize) -> FormulaId {
        let choice = self.random.below(10);
        if markers > 0 && choice < 3 {
            let marker = 1 + self.random.below(markers) as u32;
            let modality = self.random.modality();
            return self.formulas.ret(modality, marker);
        }
        if choice < 8 && !self.bound.is_empty() {
            let variable = self.random.pick(&self.bound);
            return self.formulas.variable(variable);
        }
        if choice == 9 {
            let (modality, value) = (self.random.modality(), self.random.below(2) == 0);
            return self.formulas.ret_constant(modality, value);
        }
        let name = self.random.pick(&["p", "q"]);
        let proposition = self.formulas.proposition(name);
        match self.random.below(2) {
            0 => proposition,
            _ => self.formulas.negate(proposition),
        }
    }
}

pub(crate) fn random_formula(random: &mut Random) -> Formula {
    let (arity, size) = (random.below(3), 4 + random.below(18));
    let mut grower = Grower {
        random,
        formulas: Formulas::new(),
        bound: Vec::new(),
        kinds: Vec::new(),
        arity,
    };
    let root = match grower.random.below(2) {
        0 => grower.grow(size, 0),
        _ => grower.nest(),
    };
    Formula::new(grower.formulas, root).expect("it is closed")
}
