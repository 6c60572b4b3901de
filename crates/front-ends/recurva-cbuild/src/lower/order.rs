//! The order of evaluation: what an operand that comes later may change.

use recurva_cir::{Base, Expr, LocalId, Origin, Place, Step, Var};
use recurva_ctype::typed::{
    Body, ExprId, ExprKind, FunctionId, Initial, LabelId, StmtId, StmtKind, Unit,
};

use super::Lower;
use crate::{
    exprs,
    facts::{Facts, for_each_initial, for_each_operand},
};

/// What an expression may write.
#[derive(Debug, Default)]
struct Writes {
    /// Anything that has an address or belongs to the program.
    memory: bool,
    /// Anything at all.
    everything: bool,
    locals: Vec<LocalId>,
}

impl Lower<'_, '_, '_> {
    /// A value that is the same after `later` has been evaluated.
    pub(super) fn keep(&mut self, value: Expr, later: &[ExprId], origin: Origin) -> Expr {
        match self.is_changed(later, || exprs::reads(&value)) {
            true => self.save(value, origin),
            false => value,
        }
    }

    /// A place that is the same after `later` has been evaluated, whatever is in it then.
    pub(super) fn keep_place(&mut self, place: Place, later: &[ExprId], origin: Origin) -> Place {
        match self.is_changed(later, || exprs::reads_of_place(&place)) {
            true => self.pin(place, origin),
            false => place,
        }
    }

    /// Whether what is in a place may change while `later` is evaluated.
    pub(super) fn is_content_changed(&self, place: &Place, later: &[ExprId]) -> bool {
        self.is_changed(later, || {
            let mut reads = exprs::reads_of_place(place);
            reads.push(place);
            reads
        })
    }

    /// The place with its pointer and indices in temporaries.
    pub(super) fn pin(&mut self, mut place: Place, origin: Origin) -> Place {
        if let Base::Deref(pointer, _) = &mut place.base {
            **pointer = self.save(std::mem::replace(pointer, exprs::null()), origin);
        }
        for step in &mut place.path {
            if let Step::Index(index) = step
                && exprs::number(index).is_none()
            {
                **index = self.save(std::mem::replace(index, exprs::null()), origin);
            }
        }
        place
    }

    fn is_changed<'r>(&self, later: &[ExprId], reads: impl FnOnce() -> Vec<&'r Place>) -> bool {
        let mut writes = Writes::default();
        let impure = later.iter().filter(|id| self.facts.is_impure(**id));
        let mut is_pure = true;
        for &id in impure {
            is_pure = false;
            self.add_writes(id, &mut writes);
        }
        !is_pure && reads().iter().any(|place| self.is_written(place, &writes))
    }

    fn is_written(&self, place: &Place, writes: &Writes) -> bool {
        match place.base {
            Base::Var(Var::Local(local)) if self.graph.is_temporary(local) => false,
            Base::Var(Var::Local(local)) => {
                writes.everything
                    || writes.locals.contains(&local)
                    || (writes.memory && self.is_exposed(local))
            }
            Base::Var(Var::Global(_)) => writes.everything || writes.memory,
            Base::Deref(..) => {
                writes.everything
                    || writes.memory
                    || writes.locals.iter().any(|&local| self.is_exposed(local))
            }
        }
    }

    /// Whether to write one place may change another.
    pub(super) fn may_overlap(&self, one: &Place, other: &Place) -> bool {
        match (&one.base, &other.base) {
            (Base::Var(one), Base::Var(other)) => one == other,
            (Base::Var(Var::Local(local)), Base::Deref(..))
            | (Base::Deref(..), Base::Var(Var::Local(local))) => self.is_exposed(*local),
            _ => true,
        }
    }

    /// Whether others may change a variable.
    pub(super) fn is_exposed(&self, local: LocalId) -> bool {
        self.exposed.get(local.0 as usize).copied().unwrap_or(false)
    }

    fn add_writes(&self, id: ExprId, writes: &mut Writes) {
        let kind = &self.unit.expr(id).kind;
        match kind {
            ExprKind::Assign(place, _)
            | ExprKind::AssignOperator { place, .. }
            | ExprKind::Step { place, .. }
            | ExprKind::VaArg(place) => match root(self.unit, *place) {
                Some(local) => writes.locals.push(local),
                None => writes.memory = true,
            },
            ExprKind::Compound(local, _) => writes.locals.push(LocalId(local.0)),
            ExprKind::Call(..) | ExprKind::Builtin(..) => writes.memory = true,
            ExprKind::Block(..) | ExprKind::Unsupported(_) => writes.everything = true,
            _ => {}
        }
        for_each_operand(kind, &mut |operand| {
            if self.facts.is_impure(operand) {
                self.add_writes(operand, writes);
            }
        });
    }
}

