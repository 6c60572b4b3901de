//! The code for a site.
//!
//! A call `f(a, b)` becomes
//!
//! ```text
//! ({ type b' = b; type a' = a;      the arguments, in the compiler's own order
//!    locals of the event;
//!    if (!guard) report; else action
//!    push; result = f(a', b'); pop;
//!    if (!guard) report; else action
//!    result; })
//! ```
//!
//! Types are the compiler's business: `__auto_type` and `__typeof__` name them. Constants are
//! not stored first, since a `0` that was stored is no null pointer any more.

use std::fmt::Write;

use recurva_c::{ExprId, ExprKind, Use};
use recurva_syntax::Span;

use super::{
    Order, View, Weaving,
    guard::{GuardSite, Moment, Purpose},
    matching::{Bound, Found},
    prelude::prelude,
    site::{Plan, Plans, Site, Target, shortened},
    writer::Writer,
};
use crate::{c::prepare::quoted, lang::PatternKind};

pub(crate) struct Emitter<'t, 'a> {
    pub(super) view: View<'t>,
    pub(super) weaving: Weaving<'a>,
    plans: &'a Plans,
    pub(super) writer: Writer<'t>,
    /// Whether something is planned in an expression, or in one inside it.
    is_touched: Vec<bool>,
    /// How many sites have been written: each has names of its own.
    count: u32,
    /// What the monitor asks for.
    pub(super) guards: Vec<GuardSite>,
}

/// What the parts of a site are called in its code.
pub(super) struct Names {
    pub(super) number: u32,
    /// What is assigned to, where it can be named once more; otherwise the value stands for it.
    pub(super) target: Option<String>,
    /// The same before the assignment.
    pub(super) old_target: Option<String>,
    args: Vec<String>,
    value: Option<String>,
}

impl Names {
    fn result(&self) -> String {
        format!("recurva_pal_r{}", self.number)
    }

    /// What a variable of the pattern stands for.
    pub(super) fn of(&self, bound: &Bound, moment: Moment) -> String {
        let or_result = |name: &Option<String>| name.clone().unwrap_or_else(|| self.result());
        match bound {
            Bound::Target if moment == Moment::Before => or_result(&self.old_target),
            Bound::Target => or_result(&self.target),
            Bound::Result => self.result(),
            Bound::Value => format!("({})", or_result(&self.value)),
            Bound::Argument(index) => format!("({})", self.args[*index]),
            Bound::Text(text) => format!("({text})"),
        }
    }
}

impl<'t, 'a> Emitter<'t, 'a> {
    pub(crate) fn new(view: View<'t>, weaving: Weaving<'a>, plans: &'a Plans) -> Self {
        let mut is_touched: Vec<bool> = Vec::new();
        for (id, expr) in view.unit.exprs() {
            let planned = plans.exprs.contains_key(&id) || plans.initials.contains_key(&id);
            let inside = |id: &ExprId| is_touched[id.index()];
            let is = planned
                || expr.kind.operands().iter().any(inside)
                || match &expr.kind {
                    ExprKind::Block(roots) => roots.iter().any(|root| inside(&root.expr)),
                    _ => false,
                };
            is_touched.push(is);
        }
        Emitter {
            view,
            weaving,
            plans,
            writer: Writer::new(view.text, view.places),
            is_touched,
            count: 0,
            guards: GuardSite::all(weaving.monitor),
        }
    }

    /// The whole unit.
    pub(crate) fn emit(mut self, matched: &[usize]) -> Vec<u8> {
        let mut at = 0;
        for (index, function) in self.view.unit.functions().iter().enumerate() {
            if self.plans.first == Some(index) {
                self.writer.source(Span::new(at, function.start()));
                at = function.start();
                let prelude = prelude(self.weaving, self.view.text, matched);
                self.writer.lines(&prelude);
            }
            at = self.roots(function.roots(), at);
        }
        self.writer
            .source(Span::new(at, self.view.text.len() as u32));
        self.writer.finish()
    }

    /// Writes on from an offset to the end of the last touched root; that is where to go on.
    fn roots(&mut self, roots: &[recurva_c::Root], mut at: u32) -> u32 {
        let mut touched: Vec<_> = roots.iter().collect();
        touched.retain(|root| self.is_touched[root.expr.index()]);
        touched.sort_by_key(|root| self.view.span(root.expr).start);
        for root in touched {
            let span = self.view.span(root.expr);
            self.writer.source(Span::new(at, span.start));
            match self.plans.initials.get(&root.expr) {
                Some(plan) if matches!(root.usage, Use::Initial { .. }) => self.plan(plan),
                _ => self.expr(root.expr),
            }
            at = span.end;
        }
        at
    }

