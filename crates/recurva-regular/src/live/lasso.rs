//! Fair runs of one size that violate a formula: a search over explicit words, and an independent
//! check of what it finds.

use recurva_logic::{automaton, ltl};
use rustc_hash::FxHashMap;

use super::{Atom, Live, Property, Requirement, Scope};
use crate::{ACTOR, Letter, Meter, Nfa, Stop, finite::Stepper, meter::heap, pair, system::System};

/// A run that goes round for ever.
#[derive(Clone, Debug)]
pub struct Lasso {
    /// The words before the loop.
    pub stem: Vec<Vec<Letter>>,
    /// The words of the loop; behind the last one comes the first.
    pub turn: Vec<Vec<Letter>>,
    /// The process that the formula is about.
    pub process: Option<usize>,
}

/// Searches further sizes for a lasso, as far as the work goes.
pub(super) fn search(
    system: &System,
    live: &Live,
    next: &mut usize,
    work: u64,
    meter: &mut Meter<'_>,
) -> Result<Option<Lasso>, Stop> {
    meter.progress.technique = "finite";
    meter.within(work, |meter| {
        loop {
            meter.progress.round = *next as u64;
            meter.work(1000)?;
            if let Some(lasso) = one_size(system, live, *next, meter)? {
                return Ok(Some(lasso));
            }
            *next += 1;
        }
    })
}

fn one_size(
    system: &System,
    live: &Live,
    size: usize,
    meter: &mut Meter<'_>,
) -> Result<Option<Lasso>, Stop> {
    let processes: Vec<Option<usize>> = match live.scope {
        Scope::Word => vec![None],
        Scope::Process(_) => (0..size).map(Some).collect(),
    };
    for process in processes {
        let graph = Graph::build(system, live, size, process, meter)?;
        if let Some(lasso) = graph.lasso(system, process, meter)? {
            return Ok(Some(lasso));
        }
    }
    Ok(None)
}

/// The letters of the formula's atoms in a word.
fn valuation(atoms: &[Atom], word: &[Letter], process: Option<usize>) -> u64 {
    let mut bits = 0;
    for (at, atom) in atoms.iter().enumerate() {
        let holds = match (atom, process) {
            (Atom::Letter(set), Some(process)) => set.accepts(&[word[process]]),
            (Atom::Letter(_), None) => false,
            (Atom::Word(set), _) => set.accepts(word),
        };
        bits |= u64::from(holds) << at;
    }
    bits
}

/// What a loop must do, and where it can.
#[derive(Clone, Copy)]
enum Duty {
    Visit(u32),
    Take(u32, u32),
}

/// The automaton and the system together, at one size and for one process.
struct Graph {
    nodes: Vec<(u32, Vec<Letter>)>,
    /// Target and acceptance marks.
    edges: Vec<Vec<(u32, u32)>>,
    /// From where each node was first met.
    before: Vec<u32>,
    sets: u32,
}

impl Graph {
    fn build(
        system: &System,
        live: &Live,
        size: usize,
        process: Option<usize>,
        meter: &mut Meter<'_>,
    ) -> Result<Graph, Stop> {
        let Property {
            negation, atoms, ..
        } = &live.formula;
        let level = meter.level();
        let mut steppers: Vec<Stepper> = Vec::new();
        let mut fixed = 0;
        for action in &system.actions {
            let stepper = Stepper::new(&action.relation, size, meter)?;
            fixed += stepper.bytes();
            meter.hold(level, fixed)?;
            steppers.push(stepper);
        }
        // Each word is in the list and in the table, and has edges.
        let one = 2 * (32 + heap(4 * size)) + 24 + 4;
        let mut edges = 0;
        let mut graph = Graph {
            nodes: Vec::new(),
            edges: Vec::new(),
            before: Vec::new(),
            sets: negation.all_marks(),
        };
        let mut numbers: FxHashMap<(u32, Vec<Letter>), u32> = FxHashMap::default();
        for word in system.initial.words(size, meter)? {
            let node = (negation.initial(), word);
            numbers.insert(node.clone(), graph.nodes.len() as u32);
            graph.nodes.push(node);
            graph.before.push(u32::MAX);
        }
        let mut at = 0;
        while at < graph.nodes.len() {
            let (state, word) = graph.nodes[at].clone();
            meter.work(size as u64 + 1)?;
            let bits = valuation(atoms, &word, process);
            let mut words = Vec::new();
            for stepper in &steppers {
                stepper.next(&word, meter, &mut words)?;
            }
            words.sort_unstable();
            words.dedup();
            let mut out = Vec::new();
            for edge in negation
                .edges_from(state)
                .iter()
                .filter(|edge| edge.label.holds(bits))
            {
                for word in &words {
                    let node = (edge.target, word.clone());
                    let next = graph.nodes.len() as u32;
                    let number = *numbers.entry(node.clone()).or_insert(next);
                    if number == next {
                        graph.nodes.push(node);
                        graph.before.push(at as u32);
                    }
                    out.push((number, edge.marks));
                }
            }
            edges += heap(8 * out.capacity());
            meter.hold(level, fixed + edges + graph.nodes.len() * one)?;
            graph.edges.push(out);
            at += 1;
        }
        meter.release(level);
        Ok(graph)
    }

