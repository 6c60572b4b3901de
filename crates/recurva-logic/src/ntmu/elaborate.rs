//! From the pieces of a formula to the formula: what names mean, abbreviations, negation, and
//! whether everything is bound.

use recurva_syntax::{Diagnostic, Diagnostics, Span, did_you_mean};
use rustc_hash::FxHashMap;

use super::{
    Fixpoint, FormulaId, Formulas, Modality, Path, Quantifier, Scope, VariableId, Written,
    items::{Definition, Item, ItemKind},
};

/// A formula under construction.
#[derive(Clone, Copy, Debug)]
struct Value {
    id: FormulaId,
    /// The outermost fixpoint in whose scope it has to stay, by depth; `CLOSED` if there is
    /// none.
    scope: u32,
    span: Span,
}

const CLOSED: u32 = u32::MAX;

/// A definition being written out, or the formula itself.
struct Frame<'d> {
    items: &'d [Item],
    next: usize,
    parameters: &'d [Box<str>],
    arguments: Vec<Value>,
    /// How many fixpoints were around the use: the names of those are not seen.
    base: usize,
    /// Where the definition is used, and what to remember its meaning by.
    used: Option<(Span, usize)>,
}

struct Bound {
    name: Box<str>,
    variable: VariableId,
}

/// Makes formulas of pieces.
pub(super) struct Elaborator<'d> {
    definitions: &'d [Definition],
    pub(super) formulas: Formulas,
    /// The meanings of definitions that were written out, by their arguments.
    known: FxHashMap<(usize, Vec<FormulaId>), (FormulaId, u32)>,
    stack: Vec<Value>,
    frames: Vec<Frame<'d>>,
    bound: Vec<Bound>,
    /// The names that fixpoints of the formula itself bind, and where.
    binders: FxHashMap<&'d str, Span>,
    /// How many formulas there may be.
    limit: usize,
}

/// Definitions that use each other may mean formulas far larger than their text.
const LARGE: usize = 200_000;

impl<'d> Elaborator<'d> {
    /// Names may refer to these definitions, to the last one of a name.
    pub(super) fn new(definitions: &'d [Definition]) -> Self {
        Elaborator {
            definitions,
            formulas: Formulas::new(),
            known: FxHashMap::default(),
            stack: Vec::new(),
            frames: Vec::new(),
            bound: Vec::new(),
            binders: FxHashMap::default(),
            limit: LARGE,
        }
    }

    /// The closed formula of some pieces, in which parameters stand for propositions; `None` if
    /// something is wrong with it, which is reported.
    pub(super) fn formula(
        &mut self,
        items: &'d [Item],
        parameters: &'d [Box<str>],
        diagnostics: &mut Diagnostics,
    ) -> Option<FormulaId> {
        let arguments = parameters.iter().map(|name| Value {
            id: self.formulas.proposition(name),
            scope: CLOSED,
            span: Span::default(),
        });
        let frame = Frame {
            items,
            next: 0,
            parameters,
            arguments: arguments.collect(),
            base: 0,
            used: None,
        };
        self.frames = vec![frame];
        self.stack.clear();
        self.bound.clear();
        self.limit = self.formulas.len() + LARGE + 30 * items.len();
        self.binders = items
            .iter()
            .filter_map(|item| match &item.kind {
                ItemKind::Bind(name) => Some((&**name, item.span)),
                _ => None,
            })
            .collect();
        let value = self
            .run()
            .map_err(|error| diagnostics.report(|| *error))
            .ok()?;
        let marker = self.formulas.marker(value.id);
        if marker > 0 {
            let returns = items
                .iter()
                .find(|item| matches!(item.kind, ItemKind::Return(_, index) if index == marker));
            let place = returns.map_or(value.span, |item| item.span);
            diagnostics.report(|| {
                Diagnostic::error(format!("no call binds `R{marker}`"), place)
                    .label("outside of every call")
                    .help(
                        "a marker is bound by a return condition: `<call> f {g}` binds `R1` in `f`",
                    )
            });
            return None;
        }
        Some(value.id)
    }

