//! Guards: boolean expressions about a program, read from outside.
//!
//! The syntax is that of expressions in [boolean programs](crate::bp), without `*` and `'x`
//! and with three more operands: `@label` or `@procedure::label` (control is there),
//! `in(procedure)` (that procedure is running) and `procedure::local`. A name that is no word
//! is put in braces: `{s.f}` for the field of a struct.
//!
//! ```
//! use recurva_lang::{bp, guard::Observer};
//! use recurva_syntax::{Diagnostics, Source, Span};
//!
//! let text = "decl g; void main() begin decl int(4) n; L: n := 3; end";
//! let source = Source::new("model.bp", text)?;
//! let program = bp::parse(&source, &bp::Options::default()).program.expect("no errors");
//!
//! let source = Source::new("guard", "@L & g & main::n > 2")?;
//! let mut diagnostics = Diagnostics::default();
//! let guard = Observer::new(&program).parse(&source, Span::new(0, 20), &mut diagnostics);
//! assert!(guard.is_some() && diagnostics.is_empty());
//! # Ok::<(), recurva_syntax::LoadError>(())
//! ```

mod c;

use recurva_model::{Guard, GuardOp, Op, Point, ProcId, Program, Type, Unary, VarRef, Variable};
use recurva_syntax::{Cursor, Diagnostic, Diagnostics, Source, Span, did_you_mean};
use rustc_hash::FxHashMap;

use crate::{
    expr::{
        Dialect, Grammar, Leaf, ParseExpr,
        check::{Checker, Found, Scope, Want},
    },
    names::{NameId, Names},
    token::{Kind, Words, clip},
};

/// The names of a program, ready to be looked up.
#[derive(Debug)]
pub struct Observer<'p> {
    program: &'p Program,
    globals: FxHashMap<&'p str, u32>,
    procedures: FxHashMap<&'p str, ProcId>,
    labels: FxHashMap<&'p str, Vec<Point>>,
    language: Language,
    /// Of a C program: where its variables do not have their initial values yet.
    before_start: Vec<Point>,
}

/// What guards are written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// The expressions of boolean programs.
    #[default]
    Ours,
    /// The expressions of C, with its conversions: for programs that were made from C.
    C,
}

impl<'p> Observer<'p> {
    /// Collects the names of a program, for guards in our own language.
    pub fn new(program: &'p Program) -> Self {
        Self::in_language(program, Language::Ours)
    }

    /// Collects the names of a program.
    pub fn in_language(program: &'p Program, language: Language) -> Self {
        let globals = program.globals().iter().zip(0..);
        let procedures = program.procedures().iter().zip(0..);
        let mut labels: FxHashMap<&str, Vec<Point>> = FxHashMap::default();
        for label in program.labels() {
            labels.entry(&label.name).or_default().push(label.point);
        }
        for points in labels.values_mut() {
            points.sort_unstable();
            points.dedup();
        }
        Observer {
            program,
            globals: globals
                .map(|(variable, index)| (&*variable.name, index))
                .collect(),
            procedures: procedures
                .map(|(p, index)| (&*p.name, ProcId(index)))
                .collect(),
            labels,
            language,
            before_start: match language {
                Language::Ours => Vec::new(),
                Language::C => c::before_start(program),
            },
        }
    }

    /// That the variables of a C program have their initial values, or others already.
    fn started(&self) -> [GuardOp; 2] {
        let not = Op::Unary(Unary::Not, Type::Bool);
        [boolean_at(self.before_start.clone()), GuardOp::Plain(not)]
    }

    /// Reads the guard at a place of a source; `None` if it is wrong, which is reported.
    pub fn parse(
        &self,
        source: &Source,
        place: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<Guard> {
        if self.language == Language::C {
            return c::Reader::new(self, source, place)
                .read(diagnostics)
                .map(Guard::new);
        }
        let dialect = Dialect::default();
        let mut names = Names::default();
        let mut cursor = Cursor::new(source, Words::new(source, place));
        let expr = ParseExpr {
            cursor: &mut cursor,
            names: &mut names,
            dialect,
            grammar: Grammar::Observation,
        }
        .parse();
        if expr.is_some() && !cursor.at(Kind::End) {
            cursor.unexpected("an operator", |diagnostic| diagnostic);
        }
        let broken = cursor.diagnostics().has_errors();
        diagnostics.append(cursor.into_diagnostics());
        if broken {
            return None;
        }
        let scope = ObserverScope {
            observer: self,
            names: &names,
        };
        let mut choices = 0;
        let checker = &mut Checker {
            source,
            scope: &scope,
            dialect,
            choices: &mut choices,
            diagnostics,
        };
        checker
            .check(&expr?, Want::Condition)
            .map(|(ops, _)| Guard::new(ops))
    }
}

/// The names of a program and of one guard.
struct ObserverScope<'o, 'p> {
    observer: &'o Observer<'p>,
    names: &'o Names<'o>,
}

impl ObserverScope<'_, '_> {
    fn procedure(&self, id: NameId, place: Span, diagnostics: &mut Diagnostics) -> Option<ProcId> {
        let name = self.names.text(id);
        let found = self.observer.procedures.get(name).copied();
        if found.is_none() {
            diagnostics.report(|| {
                let procedures = self.observer.program.procedures().iter().map(|p| &*p.name);
                Diagnostic::error(format!("there is no procedure `{}`", clip(name)), place)
                    .help_if(did_you_mean(name, procedures))
            });
        }
        found
    }

