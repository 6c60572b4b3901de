//! Random questions about infinite runs, each with an automaton for the runs that violate it
//! that was not made by the library.

use recurva_check::{Ltl, Never, Property};
use recurva_logic::{
    automaton::{Edge, Label, Tgba},
    ltl::{self, Atoms, Resolver},
};
use recurva_model::{
    Automaton, AutomatonEdge, Cube, Guard, GuardOp, Monitor, Program, Type, Variable,
};
use recurva_syntax::{Source, Style};
use recurva_testkit::{generate, rng::Rng};

use crate::tableau;

/// A question, and the automaton of its violations.
pub(crate) type Question = (Property, Automaton);

/// A random formula; `None` if its tableau would be too large.
pub(crate) fn formula(seed: u64, program: &Program) -> Option<Question> {
    let mut rng = Rng::new(seed ^ 0x0066_6f72_6d75_6c61);
    let atoms: Vec<String> = (0..1 + rng.below(2))
        .map(|_| atom(&mut rng, program))
        .collect();
    let size = 2 + rng.below(6);
    let text = part(&mut rng, size, &atoms);
    let source = Source::new("formula", text.clone()).expect("a short text");
    let parsed = ltl::parse(&source);
    let mut diagnostics = parsed.diagnostics;
    let guards = parsed.formula.as_ref().and_then(|formula| {
        let resolver = Resolver::new(program, Atoms::Program);
        resolver.all(&formula.formulas, &source, &mut diagnostics)
    });
    let (Some(formula), Some(guards)) = (parsed.formula, guards) else {
        panic!("{}", diagnostics.render(&source, Style::Plain));
    };
    let violations = tableau::violations(program, &formula, &guards)?;
    let property = Property::Ltl(Ltl {
        name: text,
        formula,
        guards,
        positions: None,
    });
    Some((property, violations))
}

fn part(rng: &mut Rng, size: usize, atoms: &[String]) -> String {
    if size <= 1 {
        return match rng.below(24) {
            0 => "1".into(),
            1 => "0".into(),
            _ => atoms[rng.below(atoms.len())].clone(),
        };
    }
    if size == 2 || rng.chance(50) {
        let operator = ["!", "F", "G", "X", "G F", "F G"][rng.below(6)];
        return format!("{operator} ({})", part(rng, size - 1, atoms));
    }
    let operators = ["&", "|", "->", "<->", "^", "U", "R", "W", "M"];
    let left = 1 + rng.below(size - 2);
    let first = part(rng, left, atoms);
    let second = part(rng, size - 1 - left, atoms);
    let operator = operators[rng.below(operators.len())];
    format!("({first}) {operator} ({second})")
}

/// The text of an atom.
fn atom(rng: &mut Rng, program: &Program) -> String {
    match rng.below(10) {
        0..=2 => {
            if let Some(variable) = rng.pick(program.globals()) {
                return condition(rng, "", variable);
            }
        }
        3..=4 => {
            let procedure = &program.procedures()[rng.below(program.procedures().len())];
            let shown: Vec<_> = procedure.locals.iter().filter(|v| !v.hidden).collect();
            if let Some(variable) = rng.pick(&shown) {
                let scope = format!("{}::", procedure.name);
                return condition(rng, &scope, variable);
            }
        }
        5 => {
            let procedure = &program.procedures()[rng.below(program.procedures().len())];
            return format!("in({})", procedure.name);
        }
        6 => return ["call", "ret", "loc"][rng.below(3)].into(),
        7 => {
            // An atom with operators of its own.
            let (left, right) = (plain_atom(program, rng), plain_atom(program, rng));
            return format!("\"!{left} | {right}\"");
        }
        _ => {}
    }
    plain_atom(program, rng)
}

/// A label, or a procedure if there is none.
fn plain_atom(program: &Program, rng: &mut Rng) -> String {
    let Some(label) = rng.pick(program.labels()) else {
        return format!("in({})", program.procedure(program.main()).name);
    };
    if rng.chance(50) {
        let procedure = &program.procedure(label.point.procedure).name;
        format!("@{procedure}::{}", label.name)
    } else {
        format!("@{}", label.name)
    }
}

fn condition(rng: &mut Rng, scope: &str, variable: &Variable) -> String {
    let mut name = format!("{scope}{}", variable.name);
    if let Some(len) = variable.len {
        name = format!("{name}[{}]", rng.below(len as usize));
    }
    if variable.ty == Type::Bool {
        return name;
    }
    let operator = ["=", "!=", "<", ">="][rng.below(4)];
    let number = rng.below(2);
    format!("{name} {operator} {number}")
}

