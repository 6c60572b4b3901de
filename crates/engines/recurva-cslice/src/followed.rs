//! The variables that a slice can follow: those that nobody changes but edges that name them.

use recurva_cir::{
    Base, ExprKind, FunctionId, InitialValue, Module, Part, Place, Scalar, Type, TypeId, Types, Var,
};
use recurva_model::{Patience, Stop};

/// Larger variables are not followed: a search does not get far with them.
const MOST_BYTES: u64 = 256;

/// A set of variables.
#[derive(Clone, Debug)]
pub(crate) struct Vars {
    globals: Vec<bool>,
    locals: Vec<Vec<bool>>,
}

impl Vars {
    /// No variable.
    pub(crate) fn none(module: &Module) -> Self {
        let locals = module.functions.iter();
        Vars {
            globals: vec![false; module.globals.len()],
            locals: locals.map(|it| vec![false; it.locals.len()]).collect(),
        }
    }

    /// Whether a variable, as seen from a function, is among them.
    pub(crate) fn has(&self, function: FunctionId, var: Var) -> bool {
        match var {
            Var::Global(id) => self.globals[id.0 as usize],
            Var::Local(id) => self.locals[function.0 as usize][id.0 as usize],
        }
    }

    /// Adds or removes a variable; whether that made a difference.
    pub(crate) fn set(&mut self, function: FunctionId, var: Var, is_in: bool) -> bool {
        let slot = match var {
            Var::Global(id) => &mut self.globals[id.0 as usize],
            Var::Local(id) => &mut self.locals[function.0 as usize][id.0 as usize],
        };
        std::mem::replace(slot, is_in) != is_in
    }
}

/// The variables that can be followed.
#[derive(Debug)]
pub(crate) struct Followed(Vars);

impl Followed {
    pub(crate) fn new(module: &Module, patience: &mut Patience<'_>) -> Result<Self, Stop> {
        let types = &module.types;
        let mut vars = Vars::none(module);
        for (slot, global) in vars.globals.iter_mut().zip(&module.globals) {
            *slot = is_plain(types, global.ty)
                && global.addresses.is_empty()
                && global.bytes.len() as u64 == types.size(global.ty);
        }
        for (slots, function) in vars.locals.iter_mut().zip(&module.functions) {
            for (slot, local) in slots.iter_mut().zip(&function.locals) {
                *slot = is_plain(types, local.ty);
            }
        }
        for (_, value) in module.globals.iter().flat_map(|it| &it.addresses) {
            if let InitialValue::Global(id, _) = value {
                vars.globals[id.0 as usize] = false;
            }
        }
        for (id, function) in (0..).map(FunctionId).zip(&module.functions) {
            for edge in &function.edges {
                patience.step()?;
                edge.operation.visit(&mut |part| {
                    if let Part::Expr(expr) = part
                        && let ExprKind::Address(place) = &expr.kind
                        && let Base::Var(var) = place.base
                    {
                        vars.set(id, var, false);
                    }
                });
            }
        }
        Ok(Followed(vars))
    }

    /// The variable that a place is part of, if it can be followed.
    pub(crate) fn of(&self, function: FunctionId, place: &Place) -> Option<Var> {
        match place.base {
            Base::Var(var) => self.0.has(function, var).then_some(var),
            Base::Deref(..) => None,
        }
    }

    /// Whether a variable can be followed.
    pub(crate) fn has(&self, function: FunctionId, var: Var) -> bool {
        self.0.has(function, var)
    }
}

/// Whether something of a type is made of integers only, and not large.
pub(crate) fn is_plain(types: &Types, ty: TypeId) -> bool {
    if types.size(ty) > MOST_BYTES {
        return false;
    }
    let mut waiting = vec![ty];
    while let Some(ty) = waiting.pop() {
        match *types.get(ty) {
            Type::Array(_, 0) => return false,
            Type::Array(element, _) => waiting.push(element),
            Type::Record(record) => {
                waiting.extend(types.record(record).fields.iter().map(|it| it.ty));
            }
            _ if matches!(types.scalar(ty), Some(Scalar::Int(_))) => {}
            _ => return false,
        }
    }
    true
}
