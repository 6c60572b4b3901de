//! Where a part of a variable of C is in the lowered program.

use recurva_certificate::{
    Builder,
    formula::{Arithmetic, Node, Part, When},
};
use recurva_cir::{
    Base, Expr, ExprKind, FunctionId, GlobalId, Module, Operation, Part as CirPart, Place, Scalar,
    TypeId, Var,
};
use recurva_cmodel::{Addressed, Lowered, ShownAs};
use recurva_model::{ProcId, Program, Type, VarRef};

/// What a place is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    /// A variable.
    Variable(Var),
    /// What is at an address.
    Address(Part),
}

/// A part of a variable of C, or of what a pointer points to.
#[derive(Clone, Debug)]
pub(super) struct Lvalue {
    pub(super) root: Root,
    /// Its type, and the bits of a bit-field.
    pub(super) ty: TypeId,
    pub(super) bits: Option<recurva_cir::Bits>,
    /// The bit where it begins, with all indices 0.
    pub(super) start: u64,
    /// The lengths of the arrays around it, and the indices in them, outermost first. An address has the
    /// indices in it.
    pub(super) indices: Vec<(u64, Part)>,
    pub(super) when: When,
}

/// What is read in the lowered program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Read {
    /// This, of a type of the model.
    Part(Part, Type),
    /// It is not there.
    Nowhere(&'static str),
}

/// At which end of a procedure, or whether in its middle, something is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    Entry,
    Middle,
    Exit,
}

/// The memory of a lowered program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory<'a> {
    pub(super) module: &'a Module,
    pub(super) lowered: &'a Lowered,
    pub(super) program: &'a Program,
    pub(super) function: FunctionId,
    pub(super) procedure: ProcId,
    pub(super) moment: Moment,
}

impl Memory<'_> {
    /// The bits of a scalar.
    pub(super) fn width(&self, place: &Lvalue) -> Option<u32> {
        let types = &self.module.types;
        match (place.bits, types.scalar(place.ty)?) {
            (Some(bits), _) => Some(bits.width),
            (None, Scalar::Int(int)) => Some(u32::from(int.bits)),
            (None, Scalar::Pointer) => Some(types.pointer_bytes as u32 * 8),
            (None, _) => None,
        }
    }

    /// The value of a scalar.
    pub(super) fn read(&self, place: &Lvalue, builder: &mut Builder) -> Read {
        let Some(width) = self.width(place) else {
            return Read::Nowhere("no integer and no pointer");
        };
        let root = match place.root {
            Root::Variable(root) => root,
            Root::Address(address) => return self.pointee(place, address, width, builder),
        };
        let shown = self.lowered.shown.iter().find(|shown| match shown.what {
            ShownAs::Global(id, start, own) => {
                root == Var::Global(id) && start == place.start && own == width
            }
            ShownAs::Local(function, id, start, own) => {
                let is_own = function == self.function && root == Var::Local(id);
                is_own && start == place.start && own == width
            }
            ShownAs::Heap(..) | ShownAs::Hidden => false,
        });
        let Some(shown) = shown else {
            return self.constant(place, root, builder);
        };
        let Some(variable) = self.at_entry(place, root, shown.variable) else {
            return Read::Nowhere("a value that is not kept when the function is entered");
        };
        let declared = self.program.variable(self.procedure, variable);
        let count: u64 = place.indices.iter().map(|(count, _)| *count).product();
        if declared.slots() as u64 != count {
            return Read::Nowhere("a variable that is there several times at once");
        }
        let part = match (declared.len, &*place.indices) {
            (None, _) => builder.variable(variable, place.when),
            (Some(_), indices) => {
                let index = linear(indices, builder);
                builder.element(variable, place.when, index)
            }
        };
        Read::Part(part, declared.ty)
    }

    /// The variable that has a parameter's value when the function is entered: one whose address is taken
    /// moves to its place behind the entry.
    fn at_entry(&self, place: &Lvalue, root: Var, variable: VarRef) -> Option<VarRef> {
        let procedure = self.program.procedure(self.procedure);
        let is_entry = place.when == When::Entry || self.moment == Moment::Entry;
        let Var::Local(local) = root else {
            return Some(variable);
        };
        if !is_entry {
            return Some(variable);
        }
        let parameters = self.module.function(self.function).parameters;
        match variable {
            _ if local.0 >= parameters => None,
            VarRef::Local(index) => ((index as usize) < procedure.parameters).then_some(variable),
            VarRef::Global(index) => {
                let name = &self.program.globals()[index as usize].name;
                let locals = procedure.locals.iter().take(procedure.parameters);
                let mut found = (0..)
                    .zip(locals)
                    .filter(|(_, it)| it.hidden && it.name == *name);
                let (number, _) = found.next()?;
                found.next().is_none().then_some(VarRef::Local(number))
            }
        }
    }

    /// What is at an address: that of one of the variables that pointers can point to. Elsewhere it is 0.
    fn pointee(&self, place: &Lvalue, address: Part, width: u32, builder: &mut Builder) -> Read {
        let is_pointer = self.module.types.scalar(place.ty) == Some(Scalar::Pointer);
        let all = self.lowered.addressed.iter();
        let fitting = all.filter(|it| it.width == width && it.is_pointer == is_pointer);
        let fitting: Vec<&Addressed> = fitting.collect();
        let (Some(first), None) = (fitting.first(), place.bits) else {
            return Read::Nowhere("nothing that a pointer of this program points to");
        };
        let ty = self.program.variable(self.procedure, first.variable).ty;
        let is_same = |it: &&Addressed| self.program.variable(self.procedure, it.variable).ty == ty;
        if fitting.len() > MOST_TARGETS || !fitting.iter().all(is_same) {
            return Read::Nowhere("one of too many things that a pointer may point to");
        }
        let offset = builder.int(i128::from(place.start / 8));
        let address = builder.arithmetic(Arithmetic::Add, address, offset);
        let mut value = match ty {
            Type::Bool => builder.bool(false),
            Type::Int { .. } => builder.int(0),
        };
        for addressed in fitting.into_iter().rev() {
            let base = builder.int(i128::from(addressed.address));
            let distance = builder.arithmetic(Arithmetic::Subtract, address, base);
            let (is_here, index) = within(addressed, distance, builder);
            let declared = self.program.variable(self.procedure, addressed.variable);
            let there = match declared.len {
                None => builder.variable(addressed.variable, place.when),
                Some(_) => builder.element(addressed.variable, place.when, index),
            };
            value = builder.if_then_else(is_here, there, value);
        }
        Read::Part(value, ty)
    }

    /// The value of what is no variable of the lowered program because it never changes.
    fn constant(&self, place: &Lvalue, root: Var, builder: &mut Builder) -> Read {
        const UNUSED: Read =
            Read::Nowhere("a part of memory that the program does not use as such");
        let Var::Global(id) = root else {
            return UNUSED;
        };
        let global = self.module.global(id);
        let is_plain =
            place.indices.is_empty() && place.bits.is_none() && place.start.is_multiple_of(8);
        let Some(Scalar::Int(int)) = self.module.types.scalar(place.ty) else {
            return UNUSED;
        };
        let start = (place.start / 8) as usize;
        let bytes = global.bytes.get(start..start + int.bytes() as usize);
        let (Some(bytes), true) = (bytes, is_plain && never_changes(self.module, id)) else {
            return UNUSED;
        };
        let mut wide = [0; 8];
        for (to, from) in wide.iter_mut().zip(bytes) {
            *to = *from;
        }
        let ty = Type::Int {
            bits: int.bits,
            signed: int.is_signed,
        };
        let value = ty.to_number(ty.wrap(u64::from_le_bytes(wide)));
        Read::Part(builder.int(value), ty)
    }
}

