//! Data flow over valid paths: the thesis' Fig. 6.1, random problems against a search with a
//! real stack, and variables of programs.

mod common;

use std::collections::BTreeSet;

use recurva_lang::{bp, rsm};
use recurva_model::{Action, Edge, Expr, NodeId, Op, Place, Point, ProcId, Program, VarRef};
use recurva_reach::{
    Context, Flow, Ifds, Options, Via, carry_on, live_variables, solve_ifds, solve_rsm, unassigned,
};
use recurva_syntax::Source;
use recurva_testkit::rng::Rng;

/// Fig. 6.1: `main` calls `bar`, assigns `g`, calls `bar` again, and then comes `L`. The only
/// fact is that `g` has no value.
struct Figure;

const MAIN: u32 = 0;
const BAR: u32 = 1;

impl Ifds for Figure {
    fn procedures(&self) -> u32 {
        2
    }

    fn main(&self) -> u32 {
        MAIN
    }

    fn points(&self, procedure: u32) -> u32 {
        if procedure == MAIN { 4 } else { 2 }
    }

    fn entry(&self, _: u32) -> u32 {
        0
    }

    fn exits(&self, procedure: u32) -> Vec<u32> {
        vec![self.points(procedure) - 1]
    }

    fn facts(&self, _: u32) -> u32 {
        1
    }

    fn edges(&self, procedure: u32) -> Vec<Flow> {
        let edge = |from, callee| Flow {
            from,
            to: from + 1,
            callee,
        };
        match procedure {
            MAIN => vec![edge(0, Some(BAR)), edge(1, None), edge(2, Some(BAR))],
            _ => vec![edge(0, None)],
        }
    }

    fn at_start(&self) -> Vec<u32> {
        vec![0]
    }

    fn flow(&self, procedure: u32, edge: u32, via: Via, fact: Option<u32>) -> Vec<u32> {
        // A global goes through what is called, not past it; the edge in the middle assigns it.
        let is_call = procedure == MAIN && edge != 1;
        let stays = match via {
            Via::Past => !is_call && procedure == BAR,
            Via::Into | Via::Back => true,
        };
        fact.filter(|_| stays).into_iter().collect()
    }
}

#[test]
fn the_figure_of_the_thesis() {
    let solution = solve_ifds(&Figure, u64::MAX, &mut carry_on).unwrap();
    let has_value = [false, false, true, true];
    for (point, &has_value) in has_value.iter().enumerate() {
        assert!(solution.is_reached(MAIN, point as u32));
        assert_eq!(
            solution.at(MAIN, point as u32).is_empty(),
            has_value,
            "{point}"
        );
    }
    // By the first call bar is left without a value.
    assert_eq!(solution.at(BAR, 1), [0]);
}

#[test]
fn the_machine_of_the_figure() {
    let text = "component M1\n entry s\n exit t\n box b1 : M2\n box b2 : M2\n s -> b1.u\n b2.v -> t\n label b1.v : after_b1\n label b2.u : before_b2\n\
                component M2\n entry u\n exit v\n u -> v\ninit M1.s\n";
    let source = Source::new("figure.rsm", text).unwrap();
    let rsm = rsm::parse(&source).rsm.unwrap();
    let solution = solve_rsm(&rsm, Context::Any, &Options::default(), &mut carry_on).unwrap();
    let vertex = |name: &str| rsm.vertices().find(|&it| rsm.name(it) == name).unwrap().0;
    assert!(solution.contains(vertex("M1.s"), vertex("M1.b1.v")));
    assert!(solution.contains(vertex("M1.b2.u"), vertex("M1.t")));
    assert!(!solution.contains(vertex("M1.s"), vertex("M1.b2.v")));
}

/// A problem of random tables.
struct Random {
    points: Vec<u32>,
    facts: Vec<u32>,
    edges: Vec<Vec<Flow>>,
    /// For each procedure, edge and way: what comes out of nothing and of each fact.
    flows: Vec<Vec<[Vec<Vec<u32>>; 3]>>,
}

