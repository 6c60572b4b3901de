//! From syntax to the model: calls.

use recurva_model::{Action, Expr as Typed, NodeId, Op, Place, ProcId, Type, VarRef};
use recurva_syntax::{Diagnostic, Span, did_you_mean};

use super::{
    assign::Step,
    ast::{Head, Module, Shape, Target, Value},
    body::Builder,
    expr::check::{Wanted, convert},
    scope::Found,
};
use crate::{
    condition::all_of,
    count::{count, count_are},
    expr::check::For,
    names::Name,
    token::clip,
};

/// The variable that a result goes to.
struct Receiver {
    variable: VarRef,
    ty: Type,
    /// The length of the array and where it is declared.
    array: Option<(u32, Span)>,
}

/// A result that is stored once the call has returned.
struct Store {
    target: Target,
    receiver: Receiver,
    from: Type,
    temporary: u32,
}

impl<'a> Builder<'_, 'a> {
    pub(crate) fn call(
        &mut self,
        target: Option<&Target>,
        callee: Name,
        arguments: &[Value],
        (at, next): (NodeId, NodeId),
        place: Span,
    ) {
        let Some((id, head)) = self.callee(callee) else {
            for argument in arguments {
                if let Value::Expr(expr) = argument {
                    self.checker(&[]).anything(expr);
                }
            }
            return;
        };
        let mut step = Step::default();
        let arguments = self.arguments(callee, head, arguments, &mut step);
        let results = match target {
            None => {
                let shape = head.result.map(|shape| self.shared.structs.scalars(shape));
                Some((vec![None; shape.map_or(0, |types| types.len())], Vec::new()))
            }
            Some(target) => self.results(callee, head, target),
        };
        let (Some(arguments), Some((results, stores))) = (arguments, results) else {
            return;
        };
        let action = Action::Call {
            callee: id,
            arguments,
            results,
        };
        let guard = all_of(step.guard);
        if stores.is_empty() {
            self.flow.fall(next);
            return self.flow.edge((at, next), guard, action, place);
        }
        let stored = self.flow.node(place);
        self.flow.edge((at, stored), guard, action, place);
        self.store(&stores, (stored, next), place);
    }

    fn callee(&mut self, name: Name) -> Option<(ProcId, &'a Head)> {
        let shared = self.shared;
        if let Some(index) = shared.module_table.get(name.id) {
            let modules: &'a [Module] = shared.modules;
            return Some((ProcId(index), &modules.get(index as usize)?.head));
        }
        let text = shared.names.text(name.id);
        self.diagnostics.report(|| {
            let modules = shared.module_table.names().iter();
            let words = ["skip", "return", "goto"];
            let known = modules.map(|&id| shared.names.text(id)).chain(words);
            Diagnostic::error(format!("there is no module `{}`", clip(text)), name.span)
                .help_if(did_you_mean(text, known))
        });
        None
    }

    fn arguments(
        &mut self,
        callee: Name,
        head: &Head,
        arguments: &[Value],
        step: &mut Step,
    ) -> Option<Vec<Typed>> {
        if arguments.len() != head.parameters.len() {
            let text = clip(self.shared.names.text(callee.id));
            self.diagnostics.report(|| {
                let takes = match head.parameters.len() {
                    0 => "no arguments".to_owned(),
                    n => count(n, "argument"),
                };
                let given = count_are(arguments.len(), "argument");
                let message = format!("`{text}` takes {takes}, but {given} given");
                Diagnostic::error(message, callee.span)
                    .note(head.span, format!("`{text}` is declared here"))
            });
            return None;
        }
        let mut values = Some(Vec::new());
        for (argument, parameter) in arguments.iter().zip(&head.parameters) {
            let name = clip(self.shared.names.text(parameter.name.id));
            let Some(parts) = self.spread(argument, parameter.shape, &[]) else {
                values = None;
                continue;
            };
            let types = self.shared.structs.scalars(parameter.shape);
            for (part, ty) in parts.iter().zip(types) {
                let wanted = Wanted {
                    ty,
                    of: For::Parameter(&name),
                    declared: parameter.name.span,
                };
                match (self.scalar(part, wanted, &[], step), &mut values) {
                    (Some(value), Some(list)) => list.push(value),
                    _ => values = None,
                }
            }
        }
        values
    }

    /// Where results go: variables, or hidden ones from which they are stored later.
    fn results(
        &mut self,
        callee: Name,
        head: &Head,
        target: &Target,
    ) -> Option<(Vec<Option<VarRef>>, Vec<Store>)> {
        let Some(shape) = head.result else {
            let text = clip(self.shared.names.text(callee.id));
            self.diagnostics.report(|| {
                Diagnostic::error(format!("`{text}` has no result"), callee.span)
                    .note(head.span, format!("`{text}` is declared here"))
            });
            return None;
        };
        let targets = match shape {
            Shape::Scalar(_) => vec![target.clone()],
            Shape::Struct(id) => self.target_fields(target, id)?,
        };
        let types = self.shared.structs.scalars(shape);
        let mut results = Vec::with_capacity(targets.len());
        let mut stores: Vec<Store> = Vec::new();
        for (target, from) in targets.into_iter().zip(types) {
            let found = self.find(target.reference, &[])?;
            let receiver = self.receiver(&target, found, from, head)?;
            if receiver.ty == from && receiver.array.is_none() {
                results.push(Some(receiver.variable));
                continue;
            }
            let in_use = |local: u32| stores.iter().any(|store| store.temporary == local);
            let temporary = self.temporaries.take(from, in_use, &mut self.locals);
            results.push(Some(VarRef::Local(temporary)));
            stores.push(Store {
                target,
                receiver,
                from,
                temporary,
            });
        }
        Some((results, stores))
    }

    /// The fields of a target that receives a struct.
    fn target_fields(&mut self, target: &Target, id: u32) -> Option<Vec<Target>> {
        let found = self.find(target.reference, &[])?;
        let structure = self.shared.structs.get(id);
        let fits = match found {
            Found::Struct { id: own, len, .. } => {
                own == id && len.is_some() == target.index.is_some()
            }
            Found::Variable { .. } => false,
        };
        if !fits {
            let name = clip(self.shared.names.text(structure.name.id));
            self.diagnostics.report(|| {
                let message = format!("the result is a `struct {name}`, this is not");
                Diagnostic::error(message, target.span).note(structure.name.span, "declared here")
            });
            return None;
        }
        let fields = structure.fields.iter().map(|field| {
            let mut target = target.clone();
            target.reference.field = Some(Name {
                id: field.name.id,
                span: target.span,
            });
            target
        });
        Some(fields.collect())
    }

    /// The scalar or the array that a result goes to.
    fn receiver(
        &mut self,
        target: &Target,
        found: Found,
        from: Type,
        head: &Head,
    ) -> Option<Receiver> {
        if let Found::Variable {
            variable,
            ty,
            len,
            declared,
        } = found
            && len.is_some() == target.index.is_some()
            && (ty == Type::Bool) == (from == Type::Bool)
        {
            return Some(Receiver {
                variable,
                ty,
                array: len.map(|len| (len, declared)),
            });
        }
        let text = clip(self.shared.source.slice(target.span));
        let (Found::Variable { declared, .. } | Found::Struct { declared, .. }) = found;
        self.diagnostics.report(|| {
            let message = format!("`{text}` cannot receive a result of type {from}");
            Diagnostic::error(message, target.span)
                .note(declared, "declared here")
                .note(head.result_span, "the result is declared here")
        });
        None
    }

    /// Stores results, and forgets the hidden variables they came in.
    fn store(&mut self, stores: &[Store], (at, next): (NodeId, NodeId), place: Span) {
        let mut step = Step::default();
        for store in stores {
            let receiver = &store.receiver;
            let temporary = VarRef::Local(store.temporary);
            let destination = match (receiver.array, &store.target.index) {
                (Some(array), Some(index)) => {
                    let Some(ops) = self.checker(&[]).index(index, array) else {
                        continue;
                    };
                    Place::Element(receiver.variable, Typed::new(ops))
                }
                _ => Place::Scalar(receiver.variable),
            };
            let value = convert(vec![Op::Read(temporary)], store.from, receiver.ty);
            let value = step.fitted(value);
            step.assigns.push((destination, value));
            // A value that lingers would tell states apart that are the same.
            let zero = Typed::constant(0, store.from);
            step.assigns.push((Place::Scalar(temporary), zero));
        }
        let (guard, action) = step.finish();
        self.flow.fall(next);
        self.flow.edge((at, next), guard, action, place);
    }
}
