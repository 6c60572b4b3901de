//! Random monitors: as data, which is run directly, and as text, which is woven.

use std::fmt::Write as _;

use recurva_model::{Program, Type};
use recurva_testkit::rng::Rng;

/// The types of monitor variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ty {
    Bool,
    Int,
    Byte,
}

impl Ty {
    fn text(self) -> &'static str {
        match self {
            Ty::Bool => "_Bool",
            Ty::Int => "int",
            Ty::Byte => "unsigned char",
        }
    }

    /// A value as the type keeps it; `None` if it is out of range.
    pub(crate) fn keep(self, value: i64) -> Option<i64> {
        match self {
            Ty::Bool => Some(i64::from(value != 0)),
            Ty::Int => (-128..128).contains(&value).then_some(value),
            Ty::Byte => Some(value.rem_euclid(256)),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Term {
    Number(i64),
    Global(usize),
    Local(usize),
    Hole(u32),
    Not(Box<Term>),
    Negate(Box<Term>),
    Binary(&'static str, Box<Term>, Box<Term>),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    Global(usize),
    Local(usize),
}

#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Assign(Target, Term),
    If(Term, Vec<Statement>, Vec<Statement>),
    /// The number of the check, and the condition.
    Assert(usize, Term),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) guard: Option<(usize, Term)>,
    pub(crate) action: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    Any,
    Bind(u32),
    Number(i64),
    Name(String),
}

#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    /// Whether there is a target, the function, its arguments; `None` are any.
    Call(Option<Operand>, String, Option<Vec<Operand>>),
    Assign(Operand, Operand),
}

#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) pattern: Pattern,
    /// Their types and initial values; only booleans are without one, which are arbitrary then.
    pub(crate) locals: Vec<(Ty, Option<Term>)>,
    pub(crate) before: Code,
    pub(crate) after: Code,
}

#[derive(Clone, Debug)]
pub(crate) struct Monitor {
    pub(crate) globals: Vec<(Ty, i64)>,
    pub(crate) events: Vec<Event>,
    /// How many guards and assertions there are, in the order of the text.
    pub(crate) checks: usize,
}

struct Maker<'r> {
    rng: &'r mut Rng,
    globals: usize,
    locals: usize,
    holes: Vec<u32>,
    checks: usize,
}

pub(crate) fn monitor(rng: &mut Rng, program: &Program) -> Monitor {
    let types = [Ty::Bool, Ty::Int, Ty::Byte];
    let count = 1 + rng.below(2);
    let globals: Vec<(Ty, i64)> = (0..count)
        .map(|_| (types[rng.below(3)], rng.below(2) as i64))
        .collect();
    let mut maker = Maker {
        globals: globals.len(),
        rng,
        locals: 0,
        holes: Vec::new(),
        checks: 0,
    };
    let mut events = Vec::new();
    for _ in 0..1 + maker.rng.below(3) {
        let pattern = maker.pattern(program);
        maker.holes = holes(&pattern);
        maker.locals = 0;
        let mut locals = Vec::new();
        for _ in 0..maker.rng.below(3) {
            let ty = types[maker.rng.below(3)];
            let value = match ty == Ty::Bool && maker.rng.chance(40) {
                true => None,
                false => Some(maker.start()),
            };
            locals.push((ty, value));
        }
        maker.locals = locals.len();
        let before = maker.code();
        let after = maker.code();
        events.push(Event {
            pattern,
            locals,
            before,
            after,
        });
    }
    Monitor {
        globals,
        events,
        checks: maker.checks,
    }
}

fn holes(pattern: &Pattern) -> Vec<u32> {
    let all: Vec<&Operand> = match pattern {
        Pattern::Call(target, _, arguments) => {
            target.iter().chain(arguments.iter().flatten()).collect()
        }
        Pattern::Assign(target, value) => vec![target, value],
    };
    let bound = all.into_iter().filter_map(|operand| match operand {
        Operand::Bind(number) => Some(*number),
        _ => None,
    });
    bound.collect()
}