    /// A fair loop that can be reached, if there is one.
    fn lasso(
        &self,
        system: &System,
        process: Option<usize>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Lasso>, Stop> {
        let targets: Vec<Vec<u32>> = self
            .edges
            .iter()
            .map(|out| out.iter().map(|&(to, _)| to).collect())
            .collect();
        let nodes = self.nodes.len();
        let component = automaton::components(nodes, 0..nodes as u32, |node| {
            targets[node as usize].iter().copied()
        });
        let count = component
            .iter()
            .map(|&number| number as usize + 1)
            .max()
            .unwrap_or(0);
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (node, &number) in component.iter().enumerate() {
            members[number as usize].push(node as u32);
        }
        for (number, list) in members.iter().enumerate() {
            let inside = |node: u32| component[node as usize] == number as u32;
            let has_edge = list
                .iter()
                .any(|&node| self.edges[node as usize].iter().any(|&(to, _)| inside(to)));
            if !has_edge {
                continue;
            }
            if let Some(turn) = self.turn(system, list, &inside, meter)? {
                let mut stem = Vec::new();
                let mut now = self.before[turn[0] as usize];
                while now != u32::MAX {
                    stem.push(self.nodes[now as usize].1.clone());
                    now = self.before[now as usize];
                }
                stem.reverse();
                let turn = turn.iter().map(|&node| self.nodes[node as usize].1.clone());
                return Ok(Some(Lasso {
                    stem,
                    turn: turn.collect(),
                    process,
                }));
            }
        }
        Ok(None)
    }

    /// A closed way through a component that does all that must be done again and again.
    fn turn(
        &self,
        system: &System,
        list: &[u32],
        inside: &impl Fn(u32) -> bool,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<u32>>, Stop> {
        let mut duties: Vec<Duty> = Vec::new();
        for set in (0..u32::BITS).filter(|set| self.sets >> set & 1 == 1) {
            let found = list.iter().find_map(|&node| {
                let mut edges = self.edges[node as usize].iter();
                let edge = edges.find(|&&(to, marks)| inside(to) && marks >> set & 1 == 1)?;
                Some(Duty::Take(node, edge.0))
            });
            match found {
                Some(duty) => duties.push(duty),
                None => return Ok(None),
            }
        }
        let size = self.nodes[list[0] as usize].1.len();
        for fair in &system.fair {
            for position in 0..size {
                meter.work((size * list.len()) as u64)?;
                let duty = |&node: &u32| {
                    let word = &self.nodes[node as usize].1;
                    if satisfied(system, &fair.requirement, word, position) {
                        return Some(Duty::Visit(node));
                    }
                    let mut edges = self.edges[node as usize].iter();
                    let edge = edges.find(|&&(to, _)| {
                        let next = &self.nodes[to as usize].1;
                        inside(to) && takes(system, &fair.requirement, word, next, position)
                    });
                    edge.map(|&(to, _)| Duty::Take(node, to))
                };
                match list.iter().find_map(duty) {
                    Some(duty) => duties.push(duty),
                    None => return Ok(None),
                }
            }
        }
        // Nodes are numbered as they were met: the first is nearest to the beginning.
        let start = list[0];
        let mut way = vec![start];
        for duty in duties {
            let now = *way.last().unwrap_or(&start);
            match duty {
                Duty::Visit(node) if way.contains(&node) => {}
                Duty::Visit(node) => self.walk(now, node, inside, &mut way),
                Duty::Take(node, to) => {
                    let taken = way.windows(2).any(|pair| pair == [node, to]);
                    if !taken {
                        self.walk(now, node, inside, &mut way);
                        way.push(to);
                    }
                }
            }
        }
        if way.len() == 1 {
            // Nothing had to be done: any closed way will do.
            let first = self.edges[start as usize]
                .iter()
                .find(|&&(to, _)| inside(to));
            way.extend(first.map(|&(to, _)| to));
        }
        let now = *way.last().unwrap_or(&start);
        self.walk(now, start, inside, &mut way);
        way.pop();
        Ok(Some(way))
    }

    /// A shortest way inside a component; all but its first node are added.
    fn walk(&self, from: u32, to: u32, inside: &impl Fn(u32) -> bool, way: &mut Vec<u32>) {
        if from == to {
            return;
        }
        let mut before: FxHashMap<u32, u32> = FxHashMap::default();
        let mut todo = std::collections::VecDeque::from([from]);
        before.insert(from, from);
        while let Some(node) = todo.pop_front() {
            if node == to {
                break;
            }
            for &(next, _) in &self.edges[node as usize] {
                if inside(next) && !before.contains_key(&next) {
                    before.insert(next, node);
                    todo.push_back(next);
                }
            }
        }
        let mut back = Vec::new();
        let mut now = to;
        while now != from {
            back.push(now);
            now = before.get(&now).copied().unwrap_or(from);
        }
        way.extend(back.iter().rev());
    }
}

/// Whether a marked automaton of steps accepts a word with one position acting, whatever the step
/// leads to or to a given word.
fn acts(marked: &Nfa, word: &[Letter], position: usize, to: Option<&[Letter]>) -> bool {
    let members = marked.classes().members();
    let mut now: Vec<u32> = marked.initial().to_vec();
    for (at, &a) in word.iter().enumerate() {
        let mark = if at == position { ACTOR } else { 0 };
        let fits = |letter: &Letter| {
            letter & ACTOR == mark
                && (letter & !ACTOR) >> 16 == a
                && to.is_none_or(|to| letter & !ACTOR == pair(a, to[at]))
        };
        let mut next: Vec<u32> = Vec::new();
        for &state in &now {
            for &(class, target) in marked.edges(state) {
                if members[class as usize].iter().any(fits) {
                    next.push(target);
                }
            }
        }
        next.sort_unstable();
        next.dedup();
        now = next;
    }
    now.iter().any(|&state| marked.is_accepting(state))
}

/// Whether a requirement holds at a position of a word.
fn satisfied(system: &System, requirement: &Requirement, word: &[Letter], position: usize) -> bool {
    match requirement {
        Requirement::Holds(set) => set[word[position] as usize],
        Requirement::Rule(rules) => !rules.iter().any(|&rule| {
            let marked = system.actions[rule].marked.as_ref();
            marked.is_some_and(|marked| acts(marked, word, position, None))
        }),
    }
}

/// Whether a step is one of a required rule, taken by a position.
fn takes(
    system: &System,
    requirement: &Requirement,
    word: &[Letter],
    next: &[Letter],
    position: usize,
) -> bool {
    match requirement {
        Requirement::Holds(_) => false,
        Requirement::Rule(rules) => rules.iter().any(|&rule| {
            let marked = system.actions[rule].marked.as_ref();
            marked.is_some_and(|marked| acts(marked, word, position, Some(next)))
        }),
    }
}

/// Checks a lasso: it begins in an initial word, all its steps are steps, it is fair, and the
/// formula, evaluated on it without any automaton, is false. Says what is wrong with it.
///
/// # Errors
///
/// What is wrong.
pub fn check_lasso(system: &System, live: &Live, lasso: &Lasso) -> Result<(), &'static str> {
    let words: Vec<&Vec<Letter>> = lasso.stem.iter().chain(&lasso.turn).collect();
    let (Some(first), Some(back)) = (words.first(), lasso.turn.first()) else {
        return Err("it has no loop");
    };
    if !system.initial.accepts(first) {
        return Err("it does not begin in an initial word");
    }
    let nexts = words.iter().skip(1).copied().chain([back]);
    for (from, to) in words.iter().zip(nexts) {
        let step = crate::zip(from, to);
        if from.len() != to.len()
            || !system
                .actions
                .iter()
                .any(|a| a.relation.dfa().accepts(&step))
        {
            return Err("it has a step that is none");
        }
    }
    for fair in &system.fair {
        for position in 0..back.len() {
            let turns = lasso
                .turn
                .iter()
                .zip(lasso.turn.iter().skip(1).chain([back]));
            let done = turns.into_iter().any(|(word, next)| {
                satisfied(system, &fair.requirement, word, position)
                    || takes(system, &fair.requirement, word, next, position)
            });
            if !done {
                return Err("it is not fair");
            }
        }
    }
    let Property {
        formula,
        of_formula: atoms,
        ..
    } = &live.formula;
    let read = |words: &[Vec<Letter>]| -> Vec<u64> {
        words
            .iter()
            .map(|word| valuation(atoms, word, lasso.process))
            .collect()
    };
    let value = ltl::evaluate(
        &formula.formulas,
        formula.root,
        &read(&lasso.stem),
        &read(&lasso.turn),
    );
    match value {
        Some(false) => Ok(()),
        _ => Err("the formula is true on it"),
    }
}
