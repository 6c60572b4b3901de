//! Ranks: numbers made of a program's variables.

use recurva_model::{Binary, EdgeId, Expr, Op, ProcId, Procedure, Program, Type, Unary, VarRef};

/// The type in which sums are computed: they wrap around at 64 bits.
const WIDE: Type = Type::signed(64);

/// A scalar variable, or an element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// The variable, as its procedure sees it.
    pub variable: VarRef,
    /// The element, if it is an array.
    pub element: Option<u32>,
}

/// A sum of cells, each so many times, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sum {
    /// The cells, in order, each once and with a factor that is not 0.
    pub terms: Vec<(i64, Cell)>,
    /// The constant.
    pub constant: i64,
}

/// A number with finitely many values, so that it cannot fall for ever.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rank {
    /// A sum, modulo 2^64 as a signed number. Of a single cell, once or negated, it is a value of the cell's
    /// type, modulo its bits.
    Value(Sum),
    /// Whether the sum, computed in the same way, is not negative: true is more than false.
    Sign(Sum),
    /// Whether the guard of an edge holds: true is more than false. Of its negation the other way round.
    Guard {
        /// The edge.
        edge: EdgeId,
        /// Whether it is the negation that falls.
        is_negated: bool,
    },
}

/// Numbers of which the first one that changes has to fall.
pub type Ranks = Vec<Rank>;

/// A rank that makes no sense in a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// There is no such variable.
    #[error("there is no such variable or element")]
    NoCell,
    /// It is a truth value.
    #[error("a truth value is no number")]
    NoNumber,
    /// It is empty.
    #[error("the sum is empty")]
    Empty,
    /// There is no such edge, or its guard may fault or depends on more than variables.
    #[error("the edge has no guard that depends on variables alone")]
    NoGuard,
}

impl Sum {
    /// A cell.
    pub fn of(cell: Cell) -> Self {
        Sum {
            terms: vec![(1, cell)],
            constant: 0,
        }
    }

    /// A number.
    pub(crate) fn number(constant: i64) -> Self {
        Sum {
            terms: Vec::new(),
            constant,
        }
    }

    /// This and another one so many times.
    pub(crate) fn plus(&self, times: i64, other: &Sum) -> Self {
        let mut sum = self.clone();
        sum.constant = sum
            .constant
            .wrapping_add(other.constant.wrapping_mul(times));
        for &(factor, cell) in &other.terms {
            let factor = factor.wrapping_mul(times);
            match sum.terms.binary_search_by_key(&cell, |it| it.1) {
                Ok(place) => sum.terms[place].0 = sum.terms[place].0.wrapping_add(factor),
                Err(place) => sum.terms.insert(place, (factor, cell)),
            }
        }
        sum.terms.retain(|it| it.0 != 0);
        sum
    }

    /// So many times this.
    pub(crate) fn times(&self, factor: i64) -> Self {
        Sum::default().plus(factor, self)
    }

    /// The cell, and whether it is negated, if there is nothing else.
    fn single(&self) -> Option<(Cell, bool)> {
        match self.terms[..] {
            [(1, cell)] => Some((cell, false)),
            [(-1, cell)] => Some((cell, true)),
            _ => None,
        }
    }
}

impl Rank {
    /// Whether it makes sense in a procedure.
    ///
    /// # Errors
    ///
    /// If not: why.
    pub fn check(&self, program: &Program, procedure: ProcId) -> Result<(), Misfit> {
        let sum = match self {
            Rank::Value(sum) | Rank::Sign(sum) => sum,
            &Rank::Guard { edge, .. } => {
                let edge = program.procedure(procedure).edges.get(edge.index());
                let guard = edge.map(|it| &it.guard).ok_or(Misfit::NoGuard)?;
                let is_open = guard.ops().iter().any(|op| matches!(op, Op::Any(..)));
                return match is_open || guard.can_fault() {
                    true => Err(Misfit::NoGuard),
                    false => Ok(()),
                };
            }
        };
        if sum.terms.is_empty() {
            return Err(Misfit::Empty);
        }
        for (_, cell) in &sum.terms {
            let variables = match cell.variable {
                VarRef::Global(index) => program.globals().get(index as usize),
                VarRef::Local(index) => program.procedure(procedure).locals.get(index as usize),
            };
            let variable = variables.ok_or(Misfit::NoCell)?;
            let fits = match (variable.len, cell.element) {
                (None, None) => true,
                (Some(len), Some(element)) => element < len,
                _ => false,
            };
            if !fits {
                return Err(Misfit::NoCell);
            }
            if variable.ty == Type::Bool {
                return Err(Misfit::NoNumber);
            }
        }
        Ok(())
    }

    /// Its type in a procedure of a program.
    pub(crate) fn ty(&self, ty: &dyn Fn(VarRef) -> Type) -> Type {
        match self {
            Rank::Value(sum) => match sum.single() {
                Some((cell, _)) => ty(cell.variable),
                None => WIDE,
            },
            Rank::Sign(_) | Rank::Guard { .. } => Type::Bool,
        }
    }

