//! What is shown of a run in so many lines: calls are folded, and long lists cut in the middle.

use rustc_hash::FxHashMap;

use super::{CKind, CRun, CStep};

/// A large call is opened up only if that shows at least this many of its lines.
const WORTHWHILE: usize = 8;

/// How much of a run is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CFolding {
    /// About how many lines.
    pub lines: usize,
    /// Whether calls and returns are all that is shown.
    pub calls_only: bool,
}

/// What is shown of a run, one after the other.
#[derive(Clone, Copy, Debug)]
pub enum CShown<'r> {
    /// A step.
    Step(usize, &'r CStep),
    /// A call with all that it does.
    Folded {
        /// The call.
        call: &'r CStep,
        /// Its return.
        returned: &'r CStep,
        /// How many statements it executes.
        steps: u64,
    },
    /// Steps that are left out.
    Gap {
        /// How many calls were under way before them.
        depth: usize,
        /// How many there are.
        steps: u64,
        /// How many calls were entered in them that have not returned.
        entered: u64,
    },
}

/// A list of steps that is opened up: those of the run, or of a call.
struct List {
    items: Vec<usize>,
    /// Items from here on are folded,
    fold: usize,
    /// up to this one.
    resume: usize,
    /// The call that it belongs to.
    call: Option<usize>,
    /// Whether all calls in it are opened up, with all that they call.
    is_whole: bool,
}

struct Folder<'r> {
    run: &'r CRun,
    calls_only: bool,
    /// For each call that returns: where.
    returns: FxHashMap<usize, usize>,
    /// For each call that is opened up: its list.
    opened: FxHashMap<usize, usize>,
    lists: Vec<List>,
    left: usize,
}

impl CRun {
    /// What is shown of the run in so many lines.
    pub fn folded(&self, folding: CFolding) -> Vec<CShown<'_>> {
        let mut calls: FxHashMap<u64, usize> = FxHashMap::default();
        let mut returns = FxHashMap::default();
        for (index, step) in self.steps.iter().enumerate() {
            match step.kind {
                CKind::Call { call, .. } => {
                    calls.insert(call, index);
                }
                CKind::Return { call, .. } => {
                    if let Some(&from) = calls.get(&call) {
                        returns.insert(from, index);
                    }
                }
                _ => {}
            }
        }
        let mut folder = Folder {
            run: self,
            calls_only: folding.calls_only,
            returns,
            opened: FxHashMap::default(),
            lists: Vec::new(),
            left: folding.lines,
        };
        folder.open(None, 0..self.steps.len(), folding.lines);
        folder.open_calls();
        folder.show()
    }
}

impl<'r> Folder<'r> {
    /// The steps of a range that belong to no call in it which returns there.
    fn items(&self, range: std::ops::Range<usize>) -> Vec<usize> {
        let mut items = Vec::new();
        let mut at = range.start;
        while at < range.end {
            if self.takes_a_line(at) {
                items.push(at);
            }
            at = self.returns.get(&at).copied().unwrap_or(at) + 1;
        }
        items
    }

    fn takes_a_line(&self, at: usize) -> bool {
        let kind = &self.run.steps[at].kind;
        !self.calls_only || *kind != CKind::Statement
    }

    /// Opens up a list in about so many lines.
    fn open(&mut self, call: Option<usize>, range: std::ops::Range<usize>, lines: usize) {
        let items = self.items(range);
        let (mut fold, mut resume) = (items.len(), items.len());
        if items.len() > lines {
            // The end of a run says more about what went wrong than its beginning.
            fold = lines / 4;
            resume = items.len() - (lines - lines / 4);
        }
        self.left = self.left.saturating_sub(items.len().min(lines) + 1);
        if let Some(call) = call {
            self.opened.insert(call, self.lists.len());
        }
        self.lists.push(List {
            items,
            fold,
            resume,
            call,
            is_whole: false,
        });
    }

    /// Opens up calls as long as there are lines left, the last ones first: those that fit whole,
    /// then the others in part.
    fn open_calls(&mut self) {
        let mut next = 0;
        while next < self.lists.len() && self.left > WORTHWHILE {
            let list = &self.lists[next];
            let shown = (0..list.fold).chain(list.resume..list.items.len()).rev();
            let calls: Vec<(usize, usize)> = shown
                .filter_map(|at| {
                    let call = list.items[at];
                    Some((call, *self.returns.get(&call)?))
                })
                .collect();
            let mut large = Vec::new();
            for &(call, end) in &calls {
                let inside = (call + 1..end).filter(|&at| self.takes_a_line(at)).count();
                if inside + 1 >= self.left {
                    large.push((call, end));
                    continue;
                }
                self.left -= inside + 1;
                self.opened.insert(call, self.lists.len());
                self.lists.push(List {
                    items: (call + 1..end)
                        .filter(|&at| self.takes_a_line(at))
                        .collect(),
                    fold: inside,
                    resume: inside,
                    call: Some(call),
                    is_whole: true,
                });
            }
            for (call, end) in large {
                let share = (self.left / 2).max(WORTHWHILE);
                if self.left <= WORTHWHILE {
                    break;
                }
                self.open(Some(call), call + 1..end, share);
            }
            next += 1;
            while self.lists.get(next).is_some_and(|it| it.is_whole) {
                next += 1;
            }
        }
    }

