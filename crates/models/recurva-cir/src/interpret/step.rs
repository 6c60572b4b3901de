//! A step: which edge can be taken, and what it does.

use super::evaluate::Fault;
use super::machine::Machine;
use super::memory::{Full, Location, Role};
use super::observe::{Change, Happened};
use super::world::ChoiceError;
use crate::{Check, Edge, ErrorKind, Expr, Operation, Place, Storage, Type, TypeId, Unknown};

/// Why a run ends. Boxes keep it small: it is the result of every step.
#[derive(Debug)]
pub(crate) enum Stop {
    Fault(Fault),
    Full,
    Exited(i32),
    Aborted,
    Blocked,
    Failed(Box<ErrorKind>),
    Unsupported(Box<Box<str>>),
    NoChoice(Box<ChoiceError>),
}

impl Stop {
    pub(crate) fn unsupported(text: &str) -> Self {
        Stop::Unsupported(Box::new(text.into()))
    }
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Stop::Fault(fault)
    }
}

impl From<Full> for Stop {
    fn from(_: Full) -> Self {
        Stop::Full
    }
}

impl From<ChoiceError> for Stop {
    fn from(error: ChoiceError) -> Self {
        Stop::NoChoice(Box::new(error))
    }
}

impl<'m> Machine<'m> {
    /// Takes an edge, or returns.
    pub(crate) fn advance(&mut self) -> Result<(), Stop> {
        let function = self.state.function();
        let node = self.state.top.node;
        let starts = &self.state.function_layout().starts;
        let start = starts[node.0 as usize] as usize;
        let end = starts[node.0 as usize + 1] as usize;
        self.edge = None;
        if start == end {
            return match node == function.exit {
                true => self.go_back(),
                false => Err(Stop::Blocked),
            };
        }
        for (index, edge) in (start..).zip(&function.edges[start..end]) {
            self.edge = Some(index);
            if let Operation::Assume(condition) = &edge.operation {
                if self.value(condition)? == 0 {
                    continue;
                }
                self.state.top.node = edge.to;
                return Ok(());
            }
            return self.take(edge);
        }
        self.edge = None;
        Err(Stop::Blocked)
    }

    pub(crate) fn value(&self, expr: &Expr) -> Result<u64, Fault> {
        self.state.value(&self.state.top, expr)
    }

    fn take(&mut self, edge: &'m Edge) -> Result<(), Stop> {
        match &edge.operation {
            Operation::Assign(place, expr) => {
                let value = self.value(expr)?;
                self.store(place, value)?;
            }
            Operation::Skip | Operation::Assume(_) => {}
            Operation::Check(check, expr) => {
                if self.value(expr)? == 0 {
                    return Err(Stop::Fault(*check));
                }
            }
            Operation::Call {
                callee,
                arguments,
                result,
            } => return self.call(edge, callee, arguments, result.as_ref()),
            Operation::Error(kind) => return Err(Stop::Failed(Box::new(kind.clone()))),
            Operation::Copy(to, from) => self.copy(to, from)?,
            Operation::Zero(place) => {
                let count = self.state.layout.size(place.ty);
                let location = self.writable(place, count)?;
                let bytes = self.state.memory.bytes_mut(location.area);
                bytes.data_mut(location.offset, count as usize).fill(0);
                bytes.set_known(location.offset, count as usize, true);
                self.changed(location, count, Some(place));
            }
            Operation::Havoc(place, why) => self.havoc(place, why)?,
            Operation::Allocate {
                result,
                size,
                storage,
                is_zeroed,
            } => self.allocate(result, size, *storage, *is_zeroed)?,
            Operation::Free(pointer) => {
                let address = self.value(pointer)?;
                if address != 0 {
                    let object = self.state.memory.freeable(address);
                    self.state.memory.free(object.ok_or(Check::Free)?);
                }
            }
            Operation::CopyBytes { to, from, count } => {
                let (to, from) = (self.value(to)?, self.value(from)?);
                let count = self.value(count)?;
                if count > 0 {
                    let from = self.state.memory.locate(from, count)?;
                    let to = self.state.memory.locate_to_write(to, count)?;
                    self.state.memory.copy(from, to, count as usize);
                    self.changed(to, count, None);
                }
            }
            Operation::FillBytes { to, value, count } => {
                let (to, value) = (self.value(to)?, self.value(value)?);
                let count = self.value(count)?;
                if count > 0 {
                    let to = self.state.memory.locate_to_write(to, count)?;
                    let bytes = self.state.memory.bytes_mut(to.area);
                    bytes.data_mut(to.offset, count as usize).fill(value as u8);
                    bytes.set_known(to.offset, count as usize, true);
                    self.changed(to, count, None);
                }
            }
            Operation::VaStart(list) => self.state.va_start(list)?,
            Operation::VaArg { list, result } => {
                let location = self.state.va_arg(list, result)?;
                let count = self.state.layout.size(result.ty);
                self.changed(location, count, Some(result));
            }
            Operation::VaCopy { to, from } => self.copy(to, from)?,
            Operation::Exit(code) => {
                let code = self.state.whole(&self.state.top, code)?;
                return self.exit(code as i32);
            }
            Operation::Abort => return Err(Stop::Aborted),
            Operation::Unsupported(text) => return Err(Stop::unsupported(text)),
        }
        self.state.top.node = edge.to;
        Ok(())
    }

