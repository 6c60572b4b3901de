//! Steps of a program with the code of events around them.

use recurva_model::{Action, Edge, Expr, NodeId, Op, Origin, Place, Program, Type, VarRef};
use rustc_hash::FxHashMap;

use super::{
    body::{Body, Site},
    matching::{Bound, Here, Matcher},
    prepare::Prepared,
};

/// The events, with their patterns.
pub(super) struct Events<'e> {
    pub(super) list: &'e [(Prepared<'e>, Matcher)],
    /// How many steps each of them matched.
    pub(super) matched: Vec<usize>,
}

/// An event that a step fires, and what its pattern variables stand for.
type Fired = (usize, Vec<(u32, Bound)>);

impl Events<'_> {
    /// Puts an edge into a procedure, with the code of the events that it fires around it.
    pub(super) fn weave(&mut self, body: &mut Body<'_>, here: Here<'_>, edge: &Edge) -> Option<()> {
        match &edge.action {
            Action::Call {
                callee,
                arguments,
                results,
            } => {
                let fired = self.first(|it| it.call(here, *callee, arguments, results));
                match fired.filter(|(index, _)| self.list[*index].0.acts()) {
                    Some(fired) => self.call(body, edge, &fired),
                    None => keep(body, edge),
                }
            }
            Action::Assign { assigns, .. } => {
                let mut all = Vec::new();
                for (position, (place, value)) in assigns.iter().enumerate() {
                    if is_made_up(here, place, value) {
                        continue;
                    }
                    let fired = self.first(|it| it.assignment(here, place, value));
                    let fired = fired.filter(|(index, _)| self.list[*index].0.acts());
                    all.extend(fired.map(|fired| (position, fired)));
                }
                match all.is_empty() {
                    true => keep(body, edge),
                    false => self.assignment(body, edge, &all),
                }
            }
        }
    }

    /// The first event that matches; it is counted.
    fn first(&mut self, bound: impl Fn(&Matcher) -> Option<Vec<(u32, Bound)>>) -> Option<Fired> {
        let mut events = self.list.iter().enumerate();
        let (index, bound) =
            events.find_map(|(index, (_, matcher))| Some((index, bound(matcher)?)))?;
        self.matched[index] += 1;
        Some((index, bound))
    }

    fn call(&self, body: &mut Body<'_>, edge: &Edge, (index, bound): &Fired) -> Option<()> {
        let Action::Call {
            callee,
            arguments,
            results,
        } = &edge.action
        else {
            return None;
        };
        let event = &self.list[*index].0;
        let mut site = Site {
            event,
            index: *index,
            instance: 0,
            bound: FxHashMap::default(),
        };
        let mut first = Vec::new();
        for (number, bound) in bound {
            let meaning = match bound {
                Bound::Target(place, ty) => (place_read(place), *ty),
                Bound::Value(expr, ty) if event.used.contains(number) => {
                    let local = body.named_local(format!("${number}"), *ty, false);
                    first.push((Place::Scalar(local), expr.clone()));
                    (Expr::read(local), *ty)
                }
                Bound::Value(..) => continue,
            };
            site.bound.insert(*number, meaning);
        }
        // What chooses or may fault is evaluated once, with the guard.
        let mut passed = Vec::with_capacity(arguments.len());
        for (position, argument) in arguments.iter().enumerate() {
            let kept = first.iter().find(|(_, value)| value == argument);
            passed.push(match kept {
                Some((place, _)) => Expr::read(place.variable()),
                None if is_plain(argument) => argument.clone(),
                None => {
                    let ty = type_of(body, argument);
                    let local = body.named_local(format!("#argument {position}"), ty, true);
                    first.push((Place::Scalar(local), argument.clone()));
                    Expr::read(local)
                }
            });
        }
        first.extend(body.forget(&site, edge.choices().len()));
        let start = body.node(edge.origin);
        let assign = assigning(first);
        body.edge(
            edge.from,
            start,
            edge.guard.clone(),
            assign,
            Origin::default(),
        );
        let ready = body.before(&site, start)?;
        let call = Action::Call {
            callee: *callee,
            arguments: passed,
            results: results.clone(),
        };
        let returned = body.node(edge.origin);
        body.edge(ready, returned, Expr::truth(), call, edge.origin);
        let end = body.after(&site, returned)?;
        body.edge(
            end,
            edge.to,
            Expr::truth(),
            Action::skip(),
            Origin::default(),
        );
        Some(())
    }

    /// An assignment of one or more values at once: all that comes before, the step, all that
    /// comes after, in the order of the assigned variables.
    fn assignment(&self, body: &mut Body<'_>, edge: &Edge, fired: &[(usize, Fired)]) -> Option<()> {
        let Action::Assign {
            assigns,
            constraint,
        } = &edge.action
        else {
            return None;
        };
        let split = fired.iter().any(|(_, it)| self.list[it.0].0.acts_before());
        let mut first = Vec::new();
        let (mut step, mut constraint) = (assigns.clone(), constraint.clone());
        let mut sites = Vec::new();
        for (position, (index, bound)) in fired {
            let event = &self.list[*index].0;
            let mut site = Site {
                event,
                index: *index,
                instance: *position,
                bound: FxHashMap::default(),
            };
            for (number, bound) in bound {
                if !event.used.contains(number) {
                    continue;
                }
                let (expr, ty) = match bound {
                    Bound::Value(expr, ty) => {
                        // Several events may fire at once, each with variables of its own.
                        let name = match fired.len() {
                            1 => format!("${number}"),
                            _ => format!("${number} of {}", position + 1),
                        };
                        let local = body.named_local(name, *ty, false);
                        first.push((Place::Scalar(local), expr.clone()));
                        (Expr::read(local), *ty)
                    }
                    Bound::Target(Place::Element(array, at), ty) => {
                        let wide = type_of(body, at);
                        let local = body.named_local(format!("#index {position}"), wide, true);
                        first.push((Place::Scalar(local), at.clone()));
                        (Expr::read(local).then(Op::Index(*array)), *ty)
                    }
                    Bound::Target(place, ty) => (place_read(place), *ty),
                };
                site.bound.insert(*number, (expr, ty));
            }
            first.extend(body.forget(&site, edge.choices().len()));
            sites.push(site);
        }
        number_choices(&mut first, edge.choices().len());
        let (mut at, next) = (edge.from, body.node(edge.origin));
        if split {
            // What chooses or may fault is evaluated once, with the guard: where the step is not
            // possible, nothing comes before it.
            for (position, (place, value)) in step.iter_mut().enumerate() {
                if let Place::Element(array, index) = place {
                    if !is_plain(index) {
                        *index = once(body, &mut first, format!("#index {position}"), index);
                    }
                    let element = index.clone().then(Op::Index(*array));
                    once(body, &mut first, format!("#element {position}"), &element);
                }
                if !is_plain(value) {
                    *value = once(body, &mut first, format!("#value {position}"), value);
                }
            }
            let early = constraint.take_if(|it| can_move(it, &step));
            let early = early.map(|it| move_constraint(body, &it, &step, &mut first));
            let start = body.node(edge.origin);
            let action = Action::Assign {
                assigns: first,
                constraint: early,
            };
            body.edge(at, start, edge.guard.clone(), action, Origin::default());
            at = start;
            for site in &sites {
                at = body.before(site, at)?;
            }
        } else {
            step.extend(first);
        }
        let guard = match split {
            true => Expr::truth(),
            false => edge.guard.clone(),
        };
        let action = Action::Assign {
            assigns: step,
            constraint,
        };
        body.edge(at, next, guard, action, edge.origin);
        let mut at = next;
        for site in &sites {
            at = body.after(site, at)?;
        }
        body.edge(
            at,
            edge.to,
            Expr::truth(),
            Action::skip(),
            Origin::default(),
        );
        Some(())
    }
}

