//! Expressions of the tree as expressions of the view.
//!
//! The tree has inner expressions before those around them, and so has the view: one pass in that
//! order, without recursion, is all. A chain of binary operators is one expression here, whatever
//! binds tighter, and so is a chain of `?:`; the links in it are left empty.

use recurva_syntax::Span;

use super::tree::{Expr, ExprId, ExprKind, Unit};
use crate::{
    ast::{
        self, ArraySize, BuiltinCall, Declarator, DeclaratorPart, Init, Item, TypeName,
        TypeSpecifier, UnaryOperator,
    },
    error::{Result, Unreadable},
    parse::{HEIGHT, TOO_HIGH},
};

/// Functions of the compiler that do not evaluate their operands.
const CLOSED: [&str; 5] = [
    "__builtin_constant_p",
    "__builtin_object_size",
    "__builtin_dynamic_object_size",
    "__builtin_classify_type",
    "__builtin_has_attribute",
];

/// A unit as the expressions it evaluates.
pub(super) fn project(tree: &ast::Unit, text: &[u8]) -> Result<Unit> {
    let mut projection = Projection {
        tree,
        text,
        is_link: links(tree),
        ids: Vec::with_capacity(tree.exprs.len()),
        heights: Vec::with_capacity(tree.exprs.len()),
        unit: Unit {
            functions: Vec::new(),
            exprs: Vec::with_capacity(tree.exprs.len()),
        },
    };
    for (id, expr) in tree.exprs() {
        let kind = match projection.is_link[id.index()] {
            true => ExprKind::Constant,
            false => projection.kind(expr)?,
        };
        let id = projection.add(expr.span, kind)?;
        projection.ids.push(id);
    }
    for item in &tree.items {
        if let Item::Function(function) = item {
            projection.function(function)?;
        }
    }
    Ok(projection.unit)
}

/// Which expressions are links of a chain, and not its outermost one.
fn links(tree: &ast::Unit) -> Vec<bool> {
    let mut is_link = vec![false; tree.exprs.len()];
    let is_binary = |id: ast::ExprId| matches!(tree.expr(id).kind, ast::ExprKind::Binary { .. });
    for (_, expr) in tree.exprs() {
        match expr.kind {
            ast::ExprKind::Binary { left, right, .. } => {
                is_link[left.index()] |= is_binary(left);
                is_link[right.index()] |= is_binary(right);
            }
            ast::ExprKind::Conditional { other, .. } => {
                let kind = &tree.expr(other).kind;
                is_link[other.index()] |= matches!(kind, ast::ExprKind::Conditional { .. });
            }
            _ => {}
        }
    }
    is_link
}

pub(super) struct Projection<'a> {
    pub(super) tree: &'a ast::Unit,
    text: &'a [u8],
    is_link: Vec<bool>,
    /// The expressions of the tree in the view.
    ids: Vec<ExprId>,
    /// How high the expressions of the view are.
    heights: Vec<u32>,
    pub(super) unit: Unit,
}

