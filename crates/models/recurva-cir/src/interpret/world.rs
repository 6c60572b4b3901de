//! What is outside the program: where unknown values come from, and what functions without a body
//! do.

use super::memory::{Full, Location};
use super::number;
use super::state::State;
use super::values::Slot;
use crate::{Check, Module, Scalar, TypeId, Unknown};

/// What is outside the program.
pub trait World {
    /// Is asked once, before the first step.
    fn begin(&mut self, memory: &mut MemoryAccess<'_, '_>) {
        let _ = memory;
    }

    /// Gives the bytes of a place of that type any value. Of a bit-field they are those of a whole
    /// integer of its type, of which the lowest bits count.
    fn choose(
        &mut self,
        why: &Unknown,
        ty: TypeId,
        module: &Module,
        bytes: &mut [u8],
    ) -> Result<(), ChoiceError>;

    /// Gives the bytes of a new object any value. They are zero if nothing is done.
    fn allocated(&mut self, bytes: &mut [u8]) {
        let _ = bytes;
    }

    /// Does what a function without a body does. It may say that it would do something that has no
    /// meaning, as to read where nothing is.
    fn call(
        &mut self,
        call: &ExternalCall<'_>,
        memory: &mut MemoryAccess<'_, '_>,
    ) -> Result<Reply, Check> {
        let _ = (call, memory);
        Ok(Reply::Unknown)
    }
}

/// A call of a function without a body.
#[derive(Clone, Copy, Debug)]
pub struct ExternalCall<'a> {
    /// Its name.
    pub name: &'a str,
    /// The arguments.
    pub arguments: &'a [Value],
    /// What it returns; `None` is `void`, or a record.
    pub result: Option<Scalar>,
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A scalar: its bits, and its type.
    Scalar(u64, Scalar),
    /// The bytes of a record.
    Bytes(Vec<u8>),
}

impl Value {
    /// It as a number of 64 bits, extended by its sign; a float is cut.
    pub fn whole(&self) -> u64 {
        match *self {
            Value::Scalar(bits, Scalar::Int(int)) if int.is_signed => {
                number::extend(bits, u32::from(int.bits)) as u64
            }
            Value::Scalar(bits, Scalar::Float(float)) => number::to_f64(bits, float) as i64 as u64,
            Value::Scalar(bits, _) => bits,
            // A list of arguments that is passed as it is: the address that it has got to.
            Value::Bytes(ref bytes) => {
                let mut word = [0; 8];
                let count = bytes.len().min(8);
                word[..count].copy_from_slice(&bytes[..count]);
                u64::from_le_bytes(word)
            }
        }
    }

    /// It as a floating-point number.
    pub fn float(&self) -> f64 {
        match *self {
            Value::Scalar(bits, Scalar::Float(float)) => number::to_f64(bits, float),
            Value::Scalar(bits, Scalar::Int(int)) => number::wide(bits, int) as f64,
            Value::Scalar(..) | Value::Bytes(_) => self.whole() as f64,
        }
    }
}

/// What a function without a body did.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// Returned an integer or an address, which is cut to the result's type.
    Integer(u64),
    /// Returned a floating-point number, which is rounded to the result's type.
    Float(f64),
    /// Returned any value. The world is then asked to choose it, if somebody wants it.
    Unknown,
    /// Ended the program with an exit code.
    Exits(i32),
    /// Never returned.
    Stops,
    /// Nobody knows.
    Unsupported(Box<str>),
}

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceError {
    /// There are no more choices.
    RanOut,
    /// The next choice has the wrong size.
    Size {
        /// The bytes that are needed.
        needed: usize,
        /// The bytes that the choice has.
        found: usize,
    },
}

/// The program's memory, for functions without a body.
#[derive(Debug)]
pub struct MemoryAccess<'a, 'm> {
    pub(crate) state: &'a mut State<'m>,
}

impl MemoryAccess<'_, '_> {
    /// The bytes of a pointer.
    pub fn pointer_bytes(&self) -> usize {
        (self.state.layout.pointer_bits / 8) as usize
    }