    fn run(&mut self) -> Result<Value, Box<Diagnostic>> {
        loop {
            let Some(frame) = self.frames.last_mut() else {
                return self.pop();
            };
            let items: &'d [Item] = frame.items;
            match items.get(frame.next) {
                Some(item) => {
                    frame.next += 1;
                    self.item(item)?;
                }
                None => self.leave()?,
            }
        }
    }

    /// A definition has been written out.
    fn leave(&mut self) -> Result<(), Box<Diagnostic>> {
        let Some(frame) = self.frames.pop() else {
            return Ok(());
        };
        if let Some((span, definition)) = frame.used {
            let mut value = self.pop()?;
            value.span = span;
            let arguments: Vec<FormulaId> = frame.arguments.iter().map(|value| value.id).collect();
            let name = self.definitions[definition].name.clone();
            let written = Written::Named(name, arguments.clone());
            self.formulas.set_written(value.id, written);
            let meaning = (value.id, value.scope);
            self.known.insert((definition, arguments), meaning);
            self.stack.push(value);
        }
        Ok(())
    }

    fn pop(&mut self) -> Result<Value, Box<Diagnostic>> {
        // The parser puts operands before operators; this is its mistake if it does not.
        let missing = || Box::new(Diagnostic::error("expected a formula", Span::at(0)));
        self.stack.pop().ok_or_else(missing)
    }

    /// Where to point to: into a definition only while that itself is read.
    fn place(&self, span: Span) -> Span {
        let used = self.frames.iter().find_map(|frame| frame.used);
        used.map_or(span, |(used, _)| used)
    }

    fn push(&mut self, id: FormulaId, scope: u32, span: Span) {
        self.stack.push(Value { id, scope, span });
    }

    fn item(&mut self, item: &'d Item) -> Result<(), Box<Diagnostic>> {
        let span = item.span;
        if self.formulas.len() > self.limit {
            let message = "the formula is too large when definitions are written out";
            return Err(Box::new(
                Diagnostic::error(message, self.place(span))
                    .label(format!("more than {} operators", self.limit)),
            ));
        }
        match &item.kind {
            ItemKind::Bracket => {}
            &ItemKind::Constant(value) => {
                let id = self.formulas.constant(value);
                self.push(id, CLOSED, span);
            }
            ItemKind::Proposition(text) => {
                let place = self.place(span);
                let id = self.formulas.proposition_at(text, place);
                self.push(id, CLOSED, span);
            }
            ItemKind::Terminates => {
                let id = self.formulas.terminates();
                self.push(id, CLOSED, span);
            }
            &ItemKind::Return(modality, marker) => {
                let id = self.formulas.ret(modality, marker);
                self.push(id, CLOSED, span);
            }
            &ItemKind::ReturnConstant(modality, value) => {
                let id = self.formulas.ret_constant(modality, value);
                self.push(id, CLOSED, span);
            }
            ItemKind::Name(name) => return self.name(name, span),
            ItemKind::Use(name, count) => return self.used(name, *count, span),
            ItemKind::Bind(name) => {
                let variable = self.formulas.new_variable(name);
                self.bound.push(Bound {
                    name: name.clone(),
                    variable,
                });
            }
            &ItemKind::Fixpoint(fixpoint) => return self.fixpoint(fixpoint, span),
            ItemKind::Not => {
                let value = self.pop()?;
                let id = self.negate(value, span)?;
                self.push(id, CLOSED, span.to(value.span));
            }
            ItemKind::And | ItemKind::Or | ItemKind::Implies => {
                let (right, left) = (self.pop()?, self.pop()?);
                let id = match item.kind {
                    ItemKind::And => self.formulas.and(left.id, right.id),
                    ItemKind::Or => self.formulas.or(left.id, right.id),
                    _ => {
                        let left = self.negate(left, span)?;
                        self.formulas.or(left, right.id)
                    }
                };
                let scope = left.scope.min(right.scope);
                self.push(id, scope, left.span.to(right.span));
            }
            &ItemKind::Local(modality) => {
                let value = self.pop()?;
                let id = self.formulas.local(modality, value.id);
                self.push(id, value.scope, span.to(value.span));
            }
            &ItemKind::Jump(modality) => {
                let value = self.pop()?;
                let id = self.formulas.jump(modality, value.id);
                self.push(id, value.scope, span.to(value.span));
            }
            &ItemKind::Call(modality, count) => return self.call(modality, count, span),
            &ItemKind::Path(quantifier, path, scope) => {
                let (right, left) = (self.pop()?, self.pop()?);
                return self.path((quantifier, path, scope), left, right, span);
            }
            &ItemKind::Temporal(quantifier, path, scope) => {
                let value = self.pop()?;
                let constant = Value {
                    id: self.formulas.constant(path == Path::Until),
                    scope: CLOSED,
                    span,
                };
                let (left, right) = match path {
                    Path::Until => (constant, value),
                    Path::WeakUntil => (value, constant),
                };
                return self.path((quantifier, path, scope), left, right, span);
            }
        }
        Ok(())
    }

