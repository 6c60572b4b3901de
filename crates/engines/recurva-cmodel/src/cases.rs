//! Case splits: what something is under which condition.

use crate::{LimitReason, value::Value};

/// Under a condition: what it is, or why the model does not know.
#[derive(Clone, Debug)]
pub(crate) struct Case<T> {
    pub(crate) guard: Value,
    pub(crate) outcome: Result<T, LimitReason>,
}

/// No more cases than about so many are told apart: what is left is not modelled.
const MOST: usize = 1024;

/// Cases that exclude each other. If none applies, a run does not go on.
#[derive(Clone, Debug)]
pub(crate) struct Cases<T> {
    pub(crate) list: Vec<Case<T>>,
}

impl<T> Cases<T> {
    /// One thing, whatever holds.
    pub(crate) fn one(outcome: T) -> Self {
        Self::always(Ok(outcome))
    }

    /// Something that the model does not know.
    pub(crate) fn unknown(reason: LimitReason) -> Self {
        Self::always(Err(reason))
    }

    pub(crate) fn always(outcome: Result<T, LimitReason>) -> Self {
        Cases {
            list: vec![Case {
                guard: Value::truth(),
                outcome,
            }],
        }
    }

    pub(crate) fn none() -> Self {
        Cases { list: Vec::new() }
    }

    /// One more case, unless its condition never holds.
    pub(crate) fn push(&mut self, guard: Value, outcome: Result<T, LimitReason>) {
        if !guard.is_false() {
            self.list.push(Case { guard, outcome });
        }
    }

    /// The thing, if there is one whatever holds.
    pub(crate) fn single(&self) -> Option<&T> {
        match &*self.list {
            [
                Case {
                    guard,
                    outcome: Ok(outcome),
                },
            ] if guard.is_true() => Some(outcome),
            _ => None,
        }
    }

    /// The same cases of what is made of each.
    pub(crate) fn map<U>(self, mut change: impl FnMut(T) -> U) -> Cases<U> {
        let list = self.list.into_iter().map(|case| Case {
            guard: case.guard,
            outcome: case.outcome.map(&mut change),
        });
        Cases {
            list: list.collect(),
        }
    }

    /// The cases of what is made of each, which may have cases of its own.
    pub(crate) fn then<U>(self, mut next: impl FnMut(T) -> Cases<U>) -> Cases<U> {
        let mut all = Cases::none();
        for case in self.list {
            match case.outcome {
                Err(reason) => all.push(case.guard, Err(reason)),
                Ok(_) if all.list.len() > MOST => all.push(case.guard, Err(LimitReason::Cases)),
                Ok(outcome) => {
                    for inner in next(outcome).list {
                        all.push(case.guard.clone().and(inner.guard), inner.outcome);
                    }
                }
            }
        }
        all
    }

    /// All pairs.
    pub(crate) fn with<U: Clone>(self, other: &Cases<U>) -> Cases<(T, U)>
    where
        T: Clone,
    {
        self.then(|left| other.clone().map(|right| (left.clone(), right)))
    }

    /// Only under a condition.
    pub(crate) fn under(mut self, guard: &Value) -> Self {
        for case in &mut self.list {
            case.guard = guard.clone().and(case.guard.clone());
        }
        self.list.retain(|case| !case.guard.is_false());
        self
    }

    /// These cases and others, which exclude them.
    pub(crate) fn and_also(mut self, other: Self) -> Self {
        self.list.extend(other.list);
        self
    }
}
