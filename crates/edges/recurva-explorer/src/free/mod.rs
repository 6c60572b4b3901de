//! Free exploration: any state, and what can be done there.
//!
//! A state is named by how to get there: `i/e0/e3:5/r` begins with all values 0, takes edge 0, takes
//! edge 3 with the value 5 for its `*`, and returns; `o3~1` takes the second outcome of the call on
//! edge 3; `@0:12.3` begins at a position of the run of the first question. Of several programs `i`
//! is the start of the first, `i1` that of the second. Names stay the same from one session to the
//! next, so they can be kept and shared.

mod over;
mod position;
mod table;

use recurva_evidence::Replayed;
use recurva_model::{
    Action, EdgeId, Type,
    semantics::{Blocked, Configuration, Machine},
};
use recurva_report::parts::{Lines, counted, invocation, kept_results};
use rustc_hash::FxHashSet;

use crate::{
    document::{Choice, FreeFrame, FreeState, OpenChoice},
    machine::shown,
};
use position::walk_to;

/// How many states are looked at to get over a call: if somebody asks for it, and for each of many
/// that are only stored.
pub(crate) const SEARCHED: usize = 10_000;
pub(crate) const SEARCHED_TO_STORE: usize = 200;

/// How deep calls may be nested on the way over one.
const DEPTH: usize = 50;

/// How many frames are listed.
const FRAMES: usize = 200;

/// Why there is no such state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FreeError {
    /// The name makes no sense.
    #[error("`{0}` is no way to go: expected e3, e3:5, r, o3 or o3~1")]
    Pick(String),
    /// It does not begin anywhere.
    #[error("`{0}` is no place to begin: expected i, i:VALUES or @QUESTION:POSITION")]
    Start(String),
    /// A step of it is not possible.
    #[error("`{0}` is not possible there: {1}")]
    Blocked(String, &'static str),
}

/// The states of the programs on a page, with the runs that were found.
#[derive(Debug)]
pub struct Free<'a> {
    pub(crate) programs: Vec<States<'a>>,
    /// For each question its run, with the number of the program.
    pub(crate) runs: Vec<Option<(usize, &'a Replayed<'a>)>>,
}

/// The states of one program.
#[derive(Debug)]
pub(crate) struct States<'a> {
    pub(crate) machine: Machine<'a>,
    pub(crate) lines: &'a Lines<'a>,
    /// How many states are looked at to get over a call.
    pub(crate) searched: usize,
}

/// The number of a program, and a state of it.
type Reached = (usize, Configuration);

impl Free<'_> {
    /// The state with that name.
    ///
    /// # Errors
    ///
    /// If there is no such state.
    pub fn state(&self, picks: &str) -> Result<FreeState, FreeError> {
        Ok(self.describe(picks, &self.reach(picks)?))
    }

    fn reach(&self, picks: &str) -> Result<Reached, FreeError> {
        let mut parts = picks.split('/');
        let start = parts.next().unwrap_or_default();
        let found = self.start(start);
        let (number, mut configuration) =
            found.ok_or_else(|| FreeError::Start(start.to_owned()))?;
        for pick in parts {
            configuration = self.programs[number].take(configuration, pick)?;
        }
        Ok((number, configuration))
    }

    /// Where a name begins.
    fn start(&self, text: &str) -> Option<Reached> {
        if let Some(position) = text.strip_prefix('@') {
            let (question, path) = position.split_once(':')?;
            let path: Result<Vec<usize>, _> = path.split('.').map(str::parse).collect();
            let question: usize = question.parse().ok()?;
            let (number, run) = (*self.runs.get(question)?)?;
            let walk = walk_to(run, &path.ok()?)?;
            return Some((number, walk.configuration().clone()));
        }
        let (number, values) = match text.strip_prefix('i')?.split_once(':') {
            Some((number, values)) => (number, Some(numbers(values)?)),
            None => (&text[1..], None),
        };
        let number = match number {
            "" => 0,
            _ => number.parse().ok()?,
        };
        let machine = &self.programs.get(number)?.machine;
        let globals = machine.global_types().len();
        let locals = machine.local_types(machine.program().main()).len();
        let values = values.unwrap_or_else(|| vec![0; globals + locals]);
        if values.len() != globals + locals {
            return None;
        }
        let (globals, locals) = values.split_at(globals);
        Some((number, machine.start(globals, locals).ok()?))
    }

    fn describe(&self, picks: &str, (number, configuration): &Reached) -> FreeState {
        let mut state = self.programs[*number].describe(picks, configuration);
        state.machine = *number;
        state
    }
}

