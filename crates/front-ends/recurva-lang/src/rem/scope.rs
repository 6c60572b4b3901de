//! What names stand for in a Remopla program. A struct is one variable for each field; an
//! array of structs, one array for each field.

use recurva_model::{Type, VarRef, Variable};
use recurva_syntax::{Diagnostic, Diagnostics, Source, Span, did_you_mean};
use rustc_hash::FxHashMap;

use super::{
    ast::{Declaration, Module, Shape, Struct},
    expr::Reference,
};
use crate::{
    names::{NameId, Names, Table},
    token::clip,
    variables::origin,
};

/// The structs of a file.
pub(crate) struct Structs<'a> {
    list: &'a [Struct],
    fields: FxHashMap<(u32, NameId), u32>,
}

impl<'a> Structs<'a> {
    pub(crate) fn new(list: &'a [Struct]) -> Self {
        let mut fields = FxHashMap::default();
        for (id, entry) in (0..).zip(list) {
            for (position, field) in (0..).zip(&entry.fields) {
                fields.entry((id, field.name.id)).or_insert(position);
            }
        }
        Structs { list, fields }
    }

    pub(crate) fn get(&self, id: u32) -> &'a Struct {
        &self.list[id as usize]
    }

    /// The scalar types that a value of a shape consists of.
    pub(crate) fn scalars(&self, shape: Shape) -> Vec<Type> {
        match shape {
            Shape::Scalar(ty) => vec![ty],
            Shape::Struct(id) => {
                let fields = self.get(id).fields.iter();
                fields.filter_map(|field| scalar(field.shape)).collect()
            }
        }
    }
}

fn scalar(shape: Shape) -> Option<Type> {
    match shape {
        Shape::Scalar(ty) => Some(ty),
        Shape::Struct(_) => None,
    }
}

/// A declared variable, which may be several of the model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    shape: Shape,
    len: Option<u32>,
    first: u32,
    pub(crate) span: Span,
}

/// Adds the variables of a declaration.
pub(crate) fn declare(
    declaration: &Declaration,
    structs: &Structs<'_>,
    names: &Names<'_>,
    variables: &mut Vec<Variable>,
) -> Entry {
    let &Declaration { name, shape, len } = declaration;
    let first = variables.len() as u32;
    let text = names.text(name.id);
    let variable = |name: String, ty, len| Variable {
        name: name.into(),
        ty,
        len,
        hidden: false,
        origin: origin(declaration.name.span),
    };
    match shape {
        Shape::Scalar(ty) => variables.push(variable(text.to_owned(), ty, len)),
        Shape::Struct(id) => {
            for field in &structs.get(id).fields {
                let Some(ty) = scalar(field.shape) else {
                    continue;
                };
                let name = format!("{text}.{}", names.text(field.name.id));
                variables.push(variable(name, ty, len.or(field.len)));
            }
        }
    }
    Entry {
        shape,
        len,
        first,
        span: name.span,
    }
}

/// What all modules share.
pub(crate) struct Shared<'a> {
    pub(crate) source: &'a Source,
    pub(crate) names: &'a Names<'a>,
    pub(crate) structs: Structs<'a>,
    pub(crate) globals: Vec<Variable>,
    pub(crate) global_entries: Vec<Entry>,
    pub(crate) global_table: Table,
    pub(crate) modules: &'a [Module],
    pub(crate) module_table: Table,
}

/// The names inside one module.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) entries: &'a [Entry],
    pub(crate) table: &'a Table,
    /// Variables of quantifiers around a statement, with their values.
    pub(crate) fixed: &'a [(NameId, i64)],
}

/// What a name or a field stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Found {
    /// A variable of the model.
    Variable {
        variable: VarRef,
        ty: Type,
        len: Option<u32>,
        declared: Span,
    },
    /// A struct or an array of structs.
    Struct {
        id: u32,
        len: Option<u32>,
        declared: Span,
    },
}