    fn global(&self, id: NameId, place: Span, diagnostics: &mut Diagnostics) -> Option<u32> {
        let name = self.names.text(id);
        let globals = &self.observer.globals;
        let found = globals
            .get(name)
            .or_else(|| globals.get(in_braces(name)?))
            .copied();
        if found.is_none() {
            let program = self.observer.program;
            diagnostics.report(|| {
                let shown = |v: &&Variable| !v.hidden && *v.name == *name;
                let owner = program
                    .procedures()
                    .iter()
                    .find(|p| p.locals.iter().any(|v| shown(&v)));
                let globals = program.globals().iter().map(|v| &*v.name);
                let help = match (owner, self.observer.labels.contains_key(name)) {
                    (Some(owner), _) => {
                        Some(format!("a local is written `{}::{name}`", owner.name))
                    }
                    (None, true) => Some(format!("a label is written `@{name}`")),
                    (None, false) => did_you_mean(name, globals),
                };
                Diagnostic::error(
                    format!("there is no global variable `{}`", clip(name)),
                    place,
                )
                .help_if(help)
            });
        }
        found
    }

    fn local(
        &self,
        (procedure, id): (NameId, NameId),
        place: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<Found<GuardOp>> {
        let procedure = self.procedure(procedure, place, diagnostics)?;
        let name = self.names.text(id);
        let owner = self.observer.program.procedure(procedure);
        let Some(index) = owner
            .locals
            .iter()
            .position(|v| !v.hidden && (*v.name == *name || Some(&*v.name) == in_braces(name)))
        else {
            diagnostics.report(|| {
                let locals = owner.locals.iter().filter(|v| !v.hidden).map(|v| &*v.name);
                let message = format!(
                    "procedure `{}` has no local variable `{}`",
                    owner.name,
                    clip(name)
                );
                Diagnostic::error(message, place).help_if(did_you_mean(name, locals))
            });
            return None;
        };
        let variable = &owner.locals[index];
        let op = match variable.len {
            None => GuardOp::Local(procedure, index as u32, variable.ty),
            Some(_) => GuardOp::LocalIndex(procedure, index as u32, variable.ty),
        };
        Some(Found {
            op,
            ty: variable.ty,
            len: variable.len,
            declared: None,
        })
    }

    fn label(
        &self,
        (procedure, id): (Option<ProcId>, NameId),
        place: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<Found<GuardOp>> {
        let name = self.names.text(id);
        let wanted = |point: &&Point| procedure.is_none_or(|p| p == point.procedure);
        let all = self.observer.labels.get(name).into_iter().flatten();
        let points: Vec<Point> = all.filter(wanted).copied().collect();
        if points.is_empty() {
            let program = self.observer.program;
            diagnostics.report(|| {
                let inside = program
                    .labels()
                    .iter()
                    .filter(|label| wanted(&&label.point));
                let message = match procedure {
                    None => format!("there is no label `{}`", clip(name)),
                    Some(p) => format!(
                        "procedure `{}` has no label `{}`",
                        program.procedure(p).name,
                        clip(name)
                    ),
                };
                let procedure_name = self.observer.procedures.contains_key(name);
                let help = match did_you_mean(name, inside.map(|label| &*label.name)) {
                    None if procedure_name => Some(format!("write `in({name})` for the procedure")),
                    help => help,
                };
                Diagnostic::error(message, place).help_if(help)
            });
            return None;
        }
        Some(boolean(GuardOp::At(points.into())))
    }
}

/// What stands between the braces of a name: `{s.f}` is the field `s.f` of a struct.
fn in_braces(name: &str) -> Option<&str> {
    name.strip_prefix('{')?.strip_suffix('}')
}

/// The positions of a C program's runs: all where its variables have their initial values, or others
/// already.
pub fn started(program: &Program) -> Guard {
    Guard::new(Observer::in_language(program, Language::C).started())
}

/// That control is at one of these points.
fn boolean_at(mut points: Vec<Point>) -> GuardOp {
    points.sort_unstable();
    GuardOp::At(points.into())
}

fn boolean(op: GuardOp) -> Found<GuardOp> {
    Found {
        op,
        ty: Type::Bool,
        len: None,
        declared: None,
    }
}

impl Scope for ObserverScope<'_, '_> {
    type Op = GuardOp;

    fn plain(&self, op: Op) -> GuardOp {
        GuardOp::Plain(op)
    }

    fn find(
        &self,
        leaf: Leaf,
        place: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<Found<GuardOp>> {
        match leaf {
            Leaf::Name(id) => {
                let index = self.global(id, place, diagnostics)?;
                let variable = self.observer.program.globals().get(index as usize)?;
                let reference = VarRef::Global(index);
                let op = match variable.len {
                    None => Op::Read(reference),
                    Some(_) => Op::Index(reference),
                };
                let op = GuardOp::Plain(op);
                Some(Found {
                    op,
                    ty: variable.ty,
                    len: variable.len,
                    declared: None,
                })
            }
            Leaf::Next(_) => {
                diagnostics.report(|| {
                    Diagnostic::error("a guard cannot ask for the value after a step", place)
                });
                None
            }
            Leaf::Local(procedure, id) => self.local((procedure, id), place, diagnostics),
            Leaf::Label(id) => self.label((None, id), place, diagnostics),
            Leaf::LabelIn(procedure, id) => {
                let procedure = self.procedure(procedure, place, diagnostics)?;
                self.label((Some(procedure), id), place, diagnostics)
            }
            Leaf::In(procedure) => {
                let procedure = self.procedure(procedure, place, diagnostics)?;
                Some(boolean(GuardOp::In(procedure)))
            }
        }
    }

    fn refuse_choice(&self, place: Span, diagnostics: &mut Diagnostics) -> bool {
        diagnostics.report(|| {
            Diagnostic::error("a guard has nothing to choose", place)
                .help("leave the guard out where anything will do")
        });
        true
    }
}