    fn path(
        &mut self,
        (quantifier, path, scope): (Quantifier, Path, Scope),
        left: Value,
        right: Value,
        span: Span,
    ) -> Result<(), Box<Diagnostic>> {
        for value in [left, right] {
            let marker = self.formulas.marker(value.id);
            if scope == Scope::Global && marker > 0 {
                let message = format!("`R{marker}` would mean another call's in called procedures");
                return Err(Box::new(
                    Diagnostic::error(message, self.place(value.span))
                        .note(self.place(span), "this looks into called procedures")
                        .help("the local form, with `_l`, stays in the current one"),
                ));
            }
        }
        let id = self
            .formulas
            .path(quantifier, path, scope, left.id, right.id);
        let place = span.to(left.span).to(right.span);
        self.push(id, left.scope.min(right.scope), place);
        Ok(())
    }

    fn call(
        &mut self,
        modality: Modality,
        count: usize,
        span: Span,
    ) -> Result<(), Box<Diagnostic>> {
        let mut returns = Vec::with_capacity(count);
        let mut scope = CLOSED;
        for _ in 0..count {
            let value = self.pop()?;
            scope = scope.min(value.scope);
            returns.push(value.id);
        }
        returns.reverse();
        let body = self.pop()?;
        let marker = self.formulas.marker(body.id);
        if marker as usize > count {
            let has = match count {
                0 => "no return condition".to_owned(),
                1 => "only one return condition".to_owned(),
                count => format!("only {count} return conditions"),
            };
            let message = format!("`R{marker}` is not bound: the call has {has}");
            return Err(Box::new(
                Diagnostic::error(message, self.place(body.span))
                    .note(self.place(span), "this call")
                    .help(format!(
                        "its braces need a formula for each marker up to `R{marker}`; `true` requires nothing"
                    )),
            ));
        }
        let id = self.formulas.call(modality, body.id, &returns);
        self.push(id, scope.min(body.scope), span);
        Ok(())
    }

    fn fixpoint(&mut self, fixpoint: Fixpoint, span: Span) -> Result<(), Box<Diagnostic>> {
        let body = self.pop()?;
        if let Some(bound) = self.bound.pop() {
            let depth = self.bound.len() as u32;
            let id = self.formulas.fixpoint(fixpoint, bound.variable, body.id);
            let scope = if body.scope >= depth {
                CLOSED
            } else {
                body.scope
            };
            self.push(id, scope, span.to(body.span));
        }
        Ok(())
    }

    fn negate(&mut self, value: Value, operator: Span) -> Result<FormulaId, Box<Diagnostic>> {
        let marker = self.formulas.marker(value.id);
        let what = if value.scope != CLOSED {
            let bound = self.bound.get(value.scope as usize);
            let name = bound.map_or("", |bound| &bound.name);
            format!("`{name}`, which a fixpoint outside of it binds")
        } else if marker > 0 {
            format!("`R{marker}`, which a call outside of it binds")
        } else {
            return Ok(self.formulas.negate(value.id));
        };
        Err(Box::new(
            Diagnostic::error(
                "only closed formulas can be negated",
                self.place(value.span),
            )
            .label(format!("this has {what}"))
            .note(self.place(operator), "negated here")
            .help("negate inside: `!<loc> f` is `[loc] !f`, `!<ret> R1` has no counterpart"),
        ))
    }

