//! From syntax to the model: assignments and calls.

use recurva_model::{Action, Expr as Typed, NodeId, Op, Place, ProcId, Type, VarRef, Variable};
use recurva_syntax::{Diagnostic, Span, did_you_mean};
use rustc_hash::FxHashMap;

use super::{
    ast::{Procedure, Target},
    body::Builder,
    scope::{NextValues, ProcedureScope},
};
use crate::{
    count::{count, count_are},
    expr::{
        Expr,
        check::{For, Want},
    },
    names::Name,
    token::clip,
    variables::span,
};

/// A target that was looked up.
struct Written {
    reference: VarRef,
    ty: Type,
    name: Box<str>,
    declared: Span,
    place: Span,
    len: Option<u32>,
}

/// How a statement writes to a variable.
#[derive(Clone, Copy)]
enum Access {
    Scalar,
    Element,
    Dead,
}

impl<'b> Builder<'b, '_> {
    pub(crate) fn assignment(
        &mut self,
        targets: &[Target],
        values: &[Expr],
        constraint: Option<&Expr>,
        (at, next): (NodeId, NodeId),
        place: Span,
    ) {
        if targets.len() != values.len() {
            self.diagnostics.report(|| {
                let message = format!(
                    "{} assigned to {}",
                    count_are(values.len(), "value"),
                    count(targets.len(), "variable")
                );
                Diagnostic::error(message, place)
                    .help("give one value for each variable, `_` stands for one that is not needed")
            });
            return;
        }
        let mut assigns = Vec::with_capacity(targets.len());
        let mut scalars = FxHashMap::default();
        for (target, value) in targets.iter().zip(values) {
            let written = match target {
                Target::Nothing => {
                    // Only checked: the choices of a dropped value are no choices.
                    let choices = self.choices;
                    self.check(value, Want::Free);
                    self.choices = choices;
                    continue;
                }
                Target::Scalar(name) => self.written(*name, Access::Scalar),
                Target::Element(name, _) => self.written(*name, Access::Element),
            };
            let Some(written) = written else {
                // The value may have its own errors.
                self.check(value, Want::Free);
                continue;
            };
            let destination = match target {
                Target::Element(_, index) => {
                    let len = written.len.unwrap_or(1);
                    self.check(index, Want::Index(len)).map(|(ops, ty)| {
                        Place::Element(written.reference, Typed::new(wide_index(ops, ty)))
                    })
                }
                _ => {
                    self.written_once(&written, &mut scalars, targets.len());
                    Some(Place::Scalar(written.reference))
                }
            };
            let want = Want::Value {
                ty: written.ty,
                of: For::Variable(&written.name),
                declared: Some(written.declared),
            };
            if let (Some((ops, _)), Some(destination)) = (self.check(value, want), destination) {
                assigns.push((destination, Typed::new(ops)));
            }
        }
        let constraint = constraint.and_then(|expr| {
            let checked = self.check_with(expr, Want::Condition, NextValues::Allowed);
            checked.map(|(ops, _)| Typed::new(ops))
        });
        self.fall(next);
        self.edge(
            at,
            next,
            Vec::new(),
            Action::Assign {
                assigns,
                constraint,
            },
            place,
        );
    }

    /// `dead x, y` makes the variables arbitrary.
    pub(crate) fn dead(&mut self, names: &[Name], (at, next): (NodeId, NodeId), place: Span) {
        let mut assigns = Vec::with_capacity(names.len());
        let mut scalars = FxHashMap::default();
        for &name in names {
            let Some(written) = self.written(name, Access::Dead) else {
                continue;
            };
            if scalars.insert(written.reference, written.place).is_some() {
                continue;
            }
            let any = Typed::new([Op::Any(written.ty, self.choices)]);
            self.choices += 1;
            assigns.push((Place::Scalar(written.reference), any));
        }
        self.fall(next);
        self.edge(
            at,
            next,
            Vec::new(),
            Action::Assign {
                assigns,
                constraint: None,
            },
            place,
        );
    }

    pub(crate) fn call(
        &mut self,
        targets: &[Target],
        callee: Name,
        arguments: &[Expr],
        (at, next): (NodeId, NodeId),
        place: Span,
    ) {
        let Some((id, procedure)) = self.callee(callee) else {
            for argument in arguments {
                self.check(argument, Want::Free);
            }
            return;
        };
        let mut values = Vec::with_capacity(arguments.len());
        if arguments.len() == procedure.parameters.len() {
            for (argument, parameter) in arguments.iter().zip(&procedure.parameters) {
                let of = For::Parameter(self.shared.names.text(parameter.name.id));
                let declared = Some(parameter.name.span);
                let want = Want::Value {
                    ty: parameter.ty,
                    of,
                    declared,
                };
                if let Some((ops, _)) = self.check(argument, want) {
                    values.push(Typed::new(ops));
                }
            }
        } else {
            self.wrong_count(
                callee,
                procedure,
                (arguments.len(), procedure.parameters.len()),
                "argument",
            );
        }
        if targets.is_empty() {
            let results = vec![None; procedure.results.len()];
            self.fall(next);
            let action = Action::Call {
                callee: id,
                arguments: values,
                results,
            };
            return self.edge(at, next, Vec::new(), action, place);
        }
        if targets.len() != procedure.results.len() {
            self.wrong_count(
                callee,
                procedure,
                (targets.len(), procedure.results.len()),
                "result",
            );
            return;
        }
        let (results, stores) = self.results(procedure, targets);
        let stored = if stores.is_empty() {
            next
        } else {
            self.node(place)
        };
        if stores.is_empty() {
            self.fall(next);
        }
        let action = Action::Call {
            callee: id,
            arguments: values,
            results,
        };
        self.edge(at, stored, Vec::new(), action, place);
        if !stores.is_empty() {
            self.store(&stores, (stored, next), place);
        }
    }

    /// Where results go: variables, or hidden ones from which elements are stored later.
    fn results<'t>(
        &mut self,
        procedure: &Procedure,
        targets: &'t [Target],
    ) -> (Vec<Option<VarRef>>, Vec<Store<'t>>) {
        let mut results = Vec::with_capacity(targets.len());
        let mut stores: Vec<Store<'t>> = Vec::new();
        let mut scalars = FxHashMap::default();
        for (target, &ty) in targets.iter().zip(&procedure.results) {
            let (name, index) = match target {
                Target::Nothing => {
                    results.push(None);
                    continue;
                }
                Target::Scalar(name) => (*name, None),
                Target::Element(name, index) => (*name, Some(index)),
            };
            let access = if index.is_some() {
                Access::Element
            } else {
                Access::Scalar
            };
            let Some(written) = self.written(name, access) else {
                continue;
            };
            if written.ty != ty {
                self.diagnostics.report(|| {
                    let message = format!(
                        "`{}` is of type {}, the result of type {ty}",
                        written.name, written.ty
                    );
                    Diagnostic::error(message, written.place)
                        .label(format!("expected {ty}, found {}", written.ty))
                        .note(procedure.results_span, "the results are declared here")
                        .help(format!(
                            "receive it in a variable of type {ty} and convert that"
                        ))
                });
                continue;
            }
            let Some(index) = index else {
                self.written_once(&written, &mut scalars, targets.len());
                results.push(Some(written.reference));
                continue;
            };
            let in_use = |local: u32| stores.iter().any(|store| store.temporary == local);
            let temporary = self.temporaries.take(ty, in_use, &mut self.locals);
            results.push(Some(VarRef::Local(temporary)));
            stores.push(Store {
                written,
                index,
                temporary,
            });
        }
        (results, stores)
    }

    /// Stores results in elements, and forgets the hidden variables they came in.
    fn store(&mut self, stores: &[Store<'_>], (at, next): (NodeId, NodeId), place: Span) {
        self.restart_choices();
        let mut assigns = Vec::with_capacity(2 * stores.len());
        for store in stores {
            let written = &store.written;
            let len = written.len.unwrap_or(1);
            let Some((ops, ty)) = self.check(store.index, Want::Index(len)) else {
                continue;
            };
            let element = Place::Element(written.reference, Typed::new(wide_index(ops, ty)));
            let temporary = VarRef::Local(store.temporary);
            assigns.push((element, Typed::read(temporary)));
            // A value that lingers would tell states apart that are the same.
            assigns.push((Place::Scalar(temporary), Typed::constant(0, written.ty)));
        }
        self.fall(next);
        self.edge(
            at,
            next,
            Vec::new(),
            Action::Assign {
                assigns,
                constraint: None,
            },
            place,
        );
    }

    fn callee(&mut self, name: Name) -> Option<(ProcId, &'b Procedure)> {
        let shared = self.shared;
        if let Some(index) = shared.procedure_table.get(name.id) {
            return Some((ProcId(index), shared.procedures.get(index as usize)?));
        }
        let text = shared.names.text(name.id);
        self.diagnostics.report(|| {
            let procedures = shared
                .procedure_table
                .names()
                .iter()
                .map(|&id| shared.names.text(id));
            let words = [
                "assert",
                "assume",
                "constrain",
                "print",
                "return",
                "while",
                "abortif",
            ];
            Diagnostic::error(format!("there is no procedure `{}`", clip(text)), name.span)
                .help_if(did_you_mean(text, procedures.chain(words)))
        });
        None
    }

    fn wrong_count(
        &mut self,
        callee: Name,
        procedure: &Procedure,
        (given, wanted): (usize, usize),
        noun: &str,
    ) {
        let text = self.shared.names.text(callee.id);
        self.diagnostics.report(|| {
            let wanted = match wanted {
                0 => format!("no {noun}s"),
                n => count(n, noun),
            };
            let (verb, given) = match noun {
                "argument" => ("takes", format!("{} given", count_are(given, noun))),
                _ => (
                    "has",
                    format!("{} there for them", count_are(given, "variable")),
                ),
            };
            Diagnostic::error(
                format!("`{}` {verb} {wanted}, but {given}", clip(text)),
                callee.span,
            )
            .note(procedure.head, format!("`{}` is declared here", clip(text)))
        });
    }

    /// Looks up what an assignment writes to.
    fn written(&mut self, name: Name, access: Access) -> Option<Written> {
        let scope = ProcedureScope {
            shared: self.shared,
            locals: &self.locals,
            local_table: &self.lists.local_table,
            next: NextValues::Forbidden,
        };
        let (reference, variable) = scope.variable(name.id, name.span, self.diagnostics)?;
        let text = clip(&variable.name);
        let declared = span(variable.origin);
        let &Variable { ty, len, .. } = variable;
        let error = match (len, access) {
            (Some(_), Access::Dead) => Some((
                format!("`{text}` is an array"),
                "`dead` is for scalar variables; assign `*` to the elements".to_owned(),
            )),
            (Some(len), Access::Scalar) => Some((
                format!("`{text}` is an array"),
                format!("name an element: `{text}[0]` to `{text}[{}]`", len - 1),
            )),
            (None, Access::Element) => Some((
                format!("`{text}` is not an array"),
                format!("it is of type {ty}; write `{text}` without an index"),
            )),
            _ => None,
        };
        if let Some((message, help)) = error {
            self.diagnostics.report(|| {
                Diagnostic::error(message, name.span)
                    .note(declared, "declared here")
                    .help(help)
            });
            return None;
        }
        Some(Written {
            reference,
            ty,
            name: text.into(),
            declared,
            place: name.span,
            len,
        })
    }

    /// Reports a variable that one assignment writes twice.
    fn written_once(
        &mut self,
        written: &Written,
        seen: &mut FxHashMap<VarRef, Span>,
        targets: usize,
    ) {
        if targets < 2 {
            return;
        }
        if let Some(first) = seen.insert(written.reference, written.place) {
            self.diagnostics.report(|| {
                let message = format!("`{}` is assigned twice in one assignment", written.name);
                Diagnostic::error(message, written.place)
                    .label("assigned again here")
                    .note(first, "first assigned here")
            });
        }
    }
}

/// A result that goes to an element once the call has returned.
struct Store<'t> {
    written: Written,
    index: &'t Expr,
    temporary: u32,
}

/// An index in a form in which a negative one stays out of range.
fn wide_index(mut ops: Vec<Op>, ty: Type) -> Vec<Op> {
    let wide = Type::signed(64);
    if ty.is_signed() && ty != wide {
        ops.push(Op::Convert(ty, wide));
    }
    ops
}
