//! Memory. Every object that can be pointed to has a place of its own in the address space, with a
//! gap behind it, and no address is used twice as long as there are unused ones. So a pointer is a
//! number like any other, whatever it was cast to or copied through, and what it points to is found
//! by looking it up.

use super::bytes::Bytes;
use super::layout::{GlobalLayout, Layout, Map, behind};
use crate::{Check, FunctionId, GlobalId, InitialValue, LocalId, Module};

/// Where bytes are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Area {
    Globals,
    Stack,
    /// An object on the heap, by its index.
    Heap(usize),
}

/// Bytes somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Location {
    pub(crate) area: Area,
    pub(crate) offset: usize,
}

/// An object that is alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Object {
    Global(GlobalId),
    /// By its index among those on the stack.
    Stack(usize),
    /// By its index among those on the heap.
    Heap(usize),
}

/// What an address points to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) object: Object,
    /// How far into it: its size, if the address is just behind it.
    pub(crate) offset: u64,
    pub(crate) size: u64,
    /// Where its bytes begin.
    pub(crate) start: Location,
}

/// An object on the stack that can be pointed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StackObject {
    pub(crate) address: u64,
    pub(crate) size: u64,
    /// Where it lies in the bytes of the stack.
    pub(crate) offset: usize,
    /// Whose it is: 0 for the first frame.
    pub(crate) depth: u32,
    pub(crate) role: Role,
}

/// What an object on the stack is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Local(LocalId),
    /// The arguments behind the parameters.
    Arguments,
    /// Made by the program, with its number.
    Allocated(u32),
}

/// An object on the heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeapObject {
    pub(crate) address: u64,
    pub(crate) size: u64,
    /// Its number, from 1; 0 if it is not the program's.
    pub(crate) number: u32,
    pub(crate) is_alive: bool,
    /// The edge that made it, if one did.
    pub(crate) made_by: Option<(FunctionId, u32)>,
    bytes: Bytes,
}

/// Memory is full.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Full;

#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) globals: Bytes,
    pub(crate) stack: Bytes,
    /// Sorted by address, as frames come and go in that order.
    pub(crate) stack_objects: Vec<StackObject>,
    /// The next address on the stack.
    stack_next: u64,
    /// Sorted by address; those that were freed stay, without bytes, until there are many.
    pub(crate) heap: Vec<HeapObject>,
    heap_next: u64,
    heap_alive: usize,
    /// How many objects were made.
    made: u32,
    /// Bytes on the heap.
    heap_bytes: usize,
    /// How many bytes there may be in all.
    limit: usize,
    map: Map,
    global_layout: Vec<GlobalLayout>,
}

/// From so many freed objects on they are forgotten.
const MANY_FREED: usize = 1 << 16;

impl Memory {
    pub(crate) fn new(module: &Module, layout: &Layout, limit: usize) -> Self {
        let bytes = layout.globals.last();
        let bytes = bytes.map_or(0, |it| it.offset + it.size as usize);
        let mut globals = Bytes::zeros(bytes, true);
        for (global, place) in module.globals.iter().zip(&layout.globals) {
            let count = global.bytes.len();
            globals
                .data_mut(place.offset, count)
                .copy_from_slice(&global.bytes);
            for &(offset, value) in &global.addresses {
                let address = match value {
                    InitialValue::Global(other, distance) => layout.globals[other.0 as usize]
                        .address
                        .wrapping_add_signed(distance),
                    InitialValue::Function(function) => layout.function_address(function),
                };
                let count = (layout.pointer_bits / 8) as usize;
                globals.set_number(place.offset + offset as usize, count, address);
            }
        }
        Memory {
            globals,
            stack: Bytes::default(),
            stack_objects: Vec::new(),
            stack_next: layout.map.stack,
            heap: Vec::new(),
            heap_next: layout.map.heap,
            heap_alive: 0,
            made: 0,
            heap_bytes: 0,
            limit,
            map: layout.map,
            global_layout: layout.globals.clone(),
        }
    }

    /// All bytes that it takes, roughly.
    fn used(&self) -> usize {
        2 * (self.globals.len() + self.stack.len() + self.heap_bytes)
            + self.stack_objects.len() * size_of::<StackObject>()
            + self.heap.len() * size_of::<HeapObject>()
    }

