//! What parts of memory are called in the source.

use super::memory::{Area, Found, Location, Object, Role};
use super::observe::Owner;
use super::state::State;
use crate::show::show_string;
use crate::{FunctionId, LocalId, Type, TypeId};

/// A part of memory with a name.
pub(crate) struct Named {
    /// Of the whole object.
    name: String,
    /// Its type, if it is known.
    ty: Option<TypeId>,
    offset: u64,
    /// The bytes of the whole object.
    size: u64,
    /// Whether it is a string literal.
    is_literal: bool,
}

impl State<'_> {
    /// An address as C would write it, seen from a frame. It is taken as one of something of a type.
    pub(crate) fn pointer_text(&self, address: u64, to: TypeId, depth: usize) -> String {
        if address == 0 {
            return "NULL".to_owned();
        }
        if let Some(function) = self.layout.function_at(address) {
            return format!("&{}", self.module.function(function).name);
        }
        if let Some(found) = self.memory.find(address) {
            let named = self.named(found, depth);
            if named.is_literal {
                return self.literal(found);
            }
            let Some(ty) = named.ty else {
                return with_offset(named.name, named.offset);
            };
            if named.offset == found.size && !matches!(self.module.types.get(ty), Type::Array(..)) {
                return format!("&{} + 1", named.name);
            }
            let (path, rest) = self.path(ty, named.offset, Some(to));
            return with_offset(format!("&{}{path}", named.name), rest);
        }
        let heap = &self.memory.heap;
        let index = heap.partition_point(|it| it.address <= address);
        if address < self.layout.map.stack
            && let Some(object) = index.checked_sub(1).map(|it| &heap[it])
            && address - object.address <= object.size
        {
            let name = format!("freed malloc#{}", object.number);
            return with_offset(name, address - object.address);
        }
        match address >= self.layout.map.stack && address < self.layout.map.end {
            true => format!("{address:#x} (gone)"),
            false => format!("{address:#x}"),
        }
    }

    /// What bytes of a type at a location are called, seen from a frame.
    pub(crate) fn location_text(
        &self,
        location: Location,
        ty: Option<TypeId>,
        base: Option<TypeId>,
        depth: usize,
    ) -> String {
        let Some(mut named) = self.named_at(location, depth) else {
            return "memory".to_owned();
        };
        // What was allocated has the type that it is used with.
        if let (None, Some(base)) = (named.ty, base) {
            let size = self.layout.size(base);
            if size > 0 && named.size > size {
                named.name = format!("{}[{}]", named.name, named.offset / size);
                named.offset %= size;
            }
            named.ty = Some(base);
        }
        match named.ty {
            Some(whole) => {
                let (path, rest) = self.path(whole, named.offset, ty);
                with_offset(format!("{}{path}", named.name), rest)
            }
            None => with_offset(named.name, named.offset),
        }
    }

    /// Whose bytes are at a location.
    pub(crate) fn owner(&self, location: Location) -> Owner {
        let Location { area, offset } = location;
        match area {
            Area::Globals => {
                let globals = &self.layout.globals;
                let behind = globals.partition_point(|it| it.offset <= offset);
                Owner::Global(crate::GlobalId(behind.saturating_sub(1) as u32))
            }
            Area::Heap(_) => Owner::Allocated,
            Area::Stack => match self.local_index(offset) {
                Some((depth, local)) => Owner::Local(depth, local),
                None => Owner::Allocated,
            },
        }
    }

    fn named(&self, found: Found, depth: usize) -> Named {
        let (name, ty) = match found.object {
            Object::Global(id) => {
                let global = self.module.global(id);
                let is_literal = global.name.is_empty();
                return Named {
                    name: global.name.to_string(),
                    ty: Some(global.ty),
                    offset: found.offset,
                    size: found.size,
                    is_literal,
                };
            }
            Object::Stack(index) => {
                let object = &self.memory.stack_objects[index];
                let owner = object.depth as usize;
                let function = self.module.function(self.frame(owner).function);
                match object.role {
                    Role::Local(local) => {
                        let local = &function.locals[local.0 as usize];
                        (self.local_name(&local.name, owner, depth), Some(local.ty))
                    }
                    Role::Arguments => (format!("arguments of {}", function.name), None),
                    Role::Allocated(number) => (format!("alloca#{number}"), None),
                }
            }
            Object::Heap(index) => match self.memory.heap[index].number {
                0 => ("object of the library".to_owned(), None),
                number => (format!("malloc#{number}"), None),
            },
        };
        Named {
            name,
            ty,
            offset: found.offset,
            size: found.size,
            is_literal: false,
        }
    }

    fn named_at(&self, location: Location, depth: usize) -> Option<Named> {
        let Location { area, offset } = location;
        let (object, start, size) = match area {
            Area::Globals => {
                let globals = &self.layout.globals;
                let index = globals
                    .partition_point(|it| it.offset <= offset)
                    .checked_sub(1)?;
                let id = crate::GlobalId(index as u32);
                (
                    Object::Global(id),
                    globals[index].offset,
                    globals[index].size,
                )
            }
            Area::Heap(index) => (Object::Heap(index), 0, self.memory.heap[index].size),
            Area::Stack => {
                if let Some(named) = self.local_at(offset, depth) {
                    return Some(named);
                }
                let objects = &self.memory.stack_objects;
                let index = objects.iter().rposition(|it| it.offset <= offset)?;
                (
                    Object::Stack(index),
                    objects[index].offset,
                    objects[index].size,
                )
            }
        };
        let found = Found {
            object,
            offset: (offset - start) as u64,
            size,
            start: Location {
                area,
                offset: start,
            },
        };
        Some(self.named(found, depth))
    }

    /// The variable that lies at an offset in the bytes of the stack.
    fn local_at(&self, offset: usize, depth: usize) -> Option<Named> {
        let (owner, id) = self.local_index(offset)?;
        let frame = self.frame(owner);
        let layout = self.local(frame, id);
        let local = &self.module.function(frame.function).locals[id.0 as usize];
        Some(Named {
            name: self.local_name(&local.name, owner, depth),
            ty: Some(local.ty),
            offset: (offset - frame.bytes - layout.offset) as u64,
            size: layout.size,
            is_literal: false,
        })
    }

    /// The call whose variable lies at an offset in the bytes of the stack, and which one it is.
    fn local_index(&self, offset: usize) -> Option<(usize, LocalId)> {
        let owner = match offset >= self.top.bytes {
            true => self.depth(),
            false => self
                .below
                .partition_point(|it| it.bytes <= offset)
                .checked_sub(1)?,
        };
        let frame = self.frame(owner);
        let locals = &self.layout.functions[frame.function.0 as usize].locals;
        let inside = offset - frame.bytes;
        let index = locals
            .iter()
            .position(|it| it.offset <= inside && inside < it.offset + it.size as usize)?;
        Some((owner, LocalId(index as u32)))
    }

    /// The name of a variable of a call, seen from another one.
    fn local_name(&self, name: &str, owner: usize, depth: usize) -> String {
        let function = |depth: usize| -> FunctionId { self.frame(depth).function };
        match owner {
            _ if owner == depth => name.to_owned(),
            _ if function(owner) == function(depth) => format!("{name} (of call {owner})"),
            _ => format!("{}::{name}", self.module.function(function(owner)).name),
        }
    }

    /// The way to what lies at an offset in something of a type: the one to something of the wanted
    /// type, if there is one. Also how many bytes are left.
    fn path(&self, mut ty: TypeId, mut offset: u64, wanted: Option<TypeId>) -> (String, u64) {
        let types = &self.module.types;
        let mut path = String::new();
        loop {
            let is_wanted = wanted.is_none_or(|it| it == ty || types.size(it) == 0);
            if offset == 0 && is_wanted {
                return (path, 0);
            }
            match *types.get(ty) {
                Type::Array(element, _) if self.layout.size(element) > 0 => {
                    let size = self.layout.size(element);
                    path.push_str(&format!("[{}]", offset / size));
                    offset %= size;
                    ty = element;
                }
                Type::Record(record) => {
                    let fields = &types.record(record).fields;
                    let holds = |field: &&crate::Field| {
                        let size = self.layout.size(field.ty).max(1);
                        field.offset <= offset && offset - field.offset < size
                    };
                    let fits = |field: &&crate::Field| {
                        holds(field) && offset == field.offset && wanted == Some(field.ty)
                    };
                    let found = fields
                        .iter()
                        .find(fits)
                        .or_else(|| fields.iter().find(holds));
                    let Some(field) = found else {
                        return (path, offset);
                    };
                    if !field.name.is_empty() {
                        path.push('.');
                        path.push_str(&field.name);
                    }
                    offset -= field.offset;
                    ty = field.ty;
                }
                _ => return (path, offset),
            }
        }
    }

    fn literal(&self, found: Found) -> String {
        let bytes = self.memory.bytes(found.start.area);
        let start = found.start.offset + found.offset as usize;
        let bytes = bytes.data(start, (found.size - found.offset) as usize);
        let end = bytes.iter().position(|&byte| byte == 0);
        show_string(&bytes[..end.unwrap_or(bytes.len())])
    }
}

fn with_offset(name: String, offset: u64) -> String {
    match offset {
        0 => name,
        offset => format!("{name} + {offset}"),
    }
}
