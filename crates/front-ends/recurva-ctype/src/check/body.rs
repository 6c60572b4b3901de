//! What is known while the body of a function is checked.

use recurva_c::ast::{Ident, Name};
use recurva_syntax::Span;
use rustc_hash::FxHashMap;

use super::Checker;
use crate::{
    Qualified, TypeId,
    typed::{Case, ExprKind, FunctionId, Label, LabelId, Local, LocalId, StmtId},
};

/// A function whose body is being checked.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) function: FunctionId,
    /// Its name, for `__func__`.
    pub(crate) name: Name,
    /// What it returns.
    pub(crate) result: Qualified,
    pub(crate) locals: Vec<Local>,
    /// How many of them are parameters.
    pub(crate) parameters: u32,
    pub(crate) labels: Vec<Label>,
    /// Labels by their names.
    pub(crate) named: FxHashMap<Name, NamedLabel>,
    /// The `switch`es around the statement at hand.
    pub(crate) switches: Vec<Switch>,
    /// How many statements around it `break` may leave.
    pub(crate) breaks: u32,
    /// How many loops are around it.
    pub(crate) loops: u32,
    /// Lengths of arrays that have to be computed before what is being checked.
    pub(crate) lengths: Vec<StmtId>,
}

/// A label with a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NamedLabel {
    pub(crate) id: LabelId,
    /// Where it stands, once that is known.
    pub(crate) defined: Option<Span>,
    /// Where it is first named.
    pub(crate) used: Span,
}

/// A `switch` around the statement at hand.
#[derive(Debug)]
pub(crate) struct Switch {
    /// The promoted type of its value.
    pub(crate) ty: TypeId,
    pub(crate) cases: Vec<Case>,
    pub(crate) default: Option<(LabelId, Span)>,
}

impl Body {
    pub(crate) fn new(function: FunctionId, name: Name, result: Qualified) -> Self {
        Body {
            function,
            name,
            result,
            locals: Vec::new(),
            parameters: 0,
            labels: Vec::new(),
            named: FxHashMap::default(),
            switches: Vec::new(),
            breaks: 0,
            loops: 0,
            lengths: Vec::new(),
        }
    }

    /// A new variable.
    pub(crate) fn add_local(&mut self, local: Local) -> LocalId {
        let id = LocalId(self.locals.len() as u32);
        self.locals.push(local);
        id
    }

    /// A new label.
    pub(crate) fn add_label(&mut self, name: Box<str>, span: Span) -> LabelId {
        let id = LabelId(self.labels.len() as u32);
        self.labels.push(Label { name, span });
        id
    }

    /// The label that a name means; a new one if it has not been seen.
    pub(crate) fn label(&mut self, ident: Ident, text: &str) -> &mut NamedLabel {
        if !self.named.contains_key(&ident.name) {
            let id = self.add_label(text.into(), ident.span);
            let label = NamedLabel {
                id,
                defined: None,
                used: ident.span,
            };
            self.named.insert(ident.name, label);
        }
        self.named
            .get_mut(&ident.name)
            .expect("the label has just been added")
    }
}

/// How much there was before an expression was checked of which only the type or the value counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    exprs: usize,
    texts: usize,
    others: [usize; 4],
}

impl Checker<'_> {
    pub(super) fn mark(&self) -> Mark {
        Mark {
            exprs: self.out.exprs.len(),
            texts: self.out.texts.len(),
            others: [
                self.out.stmts.len(),
                self.out.objects.len(),
                self.body.as_ref().map_or(0, |it| it.locals.len()),
                self.body.as_ref().map_or(0, |it| it.lengths.len()),
            ],
        }
    }

    /// Whether an expression that was made since does more than to have a value.
    pub(super) fn has_effects_since(&self, mark: Mark) -> bool {
        let exprs = &self.out.exprs[mark.exprs..];
        exprs.iter().any(|expr| {
            matches!(
                expr.kind,
                ExprKind::Assign(..)
                    | ExprKind::AssignOperator { .. }
                    | ExprKind::Step { .. }
                    | ExprKind::Call(..)
                    | ExprKind::Builtin(..)
                    | ExprKind::Block(..)
                    | ExprKind::VaArg(_)
                    | ExprKind::Unsupported(_)
            )
        })
    }

    /// Drops the expressions that were made since, if nothing that remains may name them.
    pub(super) fn forget(&mut self, mark: Mark) {
        if self.mark().others == mark.others {
            self.out.exprs.truncate(mark.exprs);
            self.out.texts.truncate(mark.texts);
        }
    }
}
