//! Which event a step of a program fires.

use recurva_model::{Expr, Op, Place, ProcId, Program, Type, VarRef};
use recurva_syntax::{Diagnostic, Diagnostics, did_you_mean};

use crate::lang::{Arguments, Operand, OperandKind, Pattern, PatternKind};

use super::syntax::{Expression, Item};

/// An operand of a pattern, on a model.
#[derive(Clone, Debug)]
pub(super) enum Wanted {
    Any,
    Bind(u32),
    Number(i128),
    Name(Box<str>),
}

/// A pattern, on a model.
#[derive(Clone, Debug)]
pub(super) struct Matcher {
    target: Option<Wanted>,
    kind: Wants,
}

#[derive(Clone, Debug)]
enum Wants {
    Call(Box<str>, Option<Vec<Wanted>>),
    Assign(Wanted),
}

/// What a pattern variable stands for at a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The argument of a call, or the value of an assignment: an expression before the step.
    Value(Expr, Type),
    /// What is assigned to.
    Target(Place, Type),
}

/// Where a step is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Here<'p> {
    pub(super) program: &'p Program,
    pub(super) procedure: ProcId,
}

impl Matcher {
    /// A pattern for a program. What a model cannot have is reported.
    pub(super) fn new(
        pattern: &Pattern,
        program: &Program,
        read: impl Fn(&Operand, &mut Diagnostics) -> Option<Expression>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Self> {
        let mut wanted = |operand: &Operand| {
            Some(match &operand.kind {
                OperandKind::Any => Wanted::Any,
                OperandKind::Bind(number) => Wanted::Bind(*number),
                OperandKind::Expr(_) => {
                    let expression = read(operand, diagnostics)?;
                    match &expression.items[..] {
                        [(Item::Number(number), _)] => Wanted::Number(*number),
                        [(Item::Number(number), _), (Item::Negate, _)] => Wanted::Number(-number),
                        [(Item::Name(name), _)] => {
                            if !is_known(program, name) {
                                diagnostics.report(|| {
                                    let message = format!("the model has no variable `{name}`");
                                    Diagnostic::error(message, operand.span)
                                        .help_if(did_you_mean(name, variables(program)))
                                });
                                return None;
                            }
                            Wanted::Name(name.clone())
                        }
                        _ => {
                            diagnostics.report(|| {
                                Diagnostic::error(
                                    "on a model this operand of a pattern is not known",
                                    operand.span,
                                )
                                .help("use `$1`, `$?`, a number or the name of a variable")
                            });
                            return None;
                        }
                    }
                }
            })
        };
        let target = match &pattern.target {
            Some(target) => Some(wanted(target)?),
            None => None,
        };
        let kind = match &pattern.kind {
            PatternKind::Assign { value } => Wants::Assign(wanted(value)?),
            PatternKind::Call { callee, arguments } => {
                let arguments = match arguments {
                    Arguments::Any => None,
                    Arguments::List(list) => Some(list.iter().map(wanted).collect::<Option<_>>()?),
                };
                Wants::Call(callee.text.clone(), arguments)
            }
        };
        Some(Matcher { target, kind })
    }

    /// What a call binds, if it matches: the callee's name and results, the arguments.
    pub(super) fn call(
        &self,
        here: Here<'_>,
        callee: ProcId,
        arguments: &[Expr],
        results: &[Option<VarRef>],
    ) -> Option<Vec<(u32, Bound)>> {
        let Wants::Call(name, wanted) = &self.kind else {
            return None;
        };
        let callee = here.program.procedure(callee);
        if callee.name != *name {
            return None;
        }
        let mut bound = Vec::new();
        let stored = results.first().copied().flatten();
        match (&self.target, stored) {
            (None | Some(Wanted::Any), _) => {}
            (Some(_), None) => return None,
            (Some(wanted), Some(variable)) => {
                let ty = here.program.variable(here.procedure, variable).ty;
                let place = Bound::Target(Place::Scalar(variable), ty);
                here.operand(wanted, &place, &mut bound)?;
            }
        }
        let Some(wanted) = wanted else {
            return Some(bound);
        };
        if wanted.len() != arguments.len() {
            return None;
        }
        for ((wanted, argument), parameter) in wanted.iter().zip(arguments).zip(&callee.locals) {
            let value = Bound::Value(argument.clone(), parameter.ty);
            here.operand(wanted, &value, &mut bound)?;
        }
        Some(bound)
    }

    /// What an assignment binds, if it matches.
    pub(super) fn assignment(
        &self,
        here: Here<'_>,
        place: &Place,
        value: &Expr,
    ) -> Option<Vec<(u32, Bound)>> {
        let Wants::Assign(wanted) = &self.kind else {
            return None;
        };
        let ty = here.program.variable(here.procedure, place.variable()).ty;
        let mut bound = Vec::new();
        if let Some(target) = &self.target {
            let place = Bound::Target(place.clone(), ty);
            here.operand(target, &place, &mut bound)?;
        }
        here.operand(wanted, &Bound::Value(value.clone(), ty), &mut bound)?;
        Some(bound)
    }
}

impl Here<'_> {
    fn operand(self, wanted: &Wanted, found: &Bound, bound: &mut Vec<(u32, Bound)>) -> Option<()> {
        let matches = match wanted {
            Wanted::Any => true,
            Wanted::Bind(number) => {
                let first = bound.iter().find(|(other, _)| other == number);
                let same = first.is_none_or(|(_, first)| same(first, found));
                // Of a target and a value of the same name the value is kept: both are the same
                // variable, and the value is what it was before the step.
                bound.retain(|(other, kept)| other != number || !matches!(kept, Bound::Target(..)));
                if !bound.iter().any(|(other, _)| other == number) {
                    bound.push((*number, found.clone()));
                }
                same
            }
            Wanted::Number(number) => match found {
                Bound::Value(expr, _) => match expr.ops() {
                    [Op::Const(value, ty)] => ty.to_number(*value) == *number,
                    _ => false,
                },
                Bound::Target(..) => false,
            },
            Wanted::Name(name) => found_variable(found).is_some_and(|variable| {
                let variable = self.program.variable(self.procedure, variable);
                !variable.hidden && variable.name == *name
            }),
        };
        matches.then_some(())
    }
}

/// The scalar variable that an operand is.
fn found_variable(bound: &Bound) -> Option<VarRef> {
    match bound {
        Bound::Value(expr, _) => expr.as_read(),
        Bound::Target(Place::Scalar(variable), _) => Some(*variable),
        Bound::Target(Place::Element(..), _) => None,
    }
}

fn same(left: &Bound, right: &Bound) -> bool {
    match (found_variable(left), found_variable(right)) {
        (Some(left), Some(right)) => left == right,
        _ => left == right,
    }
}

/// All variables of a program that a user sees.
fn variables(program: &Program) -> impl Iterator<Item = &str> {
    let locals = program.procedures().iter().flat_map(|it| &it.locals);
    let all = program.globals().iter().chain(locals);
    all.filter(|it| !it.hidden).map(|it| &*it.name)
}

fn is_known(program: &Program, name: &str) -> bool {
    variables(program).any(|it| it == name)
}
