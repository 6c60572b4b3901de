//! What is shown of a trace and what is folded, decided before it is walked.
//!
//! Each list of steps that is opened up gets a window: its first and last steps are shown,
//! the middle is folded if it is long. Calls are opened up as long as lines are left, those
//! near the end of the run first: small ones whole, then large ones in part.

use std::collections::HashMap;

use recurva_evidence::{BodyId, Part, Replayed, Step, Via};

use crate::{Detail, Layout};

/// A large call is opened up only if that shows at least this many of its lines.
const WORTHWHILE: usize = 8;

/// How deep large calls are opened up in a folded trace.
const DEPTH: usize = 3;

/// A list of steps that is opened up.
#[derive(Debug)]
pub(crate) struct Opened {
    /// Steps from here on are folded,
    pub(crate) fold: usize,
    /// up to this one.
    pub(crate) resume: usize,
    /// The calls that are opened up in turn: from the step's index to a [`Plan`]'s index.
    calls: HashMap<usize, usize>,
    /// How many large calls this one is nested in.
    depth: usize,
}

impl Opened {
    /// The call at that step, if it is opened up.
    pub(crate) fn call(&self, step: usize) -> Option<usize> {
        self.calls.get(&step).copied()
    }

    /// Whether a step is folded.
    pub(crate) fn folds(&self, step: usize) -> bool {
        (self.fold..self.resume).contains(&step)
    }
}

/// See [the module](self).
#[derive(Debug)]
pub(crate) struct Plan {
    /// The stem, the turn if there is one, then the bodies that are opened up.
    opened: Vec<Opened>,
}

/// The index of the stem in a [`Plan`].
pub(crate) const STEM: usize = 0;

/// The index of the turn in the [`Plan`] of an infinite run.
pub(crate) const TURN: usize = 1;

impl Plan {
    pub(crate) fn new(replayed: &Replayed<'_>, layout: Layout) -> Self {
        let mut planner = Planner::new(replayed, layout);
        let trace = replayed.trace();
        let mut lists = vec![Part::Stem];
        if trace.turn.is_some() {
            lists.push(Part::Turn);
        }
        // What goes round for ever says more than how it got there: the stem gets what is left.
        let all = planner.lines_left;
        let turn = planner.window(trace.turn_steps(), all - all / 4, 0);
        let stem = planner.window(&trace.stem, planner.lines_left, 0);
        planner
            .opened
            .extend([stem, turn].into_iter().take(lists.len()));
        planner.lists = lists;
        planner.open_small((0..planner.opened.len()).collect());
        planner.open_large();
        Plan {
            opened: planner.opened,
        }
    }

    pub(crate) fn opened(&self, index: usize) -> &Opened {
        &self.opened[index]
    }
}

struct Planner<'a> {
    replayed: &'a Replayed<'a>,
    detail: Detail,
    /// For each body, the lines it takes when everything is shown.
    whole: Vec<u64>,
    lines_left: usize,
    opened: Vec<Opened>,
    /// What each opened list is.
    lists: Vec<Part>,
}

impl<'a> Planner<'a> {
    fn new(replayed: &'a Replayed<'_>, layout: Layout) -> Self {
        let detail = layout.detail;
        let mut whole: Vec<u64> = Vec::with_capacity(replayed.trace().bodies.len());
        for body in &replayed.trace().bodies {
            let lines = body.steps.iter().fold(0u64, |sum, step| match step.via {
                Via::Through(inner) => sum.saturating_add(whole[inner.index()]).saturating_add(2),
                Via::Internal | Via::Into => sum.saturating_add(u64::from(counts(detail, step))),
            });
            whole.push(lines);
        }
        let lines_left = if detail == Detail::Full {
            layout.full_lines
        } else {
            layout.lines
        };
        let (opened, lists) = (Vec::new(), Vec::new());
        Planner {
            replayed,
            detail,
            whole,
            lines_left,
            opened,
            lists,
        }
    }