    fn store(&mut self, place: &Place, value: u64) -> Result<(), Fault> {
        let frame = self.state.top;
        let location = self.state.store(&frame, place, value)?;
        if self.observer.is_some() {
            let count = self.state.layout.size(place.ty);
            self.changed(location, count, Some(place));
        }
        Ok(())
    }

    fn writable(&self, place: &Place, count: u64) -> Result<Location, Fault> {
        let state = &self.state;
        state.location_to_write(&state.top, place, count)
    }

    fn copy(&mut self, to: &Place, from: &Place) -> Result<(), Fault> {
        let count = self.state.layout.size(to.ty);
        let source = self.state.location(&self.state.top, from, count)?;
        let target = self.writable(to, count)?;
        self.state.memory.copy(source, target, count as usize);
        self.changed(target, count, Some(to));
        Ok(())
    }

    /// Notes what changed, if somebody wants to know.
    pub(crate) fn changed(&mut self, location: Location, count: u64, place: Option<&Place>) {
        if self.observer.is_some() {
            self.changes.push(Change {
                location,
                count,
                ty: place.map(|it| it.ty),
                bits: place.and_then(|it| it.bits),
                base: place.and_then(|it| match it.base {
                    crate::Base::Deref(_, ty) => Some(ty),
                    crate::Base::Var(_) => None,
                }),
            });
        }
    }

    pub(crate) fn havoc(&mut self, place: &Place, why: &Unknown) -> Result<(), Stop> {
        let count = self.state.layout.size(place.ty);
        if place.bits.is_some() {
            let mut bytes = [0; 8];
            self.choose(why, place.ty, &mut bytes[..count as usize])?;
            self.store(place, u64::from_le_bytes(bytes))?;
            return Ok(());
        }
        let location = self.writable(place, count)?;
        self.havoc_at(location, place.ty, why)?;
        self.changed(location, count, Some(place));
        Ok(())
    }

    pub(crate) fn havoc_at(
        &mut self,
        location: Location,
        ty: TypeId,
        why: &Unknown,
    ) -> Result<(), Stop> {
        let count = self.state.layout.size(ty) as usize;
        let mut given = vec![0; count];
        self.choose(why, ty, &mut given)?;
        let bytes = self.state.memory.bytes_mut(location.area);
        bytes
            .data_mut(location.offset, count)
            .copy_from_slice(&given);
        let is_known = *why != Unknown::Uninitialised;
        bytes.set_known(location.offset, count, is_known);
        Ok(())
    }

    fn choose(&mut self, why: &Unknown, ty: TypeId, bytes: &mut [u8]) -> Result<(), ChoiceError> {
        let module = self.state.module;
        self.world.choose(why, ty, module, bytes)?;
        if let (Type::Bool, [byte]) = (module.types.get(ty), bytes) {
            *byte = u8::from(*byte != 0);
        }
        Ok(())
    }

    fn allocate(
        &mut self,
        result: &Place,
        size: &Expr,
        storage: Storage,
        is_zeroed: bool,
    ) -> Result<(), Stop> {
        let size = self.value(size)?;
        let depth = self.state.depth() as u32;
        let made_by = self.edge.map(|it| (self.state.top.function, it as u32));
        let memory = &mut self.state.memory;
        let (address, location) = match storage {
            Storage::Heap => memory.allocate(size, is_zeroed, made_by)?,
            Storage::Stack => memory.allocate_on_stack(size, depth, Role::Allocated(0))?,
        };
        let bytes = memory.bytes_mut(location.area);
        if is_zeroed {
            bytes.set_known(location.offset, size as usize, true);
        } else {
            let bytes = bytes.data_mut(location.offset, size as usize);
            self.world.allocated(bytes);
        }
        self.store(result, address)?;
        Ok(())
    }

    /// Ends the program.
    pub(crate) fn exit(&mut self, code: i32) -> Result<(), Stop> {
        let is_asked = self.options.errors.contains(Check::Leak);
        if is_asked && !self.view().leaks(self.options.leaks).is_empty() {
            return Err(Stop::Fault(Check::Leak));
        }
        Err(Stop::Exited(code))
    }

    /// The entry function's parameters have any value.
    pub(crate) fn choose_parameters(&mut self) -> Result<(), Stop> {
        let function = self.state.function();
        let frame = self.state.top;
        for (index, local) in function.locals[..function.parameters as usize]
            .iter()
            .enumerate()
        {
            let layout = self.state.local(&frame, crate::LocalId(index as u32));
            let location = Location {
                area: super::memory::Area::Stack,
                offset: frame.bytes + layout.offset,
            };
            self.havoc_at(location, local.ty, &Unknown::Input)?;
        }
        self.happened = Happened::Moved;
        Ok(())
    }
}
