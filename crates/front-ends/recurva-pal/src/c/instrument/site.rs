//! Calls and assignments that events can match, and what is to be done with each.

use recurva_c::{ExprId, ExprKind, Place, Places, Root, Unit, Use, tokens};
use recurva_syntax::Span;

use super::{
    ByExpr, Refused, View, Weaving,
    matching::{Found, find},
    refused,
};
use crate::lang::PatternKind;

/// Calls that may return a second time, to where they were made: the pending calls are then
/// those of the first time.
const SETJMP: [&[u8]; 5] = [
    b"setjmp",
    b"_setjmp",
    b"sigsetjmp",
    b"__sigsetjmp",
    b"__builtin_setjmp",
];

/// Something that an event may match.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    /// The expression to put code around.
    pub(crate) expr: ExprId,
    /// The call, if it is one, by itself or as the value that is stored.
    pub(crate) call: Option<ExprId>,
    /// What is assigned to, if anything.
    pub(crate) target: Option<Target>,
    /// Whether something is done with the value.
    pub(crate) is_wanted: bool,
    /// The function it is in.
    pub(crate) function: usize,
}

/// What is assigned to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// An expression.
    Expr(ExprId),
    /// A variable that is declared here; the value is its initial one.
    Variable(Span),
}

/// What to do with a site.
#[derive(Debug)]
pub(crate) enum Plan {
    /// An event matched it.
    Event { site: Site, found: Found },
    /// It may return twice: keep the pending calls right.
    Setjmp(ExprId),
}

/// The plans of a unit.
#[derive(Default)]
pub(crate) struct Plans {
    /// For the whole of an expression.
    pub(crate) exprs: ByExpr<Plan>,
    /// For an expression as the initial value of a variable.
    pub(crate) initials: ByExpr<Plan>,
    /// The first function in which something is planned.
    pub(crate) first: Option<usize>,
}

