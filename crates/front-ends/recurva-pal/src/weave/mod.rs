//! Monitors on models: a monitor whose variables are finite becomes part of the program.
//!
//! [`weave`] puts the code of events around the calls and assignments that match them. Monitor
//! variables become globals of the program, the variables of an event locals of the procedure
//! that makes the call: there they live as long as the call is pending, once for each call that
//! is. A guard that does not hold leads to a node that must not be reached.
//!
//! The result is a program like any other: every engine checks it, and its traces show the
//! monitor's variables and code.

mod body;
mod matching;
mod prepare;
mod steps;
mod syntax;
mod types;
mod value;

use recurva_model::{
    Expr, FailureKind, Label, Node, NodeId, Origin, Parts, Point, ProcId, Procedure, Program, Type,
    Variable,
};
use recurva_syntax::{Diagnostic, Diagnostics, Source, Span, did_you_mean};
use rustc_hash::FxHashMap;

use crate::lang::{Monitor, OperandKind, PatternKind};

use body::{Body, Site};
use matching::{Here, Matcher};
use prepare::{Plan, Prepared, plan};
use steps::{Events, begin};
use syntax::expression;

/// A program with a monitor in it.
#[derive(Clone, Debug)]
pub struct Woven {
    /// The program.
    pub program: Program,
    /// The guards and assertions of the monitor, in the order of its text.
    pub checks: Vec<Check>,
    /// That no monitor variable leaves its range; `None` if none can.
    pub range: Option<Check>,
    /// How many calls and assignments each event matched.
    pub matched: Vec<usize>,
}

/// Something that the monitor asks for: that some nodes are not reached.
#[derive(Clone, Debug)]
pub struct Check {
    /// A name: `guard of event 2`.
    pub name: String,
    /// In words: `guard of event 2 (rule.pal:7)`.
    pub title: String,
    /// The guard, or the assertion.
    pub place: Span,
    /// The nodes that are reached where it fails.
    pub points: Vec<Point>,
}

/// What came of a monitor and a program.
#[derive(Clone, Debug)]
pub struct Weaving {
    /// The program with the monitor in it; `None` if and only if there were errors.
    pub woven: Option<Woven>,
    /// Errors and warnings in the order of the monitor's text.
    pub diagnostics: Diagnostics,
}

/// Weaves a monitor, which was read from `source`, into a program. Origins of what is added are
/// places of that source, `base` bytes further on: take the length of the model's text for it.
pub fn weave(program: &Program, monitor: &Monitor, source: &Source, base: u32) -> Weaving {
    let mut diagnostics = Diagnostics::default();
    if base.checked_add(source.end().end).is_none() {
        diagnostics.report(|| {
            Diagnostic::error(
                "the model and the monitor are too long together",
                Span::at(0),
            )
        });
    }
    let woven =
        prepared(program, monitor, source, &mut diagnostics).and_then(|(plan, matchers)| {
            let events: Vec<(Prepared<'_>, Matcher)> =
                plan.events.iter().cloned().zip(matchers).collect();
            let mut loom = Loom {
                program,
                source,
                base,
                plan: &plan,
                events: Events {
                    matched: vec![0; events.len()],
                    list: &events,
                },
                diagnostics: &mut diagnostics,
            };
            loom.dry_run()?;
            loom.weave()
        });
    diagnostics.sort();
    let woven = woven.filter(|_| !diagnostics.has_errors());
    Weaving { woven, diagnostics }
}

/// The monitor, read for a model.
fn prepared<'m>(
    program: &Program,
    monitor: &'m Monitor,
    source: &Source,
    diagnostics: &mut Diagnostics,
) -> Option<(Plan<'m>, Vec<Matcher>)> {
    let plan = plan(source, monitor, program, diagnostics);
    let mut matchers = Vec::new();
    for event in &monitor.events {
        let read =
            |operand: &crate::lang::Operand, diagnostics: &mut Diagnostics| match &operand.kind {
                OperandKind::Expr(fragment) => expression(source, fragment, diagnostics),
                OperandKind::Any | OperandKind::Bind(_) => None,
            };
        matchers.extend(Matcher::new(&event.pattern, program, read, diagnostics));
    }
    let plan = plan.filter(|_| !diagnostics.has_errors())?;
    Some((plan, matchers))
}

struct Loom<'l> {
    program: &'l Program,
    source: &'l Source,
    base: u32,
    plan: &'l Plan<'l>,
    events: Events<'l>,
    diagnostics: &'l mut Diagnostics,
}

