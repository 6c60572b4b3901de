//! What a program does, found by running it with every input.

use recurva_cir::{
    Module, TypeId, Unknown,
    interpret::{Checks, ChoiceError, Machine, Options, Outcome, World},
};
use recurva_cmodel::Wanted;

/// A run that takes longer than this leaves the question open.
const STEPS: u64 = 20_000;

/// What is known from the runs of a program.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    /// A run fails.
    Fails,
    /// Every run has been tried, and none fails.
    Holds,
    /// There are too many runs, or one does not end.
    Open,
}

/// A world that takes every combination of inputs, one after the other.
#[derive(Default)]
struct Every {
    /// For each choice of the run at hand: which value it takes, and how many there are.
    path: Vec<(usize, usize)>,
    next: usize,
}

/// The numbers that stand for all numbers of an unrestricted input, which programs only compare with
/// constants from -4 to 12.
fn classes() -> Vec<i64> {
    let ends = [i64::from(i32::MIN), i64::from(i32::MAX)];
    ends.into_iter().chain(-5..=13).collect()
}

/// The values that matter of an input: the programs rule out all others at once.
fn values(why: &Unknown) -> Vec<i64> {
    match why {
        Unknown::Nondet(name) => match &**name {
            "__VERIFIER_nondet_bool" => vec![0, 1],
            "__VERIFIER_nondet_uchar" => (0..4).collect(),
            "__VERIFIER_nondet_int" => (-2..=2).collect(),
            "__VERIFIER_nondet_long" => classes(),
            other => panic!("the generator asks for {other}"),
        },
        // The programs give every variable a value before they look at it, or that is what is
        // checked.
        _ => vec![0],
    }
}

impl World for Every {
    fn choose(
        &mut self,
        why: &Unknown,
        _: TypeId,
        _: &Module,
        bytes: &mut [u8],
    ) -> Result<(), ChoiceError> {
        let values = values(why);
        if self.next == self.path.len() {
            self.path.push((0, values.len()));
        }
        let value = values[self.path[self.next].0];
        self.next += 1;
        bytes.fill(0);
        let count = bytes.len().min(8);
        bytes[..count].copy_from_slice(&value.to_le_bytes()[..count]);
        Ok(())
    }
}

impl Every {
    /// Whether there is another combination; it is the next one to run.
    fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some((value, count)) = self.path.pop() {
            if value + 1 < count {
                self.path.push((value + 1, count));
                return true;
            }
        }
        false
    }
}

/// Runs a program with every input, up to so many runs.
pub(crate) fn truth(module: &Module, wanted: &Wanted, most: usize) -> Truth {
    let options = Options {
        errors: wanted.checks.iter().copied().collect::<Checks>(),
        steps: STEPS,
        ..Options::default()
    };
    let mut world = Every::default();
    let mut is_open = false;
    for _ in 0..most {
        match Machine::new(module, &mut world, options).run() {
            Outcome::Failed(..) if wanted.errors => return Truth::Fails,
            Outcome::CheckFailed(..) => return Truth::Fails,
            Outcome::Failed(..)
            | Outcome::Exited(_)
            | Outcome::Undefined(..)
            | Outcome::Aborted(_)
            | Outcome::Blocked(_) => {}
            Outcome::OutOfSteps => is_open = true,
            other => panic!("the generator makes what has no meaning: {other:?}"),
        }
        if !world.advance() {
            return match is_open {
                true => Truth::Open,
                false => Truth::Holds,
            };
        }
    }
    Truth::Open
}