impl Random {
    fn new(rng: &mut Rng) -> Self {
        let count = 1 + rng.below(3);
        let points: Vec<u32> = (0..count).map(|_| 2 + rng.below(3) as u32).collect();
        let facts: Vec<u32> = (0..count).map(|_| rng.below(3) as u32).collect();
        let (mut edges, mut flows) = (Vec::new(), Vec::new());
        for procedure in 0..count {
            let (mut own, mut tables) = (Vec::new(), Vec::new());
            for _ in 0..rng.below(6) {
                let callee = rng.chance(40).then(|| rng.below(count) as u32);
                own.push(Flow {
                    from: rng.below(points[procedure] as usize) as u32,
                    to: rng.below(points[procedure] as usize) as u32,
                    callee,
                });
                let mine = facts[procedure];
                let theirs = callee.map_or(mine, |callee| facts[callee as usize]);
                let mut table = |from: u32, to: u32, seldom: u8| -> Vec<Vec<u32>> {
                    let row =
                        |rng: &mut Rng, chance| (0..to).filter(|_| rng.chance(chance)).collect();
                    (0..=from)
                        .map(|it| row(rng, if it == 0 { seldom } else { 45 }))
                        .collect()
                };
                tables.push([
                    table(mine, mine, 10),
                    table(mine, theirs, 15),
                    table(theirs, mine, 10),
                ]);
            }
            edges.push(own);
            flows.push(tables);
        }
        Random {
            points,
            facts,
            edges,
            flows,
        }
    }
}

impl Ifds for Random {
    fn procedures(&self) -> u32 {
        self.points.len() as u32
    }

    fn main(&self) -> u32 {
        0
    }

    fn points(&self, procedure: u32) -> u32 {
        self.points[procedure as usize]
    }

    fn entry(&self, _: u32) -> u32 {
        0
    }

    fn exits(&self, procedure: u32) -> Vec<u32> {
        vec![self.points(procedure) - 1]
    }

    fn facts(&self, procedure: u32) -> u32 {
        self.facts[procedure as usize]
    }

    fn edges(&self, procedure: u32) -> Vec<Flow> {
        self.edges[procedure as usize].clone()
    }

    fn at_start(&self) -> Vec<u32> {
        Vec::new()
    }

    fn flow(&self, procedure: u32, edge: u32, via: Via, fact: Option<u32>) -> Vec<u32> {
        let way = match via {
            Via::Past => 0,
            Via::Into => 1,
            Via::Back => 2,
        };
        let table = &self.flows[procedure as usize][edge as usize][way];
        table[fact.map_or(0, |fact| fact as usize + 1)].clone()
    }
}

/// Procedure, point and fact.
type State = (u32, u32, Option<u32>);
/// A call that waits: procedure, edge, and a fact that waits with it.
type Frame = (u32, u32, Option<u32>);

/// All states on paths with at most so many calls open, and whether that was no limit.
fn with_a_stack(problem: &Random, depth: usize) -> (BTreeSet<State>, bool) {
    let mut seen: BTreeSet<(State, Vec<Frame>)> = BTreeSet::new();
    let mut open = vec![((0, 0, None), Vec::new())];
    let mut exhaustive = true;
    while let Some((state, stack)) = open.pop() {
        if !seen.insert((state, stack.clone())) {
            continue;
        }
        let (procedure, point, fact) = state;
        let out = |owner, edge, via, fact: Option<u32>| {
            let facts = problem.flow(owner, edge, via, fact).into_iter().map(Some);
            facts
                .chain(fact.is_none().then_some(None))
                .collect::<Vec<_>>()
        };
        for (number, edge) in problem.edges(procedure).iter().enumerate() {
            let number = number as u32;
            if edge.from != point {
                continue;
            }
            let Some(callee) = edge.callee else {
                for after in out(procedure, number, Via::Past, fact) {
                    open.push(((procedure, edge.to, after), stack.clone()));
                }
                continue;
            };
            if stack.len() == depth {
                exhaustive = false;
                continue;
            }
            for inside in out(procedure, number, Via::Into, fact) {
                let mut deeper = stack.clone();
                deeper.push((procedure, number, None));
                open.push(((callee, 0, inside), deeper));
            }
            for waits in problem.flow(procedure, number, Via::Past, fact) {
                let mut deeper = stack.clone();
                deeper.push((procedure, number, Some(waits)));
                open.push(((callee, 0, None), deeper));
            }
        }
        if point == problem.points(procedure) - 1
            && let Some(&(caller, number, waits)) = stack.last()
        {
            let below = stack[..stack.len() - 1].to_vec();
            let to = problem.edges(caller)[number as usize].to;
            match waits {
                Some(_) if fact.is_none() => open.push(((caller, to, waits), below)),
                Some(_) => {}
                None => {
                    for after in out(caller, number, Via::Back, fact) {
                        open.push(((caller, to, after), below.clone()));
                    }
                }
            }
        }
    }
    (
        seen.into_iter().map(|(state, _)| state).collect(),
        exhaustive,
    )
}

