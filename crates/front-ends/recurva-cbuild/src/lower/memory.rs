//! Memory that is allocated, freed, copied and filled.

use recurva_cir::{
    Binary, Check, Expr, ExprKind, Operation, Origin, Place, Scalar, Storage, Unknown,
};

use super::{Lower, condition::is_not_zero};
use crate::{Allocation, Assumption, exprs};

impl Lower<'_, '_, '_> {
    /// A new object on the heap; its address goes to a place.
    pub(super) fn allocate(
        &mut self,
        size: Expr,
        is_zeroed: bool,
        into: Option<Place>,
        origin: Origin,
    ) {
        let result = self.pointer_place(into.as_ref(), origin);
        let operation = Operation::Allocate {
            result: result.clone(),
            size,
            storage: Storage::Heap,
            is_zeroed,
        };
        match self.program.options.allocation {
            Allocation::Succeeds => {
                self.program.assume(Assumption::AllocationSucceeds, origin);
                self.graph.emit(operation, origin);
            }
            Allocation::MayFail => {
                let [some, none, end] = [(); 3].map(|()| self.graph.node(origin));
                let has_memory = self.has_memory(origin);
                self.graph.split(has_memory, some, none, origin);
                self.graph.continue_at(some);
                self.graph.emit(operation, origin);
                self.graph.jump(end, origin);
                self.graph.continue_at(none);
                self.store(&result, exprs::null(), origin);
                self.graph.jump(end, origin);
                self.graph.continue_at(end);
            }
        }
        self.pass_on(&result, into, origin);
    }

    /// Whether there is memory, which is not known.
    fn has_memory(&mut self, origin: Origin) -> Expr {
        let ty = self.program.types.number(recurva_cir::Type::Bool);
        let place = self.graph.temporary(ty, origin);
        let operation = Operation::Havoc(place.clone(), Unknown::Memory);
        self.graph.emit(operation, origin);
        is_not_zero(self.load(place))
    }

    /// A new object on the stack.
    pub(super) fn allocate_on_stack(&mut self, size: Expr, into: Option<Place>, origin: Origin) {
        let result = self.pointer_place(into.as_ref(), origin);
        let operation = Operation::Allocate {
            result: result.clone(),
            size,
            storage: Storage::Stack,
            is_zeroed: false,
        };
        self.graph.emit(operation, origin);
        self.pass_on(&result, into, origin);
    }

    /// Where an address can go: the place itself, if it is for pointers.
    fn pointer_place(&mut self, into: Option<&Place>, origin: Origin) -> Place {
        match into {
            Some(place) if self.load(place.clone()).ty == Scalar::Pointer => place.clone(),
            _ => {
                let ty = self.program.types.void_pointer();
                self.graph.temporary(ty, origin)
            }
        }
    }

    fn pass_on(&mut self, result: &Place, into: Option<Place>, origin: Origin) {
        if let Some(into) = into
            && into != *result
        {
            let value = self.load(result.clone());
            self.deliver(value, &into, origin);
        }
    }

    pub(super) fn free(&mut self, pointer: Expr, origin: Origin) {
        let kind = ExprKind::IsFreeable(Box::new(pointer.clone()));
        self.check(Check::Free, exprs::predicate(kind), origin);
        self.graph.emit(Operation::Free(pointer), origin);
    }

    /// `realloc`: a new object gets the bytes of the old one, one by one as far as there are both.
    pub(super) fn reallocate(
        &mut self,
        old: Expr,
        size: Expr,
        into: Option<Place>,
        origin: Origin,
    ) {
        let old = self.save(old, origin);
        let size = self.save(size, origin);
        let kind = ExprKind::IsFreeable(Box::new(old.clone()));
        self.check(Check::Free, exprs::predicate(kind), origin);
        let ty = self.program.types.void_pointer();
        let result = self.graph.temporary(ty, origin);
        self.allocate(size.clone(), false, Some(result.clone()), origin);
        let [copy, head, step, done, end] = [(); 5].map(|()| self.graph.node(origin));
        let new = self.load(result);
        let can_copy = exprs::and(is_not_zero(new.clone()), is_not_zero(old.clone()));
        self.graph.split(can_copy, copy, end, origin);

        self.graph.continue_at(copy);
        let word = self.program.types.word();
        let ty = self.program.types.int(word);
        let counter = self.graph.temporary(ty, origin);
        self.store(&counter, exprs::int(0, word), origin);
        self.graph.jump(head, origin);

        self.graph.continue_at(head);
        let index = self.load(counter.clone());
        let [from, to] = [&old, &new].map(|it| exprs::offset(it.clone(), index.clone(), 1));
        let has_old = exprs::predicate(ExprKind::IsValid(Box::new(from.clone()), 1));
        let has_new = exprs::binary(Binary::Less, index.clone(), size);
        self.graph
            .split(exprs::and(has_new, has_old), step, done, origin);

        self.graph.continue_at(step);
        let count = exprs::int(1, word);
        let operation = Operation::CopyBytes { to, from, count };
        self.graph.emit(operation, origin);
        let next = exprs::binary(Binary::Add, index, exprs::int(1, word));
        self.store(&counter, next, origin);
        self.graph.jump(head, origin);

        self.graph.continue_at(done);
        self.graph.emit(Operation::Free(old), origin);
        self.graph.jump(end, origin);
        self.graph.continue_at(end);
        if let Some(into) = into {
            self.deliver(new, &into, origin);
        }
    }

    /// Copies bytes; where to.
    pub(super) fn copy_bytes(&mut self, to: Expr, from: Expr, count: Expr, origin: Origin) -> Expr {
        let to = self.stable(to, origin);
        self.check_area(&to, &count, origin);
        self.check_area(&from, &count, origin);
        let operation = Operation::CopyBytes {
            to: to.clone(),
            from,
            count,
        };
        self.graph.emit(operation, origin);
        to
    }

    /// Sets bytes; where.
    pub(super) fn fill_bytes(
        &mut self,
        to: Expr,
        value: Expr,
        count: Expr,
        origin: Origin,
    ) -> Expr {
        let to = self.stable(to, origin);
        self.check_area(&to, &count, origin);
        let operation = Operation::FillBytes {
            to: to.clone(),
            value,
            count,
        };
        self.graph.emit(operation, origin);
        to
    }

    /// So many bytes can be used where a pointer points to: the first and the last of them can.
    fn check_area(&mut self, pointer: &Expr, count: &Expr, origin: Origin) {
        match exprs::number(count) {
            Some(0) => {}
            Some(number) if number > 0 => {
                self.check_pointer(pointer, (pointer.clone(), number as u64), origin);
            }
            _ => {
                let is_empty = exprs::negate(is_not_zero(count.clone()));
                let or_empty = |condition: Expr| exprs::or(is_empty.clone(), condition);
                let is_alive = exprs::predicate(ExprKind::IsAlive(Box::new(pointer.clone())));
                let Scalar::Int(int) = count.ty else {
                    return;
                };
                let one = exprs::int(1, int);
                let last = exprs::binary(Binary::Subtract, count.clone(), one);
                let last = exprs::offset(pointer.clone(), last, 1);
                let [first, last] = [pointer.clone(), last]
                    .map(|it| exprs::predicate(ExprKind::IsValid(Box::new(it), 1)));
                self.check(Check::Null, or_empty(is_not_zero(pointer.clone())), origin);
                self.check(Check::Lifetime, or_empty(is_alive), origin);
                self.check(Check::Bounds, or_empty(exprs::and(first, last)), origin);
            }
        }
    }
}
