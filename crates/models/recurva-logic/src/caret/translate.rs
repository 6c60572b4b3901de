//! From formulas to automata over nested words. The page `README.md` beside this file tells how
//! and why.

use std::{collections::HashMap, rc::Rc};

use recurva_model::{Cube, Letter, NestedEdge, NestedParts, NestedState};
use rustc_hash::FxHashMap;

use super::stand_ins::WithStandIns;
use crate::{
    automaton::{Config, Expander, Letters, MAX_ATOMS, MAX_SETS, Set, Terms, TooLarge},
    ltl::{Chain, Formula, FormulaId},
};

/// An automaton over nested words that accepts those on which a formula holds. Bit `i` of a
/// letter is atom `i` of the formula's arena.
pub fn translate(formula: &Formula, config: &Config<'_>) -> Result<NestedParts, TooLarge> {
    let mut formulas = formula.formulas.clone();
    let root = formulas.negation_normal_form(formula.root);
    let plain = WithStandIns::of(&Formula { formulas, root });
    if plain.formulas.atoms().len() > MAX_ATOMS {
        return Err(TooLarge::Atoms(MAX_ATOMS));
    }
    if plain.promises > MAX_SETS {
        return Err(TooLarge::Sets(MAX_SETS));
    }
    if plain.called.len() > MOST_CALLED {
        return Err(TooLarge::States(config.states));
    }
    Tableau::new(&plain, config).build()
}

/// More formulas about callers than that would make too many states.
const MOST_CALLED: usize = 16;

/// Formulas that hold at a position, sorted.
type Formulas = Rc<[FormulaId]>;

/// Where the automaton is in the nesting of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    /// The running procedure returns one day.
    returns: bool,
    /// Which of [`WithStandIns::called`] hold where it was called, if it was called.
    caller: Option<u32>,
}

/// What is thought to happen after a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// It does not matter: nothing is asked of local positions.
    Any,
    Step,
    Return,
    /// A call that returns; or any call, if nothing is asked of local positions.
    Call,
    /// A call that never returns.
    Lost,
}

/// A position that is about to be read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Head {
    /// The number of what has to hold: what asks the same of all words is one.
    terms: u32,
    place: Place,
}

/// One way to read a position.
#[derive(Clone, Debug)]
struct Way {
    cube: Cube,
    kind: Kind,
    /// Which formulas the procedure called may rely on.
    called: u32,
    /// What has to hold at the next position.
    next: Formulas,
    /// What has to hold at the next position of the same invocation.
    local: Formulas,
    /// The marks that it does not get.
    missing: u32,
}

impl Way {
    /// Whether this asks no more than another, and gets no fewer marks.
    fn asks_less(&self, other: &Way) -> bool {
        let within = |small: &Formulas, large: &Formulas| {
            small.iter().all(|id| large.binary_search(id).is_ok())
        };
        self.kind == other.kind
            && self.called == other.called
            && self.missing & !other.missing == 0
            && self.cube.positive & !other.cube.positive == 0
            && self.cube.negative & !other.cube.negative == 0
            && within(&self.next, &other.next)
            && within(&self.local, &other.local)
    }
}

/// Above this many ways they are not compared with each other.
const MOST_COMPARED: usize = 2_000;

/// The automaton while it grows.
struct Tableau<'f> {
    plain: &'f WithStandIns,
    config: &'f Config<'f>,
    expander: Expander<'f>,
    letters: Letters,
    terms: FxHashMap<Terms, u32>,
    /// One set of formulas for each number of terms.
    formulas: Vec<Formulas>,
    numbers: FxHashMap<Formulas, u32>,
    heads: Numbered<Head>,
    edges: Vec<Option<Vec<NestedEdge>>>,
    edge_count: usize,
    states: Numbered<NestedState>,
    exits: Numbered<Formulas>,
    frames: Numbered<(Place, Formulas)>,
    returns: HashMap<(u32, u32), u32>,
}