impl Loom<'_> {
    /// Weaves each event into nothing: what is wrong with it is said once, and even if it matches
    /// no step.
    fn dry_run(&mut self) -> Option<()> {
        let empty = Procedure {
            name: "".into(),
            locals: Vec::new(),
            parameters: 0,
            results: Vec::new(),
            nodes: vec![Node::default(); 2],
            edges: Vec::new(),
            entry: NodeId(0),
            exit: NodeId(1),
            origin: Origin::default(),
        };
        let globals = self.program.globals();
        for (index, (event, _)) in self.events.list.iter().enumerate() {
            let own = (ProcId(0), empty.clone());
            let mut body = Body::new(self.plan, globals, self.base, own, self.diagnostics);
            let stand_in = (Expr::constant(0, Type::signed(8)), Type::signed(8));
            let operands = event.event.pattern.operands();
            let numbers = operands.flat_map(crate::lang::Operand::binds);
            let bound: FxHashMap<_, _> = numbers.map(|it| (it, stand_in.clone())).collect();
            let site = Site {
                event,
                index,
                instance: 0,
                bound,
            };
            body.before(&site, NodeId(0));
            body.after(&site, NodeId(0));
        }
        (!self.diagnostics.has_errors()).then_some(())
    }

    fn weave(mut self) -> Option<Woven> {
        let mut parts = self.program.parts().clone();
        separate_main(&mut parts);
        for variable in &self.plan.globals {
            let name: Box<str> = match parts.globals.iter().any(|it| it.name == variable.name) {
                true => format!("monitor::{}", variable.name).into(),
                false => variable.name.clone(),
            };
            parts.globals.push(Variable {
                origin: Origin {
                    start: self.base + variable.place.start,
                    end: self.base + variable.place.end,
                },
                ..Variable::scalar(name, variable.ty.ty)
            });
        }
        let whole = match Program::new(parts.clone()) {
            Ok(program) => program,
            Err(error) => return self.mistake(&error.to_string()),
        };
        for index in 0..parts.procedures.len() {
            let id = ProcId(index as u32);
            let mut procedure = parts.procedures[index].clone();
            let edges = std::mem::take(&mut procedure.edges);
            let mut body = Body::new(
                self.plan,
                self.program.globals(),
                self.base,
                (id, procedure),
                self.diagnostics,
            );
            let here = Here {
                program: &whole,
                procedure: id,
            };
            for edge in &edges {
                self.events.weave(&mut body, here, edge)?;
            }
            if id == parts.main {
                begin(&mut body, self.program);
            }
            parts.failures.append(&mut body.failures);
            parts.procedures[index] = body.procedure;
        }
        self.unmatched();
        let failures = parts.failures[self.program.failures().len()..].iter();
        let at = |check: &Check| Origin {
            start: self.base + check.place.start,
            end: self.base + check.place.end,
        };
        let mut checks = self.plan.checks.clone();
        let mut out_of_range = Vec::new();
        for failure in failures {
            if failure.kind == FailureKind::Range {
                out_of_range.push(failure.point);
            } else if let Some(check) = checks.iter_mut().find(|it| at(it) == failure.origin) {
                check.points.push(failure.point);
            }
        }
        let range = (!out_of_range.is_empty()).then(|| Check {
            name: "range".to_owned(),
            title: format!(
                "monitor variables stay in range ({}), where int is {}",
                self.source.name(),
                self.plan.width.describe()
            ),
            place: Span::at(0),
            points: out_of_range,
        });
        let program = match Program::new(parts) {
            Ok(program) => program,
            Err(error) => return self.mistake(&error.to_string()),
        };
        Some(Woven {
            program,
            checks,
            range,
            matched: self.events.matched,
        })
    }

    fn mistake(&mut self, error: &str) -> Option<Woven> {
        self.diagnostics.report(|| {
            Diagnostic::error(format!("internal error: {error}"), Span::at(0))
                .help("this is a mistake in Recurva; please report it with these files")
        });
        None
    }

    /// Warns of events that match nothing.
    fn unmatched(&mut self) {
        let events = self.events.list.iter().zip(&self.events.matched);
        for ((event, _), _) in events.filter(|(_, matched)| **matched == 0) {
            let event = event.event;
            let procedures = self.program.procedures().iter();
            let mut names: Vec<&str> = procedures.map(|it| &*it.name).collect();
            names.sort_unstable();
            self.diagnostics.warn(|| {
                let message = format!("{} matches nothing in the model", event.title());
                let warning = Diagnostic::warning(message, event.pattern.span);
                match &event.pattern.kind {
                    PatternKind::Call { callee, .. }
                        if names.binary_search(&&*callee.text).is_err() =>
                    {
                        let near = did_you_mean(&callee.text, names);
                        let none = format!("there is no procedure `{}`", callee.text);
                        warning.help(none).help_if(near)
                    }
                    _ => warning,
                }
            });
        }
    }
}

/// Makes sure that the procedure where runs begin is not called: it gives the monitor's variables
/// their initial values. If it is called, runs begin in a copy.
fn separate_main(parts: &mut Parts) {
    let main = parts.main;
    let edges = parts.procedures.iter().flat_map(|it| &it.edges);
    let mut calls = edges.filter_map(|edge| match &edge.action {
        recurva_model::Action::Call { callee, .. } => Some(*callee),
        recurva_model::Action::Assign { .. } => None,
    });
    if !calls.any(|callee| callee == main) {
        return;
    }
    let copy = ProcId(parts.procedures.len() as u32);
    parts
        .procedures
        .push(parts.procedures[main.index()].clone());
    parts.main = copy;
    let moved = |point: Point| Point {
        procedure: copy,
        ..point
    };
    let labels = parts.labels.iter().filter(|it| it.point.procedure == main);
    let labels: Vec<Label> = labels
        .map(|it| Label {
            point: moved(it.point),
            ..it.clone()
        })
        .collect();
    parts.labels.extend(labels);
    let failures = parts
        .failures
        .iter()
        .filter(|it| it.point.procedure == main);
    let failures: Vec<_> = failures
        .map(|it| recurva_model::Failure {
            point: moved(it.point),
            ..it.clone()
        })
        .collect();
    parts.failures.extend(failures);
}