    fn make_room(&self, more: u64) -> Result<(), Full> {
        let free = self.limit.saturating_sub(self.used()) as u64;
        if more.saturating_mul(2) > free {
            return Err(Full);
        }
        Ok(())
    }

    pub(crate) fn bytes(&self, area: Area) -> &Bytes {
        match area {
            Area::Globals => &self.globals,
            Area::Stack => &self.stack,
            Area::Heap(index) => &self.heap[index].bytes,
        }
    }

    pub(crate) fn bytes_mut(&mut self, area: Area) -> &mut Bytes {
        match area {
            Area::Globals => &mut self.globals,
            Area::Stack => &mut self.stack,
            Area::Heap(index) => &mut self.heap[index].bytes,
        }
    }

    /// The object at an address, or just before it.
    pub(crate) fn find(&self, address: u64) -> Option<Found> {
        if address >= self.map.stack {
            let objects = &self.stack_objects;
            let index = objects.partition_point(|it| it.address <= address);
            let object = &objects[index.checked_sub(1)?];
            let start = Location {
                area: Area::Stack,
                offset: object.offset,
            };
            let name = Object::Stack(index - 1);
            found(name, address - object.address, object.size, start)
        } else if address >= self.map.heap {
            let index = self.heap.partition_point(|it| it.address <= address);
            let index = index.checked_sub(1)?;
            let object = &self.heap[index];
            if !object.is_alive {
                return None;
            }
            let start = Location {
                area: Area::Heap(index),
                offset: 0,
            };
            let distance = address - object.address;
            found(Object::Heap(index), distance, object.size, start)
        } else {
            let objects = &self.global_layout;
            let index = objects.partition_point(|it| it.address <= address);
            let index = index.checked_sub(1)?;
            let object = &objects[index];
            let start = Location {
                area: Area::Globals,
                offset: object.offset,
            };
            let name = Object::Global(GlobalId(index as u32));
            found(name, address - object.address, object.size, start)
        }
    }

    /// Where so many bytes at an address are, or what is wrong with it.
    pub(crate) fn locate(&self, address: u64, count: u64) -> Result<Location, Check> {
        match self.find(address) {
            Some(found) if count <= found.size - found.offset => Ok(Location {
                area: found.start.area,
                offset: found.start.offset + found.offset as usize,
            }),
            Some(_) => Err(Check::Bounds),
            None if address < self.map.functions => Err(Check::Null),
            None => Err(Check::Lifetime),
        }
    }

    /// The same for bytes that will change.
    pub(crate) fn locate_to_write(&self, address: u64, count: u64) -> Result<Location, Check> {
        let location = self.locate(address, count)?;
        self.check_writable(location, count)?;
        Ok(location)
    }

    /// Whether bytes belong to no constant.
    pub(crate) fn check_writable(&self, location: Location, count: u64) -> Result<(), Check> {
        if location.area == Area::Globals && count > 0 {
            let objects = &self.global_layout;
            let index = objects.partition_point(|it| it.offset <= location.offset);
            if objects[index - 1].is_const {
                return Err(Check::Bounds);
            }
        }
        Ok(())
    }

    pub(crate) fn copy(&mut self, from: Location, to: Location, count: usize) {
        if from.area == to.area {
            let bytes = self.bytes_mut(to.area);
            bytes.copy_within(from.offset, to.offset, count);
        } else {
            let mut target = std::mem::take(self.bytes_mut(to.area));
            target.copy_from(to.offset, self.bytes(from.area), from.offset, count);
            *self.bytes_mut(to.area) = target;
        }
    }

    /// Makes room for a frame; its bytes start at the result.
    pub(crate) fn push_stack(&mut self, count: usize) -> Result<usize, Full> {
        self.make_room(count as u64)?;
        let start = self.stack.len();
        self.stack.resize(start + count);
        Ok(start)
    }