impl<'a> Scope<'a> {
    /// The value of a quantifier's variable.
    pub(crate) fn fixed(&self, name: NameId) -> Option<i64> {
        let found = self.fixed.iter().rev().find(|&&(id, _)| id == name);
        found.map(|&(_, value)| value)
    }

    /// Whether a variable has that name.
    pub(crate) fn has(&self, name: NameId) -> bool {
        self.table.get(name).is_some() || self.shared.global_table.get(name).is_some()
    }

    /// The variable of a reference; reports it if there is none.
    pub(crate) fn find(
        &self,
        reference: Reference,
        diagnostics: &mut Diagnostics,
    ) -> Option<Found> {
        let base = reference.base;
        let (entry, global) = match self.table.get(base.id) {
            Some(index) => (self.entries.get(index as usize)?, false),
            None => match self.shared.global_table.get(base.id) {
                Some(index) => (self.shared.global_entries.get(index as usize)?, true),
                None => {
                    self.unknown(reference, diagnostics);
                    return None;
                }
            },
        };
        let variable = |offset: u32| match global {
            true => VarRef::Global(entry.first + offset),
            false => VarRef::Local(entry.first + offset),
        };
        let declared = entry.span;
        match (entry.shape, reference.field) {
            (Shape::Scalar(ty), None) => Some(Found::Variable {
                variable: variable(0),
                ty,
                len: entry.len,
                declared,
            }),
            (Shape::Struct(id), None) => Some(Found::Struct {
                id,
                len: entry.len,
                declared,
            }),
            (Shape::Scalar(ty), Some(field)) => {
                let text = clip(self.shared.names.text(base.id));
                diagnostics.report(|| {
                    Diagnostic::error(format!("`{text}` has no fields"), field.span)
                        .label(format!("`{text}` is of type {ty}"))
                        .note(declared, "declared here")
                });
                None
            }
            (Shape::Struct(id), Some(field)) => {
                let structs = &self.shared.structs;
                let Some(&offset) = structs.fields.get(&(id, field.id)) else {
                    self.no_field(id, reference, diagnostics);
                    return None;
                };
                let found = structs.get(id).fields.get(offset as usize)?;
                Some(Found::Variable {
                    variable: variable(offset),
                    ty: scalar(found.shape)?,
                    len: entry.len.or(found.len),
                    declared,
                })
            }
        }
    }

    fn no_field(&self, id: u32, reference: Reference, diagnostics: &mut Diagnostics) {
        let (names, found) = (self.shared.names, self.shared.structs.get(id));
        let Some(field) = reference.field else { return };
        let text = names.text(field.id);
        diagnostics.report(|| {
            let fields = found.fields.iter().map(|field| names.text(field.name.id));
            let message = format!(
                "struct `{}` has no field `{}`",
                clip(names.text(found.name.id)),
                clip(text)
            );
            Diagnostic::error(message, field.span)
                .note(found.name.span, "declared here")
                .help_if(did_you_mean(text, fields))
        });
    }

    fn unknown(&self, reference: Reference, diagnostics: &mut Diagnostics) {
        let (shared, base) = (self.shared, reference.base);
        let name = shared.names.text(base.id);
        diagnostics.report(|| {
            let help = match name {
                "True" | "TRUE" | "T" => Some("the constant is written `true`".to_owned()),
                "False" | "FALSE" | "F" => Some("the constant is written `false`".to_owned()),
                _ if shared.module_table.get(base.id).is_some() => {
                    Some(format!("`{}` is a module", clip(name)))
                }
                _ => {
                    let locals = self.table.names().iter();
                    let all = locals.chain(shared.global_table.names());
                    let all = all.map(|&id| shared.names.text(id));
                    did_you_mean(name, all.chain(["true", "false"]))
                }
            };
            Diagnostic::error(format!("there is no variable `{}`", clip(name)), base.span)
                .label("not declared")
                .help_if(help)
        });
    }
}