/// Things with numbers.
#[derive(Debug)]
struct Numbered<T> {
    list: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Numbered {
            list: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Numbered<T> {
    fn number(&mut self, thing: T) -> u32 {
        let Numbered { list, numbers } = self;
        *numbers.entry(thing).or_insert_with_key(|thing| {
            list.push(thing.clone());
            list.len() as u32 - 1
        })
    }
}

/// What is known about the invocations that begin at a head.
#[derive(Debug, Default)]
struct Invocation {
    exits: Vec<u32>,
    /// What returns find, and where the calling invocations began.
    callers: Vec<(u32, u32)>,
}

impl<'f> Tableau<'f> {
    fn new(plain: &'f WithStandIns, config: &'f Config<'f>) -> Self {
        Tableau {
            plain,
            config,
            expander: Expander::new(&plain.formulas, config),
            letters: Letters::default(),
            terms: FxHashMap::default(),
            formulas: Vec::new(),
            numbers: FxHashMap::default(),
            heads: Numbered::default(),
            edges: Vec::new(),
            edge_count: 0,
            states: Numbered::default(),
            exits: Numbered::default(),
            frames: Numbered::default(),
            returns: HashMap::new(),
        }
    }

    /// Follows all that may happen: heads together with the head where their invocation began,
    /// so that only such returns are made that some word may have.
    fn build(mut self) -> Result<NestedParts, TooLarge> {
        let outermost = Place {
            returns: false,
            caller: None,
        };
        let initial = self.head(&[self.plain.root].into(), outermost)?;
        let mut invocations: FxHashMap<u32, Invocation> = FxHashMap::default();
        let mut seen: Numbered<(u32, u32)> = Numbered::default();
        seen.number((initial, initial));
        let mut next = 0;
        while let Some(&(entry, head)) = seen.list.get(next) {
            next += 1;
            for state in self.leaving(head)? {
                if let Some(to) = state.step {
                    seen.number((entry, to));
                }
                if let Some(to) = state.call {
                    seen.number((to, to));
                    if let Some(frame) = state.frame {
                        let called = invocations.entry(to).or_default();
                        if !called.callers.contains(&(frame, entry)) {
                            called.callers.push((frame, entry));
                            for exit in called.exits.clone() {
                                seen.number((entry, self.returned(exit, frame)?));
                            }
                        }
                    }
                }
                if let Some(exit) = state.exit {
                    let own = invocations.entry(entry).or_default();
                    if !own.exits.contains(&exit) {
                        own.exits.push(exit);
                        for (frame, caller) in own.callers.clone() {
                            seen.number((caller, self.returned(exit, frame)?));
                        }
                    }
                }
            }
        }
        self.finish(initial)
    }

    fn finish(self, initial: u32) -> Result<NestedParts, TooLarge> {
        if self.letters.overflowed() {
            return Err(TooLarge::Labels);
        }
        let global = self.expander.promises();
        let local = self.local_marks();
        let acceptance = match global {
            0 => local,
            32.. => u32::MAX,
            _ => local | u32::MAX >> (32 - global),
        };
        if acceptance.count_ones() < global + local.count_ones() {
            return Err(TooLarge::Sets(MAX_SETS));
        }
        let mut states = self.states.list;
        for state in &mut states {
            state.marks = acceptance & !state.marks;
        }
        let edges = self.edges.into_iter();
        Ok(NestedParts {
            states,
            heads: edges.map(Option::unwrap_or_default).collect(),
            initial,
            acceptance,
            returns: self.returns,
        })
    }

    /// The marks of promises about local positions, from the last one on. There is always one
    /// where it matters whether calls return: a procedure that is thought to return and does
    /// not gets none of them.
    fn local_marks(&self) -> u32 {
        let count = match self.plain.promises {
            0 => u32::from(self.plain.uses(Chain::Local)),
            count => count,
        };
        match count {
            0 => 0,
            _ => u32::MAX << (32 - count),
        }
    }

    /// The number of a set of formulas, by what they ask of words.
    fn terms(&mut self, formulas: &Formulas) -> Result<u32, TooLarge> {
        if let Some(&number) = self.numbers.get(formulas) {
            return Ok(number);
        }
        let terms = self.expander.conjunction(formulas, &mut self.letters)?;
        let fresh = self.formulas.len() as u32;
        let number = *self.terms.entry(terms).or_insert(fresh);
        if number == fresh {
            self.formulas.push(formulas.clone());
        }
        self.numbers.insert(formulas.clone(), number);
        Ok(number)
    }

    fn head(&mut self, formulas: &Formulas, place: Place) -> Result<u32, TooLarge> {
        let terms = self.terms(formulas)?;
        let head = self.heads.number(Head { terms, place });
        if self.edges.len() <= head as usize {
            self.edges.push(None);
            if self.edges.len() > self.config.states {
                return Err(TooLarge::States(self.config.states));
            }
        }
        Ok(head)
    }

    /// The head after a return.
    fn returned(&mut self, exit: u32, frame: u32) -> Result<u32, TooLarge> {
        if let Some(&head) = self.returns.get(&(exit, frame)) {
            return Ok(head);
        }
        let next = self.exits.list[exit as usize].clone();
        let (place, local) = self.frames.list[frame as usize].clone();
        let head = self.head(&union(&next, &local), place)?;
        self.returns.insert((exit, frame), head);
        Ok(head)
    }

    /// The states that a head leads to.
    fn leaving(&mut self, head: u32) -> Result<Vec<NestedState>, TooLarge> {
        if self.edges[head as usize].is_none() {
            let edges = self.edges_of(head)?;
            self.edge_count += edges.len();
            if self.edge_count > self.config.edges {
                return Err(TooLarge::Edges(self.config.edges));
            }
            self.edges[head as usize] = Some(edges);
        }
        let edges = self.edges[head as usize].iter().flatten();
        let states = edges.map(|edge| self.states.list[edge.to as usize]);
        Ok(states.collect())
    }

    fn edges_of(&mut self, head: u32) -> Result<Vec<NestedEdge>, TooLarge> {
        self.config.check()?;
        let Head { terms, place } = self.heads.list[head as usize];
        let formulas = self.formulas[terms as usize].clone();
        let mut ways = Vec::new();
        for called in 0..1_u32 << self.plain.called.len() {
            let relied = self.plain.called.iter().enumerate();
            let relied = relied.filter(|(bit, _)| called >> bit & 1 == 1);
            let relied: Formulas = relied.map(|(_, &id)| id).collect();
            let all = union(&formulas, &relied);
            let terms = self.expander.conjunction(&all, &mut self.letters)?;
            for term in &*terms {
                for cube in self.cubes(term.label)? {
                    for &kind in kinds(self.plain, place, called) {
                        let way = self.way(place, kind, called, cube);
                        ways.extend(way.map(|way| Way {
                            next: term.next.clone(),
                            missing: way.missing | term.promises,
                            ..way
                        }));
                    }
                }
            }
        }
        if ways.len() <= MOST_COMPARED {
            ways = least(ways);
        }
        let mut edges: Vec<(u32, Vec<Cube>)> = Vec::new();
        for way in ways {
            let state = self.state(place, &way)?;
            match edges.iter_mut().find(|(to, _)| *to == state) {
                Some((_, cubes)) => cubes.push(way.cube),
                None => edges.push((state, vec![way.cube])),
            }
        }
        let edge = |(to, cubes): (u32, Vec<Cube>)| NestedEdge {
            to,
            cubes: cubes.into(),
        };
        Ok(edges.into_iter().map(edge).collect())
    }

    fn cubes(&mut self, label: Set) -> Result<Vec<Cube>, TooLarge> {
        let limit = self.config.edges;
        self.letters
            .cubes(label, limit)
            .ok_or(TooLarge::Label(limit))
    }

    /// What a cube with stand-ins asks of other positions; `None` if they are not there. What
    /// it says does not hold is not asked: stand-ins are never negated.
    fn way(&self, place: Place, kind: Kind, called: u32, cube: Cube) -> Option<Way> {
        let first = self.plain.first;
        let own: Letter = match first {
            Letter::BITS => Letter::MAX,
            count => (1 << count) - 1,
        };
        let local_marks = self.local_marks();
        let mut missing = if place.returns { local_marks } else { 0 };
        let mut local = Vec::new();
        for (index, stand_in) in (0..).zip(&self.plain.stand_ins) {
            if cube.positive >> (first + index) & 1 == 0 {
                continue;
            }
            match stand_in.chain {
                Chain::Callers => {
                    let bit = self.plain.called.binary_search(&stand_in.target).ok()?;
                    match place.caller {
                        Some(known) if known >> bit & 1 == 0 => return None,
                        None if stand_in.strong => return None,
                        _ => {}
                    }
                }
                Chain::Local => match kind {
                    Kind::Return | Kind::Lost if stand_in.strong => return None,
                    Kind::Return | Kind::Lost => {}
                    Kind::Any | Kind::Step | Kind::Call => {
                        local.push(stand_in.target);
                        let mark = stand_in.promise.map(|promise| 1 << (31 - promise));
                        missing |= mark.unwrap_or(0);
                    }
                },
            }
        }
        local.sort_unstable();
        local.dedup();
        Some(Way {
            cube: Cube {
                positive: cube.positive & own,
                negative: cube.negative & own,
            },
            kind,
            called,
            next: Rc::default(),
            local: local.into(),
            missing,
        })
    }

    fn state(&mut self, place: Place, way: &Way) -> Result<u32, TooLarge> {
        let Way {
            kind, next, local, ..
        } = way;
        let callers = self.plain.uses(Chain::Callers);
        let local_matters = self.plain.uses(Chain::Local);
        let mut state = NestedState {
            marks: way.missing,
            ..NestedState::default()
        };
        if matches!(kind, Kind::Any | Kind::Step) {
            state.step = Some(self.head(&union(next, local), place)?);
        }
        if matches!(kind, Kind::Any | Kind::Call | Kind::Lost) {
            let inside = Place {
                returns: local_matters && *kind != Kind::Lost,
                caller: callers.then_some(way.called),
            };
            state.call = Some(self.head(next, inside)?);
        }
        if matches!(kind, Kind::Any | Kind::Call) {
            state.frame = Some(self.frames.number((place, local.clone())));
        }
        if matches!(kind, Kind::Any | Kind::Return) {
            state.exit = Some(self.exits.number(next.clone()));
        }
        Ok(self.states.number(state))
    }
}

/// What may happen after a position. What a call relies on matters to calls only.
fn kinds(plain: &WithStandIns, place: Place, called: u32) -> &'static [Kind] {
    match (plain.uses(Chain::Local), called, place.returns) {
        (false, 0, _) => &[Kind::Any],
        (false, _, _) => &[Kind::Call],
        (true, 0, true) => &[Kind::Step, Kind::Return, Kind::Call],
        (true, 0, false) => &[Kind::Step, Kind::Call, Kind::Lost],
        (true, _, true) => &[Kind::Call],
        (true, _, false) => &[Kind::Call, Kind::Lost],
    }
}

/// The ways without those that ask more than another.
fn least(ways: Vec<Way>) -> Vec<Way> {
    let mut kept: Vec<Way> = Vec::with_capacity(ways.len());
    for way in ways {
        if !kept.iter().any(|other| other.asks_less(&way)) {
            kept.retain(|other| !way.asks_less(other));
            kept.push(way);
        }
    }
    kept
}

fn union(a: &Formulas, b: &Formulas) -> Formulas {
    let mut all = [&a[..], &b[..]].concat();
    all.sort_unstable();
    all.dedup();
    all.into()
}
