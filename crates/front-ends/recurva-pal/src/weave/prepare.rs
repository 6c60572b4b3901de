//! A monitor made ready for a model: its variables have types, its C has been read.

use recurva_model::Program;
use recurva_syntax::{Diagnostic, Diagnostics, Source, Span, Token};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::lang::{Decl, Event, Fragment, Kind, Monitor, Part};

use super::{
    Check,
    syntax::{Expression, Statement, expression, statements},
    types::{CType, Fit, Width, declared},
    value::{Meaning, Scope, bounds, value},
};

/// A variable of the monitor.
#[derive(Clone, Debug)]
pub(super) struct MonitorVariable {
    pub(super) name: Box<str>,
    pub(super) ty: CType,
    pub(super) place: Span,
    pub(super) initial: Option<Expression>,
}

/// A guard and an action that have been read.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) guard: Option<Expression>,
    pub(super) action: Vec<Statement>,
}

impl Code {
    pub(super) fn is_empty(&self) -> bool {
        self.guard.is_none() && self.action.is_empty()
    }
}

/// An event that has been read.
#[derive(Clone, Debug)]
pub(super) struct Prepared<'m> {
    pub(super) event: &'m Event,
    pub(super) locals: Vec<MonitorVariable>,
    pub(super) before: Code,
    pub(super) after: Code,
    /// The pattern variables that its code uses.
    pub(super) used: FxHashSet<u32>,
}

impl Prepared<'_> {
    /// Whether something is to be done before what it waits for.
    pub(super) fn acts_before(&self) -> bool {
        !self.before.is_empty() || self.locals.iter().any(|it| it.initial.is_some())
    }

    /// Whether it does anything at all.
    pub(super) fn acts(&self) -> bool {
        self.acts_before() || !self.after.is_empty()
    }
}

/// A monitor that has been read.
#[derive(Clone, Debug)]
pub(super) struct Plan<'m> {
    pub(super) globals: Vec<MonitorVariable>,
    /// The initial values of the globals.
    pub(super) initial: Vec<u64>,
    pub(super) constants: FxHashMap<Box<str>, i128>,
    pub(super) events: Vec<Prepared<'m>>,
    /// What can fail, by where it stands.
    pub(super) checks: Vec<Check>,
    pub(super) width: Width,
}

/// Reads all C of a monitor. What a model cannot have is reported.
pub(super) fn plan<'m>(
    source: &Source,
    monitor: &'m Monitor,
    program: &Program,
    diagnostics: &mut Diagnostics,
) -> Option<Plan<'m>> {
    let mut planner = Planner {
        source,
        width: Width::of(monitor, program, source),
        constants: FxHashMap::default(),
        checks: Vec::new(),
        diagnostics,
    };
    let globals = planner.variables(&monitor.globals);
    let initial = planner.initial(&globals);
    let events: Vec<Prepared<'m>> = monitor
        .events
        .iter()
        .map(|event| planner.event(event))
        .collect();
    let Planner {
        width,
        constants,
        checks,
        ..
    } = planner;
    (!diagnostics.has_errors()).then_some(Plan {
        globals,
        initial,
        constants,
        events,
        checks,
        width,
    })
}

struct Planner<'a> {
    source: &'a Source,
    width: Width,
    constants: FxHashMap<Box<str>, i128>,
    checks: Vec<Check>,
    diagnostics: &'a mut Diagnostics,
}