fn keep(body: &mut Body<'_>, edge: &Edge) -> Option<()> {
    body.procedure.edges.push(edge.clone());
    Some(())
}

/// A value that is computed before the step and kept.
fn once(body: &mut Body<'_>, first: &mut Vec<(Place, Expr)>, name: String, value: &Expr) -> Expr {
    if let Some((place, _)) = first.iter().find(|(_, other)| other == value) {
        return Expr::read(place.variable());
    }
    let ty = type_of(body, value);
    let local = body.named_local(name, ty, true);
    first.push((Place::Scalar(local), value.clone()));
    Expr::read(local)
}

/// Whether a constraint can be checked before its step.
fn can_move(constraint: &Expr, step: &[(Place, Expr)]) -> bool {
    let scalars = step
        .iter()
        .all(|(place, _)| matches!(place, Place::Scalar(_)));
    let mut ops = constraint.ops().iter();
    scalars && !ops.any(|op| matches!(op, Op::IndexNext(_)))
}

/// A constraint that is checked before its step, by the values that the step will store.
fn move_constraint(
    body: &mut Body<'_>,
    constraint: &Expr,
    step: &[(Place, Expr)],
    first: &mut Vec<(Place, Expr)>,
) -> Expr {
    let ops = constraint.ops().iter().map(|op| {
        let Op::ReadNext(variable) = *op else {
            return *op;
        };
        let stored = |(place, _): &&(Place, Expr)| place.variable() == variable;
        let Some((_, value)) = step.iter().rfind(stored) else {
            return Op::Read(variable);
        };
        // It was computed with the guard, or is computed now.
        let kept = first
            .iter()
            .find(|(place, other)| Some(place.variable()) == value.as_read() || other == value);
        Op::ReadNext(match kept {
            Some((place, _)) => place.variable(),
            None => {
                let ty = type_of(body, value);
                let local = body.named_local(format!("#next {variable:?}"), ty, true);
                first.push((Place::Scalar(local), value.clone()));
                local
            }
        })
    });
    Expr::new(ops.collect::<Vec<Op>>())
}

