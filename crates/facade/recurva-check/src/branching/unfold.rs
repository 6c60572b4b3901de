//! Nested state machines of programs.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::ControlFlow,
};

use recurva_explicit::{
    Config, Position, Stopped, Unfolded,
    program::{Ending, Observer, Prepared, ProgramSystem, Reductions, Words},
    unfold,
};
use recurva_model::{
    Binary, Expr, Guard, GuardOp, Monitor, MonitorEdge, MonitorState, Nsm, Op, Origin, Point,
    Program, Type, VarRef, Variable,
    nsm::{Kind, NsmParts, NsmState, PropositionId, StateId},
    semantics::{Configuration, Frame, Machine},
};
use recurva_slice::Observed;

use super::{Limited, Meaning, Ntmu, Proved, Refutation, Run, Starts, StateNote};
use crate::{
    ExplicitProgress, InternalError, Limit, Options, Watch,
    programs::{OnSystem, SlicedProgram, on_system},
};

/// A program as a nested state machine of its own.
#[derive(Debug)]
pub struct Exported {
    /// The machine.
    pub nsm: Nsm,
    /// Where its runs begin.
    pub starts: Starts,
}

/// A proposition and what it means.
struct Meant {
    text: Box<str>,
    meaning: Meaning,
}

/// Whether a program satisfies a formula; if not, why.
pub(super) fn decide<'p>(
    run: &mut Run<'_>,
    program: (&'p Program, Starts),
    property: &Ntmu,
) -> Result<Limited<Option<Refutation<'p>>>, InternalError> {
    let meant = property.texts().zip(&property.meanings);
    let decided = with_machine(run, program, meant, |run, nsm, starts, refuted| {
        let decided = run.decide(nsm, starts, property)?;
        Ok(decided.map(|proved| proved.map(refuted)))
    })?;
    Ok(decided.and_then(|decided| decided))
}

/// Makes a refutation of a proof about a program's machine.
pub(super) type Refuting<'r, 'p> = &'r dyn Fn(Proved) -> Refutation<'p>;