impl States<'_> {
    fn take(
        &self,
        mut configuration: Configuration,
        pick: &str,
    ) -> Result<Configuration, FreeError> {
        let wrong = || FreeError::Pick(pick.to_owned());
        let blocked = |cause| FreeError::Blocked(pick.to_owned(), say(cause));
        if pick == "r" {
            self.machine
                .step_return(&mut configuration)
                .map_err(blocked)?;
            return Ok(configuration);
        }
        let (over, rest) = match (pick.strip_prefix('e'), pick.strip_prefix('o')) {
            (Some(rest), _) => (false, rest),
            (_, Some(rest)) => (true, rest),
            _ => return Err(wrong()),
        };
        let (rest, outcome) = match rest.split_once('~') {
            Some((rest, outcome)) if over => (rest, outcome.parse().map_err(|_| wrong())?),
            Some(_) => return Err(wrong()),
            None => (rest, 0usize),
        };
        let (edge, values) = match rest.split_once(':') {
            Some((edge, values)) => (edge, Some(numbers(values).ok_or_else(wrong)?)),
            None => (rest, None),
        };
        let edge = EdgeId(edge.parse().map_err(|_| wrong())?);
        let top = configuration.top();
        let procedure = self.machine.program().procedure(top.procedure);
        if edge.index() >= procedure.edges.len() {
            return Err(blocked(Blocked::Elsewhere));
        }
        let types = self.machine.choices(top.procedure, edge);
        let mut values = values.unwrap_or_default();
        // What the callee's own variables hold at first may be left out.
        values.resize(types.len().max(values.len()), 0);
        if !over {
            self.machine
                .step(&mut configuration, edge, &values)
                .map_err(blocked)?;
            return Ok(configuration);
        }
        let found = self
            .outcomes(&configuration, edge, &values)
            .map_err(blocked)?;
        let Some(mut after) = found.outcomes.into_iter().nth(outcome) else {
            return Err(FreeError::Blocked(
                pick.to_owned(),
                "the call has no such outcome",
            ));
        };
        configuration.stack.pop();
        configuration.stack.append(&mut after.stack);
        configuration.globals = after.globals;
        Ok(configuration)
    }

    fn describe(&self, picks: &str, configuration: &Configuration) -> FreeState {
        let stack = &configuration.stack;
        let listed = stack.len().min(FRAMES);
        let frames = stack[stack.len() - listed..].iter().map(|frame| FreeFrame {
            procedure: frame.procedure.0,
            node: frame.node.0,
            edge: frame.pending.map(|edge| edge.0),
            locals: shown(&frame.locals, self.machine.local_types(frame.procedure)),
        });
        let mut state = FreeState {
            picks: picks.to_owned(),
            machine: 0,
            globals: shown(&configuration.globals, self.machine.global_types()),
            stack: frames.collect(),
            hidden: stack.len() - listed,
            choices: Vec::new(),
            note: String::new(),
            open: Vec::new(),
        };
        self.list(&mut state, configuration);
        state
    }

    /// What can be done in a state.
    fn list(&self, state: &mut FreeState, configuration: &Configuration) {
        // A step looks at the running frame and the one below at most.
        let below = configuration.stack.len().saturating_sub(2);
        let near = Configuration {
            globals: configuration.globals.clone(),
            stack: configuration.stack[below..].to_vec(),
        };
        let mut notes = Vec::new();
        let mut after = near.clone();
        if self.machine.step_return(&mut after).is_ok() {
            let results = near.top();
            let name = &self.machine.program().procedure(results.procedure).name;
            state.choices.push(Choice {
                pick: "r".to_owned(),
                kind: "return",
                edge: None,
                text: format!("return from {name}"),
                note: self.changes(&near, &after),
                to: target(&after),
            });
        } else if self.machine.at_exit(configuration) {
            notes.push("The run is over: the main procedure has returned.".to_owned());
        }
        let point = near.top().point();
        for (edge, declared) in self.machine.program().edges_from(point) {
            let choices = self.choices(point.procedure, edge, declared.choices().len());
            if !choices.complete {
                state.open.push(OpenChoice {
                    edge: edge.0,
                    over: false,
                    types: choices.types.iter().map(Type::to_string).collect(),
                    names: self.choice_names(point.procedure, edge, &choices.types),
                });
            }
            let mut seen = FxHashSet::default();
            let text = self.lines.excerpt(declared.origin).unwrap_or_default();
            for values in &choices.listed {
                let mut after = near.clone();
                if self.machine.step(&mut after, edge, values).is_err() {
                    continue;
                }
                if !seen.insert(after.clone()) {
                    continue;
                }
                let suffix = suffix(values);
                match declared.action {
                    Action::Assign { .. } => state.choices.push(Choice {
                        pick: format!("e{}{suffix}", edge.0),
                        kind: "step",
                        edge: Some(edge.0),
                        text: text.clone(),
                        note: self.changes(&near, &after),
                        to: target(&after),
                    }),
                    Action::Call { .. } => {
                        state.choices.push(Choice {
                            pick: format!("e{}{suffix}", edge.0),
                            kind: "into",
                            edge: Some(edge.0),
                            text: text.clone(),
                            note: format!("→ {}", invocation(&self.machine, after.top())),
                            to: target(&after),
                        });
                        self.list_over(state, &mut notes, &near, (edge, values, &text));
                    }
                }
            }
        }
        let failures = self.machine.program().failures();
        if failures.iter().any(|failure| failure.point == point) {
            notes.push("Something fails here, and the run ends.".to_owned());
        } else if state.choices.is_empty() && notes.is_empty() {
            notes.push("Nothing is possible here: no condition holds.".to_owned());
        }
        state.note = notes.join(" ");
    }

    fn list_over(
        &self,
        state: &mut FreeState,
        notes: &mut Vec<String>,
        near: &Configuration,
        (edge, values, text): (EdgeId, &[u64], &str),
    ) {
        let Ok(found) = self.outcomes(near, edge, values) else {
            return;
        };
        let declared = self.machine.program().edge(near.top().procedure, edge);
        let results: &[_] = match &declared.action {
            Action::Call { results, .. } => results,
            Action::Assign { .. } => &[],
        };
        let suffix = suffix(values);
        // Outcomes have the caller's frame only.
        let caller = Configuration {
            globals: near.globals.clone(),
            stack: vec![near.top().clone()],
        };
        for (index, after) in found.outcomes.iter().enumerate() {
            let kept = kept_results(&self.machine, results, after);
            let mut note = match kept.is_empty() {
                true => "returns".to_owned(),
                false => format!("returns {kept}"),
            };
            let changes = self.changes(&caller, after);
            if !changes.is_empty() {
                note = format!("{note}; {changes}");
            }
            state.choices.push(Choice {
                pick: format!("o{}{suffix}~{index}", edge.0),
                kind: "over",
                edge: Some(edge.0),
                text: text.to_owned(),
                note,
                to: target(after),
            });
        }
        if !found.complete {
            let states = counted(self.searched as u64, "state");
            let note = format!(
                "Not all ways over this call are listed: {states}, {} and some values of `*` were \
                 tried.",
                counted(DEPTH as u64, "nested call"),
            );
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }

    /// What the values of an edge are for: `*`, or the callee's variables.
    fn choice_names(
        &self,
        procedure: recurva_model::ProcId,
        edge: EdgeId,
        types: &[Type],
    ) -> Vec<String> {
        let program = self.machine.program();
        let declared = program.edge(procedure, edge);
        let own = declared.choices().len();
        let mut names: Vec<String> = (0..own).map(|_| "*".to_owned()).collect();
        if let Action::Call {
            callee, arguments, ..
        } = &declared.action
        {
            for variable in &program.procedure(*callee).locals[arguments.len()..] {
                let elements = 0..variable.slots();
                names.extend(elements.map(|element| match variable.len {
                    None => variable.name.to_string(),
                    Some(_) => format!("{}[{element}]", variable.name),
                }));
            }
        }
        names.truncate(types.len());
        names
    }

    /// What is different afterwards, in the frame that runs then.
    fn changes(&self, before: &Configuration, after: &Configuration) -> String {
        let program = self.machine.program();
        let frame = after.top();
        let depth = after.stack.len() - 1;
        let earlier = before.stack.get(depth).map(|frame| &frame.locals);
        let mut out = Vec::new();
        let lists = [
            (program.globals(), Some(&before.globals), &after.globals),
            (
                &program.procedure(frame.procedure).locals[..],
                earlier,
                &frame.locals,
            ),
        ];
        for (variables, before, after) in lists {
            let mut slot = 0;
            for variable in variables {
                for element in 0..variable.slots() {
                    let now = after[slot];
                    let same = before.is_some_and(|before| before.get(slot) == Some(&now));
                    slot += 1;
                    if same || variable.hidden {
                        continue;
                    }
                    let value = variable.ty.show(now);
                    out.push(match variable.len {
                        None => format!("{}={value}", variable.name),
                        Some(_) => format!("{}[{element}]={value}", variable.name),
                    });
                }
            }
        }
        out.join(", ")
    }
}

fn numbers(text: &str) -> Option<Vec<u64>> {
    text.split(',').map(|number| number.parse().ok()).collect()
}

/// `:5,7`, without zeros at the end.
fn suffix(values: &[u64]) -> String {
    let Some(last) = values.iter().rposition(|&value| value != 0) else {
        return String::new();
    };
    let values: Vec<String> = values[..=last].iter().map(u64::to_string).collect();
    format!(":{}", values.join(","))
}

fn target(configuration: &Configuration) -> [u32; 2] {
    let point = configuration.top().point();
    [point.procedure.0, point.node.0]
}

fn say(blocked: Blocked) -> &'static str {
    match blocked {
        Blocked::Elsewhere => "control is elsewhere",
        Blocked::Guard => "the condition does not hold",
        Blocked::Fault => "a division by zero or an index out of range",
        Blocked::Choices => "the values do not fit",
        Blocked::EmptyStack => "there is no caller",
    }
}
