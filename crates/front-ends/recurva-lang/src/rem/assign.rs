//! From syntax to the model: assignments.

use recurva_model::{Action, Expr as Typed, NodeId, Op, Place, VarRef};
use recurva_syntax::{Diagnostic, Diagnostics, Span};
use rustc_hash::FxHashMap;

use super::{
    ast::{Assign, Shape, Target, Value},
    body::Builder,
    expr::{
        Expr, Item, Quantifier, Reference, What,
        check::{Fitted, Wanted},
    },
    scope::Found,
};
use crate::{
    condition::{all_of, join_and},
    expr::check::For,
    names::{Name, NameId},
    token::clip,
};

/// How many places one statement may write to.
const MOST_WRITES: u64 = 1 << 16;

/// A step under construction: what is written, and when it is possible.
#[derive(Default)]
pub(crate) struct Step {
    pub(crate) assigns: Vec<(Place, Typed)>,
    pub(crate) guard: Vec<Op>,
    choices: u32,
    written: FxHashMap<VarRef, Span>,
}

impl Step {
    /// Any value of a type.
    pub(crate) fn any(&mut self, ty: recurva_model::Type) -> Vec<Op> {
        self.choices += 1;
        vec![Op::Any(ty, self.choices - 1)]
    }

    /// A value that must fit.
    pub(crate) fn fitted(&mut self, fitted: Fitted) -> Typed {
        join_and(&mut self.guard, fitted.fits);
        Typed::new(fitted.value)
    }

    /// The guard and the action of the edge.
    pub(crate) fn finish(self) -> (Typed, Action) {
        let action = Action::Assign {
            assigns: self.assigns,
            constraint: None,
        };
        (all_of(self.guard), action)
    }

    /// Reports a variable that one statement writes twice.
    fn written_once(
        &mut self,
        variable: VarRef,
        place: Span,
        name: &str,
        diagnostics: &mut Diagnostics,
    ) -> Option<()> {
        let Some(first) = self.written.insert(variable, place) else {
            return Some(());
        };
        diagnostics.report(|| {
            let message = format!("`{name}` is assigned twice in one assignment");
            let error = Diagnostic::error(message, place);
            match first == place {
                true => error.label("once for each value of the quantifier"),
                false => error
                    .label("assigned again here")
                    .note(first, "first assigned here"),
            }
        });
        None
    }
}

impl Builder<'_, '_> {
    pub(crate) fn assignment(
        &mut self,
        list: &[Assign],
        (at, next): (NodeId, NodeId),
        place: Span,
    ) {
        let mut step = Step::default();
        for assign in list {
            self.quantified(assign, &mut step);
        }
        let (guard, action) = step.finish();
        self.flow.fall(next);
        self.flow.edge((at, next), guard, action, place);
    }

    /// An assignment for all values of the quantifiers before it.
    fn quantified(&mut self, assign: &Assign, step: &mut Step) -> Option<()> {
        let Assign { all, target, value } = assign;
        let counts = all.iter().map(Quantifier::count);
        let count = counts.fold(1, u64::saturating_mul);
        self.room(count, target.span, step)?;
        let mut fixed: Vec<(NameId, i64)> = all.iter().map(|q| (q.name, q.low)).collect();
        for _ in 0..count {
            // What is wrong for one value is not reported again for the next.
            self.assign(target, value, &fixed, step)?;
            for (place, quantifier) in fixed.iter_mut().zip(all).rev() {
                if place.1 < quantifier.high {
                    place.1 += 1;
                    break;
                }
                place.1 = quantifier.low;
            }
        }
        Some(())
    }

    /// Reports a statement that writes to too many places.
    fn room(&mut self, more: u64, place: Span, step: &Step) -> Option<()> {
        if more.saturating_add(step.assigns.len() as u64) <= MOST_WRITES {
            return Some(());
        }
        self.diagnostics.report(|| {
            Diagnostic::error("this statement assigns to too many places", place)
                .help(format!("one statement writes at most {MOST_WRITES} values"))
        });
        None
    }

