//! Which parts of memory have been given a value, where somebody asks.
//!
//! Every variable that holds part of an object has flags beside it, one for each of its elements.
//! What writes the variable writes the flags in the same step.

use recurva_cir::{Check, Place as CPlace, Unknown};
use recurva_model::{Place, Type, VarRef, Variable};

use super::{Body, Write, cell::Cell, memory::Access, place::Spot};
use crate::{LimitReason, cases::Cases, objects::ObjectId, plan::Form, value::Value};

/// Whether what is written counts as a value.
#[derive(Clone, Debug)]
pub(super) enum Given {
    /// It does.
    Yes,
    /// It does not: a variable without one.
    No,
    /// For each write on its own.
    Each(Vec<Value>),
}

impl Given {
    /// Whether an unknown value is one that the program was given.
    pub(super) fn by(why: &Unknown) -> Self {
        match why {
            Unknown::Uninitialised => Given::No,
            _ => Given::Yes,
        }
    }

    fn of(&self, write: usize) -> Value {
        match self {
            Given::Yes => Value::truth(),
            Given::No => Value::boolean(false),
            Given::Each(flags) => flags[write].clone(),
        }
    }
}

impl crate::lower::Lowering<'_> {
    /// Whether it matters what has been given a value.
    pub(crate) fn follows_values(&self) -> bool {
        self.wanted.has(Check::Uninitialised)
    }
}

/// The flags beside a variable.
pub(crate) fn flags_of(variable: &Variable) -> Variable {
    Variable {
        name: format!("$given {}", variable.name).into(),
        ty: Type::Bool,
        hidden: true,
        ..variable.clone()
    }
}

impl Body<'_, '_> {
    fn flags(&self, variable: VarRef) -> Option<VarRef> {
        match variable {
            VarRef::Global(_) => self.lowering.given.get(&variable).copied(),
            VarRef::Local(_) => self.given.get(&variable).copied(),
        }
    }

    /// Makes the flags of all variables of the frame. They stand behind the parameters.
    pub(super) fn declare_flags(&mut self) {
        if !self.lowering.follows_values() {
            return;
        }
        let mut variables: Vec<VarRef> = self.leaves.values().copied().collect();
        variables.sort_unstable();
        for variable in variables {
            let VarRef::Local(index) = variable else {
                continue;
            };
            let flags = VarRef::Local(self.locals.len() as u32);
            self.locals.push(flags_of(&self.locals[index as usize]));
            self.given.insert(variable, flags);
        }
    }

    /// Nothing has a value when a function is entered but its parameters.
    pub(super) fn entry_flags(&mut self) -> Vec<Write> {
        if !self.lowering.follows_values() {
            return Vec::new();
        }
        let function = self.scene().module.function(self.function);
        let (count, parameters) = (function.locals.len() as u32, function.parameters);
        let mut writes = Vec::new();
        for index in 0..count {
            let local = recurva_cir::LocalId(index);
            let object = self.scene().objects.local(self.function, local);
            for piece in self.lowering.pieces(object) {
                let cell = self.piece_cell(piece);
                let is_given = Value::boolean(index < parameters);
                writes.extend(self.flag(&cell).map(|flag| flag.write(is_given)));
            }
        }
        writes
    }

    /// The flag of one variable or element; none if it always has a value.
    fn flag(&self, cell: &Cell) -> Option<Cell> {
        let variable = self.flags(cell.variable)?;
        Some(Cell {
            variable,
            ty: Type::Bool,
            index: cell.index.clone(),
        })
    }

    /// Adds to some writes those of the flags.
    pub(super) fn with_flags(&self, mut writes: Vec<Write>, given: &Given) -> Vec<Write> {
        for at in 0..writes.len() {
            let place = &writes[at].0;
            let Some(flags) = self.flags(place.variable()) else {
                continue;
            };
            let place = match place {
                Place::Scalar(_) => Place::Scalar(flags),
                Place::Element(_, index) => Place::Element(flags, index.clone()),
            };
            writes.push((place, given.of(at)));
        }
        writes
    }

    /// What is in a new object on the heap has no value, however large it is.
    pub(super) fn new_flags(&mut self, site: ObjectId, slot: &Value) -> Vec<Write> {
        if !self.lowering.follows_values() {
            return Vec::new();
        }
        let mut writes = Vec::new();
        for piece in self.lowering.pieces(site) {
            let element = Value::constant(piece.element, Type::unsigned(32));
            let cell = self.cell(site, piece.leaf, element, Some(slot));
            let flag = self.flag(&cell);
            writes.extend(flag.map(|it| it.write(Value::boolean(false))));
        }
        writes
    }

    /// Whether a place has been given a value.
    pub(super) fn is_initialised(&mut self, place: &CPlace) -> Cases<Value> {
        let access = self.access(place.ty, place.bits);
        // The bytes that several bit-fields share count together, also where one is not kept.
        let Some(access) = access.filter(|_| place.bits.is_none()) else {
            return Cases::unknown(LimitReason::Initialised);
        };
        let spots = self.resolve(place);
        spots.then(|spot| match self.is_given(&spot, access) {
            Ok(value) => Cases::one(value),
            Err(reason) => Cases::unknown(reason),
        })
    }

    /// Whether some bits have been given a value.
    pub(super) fn is_given(&mut self, spot: &Spot, access: Access) -> Result<Value, LimitReason> {
        let planned = self.lowering.plan.object(spot.object);
        if planned.is_constant {
            return Ok(Value::truth());
        }
        let cells = match planned.form {
            Form::Nothing => {
                return Err(LimitReason::Elements(self.lowering.options.elements));
            }
            Form::Bytes => {
                let end = access.start + u64::from(access.width);
                let bytes = access.start / 8..end.div_ceil(8);
                bytes.map(|number| self.byte(spot, number)).collect()
            }
            Form::Parts => {
                let (leaf, _) = self.find(spot, access)?;
                vec![self.leaf_cell(spot, leaf)]
            }
        };
        let flags = cells.iter().filter_map(|cell| self.flag(cell));
        Ok(flags.fold(Value::truth(), |all, flag| all.and(flag.read())))
    }

    /// Whether a call passes or returns records, of which it is not followed what has a value.
    pub(super) fn passes_records(&self, function: recurva_cir::FunctionId) -> bool {
        let module = self.scene().module;
        let declared = module.function(function);
        let result = declared.result.map(|it| it.0);
        let passed = (0..declared.parameters).chain(result);
        let mut types = passed.map(|index| declared.locals[index as usize].ty);
        self.lowering.follows_values() && types.any(|ty| module.types.scalar(ty).is_none())
    }
}
