//! Guards about programs that were made from C: expressions with the operators of C and its
//! conversions, so that `!held`, `count > -1` and `pair.left < limit / 2` mean what they mean there.
//!
//! Operands are numbers, characters, constants of enumerations, variables with static storage and
//! `function::local`, with fields and one index: `points[1].x`. Besides there are `@label`,
//! `@function::label` and `in(function)`.
//! Values are those of the model: an assignment or a call has no place here.

mod arithmetic;
mod literal;

use recurva_model::{
    Action, Binary, GuardOp, NodeId, Op, Point, ProcId, Program, Type, VarRef, Variable,
};
use recurva_syntax::{Diagnostic, Diagnostics, Source, Span, did_you_mean};

use self::arithmetic::{INT, Value, binary, truth, unary};
use super::{Observer, boolean_at};
use crate::token::clip;

/// The points of a program that was made from C where its variables do not have their initial values yet:
/// they are in the procedure that begins a run, before it calls the entry.
pub(super) fn before_start(program: &Program) -> Vec<Point> {
    let procedure = program.procedure(program.main());
    let calls = procedure.edges.iter();
    let calls = calls.filter(|edge| matches!(edge.action, Action::Call { .. }));
    let mut open: Vec<NodeId> = calls.map(|edge| edge.from).collect();
    let mut started = vec![false; procedure.nodes.len()];
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut started[node.index()], true) {
            let edges = procedure.edges.iter().filter(|edge| edge.from == node);
            open.extend(edges.map(|edge| edge.to));
        }
    }
    let nodes = (0..).map(NodeId).zip(started);
    nodes
        .filter(|(_, is_started)| !is_started)
        .map(|(node, _)| Point {
            procedure: program.main(),
            node,
        })
        .collect()
}

/// What waits for its right operand or its end.
enum Waiting<'s> {
    Unary(&'s str),
    Binary(&'s str),
    Paren(Span),
    /// An element of this variable.
    Index(Variables<'s>, Span),
}

/// A variable in the making: its procedure, if it is a local, and its name with fields.
struct Variables<'s> {
    owner: Option<&'s str>,
    name: String,
    place: Span,
}

/// Binary operators, from those that bind weakest.
const OPERATORS: [(&str, u8); 20] = [
    ("||", 1),
    ("&&", 2),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("==", 6),
    ("!=", 6),
    ("=", 6),
    ("<=", 7),
    (">=", 7),
    ("<<", 8),
    (">>", 8),
    ("<", 7),
    (">", 7),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
    ("->", 0),
];

fn level(operator: &str) -> u8 {
    let found = OPERATORS.iter().find(|(text, _)| *text == operator);
    found.map_or(0, |(_, level)| *level)
}

pub(super) struct Reader<'o, 'p, 's> {
    observer: &'o Observer<'p>,
    source: &'s Source,
    at: u32,
    end: u32,
    values: Vec<Value>,
    waiting: Vec<Waiting<'s>>,
}

