//! How a watcher reads the states of a program: tables of its open edges, point by point.

use std::collections::HashMap;

use recurva_model::{Expr, Op, Point, ProcId, VarRef};
use smallvec::SmallVec;

use super::{
    ProgramSystem, Words,
    choices::Choices,
    code::{Code, Codes, Reader},
    compile::{PointId, constant},
    layout::{Layout, SlotId},
    watcher::{Literals, Steps, Watcher},
};

/// What a condition is at a point, by what is known beforehand.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Known {
    Is(bool),
    Ask(Code),
}

/// An edge that may be open at a point.
#[derive(Debug)]
struct Open {
    to: u32,
    /// It is open where one of these holds.
    label: Box<[Literals]>,
}

/// The edges of a watcher at some points that look alike to it.
#[derive(Debug)]
pub(crate) struct Table {
    /// The code of each condition that has to be asked.
    codes: Box<[Option<Code>]>,
    edges: Vec<Open>,
    /// For each head where its edges begin, and where the last one's end.
    starts: Box<[u32]>,
}

impl Table {
    fn new(watcher: &Watcher, steps: Steps, known: &[Known]) -> Self {
        let mut edges = Vec::new();
        let mut starts = vec![0; watcher.heads + 1];
        for edge in &watcher.edges {
            // What it expects then does not happen.
            if !watcher.states[edge.to as usize].expects.meet(steps) {
                continue;
            }
            let mut label = Vec::new();
            for literals in &edge.label {
                let decided = |&(condition, wanted): &(u32, bool)| match known[condition as usize] {
                    Known::Is(value) => Some(value == wanted),
                    Known::Ask(_) => None,
                };
                if literals
                    .iter()
                    .any(|literal| decided(literal) == Some(false))
                {
                    continue;
                }
                let asked = literals.iter().filter(|literal| decided(literal).is_none());
                label.push(asked.copied().collect());
            }
            if !label.is_empty() {
                let label = label.into();
                edges.push(Open { to: edge.to, label });
                starts[edge.from as usize + 1] += 1;
            }
        }
        for head in 0..watcher.heads {
            starts[head + 1] += starts[head];
        }
        let code = |known: &Known| match known {
            Known::Is(_) => None,
            Known::Ask(code) => Some(code.clone()),
        };
        Table {
            codes: known.iter().map(code).collect(),
            edges,
            starts: starts.into(),
        }
    }

    fn edges_from(&self, head: u32) -> &[Open] {
        let (from, to) = (self.starts[head as usize], self.starts[head as usize + 1]);
        &self.edges[from as usize..to as usize]
    }
}

/// Makes the tables of all points, equal ones once.
#[derive(Default)]
pub(crate) struct Tables {
    pub(crate) tables: Vec<Table>,
    numbers: HashMap<(Steps, Vec<Known>), u32>,
    codes: HashMap<(Expr, Option<ProcId>), Code>,
}

impl Tables {
    /// The number of the table of a point from which such steps lead. `compile` is asked for
    /// each new expression.
    pub(crate) fn add(
        &mut self,
        watcher: &Watcher,
        point: Point,
        steps: Steps,
        mut compile: impl FnMut(&Expr) -> Code,
    ) -> u32 {
        let mut known = Vec::with_capacity(watcher.conditions.len());
        for guard in &watcher.conditions {
            let expr = guard.at(point);
            known.push(match constant(&expr) {
                Some(value) => Known::Is(value == 1),
                None => {
                    let procedure = reads_local(&expr).then_some(point.procedure);
                    let code = self.codes.entry((expr, procedure));
                    Known::Ask(code.or_insert_with_key(|(expr, _)| compile(expr)).clone())
                }
            });
        }
        let key = (steps, known);
        if let Some(&number) = self.numbers.get(&key) {
            return number;
        }
        let number = self.tables.len() as u32;
        self.tables.push(Table::new(watcher, steps, &key.1));
        self.numbers.insert(key, number);
        number
    }
}

fn reads_local(expr: &Expr) -> bool {
    let local = |op: &Op| matches!(op, Op::Read(VarRef::Local(_)) | Op::Index(VarRef::Local(_)));
    expr.ops().iter().any(local)
}

/// Whether an edge is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Answer {
    No,
    /// It depends on a variable that is unknown.
    Perhaps,
    Yes,
}