    fn show(&self) -> Vec<CShown<'r>> {
        let steps = &self.run.steps;
        let mut out = Vec::new();
        let mut open = vec![(0usize, 0usize)];
        while let Some((index, at)) = open.pop() {
            let list = &self.lists[index];
            if at == list.fold && list.fold < list.resume {
                out.push(self.gap(list));
                open.push((index, list.resume));
                continue;
            }
            let Some(&item) = list.items.get(at) else {
                let end = list.call.and_then(|call| self.returns.get(&call));
                out.extend(end.map(|&end| CShown::Step(end, &steps[end])));
                continue;
            };
            open.push((index, at + 1));
            match (self.returns.get(&item), self.opened.get(&item)) {
                (Some(_), Some(&inner)) if !list.is_whole => {
                    out.push(CShown::Step(item, &steps[item]));
                    open.push((inner, 0));
                }
                (Some(&end), None) if !list.is_whole => out.push(CShown::Folded {
                    call: &steps[item],
                    returned: &steps[end],
                    steps: steps[item + 1..end].iter().map(CStep::steps).sum(),
                }),
                _ => out.push(match steps[item].kind {
                    CKind::Gap { steps: count } => CShown::Gap {
                        depth: steps[item].depth,
                        steps: count,
                        entered: 0,
                    },
                    _ => CShown::Step(item, &steps[item]),
                }),
            }
        }
        out
    }

    fn gap(&self, list: &List) -> CShown<'r> {
        let steps = &self.run.steps;
        let first = list.items[list.fold];
        let end = list.items[list.resume];
        let (mut count, mut entered) = (0, 0);
        for (at, step) in steps.iter().enumerate().take(end).skip(first) {
            count += step.steps();
            let is_call = matches!(step.kind, CKind::Call { .. });
            entered += u64::from(is_call && !self.returns.contains_key(&at));
        }
        CShown::Gap {
            depth: steps[first].depth,
            steps: count,
            entered,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::run::CEnd;

    fn step(kind: CKind, depth: usize) -> CStep {
        CStep {
            kind,
            origin: recurva_model::Origin::default(),
            is_beginning: true,
            depth,
            function: "f".into(),
            truth: None,
            inputs: Vec::new(),
            notes: Vec::new(),
            changes: Vec::new(),
        }
    }

    fn call(call: u64, depth: usize) -> CStep {
        let kind = CKind::Call {
            call,
            callee: "f".into(),
            arguments: Vec::new(),
            place: recurva_model::Origin::default(),
        };
        step(kind, depth)
    }

    fn back(call: u64, depth: usize) -> CStep {
        let kind = CKind::Return {
            call,
            callee: "f".into(),
            value: None,
        };
        step(kind, depth)
    }

    fn shown(steps: Vec<CStep>, lines: usize) -> String {
        let run = CRun {
            globals: Vec::new(),
            length: steps.len() as u64,
            steps,
            end: CEnd::default(),
        };
        let folding = CFolding {
            lines,
            calls_only: false,
        };
        let shown = run.folded(folding);
        let shown = shown.iter().map(|it| match it {
            CShown::Step(_, step) => match step.kind {
                CKind::Call { .. } => "(".to_owned(),
                CKind::Return { .. } => ")".to_owned(),
                _ => ".".to_owned(),
            },
            CShown::Folded { steps, .. } => format!("[{steps}]"),
            CShown::Gap { steps, entered, .. } => format!("…{steps},{entered}…"),
        });
        shown.collect()
    }

    #[test]
    fn short_runs_are_whole() {
        let steps = vec![
            step(CKind::Statement, 0),
            call(1, 0),
            call(2, 1),
            back(2, 1),
            back(1, 0),
            call(3, 0),
            step(CKind::Statement, 1),
        ];
        assert_eq!(shown(steps, 100), ".(()).".replacen("))", "))(", 1));
    }

    #[test]
    fn large_calls_are_folded() {
        let mut steps = vec![call(1, 0)];
        steps.extend((0..1000).map(|_| step(CKind::Statement, 1)));
        steps.push(back(1, 0));
        steps.push(step(CKind::Statement, 0));
        assert_eq!(shown(steps.clone(), 5), "[1000].");
        let part = shown(steps, 40);
        assert!(part.starts_with("(...."), "{part}");
        assert!(part.contains('…') && part.ends_with(")."), "{part}");
        assert!(part.chars().count() < 45, "{part}");
    }

    #[test]
    fn deep_stacks_are_cut_in_the_middle() {
        let steps: Vec<CStep> = (0..1000).map(|it| call(it + 1, it as usize)).collect();
        let found = shown(steps, 8);
        assert_eq!(found, "((…992,992…((((((");
        let mut steps = vec![step(CKind::Gap { steps: 7 }, 0)];
        steps.push(back(9, 0));
        assert_eq!(shown(steps, 8), "…7,0…)");
    }
}
