//! The check of a unit: from the tree of the text to the tree with types.

mod assign;
mod atomic;
mod attribute;
mod body;
mod builtin;
mod call;
mod conditional;
mod convert;
mod declarator;
mod define;
mod enumerate;
mod expression;
mod fold;
mod function;
mod initial;
mod label;
mod library;
mod member;
mod name;
mod object;
mod operator;
mod query;
mod record;
mod scope;
mod specify;
mod statement;
mod variable;

use recurva_c::ast::{self, Item, Name};
use recurva_syntax::{Diagnostic, Diagnostics, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    FloatKind, IntKind, Qualified, RecordId, Target, Type, TypeId, Types,
    typed::{
        Constant, Expr, ExprId, ExprKind, FunctionId, Stmt, StmtId, StmtKind, Unit, Unsupported,
    },
};
use body::Body;
use scope::{Scopes, Symbol};

/// What is wrong has been reported already: nothing more is to be said of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrong;

/// A result whose error has been reported.
pub(crate) type Outcome<T> = Result<T, Wrong>;

/// The state of a check.
pub(crate) struct Checker<'u> {
    /// The tree of the text.
    unit: &'u ast::Unit,
    text: &'u [u8],
    /// What has been made so far.
    out: Unit,
    known: Known,
    diagnostics: Diagnostics,
    scopes: Scopes,
    /// Names with linkage, whatever the scope of their declaration.
    linked: FxHashMap<Name, Symbol>,
    /// Which field of a record has a name, or has a field with that name in it.
    members: FxHashMap<(RecordId, Name), u32>,
    /// Unions that stand for any of their fields as arguments.
    transparent: FxHashSet<RecordId>,
    /// Structures with arrays of variable length in them (GNU).
    variable_records: FxHashSet<RecordId>,
    /// Functions of the library whose names do not occur in the text.
    library: FxHashMap<Box<str>, FunctionId>,
    /// How many parameter lists of functions without a body are around what is checked.
    prototypes: u32,
    /// What is known of functions beyond their declaration.
    functions: Vec<function::Known>,
    /// The function whose body is being checked.
    body: Option<Body>,
}

/// Types that are often needed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) void: TypeId,
    pub(crate) bool: TypeId,
    integers: [TypeId; 11],
    pub(crate) float: TypeId,
    pub(crate) double: TypeId,
    pub(crate) long_double: TypeId,
    pub(crate) va_list: TypeId,
    pub(crate) void_pointer: TypeId,
    /// `size_t`
    pub(crate) size: TypeId,
    /// `ptrdiff_t`
    pub(crate) difference: TypeId,
}

impl Known {
    fn new(types: &mut Types, target: Target) -> Self {
        let void = types.number(Type::Void);
        let integers = [
            IntKind::Char,
            IntKind::SignedChar,
            IntKind::UnsignedChar,
            IntKind::Short,
            IntKind::UnsignedShort,
            IntKind::Int,
            IntKind::UnsignedInt,
            IntKind::Long,
            IntKind::UnsignedLong,
            IntKind::LongLong,
            IntKind::UnsignedLongLong,
        ]
        .map(|kind| types.number(Type::Int(kind)));
        let (size, difference) = match target.pointer_bytes {
            4 => (IntKind::UnsignedInt, IntKind::Int),
            _ => (IntKind::UnsignedLong, IntKind::Long),
        };
        Known {
            void,
            bool: types.number(Type::Bool),
            integers,
            float: types.number(Type::Float(FloatKind::Float)),
            double: types.number(Type::Float(FloatKind::Double)),
            long_double: types.number(Type::Float(FloatKind::LongDouble)),
            va_list: types.number(Type::VaList),
            void_pointer: types.number(Type::Pointer(Qualified::plain(void))),
            size: integers[size as usize],
            difference: integers[difference as usize],
        }
    }

    /// The type of an integer.
    pub(crate) fn integer(&self, kind: IntKind) -> TypeId {
        self.integers[kind as usize]
    }

    /// `int`
    pub(crate) fn int(&self) -> TypeId {
        self.integer(IntKind::Int)
    }
}