/// Gives the choices that were added to an edge numbers that follow its own.
fn number_choices(assigns: &mut [(Place, Expr)], own: usize) {
    let mut next = own as u32;
    for (_, value) in assigns {
        if let [Op::Any(ty, choice)] = value.ops()
            && *choice >= own as u32
        {
            *value = Expr::new([Op::Any(*ty, next)]);
            next += 1;
        }
    }
}

fn assigning(assigns: Vec<(Place, Expr)>) -> Action {
    Action::Assign {
        assigns,
        constraint: None,
    }
}

/// Whether an assignment was made up by a translation: it moves the result of a call or of the
/// procedure itself.
fn is_made_up(here: Here<'_>, place: &Place, value: &Expr) -> bool {
    let hidden = |variable: VarRef| here.program.variable(here.procedure, variable).hidden;
    let mut ops = value.ops().iter();
    hidden(place.variable()) || ops.any(|op| matches!(op, Op::Read(variable) if hidden(*variable)))
}

/// Whether an expression can be evaluated again, later, with the same value.
fn is_plain(expr: &Expr) -> bool {
    !expr.can_fault() && !expr.ops().iter().any(|op| matches!(op, Op::Any(..)))
}

fn place_read(place: &Place) -> Expr {
    match place {
        Place::Scalar(variable) => Expr::read(*variable),
        Place::Element(array, index) => index.clone().then(Op::Index(*array)),
    }
}

fn type_of(body: &Body<'_>, expr: &Expr) -> Type {
    expr.type_with(|variable| match variable {
        VarRef::Global(index) => body.program_globals[index as usize].ty,
        VarRef::Local(index) => body.procedure.locals[index as usize].ty,
    })
}

/// Edges from the entry that give the monitor's variables their initial values.
pub(super) fn begin(body: &mut Body<'_>, program: &Program) {
    let first = program.globals().len();
    let initial = body.plan.initial.iter().zip(&body.plan.globals);
    let assigns = initial.enumerate().map(|(position, (&value, variable))| {
        let global = VarRef::Global((first + position) as u32);
        let value = Expr::constant(value, variable.ty.ty);
        (Place::Scalar(global), value)
    });
    let assigns: Vec<(Place, Expr)> = assigns.collect();
    if assigns.is_empty() {
        return;
    }
    let old = body.procedure.entry;
    let entry: NodeId = body.node(Origin::default());
    body.procedure.entry = entry;
    body.edge(
        entry,
        old,
        Expr::truth(),
        assigning(assigns),
        Origin::default(),
    );
}
