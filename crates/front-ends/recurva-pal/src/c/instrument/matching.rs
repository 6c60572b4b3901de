//! Which event a site matches.

use std::collections::BTreeMap;

use recurva_c::{ExprId, ExprKind, Kind, tokens};

use super::{
    View, Weaving,
    site::{Site, Target},
};
use crate::{
    c::prepare::{PreparedEvent, hole},
    lang::{Arguments, Event, Operand, OperandKind, PatternKind},
};

/// An event that matches a site.
#[derive(Debug)]
pub(crate) struct Found {
    /// Its index.
    pub(crate) event: usize,
    /// What its variables stand for.
    pub(crate) bound: BTreeMap<u32, Bound>,
}

impl Found {
    /// A part of an operand is used as it is written, once more: that must not do anything.
    pub(crate) fn obstacle(&self) -> Option<&'static str> {
        let has_effect = self.bound.values().any(|bound| match bound {
            Bound::Text(text) => words(text.as_bytes()).iter().any(|word| {
                let is_assignment =
                    word.ends_with(b"=") && !matches!(*word, b"==" | b"!=" | b"<=" | b">=");
                is_assignment || matches!(*word, b"++" | b"--" | b"(")
            }),
            _ => false,
        });
        has_effect.then_some("the part of it that the pattern names may have effects")
    }
}

/// What a variable of a pattern stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// What is assigned to.
    Target,
    /// The result of a call that is not stored directly.
    Result,
    /// The value that is assigned.
    Value,
    /// An argument.
    Argument(usize),
    /// A part of an operand, as it is written.
    Text(String),
}

/// The first event that matches.
pub(crate) fn find(view: View<'_>, site: Site, weaving: Weaving<'_>) -> Option<Found> {
    let events = weaving.monitor.events.iter().zip(&weaving.prepared.events);
    events.enumerate().find_map(|(index, (event, prepared))| {
        let mut attempt = Attempt {
            view,
            site,
            bound: BTreeMap::new(),
        };
        attempt.event(event, prepared).then_some(Found {
            event: index,
            bound: attempt.bound,
        })
    })
}

struct Attempt<'t> {
    view: View<'t>,
    site: Site,
    bound: BTreeMap<u32, Bound>,
}