impl Planner<'_> {
    fn variables(&mut self, decls: &[Decl]) -> Vec<MonitorVariable> {
        let mut list = Vec::new();
        for decl in decls {
            let Some(declared) = declared(self.source, decl, self.width, self.diagnostics) else {
                continue;
            };
            self.enumerators(&declared.constants);
            for variable in &decl.variables {
                let initial = variable.initialiser.as_ref();
                let initial = initial.and_then(|it| self.read(it));
                list.push(MonitorVariable {
                    name: variable.name.text.clone(),
                    ty: declared.ty,
                    place: variable.name.span,
                    initial,
                });
            }
        }
        list
    }

    fn read(&mut self, fragment: &Fragment) -> Option<Expression> {
        expression(self.source, fragment, self.diagnostics)
    }

    fn enumerators(&mut self, list: &[(Span, Vec<Token<Kind>>)]) {
        let mut next = 0;
        for (place, tokens) in list {
            if let (Some(first), Some(last)) = (tokens.first(), tokens.last()) {
                let span = first.span.to(last.span);
                let fragment = Fragment {
                    pieces: Vec::new(),
                    span,
                };
                let Some(number) = self.read(&fragment).and_then(|it| self.constant(&it)) else {
                    return;
                };
                next = number;
            }
            let name: Box<str> = self.source.slice(*place).into();
            if self.constants.insert(name, next).is_some() {
                let (name, place) = (self.source.slice(*place), *place);
                self.diagnostics.report(|| {
                    let message = format!("there are two constants called `{name}`");
                    Diagnostic::error(message, place)
                });
            }
            next += 1;
        }
    }

    /// The value of an expression without variables.
    fn constant(&mut self, expression: &Expression) -> Option<i128> {
        let mut scope = Constants(&self.constants);
        let number = value(expression, &mut scope, self.diagnostics)?.evaluated();
        if number.is_none() {
            self.diagnostics.report(|| {
                Diagnostic::error("this value cannot be computed", expression.span)
                    .help("it divides by zero")
            });
        }
        number
    }

    /// The initial values of globals; 0 where none is given, as in C.
    fn initial(&mut self, globals: &[MonitorVariable]) -> Vec<u64> {
        let mut list = Vec::new();
        for variable in globals {
            let number = match &variable.initial {
                Some(expression) => self.constant(expression).unwrap_or(0),
                None => 0,
            };
            let ty = variable.ty.ty;
            let (least, most) = bounds(ty);
            let fits = (least..=most).contains(&number);
            if !fits && variable.ty.fit == Fit::Fail {
                let place = variable.place;
                self.diagnostics.report(|| {
                    Diagnostic::error("the initial value does not fit", place)
                        .help(format!("it is from {least} to {most}"))
                });
            }
            list.push(match ty {
                recurva_model::Type::Bool => u64::from(number != 0),
                _ => ty.wrap(number as u64),
            });
        }
        list
    }

    fn event<'m>(&mut self, event: &'m Event) -> Prepared<'m> {
        let locals = self.variables(&event.locals);
        let parts = [&event.before, &event.after];
        let fragments = parts.into_iter().flat_map(Part::fragments);
        let values = event.locals.iter().flat_map(|decl| &decl.variables);
        let values = values.filter_map(|it| it.initialiser.as_ref());
        let holes = fragments.chain(values).flat_map(Fragment::holes);
        let used = holes.filter_map(|(hole, _)| match hole {
            crate::lang::Hole::Variable(number) => Some(number),
            crate::lang::Hole::Any => None,
        });
        Prepared {
            event,
            locals,
            used: used.collect(),
            before: self.code(event, &event.before),
            after: self.code(event, &event.after),
        }
    }

    fn code(&mut self, event: &Event, part: &Part) -> Code {
        let guard = part.guard.as_ref().and_then(|it| self.read(it));
        if let Some(guard) = &guard {
            self.check("guard", event, guard.span);
        }
        let action = part.action.as_ref();
        let action = action.and_then(|it| statements(self.source, it, self.diagnostics));
        let action = action.unwrap_or_default();
        self.assertions(event, &action);
        Code { guard, action }
    }

    /// Statements are nested less deep than would matter.
    fn assertions(&mut self, event: &Event, list: &[Statement]) {
        for statement in list {
            match statement {
                Statement::Assign { .. } => {}
                Statement::If {
                    then, otherwise, ..
                } => {
                    self.assertions(event, then);
                    self.assertions(event, otherwise);
                }
                Statement::While { body, .. } => self.assertions(event, body),
                Statement::Assert { span, .. } => self.check("assertion", event, *span),
            }
        }
    }

    fn check(&mut self, what: &str, event: &Event, place: Span) {
        let (line, _) = self.source.line_column(place.start);
        let name = format!("{what} of {}", event.title());
        self.checks.push(Check {
            title: format!("{name} ({}:{line})", self.source.name()),
            name,
            place,
            points: Vec::new(),
        });
    }
}

/// A scope without variables.
struct Constants<'a>(&'a FxHashMap<Box<str>, i128>);

impl Scope for Constants<'_> {
    fn name(&mut self, name: &str, place: Span, diagnostics: &mut Diagnostics) -> Option<Meaning> {
        let found = self.0.get(name).copied();
        if found.is_none() {
            diagnostics.report(|| {
                let message = format!("`{name}` is no constant");
                Diagnostic::error(message, place).help("the value has to be known at the start")
            });
        }
        found.map(Meaning::Constant)
    }

    fn variable(&mut self, _: u32, place: Span, diagnostics: &mut Diagnostics) -> Option<Meaning> {
        diagnostics.report(|| {
            Diagnostic::error("there is no pattern here", place)
                .help("the value has to be known at the start")
        });
        None
    }
}