    fn assign(
        &mut self,
        target: &Target,
        value: &Value,
        fixed: &[(NameId, i64)],
        step: &mut Step,
    ) -> Option<()> {
        let Some(found) = self.find(target.reference, fixed) else {
            // The value may have its own errors.
            if let Value::Expr(expr) = value {
                self.checker(fixed).anything(expr);
            }
            return None;
        };
        match (found, &target.index) {
            (Found::Variable { len: None, .. } | Found::Struct { len: None, .. }, Some(_)) => {
                self.not_an_array(target, found)
            }
            (Found::Struct { id, len, .. }, index) => {
                let whole = len.filter(|_| index.is_none());
                let values = self.fields(value, id, whole, fixed)?;
                let structure = self.shared.structs.get(id);
                for (field, value) in structure.fields.iter().zip(&values) {
                    let mut target = target.clone();
                    target.reference.field = Some(field_at(field.name, target.span));
                    self.assign(&target, value, fixed, step)?;
                }
                Some(())
            }
            (Found::Variable { len: Some(len), .. }, None) => {
                self.room(u64::from(len), target.span, step)?;
                let value_base = self.whole_array(value, found, fixed)?;
                for index in 0..i64::from(len) {
                    let mut target = target.clone();
                    target.index = Some(number(index, target.span));
                    let value = match value_base {
                        None => Value::Undef,
                        Some((base, span)) => Value::Expr(element(base, index, span)),
                    };
                    self.assign(&target, &value, fixed, step)?;
                }
                Some(())
            }
            (
                Found::Variable {
                    variable,
                    ty,
                    len,
                    declared,
                },
                index,
            ) => {
                let name = clip(self.shared.source.slice(target.span));
                let place = match (index, len) {
                    (Some(index), Some(len)) => {
                        let ops = self.checker(fixed).index(index, (len, declared))?;
                        Place::Element(variable, Typed::new(ops))
                    }
                    _ => {
                        step.written_once(variable, target.span, &name, self.diagnostics)?;
                        Place::Scalar(variable)
                    }
                };
                let wanted = Wanted {
                    ty,
                    of: For::Variable(&name),
                    declared,
                };
                self.write(place, value, wanted, fixed, step)
            }
        }
    }

    /// Adds the write of a scalar.
    pub(crate) fn write(
        &mut self,
        place: Place,
        value: &Value,
        wanted: Wanted<'_>,
        fixed: &[(NameId, i64)],
        step: &mut Step,
    ) -> Option<()> {
        let value = self.scalar(value, wanted, fixed, step)?;
        step.assigns.push((place, value));
        Some(())
    }

    /// The value of a scalar.
    pub(crate) fn scalar(
        &mut self,
        value: &Value,
        wanted: Wanted<'_>,
        fixed: &[(NameId, i64)],
        step: &mut Step,
    ) -> Option<Typed> {
        match value {
            Value::Undef => Some(Typed::new(step.any(wanted.ty))),
            Value::Expr(expr) => {
                let fitted = self.checker(fixed).value(expr, wanted)?;
                Some(step.fitted(fitted))
            }
        }
    }

    pub(crate) fn find(&mut self, reference: Reference, fixed: &[(NameId, i64)]) -> Option<Found> {
        let checker = self.checker(fixed);
        checker.scope.find(reference, checker.diagnostics)
    }

    /// The parts of a value for something of a shape.
    pub(crate) fn spread(
        &mut self,
        value: &Value,
        shape: Shape,
        fixed: &[(NameId, i64)],
    ) -> Option<Vec<Value>> {
        match shape {
            Shape::Scalar(_) => Some(vec![value.clone()]),
            Shape::Struct(id) => self.fields(value, id, None, fixed),
        }
    }