impl<'o, 'p, 's> Reader<'o, 'p, 's> {
    pub(super) fn new(observer: &'o Observer<'p>, source: &'s Source, place: Span) -> Self {
        Reader {
            observer,
            source,
            at: place.start,
            end: place.end,
            values: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// The condition that the whole place is; `None` if it is wrong, which is reported.
    pub(super) fn read(mut self, diagnostics: &mut Diagnostics) -> Option<Vec<GuardOp>> {
        match self.expression() {
            Ok(value) => {
                let mut ops = truth(value).ops;
                ops.extend(self.observer.started());
                ops.push(GuardOp::Plain(Op::Binary(Binary::And, Type::Bool)));
                Some(ops)
            }
            Err(diagnostic) => {
                diagnostics.report(|| *diagnostic);
                None
            }
        }
    }

    fn expression(&mut self) -> Result<Value, Box<Diagnostic>> {
        loop {
            self.operand()?;
            // Behind an operand.
            loop {
                let rest = self.rest();
                if rest.starts_with(')') || rest.starts_with(']') {
                    self.close(rest.starts_with(']'))?;
                    continue;
                }
                break;
            }
            let rest = self.rest();
            if rest.is_empty() {
                break;
            }
            let operator = OPERATORS.iter().find(|(text, _)| rest.starts_with(text));
            let Some(&(operator, level)) = operator.filter(|(_, level)| *level > 0) else {
                let place = Span::new(self.at, self.end);
                let wrong = Diagnostic::error("this is no operator of C that is known here", place);
                return Err(Box::new(wrong.help(
                    "operators are || && | ^ & == != < <= > >= << >> + - * / % ! ~",
                )));
            };
            self.at += operator.len() as u32;
            self.reduce(level);
            self.waiting.push(Waiting::Binary(operator));
        }
        self.reduce(0);
        match (self.waiting.pop(), self.values.pop()) {
            (None, Some(value)) => Ok(value),
            (Some(Waiting::Paren(open) | Waiting::Index(_, open)), _) => {
                Err(error("this is never closed", open))
            }
            _ => Err(error("an expression is missing", Span::at(self.end))),
        }
    }

    /// What is still to be read, without space before it.
    fn rest(&mut self) -> &'s str {
        let rest = self.source.slice(Span::new(self.at, self.end));
        let trimmed = rest.trim_start();
        self.at += (rest.len() - trimmed.len()) as u32;
        trimmed
    }

    /// Takes so many bytes.
    fn take(&mut self, length: usize) -> Span {
        let start = self.at;
        self.at += length as u32;
        Span::new(start, self.at)
    }

    fn word(&mut self) -> Option<(&'s str, Span)> {
        let rest = self.rest();
        let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '$');
        let length = rest.find(|it| !is_part(it)).unwrap_or(rest.len());
        (length > 0).then(|| (&rest[..length], self.take(length)))
    }

    /// Passes prefix operators, opening brackets and one operand.
    fn operand(&mut self) -> Result<(), Box<Diagnostic>> {
        loop {
            let rest = self.rest();
            let first = rest.chars().next();
            match first {
                Some('!' | '~' | '-' | '+') => {
                    let place = self.take(1);
                    let operator = self.source.slice(place);
                    self.waiting.push(Waiting::Unary(operator));
                }
                Some('(') => {
                    let place = self.take(1);
                    self.waiting.push(Waiting::Paren(place));
                }
                Some('\'') => return self.character(),
                Some('@') => return self.label(),
                Some(digit) if digit.is_ascii_digit() => return self.number(),
                _ => {
                    let Some((name, place)) = self.word() else {
                        let place = Span::new(self.at, self.end);
                        return Err(error("an operand is missing here", place));
                    };
                    if name == "in" && self.rest().starts_with('(') {
                        return self.inside();
                    }
                    let variable = self.name(name, place)?;
                    if self.rest().starts_with('[') {
                        let open = self.take(1);
                        self.waiting.push(Waiting::Index(variable, open));
                        continue;
                    }
                    return self.variable(&variable, None);
                }
            }
        }
    }

