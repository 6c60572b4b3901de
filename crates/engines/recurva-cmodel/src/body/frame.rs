//! What happens when a function is entered and left: parameters, results, and its variables that
//! live outside the frame.

use recurva_cir::{Operation, Place as CPlace, Storage, Var};
use recurva_model::{NodeId, Place, Type, VarRef, Variable};

use super::{Body, Write, cell::Cell};
use crate::{
    LimitReason, NoteKind,
    lowered::{Shown, ShownAs},
    objects::{ObjectId, What},
    plan::Home,
    value::Value,
};

/// One value of an object: an element of a leaf.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) object: ObjectId,
    pub(crate) leaf: usize,
    pub(crate) element: u64,
    pub(crate) ty: Type,
}

/// What a procedure is given and gives back.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signature {
    /// For each parameter of the function its pieces.
    pub(crate) parameters: Vec<Vec<Piece>>,
    pub(crate) results: Vec<Piece>,
}

/// So many elements of a variable are made arbitrary when its function is entered.
const FEW: u64 = 64;

impl crate::lower::Lowering<'_> {
    /// The pieces of an object.
    pub(crate) fn pieces(&self, object: ObjectId) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for (leaf, planned) in self.plan.object(object).leaves.iter().enumerate() {
            pieces.extend((0..planned.count()).map(|element| Piece {
                object,
                leaf,
                element,
                ty: planned.ty,
            }));
        }
        pieces
    }

    /// What the procedure of a function is given and gives back.
    pub(crate) fn signature(&self, function: recurva_cir::FunctionId) -> Signature {
        let declared = self.scene.module.function(function);
        let local = |index: u32| {
            let object = (self.scene.objects).local(function, recurva_cir::LocalId(index));
            self.pieces(object)
        };
        Signature {
            parameters: (0..declared.parameters).map(local).collect(),
            results: declared
                .result
                .map(|result| local(result.0))
                .unwrap_or_default(),
        }
    }
}

impl Body<'_, '_> {
    /// Makes the variables of the frame. What parameters give to variables elsewhere comes back.
    pub(crate) fn declare(&mut self) -> Vec<(Piece, VarRef)> {
        let signature = self.lowering.signature(self.function);
        let mut moved = Vec::new();
        for piece in signature.parameters.into_iter().flatten() {
            let planned = self.lowering.plan.object(piece.object);
            let is_own = planned.home == Home::Frame && planned.leaves[piece.leaf].count() == 1;
            let variable = self.declare_local(piece, 1);
            if is_own {
                self.leaves.insert((piece.object, piece.leaf), variable);
            } else {
                self.hide(variable);
                moved.push((piece, variable));
            }
        }
        self.parameters = self.locals.len();
        let function = self.scene().module.function(self.function);
        for index in 0..function.locals.len() as u32 {
            let local = recurva_cir::LocalId(index);
            let object = self.scene().objects.local(self.function, local);
            let planned = self.lowering.plan.object(object);
            if planned.home != Home::Frame {
                continue;
            }
            for leaf in 0..planned.leaves.len() {
                let planned = &self.lowering.plan.object(object).leaves[leaf];
                let (ty, count) = (planned.ty, planned.count());
                if self.leaves.contains_key(&(object, leaf)) {
                    continue;
                }
                let piece = Piece {
                    object,
                    leaf,
                    element: 0,
                    ty,
                };
                let variable = self.declare_local(piece, count);
                self.leaves.insert((object, leaf), variable);
            }
        }
        self.declare_flags();
        moved
    }

    fn declare_local(&mut self, piece: Piece, count: u64) -> VarRef {
        let variable = VarRef::Local(self.locals.len() as u32);
        let (declared, what) = self.lowering.variable(piece.object, piece.leaf, count);
        self.locals.push(declared);
        self.lowering.shown.push(Shown {
            procedure: Some(self.procedure),
            variable,
            what,
        });
        variable
    }

    fn hide(&mut self, variable: VarRef) {
        let VarRef::Local(index) = variable else {
            return;
        };
        self.locals[index as usize].hidden = true;
        if let Some(shown) = self.lowering.shown.last_mut() {
            shown.what = ShownAs::Hidden;
        }
    }