    /// Opens up a list of steps in about `lines` lines, calls in it folded.
    fn window(&mut self, steps: &[Step], lines: usize, depth: usize) -> Opened {
        let detail = self.detail;
        let shown = |step: &&Step| counts(detail, step);
        let calls = HashMap::new();
        let total = steps.iter().filter(shown).count();
        if total <= lines {
            self.lines_left -= total.min(self.lines_left);
            return Opened {
                fold: steps.len(),
                resume: steps.len(),
                calls,
                depth,
            };
        }
        self.lines_left -= lines.min(self.lines_left);
        // The end of a run says more about what went wrong than its beginning.
        let (head, tail) = (lines / 4, lines - lines / 4);
        let position = |(index, _): (usize, &Step)| index;
        let listed = || {
            steps
                .iter()
                .enumerate()
                .filter(|(_, step)| counts(detail, step))
        };
        let fold = listed().nth(head).map_or(steps.len(), position);
        let resume = listed()
            .nth_back(tail.saturating_sub(1))
            .map_or(steps.len(), position);
        Opened {
            fold,
            resume: resume.max(fold),
            calls,
            depth,
        }
    }

    /// The calls in an opened list that are shown and still folded, the last one first.
    fn folded_calls(&self, index: usize) -> Vec<(usize, BodyId)> {
        let opened = &self.opened[index];
        let steps = self.steps(index);
        let shown = (0..opened.fold).chain(opened.resume..steps.len());
        let calls = shown.filter_map(|at| match steps[at].via {
            Via::Through(body) if opened.call(at).is_none() => Some((at, body)),
            _ => None,
        });
        let mut calls: Vec<_> = calls.collect();
        calls.reverse();
        calls
    }

    fn steps(&self, index: usize) -> &'a [Step] {
        let trace = self.replayed.trace();
        match self.lists[index] {
            Part::Stem => &trace.stem,
            Part::Turn => trace.turn_steps(),
            Part::Body(body) => &trace.bodies[body.index()].steps,
        }
    }

    fn open(&mut self, parent: usize, step: usize, body: BodyId, lines: usize, depth: usize) {
        // One more line for the return.
        self.lines_left = self.lines_left.saturating_sub(1);
        let steps = &self.replayed.trace().bodies[body.index()].steps;
        let opened = self.window(steps, lines, depth);
        let index = self.opened.len();
        self.opened[parent].calls.insert(step, index);
        self.opened.push(opened);
        self.lists.push(Part::Body(body));
    }

    /// Opens up, with all they call, the calls that fit whole.
    fn open_small(&mut self, mut lists: Vec<usize>) {
        while let Some(list) = lists.pop() {
            for (step, body) in self.folded_calls(list) {
                let whole = self.whole[body.index()];
                if whole < self.lines_left as u64 {
                    self.open(list, step, body, usize::MAX, self.opened[list].depth);
                    lists.push(self.opened.len() - 1);
                }
            }
        }
    }

    /// Opens up calls that do not fit whole, level by level.
    fn open_large(&mut self) {
        let deepest = if self.detail == Detail::Full {
            usize::MAX
        } else {
            DEPTH
        };
        let mut level: Vec<usize> = (0..self.opened.len())
            .filter(|&list| !matches!(self.lists[list], Part::Body(_)))
            .rev()
            .collect();
        while !level.is_empty() && self.lines_left > WORTHWHILE {
            let mut below = Vec::new();
            for list in level {
                let depth = self.opened[list].depth + 1;
                if depth > deepest {
                    continue;
                }
                for (step, body) in self.folded_calls(list) {
                    let own = self.own_lines(body);
                    let share = (self.lines_left / 2).max(WORTHWHILE);
                    if self.lines_left <= WORTHWHILE && own >= self.lines_left {
                        break;
                    }
                    self.open(list, step, body, share, depth);
                    let opened = self.opened.len() - 1;
                    self.open_small(vec![opened]);
                    below.push(opened);
                }
            }
            level = below;
        }
    }

    fn own_lines(&self, body: BodyId) -> usize {
        let steps = &self.replayed.trace().bodies[body.index()].steps;
        steps
            .iter()
            .filter(|step| counts(self.detail, step))
            .count()
    }
}

/// Whether a step takes a line.
fn counts(detail: Detail, step: &Step) -> bool {
    detail != Detail::Calls || step.via != Via::Internal
}