/// The variable of the function that a place is a part of.
fn root(unit: &Unit, place: ExprId) -> Option<LocalId> {
    match &unit.expr(place).kind {
        ExprKind::Local(local) | ExprKind::Compound(local, _) => Some(LocalId(local.0)),
        ExprKind::Member(base, ..) => root(unit, *base),
        ExprKind::Deref(pointer) => match unit.expr(*pointer).kind {
            ExprKind::PointerAdd(array, _) => match unit.expr(array).kind {
                ExprKind::Decay(array) => root(unit, array),
                _ => None,
            },
            ExprKind::Decay(array) => root(unit, array),
            _ => None,
        },
        _ => None,
    }
}

/// The variables whose address is taken in a body, and the labels.
pub(super) fn addresses(
    unit: &Unit,
    facts: &Facts,
    function: FunctionId,
    body: &Body,
) -> (Vec<bool>, Vec<LabelId>) {
    let mut walk = Walk {
        unit,
        exposed: vec![false; body.locals.len()],
        labels: Vec::new(),
        exprs: Vec::new(),
        stmts: vec![body.block],
    };
    for object in facts.statics(function) {
        if let Some(init) = &unit.object(object).init {
            walk.initial(init);
        }
    }
    loop {
        if let Some(expr) = walk.exprs.pop() {
            walk.expr(expr);
        } else if let Some(stmt) = walk.stmts.pop() {
            walk.stmt(stmt);
        } else {
            walk.labels.sort_unstable();
            walk.labels.dedup();
            return (walk.exposed, walk.labels);
        }
    }
}

struct Walk<'u> {
    unit: &'u Unit,
    exposed: Vec<bool>,
    labels: Vec<LabelId>,
    exprs: Vec<ExprId>,
    stmts: Vec<StmtId>,
}

impl Walk<'_> {
    fn expr(&mut self, id: ExprId) {
        let kind = &self.unit.expr(id).kind;
        match kind {
            ExprKind::Address(place) => self.expose(*place),
            // `a[i]` is a part of `a`; any other use of its address lets it out.
            ExprKind::Deref(pointer) => {
                if let ExprKind::PointerAdd(array, index) = self.unit.expr(*pointer).kind
                    && let ExprKind::Decay(array) = self.unit.expr(array).kind
                {
                    self.exprs.extend([array, index]);
                    return;
                }
            }
            ExprKind::Decay(array) => self.expose(*array),
            ExprKind::LabelAddress(label) => self.labels.push(*label),
            ExprKind::Block(stmt, _) => self.stmts.push(*stmt),
            ExprKind::Builtin(_, arguments) => {
                arguments.iter().for_each(|argument| self.expose(*argument));
            }
            _ => {}
        }
        for_each_operand(kind, &mut |operand| self.exprs.push(operand));
    }

    fn expose(&mut self, place: ExprId) {
        if let Some(local) = root(self.unit, place)
            && let Some(exposed) = self.exposed.get_mut(local.0 as usize)
        {
            *exposed = true;
        }
    }

    fn initial(&mut self, init: &Initial) {
        for_each_initial(init, &mut |value| self.exprs.push(value));
    }

    fn stmt(&mut self, id: StmtId) {
        match &self.unit.stmt(id).kind {
            StmtKind::Expr(expr)
            | StmtKind::ArrayLength(_, expr)
            | StmtKind::GotoComputed(expr) => {
                self.exprs.push(*expr);
            }
            StmtKind::Block(list) => self.stmts.extend(list),
            StmtKind::Declare(_, init) => init.iter().for_each(|init| self.initial(init)),
            StmtKind::If(condition, yes, no) => {
                self.exprs.push(*condition);
                self.stmts.push(*yes);
                self.stmts.extend(no);
            }
            StmtKind::Switch { value, body, .. } => {
                self.exprs.push(*value);
                self.stmts.push(*body);
            }
            StmtKind::While(condition, body) | StmtKind::DoWhile(body, condition) => {
                self.exprs.push(*condition);
                self.stmts.push(*body);
            }
            StmtKind::For(first, condition, step, body) => {
                self.stmts.extend([*first, *body]);
                self.exprs.extend(condition.iter().chain(step));
            }
            StmtKind::Return(value) => self.exprs.extend(value),
            StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Empty
            | StmtKind::Unsupported(_) => {}
        }
    }
}