    pub(super) fn expr(&mut self, id: ExprId) {
        match self.plans.exprs.get(&id) {
            Some(plan) => self.plan(plan),
            None => self.inside(id),
        }
    }

    /// An expression without what is planned for itself.
    fn inside(&mut self, id: ExprId) {
        let expr = self.view.unit.expr(id);
        if !self.is_touched[id.index()] {
            return self.writer.source(expr.span);
        }
        let mut at = expr.span.start;
        if let ExprKind::Block(roots) = &expr.kind {
            at = self.roots(roots, at);
        }
        for operand in expr.kind.operands() {
            let span = self.view.span(operand);
            self.writer.source(Span::new(at, span.start));
            self.expr(operand);
            at = span.end;
        }
        self.writer.source(Span::new(at, expr.span.end));
    }

    fn plan(&mut self, plan: &Plan) {
        if let (Plan::Setjmp(call), Purpose::Check) = (plan, self.weaving.purpose) {
            return self.inside(*call);
        }
        self.count += 1;
        let number = self.count;
        self.writer.glue("__extension__ ({ ");
        match plan {
            Plan::Setjmp(call) => self.setjmp(*call, number),
            Plan::Event { site, found } => self.site(*site, found, number),
        }
        self.writer.glue(" })");
    }

    /// The pending calls of the first time are those of every time.
    fn setjmp(&mut self, call: ExprId, number: u32) {
        let kept = format!("recurva_pal_j{number}");
        let result = format!("recurva_pal_r{number}");
        self.writer.glue(&format!(
            "struct recurva_pal_frame *volatile {kept} = recurva_pal_top; int {result} = "
        ));
        self.inside(call);
        self.writer
            .glue(&format!("; recurva_pal_top = {kept}; {result};"));
    }

    fn site(&mut self, site: Site, found: &Found, number: u32) {
        let event = &self.weaving.monitor.events[found.event];
        let mut names = Names {
            number,
            target: None,
            old_target: None,
            args: Vec::new(),
            value: None,
        };
        match (&event.pattern.kind, site.call) {
            (PatternKind::Call { .. }, Some(call)) => self.call(site, call, found, &mut names),
            _ => self.assignment(site, found, &mut names),
        }
    }

    fn call(&mut self, site: Site, call: ExprId, found: &Found, names: &mut Names) {
        let unit = self.view.unit;
        let ExprKind::Call { callee, args } = &unit.expr(call).kind else {
            return;
        };
        let number = names.number;
        self.before_call(site);
        names.args = vec![String::new(); args.len()];
        let mut order: Vec<_> = (0..args.len()).collect();
        if self.weaving.order == Order::LastFirst {
            order.reverse();
        }
        for index in order {
            names.args[index] = self.store(args[index], &format!("recurva_pal_a{number}_{index}"));
        }
        let is_target_bound = found.bound.values().any(|bound| *bound == Bound::Target);
        self.name_target(site, names);
        let called = self.view.flat(self.view.span(*callee));
        let called = format!("{called}({})", names.args.join(", "));
        self.locals(site, found, names);
        self.part(Moment::Before, site, found, names);
        let frame = format!("recurva_pal_f{number}");
        if self.weaving.purpose == Purpose::Run {
            let text = self.describe(site, found);
            self.writer.glue(&format!(
                "struct recurva_pal_frame {frame} = {{ {text}, recurva_pal_top }}; \
                 recurva_pal_top = &{frame}; "
            ));
        }
        let is_void = format!("__builtin_types_compatible_p(__typeof__({called}), void)");
        let result = names.result();
        let is_bound = found.bound.values().any(|bound| *bound == Bound::Result);
        let is_void_possible = site.target.is_none() && !is_bound;
        let keeps = site.is_wanted || is_bound;
        match site.target {
            Some(Target::Expr(target)) => {
                let needs_result = site.is_wanted || (is_target_bound && names.target.is_none());
                if needs_result {
                    self.writer.glue(&format!("__auto_type {result} = ("));
                }
                match names.target.as_ref().filter(|_| self.has_effects(site)) {
                    Some(stored) => self.writer.glue(stored),
                    // As it stands, so that the compiler evaluates it when it always did.
                    None => self.expr(target),
                }
                self.writer.glue(&format!(" = {called}"));
                self.writer.glue(if needs_result { "); " } else { "; " });
            }
            Some(Target::Variable(name)) => {
                let name = self.view.flat(name);
                self.writer
                    .glue(&format!("__typeof__({name}) {result} = {called}; "));
            }
            None if !keeps => self.writer.glue(&format!("{called}; ")),
            None if is_bound => self
                .writer
                .glue(&format!("__auto_type {result} = {called}; ")),
            None => self.writer.glue(&format!(
                "__auto_type {result} = __builtin_choose_expr({is_void}, ({called}, 0), {called}); "
            )),
        }
        if self.weaving.purpose == Purpose::Run {
            self.writer
                .glue(&format!("recurva_pal_top = {frame}.outer; "));
        }
        self.part(Moment::After, site, found, names);
        if keeps && is_void_possible {
            self.writer.glue(&format!(
                "__builtin_choose_expr({is_void}, (void)0, {result});"
            ));
        } else if keeps {
            self.writer.glue(&format!("{result};"));
        }
    }