#[test]
fn random_problems_agree_with_a_search_that_has_a_stack() {
    let (mut equal, mut more) = (0, 0);
    for seed in 0..3000 {
        let problem = Random::new(&mut Rng::new(seed));
        let solution = solve_ifds(&problem, u64::MAX, &mut carry_on).unwrap();
        let (states, exhaustive) = with_a_stack(&problem, 4);
        let mut found = BTreeSet::new();
        for procedure in 0..problem.procedures() {
            for point in 0..problem.points(procedure) {
                let facts = solution.at(procedure, point).into_iter().map(Some);
                let nothing = solution.is_reached(procedure, point).then_some(None);
                found.extend(facts.chain(nothing).map(|fact| (procedure, point, fact)));
            }
        }
        assert!(found.is_superset(&states), "seed {seed}");
        if exhaustive {
            assert_eq!(found, states, "seed {seed}");
            equal += 1;
        } else if found != states {
            more += 1;
        }
    }
    // Four open calls are nearly always enough to see everything.
    assert!(equal > 800 && more < 30, "{equal} {more}");
}

fn program(text: &str) -> Program {
    let source = Source::new("test.bp", text).unwrap();
    bp::parse(&source, &bp::Options::default()).program.unwrap()
}

/// What may be read unassigned: the text of the edge and the variable.
fn findings(text: &str) -> Vec<(String, String)> {
    let program = program(text);
    let found = unassigned(&program, u64::MAX, &mut carry_on).unwrap();
    let show = found.iter().map(|it| {
        let procedure = program.procedure(it.procedure);
        let place = match it.edge {
            Some(edge) => text[procedure.edges[edge.0 as usize].origin.range()].to_owned(),
            None => "return".to_owned(),
        };
        let variable = program.variable(it.procedure, it.variable);
        (place, variable.name.to_string())
    });
    show.collect()
}

fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    let pair = |&(place, variable): &(&str, &str)| (place.to_owned(), variable.to_owned());
    list.iter().map(pair).collect()
}

#[test]
fn an_assignment_by_a_call_counts_after_that_call() {
    let text = "decl g, h;\n\
                void set() begin g := T; end\n\
                void use() begin h := g; end\n\
                void main() begin set(); use(); end\n";
    assert_eq!(findings(text), []);
    let text = text.replace("set(); use();", "use(); set();");
    assert_eq!(findings(&text), pairs(&[("h := g", "g")]));
}

#[test]
fn locals_begin_without_a_value_in_each_call() {
    let text = "decl h;\n\
                void f(p) begin decl y; if (*) then y := p; fi h := y; end\n\
                void main() begin decl z; z := T; f(z); f(z); end\n";
    assert_eq!(findings(text), pairs(&[("h := y", "y")]));
}

#[test]
fn a_call_that_never_returns_hides_what_is_behind_it() {
    let text = "decl g, h;\n\
                void stuck() begin stuck(); end\n\
                void main() begin stuck(); h := g; end\n";
    assert_eq!(findings(text), []);
}

#[test]
fn each_return_goes_to_its_own_call() {
    // Only the second call comes after the assignment, and only there is g read.
    let text = "decl g, h;\n\
                void bar() begin skip; end\n\
                void main() begin bar(); g := T; bar(); h := g; end\n";
    assert_eq!(findings(text), []);
}

/// Procedure, node and variable; no variable while a caller's local waits.
type At = (ProcId, NodeId, Option<VarRef>);

