//! What is known of the expressions of a unit before any of them is lowered.

use recurva_cir::Check;
use recurva_ctype::{
    Length, Type,
    typed::{
        Binary, Builtin, Constant, ExprId, ExprKind, FunctionId, Initial, ObjectId, Unary, Unit,
    },
};

use crate::BuildOptions;

/// An expression this deep is stored in a temporary, so that no expression of `cir` is deep.
const DEPTH: u16 = 40;

/// Facts about each expression of a unit.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    list: Vec<Fact>,
    /// The static variables of functions, by the function.
    statics: Vec<(FunctionId, ObjectId)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Fact {
    /// Whether to evaluate it may change something.
    is_impure: bool,
    /// Whether to lower it may take an edge: it is impure, or something is checked.
    has_edges: bool,
    /// How many expressions lie in each other, modulo [`DEPTH`].
    depth: u16,
}

impl Facts {
    /// The facts about a unit.
    pub(crate) fn new(unit: &Unit, options: &BuildOptions) -> Self {
        let numbered = (0..).map(ObjectId).zip(&unit.objects);
        let statics = numbered.filter_map(|(id, object)| Some((object.function?, id)));
        let mut statics: Vec<_> = statics.collect();
        statics.sort_unstable();
        let mut facts = Facts {
            list: Vec::with_capacity(unit.exprs.len()),
            statics,
        };
        for index in 0..unit.exprs.len() {
            let fact = facts.fact(unit, ExprId(index as u32), options);
            facts.list.push(fact);
        }
        facts
    }

    /// The static variables of a function.
    pub(crate) fn statics(&self, function: FunctionId) -> impl Iterator<Item = ObjectId> {
        let start = self.statics.partition_point(|it| it.0 < function);
        let own = self.statics[start..].iter();
        own.take_while(move |it| it.0 == function).map(|it| it.1)
    }

    /// Whether to evaluate an expression may change something.
    pub(crate) fn is_impure(&self, id: ExprId) -> bool {
        self.get(id).is_impure
    }

    /// Whether to lower an expression may take an edge.
    pub(crate) fn has_edges(&self, id: ExprId) -> bool {
        self.get(id).has_edges
    }

    /// Whether its value must go into a temporary because it is deep.
    pub(crate) fn is_deep(&self, id: ExprId) -> bool {
        self.get(id).depth == DEPTH
    }

    /// What is not known, as it comes later in the list, may do anything.
    fn get(&self, id: ExprId) -> Fact {
        self.list.get(id.0 as usize).copied().unwrap_or(Fact {
            is_impure: true,
            has_edges: true,
            depth: 0,
        })
    }

    fn fact(&self, unit: &Unit, id: ExprId, options: &BuildOptions) -> Fact {
        let mut fact = Fact::default();
        for_each_operand(&unit.expr(id).kind, &mut |operand| {
            let inner = self.get(operand);
            fact.is_impure |= inner.is_impure;
            fact.has_edges |= inner.has_edges;
            let depth = match inner.depth {
                DEPTH => 0,
                depth => depth + 1,
            };
            fact.depth = fact.depth.max(depth);
        });
        fact.is_impure |= is_impure(&unit.expr(id).kind);
        fact.has_edges |= fact.is_impure || fact.depth == DEPTH || is_checked(unit, id, options);
        fact
    }
}

/// Whether an expression changes something by itself.
fn is_impure(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Compound(..)
        | ExprKind::Assign(..)
        | ExprKind::AssignOperator { .. }
        | ExprKind::Step { .. }
        | ExprKind::Call(..)
        | ExprKind::Block(..)
        | ExprKind::VaArg(_)
        | ExprKind::Conditional(_, None, _)
        | ExprKind::Unsupported(_) => true,
        ExprKind::Builtin(builtin, _) => !matches!(
            builtin,
            Builtin::CountLeadingZeros
                | Builtin::CountTrailingZeros
                | Builtin::PopulationCount
                | Builtin::SwapBytes
                | Builtin::ObjectSize
        ),
        _ => false,
    }
}