impl Plans {
    /// Finds the first event for each call and assignment of the user's functions.
    pub(crate) fn new(
        text: &[u8],
        unit: &Unit,
        places: &Places<'_>,
        weaving: Weaving<'_>,
    ) -> Result<Plans, Vec<Refused>> {
        let view = View { text, unit, places };
        let mut planner = Planner {
            view,
            weaving,
            plans: Plans::default(),
            refused: Vec::new(),
            pending: Vec::new(),
            function: 0,
        };
        let main = places.of(0);
        for (index, function) in unit.functions().iter().enumerate() {
            // Its first word may be a macro of the system's.
            if is_foreign(places.of(function.body().start), main) {
                continue;
            }
            planner.function = index;
            for root in function.roots() {
                planner.root(*root);
            }
            planner.work();
            if planner.plans.first.is_none() && !planner.plans.is_empty() {
                planner.plans.first = Some(index);
            }
        }
        if planner.refused.is_empty() {
            Ok(planner.plans)
        } else {
            Err(planner.refused)
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.exprs.is_empty() && self.initials.is_empty()
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Plan> {
        self.exprs.values().chain(self.initials.values())
    }
}

/// Inline functions of the system's headers are none of the user's.
fn is_foreign(place: Place<'_>, main: Place<'_>) -> bool {
    place.is_system() && place.file != main.file
}

/// An expression that has still to be looked at.
#[derive(Clone, Copy)]
struct Pending {
    expr: ExprId,
    is_wanted: bool,
    obstacle: Option<&'static str>,
}

struct Planner<'t, 'a> {
    view: View<'t>,
    weaving: Weaving<'a>,
    plans: Plans,
    refused: Vec<Refused>,
    pending: Vec<Pending>,
    function: usize,
}

impl Planner<'_, '_> {
    fn root(&mut self, root: Root) {
        self.root_behind(root, None);
    }

    fn root_behind(&mut self, root: Root, obstacle: Option<&'static str>) {
        let mut next = Pending {
            expr: root.expr,
            is_wanted: true,
            obstacle,
        };
        match root.usage {
            Use::Discarded => next.is_wanted = false,
            Use::Wanted => {}
            Use::Parameter => {
                next.obstacle = Some("it is in a list of parameters, where no statement may stand");
            }
            Use::Initial { name } => return self.initial(next, name),
        }
        self.pending.push(next);
    }

    fn work(&mut self) {
        while let Some(next) = self.pending.pop() {
            self.visit(next);
        }
    }

    fn visit(&mut self, next: Pending) {
        let unit = self.view.unit;
        let wanted = |expr: ExprId| Pending {
            expr,
            is_wanted: true,
            obstacle: next.obstacle,
        };
        match &unit.expr(next.expr).kind {
            ExprKind::Paren(inner) | ExprKind::Cast(inner) => {
                self.pending.push(Pending {
                    expr: *inner,
                    ..next
                });
            }
            ExprKind::Comma(all) => {
                for (index, expr) in all.iter().enumerate() {
                    let is_last = index + 1 == all.len();
                    self.pending.push(Pending {
                        expr: *expr,
                        is_wanted: next.is_wanted && is_last,
                        ..next
                    });
                }
            }
            ExprKind::Block(roots) => {
                for root in roots {
                    self.root_behind(*root, next.obstacle);
                }
            }
            ExprKind::Closed { perhaps, .. } => {
                self.refuse_computed_size(next.expr);
                let obstacle = Some("only one of the alternatives here is evaluated");
                self.pending.extend(perhaps.iter().map(|expr| Pending {
                    expr: *expr,
                    is_wanted: true,
                    obstacle,
                }));
            }
            ExprKind::Call { callee, args } => {
                let site = self.site(next, Some(next.expr), None);
                self.plan(site, next.obstacle);
                self.refuse_chosen(*callee, next.expr);
                self.pending.push(wanted(*callee));
                self.pending.extend(args.iter().copied().map(wanted));
            }
            ExprKind::Assign {
                operator,
                target,
                value,
            } => {
                let is_plain = &self.view.text[operator.range()] == b"=";
                let call = self.call_in(*value).filter(|_| is_plain);
                let site = self.site(next, call, Some(Target::Expr(*target)));
                self.plan(site, next.obstacle);
                self.pending.push(wanted(*target));
                self.push_value(wanted(*value), call);
            }
            ExprKind::Step(target) => {
                let site = self.site(next, None, Some(Target::Expr(*target)));
                self.plan(site, next.obstacle);
                self.pending.push(wanted(*target));
            }
            kind => self.pending.extend(kind.operands().into_iter().map(wanted)),
        }
    }

    /// `T name = value`.
    fn initial(&mut self, next: Pending, name: Span) {
        let call = self.call_in(next.expr);
        let site = self.site(next, call, Some(Target::Variable(name)));
        self.plan(site, next.obstacle);
        self.push_value(next, call);
    }

    /// The value of an assignment: if it is a call, the two were looked at as one.
    fn push_value(&mut self, value: Pending, call: Option<ExprId>) {
        let Some(call) = call else {
            self.pending.push(value);
            return;
        };
        let unit = self.view.unit;
        let (before, _) = unit.last(value.expr);
        let operands = unit.expr(call).kind.operands();
        let before = before.into_iter().map(|expr| (expr, false));
        let all = before.chain(operands.into_iter().map(|expr| (expr, true)));
        self.pending.extend(all.map(|(expr, is_wanted)| Pending {
            expr,
            is_wanted,
            obstacle: value.obstacle,
        }));
    }

    fn call_in(&self, expr: ExprId) -> Option<ExprId> {
        let unit = self.view.unit;
        let (_, last) = unit.last(expr);
        matches!(unit.expr(last).kind, ExprKind::Call { .. }).then_some(last)
    }

    fn site(&self, next: Pending, call: Option<ExprId>, target: Option<Target>) -> Site {
        Site {
            expr: next.expr,
            call,
            target,
            is_wanted: next.is_wanted,
            function: self.function,
        }
    }

    /// Plans what the first event that matches says.
    fn plan(&mut self, site: Site, obstacle: Option<&'static str>) {
        let is_initial = matches!(site.target, Some(Target::Variable(_)));
        let Some(found) = find(self.view, site, self.weaving) else {
            let call = site.call.filter(|call| self.is_setjmp(*call));
            if let Some(call) = call {
                self.refuse_if(obstacle, call);
                self.plans.exprs.insert(call, Plan::Setjmp(call));
            }
            return;
        };
        let obstacle = obstacle.or_else(|| self.obstacle(site));
        self.refuse_if(obstacle.or_else(|| found.obstacle()), site.expr);
        let plan = Plan::Event { site, found };
        if is_initial {
            self.plans.initials.insert(site.expr, plan);
        } else {
            self.plans.exprs.insert(site.expr, plan);
        }
    }

    fn is_setjmp(&self, call: ExprId) -> bool {
        let ExprKind::Call { callee, .. } = self.view.unit.expr(call).kind else {
            return false;
        };
        let callee = self.view.span(self.view.unit.bare(callee));
        SETJMP.contains(&&self.view.text[callee.range()])
    }

    /// A compound literal lives as long as the block around it: code around the call would end
    /// its life too early.
    fn obstacle(&self, site: Site) -> Option<&'static str> {
        let unit = self.view.unit;
        let mut pending = vec![site.expr];
        while let Some(id) = pending.pop() {
            let kind = &unit.expr(id).kind;
            let is_kept = match kind {
                ExprKind::List { is_array, .. } => *is_array,
                ExprKind::Address(inner) => {
                    matches!(unit.expr(unit.bare(*inner)).kind, ExprKind::List { .. })
                }
                _ => false,
            };
            if is_kept {
                return Some("a compound literal in it would not live long enough");
            }
            pending.extend(kind.operands());
        }
        None
    }

    /// A call of the one or the other function: it cannot be told from the text which event it is.
    fn refuse_chosen(&mut self, callee: ExprId, call: ExprId) {
        let kind = &self.view.unit.expr(self.view.unit.bare(callee)).kind;
        let is_chosen = matches!(
            kind,
            ExprKind::Operator(_) | ExprKind::Comma(_) | ExprKind::Closed { .. }
        );
        if is_chosen && self.mentions(self.view.span(callee), false) {
            self.refuse_if(
                Some("which function it calls is chosen when it is run"),
                call,
            );
        }
    }

    /// The size of an array whose length is computed: calls in it may be made or not.
    fn refuse_computed_size(&mut self, closed: ExprId) {
        let span = self.view.span(closed);
        if self.view.text[span.range()].contains(&b'[') && self.mentions(span, true) {
            self.refuse_if(Some("it may be a part of the length of an array"), closed);
        }
    }

    /// Whether the name of an event's function is among the words of a text, as a call if wanted.
    fn mentions(&self, span: Span, as_call: bool) -> bool {
        let text = &self.view.text[span.range()];
        let all = tokens(text);
        let events = &self.weaving.monitor.events;
        all.windows(2).any(|pair| {
            let is_called = pair[1].of(text) == b"(";
            let name = pair[0].of(text);
            (is_called || !as_call)
                && events.iter().any(|event| match &event.pattern.kind {
                    PatternKind::Call { callee, .. } => callee.text.as_bytes() == name,
                    PatternKind::Assign { .. } => false,
                })
        })
    }

    fn refuse_if(&mut self, obstacle: Option<&'static str>, expr: ExprId) {
        let Some(obstacle) = obstacle else { return };
        let span = self.view.span(expr);
        let text = shortened(self.view.flat(span));
        let message = format!("`{text}` cannot be monitored: {obstacle}");
        let help = "move it into a statement of its own";
        let refused = refused(self.view.places, span, message, help);
        self.refused.push(refused);
    }
}

/// A text for messages: long ones are cut.
pub(crate) fn shortened(mut text: String) -> String {
    const MOST: usize = 100;
    if let Some((end, _)) = text.char_indices().nth(MOST) {
        text.truncate(end);
        text.push_str("...");
    }
    text
}