impl Maker<'_> {
    fn pattern(&mut self, program: &Program) -> Pattern {
        let mut next = 0;
        let variables: Vec<String> = program
            .globals()
            .iter()
            .filter(|it| it.len.is_none())
            .map(|it| it.name.to_string())
            .collect();
        let mut operand = |rng: &mut Rng| match rng.below(6) {
            0 => Operand::Number(rng.below(2) as i64),
            1 if !variables.is_empty() => {
                Operand::Name(variables[rng.below(variables.len())].clone())
            }
            2 => Operand::Any,
            _ => {
                next += 1;
                Operand::Bind(next)
            }
        };
        if self.rng.chance(30) {
            let target = match operand(self.rng) {
                Operand::Number(_) => Operand::Any,
                other => other,
            };
            return Pattern::Assign(target, operand(self.rng));
        }
        let callable: Vec<_> = program
            .procedures()
            .iter()
            .filter(|it| *it.name != *"main")
            .collect();
        let callee = callable[self.rng.below(callable.len())];
        let target = match self.rng.below(3) {
            0 => None,
            1 => Some(Operand::Any),
            _ => match operand(self.rng) {
                Operand::Number(_) => None,
                other => Some(other),
            },
        };
        let arguments = match self.rng.chance(40) {
            true => None,
            // Now and then the wrong number, which never matches.
            false => {
                let wrong = usize::from(self.rng.chance(5));
                let list = (0..callee.parameters + wrong).map(|_| operand(self.rng));
                Some(list.collect::<Vec<_>>())
            }
        };
        // A single `$?` is any number of arguments.
        let arguments = arguments.filter(|list| list[..] != [Operand::Any]);
        Pattern::Call(target, callee.name.to_string(), arguments)
    }

    fn term(&mut self, depth: usize) -> Term {
        const OPERATORS: [&str; 16] = [
            "+", "-", "*", "/", "%", "&", "|", "^", "&&", "||", "==", "!=", "<", "<=", ">", ">=",
        ];
        if depth > 0 && self.rng.chance(55) {
            let inner = Box::new(self.term(depth - 1));
            return match self.rng.below(8) {
                0 => Term::Not(inner),
                1 => Term::Negate(inner),
                _ => {
                    let operator = OPERATORS[self.rng.below(OPERATORS.len())];
                    Term::Binary(operator, inner, Box::new(self.term(depth - 1)))
                }
            };
        }
        match self.rng.below(5) {
            0 => Term::Number(self.rng.below(4) as i64),
            1 if self.locals > 0 => Term::Local(self.rng.below(self.locals)),
            2 if !self.holes.is_empty() => Term::Hole(self.holes[self.rng.below(self.holes.len())]),
            _ => Term::Global(self.rng.below(self.globals)),
        }
    }

    /// An initial value: often a pattern variable, so that each pending call remembers another.
    fn start(&mut self) -> Term {
        match self.holes[..] {
            [.., hole] if self.rng.chance(60) => Term::Hole(hole),
            _ => self.term(1),
        }
    }

    fn condition(&mut self) -> Term {
        match self.holes[..] {
            [.., hole] if self.locals > 0 && self.rng.chance(40) => {
                let local = Term::Local(self.rng.below(self.locals));
                Term::Binary("==", Box::new(local), Box::new(Term::Hole(hole)))
            }
            _ => self.term(2),
        }
    }

    fn code(&mut self) -> Code {
        let guard = self.rng.chance(35);
        let guard = guard.then(|| (self.check(), self.condition()));
        let count = self.rng.below(3);
        Code {
            guard,
            action: self.statements(count, 1),
        }
    }

    fn check(&mut self) -> usize {
        self.checks += 1;
        self.checks - 1
    }

    fn statements(&mut self, count: usize, depth: usize) -> Vec<Statement> {
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Statement {
        match self.rng.below(8) {
            0 | 1 if depth > 0 => {
                let condition = self.term(2);
                let then = self.statements(1, depth - 1);
                let otherwise = self.rng.below(2);
                Statement::If(condition, then, self.statements(otherwise, depth - 1))
            }
            2 => Statement::Assert(self.check(), self.term(2)),
            _ => {
                let target = match self.locals > 0 && self.rng.chance(40) {
                    true => Target::Local(self.rng.below(self.locals)),
                    false => Target::Global(self.rng.below(self.globals)),
                };
                Statement::Assign(target, self.term(2))
            }
        }
    }
}

impl Monitor {
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        for (index, (ty, value)) in self.globals.iter().enumerate() {
            let _ = writeln!(out, "global {} m{index} = {value};", ty.text());
        }
        for event in &self.events {
            let _ = writeln!(out, "event {{\n  pattern {{ {}; }}", event.pattern.text());
            for (index, (ty, value)) in event.locals.iter().enumerate() {
                let value = value.as_ref().map(|it| format!(" = {}", it.text()));
                let value = value.unwrap_or_default();
                let _ = writeln!(out, "  local {} l{index}{value};", ty.text());
            }
            for (word, code) in [("before", &event.before), ("after", &event.after)] {
                let _ = writeln!(out, "  {word} {{");
                if let Some((_, guard)) = &code.guard {
                    let _ = writeln!(out, "    guard {{ {} }}", guard.text());
                }
                let _ = writeln!(out, "    action {{ {} }}", text(&code.action));
                let _ = writeln!(out, "  }}");
            }
            out.push_str("}\n");
        }
        out
    }
}

fn text(list: &[Statement]) -> String {
    let statements = list.iter().map(|statement| match statement {
        Statement::Assign(Target::Global(index), value) => format!("m{index} = {};", value.text()),
        Statement::Assign(Target::Local(index), value) => format!("l{index} = {};", value.text()),
        Statement::If(condition, then, otherwise) => format!(
            "if ({}) {{ {} }} else {{ {} }}",
            condition.text(),
            text(then),
            text(otherwise)
        ),
        Statement::Assert(_, condition) => format!("assert({});", condition.text()),
    });
    statements.collect::<Vec<_>>().join(" ")
}

impl Pattern {
    fn text(&self) -> String {
        let operand = |operand: &Operand| match operand {
            Operand::Any => "$?".to_owned(),
            Operand::Bind(number) => format!("${number}"),
            Operand::Number(number) => number.to_string(),
            Operand::Name(name) => name.clone(),
        };
        match self {
            Pattern::Assign(target, value) => format!("{} = {}", operand(target), operand(value)),
            Pattern::Call(target, callee, arguments) => {
                let target = target.as_ref().map(|it| operand(it) + " = ");
                let arguments = match arguments {
                    None => "$?".to_owned(),
                    Some(list) => list.iter().map(operand).collect::<Vec<_>>().join(", "),
                };
                format!("{}{callee}({arguments})", target.unwrap_or_default())
            }
        }
    }
}

impl Term {
    fn text(&self) -> String {
        match self {
            Term::Number(number) => number.to_string(),
            Term::Global(index) => format!("m{index}"),
            Term::Local(index) => format!("l{index}"),
            Term::Hole(number) => format!("${number}"),
            Term::Not(inner) => format!("!({})", inner.text()),
            Term::Negate(inner) => format!("-({})", inner.text()),
            Term::Binary(operator, left, right) => {
                format!("({}) {operator} ({})", left.text(), right.text())
            }
        }
    }
}

/// The number that a value of a model is.
pub(crate) fn number(ty: Type, value: u64) -> i64 {
    ty.to_number(value) as i64
}
