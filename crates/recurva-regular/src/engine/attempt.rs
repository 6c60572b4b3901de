//! The techniques, and in which order they are tried.

use super::{Direction, Engine, Problem};
use crate::{
    Dfa, Meter, Relation, Stop, abstraction,
    columns::{self, Depth},
    widen,
};

/// One technique with its parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attempt {
    Abstraction(usize),
    Columns,
    Actions,
    Bounded(usize),
    Widening,
}

impl Attempt {
    pub(super) fn name(self) -> &'static str {
        match self {
            Attempt::Abstraction(_) => "abstraction",
            Attempt::Columns => "columns",
            Attempt::Actions => "actions",
            Attempt::Bounded(_) => "bounded depth",
            Attempt::Widening => "widening",
        }
    }

    /// In which order they are tried: cheap ones first.
    pub(super) fn all() -> Vec<(Attempt, Direction)> {
        use Attempt::{Abstraction, Actions, Bounded, Columns, Widening};
        let both = |attempt| {
            [
                (attempt, Direction::Forward),
                (attempt, Direction::Backward),
            ]
        };
        let list = [
            Abstraction(0),
            Abstraction(1),
            Columns,
            Actions,
            Abstraction(2),
            Widening,
            Bounded(1),
            Bounded(2),
            Abstraction(3),
            Bounded(3),
            Abstraction(4),
        ];
        list.into_iter().flat_map(both).collect()
    }

    pub(super) fn is_of(self, engine: Engine) -> bool {
        match engine {
            Engine::Auto => true,
            Engine::Finite => false,
            Engine::Columns => self == Attempt::Columns,
            Engine::Actions => self == Attempt::Actions,
            Engine::Bounded => matches!(self, Attempt::Bounded(_)),
            Engine::Widening => self == Attempt::Widening,
            Engine::Abstraction => matches!(self, Attempt::Abstraction(_)),
        }
    }

    /// A set that is closed under steps and includes the initial words; and whether it has only
    /// what is reached. `None` if there is none to be had in this way.
    pub(super) fn run(
        self,
        problem: &Problem,
        meter: &mut Meter<'_>,
    ) -> Result<Option<(Dfa, bool)>, Stop> {
        let Problem {
            initial,
            relation,
            bad,
            ..
        } = problem;
        Ok(match self {
            Attempt::Abstraction(depth) => {
                abstraction::over_approximation((initial, relation, bad), depth, meter)?
                    .map(|set| (set, false))
            }
            Attempt::Columns => {
                let found = columns::reach(initial, relation, Depth::Any, meter)?;
                Some((found.dfa, true))
            }
            Attempt::Actions => Some((reach_by_actions(initial, relation, meter)?, true)),
            Attempt::Bounded(depth) => {
                let set = columns::reach(initial, relation, Depth::Local(depth), meter)?.dfa;
                let image = relation.image(&set, meter)?;
                // Columns that are too low give too small a set, which is not closed.
                (set.union(&image, meter)? == set).then_some((set, true))
            }
            Attempt::Widening => {
                let actions = relation.actions(meter)?;
                let widened = widen::reach(initial, &actions, meter)?;
                Some((widened.set, widened.exact))
            }
        })
    }
}

/// What each action is given to find its closure.
const CLOSURE_WORK: u64 = 1_000_000;

/// What can be reached: the closures of single actions are iterated. Steps from words that an
/// abstraction already excludes are left out first, since they only make closures larger.
///
/// # Errors
///
/// If the meter says stop.
pub fn reach_by_actions(
    initial: &Dfa,
    relation: &Relation,
    meter: &mut Meter<'_>,
) -> Result<Dfa, Stop> {
    let context = abstraction::over_approximation((initial, relation, &Dfa::empty()), 1, meter)?;
    let relation = match context {
        Some(context) => relation.from_set(&context, meter)?,
        None => relation.clone(),
    };
    let level = meter.level();
    let mut held = relation.dfa().bytes();
    let mut steps: Vec<Relation> = Vec::new();
    for action in relation.actions(meter)? {
        let closed = meter.within(CLOSURE_WORK, |meter| {
            columns::closure(&action, Depth::Any, meter)
        });
        steps.push(match closed {
            Ok(closed) => Relation::new(closed.dfa),
            Err(Stop::Work(_) | Stop::Memory(_)) => action,
            Err(stop) => return Err(stop),
        });
        held += steps.last().map_or(0, |step| step.dfa().bytes());
        meter.hold(level, held)?;
    }
    let mut set = initial.clone();
    loop {
        meter.progress.round += 1;
        meter.progress.states = set.states() as u64;
        meter.hold(level, held + 2 * set.bytes())?;
        let before = set.clone();
        for step in &steps {
            set = set.union(&step.image(&set, meter)?, meter)?;
        }
        if set == before {
            meter.release(level);
            return Ok(set);
        }
    }
}