/// Checks a unit.
pub(crate) fn check(unit: &ast::Unit, text: &[u8], target: Target) -> (Unit, Diagnostics) {
    let mut types = Types::new(target);
    let known = Known::new(&mut types, target);
    let mut checker = Checker {
        unit,
        text,
        out: Unit {
            target,
            types,
            objects: Vec::new(),
            functions: Vec::new(),
            texts: Vec::new(),
            exprs: Vec::new(),
            stmts: Vec::new(),
            typedefs: Vec::new(),
        },
        known,
        diagnostics: Diagnostics::default(),
        scopes: Scopes::new(),
        linked: FxHashMap::default(),
        members: FxHashMap::default(),
        transparent: FxHashSet::default(),
        variable_records: FxHashSet::default(),
        library: FxHashMap::default(),
        prototypes: 0,
        functions: Vec::new(),
        body: None,
    };
    for item in &unit.items {
        // What is wrong with one item has been reported; the others are checked all the same.
        let _ = match item {
            Item::Function(function) => checker.define(function),
            Item::Declaration(declaration) => checker.declaration(declaration, &mut Vec::new()),
            Item::StaticAssert(claim) => checker.static_assert(claim),
            Item::Assembler(_) => Ok(()),
        };
    }
    checker.complete_tentative();
    checker.diagnostics.sort();
    (checker.out, checker.diagnostics)
}

impl<'u> Checker<'u> {
    /// The text of a name.
    fn name(&self, name: Name) -> &'u str {
        self.unit.name(name)
    }

    /// The text at a place.
    fn slice(&self, span: Span) -> &'u [u8] {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Reports an error.
    fn wrong(&mut self, message: impl FnOnce(&Types) -> String, span: Span) -> Wrong {
        self.report(|types| Diagnostic::error(message(types), span))
    }

    /// Reports an error with what is to be said of it.
    fn report(&mut self, error: impl FnOnce(&Types) -> Diagnostic) -> Wrong {
        let types = &self.out.types;
        self.diagnostics.report(|| error(types));
        Wrong
    }

    /// Reports what is accepted but may not be meant.
    fn warn(&mut self, message: impl FnOnce(&Types) -> String, span: Span) {
        let types = &self.out.types;
        self.diagnostics
            .warn(|| Diagnostic::warning(message(types), span));
    }

    /// A new expression.
    fn push(&mut self, span: Span, ty: Qualified, kind: ExprKind) -> ExprId {
        let id = ExprId(self.out.exprs.len() as u32);
        self.out.exprs.push(Expr { span, ty, kind });
        id
    }

    /// A new value: values have no qualifiers.
    fn push_value(&mut self, span: Span, ty: TypeId, kind: ExprKind) -> ExprId {
        self.push(span, Qualified::plain(ty), kind)
    }

    /// A number.
    fn push_integer(&mut self, span: Span, ty: TypeId, value: i128) -> ExprId {
        let value = self.out.width(ty).map_or(value, |width| width.wrap(value));
        self.push_value(span, ty, ExprKind::Constant(Constant::Int(value)))
    }

    /// What has no meaning here.
    fn push_unsupported(&mut self, span: Span, ty: TypeId, what: &'static str) -> ExprId {
        self.push_value(span, ty, ExprKind::Unsupported(Unsupported(what)))
    }

    /// A new statement.
    fn push_stmt(&mut self, span: Span, kind: StmtKind) -> StmtId {
        let id = StmtId(self.out.stmts.len() as u32);
        self.out.stmts.push(Stmt { span, kind });
        id
    }

    fn expr(&self, id: ExprId) -> &Expr {
        self.out.expr(id)
    }

    /// The type of an expression.
    fn ty(&self, id: ExprId) -> &Type {
        self.out.types.get(self.out.expr(id).ty.ty)
    }

    fn ty_id(&self, id: ExprId) -> TypeId {
        self.out.expr(id).ty.ty
    }

    fn span(&self, id: ExprId) -> Span {
        self.out.expr(id).span
    }

    /// A pointer to something of a type.
    fn pointer_to(&mut self, target: Qualified) -> TypeId {
        self.out.types.number(Type::Pointer(target))
    }

    /// What a type points to.
    fn pointee(&self, ty: TypeId) -> Option<Qualified> {
        match self.out.types.get(ty) {
            Type::Pointer(target) => Some(*target),
            _ => None,
        }
    }

    /// A type with more qualifiers. Those of an array are its elements'.
    fn qualify(&mut self, ty: Qualified, more: Qualified) -> Qualified {
        if !more.is_const && !more.is_volatile {
            return ty;
        }
        if let Type::Array(element, length) = *self.out.types.get(ty.ty) {
            let element = self.qualify(element, more);
            let array = self.out.types.number(Type::Array(element, length));
            return ty.of(array);
        }
        ty.and(more)
    }

    /// A type without qualifiers of its own: those of an array are its elements'.
    fn unqualified(&mut self, ty: TypeId) -> TypeId {
        match *self.out.types.get(ty) {
            Type::Array(element, length) => {
                let element = Qualified::plain(self.unqualified(element.ty));
                self.out.types.number(Type::Array(element, length))
            }
            _ => ty,
        }
    }
}