impl<W: Words> ProgramSystem<'_, W> {
    /// Lets the watcher, which is at a head, read a state that has arrived at a point, and take an
    /// edge, any of those that are open. `None` if it cannot go on under these choices.
    pub(super) fn watch(
        &self,
        watcher: &Watcher,
        state: &mut W,
        point: PointId,
        choices: &mut Choices,
    ) -> Option<()> {
        let compiled = &self.compiled;
        let layout = &compiled.layout;
        let table = &compiled.tables[compiled.points[point as usize].table as usize];
        let watching = layout.monitor.get(state.as_slice()) as u32;
        let mut look = Look {
            codes: &compiled.codes,
            table,
            layout,
            answers: SmallVec::from_elem(None, table.codes.len()),
        };
        let mut open: SmallVec<[(&Open, Answer); 4]> = SmallVec::new();
        for edge in table.edges_from(watching) {
            let mut answer = look.label(edge, state);
            if watcher.stays && answer == Answer::Perhaps {
                // Whether it stays depends on all edges: every one has to be settled.
                answer = look.settle(edge, state, choices);
            }
            let known =
                |(other, sure): &(&Open, Answer)| other.to == edge.to && *sure == Answer::Yes;
            if answer != Answer::No && !open.iter().any(known) {
                open.push((edge, answer));
            }
        }
        let (edge, answer) = match open[..] {
            [] if watcher.stays => return Some(()),
            [] => return None,
            [only] => only,
            _ => open[choices.choose(open.len() as u64 - 1) as usize],
        };
        if answer == Answer::Perhaps && look.settle(edge, state, choices) != Answer::Yes {
            return None;
        }
        layout.monitor.set(state.as_mut_slice(), u64::from(edge.to));
        Some(())
    }
}

/// A watcher's look at a state.
struct Look<'a> {
    codes: &'a Codes,
    table: &'a Table,
    layout: &'a Layout,
    /// The answers to conditions so far; `Perhaps` may become sure when more is known.
    answers: SmallVec<[Option<Answer>; 8]>,
}

impl Look<'_> {
    /// Whether an edge is open, as far as that is known.
    fn label<W: Words>(&mut self, edge: &Open, state: &W) -> Answer {
        let mut label = Answer::No;
        for literals in &edge.label {
            let mut all = Answer::Yes;
            for &(condition, wanted) in literals {
                all = all.min(self.literal(condition, wanted, state));
                if all == Answer::No {
                    break;
                }
            }
            label = label.max(all);
            if label == Answer::Yes {
                break;
            }
        }
        label
    }

    fn literal<W: Words>(&mut self, condition: u32, wanted: bool, state: &W) -> Answer {
        let answer = self.answers[condition as usize].unwrap_or_else(|| {
            let mut peek = Peek {
                layout: self.layout,
                state,
                unknown: false,
            };
            let value = self.run(condition, &mut peek);
            let answer = match value {
                _ if peek.unknown => Answer::Perhaps,
                true => Answer::Yes,
                false => Answer::No,
            };
            self.answers[condition as usize] = Some(answer);
            answer
        });
        match (answer, wanted) {
            (Answer::Perhaps, _) => Answer::Perhaps,
            (Answer::Yes, true) | (Answer::No, false) => Answer::Yes,
            _ => Answer::No,
        }
    }

    /// Whether an edge is open, unknown variables chosen as they are read.
    fn settle<W: Words>(&mut self, edge: &Open, state: &mut W, choices: &mut Choices) -> Answer {
        let mut answer = Answer::No;
        'label: for literals in &edge.label {
            for &(condition, wanted) in literals {
                let mut chooser = Chooser {
                    layout: self.layout,
                    choices,
                    state,
                };
                if self.run(condition, &mut chooser) != wanted {
                    continue 'label;
                }
            }
            answer = Answer::Yes;
            break;
        }
        self.answers.fill(None);
        answer
    }

    /// The value of a condition; one that faults does not hold.
    fn run(&self, condition: u32, reader: &mut impl Reader) -> bool {
        let code = &self.table.codes[condition as usize];
        code.as_ref()
            .is_some_and(|code| self.codes.run(code, reader) == Some(1))
    }
}

/// Reads what is known of a state, and notes whether that was enough.
struct Peek<'a, W> {
    layout: &'a Layout,
    state: &'a W,
    unknown: bool,
}

impl<W: Words> Reader for Peek<'_, W> {
    fn now(&mut self, id: SlotId) -> u64 {
        let value = self.layout.slot(id).get(self.state.as_slice());
        self.unknown |= value.is_none();
        value.unwrap_or(0)
    }

    fn next(&mut self, id: SlotId) -> u64 {
        self.now(id)
    }

    fn any(&mut self, _: u32, _: u64) -> u64 {
        self.unknown = true;
        0
    }
}

/// Reads a state, and chooses what is unknown.
struct Chooser<'a, W> {
    layout: &'a Layout,
    choices: &'a mut Choices,
    state: &'a mut W,
}

impl<W: Words> Reader for Chooser<'_, W> {
    fn now(&mut self, id: SlotId) -> u64 {
        let slot = self.layout.slot(id);
        slot.get(self.state.as_slice()).unwrap_or_else(|| {
            let value = self.choices.choose(slot.max());
            slot.set(self.state.as_mut_slice(), Some(value));
            value
        })
    }

    fn next(&mut self, id: SlotId) -> u64 {
        self.now(id)
    }

    fn any(&mut self, _: u32, max: u64) -> u64 {
        self.choices.choose(max)
    }
}