impl Projection<'_> {
    pub(super) fn id(&self, id: ast::ExprId) -> ExprId {
        self.ids[id.index()]
    }

    fn ids(&self, ids: &[ast::ExprId]) -> Vec<ExprId> {
        ids.iter().map(|id| self.id(*id)).collect()
    }

    fn add(&mut self, span: Span, kind: ExprKind) -> Result<ExprId> {
        let mut below = 0;
        let mut note = |id: ExprId| below = below.max(self.heights[id.index()]);
        match &kind {
            ExprKind::Block(roots) => roots.iter().for_each(|root| note(root.expr)),
            ExprKind::Closed { perhaps, .. } => perhaps.iter().copied().for_each(note),
            kind => kind.each_operand(note),
        }
        let height = below + 1;
        if height > HEIGHT {
            return Err(Unreadable {
                span,
                expected: TOO_HIGH,
            });
        }
        self.heights.push(height);
        let id = ExprId(self.unit.exprs.len() as u32);
        self.unit.exprs.push(Expr { span, kind });
        Ok(id)
    }

    fn kind(&mut self, expr: &ast::Expr) -> Result<ExprKind> {
        Ok(match &expr.kind {
            ast::ExprKind::Name(_) => ExprKind::Name,
            ast::ExprKind::Number | ast::ExprKind::Char => ExprKind::Constant,
            ast::ExprKind::LabelAddress(_) => ExprKind::Constant,
            ast::ExprKind::Text(_) => ExprKind::Text,
            ast::ExprKind::Paren(inner) => ExprKind::Paren(self.id(*inner)),
            ast::ExprKind::Index { base, index } => ExprKind::Index {
                base: self.id(*base),
                index: self.id(*index),
            },
            ast::ExprKind::Call { callee, arguments } => self.call(expr, *callee, arguments),
            ast::ExprKind::Member {
                base,
                name,
                is_arrow,
            } => ExprKind::Member {
                base: self.id(*base),
                name: name.span,
                is_arrow: *is_arrow,
            },
            ast::ExprKind::Step(_, inner) => ExprKind::Step(self.id(*inner)),
            ast::ExprKind::Unary(operator, inner) => {
                let inner = self.id(*inner);
                match operator {
                    UnaryOperator::Deref => ExprKind::Deref(inner),
                    UnaryOperator::Address => ExprKind::Address(inner),
                    UnaryOperator::Extension => ExprKind::Paren(inner),
                    _ => ExprKind::Operator(vec![inner]),
                }
            }
            ast::ExprKind::Binary { left, right, .. } => {
                ExprKind::Operator(self.operands(*left, *right))
            }
            ast::ExprKind::Conditional { .. } => ExprKind::Operator(self.choices(expr)),
            ast::ExprKind::Assign {
                operator_span,
                target,
                value,
                ..
            } => ExprKind::Assign {
                operator: *operator_span,
                target: self.id(*target),
                value: self.id(*value),
            },
            ast::ExprKind::Comma(all) => ExprKind::Comma(self.ids(all)),
            ast::ExprKind::Cast(ty, inner) => {
                // Sizes of arrays in the type are evaluated with the cast.
                let mut all = self.sizes(&ty.declarator);
                let inner = self.id(*inner);
                if all.is_empty() {
                    return Ok(ExprKind::Cast(inner));
                }
                all.push(inner);
                ExprKind::Operator(all)
            }
            ast::ExprKind::Compound(ty, init) => ExprKind::List {
                values: self.values(init)?,
                is_array: self.is_array_type(ty),
            },
            ast::ExprKind::Block(block) => ExprKind::Block(self.roots(*block)?),
            ast::ExprKind::Sizeof(_) | ast::ExprKind::Alignof(_) => self.closed(expr, &[]),
            ast::ExprKind::Generic { associations, .. } => {
                let values: Vec<_> = associations.iter().map(|it| it.value).collect();
                self.closed(expr, &values)
            }
            ast::ExprKind::Builtin(call) => self.builtin(expr, call),
        })
    }

    fn call(&self, call: &ast::Expr, callee: ast::ExprId, arguments: &[ast::ExprId]) -> ExprKind {
        if let ast::ExprKind::Name(name) = &self.tree.expr(callee).kind
            && CLOSED.contains(&self.tree.name(name.name))
        {
            return self.closed(call, &[]);
        }
        ExprKind::Call {
            callee: self.id(callee),
            args: self.ids(arguments),
        }
    }

    fn builtin(&self, expr: &ast::Expr, call: &BuiltinCall) -> ExprKind {
        match call {
            BuiltinCall::VaArg(list, ty) => {
                let mut all = vec![self.id(*list)];
                all.extend(self.sizes(&ty.declarator));
                ExprKind::Operator(all)
            }
            BuiltinCall::ChooseExpr(condition, then, other) => {
                self.closed(expr, &[*condition, *then, *other])
            }
            BuiltinCall::Offsetof(..) | BuiltinCall::TypesCompatible(..) => self.closed(expr, &[]),
        }
    }

    /// A form that begins with a keyword.
    fn closed(&self, expr: &ast::Expr, perhaps: &[ast::ExprId]) -> ExprKind {
        let text = &self.text[expr.span.range()];
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let length = text.iter().take_while(is_part).count() as u32;
        ExprKind::Closed {
            keyword: Span::new(expr.span.start, expr.span.start + length),
            perhaps: self.ids(perhaps),
        }
    }

    /// The operands of a chain of binary operators.
    fn operands(&self, left: ast::ExprId, right: ast::ExprId) -> Vec<ExprId> {
        let mut all = Vec::new();
        let mut waiting = vec![right, left];
        while let Some(id) = waiting.pop() {
            match self.tree.expr(id).kind {
                ast::ExprKind::Binary { left, right, .. } => waiting.extend([right, left]),
                _ => all.push(self.id(id)),
            }
        }
        all
    }

    /// The operands of a chain of `?:`.
    fn choices<'e>(&'e self, mut expr: &'e ast::Expr) -> Vec<ExprId> {
        let mut all = Vec::new();
        while let ast::ExprKind::Conditional {
            condition,
            then,
            other,
        } = expr.kind
        {
            all.push(self.id(condition));
            all.extend(then.map(|then| self.id(then)));
            expr = self.tree.expr(other);
            if !matches!(expr.kind, ast::ExprKind::Conditional { .. }) {
                all.push(self.id(other));
            }
        }
        all
    }

    /// The sizes of arrays in a type, but for those in lists of parameters.
    pub(super) fn sizes(&self, declarator: &Declarator) -> Vec<ExprId> {
        let sizes = declarator.parts.iter().filter_map(|part| match part {
            DeclaratorPart::Array {
                size: ArraySize::Expr(size),
                ..
            } => Some(self.id(*size)),
            _ => None,
        });
        sizes.collect()
    }

    /// The values of a list in braces.
    fn values(&mut self, init: &Init) -> Result<Vec<ExprId>> {
        match init {
            Init::Expr(value) => Ok(vec![self.id(*value)]),
            Init::List(items, _) => items.iter().map(|item| self.initial(&item.init)).collect(),
        }
    }

    /// An initial value.
    pub(super) fn initial(&mut self, init: &Init) -> Result<ExprId> {
        let span = match init {
            Init::Expr(value) => return Ok(self.id(*value)),
            Init::List(_, span) => *span,
        };
        let values = self.values(init)?;
        let is_array = false;
        self.add(span, ExprKind::List { values, is_array })
    }

    fn is_array_type(&self, ty: &TypeName) -> bool {
        self.is_array(&ty.specifiers.ty, &ty.declarator)
    }

    /// Whether something is an array, as far as its declaration says so.
    pub(super) fn is_array(&self, ty: &TypeSpecifier, declarator: &Declarator) -> bool {
        match (declarator.parts.first(), ty) {
            (Some(part), _) => matches!(part, DeclaratorPart::Array { .. }),
            (None, TypeSpecifier::Named(name)) => {
                let all = &self.tree.array_types;
                all.binary_search(&name.span.start).is_ok()
            }
            (None, TypeSpecifier::TypeofType(ty)) => self.is_array_type(ty),
            _ => false,
        }
    }
}