    /// The fields of a struct, or of a whole array of structs of a length.
    fn fields(
        &mut self,
        value: &Value,
        id: u32,
        whole: Option<u32>,
        fixed: &[(NameId, i64)],
    ) -> Option<Vec<Value>> {
        let structure = self.shared.structs.get(id);
        let Value::Expr(expr) = value else {
            return Some(vec![Value::Undef; structure.fields.len()]);
        };
        let found = match bare(expr) {
            Some((base, _)) => self.find(base, fixed)?,
            None => return self.not_that(expr, id, whole),
        };
        let fits = match (found, bare(expr)?.1) {
            (Found::Struct { id: own, len, .. }, false) => own == id && len == whole,
            (Found::Struct { id: own, len, .. }, true) => {
                own == id && len.is_some() && whole.is_none()
            }
            _ => false,
        };
        if !fits {
            return self.not_that(expr, id, whole);
        }
        let field = |field: &super::ast::Declaration| {
            let mut expr = expr.clone();
            if let Some(Item {
                what: What::Leaf(reference) | What::Element(reference),
                span,
            }) = expr.items.last_mut()
            {
                reference.field = Some(field_at(field.name, *span));
            }
            Value::Expr(expr)
        };
        Some(structure.fields.iter().map(field).collect())
    }

    /// The array that a value for a whole array names; `None` inside for `undef`.
    fn whole_array(
        &mut self,
        value: &Value,
        target: Found,
        fixed: &[(NameId, i64)],
    ) -> Option<Option<(Reference, Span)>> {
        let Value::Expr(expr) = value else {
            return Some(None);
        };
        let found = match bare(expr) {
            Some((base, false)) => Some((base, self.find(base, fixed)?)),
            _ => None,
        };
        let Found::Variable {
            ty, len, declared, ..
        } = target
        else {
            return None;
        };
        if let Some((base, Found::Variable { ty: t, len: l, .. })) = found
            && (t, l) == (ty, len)
        {
            return Some(Some((base, expr.span)));
        }
        let len = len.unwrap_or(1);
        self.diagnostics.report(|| {
            Diagnostic::error(
                "only an array of that kind can be assigned to an array",
                expr.span,
            )
            .label(format!("expected an array of {len} elements of type {ty}"))
            .note(declared, "declared here")
            .help("name an element of the array on the left, or assign `undef` to all")
        });
        None
    }

    fn not_that<T>(&mut self, expr: &Expr, id: u32, whole: Option<u32>) -> Option<T> {
        let structure = self.shared.structs.get(id);
        let name = clip(self.shared.names.text(structure.name.id));
        self.diagnostics.report(|| {
            let what = match whole {
                None => format!("a `struct {name}`"),
                Some(len) => format!("an array of {len} elements of type `struct {name}`"),
            };
            Diagnostic::error(format!("this is not {what}"), expr.span)
                .note(structure.name.span, "declared here")
        });
        None
    }

    fn not_an_array(&mut self, target: &Target, found: Found) -> Option<()> {
        let text = clip(self.shared.source.slice(target.reference.base.span));
        let (Found::Variable { declared, .. } | Found::Struct { declared, .. }) = found;
        self.diagnostics.report(|| {
            Diagnostic::error(format!("`{text}` is not an array"), target.span)
                .note(declared, "declared here")
        });
        None
    }
}

/// The reference that an expression consists of, and whether it has an index.
fn bare(expr: &Expr) -> Option<(Reference, bool)> {
    let (what, rest) = expr.items.split_last()?;
    match what.what {
        What::Leaf(reference) if rest.is_empty() => Some((reference, false)),
        What::Element(reference) => Some((reference, true)),
        _ => None,
    }
}

fn field_at(field: Name, span: Span) -> Name {
    Name { id: field.id, span }
}

fn number(value: i64, span: Span) -> Expr {
    let what = What::Number(value);
    Expr {
        items: Box::new([Item { what, span }]),
        span,
    }
}

/// An element of an array.
fn element(base: Reference, index: i64, span: Span) -> Expr {
    let item = |what| Item { what, span };
    Expr {
        items: Box::new([item(What::Number(index)), item(What::Element(base))]),
        span,
    }
}