    fn assignment(&mut self, site: Site, found: &Found, names: &mut Names) {
        let number = names.number;
        let result = names.result();
        if let Some(Target::Variable(name)) = site.target {
            let name = self.view.flat(name);
            self.writer.glue(&format!("__typeof__({name}) {result} = "));
            self.expr(site.expr);
            self.writer.glue("; ");
            self.locals(site, found, names);
            self.part(Moment::Before, site, found, names);
            self.part(Moment::After, site, found, names);
            return self.writer.glue(&format!("{result};"));
        }
        let is_value_bound = found.bound.values().any(|bound| *bound == Bound::Value);
        let kind = &self.view.unit.expr(site.expr).kind;
        let stored = match kind {
            ExprKind::Assign { value, .. } => self.store(*value, &format!("recurva_pal_w{number}")),
            _ => String::new(),
        };
        self.store_target(site, names);
        let target = names.target.clone().unwrap_or_default();
        let run = match *kind {
            ExprKind::Assign { operator, .. } => {
                let operator = self.view.flat(operator);
                names.value = Some(match operator.strip_suffix('=') {
                    Some("") | None => stored.clone(),
                    Some(inner) => format!("({target}) {inner} ({stored})"),
                });
                format!("{target} {operator} {stored}")
            }
            ExprKind::Step(inner) => {
                let all = self.view.span(site.expr);
                let inner = self.view.span(inner);
                let is_behind = all.start == inner.start;
                let sign = match is_behind {
                    true => self.view.flat(Span::new(inner.end, all.end)),
                    false => self.view.flat(Span::new(all.start, inner.start)),
                };
                let sign = sign.trim();
                names.value = Some(format!("({target}) {} 1", &sign[..1]));
                match is_behind {
                    true => format!("{target}{sign}"),
                    false => format!("{sign}{target}"),
                }
            }
            _ => return,
        };
        // Afterwards, the target has another value.
        if is_value_bound && let Some(value) = &names.value {
            let kept = format!("recurva_pal_n{number}");
            self.writer.glue(&format!("__auto_type {kept} = {value}; "));
            names.value = Some(kept);
        }
        self.locals(site, found, names);
        self.part(Moment::Before, site, found, names);
        match site.is_wanted {
            true => self
                .writer
                .glue(&format!("__auto_type {result} = ({run}); ")),
            false => self.writer.glue(&format!("{run}; ")),
        }
        self.part(Moment::After, site, found, names);
        if site.is_wanted {
            self.writer.glue(&format!("{result};"));
        }
    }

    fn locals(&mut self, site: Site, found: &Found, names: &Names) {
        let back = self.view.span(site.expr).start;
        let fill = |number: u32| match found.bound.get(&number) {
            Some(bound) => names.of(bound, Moment::Before),
            None => String::new(),
        };
        let event = &self.weaving.monitor.events[found.event];
        let prepared = &self.weaving.prepared.events[found.event];
        for (local, declaration) in prepared.locals.iter().zip(&event.locals) {
            self.writer.fragment(local, back, fill);
            // If a guard fails and the program goes on, nothing else may give it a value.
            let needs_value = match &declaration.variables[..] {
                [variable] => variable.initialiser.is_none() && !local.contains(&b'['),
                _ => false,
            };
            self.writer
                .glue(if needs_value { "= { 0 }; " } else { "; " });
        }
    }

    /// The four lines of a site, as a literal.
    pub(super) fn describe(&self, site: Site, found: &Found) -> String {
        let span = self.view.span(site.expr);
        let place = self.view.places.of(span.start);
        let event = &self.weaving.monitor.events[found.event];
        let function = self.view.unit.functions()[site.function].name(self.view.text);
        let mut text = event.title();
        // The name is escaped already.
        let file = String::from_utf8_lossy(place.file);
        let _ = write!(text, "\n{}:{}\n{function}\n", unescaped(&file), place.line);
        if let Some(Target::Variable(name)) = site.target {
            let _ = write!(text, "{} = ", self.view.flat(name));
        }
        text.push_str(&shortened(self.view.flat(span)));
        quoted(&text)
    }
}

/// The name in a line marker without its escapes.
fn unescaped(name: &str) -> String {
    let mut plain = String::new();
    let mut chars = name.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => plain.extend(chars.next()),
            char => plain.push(char),
        }
    }
    plain
}