    /// The variables of this function that live outside the frame.
    fn outside(&self, home: Home) -> Vec<ObjectId> {
        let function = self.scene().module.function(self.function);
        (0..function.locals.len() as u32)
            .map(|local| (self.scene().objects).local(self.function, recurva_cir::LocalId(local)))
            .filter(|object| self.lowering.plan.object(*object).home == home)
            .collect()
    }

    /// What is allocated in this frame, until it is left.
    fn stack_sites(&self) -> Vec<ObjectId> {
        let is_own = |object: &ObjectId| {
            let what = self.scene().objects.what[object.index()];
            matches!(what, What::Site(function, _, Storage::Stack) if function == self.function)
        };
        self.scene().objects.ids().filter(is_own).collect()
    }

    /// The steps from the entry to where the function begins, if there are any. Returns the entry.
    pub(crate) fn prologue(&mut self, moved: &[(Piece, VarRef)]) -> NodeId {
        let function = self.scene().module.function(self.function);
        let begin = NodeId(function.entry.0);
        let is_target = function.edges.iter().any(|edge| edge.to == function.entry);
        let slots = self.outside(Home::Slots);
        let writes = self.entry_writes(moved);
        let is_plain = slots.is_empty()
            && writes.is_empty()
            && moved.is_empty()
            && !self.lowering.follows_values();
        if is_plain && !is_target && function.entry != function.exit {
            return begin;
        }
        self.origin = function.origin;
        let entry = self.node();
        self.cursor = entry;
        let Some(&first) = slots.first() else {
            let mut writes = writes;
            writes.extend(self.parameter_writes(moved));
            writes.extend(self.entry_flags());
            self.plain_step(begin, Value::truth(), writes, Vec::new());
            return entry;
        };
        self.enter_slot(begin, first, &slots, &writes, moved);
        entry
    }

    /// Finds a free slot for the variables of this call.
    fn enter_slot(
        &mut self,
        begin: NodeId,
        first: ObjectId,
        slots: &[ObjectId],
        writes: &[Write],
        moved: &[(Piece, VarRef)],
    ) {
        let most = self.lowering.plan.object(first).slots;
        let is_reused = slots
            .iter()
            .all(|object| self.lowering.plan.object(*object).is_reused);
        let alive = self.lowering.alive_flags(first);
        let taken = match is_reused {
            true => alive,
            false => self.lowering.taken_flags(first),
        };
        if is_reused && self.lowering.plan.object(first).can_die {
            self.note(NoteKind::Reused);
        }
        let ty = self.lowering.slot_type();
        let slot = VarRef::Local(self.locals.len() as u32);
        self.locals.push(Variable {
            hidden: true,
            ..Variable::scalar("$slot", ty)
        });
        for &object in slots {
            self.slots.insert(object, slot);
        }
        let chosen = self.node();
        let mut full = Value::truth();
        for number in 0..most {
            let index = (most > 1).then(|| Value::constant(u64::from(number), ty));
            let flag = |variable: VarRef| Cell {
                variable,
                ty: Type::Bool,
                index: index.clone(),
            };
            let is_taken = flag(taken).read();
            let guard = full.clone().and(is_taken.clone().not());
            full = full.and(is_taken);
            let number = Value::constant(u64::from(number), ty);
            let mut writes = writes.to_vec();
            writes.push((Place::Scalar(slot), number));
            writes.push(flag(alive).write(Value::truth()));
            if taken != alive {
                writes.push(flag(taken).write(Value::truth()));
            }
            self.step(chosen, guard, writes);
        }
        self.limit(full, LimitReason::Objects(most));
        self.cursor = chosen;
        let mut writes = self.parameter_writes(moved);
        writes.extend(self.entry_flags());
        self.plain_step(begin, Value::truth(), writes, Vec::new());
    }

    /// Variables outside the frame begin anew with each call.
    fn entry_writes(&mut self, moved: &[(Piece, VarRef)]) -> Vec<Write> {
        let mut writes = Vec::new();
        let runs_once = self.lowering.graph.runs_once(self.function);
        for object in self.outside(Home::Static) {
            if self.lowering.plan.object(object).can_die {
                let alive = self.lowering.alive_flags(object);
                writes.push((Place::Scalar(alive), Value::truth()));
            }
            let is_given = moved.iter().any(|(piece, _)| piece.object == object)
                || self.is_given_at_once(object);
            if runs_once || is_given {
                continue;
            }
            for piece in self.lowering.pieces(object) {
                if self.lowering.plan.object(object).leaves[piece.leaf].count() <= FEW {
                    let cell = self.piece_cell(piece);
                    let any = self.any(piece.ty);
                    writes.push(cell.write(any));
                }
            }
        }
        writes
    }

