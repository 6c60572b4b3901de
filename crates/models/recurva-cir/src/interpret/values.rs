//! Storing values, and the arguments behind a function's parameters.

use super::evaluate::Fault;
use super::memory::{Location, Role};
use super::state::{Frame, State};
use super::step::Stop;
use crate::{Argument, Bits, Check, Float, Place, Scalar, TypeId};

/// What an argument behind the parameters is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Scalar(Scalar),
    /// A record of so many bytes.
    Record(u64),
}

impl Slot {
    pub(crate) fn bytes(self, state: &State<'_>) -> u64 {
        match self {
            Slot::Scalar(scalar) => state.scalar_bytes(scalar),
            Slot::Record(bytes) => bytes,
        }
    }

    /// How far the next one is: arguments without bytes have places of their own too.
    fn span(self, state: &State<'_>) -> u64 {
        self.bytes(state).max(1).next_multiple_of(8)
    }

    /// Whether it can be taken as something of another kind: a sign makes no difference, nor does
    /// whether something is an address.
    fn fits(self, other: Slot, state: &State<'_>) -> bool {
        let is_float = |slot| matches!(slot, Slot::Scalar(Scalar::Float(_)));
        let is_record = |slot| matches!(slot, Slot::Record(_));
        self.bytes(state) == other.bytes(state)
            && is_float(self) == is_float(other)
            && is_record(self) == is_record(other)
    }
}

impl State<'_> {
    pub(crate) fn scalar_bytes(&self, scalar: Scalar) -> u64 {
        match scalar {
            Scalar::Bool => 1,
            Scalar::Int(int) => int.bytes(),
            Scalar::Float(Float::Single) => 4,
            Scalar::Float(Float::Double) => 8,
            Scalar::Float(Float::Extended) => self.module.types.extended_bytes,
            Scalar::Pointer => u64::from(self.layout.pointer_bits / 8),
        }
    }

    pub(crate) fn slot_of_type(&self, ty: TypeId) -> Slot {
        match self.module.types.scalar(ty) {
            Some(scalar) => Slot::Scalar(scalar),
            None => Slot::Record(self.layout.size(ty)),
        }
    }

    fn slot_of_argument(&self, argument: &Argument) -> Slot {
        match argument {
            Argument::Value(expr) => Slot::Scalar(expr.ty),
            Argument::Record(place) => Slot::Record(self.layout.size(place.ty)),
        }
    }

    /// Whether an argument can be passed as something of a type.
    pub(crate) fn argument_fits(&self, argument: &Argument, ty: TypeId) -> bool {
        let slot = self.slot_of_argument(argument);
        slot.fits(self.slot_of_type(ty), self)
    }

    /// Stores a scalar.
    pub(crate) fn store(
        &mut self,
        frame: &Frame,
        place: &Place,
        value: u64,
    ) -> Result<Location, Fault> {
        let count = match place.bits {
            Some(bits) => bits.bytes(),
            None => self.layout.size(place.ty),
        };
        let location = self.location_to_write(frame, place, count)?;
        self.store_at(location, count, place.bits, value);
        Ok(location)
    }

    pub(crate) fn store_at(
        &mut self,
        location: Location,
        count: u64,
        bits: Option<Bits>,
        value: u64,
    ) {
        let bytes = self.memory.bytes_mut(location.area);
        let count = count as usize;
        match bits {
            None if count <= 8 => bytes.set_number(location.offset, count, value),
            // A `long double`, of which only the first eight bytes count.
            None => {
                bytes.data_mut(location.offset, count).fill(0);
                bytes.set_known(location.offset, count, true);
                bytes.set_number(location.offset, 8, value);
            }
            Some(bits) => bytes.set_bit_field(location.offset, bits, value),
        }
    }

    /// Stores an argument, evaluated in the frame at hand.
    pub(crate) fn pass(&mut self, argument: &Argument, to: Location) -> Result<(), Fault> {
        match argument {
            Argument::Value(expr) => {
                let value = self.value(&self.top, expr)?;
                let count = self.scalar_bytes(expr.ty);
                self.store_at(to, count, None, value);
            }
            Argument::Record(place) => {
                let count = self.layout.size(place.ty);
                let from = self.location(&self.top, place, count)?;
                self.memory.copy(from, to, count as usize);
            }
        }
        Ok(())
    }

    /// Stores the arguments behind the parameters in an object of the called function's.
    pub(crate) fn pass_more(
        &mut self,
        arguments: &[Argument],
        frame: &mut Frame,
        depth: usize,
    ) -> Result<(), Stop> {
        let slots = arguments.iter().map(|it| self.slot_of_argument(it));
        let slots: Vec<Slot> = slots.collect();
        let size = slots.iter().map(|slot| slot.span(self)).sum();
        let memory = &mut self.memory;
        let (address, location) = memory.allocate_on_stack(size, depth as u32, Role::Arguments)?;
        frame.arguments = address;
        let mut offset = 0;
        for (argument, slot) in arguments.iter().zip(slots) {
            let to = Location {
                area: location.area,
                offset: location.offset + offset,
            };
            self.pass(argument, to)?;
            self.slots.push((address + offset as u64, slot));
            offset += slot.span(self) as usize;
        }
        Ok(())
    }

    /// Forgets the arguments of a frame that is going.
    pub(crate) fn drop_slots(&mut self, frame: &Frame) {
        if frame.arguments != 0 {
            while self.slots.pop_if(|it| it.0 >= frame.arguments).is_some() {}
        }
    }

    /// The argument behind the parameters that lies at an address.
    pub(crate) fn slot(&self, address: u64) -> Option<Slot> {
        let index = self.slots.binary_search_by_key(&address, |it| it.0).ok()?;
        Some(self.slots[index].1)
    }

    pub(crate) fn va_start(&mut self, list: &Place) -> Result<(), Fault> {
        let frame = self.top;
        if frame.arguments == 0 {
            return Err(Check::Call);
        }
        let count = self.layout.size(list.ty);
        let location = self.location_to_write(&frame, list, count)?;
        let bytes = self.memory.bytes_mut(location.area);
        bytes.data_mut(location.offset, count as usize).fill(0);
        bytes.set_known(location.offset, count as usize, true);
        let pointer = (self.layout.pointer_bits / 8) as usize;
        bytes.set_number(location.offset, pointer, frame.arguments);
        Ok(())
    }

    /// Stores the next argument of a list; where it went.
    pub(crate) fn va_arg(&mut self, list: &Place, result: &Place) -> Result<Location, Fault> {
        let frame = self.top;
        let pointer = u64::from(self.layout.pointer_bits / 8);
        let list = self.location_to_write(&frame, list, pointer)?;
        let bytes = self.memory.bytes(list.area);
        let address = bytes.number(list.offset, pointer as usize);
        let slot = self.slot(address).ok_or(Check::Call)?;
        if !slot.fits(self.slot_of_type(result.ty), self) {
            return Err(Check::Call);
        }
        let count = slot.bytes(self);
        let from = self.memory.locate(address, count)?;
        let to = self.location_to_write(&frame, result, count)?;
        self.memory.copy(from, to, count as usize);
        let next = address + slot.span(self);
        self.store_at(list, pointer, None, next);
        Ok(to)
    }
}