    /// Bytes at an address.
    pub fn read(&self, address: u64, count: u64) -> Result<&[u8], Check> {
        let Location { area, offset } = self.state.memory.locate(address, count)?;
        Ok(self.state.memory.bytes(area).data(offset, count as usize))
    }

    /// A number of up to eight bytes at an address.
    pub fn read_number(&self, address: u64, count: u64) -> Result<u64, Check> {
        let Location { area, offset } = self.state.memory.locate(address, count)?;
        Ok(self.state.memory.bytes(area).number(offset, count as usize))
    }

    /// All bytes from an address to the end of its object.
    pub fn rest(&self, address: u64) -> Result<&[u8], Check> {
        let Location { area, offset } = self.state.memory.locate(address, 0)?;
        let found = self.state.memory.find(address).ok_or(Check::Lifetime)?;
        let count = found.size - found.offset;
        Ok(self.state.memory.bytes(area).data(offset, count as usize))
    }

    /// The bytes of a string, without the zero behind it.
    pub fn read_string(&self, address: u64) -> Result<&[u8], Check> {
        let bytes = self.rest(address)?;
        let end = bytes.iter().position(|&byte| byte == 0);
        Ok(&bytes[..end.ok_or(Check::Bounds)?])
    }

    /// Changes bytes at an address.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Check> {
        let memory = &mut self.state.memory;
        let Location { area, offset } = memory.locate_to_write(address, bytes.len() as u64)?;
        let target = memory.bytes_mut(area);
        target.data_mut(offset, bytes.len()).copy_from_slice(bytes);
        target.set_known(offset, bytes.len(), true);
        Ok(())
    }

    /// Writes a number of so many bytes.
    pub fn write_number(&mut self, address: u64, value: u64, count: usize) -> Result<(), Check> {
        self.write(address, &value.to_le_bytes()[..count])
    }

    /// Copies bytes, with whether they were given a value, as if through a buffer.
    pub fn copy(&mut self, to: u64, from: u64, count: u64) -> Result<(), Check> {
        let memory = &mut self.state.memory;
        let source = memory.locate(from, count)?;
        let target = memory.locate_to_write(to, count)?;
        memory.copy(source, target, count as usize);
        Ok(())
    }

    /// Makes an object on the heap; `None` if memory is full.
    pub fn allocate(&mut self, size: u64, is_zeroed: bool) -> Option<u64> {
        match self.state.memory.allocate(size, is_zeroed, None) {
            Ok((address, _)) => Some(address),
            Err(Full) => None,
        }
    }

    /// Makes an object with these bytes that the program need not free; `None` if memory is full.
    pub fn allocate_static(&mut self, bytes: &[u8]) -> Option<u64> {
        self.state.memory.allocate_static(bytes).ok()
    }

    /// Frees an object on the heap; nothing if the address is 0.
    pub fn free(&mut self, address: u64) -> Result<(), Check> {
        if address != 0 {
            let index = self.state.memory.freeable(address).ok_or(Check::Free)?;
            self.state.memory.free(index);
        }
        Ok(())
    }

    /// The size of the object that begins at an address.
    pub fn object_size(&self, address: u64) -> Option<u64> {
        let found = self.state.memory.find(address)?;
        (found.offset == 0).then_some(found.size)
    }

    /// The address and size of a global, by its name.
    pub fn global(&self, name: &str) -> Option<(u64, u64)> {
        let globals = &self.state.module.globals;
        let index = globals.iter().position(|it| *it.name == *name)?;
        let place = self.state.layout.globals[index];
        Some((place.address, place.size))
    }

    /// The argument that a list has got to, which moves on.
    pub fn next_argument(&self, list: &mut u64) -> Option<Value> {
        let slot = self.state.slot(*list)?;
        let count = slot.bytes(self.state);
        let bytes = self.read(*list, count).ok()?;
        let value = match slot {
            Slot::Record(_) => Value::Bytes(bytes.to_vec()),
            Slot::Scalar(scalar) => {
                Value::Scalar(self.read_number(*list, count.min(8)).ok()?, scalar)
            }
        };
        *list += count.next_multiple_of(8);
        Some(value)
    }
}
