//! What names stand for in a boolean program.

use recurva_model::{Op, VarRef, Variable};
use recurva_syntax::{Diagnostic, Diagnostics, Span, did_you_mean};

use super::ast::{Declaration, Procedure};
use crate::{
    expr::{
        Dialect, Leaf,
        check::{Found, Scope},
    },
    names::{NameId, Names, Table},
    token::clip,
    variables::{origin, span},
};

/// Whether `'x` has a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NextValues {
    Forbidden,
    Allowed,
}

/// What all procedures share.
pub(crate) struct Shared<'a> {
    pub(crate) source: &'a recurva_syntax::Source,
    pub(crate) names: &'a Names<'a>,
    pub(crate) dialect: Dialect,
    pub(crate) globals: Vec<Variable>,
    pub(crate) global_table: Table,
    pub(crate) procedures: &'a [Procedure],
    pub(crate) procedure_table: Table,
}

/// The names inside one procedure.
pub(crate) struct ProcedureScope<'a> {
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) locals: &'a [Variable],
    pub(crate) local_table: &'a Table,
    pub(crate) next: NextValues,
}

pub(crate) fn variable(declaration: &Declaration, names: &Names<'_>) -> Variable {
    Variable {
        name: names.text(declaration.name.id).into(),
        ty: declaration.ty,
        len: declaration.len,
        hidden: false,
        origin: origin(declaration.name.span),
    }
}

impl<'a> ProcedureScope<'a> {
    /// The variable of a name; reports it if there is none.
    pub(crate) fn variable(
        &self,
        id: NameId,
        place: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<(VarRef, &'a Variable)> {
        let shared = self.shared;
        if let Some(index) = self.local_table.get(id) {
            return Some((VarRef::Local(index), self.locals.get(index as usize)?));
        }
        if let Some(index) = shared.global_table.get(id) {
            return Some((VarRef::Global(index), shared.globals.get(index as usize)?));
        }
        let name = shared.names.text(id);
        diagnostics.report(|| {
            let help = match name {
                "true" | "TRUE" => Some("the constant is written `T`".to_owned()),
                "false" | "FALSE" => Some("the constant is written `F`".to_owned()),
                "_" => Some("`_` stands only on the left of `:=`".to_owned()),
                _ if shared.procedure_table.get(id).is_some() => {
                    Some(format!("`{}` is a procedure", clip(name)))
                }
                _ => {
                    let locals = self.local_table.names().iter();
                    let all = locals.chain(shared.global_table.names());
                    did_you_mean(name, all.map(|&id| shared.names.text(id)))
                }
            };
            Diagnostic::error(format!("there is no variable `{}`", clip(name)), place)
                .label("not declared")
                .help_if(help)
        });
        None
    }
}

impl Scope for ProcedureScope<'_> {
    type Op = Op;

    fn plain(&self, op: Op) -> Op {
        op
    }

    fn find(&self, leaf: Leaf, place: Span, diagnostics: &mut Diagnostics) -> Option<Found<Op>> {
        let (id, next) = match leaf {
            Leaf::Name(id) => (id, false),
            Leaf::Next(id) => (id, true),
            Leaf::Local(..) | Leaf::Label(_) | Leaf::LabelIn(..) | Leaf::In(_) => return None,
        };
        let (reference, variable) = self.variable(id, place, diagnostics)?;
        if next && self.next == NextValues::Forbidden {
            let name = clip(&variable.name);
            diagnostics.report(|| {
                Diagnostic::error(
                    format!("`'{name}` stands only in a `constrain` clause"),
                    place,
                )
                .label("the value after the assignment")
                .help(format!("write `{name}` for the value before it"))
            });
            return None;
        }
        let op = match (variable.len.is_some(), next) {
            (false, false) => Op::Read(reference),
            (false, true) => Op::ReadNext(reference),
            (true, false) => Op::Index(reference),
            (true, true) => Op::IndexNext(reference),
        };
        let declared = Some(span(variable.origin));
        Some(Found {
            op,
            ty: variable.ty,
            len: variable.len,
            declared,
        })
    }

    fn refuse_choice(&self, _: Span, _: &mut Diagnostics) -> bool {
        false
    }
}