    /// Takes addresses for so many bytes on the stack.
    pub(crate) fn stack_addresses(&mut self, span: u64) -> Result<u64, Full> {
        if self.stack_next.saturating_add(span) > self.map.end {
            // All were used: take those of frames that are gone again.
            let last = self.stack_objects.last();
            self.stack_next = last.map_or(self.map.stack, |it| {
                behind(it.address, it.size, self.map.gap)
            });
            if self.stack_next.saturating_add(span) > self.map.end {
                return Err(Full);
            }
        }
        let address = self.stack_next;
        self.stack_next += span;
        Ok(address)
    }

    /// Ends the life of all on the stack above a frame.
    pub(crate) fn pop_stack(&mut self, bytes: usize, objects: usize) {
        self.stack.resize(bytes);
        self.stack_objects.truncate(objects);
    }

    /// Makes an object that lives as long as the frame on top.
    pub(crate) fn allocate_on_stack(
        &mut self,
        size: u64,
        depth: u32,
        role: Role,
    ) -> Result<(u64, Location), Full> {
        self.make_room(size)?;
        let address = self.stack_addresses(behind(0, size, self.map.gap))?;
        let offset = self.push_stack(size as usize)?;
        let role = match role {
            Role::Allocated(_) => {
                self.made += 1;
                Role::Allocated(self.made)
            }
            role => role,
        };
        self.stack_objects.push(StackObject {
            address,
            size,
            offset,
            depth,
            role,
        });
        let area = Area::Stack;
        Ok((address, Location { area, offset }))
    }

    pub(crate) fn allocate(
        &mut self,
        size: u64,
        is_known: bool,
        made_by: Option<(FunctionId, u32)>,
    ) -> Result<(u64, Location), Full> {
        self.make_room(size)?;
        self.forget_freed();
        if behind(self.heap_next, size, self.map.heap_gap) > self.map.stack {
            // All were used: take those behind the last object that is alive again.
            while self.heap.pop_if(|it| !it.is_alive).is_some() {}
            let last = self.heap.last();
            self.heap_next = last.map_or(self.map.heap, |it| {
                behind(it.address, it.size, self.map.heap_gap)
            });
        }
        let next = behind(self.heap_next, size, self.map.heap_gap);
        if next > self.map.stack {
            return Err(Full);
        }
        let address = self.heap_next;
        self.heap_next = next;
        self.heap_bytes += size as usize;
        self.heap_alive += 1;
        self.made += 1;
        self.heap.push(HeapObject {
            address,
            size,
            number: self.made,
            is_alive: true,
            made_by,
            bytes: Bytes::zeros(size as usize, is_known),
        });
        let area = Area::Heap(self.heap.len() - 1);
        Ok((address, Location { area, offset: 0 }))
    }

    /// Makes an object that is not the program's, and that it need not free.
    pub(crate) fn allocate_static(&mut self, bytes: &[u8]) -> Result<u64, Full> {
        let (address, location) = self.allocate(bytes.len() as u64, true, None)?;
        self.heap_alive -= 1;
        self.made -= 1;
        if let Some(object) = self.heap.last_mut() {
            object.number = 0;
        }
        let target = self.bytes_mut(location.area);
        target.data_mut(0, bytes.len()).copy_from_slice(bytes);
        Ok(address)
    }

    fn forget_freed(&mut self) {
        let freed = self.heap.len() - self.heap_alive;
        if freed >= MANY_FREED && freed > self.heap_alive {
            self.heap.retain(|it| it.is_alive);
        }
    }

    /// The object on the heap that begins at an address and is alive.
    pub(crate) fn freeable(&self, address: u64) -> Option<usize> {
        match self.find(address)? {
            Found {
                object: Object::Heap(index),
                offset: 0,
                ..
            } if self.heap[index].number > 0 => Some(index),
            _ => None,
        }
    }

    pub(crate) fn free(&mut self, index: usize) {
        let object = &mut self.heap[index];
        object.is_alive = false;
        object.bytes = Bytes::default();
        self.heap_bytes -= object.size as usize;
        self.heap_alive -= 1;
    }
}

fn found(object: Object, offset: u64, size: u64, start: Location) -> Option<Found> {
    (offset <= size).then_some(Found {
        object,
        offset,
        size,
        start,
    })
}
