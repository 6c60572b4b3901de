//! Values of a run in C's terms.

use super::memory::Location;
use super::observe::{Change, View};
use super::state::State;
use crate::show::{show_scalar, show_string};
use crate::{Bits, Place, Type, TypeId};

/// A part of memory as a user sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// What it is called: `x`, `a[3]`, `node.next`, `malloc#2 + 8`.
    pub name: String,
    /// Its value: `-3`, `{ .x = 1, .p = &y }`.
    pub value: String,
}

/// So many elements and fields are shown.
const MOST_ELEMENTS: u64 = 8;
/// And so many levels of records and arrays.
const MOST_LEVELS: u32 = 4;

impl View<'_, '_> {
    /// The value of a place in a call; 0 is the first. `None` if there is nothing.
    pub fn show(&self, depth: usize, place: &Place) -> Option<String> {
        let state = self.state;
        let (location, _) = state.extent(state.frame(depth), place).ok()?;
        Some(state.value_text(location, place.ty, place.bits, depth, MOST_LEVELS))
    }

    /// A scalar of a type, as seen in a call.
    pub fn show_value(&self, depth: usize, ty: TypeId, bits: u64) -> Option<String> {
        self.state.scalar_text(ty, bits, depth)
    }

    /// A change, as seen from a call that is still under way.
    pub fn show_change(&self, depth: usize, change: &Change) -> Shown {
        let state = self.state;
        let depth = depth.min(state.depth());
        let name = state.location_text(change.location, change.ty, change.base, depth);
        let value = match change.ty {
            Some(ty) => state.value_text(change.location, ty, change.bits, depth, MOST_LEVELS),
            None => {
                let bytes = state.memory.bytes(change.location.area);
                let count = change.count.min(16) as usize;
                let bytes = bytes.data(change.location.offset, count);
                let shown = bytes.iter().map(|byte| format!("{byte:02x}"));
                let shown: Vec<String> = shown.collect();
                let more = if change.count > 16 { " ..." } else { "" };
                format!("bytes {}{more}", shown.join(" "))
            }
        };
        Shown { name, value }
    }

    /// The variables of a call, in the order of their declarations, temporaries too.
    pub fn locals(&self, depth: usize) -> Vec<Shown> {
        let frame = self.state.frame(depth);
        let function = self.state.module.function(frame.function);
        let ids = (0..).map(crate::LocalId);
        let shown = ids.zip(&function.locals).filter_map(|(id, local)| {
            let place = Place::whole(crate::Var::Local(id), local.ty);
            Some(Shown {
                name: local.name.to_string(),
                value: self.show(depth, &place)?,
            })
        });
        shown.collect()
    }
}

impl State<'_> {
    fn scalar_text(&self, ty: TypeId, bits: u64, depth: usize) -> Option<String> {
        match *self.module.types.get(ty) {
            Type::Pointer(to) => Some(self.pointer_text(bits, to, depth)),
            _ => show_scalar(self.module, ty, bits),
        }
    }

    fn value_text(
        &self,
        location: Location,
        ty: TypeId,
        bits: Option<Bits>,
        depth: usize,
        levels: u32,
    ) -> String {
        let size = match bits {
            Some(bits) => bits.bytes(),
            None => self.layout.size(ty),
        };
        let bytes = self.memory.bytes(location.area);
        if location.offset + size as usize > bytes.len() {
            return "?".to_owned();
        }
        match *self.module.types.get(ty) {
            Type::Array(..) | Type::Record(_) if levels == 0 => "{ ... }".to_owned(),
            Type::Array(element, count) => {
                self.array_text(location, element, count, depth, levels - 1)
            }
            Type::Record(record) => {
                let fields = &self.module.types.record(record).fields;
                let mut parts = Vec::new();
                for field in fields.iter().take(MOST_ELEMENTS as usize) {
                    let at = Location {
                        area: location.area,
                        offset: location.offset + field.offset as usize,
                    };
                    let value = self.value_text(at, field.ty, field.bits, depth, levels - 1);
                    parts.push(match field.name.is_empty() {
                        true => value,
                        false => format!(".{} = {value}", field.name),
                    });
                }
                if fields.len() as u64 > MOST_ELEMENTS {
                    parts.push("...".to_owned());
                }
                format!("{{ {} }}", parts.join(", "))
            }
            _ => {
                let value = self.load_at(location, size, ty, bits);
                let text = self.scalar_text(ty, value, depth);
                let known = bytes.known(location.offset, size as usize);
                match text {
                    Some(text) if known.iter().all(|&it| it) => text,
                    Some(text) => format!("{text} (uninitialised)"),
                    None => "...".to_owned(),
                }
            }
        }
    }

    fn array_text(
        &self,
        location: Location,
        element: TypeId,
        count: u64,
        depth: usize,
        levels: u32,
    ) -> String {
        if let Type::Char(_) = self.module.types.get(element) {
            let bytes = self.memory.bytes(location.area);
            let bytes = bytes.data(location.offset, count as usize);
            // A string ends at its first zero, and has no other bytes than texts have.
            if let Some(end) = bytes.iter().position(|&byte| byte == 0)
                && bytes[..end].iter().all(|&byte| byte >= 7)
            {
                return show_string(&bytes[..end]);
            }
        }
        let size = self.layout.size(element) as usize;
        let shown = (0..count.min(MOST_ELEMENTS)).map(|index| {
            let at = Location {
                area: location.area,
                offset: location.offset + index as usize * size,
            };
            self.value_text(at, element, None, depth, levels)
        });
        let mut parts: Vec<String> = shown.collect();
        if count > MOST_ELEMENTS {
            parts.push(format!("... {} more", count - MOST_ELEMENTS));
        }
        format!("{{ {} }}", parts.join(", "))
    }
}