/// A random automaton.
pub(crate) fn automaton(seed: u64, program: &Program) -> Question {
    let violations = generate::automaton(seed, program).expect("it fits the program");
    let mut edges = vec![Vec::new(); violations.states() as usize];
    for edge in violations.edges() {
        edges[edge.from as usize].push(Edge {
            target: edge.to,
            marks: edge.marks,
            label: Label::new(edge.cubes.clone()),
        });
    }
    let guards = violations.conditions().to_vec();
    let names: Vec<Box<str>> = (0..guards.len()).map(|i| format!("c{i}").into()).collect();
    let sets = violations.acceptance().count_ones();
    let automaton = Tgba::new(names, violations.initial(), sets, edges).expect("it fits");
    let property = Property::Never(Never {
        name: format!("{violations:?}"),
        automaton,
        guards,
        positions: None,
    });
    (property, violations)
}

/// The same question, asked only of the positions where some condition holds, in some cases.
pub(crate) fn at_positions(seed: u64, program: &Program, question: Question) -> Question {
    let mut rng = Rng::new(seed ^ 0x706f_7369_7469_6f6e);
    let (mut property, violations) = question;
    if !rng.chance(20) {
        return (property, violations);
    }
    // Any random condition will do.
    let monitor = generate::monitor(seed + 1, program).expect("it fits the program");
    let guard = monitor.edges()[0].guard.clone();
    match &mut property {
        Property::Ltl(ltl) => ltl.positions = Some(guard.clone()),
        Property::Never(never) => never.positions = Some(guard.clone()),
        Property::Unreachable { .. } | Property::Monitor(_) | Property::Caret(_) => {}
    }
    (property, skipping(program, &violations, guard))
}

/// The automaton that stays where it is at all positions but those where a condition holds,
/// and of those it has to see infinitely many.
fn skipping(program: &Program, automaton: &Automaton, guard: Guard) -> Automaton {
    const READS: u32 = 1 << 31;
    let bit = 1 << automaton.conditions().len();
    let conditions = [automaton.conditions(), &[guard]].concat();
    let mut edges = automaton.edges().to_vec();
    for edge in &mut edges {
        edge.marks |= READS;
        for cube in &mut edge.cubes {
            cube.positive |= bit;
        }
    }
    edges.extend((0..automaton.states()).map(|state| {
        AutomatonEdge {
            from: state,
            to: state,
            cubes: [Cube {
                positive: 0,
                negative: bit,
            }]
            .into(),
            marks: 0,
        }
    }));
    let (states, initial) = (automaton.states(), automaton.initial());
    let acceptance = automaton.acceptance() | READS;
    let made = Automaton::new(program, conditions, states, initial, acceptance, edges);
    made.expect("the parts fit")
}

/// The repeating states of a random monitor.
pub(crate) fn monitor(seed: u64, program: &Program) -> Question {
    let monitor = generate::monitor(seed, program).expect("it fits the program");
    let property = Property::repeating(&monitor).expect("it is small");
    (property, of_monitor(program, &monitor))
}

/// A condition for each edge: it takes one whose guard holds, or stays if none does.
fn of_monitor(program: &Program, monitor: &Monitor) -> Automaton {
    let conditions: Vec<Guard> = monitor.edges().iter().map(|e| e.guard.clone()).collect();
    let mut edges = Vec::new();
    let mut add = |from: u32, to: u32, positive: u64, negative: u64| {
        edges.push(AutomatonEdge {
            from,
            to,
            cubes: [Cube { positive, negative }].into(),
            marks: u32::from(monitor.states()[to as usize].repeating),
        });
    };
    for from in 0..monitor.states().len() as u32 {
        let mut own = 0;
        for (bit, edge) in monitor.edges().iter().enumerate() {
            if edge.from == from {
                own |= 1 << bit;
                add(from, edge.to, 1 << bit, 0);
            }
        }
        add(from, from, 0, own);
    }
    let states = monitor.states().len() as u32;
    let made = Automaton::new(program, conditions, states, monitor.initial(), 1, edges);
    made.expect("the parts fit")
}

/// A label that comes again and again; `None` if there are no labels.
pub(crate) fn repeat(seed: u64, program: &Program) -> Option<Question> {
    let mut rng = Rng::new(seed);
    let name = &rng.pick(program.labels())?.name;
    let property = Property::repeat(program, name).expect("the label exists");
    let mut points: Vec<_> = program
        .labels()
        .iter()
        .filter(|label| label.name == *name)
        .map(|label| label.point)
        .collect();
    points.sort_unstable();
    let edge = |positive: u64, marks: u32| AutomatonEdge {
        from: 0,
        to: 0,
        cubes: [Cube {
            positive,
            negative: 1 - positive,
        }]
        .into(),
        marks,
    };
    let guard = Guard::new([GuardOp::At(points.into())]);
    let edges = vec![edge(0, 0), edge(1, 1)];
    let made = Automaton::new(program, vec![guard], 1, 0, 1, edges);
    Some((property, made.expect("the parts fit")))
}