/// Whether an expression needs a check by itself.
fn is_checked(unit: &Unit, id: ExprId, options: &BuildOptions) -> bool {
    let expr = unit.expr(id);
    let is_signed = unit
        .types
        .integer(expr.ty.ty)
        .is_some_and(|(_, signed)| signed);
    match expr.kind {
        ExprKind::Load(place) => options.has(Check::Uninitialised) || is_place_checked(unit, place),
        // A record that is chosen is copied.
        ExprKind::Conditional(..) => {
            use Type::{Foreign, Record, VaList};
            let ty = unit.types.get(expr.ty.ty);
            matches!(ty, Record(_) | Foreign(_) | VaList)
        }
        ExprKind::Binary(operator, _, right) => match operator {
            Binary::Divide | Binary::Remainder => {
                let is_integer = unit.types.integer(expr.ty.ty).is_some();
                let is_safe = matches!(
                    unit.expr(right).kind,
                    ExprKind::Constant(Constant::Int(value)) if value != 0 && value != -1
                );
                is_integer && !is_safe
            }
            Binary::ShiftLeft | Binary::ShiftRight => {
                options.has(Check::Shift) || options.has(Check::Overflow)
            }
            Binary::Add | Binary::Subtract | Binary::Multiply => {
                is_signed && options.has(Check::Overflow)
            }
            _ => false,
        },
        ExprKind::Unary(Unary::Negate, _) => is_signed && options.has(Check::Overflow),
        ExprKind::Convert { operand, .. } => {
            let from = unit.types.get(unit.expr(operand).ty.ty);
            matches!(from, Type::Float(_)) && options.has(Check::Conversion)
        }
        _ => false,
    }
}

/// Whether it takes a check to read a place: anything but a variable and a fixed part of it.
fn is_place_checked(unit: &Unit, place: ExprId) -> bool {
    let expr = unit.expr(place);
    match expr.kind {
        ExprKind::Object(_) | ExprKind::Text(_) => false,
        ExprKind::Local(_) => unit.types.size(expr.ty.ty).is_none(),
        ExprKind::Member(base, ..) => is_place_checked(unit, base),
        ExprKind::Deref(pointer) => match fixed_element(unit, pointer) {
            Some(array) => is_place_checked(unit, array),
            None => true,
        },
        _ => true,
    }
}

/// The array that a pointer points into, if it is known to point to one of its elements.
fn fixed_element(unit: &Unit, pointer: ExprId) -> Option<ExprId> {
    let (array, index) = match unit.expr(pointer).kind {
        ExprKind::Decay(array) => (array, 0),
        ExprKind::PointerAdd(start, index) => {
            match (&unit.expr(start).kind, &unit.expr(index).kind) {
                (ExprKind::Decay(array), ExprKind::Constant(Constant::Int(index))) => {
                    (*array, *index)
                }
                _ => return None,
            }
        }
        _ => return None,
    };
    match *unit.types.get(unit.expr(array).ty.ty) {
        Type::Array(_, Length::Known(length)) => {
            (0..i128::from(length)).contains(&index).then_some(array)
        }
        _ => None,
    }
}

/// Calls back with the operands of an expression, in the order of the text.
pub(crate) fn for_each_operand(kind: &ExprKind, operand: &mut impl FnMut(ExprId)) {
    match kind {
        ExprKind::Object(_)
        | ExprKind::Local(_)
        | ExprKind::Text(_)
        | ExprKind::Function(_)
        | ExprKind::Constant(_)
        | ExprKind::SizeofVariable(_)
        | ExprKind::LabelAddress(_)
        | ExprKind::Unsupported(_) => {}
        ExprKind::Compound(_, init) => for_each_initial(init, operand),
        ExprKind::Deref(inner)
        | ExprKind::Member(inner, ..)
        | ExprKind::Load(inner)
        | ExprKind::Decay(inner)
        | ExprKind::Address(inner)
        | ExprKind::Convert { operand: inner, .. }
        | ExprKind::Unary(_, inner)
        | ExprKind::Step { place: inner, .. }
        | ExprKind::VaArg(inner) => operand(*inner),
        ExprKind::Binary(_, left, right)
        | ExprKind::PointerAdd(left, right)
        | ExprKind::PointerSubtract(left, right)
        | ExprKind::PointerDifference(left, right)
        | ExprKind::And(left, right)
        | ExprKind::Or(left, right)
        | ExprKind::Assign(left, right)
        | ExprKind::AssignOperator {
            place: left,
            value: right,
            ..
        } => {
            operand(*left);
            operand(*right);
        }
        ExprKind::Conditional(condition, yes, no) => {
            operand(*condition);
            yes.iter().copied().for_each(&mut *operand);
            operand(*no);
        }
        ExprKind::Call(callee, arguments) => {
            operand(*callee);
            arguments.iter().copied().for_each(operand);
        }
        ExprKind::Builtin(_, list) | ExprKind::Comma(list) => {
            list.iter().copied().for_each(operand);
        }
        ExprKind::Block(_, value) => value.iter().copied().for_each(operand),
    }
}

/// Calls back with the values of an initialiser.
pub(crate) fn for_each_initial(init: &Initial, value: &mut impl FnMut(ExprId)) {
    init.parts.iter().for_each(|part| value(part.value));
}
