//! What is evaluated before a site's own code, stored, and called by a name from then on:
//! arguments, values, and what targets are computed from.

use recurva_c::{ExprId, ExprKind};

use super::{
    emit::{Emitter, Names},
    site::{Site, Target},
};

impl Emitter<'_, '_> {
    /// Stores the value of an expression, unless it is constant, and says what to call it.
    pub(super) fn store(&mut self, id: ExprId, name: &str) -> String {
        let unit = self.view.unit;
        if self.is_constant(id) {
            return self.view.flat(self.view.span(id));
        }
        self.writer.glue(&format!("__auto_type {name} = "));
        // A bit-field has no type to give to a variable until it is promoted.
        let is_member = matches!(unit.expr(unit.bare(id)).kind, ExprKind::Member { .. });
        if is_member {
            let again = self.view.flat(self.view.span(id));
            self.writer.glue("1 ? ");
            self.expr(id);
            self.writer.glue(&format!(" : ({again})"));
        } else {
            self.expr(id);
        }
        self.writer.glue("; ");
        name.to_owned()
    }

    /// Whether an expression is made of constants only.
    fn is_constant(&self, id: ExprId) -> bool {
        let kind = &self.view.unit.expr(id).kind;
        match kind {
            ExprKind::Constant | ExprKind::Text => true,
            // The size of an array may have to be computed.
            ExprKind::Closed { perhaps, .. } => {
                let span = self.view.span(id);
                perhaps.is_empty() && !self.view.text[span.range()].contains(&b'[')
            }
            ExprKind::Cast(_) | ExprKind::Paren(_) | ExprKind::Operator(_) => {
                kind.operands().into_iter().all(|it| self.is_constant(it))
            }
            _ => false,
        }
    }

    /// What commas have evaluated before a call whose result is stored.
    pub(super) fn before_call(&mut self, site: Site) {
        let value = match (site.target, &self.view.unit.expr(site.expr).kind) {
            (Some(Target::Variable(_)), _) => site.expr,
            (Some(Target::Expr(_)), ExprKind::Assign { value, .. }) => *value,
            _ => return,
        };
        let (before, _) = self.view.unit.last(value);
        for expr in before {
            self.writer.glue("(void)(");
            self.expr(expr);
            self.writer.glue("); ");
        }
    }

    /// Whether computing the target does anything that must be done before the call begins.
    pub(super) fn has_effects(&self, site: Site) -> bool {
        let Some(Target::Expr(target)) = site.target else {
            return false;
        };
        let mut pending = vec![target];
        while let Some(id) = pending.pop() {
            let kind = &self.view.unit.expr(id).kind;
            if matches!(
                kind,
                ExprKind::Call { .. }
                    | ExprKind::Assign { .. }
                    | ExprKind::Step(_)
                    | ExprKind::Block(_)
            ) {
                return true;
            }
            pending.extend(kind.operands());
        }
        false
    }

    /// Says how the target of a call can be called before and after it. A target whose place may
    /// change in the meantime is not named afterwards: its value is.
    pub(super) fn name_target(&mut self, site: Site, names: &mut Names) {
        match site.target {
            None => {}
            Some(Target::Variable(name)) => names.old_target = Some(self.view.flat(name)),
            Some(Target::Expr(_)) if self.has_effects(site) => self.store_target(site, names),
            Some(Target::Expr(target)) => {
                let text = self.view.flat(self.view.span(target));
                names.target = Some(text.clone()).filter(|_| self.is_fixed(target));
                names.old_target = Some(text);
            }
        }
    }

    /// Whether an expression names the same object whenever it is evaluated.
    fn is_fixed(&self, id: ExprId) -> bool {
        match self.view.unit.expr(id).kind {
            ExprKind::Name => true,
            ExprKind::Paren(inner) => self.is_fixed(inner),
            ExprKind::Member {
                base,
                is_arrow: false,
                ..
            } => self.is_fixed(base),
            _ => false,
        }
    }

    /// Stores what the target of a site is computed from. The compiler does so after the
    /// arguments of the call, or the value, and before the call itself, unless the result has to be
    /// converted.
    pub(super) fn store_target(&mut self, site: Site, names: &mut Names) {
        if let Some(Target::Expr(target)) = site.target {
            let target = self.target(target, names.number);
            names.target = Some(target.clone());
            names.old_target = Some(target);
        }
    }

    /// Stores what a target is computed from, and says what to call it. It is never the target
    /// itself whose address is taken: it may be in a register or a bit-field.
    fn target(&mut self, id: ExprId, number: u32) -> String {
        let expr = self.view.unit.expr(id);
        let pointer = format!("recurva_pal_p{number}");
        match expr.kind {
            ExprKind::Paren(inner) => self.target(inner, number),
            ExprKind::Deref(inner) => {
                self.pointer(&pointer, "", inner, "");
                format!("(*{pointer})")
            }
            ExprKind::Index { .. } => {
                self.pointer(&pointer, "&(", id, ")");
                format!("(*{pointer})")
            }
            ExprKind::Member {
                base,
                name,
                is_arrow,
            } => {
                let name = self.view.flat(name);
                if is_arrow {
                    self.pointer(&pointer, "", base, "");
                    return format!("{pointer}->{name}");
                }
                let base = self.target(base, number);
                format!("{base}.{name}")
            }
            _ => self.view.flat(expr.span),
        }
    }

    fn pointer(&mut self, name: &str, before: &str, id: ExprId, behind: &str) {
        self.writer.glue(&format!("__auto_type {name} = {before}"));
        self.expr(id);
        self.writer.glue(&format!("{behind}; "));
    }
}
