//! `__sync_…` and `__atomic_…`: those that are a read or a write and nothing more.

use recurva_c::ast::ExprId as TreeId;
use recurva_syntax::Span;

use super::{Checker, Outcome, convert::Use};
use crate::typed::{Builtin, ExprId, ExprKind};

impl<'u> Checker<'u> {
    pub(super) fn atomic_call(
        &mut self,
        name: &str,
        arguments: &'u [TreeId],
        span: Span,
    ) -> Outcome<ExprId> {
        let void = self.known.void;
        let mut values = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            values.push(self.rvalue(argument)?);
        }
        match (name, values.as_slice()) {
            ("__sync_synchronize" | "__atomic_thread_fence" | "__atomic_signal_fence", _) => {
                Ok(self.push_value(span, void, ExprKind::Builtin(Builtin::Fence, vec![])))
            }
            ("__atomic_load_n", &[pointer, _]) => {
                let place = self.deref(pointer, span)?;
                self.value(place)
            }
            ("__atomic_store_n", &[pointer, value, _]) => {
                let place = self.deref(pointer, span)?;
                let ty = self.ty_id(place);
                let value = self.assigned(value, ty, Use::Argument(2))?;
                let stored = self.push_value(span, ty, ExprKind::Assign(place, value));
                Ok(self.cast(stored, void))
            }
            _ => {
                let target = values.first().and_then(|&it| self.pointee(self.ty_id(it)));
                let ty = match name {
                    "__sync_bool_compare_and_swap" | "__atomic_compare_exchange_n" => {
                        self.known.bool
                    }
                    _ => target.map_or(void, |it| it.ty),
                };
                Ok(self.push_unsupported(span, ty, "this operation that others cannot interrupt"))
            }
        }
    }
}