    /// A variable with what follows its first word.
    fn name(&mut self, first: &'s str, place: Span) -> Result<Variables<'s>, Box<Diagnostic>> {
        let mut variable = Variables {
            owner: None,
            name: first.to_owned(),
            place,
        };
        if self.rest().starts_with("::") {
            self.take(2);
            let Some((name, end)) = self.word() else {
                return Err(error("the name of a local is missing", place));
            };
            variable.owner = Some(first);
            variable.name = name.to_owned();
            variable.place = place.to(end);
        }
        self.fields(&mut variable)?;
        Ok(variable)
    }

    fn fields(&mut self, variable: &mut Variables<'s>) -> Result<(), Box<Diagnostic>> {
        loop {
            let rest = self.rest();
            if rest.starts_with("->") {
                let place = self.take(2);
                let wrong = Diagnostic::error("pointers are not followed in an atom", place);
                return Err(Box::new(wrong.help("name the variable that it points to")));
            }
            if !rest.starts_with('.') {
                return Ok(());
            }
            self.take(1);
            let Some((field, end)) = self.word() else {
                return Err(error("the name of a field is missing", variable.place));
            };
            variable.name.push('.');
            variable.name.push_str(field);
            variable.place = variable.place.to(end);
        }
    }

    /// `)` or `]`.
    fn close(&mut self, is_index: bool) -> Result<(), Box<Diagnostic>> {
        self.reduce(0);
        let place = self.take(1);
        match self.waiting.pop() {
            Some(Waiting::Paren(_)) if !is_index => Ok(()),
            Some(Waiting::Index(mut variable, _)) if is_index => {
                self.fields(&mut variable)?;
                let index = self.values.pop();
                self.variable(&variable, index)
            }
            _ => Err(error("nothing is open that this closes", place)),
        }
    }

    /// The number that a name stands for, if it is no variable's.
    fn named_number(&self, wanted: &Variables<'_>) -> Option<i64> {
        let name = &*wanted.name;
        if wanted.owner.is_some() || self.observer.globals.contains_key(name) {
            return None;
        }
        let mut all = self.observer.program.constants().iter();
        all.find(|(constant, _)| **constant == *name)
            .map(|(_, number)| *number)
    }

    fn variable(
        &mut self,
        variable: &Variables<'_>,
        index: Option<Value>,
    ) -> Result<(), Box<Diagnostic>> {
        if index.is_none()
            && let Some(number) = self.named_number(variable)
        {
            let ty = match i32::try_from(number) {
                Ok(_) => INT,
                Err(_) => Type::signed(64),
            };
            self.constant(number as u64, ty);
            return Ok(());
        }
        let (found, op) = self.find(variable)?;
        let place = variable.place;
        let ops = match (found.len, index) {
            (None, None) => vec![op],
            (Some(_), Some(index)) => {
                let mut ops = index.ops;
                ops.push(op);
                ops
            }
            (Some(_), None) => {
                let wrong = Diagnostic::error(format!("`{}` is an array", variable.name), place);
                let help = format!("name an element: `{}[0]`", variable.name);
                return Err(Box::new(wrong.help(help)));
            }
            (None, Some(_)) => {
                return Err(error("this is no array", place));
            }
        };
        self.values.push(Value { ops, ty: found.ty });
        Ok(())
    }

    /// A variable of the model, and the operator that reads it or an element of it.
    fn find(&self, wanted: &Variables<'_>) -> Result<(&'p Variable, GuardOp), Box<Diagnostic>> {
        let program = self.observer.program;
        let name = &*wanted.name;
        // What is static in a function is a global with a longer name.
        let long = wanted.owner.map(|owner| format!("{owner}::{name}"));
        let global = long.as_deref().unwrap_or(name);
        let found = self.observer.globals.get(global);
        if let Some(&number) = found
            && let Some(variable) = program.globals().get(number as usize)
            && !variable.hidden
        {
            let reference = VarRef::Global(number);
            let op = match variable.len {
                None => Op::Read(reference),
                Some(_) => Op::Index(reference),
            };
            return Ok((variable, GuardOp::Plain(op)));
        }
        let Some(owner) = wanted.owner else {
            return Err(Box::new(self.no_global(wanted)));
        };
        let procedure = self.procedure(owner, wanted.place)?;
        let locals = &program.procedure(procedure).locals;
        let number = locals.iter().position(|it| !it.hidden && *it.name == *name);
        let Some(number) = number else {
            let names = locals.iter().filter(|it| !it.hidden).map(|it| &*it.name);
            let text = format!(
                "function `{}` has no variable `{}`",
                clip(owner),
                clip(name)
            );
            let wrong = Diagnostic::error(text, wanted.place);
            return Err(Box::new(wrong.help_if(did_you_mean(name, names))));
        };
        let variable = &locals[number];
        let op = match variable.len {
            None => GuardOp::Local(procedure, number as u32, variable.ty),
            Some(_) => GuardOp::LocalIndex(procedure, number as u32, variable.ty),
        };
        Ok((variable, op))
    }

    fn no_global(&self, wanted: &Variables<'_>) -> Diagnostic {
        let (program, name) = (self.observer.program, &*wanted.name);
        let text = format!("there is no global variable `{}`", clip(name));
        let shown = |it: &Variable| !it.hidden && *it.name == *name;
        let mut owners = program.procedures().iter();
        let owner = owners.find(|it| it.locals.iter().any(shown));
        let help = match owner {
            Some(owner) => Some(format!("a local is written `{}::{name}`", owner.name)),
            None => {
                let globals = program.globals().iter().filter(|it| !it.hidden);
                let constants = program.constants().iter().map(|(name, _)| &**name);
                did_you_mean(name, globals.map(|it| &*it.name).chain(constants))
            }
        };
        Diagnostic::error(text, wanted.place).help_if(help)
    }

    fn procedure(&self, name: &str, place: Span) -> Result<ProcId, Box<Diagnostic>> {
        let found = self.observer.procedures.get(name).copied();
        found.ok_or_else(|| {
            let names = self.observer.program.procedures().iter();
            let text = format!("there is no function `{}`", clip(name));
            let near = did_you_mean(name, names.map(|it| &*it.name));
            Box::new(Diagnostic::error(text, place).help_if(near))
        })
    }

    /// `@label`, `@function::label`
    fn label(&mut self) -> Result<(), Box<Diagnostic>> {
        let start = self.take(1);
        let Some((mut name, mut place)) = self.word() else {
            return Err(error("the name of a label is missing", start));
        };
        let mut owner = None;
        if self.rest().starts_with("::") {
            self.take(2);
            owner = Some(self.procedure(name, place)?);
            let Some((label, end)) = self.word() else {
                return Err(error("the name of a label is missing", place));
            };
            (name, place) = (label, place.to(end));
        }
        let all = self.observer.labels.get(name).into_iter().flatten();
        let points = all.filter(|point| owner.is_none_or(|owner| owner == point.procedure));
        let points: Vec<_> = points.copied().collect();
        if points.is_empty() {
            let names = self.observer.labels.keys().copied();
            let text = format!("there is no label `{}`", clip(name));
            let near = did_you_mean(name, names);
            return Err(Box::new(Diagnostic::error(text, place).help_if(near)));
        }
        self.values.push(Value {
            ops: vec![boolean_at(points)],
            ty: Type::Bool,
        });
        Ok(())
    }

    /// `in(function)`
    fn inside(&mut self) -> Result<(), Box<Diagnostic>> {
        let open = self.take(1);
        let Some((name, place)) = self.word() else {
            return Err(error("the name of a function is missing", open));
        };
        let procedure = self.procedure(name, place)?;
        if !self.rest().starts_with(')') {
            return Err(error("this is never closed", open));
        }
        self.take(1);
        self.values.push(Value {
            ops: vec![GuardOp::In(procedure)],
            ty: Type::Bool,
        });
        Ok(())
    }

    fn constant(&mut self, value: u64, ty: Type) {
        self.values.push(Value {
            ops: vec![GuardOp::Plain(Op::Const(ty.wrap(value), ty))],
            ty,
        });
    }

    /// Applies what waits and binds at least as tightly.
    fn reduce(&mut self, level_of_next: u8) {
        loop {
            let made = match self.waiting.last() {
                Some(Waiting::Unary(operator)) => {
                    let operator = *operator;
                    self.values.pop().map(|value| unary(operator, value))
                }
                Some(Waiting::Binary(operator)) if level(operator) >= level_of_next => {
                    let operator = *operator;
                    let right = self.values.pop();
                    let left = self.values.pop();
                    left.zip(right)
                        .map(|(left, right)| binary(operator, left, right))
                }
                _ => return,
            };
            self.waiting.pop();
            self.values.extend(made);
        }
    }
}

fn error(text: &str, place: Span) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(text, place))
}