    /// A name without arguments.
    fn name(&mut self, name: &'d str, span: Span) -> Result<(), Box<Diagnostic>> {
        let Some(frame) = self.frames.last() else {
            return Ok(());
        };
        let inner = self.bound[frame.base..].iter();
        if let Some(at) = inner.rev().position(|bound| *bound.name == *name) {
            let depth = self.bound.len() - 1 - at;
            let id = self.formulas.variable(self.bound[depth].variable);
            self.push(id, depth as u32, span);
            return Ok(());
        }
        if let Some(at) = frame.parameters.iter().position(|known| **known == *name) {
            let argument = frame.arguments[at];
            self.push(argument.id, argument.scope, span);
            return Ok(());
        }
        if self.visible().iter().any(|known| *known.name == *name) {
            return self.used(name, 0, span);
        }
        // Definitions have been checked by themselves.
        if let (Some(&binder), None) = (self.binders.get(name), frame.used) {
            let message = format!("`{name}` is used outside of its fixpoint");
            return Err(Box::new(
                Diagnostic::error(message, self.place(span))
                    .note(binder, "bound here, for what follows in its brackets")
                    .help(format!("for a proposition of this name write `\"{name}\"`")),
            ));
        }
        let place = self.place(span);
        let id = self.formulas.proposition_at(name, place);
        self.push(id, CLOSED, span);
        Ok(())
    }

    /// The definitions that can be used here: in one of them only those before it. A wrong
    /// definition that uses itself is kept for messages, and must not be written out for ever.
    fn visible(&self) -> &'d [Definition] {
        match self.frames.last().and_then(|frame| frame.used) {
            Some((_, definition)) => &self.definitions[..definition],
            None => self.definitions,
        }
    }

    /// A definition with its arguments.
    fn used(&mut self, name: &str, count: usize, span: Span) -> Result<(), Box<Diagnostic>> {
        let definitions = self.visible();
        let found = definitions.iter().rposition(|known| *known.name == *name);
        let Some(index) = found else {
            let all = definitions.iter().map(|known| &*known.name);
            return Err(Box::new(
                Diagnostic::error(format!("there is no definition `{name}`"), self.place(span))
                    .help_if(did_you_mean(name, all)),
            ));
        };
        let definition = &definitions[index];
        let mut arguments = Vec::with_capacity(count);
        for _ in 0..count {
            arguments.push(self.pop()?);
        }
        arguments.reverse();
        if definition.parameters.len() != count {
            let wanted = match definition.parameters.len() {
                0 => "no arguments".to_owned(),
                1 => "1 argument".to_owned(),
                more => format!("{more} arguments"),
            };
            let message = format!("`{name}` takes {wanted}, not {count}");
            let error = Diagnostic::error(message, self.place(span));
            let usage = format!("{name}({})", definition.parameters.join(", "));
            return Err(Box::new(match definition.place {
                Some(place) => error.note(place, "defined here"),
                None => error.help(format!("it is used as `{usage}`")),
            }));
        }
        for argument in &arguments {
            let marker = self.formulas.marker(argument.id);
            if marker > 0 {
                let message = format!("an argument cannot have `R{marker}` of a call around it");
                return Err(Box::new(
                    Diagnostic::error(message, self.place(argument.span))
                        .help("the definition may put it where the marker means another call's"),
                ));
            }
        }
        let key = (index, arguments.iter().map(|value| value.id).collect());
        if let Some(&(id, scope)) = self.known.get(&key) {
            self.push(id, scope, span);
            return Ok(());
        }
        let place = self.place(span);
        self.frames.push(Frame {
            items: &definition.items,
            next: 0,
            parameters: &definition.parameters,
            arguments,
            base: self.bound.len(),
            used: Some((place, index)),
        });
        Ok(())
    }
}
