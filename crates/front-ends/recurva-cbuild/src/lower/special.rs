//! Calls with a meaning of their own.

use recurva_cir::{Argument, ErrorKind, Expr, Int, Operation, Origin, Place, Scalar, Unknown};

use super::{Lower, condition::is_not_zero};
use crate::{Abort, exprs, special::Special};

impl Lower<'_, '_, '_> {
    /// What a call means. `text` is the name of the function, or what an assertion says.
    pub(super) fn special_call(
        &mut self,
        text: &str,
        special: Special,
        arguments: Vec<Argument>,
        into: Option<Place>,
        origin: Origin,
    ) {
        let mut values = Values::new(arguments, self.program.types.word());
        match special {
            Special::Nondet => {
                if let Some(place) = into {
                    let unknown = Unknown::Nondet(text.into());
                    self.graph.emit(Operation::Havoc(place, unknown), origin);
                }
            }
            Special::Assume => {
                let condition = is_not_zero(values.next());
                match condition.kind {
                    recurva_cir::ExprKind::Const(1) => {}
                    _ => self.graph.emit(Operation::Assume(condition), origin),
                }
            }
            Special::Error => self.fail(ErrorKind::Call(text.into()), origin),
            Special::AssertFail => self.fail(ErrorKind::Assertion(text.into()), origin),
            Special::Assert => {
                let [yes, no] = [(); 2].map(|()| self.graph.node(origin));
                self.graph
                    .split(is_not_zero(values.next()), yes, no, origin);
                self.graph.continue_at(no);
                self.fail(ErrorKind::Assertion(text.into()), origin);
                self.graph.continue_at(yes);
            }
            Special::Abort => match self.program.options.abort {
                Abort::End => self.graph.end(Operation::Abort, origin),
                Abort::Error => self.fail(ErrorKind::Abort, origin),
            },
            Special::Exit => {
                let code = exprs::convert(values.next(), Scalar::Int(Int::INT));
                self.graph.end(Operation::Exit(code), origin);
            }
            Special::Malloc => {
                let size = values.next_size();
                self.allocate(size, false, into, origin);
            }
            Special::Calloc => {
                let (count, size) = (values.next_size(), values.next_size());
                let size = exprs::binary(recurva_cir::Binary::Multiply, count, size);
                self.allocate(size, true, into, origin);
            }
            Special::Realloc => {
                let (old, size) = (values.next_pointer(), values.next_size());
                self.reallocate(old, size, into, origin);
            }
            Special::Free => {
                let pointer = values.next_pointer();
                self.free(pointer, origin);
            }
            Special::Alloca => {
                let size = values.next_size();
                self.allocate_on_stack(size, into, origin);
            }
            Special::Copy | Special::CopyToEnd => {
                let (to, from) = (values.next_pointer(), values.next_pointer());
                let count = values.next_size();
                let to = self.copy_bytes(to, from, count.clone(), origin);
                if let Some(into) = into {
                    let result = match special {
                        Special::CopyToEnd => exprs::offset(to, count, 1),
                        _ => to,
                    };
                    self.deliver(result, &into, origin);
                }
            }
            Special::Fill => {
                let (to, value) = (values.next_pointer(), values.next());
                let count = values.next_size();
                let to = self.fill_bytes(to, value, count, origin);
                if let Some(into) = into {
                    self.deliver(to, &into, origin);
                }
            }
            Special::Signal => {
                drop(values.next());
                let handler = values.next_pointer();
                if !matches!(handler.kind, recurva_cir::ExprKind::Const(_)) {
                    self.unsupported("signals", origin);
                } else if let Some(place) = into {
                    let unknown = Unknown::External(text.into());
                    self.graph.emit(Operation::Havoc(place, unknown), origin);
                }
            }
            Special::Nothing => {}
            Special::Unsupported(what) => self.unsupported(what, origin),
        }
    }

    fn fail(&mut self, kind: ErrorKind, origin: Origin) {
        self.graph.end(Operation::Error(kind), origin);
    }
}

/// Arguments one by one, whatever their types: what is missing is zero.
struct Values {
    rest: std::vec::IntoIter<Argument>,
    word: Int,
}

impl Values {
    fn new(arguments: Vec<Argument>, word: Int) -> Self {
        Values {
            rest: arguments.into_iter(),
            word,
        }
    }

    fn next(&mut self) -> Expr {
        match self.rest.next() {
            Some(Argument::Value(value)) => value,
            _ => exprs::int(0, Int::INT),
        }
    }

    fn next_size(&mut self) -> Expr {
        exprs::convert(self.next(), Scalar::Int(self.word))
    }

    fn next_pointer(&mut self) -> Expr {
        let value = self.next();
        match value.ty {
            Scalar::Pointer => value,
            _ => exprs::convert(
                exprs::convert(value, Scalar::Int(self.word)),
                Scalar::Pointer,
            ),
        }
    }
}