/// Makes a machine of a program in which these propositions mean that, and goes on with it.
pub(super) fn with_machine<'p, 't, T>(
    run: &mut Run<'_>,
    program: (&'p Program, Starts),
    meant: impl Iterator<Item = (&'t str, &'t Meaning)>,
    go_on: impl FnOnce(&mut Run<'_>, &Nsm, Starts, Refuting<'_, 'p>) -> Result<T, InternalError>,
) -> Result<Limited<T>, InternalError> {
    let meant = meant.filter(|(_, meaning)| **meaning != Meaning::OfMachine);
    let meant = meant.map(|(text, meaning)| Meant {
        text: text.into(),
        meaning: meaning.clone(),
    });
    let meant: Vec<Meant> = meant.collect();
    derive(run, program, &meant, |run, derived, note| {
        let marks: Vec<(&str, Vec<bool>)> = (derived.on_stack.iter())
            .map(|(text, list)| (&**text, list.clone()))
            .collect();
        let marked = match marks.is_empty() {
            true => None,
            false => Some(derived.nsm.with_callers(&marks)?),
        };
        let nsm = marked.as_ref().map_or(&derived.nsm, |marked| &marked.nsm);
        let refuted = |proved: Proved| {
            let original = |state| {
                let marked = marked.as_ref();
                marked.map_or(state, |marked| marked.original(state))
            };
            let states = proved.1.claims.iter().map(|claim| claim.state);
            let known: HashMap<StateId, StateId> =
                states.map(|state| (state, original(state))).collect();
            let notes = known.into_iter().filter_map(|(state, original)| {
                let position = derived.positions.get(original.index())?;
                Some((state, note(position.state)))
            });
            Refutation {
                notes: notes.collect(),
                ..Refutation::new(nsm, proved)
            }
        };
        go_on(run, nsm, derived.starts, &refuted)
    })
}

/// A program as a nested state machine with propositions for its labels (`@L`), its procedures
/// (`in(f)`, `calls(f)`) and its boolean global variables, for others to read.
///
/// # Errors
///
/// A fault of the checker itself.
pub fn export(
    program: &Program,
    options: &Options,
    watch: &mut dyn Watch,
) -> Result<Result<Exported, Limit>, InternalError> {
    let mut meant = Vec::new();
    let mut add = |text: String, meaning| {
        let text = text.into();
        meant.push(Meant { text, meaning });
    };
    let mut labels: BTreeMap<&str, Vec<Point>> = BTreeMap::new();
    for label in program.labels() {
        labels.entry(&label.name).or_default().push(label.point);
    }
    for (name, mut points) in labels {
        points.sort_unstable();
        points.dedup();
        let guard = Guard::new([GuardOp::At(points.into())]);
        add(format!("@{name}"), Meaning::Condition(guard));
    }
    for procedure in program.procedures() {
        let Some(id) = program.find_procedure(&procedure.name) else {
            continue;
        };
        let within = Guard::new([GuardOp::In(id)]);
        add(
            format!("in({})", procedure.name),
            Meaning::Condition(within),
        );
        add(format!("calls({})", procedure.name), Meaning::Calls(id));
    }
    for (index, global) in (0u32..).zip(program.globals()) {
        let flag = global.ty == Type::Bool && global.len.is_none();
        if flag && !global.hidden {
            let read = GuardOp::Plain(Op::Read(VarRef::Global(index)));
            add(
                global.name.to_string(),
                Meaning::Condition(Guard::new([read])),
            );
        }
    }
    let mut run = Run::new(options, watch);
    derive(
        &mut run,
        (program, Starts::Here),
        &meant,
        |_, derived, _| {
            Ok(Exported {
                nsm: derived.nsm,
                starts: derived.starts,
            })
        },
    )
}

/// A machine made of a program.
struct Derived {
    nsm: Nsm,
    starts: Starts,
    /// The states of the machine; the one before several initial ones is not among them.
    positions: Vec<Position>,
    /// Propositions about the stack, with the states in which their procedure is running.
    on_stack: Vec<(Box<str>, Vec<bool>)>,
}

/// What is to be said of a state of the system, by number.
type Noting<'n> = &'n dyn Fn(u32) -> StateNote;

/// Makes a machine of what a program can do, and goes on with it.
fn derive<T>(
    run: &mut Run<'_>,
    (program, begins): (&Program, Starts),
    meant: &[Meant],
    go_on: impl FnOnce(&mut Run<'_>, Derived, Noting<'_>) -> Result<T, InternalError>,
) -> Result<Limited<T>, InternalError> {
    let conditions: Vec<Guard> = (meant.iter())
        .map(|meant| match &meant.meaning {
            Meaning::Condition(guard) => guard.clone(),
            Meaning::OnStack(procedure) => Guard::new([GuardOp::In(*procedure)]),
            _ => Guard::new([GuardOp::Plain(Op::Const(0, Type::Bool))]),
        })
        .collect();
    let observed = Observed::Conditions(conditions.iter().collect());
    let options = run.options;
    let searched =
        run.patiently(|patience| SlicedProgram::new(program, &observed, options, patience));
    let Ok(searched) = searched else {
        return Ok(Err(run.clock.hit()));
    };
    let part = searched.program();
    let conditions = searched.guards(&conditions);
    let monitor = observer(part, &conditions)?;
    // Choices are made when they are made: to leave them open would change what branches.
    let reductions = Reductions {
        liveness: run.options.reductions.liveness,
        laziness: false,
    };
    let observer = Observer::Monitor(&monitor);
    let prepared = run.patiently(|patience| {
        Prepared::with_patience(part, observer, reductions, Ending::Stops, patience)
    });
    let Ok(prepared) = prepared else {
        return Ok(Err(run.clock.hit()));
    };
    let work = Work {
        run,
        part,
        meant,
        conditions: &conditions,
        in_whole: searched.in_whole(),
        whole: program,
        begins,
        go_on: Some(go_on),
        output: None,
    };
    let mut work = work;
    on_system(prepared, &mut work)?;
    match work.output {
        Some(output) => Ok(output),
        None => Err(InternalError::Witness("no machine was made".to_owned())),
    }
}

/// A monitor that does nothing, but keeps the variables of conditions from being forgotten.
fn observer(program: &Program, conditions: &[Guard]) -> Result<Monitor, InternalError> {
    let mut ops = Vec::new();
    for guard in conditions {
        let first = ops.is_empty();
        ops.extend(guard.ops().iter().cloned());
        if !first {
            ops.push(GuardOp::Plain(Op::Binary(Binary::Or, Type::Bool)));
        }
    }
    if ops.is_empty() {
        ops.push(GuardOp::Plain(Op::Const(1, Type::Bool)));
    }
    let state = MonitorState {
        name: "watching".into(),
        target: false,
        repeating: false,
    };
    let edge = MonitorEdge {
        from: 0,
        to: 0,
        guard: Guard::new(ops),
        origin: Origin::default(),
    };
    Ok(Monitor::new(
        program,
        "observer",
        vec![state],
        0,
        vec![edge],
    )?)
}

struct Work<'w, 'a, 'p, T, F> {
    run: &'w mut Run<'a>,
    part: &'p Program,
    whole: &'p Program,
    /// Where the program's runs begin.
    begins: Starts,
    /// The nodes of the part in the whole.
    in_whole: HashMap<Point, Point>,
    meant: &'w [Meant],
    /// What each proposition asks of the program's states, for those that do.
    conditions: &'w [Guard],
    go_on: Option<F>,
    output: Option<Limited<T>>,
}

impl<T, F> OnSystem for Work<'_, '_, '_, T, F>
where
    F: FnOnce(&mut Run<'_>, Derived, Noting<'_>) -> Result<T, InternalError>,
{
    type Output = Result<(), InternalError>;

    fn run<W: Words>(&mut self, system: &ProgramSystem<'_, W>) -> Self::Output {
        let unfolded = match self.unfold(system) {
            Ok(unfolded) => unfolded,
            Err(limit) => {
                self.output = Some(Err(limit));
                return Ok(());
            }
        };
        let derived = self.machine(system, &unfolded)?;
        let (part, in_whole) = (self.part, &self.in_whole);
        let note = |state: u32| note(part, in_whole, system, &unfolded.states[state as usize]);
        if let Some(go_on) = self.go_on.take() {
            self.output = Some(Ok(go_on(self.run, derived, &note)?));
        }
        Ok(())
    }
}

impl<T, F> Work<'_, '_, '_, T, F> {
    fn unfold<W: Words>(&mut self, system: &ProgramSystem<'_, W>) -> Limited<Unfolded<W>> {
        let most = self.run.options.max_states;
        let config = Config {
            max_bytes: self.run.options.limits.memory,
            ..Config::default()
        };
        let mut too_many = false;
        let run = &mut *self.run;
        let unfolded = unfold(system, &config, |progress: &ExplicitProgress| {
            run.stats.states = progress.states;
            too_many = progress.states > most;
            match too_many {
                true => ControlFlow::Break(()),
                false => run.unfolding(progress),
            }
        });
        match unfolded {
            Ok(unfolded) if unfolded.positions.len() as u64 > most => Err(Limit::States(most)),
            Ok(unfolded) => Ok(unfolded),
            Err(Stopped::Asked) if too_many => Err(Limit::States(most)),
            Err(Stopped::Asked) => Err(self.run.clock.hit()),
            Err(Stopped::Memory) => Err(Limit::Memory(config.max_bytes.unwrap_or(0))),
            Err(Stopped::PathEdges) => Err(Limit::States(most)),
        }
    }

    fn machine<W: Words>(
        &self,
        system: &ProgramSystem<'_, W>,
        unfolded: &Unfolded<W>,
    ) -> Result<Derived, InternalError> {
        let part = self.part;
        let truths = self.truths(system, &unfolded.states);
        let mut stuck = vec![true; unfolded.positions.len()];
        let moving = unfolded.locals.iter().chain(&unfolded.calls);
        moving.for_each(|(from, _)| stuck[from.index()] = false);
        let mut states = Vec::with_capacity(unfolded.positions.len() + 1);
        for (index, position) in unfolded.positions.iter().enumerate() {
            let state = &unfolded.states[position.state as usize];
            let point = system.point(state);
            let procedure = part.procedure(point.procedure);
            let callee = position.site.map(|site| system.callee(site));
            let holds = |(at, meant): &(usize, &Meant)| match meant.meaning {
                Meaning::Condition(_) => truths[position.state as usize][*at],
                Meaning::Calls(wanted) => callee.is_some_and(|callee| {
                    part.procedure(callee).name == self.whole.procedure(wanted).name
                }),
                Meaning::Blocked => stuck[index] && procedure.exit != point.node,
                Meaning::OnStack(_) | Meaning::OfMachine => false,
            };
            let all = self.meant.iter().enumerate().filter(holds);
            states.push(NsmState {
                name: format!("{}.{}.{index}", procedure.name, point.node.0).into(),
                kind: position.kind,
                propositions: all.map(|(at, _)| PropositionId(at as u32)).collect(),
                origin: procedure.nodes[point.node.index()].origin,
            });
        }
        let mut locals = unfolded.locals.clone();
        let initial = match self.begins {
            Starts::Here => unfolded.initial.clone(),
            Starts::Behind => {
                let steps = unfolded.locals.iter();
                let steps = steps.filter(|(from, _)| unfolded.initial.contains(from));
                let behind: BTreeSet<StateId> = steps.map(|&(_, to)| to).collect();
                behind.into_iter().collect()
            }
        };
        let (init, starts) = match initial[..] {
            [init] => (init, Starts::Here),
            ref several => {
                let start = StateId(states.len() as u32);
                locals.extend(several.iter().map(|&to| (start, to)));
                states.push(NsmState {
                    name: "start".into(),
                    kind: Kind::Local,
                    propositions: Vec::new(),
                    origin: Origin::default(),
                });
                (start, Starts::Behind)
            }
        };
        let stack = |(at, meant): (usize, &Meant)| {
            if !matches!(meant.meaning, Meaning::OnStack(_)) {
                return None;
            }
            let running = unfolded.positions.iter();
            let running = running.map(|position| truths[position.state as usize][at]);
            // The state before the initial ones is in no procedure.
            let start = states.len() - unfolded.positions.len();
            let all = running.chain(std::iter::repeat_n(false, start));
            Some((meant.text.clone(), all.collect()))
        };
        let on_stack: Vec<(Box<str>, Vec<bool>)> =
            self.meant.iter().enumerate().filter_map(stack).collect();
        let mut propositions: Vec<Box<str>> =
            self.meant.iter().map(|meant| meant.text.clone()).collect();
        for (at, meant) in self.meant.iter().enumerate() {
            if matches!(meant.meaning, Meaning::OnStack(_)) {
                // Its place is taken; the machine gets one of this name when it is known.
                propositions[at] = format!("in {}", meant.text).into();
            }
        }
        let nsm = Nsm::new(NsmParts {
            states,
            propositions,
            init,
            locals,
            calls: unfolded.calls.clone(),
            returns: unfolded.returns.clone(),
        })?;
        Ok(Derived {
            nsm,
            starts,
            positions: unfolded.positions.clone(),
            on_stack,
        })
    }

    /// For each state which conditions hold. One that cannot be evaluated does not.
    fn truths<W: Words>(&self, system: &ProgramSystem<'_, W>, states: &[W]) -> Vec<Vec<bool>> {
        let machine = Machine::new(self.part);
        let mut known: HashMap<Point, Vec<Expr>> = HashMap::new();
        let truths = states.iter().map(|state| {
            let point = system.point(state);
            let read = || {
                self.conditions
                    .iter()
                    .map(|guard| guard.at(point))
                    .collect()
            };
            let expressions = known.entry(point).or_insert_with(read);
            let values = system.complete(state);
            let configuration = Configuration {
                globals: values.globals,
                stack: vec![Frame {
                    procedure: point.procedure,
                    node: point.node,
                    pending: None,
                    locals: values.locals,
                }],
            };
            let holds = |expr| machine.observe(&configuration, expr).unwrap_or(0) != 0;
            expressions.iter().map(holds).collect()
        });
        truths.collect()
    }
}

/// What is to be said of a state.
fn note<W: Words>(
    program: &Program,
    in_whole: &HashMap<Point, Point>,
    system: &ProgramSystem<'_, W>,
    state: &W,
) -> StateNote {
    let [globals, locals] = system.known(state);
    let point = system.point(state);
    let procedure = program.procedure(point.procedure);
    let mut values = Vec::new();
    push_values(&mut values, program.globals(), &globals);
    push_values(&mut values, &procedure.locals, &locals);
    StateNote {
        point: in_whole.get(&point).copied(),
        procedure: procedure.name.clone(),
        values,
    }
}

fn push_values(out: &mut Vec<String>, variables: &[Variable], values: &[Option<u64>]) {
    let mut rest = values.iter();
    for variable in variables {
        for (element, value) in rest.by_ref().take(variable.slots()).enumerate() {
            let Some(value) = value.filter(|_| !variable.hidden) else {
                continue;
            };
            let value = variable.ty.show(value);
            out.push(match variable.len {
                None => format!("{}={value}", variable.name),
                Some(_) => format!("{}[{element}]={value}", variable.name),
            });
        }
    }
}