/// A pointer that may point to more than this is not followed.
const MOST_TARGETS: usize = 16;

/// Whether an element is so many bytes behind the first one, and its index among all. The program takes a
/// pointer into an element as one to its beginning, as there are no others.
fn within(addressed: &Addressed, distance: Part, builder: &mut Builder) -> (Part, Part) {
    let zero = builder.int(0);
    if addressed.arrays.is_empty() {
        return (builder.equal(distance, zero), zero);
    }
    let mut rest = distance;
    let mut is_here = builder.less_equal(zero, distance);
    let mut indices = Vec::new();
    for &(count, stride) in &addressed.arrays {
        let [count_part, stride] = [count, stride.max(1)].map(|it| builder.int(i128::from(it)));
        let index = builder.arithmetic(Arithmetic::Divide, rest, stride);
        let is_inside = builder.less(index, count_part);
        is_here = builder.and(is_here, is_inside);
        rest = match builder.node(stride) {
            Node::Int(1) => zero,
            _ => builder.arithmetic(Arithmetic::Remainder, rest, stride),
        };
        indices.push((count, index));
    }
    let size = builder.int(i128::from(addressed.width / 8));
    let is_inside = builder.less(rest, size);
    (builder.and(is_here, is_inside), linear(&indices, builder))
}

/// The index of an element among all, row by row.
fn linear(indices: &[(u64, Part)], builder: &mut Builder) -> Part {
    let mut sum = builder.int(0);
    for &(count, index) in indices {
        let count = builder.int(i128::from(count));
        sum = builder.arithmetic(Arithmetic::Multiply, sum, count);
        sum = builder.arithmetic(Arithmetic::Add, sum, index);
    }
    sum
}

/// Whether nothing in the program writes to a variable, or can.
fn never_changes(module: &Module, id: GlobalId) -> bool {
    let is_it = |place: &Place| matches!(place.base, Base::Var(Var::Global(own)) if own == id);
    let edges = module.functions.iter().flat_map(|it| &it.edges);
    edges.map(|edge| &edge.operation).all(|operation| {
        let mut is_named = false;
        operation.visit(&mut |part| {
            if let CirPart::Expr(Expr {
                kind: ExprKind::Address(place),
                ..
            }) = part
            {
                is_named = is_named || is_it(place);
            }
        });
        let written = match operation {
            Operation::Assign(place, _)
            | Operation::Copy(place, _)
            | Operation::Zero(place)
            | Operation::Havoc(place, _)
            | Operation::Allocate { result: place, .. }
            | Operation::VaStart(place)
            | Operation::VaArg { result: place, .. }
            | Operation::VaCopy { to: place, .. } => Some(place),
            Operation::Call { result, .. } => result.as_ref(),
            _ => None,
        };
        !is_named && !written.is_some_and(is_it)
    })
}