    /// It as an expression of [`Self::ty`] over the variables of its procedure.
    pub(crate) fn expression(&self, procedure: &Procedure, ty: &dyn Fn(VarRef) -> Type) -> Expr {
        match self {
            Rank::Sign(sum) => {
                let zero = Expr::constant(0, WIDE);
                wide(sum, ty).join(Binary::GreaterEqual, WIDE, &zero)
            }
            Rank::Value(sum) => match sum.single() {
                Some((cell, is_negated)) => {
                    let own = ty(cell.variable);
                    let mut value = read(cell);
                    if is_negated {
                        // It has the opposite order, in all types and without an overflow.
                        value = value.then(Op::Unary(Unary::Not, own));
                    }
                    if sum.constant != 0 {
                        let constant = Expr::constant(sum.constant as u64, own);
                        value = value.join(Binary::Add, own, &constant);
                    }
                    value
                }
                None => wide(sum, ty),
            },
            Rank::Guard { edge, is_negated } => {
                let guard = procedure.edges[edge.index()].guard.clone();
                match is_negated {
                    true => guard.negate(),
                    false => guard,
                }
            }
        }
    }

    /// The edge whose guard it is.
    pub fn edge(&self) -> Option<EdgeId> {
        match *self {
            Rank::Guard { edge, .. } => Some(edge),
            Rank::Value(_) | Rank::Sign(_) => None,
        }
    }

    /// In words; `name` gives those of variables. What a guard says is written elsewhere.
    pub fn show(&self, name: &dyn Fn(VarRef) -> String) -> String {
        let sum = match self {
            Rank::Value(sum) | Rank::Sign(sum) => sum,
            Rank::Guard { is_negated, .. } => {
                let not = if *is_negated { "not " } else { "" };
                return format!("{not}the condition");
            }
        };
        let mut text = String::new();
        let mut add = |factor: i64, what: &str| {
            let sign = match (text.is_empty(), factor < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text.push_str(sign);
            let size = factor.unsigned_abs();
            match (what.is_empty(), size) {
                (true, _) => text.push_str(&size.to_string()),
                (false, 1) => text.push_str(what),
                (false, _) => text.push_str(&format!("{size}*{what}")),
            }
        };
        for &(factor, cell) in &sum.terms {
            let name = name(cell.variable);
            match cell.element {
                Some(element) => add(factor, &format!("{name}[{element}]")),
                None => add(factor, &name),
            }
        }
        if sum.constant != 0 {
            add(sum.constant, "");
        }
        match self {
            Rank::Sign(_) => format!("{text} >= 0"),
            Rank::Value(_) | Rank::Guard { .. } => text,
        }
    }
}

fn read(cell: Cell) -> Expr {
    match cell.element {
        None => Expr::read(cell.variable),
        Some(element) => {
            Expr::constant(u64::from(element), Type::unsigned(32)).then(Op::Index(cell.variable))
        }
    }
}

/// A sum in 64 bits.
fn wide(sum: &Sum, ty: &dyn Fn(VarRef) -> Type) -> Expr {
    let mut whole: Option<Expr> = None;
    for &(factor, cell) in &sum.terms {
        let own = ty(cell.variable);
        let mut value = read(cell);
        if own != WIDE {
            value = value.then(Op::Convert(own, WIDE));
        }
        let (operator, size) = match (&whole, factor) {
            (Some(_), -1) => (Binary::Subtract, 1),
            (_, factor) => (Binary::Add, factor),
        };
        if size == -1 {
            value = value.then(Op::Unary(Unary::Negate, WIDE));
        } else if size != 1 {
            let factor = Expr::constant(size as u64, WIDE);
            value = value.join(Binary::Multiply, WIDE, &factor);
        }
        whole = Some(match whole {
            None => value,
            Some(sum) => sum.join(operator, WIDE, &value),
        });
    }
    let constant = Expr::constant(sum.constant as u64, WIDE);
    match (whole, sum.constant) {
        (None, _) => constant,
        (Some(sum), 0) => sum,
        (Some(sum), _) => sum.join(Binary::Add, WIDE, &constant),
    }
}

/// That ranks now are less than they were: the first that differs has fallen. `before` are as the
/// expressions of the ranks.
pub(crate) fn fallen(now: &[Expr], before: &[Expr], types: &[Type]) -> Expr {
    let mut whole = Expr::truth().negate();
    let parts = now.iter().zip(before).zip(types).rev();
    for (place, ((now, before), &ty)) in parts.enumerate() {
        let less = match ty {
            Type::Bool => before.clone().and(now.clone().negate()),
            _ => now.clone().join(Binary::Less, ty, before),
        };
        whole = match place {
            0 => less,
            _ => {
                let same = now.clone().join(Binary::Equal, ty, before).and(whole);
                less.join(Binary::Or, Type::Bool, &same)
            }
        };
    }
    whole
}