impl Attempt<'_> {
    fn event(&mut self, event: &Event, prepared: &PreparedEvent) -> bool {
        let mut texts = prepared.operands.iter().map(Option::as_deref);
        let mut next_text = || texts.next().flatten();
        match &event.pattern.kind {
            PatternKind::Call { callee, arguments } => {
                let Some(call) = self.site.call else {
                    return false;
                };
                let unit = self.view.unit;
                let ExprKind::Call { callee: id, args } = &unit.expr(call).kind else {
                    return false;
                };
                if self.called(*id) != callee.text.as_bytes() {
                    return false;
                }
                if let Some(target) = &event.pattern.target
                    && !self.result(target, next_text())
                {
                    return false;
                }
                let Arguments::List(operands) = arguments else {
                    return true;
                };
                operands.len() == args.len()
                    && operands.iter().zip(args).enumerate().all(|(index, it)| {
                        let (operand, arg) = it;
                        self.operand(operand, next_text(), *arg, Bound::Argument(index))
                    })
            }
            PatternKind::Assign { value } => {
                // Storing the result of a call is a call.
                let Some(target) = self.site.target.filter(|_| self.site.call.is_none()) else {
                    return false;
                };
                let Some(pattern) = &event.pattern.target else {
                    return false;
                };
                self.target(pattern, next_text(), target) && self.value(value, next_text())
            }
        }
    }

    /// The name of the function, also of `(f)(x)`, `(*f)(x)`, `(&f)(x)` and `((T)f)(x)`; nothing
    /// for anything else.
    fn called(&self, mut callee: ExprId) -> &[u8] {
        loop {
            let expr = self.view.unit.expr(callee);
            match expr.kind {
                ExprKind::Name => return &self.view.text[expr.span.range()],
                ExprKind::Paren(inner)
                | ExprKind::Deref(inner)
                | ExprKind::Address(inner)
                | ExprKind::Cast(inner) => callee = inner,
                _ => return b"",
            }
        }
    }

    /// The left side of a pattern for calls. `$?` takes every call; a variable takes those with
    /// a result that is used.
    fn result(&mut self, pattern: &Operand, text: Option<&[u8]>) -> bool {
        match (&pattern.kind, self.site.target) {
            (OperandKind::Any, _) => true,
            (_, Some(target)) => self.target(pattern, text, target),
            (OperandKind::Bind(number), None) => {
                self.site.is_wanted && self.bind(*number, Bound::Result)
            }
            (OperandKind::Expr(_), None) => false,
        }
    }

    fn target(&mut self, pattern: &Operand, text: Option<&[u8]>, target: Target) -> bool {
        match (&pattern.kind, target) {
            (OperandKind::Any, _) => true,
            (OperandKind::Bind(number), _) => self.bind(*number, Bound::Target),
            (OperandKind::Expr(_), Target::Expr(id)) => {
                let span = self.view.span(id);
                self.text(text, &self.view.text[span.range()])
            }
            (OperandKind::Expr(_), Target::Variable(name)) => {
                self.text(text, &self.view.text[name.range()])
            }
        }
    }

    /// The right side of a pattern for assignments. That of `x += 1` is `x + 1`, which is
    /// written nowhere.
    fn value(&mut self, pattern: &Operand, text: Option<&[u8]>) -> bool {
        match pattern.kind {
            OperandKind::Any => true,
            OperandKind::Bind(number) => self.bind(number, Bound::Value),
            OperandKind::Expr(_) => {
                let value = match self.view.unit.expr(self.site.expr).kind {
                    _ if matches!(self.site.target, Some(Target::Variable(_))) => self.site.expr,
                    ExprKind::Assign {
                        operator, value, ..
                    } if &self.view.text[operator.range()] == b"=" => value,
                    _ => return false,
                };
                let span = self.view.span(value);
                self.text(text, &self.view.text[span.range()])
            }
        }
    }

    fn operand(
        &mut self,
        pattern: &Operand,
        text: Option<&[u8]>,
        expr: ExprId,
        bound: Bound,
    ) -> bool {
        match pattern.kind {
            OperandKind::Any => true,
            OperandKind::Bind(number) => self.bind(number, bound),
            OperandKind::Expr(_) => {
                let span = self.view.span(expr);
                self.text(text, &self.view.text[span.range()])
            }
        }
    }

    /// Binds a variable. Where it is bound already, both must be written alike.
    fn bind(&mut self, number: u32, bound: Bound) -> bool {
        match self.bound.get(&number) {
            None => {
                self.bound.insert(number, bound);
                true
            }
            Some(other) => match (self.written(other), self.written(&bound)) {
                (Some(one), Some(two)) => one == two,
                _ => false,
            },
        }
    }

    fn written(&self, bound: &Bound) -> Option<String> {
        let span = match bound {
            Bound::Target => match self.site.target? {
                Target::Expr(id) => self.view.span(id),
                Target::Variable(name) => name,
            },
            Bound::Argument(index) => {
                let kind = &self.view.unit.expr(self.site.call?).kind;
                let ExprKind::Call { args, .. } = kind else {
                    return None;
                };
                self.view.span(*args.get(*index)?)
            }
            Bound::Text(text) => return Some(text.clone()),
            Bound::Result | Bound::Value => return None,
        };
        Some(self.view.flat(span))
    }

    /// Whether a text is that of the pattern, whose holes take any balanced piece.
    fn text(&mut self, pattern: Option<&[u8]>, text: &[u8]) -> bool {
        let Some(pattern) = pattern else { return false };
        let pattern = words(pattern);
        let text = words(text);
        let mut holes = Vec::new();
        fits(&pattern, &text, &mut holes)
            && holes
                .into_iter()
                .all(|(number, text)| number == 0 || self.bind(number, Bound::Text(text)))
    }
}

fn words(text: &[u8]) -> Vec<&[u8]> {
    let all = tokens(text).into_iter();
    let all = all.filter(|token| !matches!(token.kind, Kind::Line | Kind::End));
    all.map(|token| token.of(text)).collect()
}

fn fits(pattern: &[&[u8]], text: &[&[u8]], holes: &mut Vec<(u32, String)>) -> bool {
    let Some((first, rest)) = pattern.split_first() else {
        return text.is_empty();
    };
    let Some(number) = hole(first) else {
        return text
            .split_first()
            .is_some_and(|(word, text)| word == first && fits(rest, text, holes));
    };
    let mut open = 0usize;
    for (index, word) in text.iter().enumerate() {
        match *word {
            b"(" | b"[" | b"{" => open += 1,
            b")" | b"]" | b"}" => match open.checked_sub(1) {
                Some(less) => open = less,
                None => return false,
            },
            _ => {}
        }
        if open > 0 {
            continue;
        }
        let known = holes.len();
        let taken: Vec<_> = text[..=index]
            .iter()
            .map(|it| String::from_utf8_lossy(it))
            .collect();
        holes.push((number, taken.join(" ")));
        if fits(rest, &text[index + 1..], holes) {
            return true;
        }
        holes.truncate(known);
    }
    false
}
