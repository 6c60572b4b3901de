//! What is known of a module before it runs: sizes, where variables lie in a frame, which edges
//! leave a node, the addresses of globals and functions.

use crate::{Base, Expr, ExprKind, Function, FunctionId, Module, Part, Place, TypeId, Var};

/// Where the parts of the address space begin, lowest first. Nothing lies at the addresses below.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Map {
    pub(crate) functions: u64,
    pub(crate) globals: u64,
    pub(crate) heap: u64,
    pub(crate) stack: u64,
    pub(crate) end: u64,
    /// The bytes between two objects on the heap.
    pub(crate) heap_gap: u64,
    /// The bytes between two other objects.
    pub(crate) gap: u64,
}

/// All functions lie this far from each other.
pub(crate) const FUNCTION_BYTES: u64 = 16;

/// The alignment of every object, more than any type asks for.
const ALIGN: u64 = 16;

impl Map {
    /// An address space is large enough at 64 bits to keep objects far apart: what overshoots one
    /// does not end in another.
    fn new(module: &Module) -> Self {
        let functions = module.functions.len() as u64 * FUNCTION_BYTES;
        if module.types.pointer_bytes == 4 {
            Map {
                functions: 0x1_0000,
                globals: 0x2_0000 + functions.next_multiple_of(0x1_0000),
                heap: 0x4000_0000,
                stack: 0xa000_0000,
                end: 0xffff_0000,
                heap_gap: 64,
                gap: 32,
            }
        } else {
            Map {
                functions: 0x40_0000,
                globals: 0x1000_0000 + functions.next_multiple_of(0x1_0000),
                heap: 0x1000_0000_0000,
                stack: 0x4000_0000_0000,
                end: 0x7fff_0000_0000,
                heap_gap: 0x1_0000,
                gap: 0x1000,
            }
        }
    }
}

/// The address behind an object and the gap that follows.
pub(crate) fn behind(address: u64, size: u64, gap: u64) -> u64 {
    address
        .saturating_add(size)
        .saturating_add(gap)
        .saturating_add(ALIGN - 1)
        / ALIGN
        * ALIGN
}

#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) map: Map,
    /// By type.
    pub(crate) sizes: Vec<u64>,
    pub(crate) globals: Vec<GlobalLayout>,
    pub(crate) functions: Vec<FunctionLayout>,
    pub(crate) pointer_bits: u32,
    /// How deeply expressions are nested.
    pub(crate) depth: usize,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct GlobalLayout {
    /// Where it lies in the bytes of all globals.
    pub(crate) offset: usize,
    pub(crate) size: u64,
    pub(crate) address: u64,
    pub(crate) is_const: bool,
}

#[derive(Debug)]
pub(crate) struct FunctionLayout {
    /// The edges of node `n` are those from `starts[n]` to `starts[n + 1]`.
    pub(crate) starts: Vec<u32>,
    pub(crate) locals: Vec<LocalLayout>,
    /// The bytes of a frame.
    pub(crate) bytes: usize,
    /// The variables whose address is taken: only these need one.
    pub(crate) addressed: Vec<u32>,
    /// How much of the address space these take.
    pub(crate) span: u64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalLayout {
    /// Where it lies in the frame's bytes.
    pub(crate) offset: usize,
    pub(crate) size: u64,
    /// The distance from the frame's first address, if the address is taken.
    pub(crate) address: u64,
}

impl Layout {
    pub(crate) fn new(module: &Module) -> Self {
        let types = &module.types;
        let map = Map::new(module);
        let ids = 0..types.list.len() as u32;
        let sizes: Vec<u64> = ids.map(|id| types.size(TypeId(id))).collect();
        let mut offset = 0;
        let mut address = map.globals;
        let globals = module.globals.iter().map(|global| {
            let size = (global.bytes.len() as u64).max(sizes[global.ty.0 as usize]);
            let layout = GlobalLayout {
                offset,
                size,
                address,
                is_const: global.is_const,
            };
            offset += size as usize;
            address = behind(address, size, map.gap);
            layout
        });
        Layout {
            map,
            globals: globals.collect(),
            functions: (module.functions.iter())
                .map(|function| FunctionLayout::new(function, &sizes, map))
                .collect(),
            pointer_bits: types.pointer_bytes as u32 * 8,
            depth: (module.functions.iter())
                .flat_map(|function| &function.edges)
                .map(|edge| edge.operation.depth())
                .max()
                .unwrap_or(0),
            sizes,
        }
    }

    pub(crate) fn size(&self, ty: TypeId) -> u64 {
        self.sizes[ty.0 as usize]
    }

    pub(crate) fn function_address(&self, function: FunctionId) -> u64 {
        self.map.functions + u64::from(function.0) * FUNCTION_BYTES
    }

    pub(crate) fn function_at(&self, address: u64) -> Option<FunctionId> {
        let distance = address.checked_sub(self.map.functions)?;
        let index = distance / FUNCTION_BYTES;
        let found = distance % FUNCTION_BYTES == 0 && index < self.functions.len() as u64;
        found.then_some(FunctionId(index as u32))
    }
}

impl FunctionLayout {
    fn new(function: &Function, sizes: &[u64], map: Map) -> Self {
        let mut starts = vec![0; function.nodes.len() + 1];
        for edge in &function.edges {
            starts[edge.from.0 as usize + 1] += 1;
        }
        for node in 0..function.nodes.len() {
            starts[node + 1] += starts[node];
        }
        let is_addressed = addressed(function);
        let mut offset = 0;
        let mut span = 0;
        let locals = (function.locals.iter().zip(&is_addressed)).map(|(local, &is_addressed)| {
            let size = sizes[local.ty.0 as usize];
            let layout = LocalLayout {
                offset,
                size,
                address: span,
            };
            // What no memory can hold is found when the frame is made.
            offset = offset.saturating_add(size as usize);
            if is_addressed {
                span = behind(span, size, map.gap);
            }
            layout
        });
        let locals = locals.collect();
        let addressed = (0..)
            .zip(is_addressed)
            .filter_map(|(id, it)| it.then_some(id));
        FunctionLayout {
            starts,
            locals,
            bytes: offset,
            addressed: addressed.collect(),
            span,
        }
    }
}

/// Whose address is taken somewhere, by variable.
fn addressed(function: &Function) -> Vec<bool> {
    let mut found = vec![false; function.locals.len()];
    for edge in &function.edges {
        edge.operation.visit(&mut |part| {
            if let Part::Expr(Expr {
                kind: ExprKind::Address(place),
                ..
            }) = part
                && let Place {
                    base: Base::Var(Var::Local(local)),
                    ..
                } = **place
            {
                found[local.0 as usize] = true;
            }
        });
    }
    found
}