    /// Whether a variable gets a value, known or not, by an operation of its own.
    fn is_given_at_once(&self, object: ObjectId) -> bool {
        let function = self.scene().module.function(self.function);
        let is_whole = |place: &CPlace| match place.base {
            recurva_cir::Base::Var(var @ Var::Local(_)) => {
                place.path.is_empty() && self.scene().objects.variable(self.function, var) == object
            }
            _ => false,
        };
        function.edges.iter().any(|edge| match &edge.operation {
            Operation::Havoc(place, _) | Operation::Zero(place) => is_whole(place),
            _ => false,
        })
    }

    fn parameter_writes(&mut self, moved: &[(Piece, VarRef)]) -> Vec<Write> {
        let mut writes = Vec::new();
        for &(piece, variable) in moved {
            let cell = self.piece_cell(piece);
            writes.push(cell.write(Value::read(variable, piece.ty)));
        }
        writes
    }

    /// The variable of a piece.
    pub(super) fn piece_cell(&mut self, piece: Piece) -> Cell {
        let slot = match self.lowering.plan.object(piece.object).home {
            Home::Slots => Some(self.slot_of(piece.object)),
            Home::Frame | Home::Static => None,
        };
        let element = Value::constant(piece.element, Type::unsigned(32));
        self.cell(piece.object, piece.leaf, element, slot.as_ref())
    }

    /// The steps from where the function ends to the exit. Returns the exit and the results.
    pub(crate) fn epilogue(&mut self) -> (NodeId, Vec<u32>) {
        let function = self.scene().module.function(self.function);
        let end = NodeId(function.exit.0);
        self.origin = function.origin;
        self.edge = None;
        self.cursor = end;
        let mut writes = Vec::new();
        let mut results = Vec::new();
        for piece in self.lowering.signature(self.function).results {
            let cell = self.piece_cell(piece);
            if let (VarRef::Local(local), None) = (cell.variable, &cell.index) {
                results.push(local);
                continue;
            }
            let local = self.locals.len() as u32;
            self.locals.push(Variable {
                hidden: true,
                ..Variable::scalar(format!("$result{local}"), piece.ty)
            });
            results.push(local);
            writes.push((Place::Scalar(VarRef::Local(local)), cell.read()));
        }
        for object in self.outside(Home::Static) {
            if self.lowering.plan.object(object).can_die {
                let alive = self.lowering.alive_flags(object);
                writes.push((Place::Scalar(alive), Value::boolean(false)));
            }
        }
        if let Some(&first) = self.outside(Home::Slots).first() {
            let many = self.lowering.plan.object(first).slots > 1;
            let index = many.then(|| self.slot_of(first));
            let alive = Cell {
                variable: self.lowering.alive_flags(first),
                ty: Type::Bool,
                index,
            };
            writes.push(alive.write(Value::boolean(false)));
        }
        for site in self.stack_sites() {
            writes.extend(self.forget_stack(site));
        }
        if writes.is_empty() {
            return (end, results);
        }
        let exit = self.node();
        self.step(exit, Value::truth(), writes);
        (exit, results)
    }

    /// All that this frame has allocated is gone.
    fn forget_stack(&mut self, site: ObjectId) -> Vec<Write> {
        let slots = self.lowering.plan.object(site).slots;
        let alive = self.lowering.alive_flags(site);
        let mine = self.own_flags(site);
        let mut writes = Vec::new();
        for number in 0..slots {
            let index = (slots > 1).then(|| Value::constant(u64::from(number), Type::unsigned(32)));
            let flag = |variable: VarRef| Cell {
                variable,
                ty: Type::Bool,
                index: index.clone(),
            };
            let value = match mine {
                None => Value::boolean(false),
                Some(mine) => flag(alive).read().and(flag(mine).read().not()),
            };
            writes.push(flag(alive).write(value));
        }
        writes
    }
}
