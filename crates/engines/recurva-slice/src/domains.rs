//! Which values of a variable are told apart: the constants that may come to it.

use recurva_model::{Action, Expr, Op, Patience, Place, ProcId, Program, Stop, Type, VarRef};

use crate::numbers::{Numbers, procedures};

/// So many constants of an integer are told apart; the others are "something else".
const MOST: usize = 7;

/// If the sets of all nodes took more words than this, no variable is followed: a slice has to
/// cost far less than a search.
const MOST_WORDS: usize = 1 << 23;

/// The values of one variable that are told apart, a bit for each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Domain {
    /// The number of the first bit in the sets of a node.
    first: usize,
    values: Vec<u64>,
    /// Whether one more bit stands for all other values.
    others: bool,
}

impl Domain {
    pub(crate) fn is_followed(&self) -> bool {
        self.bits() > 0
    }

    fn bits(&self) -> usize {
        self.values.len() + usize::from(self.others)
    }

    /// The one value the variable can have, if it is one.
    pub(crate) fn only(&self, row: &[u64]) -> Option<u64> {
        let mut set = (0..self.bits()).filter(|&bit| get(row, self.first + bit));
        let (Some(bit), None) = (set.next(), set.next()) else {
            return None;
        };
        self.values.get(bit).copied()
    }

    /// Makes this the one value, or any value, of the variable.
    pub(crate) fn assign(&self, row: &mut [u64], value: Option<u64>) {
        let position = value.map(|value| {
            let found = self.values.iter().position(|&known| known == value);
            found.unwrap_or(self.values.len())
        });
        for bit in 0..self.bits() {
            set(row, self.first + bit, position.is_none_or(|p| p == bit));
        }
    }
}

fn get(row: &[u64], bit: usize) -> bool {
    row[bit / 64] >> (bit % 64) & 1 == 1
}

fn set(row: &mut [u64], bit: usize, value: bool) {
    let word = &mut row[bit / 64];
    *word = *word & !(1 << (bit % 64)) | u64::from(value) << (bit % 64);
}

/// The domains of all variables, and how many words the sets of a node take.
#[derive(Clone, Debug)]
pub(crate) struct Domains {
    domains: Vec<Domain>,
    /// Words for the globals; they come first in every row.
    pub(crate) global_words: usize,
    /// Words of a row, by procedure.
    pub(crate) words: Vec<usize>,
}

impl Domains {
    pub(crate) fn new(
        program: &Program,
        numbers: &Numbers,
        patience: &mut Patience<'_>,
    ) -> Result<Self, Stop> {
        let mut constants = Constants::of(program, numbers, patience)?;
        constants.follow_copies(patience)?;
        let mut domains = Domains {
            domains: vec![Domain::default(); numbers.variables()],
            global_words: 0,
            words: Vec::with_capacity(program.procedures().len()),
        };
        let globals = (0..program.globals().len() as u32).map(VarRef::Global);
        let main = program.main();
        domains.global_words = domains.lay_out(program, numbers, &mut constants, main, globals, 0);
        let mut total = 0;
        for id in procedures(program) {
            let procedure = program.procedure(id);
            let locals = (0..procedure.locals.len() as u32).map(VarRef::Local);
            let first = domains.global_words;
            let words = domains.lay_out(program, numbers, &mut constants, id, locals, first);
            domains.words.push(words);
            total += words * procedure.nodes.len();
        }
        if total > MOST_WORDS {
            domains.domains.fill(Domain::default());
            domains.global_words = 0;
            domains.words.fill(0);
        }
        Ok(domains)
    }

    /// Gives variables their bits, from a word on; returns the word behind them.
    fn lay_out(
        &mut self,
        program: &Program,
        numbers: &Numbers,
        constants: &mut Constants,
        procedure: ProcId,
        variables: impl Iterator<Item = VarRef>,
        first_word: usize,
    ) -> usize {
        let mut bit = first_word * 64;
        for variable in variables {
            let number = numbers.variable(procedure, variable);
            let declared = program.variable(procedure, variable);
            let mut values = std::mem::take(&mut constants.values[number]);
            if declared.len.is_some() || values.is_empty() {
                continue;
            }
            if declared.ty == Type::Bool {
                values = vec![0, 1];
            }
            let domain = Domain {
                first: bit,
                values,
                others: declared.ty != Type::Bool,
            };
            bit += domain.bits();
            self.domains[number] = domain;
        }
        bit.div_ceil(64)
    }

    /// The domain of a variable, by its number.
    pub(crate) fn of(&self, variable: usize) -> &Domain {
        &self.domains[variable]
    }
}

/// The constants that are written to each variable, by number.
struct Constants {
    values: Vec<Vec<u64>>,
    /// The variables to which each one is copied.
    copies: Vec<Vec<u32>>,
}

impl Constants {
    fn of(program: &Program, numbers: &Numbers, patience: &mut Patience<'_>) -> Result<Self, Stop> {
        let mut constants = Constants {
            values: vec![Vec::new(); numbers.variables()],
            copies: vec![Vec::new(); numbers.variables()],
        };
        for id in procedures(program) {
            for edge in &program.procedure(id).edges {
                patience.work(8)?;
                match &edge.action {
                    Action::Assign { assigns, .. } => {
                        for (place, value) in assigns {
                            if let Place::Scalar(target) = *place {
                                let target = numbers.variable(id, target);
                                constants.write(numbers, id, target, value);
                            }
                        }
                    }
                    Action::Call {
                        callee,
                        arguments,
                        results,
                    } => {
                        for (index, argument) in arguments.iter().enumerate() {
                            let parameter = VarRef::Local(index as u32);
                            let target = numbers.variable(*callee, parameter);
                            constants.write(numbers, id, target, argument);
                        }
                        let from = &program.procedure(*callee).results;
                        for (result, &local) in results.iter().zip(from) {
                            if let Some(target) = *result {
                                let local = numbers.variable(*callee, VarRef::Local(local));
                                let target = numbers.variable(id, target);
                                constants.copies[local].push(target as u32);
                            }
                        }
                    }
                }
            }
        }
        Ok(constants)
    }

    fn write(&mut self, numbers: &Numbers, reader: ProcId, target: usize, value: &Expr) {
        match *value.ops() {
            [Op::Const(value, _)] => add(&mut self.values[target], value),
            [Op::Read(source)] => {
                let source = numbers.variable(reader, source);
                self.copies[source].push(target as u32);
            }
            _ => {}
        }
    }

    fn follow_copies(&mut self, patience: &mut Patience<'_>) -> Result<(), Stop> {
        let filled = |&variable: &usize| !self.values[variable].is_empty();
        let mut work: Vec<usize> = (0..self.values.len()).filter(filled).collect();
        while let Some(source) = work.pop() {
            let values = self.values[source].clone();
            for &target in &self.copies[source] {
                patience.work(8)?;
                let own = &mut self.values[target as usize];
                let before = own.len();
                values.iter().for_each(|&value| add(own, value));
                if own.len() > before {
                    work.push(target as usize);
                }
            }
        }
        Ok(())
    }
}

/// Adds a value unless it is there or there are too many.
fn add(values: &mut Vec<u64>, value: u64) {
    if values.len() < MOST && !values.contains(&value) {
        values.push(value);
    }
}