/// Whether a path leads to a place that reads the variable, by a search with a stack of at most
/// so many calls; and whether that was no limit.
fn is_read_later(program: &Program, start: At, depth: usize) -> (bool, bool) {
    let mut seen = BTreeSet::new();
    let mut open = vec![(start, Vec::<(ProcId, u32, Option<VarRef>)>::new())];
    let mut exhaustive = true;
    let is_assigned = |edge: &Edge, variable: VarRef| match &edge.action {
        Action::Assign { assigns, .. } => assigns
            .iter()
            .any(|(place, _)| *place == Place::Scalar(variable)),
        Action::Call { results, .. } => results.contains(&Some(variable)),
    };
    while let Some((at, stack)) = open.pop() {
        if !seen.insert((at, stack.clone())) {
            continue;
        }
        let (id, node, variable) = at;
        let procedure = program.procedure(id);
        for (number, edge) in procedure.edges.iter().enumerate() {
            if edge.from != node {
                continue;
            }
            let is_it = |op: &Op| match *op {
                Op::Read(it) | Op::Index(it) => Some(it) == variable,
                _ => false,
            };
            if edge.expressions().flat_map(Expr::ops).any(is_it) {
                return (true, exhaustive);
            }
            match &edge.action {
                Action::Assign { .. } => {
                    if !variable.is_some_and(|it| is_assigned(edge, it)) {
                        open.push(((id, edge.to, variable), stack.clone()));
                    }
                }
                Action::Call { .. } if stack.len() == depth => exhaustive = false,
                Action::Call { callee, .. } => {
                    let entry = program.procedure(*callee).entry;
                    let waits = variable.filter(|it| matches!(it, VarRef::Local(_)));
                    let inside = variable.filter(|it| matches!(it, VarRef::Global(_)));
                    let mut deeper = stack.clone();
                    deeper.push((id, number as u32, waits));
                    open.push(((*callee, entry, inside), deeper));
                }
            }
        }
        if node != procedure.exit {
            continue;
        }
        let result = procedure
            .results
            .iter()
            .any(|&it| variable == Some(VarRef::Local(it)));
        if result {
            return (true, exhaustive);
        }
        let mut back = |caller: ProcId, edge: &Edge, after: Option<VarRef>, below: &[_]| {
            if !after.is_some_and(|it| is_assigned(edge, it)) {
                open.push(((caller, edge.to, after), below.to_vec()));
            }
        };
        let global = variable.filter(|it| matches!(it, VarRef::Global(_)));
        match stack.split_last() {
            Some((&(caller, number, waits), below)) => {
                let edge = &program.procedure(caller).edges[number as usize];
                back(caller, edge, waits.or(global), below);
            }
            None if global.is_none() => {}
            None => {
                for (index, caller) in program.procedures().iter().enumerate() {
                    for edge in &caller.edges {
                        if matches!(edge.action, Action::Call { callee, .. } if callee == id) {
                            back(ProcId(index as u32), edge, global, &[]);
                        }
                    }
                }
            }
        }
    }
    (false, exhaustive)
}

#[test]
fn live_variables_agree_with_a_search_that_has_a_stack() {
    let (mut live_ones, mut dead_ones) = (0, 0);
    for seed in 0..60 {
        let config = recurva_testkit::generate::Config::default();
        let program = program(&recurva_testkit::generate::generate(seed, &config));
        let live = live_variables(&program, u64::MAX, &mut carry_on).unwrap();
        for (index, procedure) in program.procedures().iter().enumerate() {
            for node in (0..procedure.nodes.len() as u32).step_by(3) {
                let point = Point {
                    procedure: ProcId(index as u32),
                    node: NodeId(node),
                };
                let found = live.at(point);
                let globals = (0..program.globals().len() as u32).map(VarRef::Global);
                let locals = (0..procedure.locals.len() as u32).map(VarRef::Local);
                for variable in globals.chain(locals) {
                    let start = (point.procedure, point.node, Some(variable));
                    let (read, exhaustive) = is_read_later(&program, start, 2);
                    let is_live = found.contains(&variable);
                    assert!(is_live || !read, "seed {seed}: {variable:?} at {point:?}");
                    assert!(!is_live || read || !exhaustive, "seed {seed}: {variable:?}");
                    live_ones += usize::from(is_live && read);
                    dead_ones += usize::from(!is_live);
                }
            }
        }
    }
    assert!(
        live_ones > 300 && dead_ones > 300,
        "{live_ones} {dead_ones}"
    );
}

/// Each branch is an edge that reads the condition, but there is one place in the text.
#[test]
fn a_condition_is_reported_once() {
    let text = "void main() begin decl x, y;
        if (x) then y := T; else skip; fi
        while (y) do skip; od
        if (x) then skip; else skip; fi
        end";
    let found = findings(text);
    let variables: Vec<&str> = found.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(variables, ["x", "y", "x"], "{found:?}");
}
