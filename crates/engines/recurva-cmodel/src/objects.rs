//! The objects of a program: variables, what allocation sites make, functions.

use recurva_cir::{
    ExprKind, FunctionId, GlobalId, LocalId, Module, Operation, Scalar, Storage, Var,
};
use rustc_hash::FxHashMap;

use crate::{LowerOptions, layout::Shape};

/// Index of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ObjectId(pub(crate) u32);

impl ObjectId {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum What {
    Global(GlobalId),
    Local(FunctionId, LocalId),
    /// All that an edge allocates.
    Site(FunctionId, u32, Storage),
    /// A function, as something that pointers point to.
    Function(FunctionId),
}

/// All objects of a module.
#[derive(Debug)]
pub(crate) struct Objects {
    pub(crate) what: Vec<What>,
    pub(crate) shapes: Vec<Shape>,
    globals: u32,
    /// The first local of each function.
    locals: Vec<u32>,
    sites: FxHashMap<(FunctionId, u32), ObjectId>,
    functions: u32,
}

impl Objects {
    pub(crate) fn new(module: &Module, options: &LowerOptions) -> Self {
        let types = &module.types;
        let mut objects = Objects {
            what: Vec::new(),
            shapes: Vec::new(),
            globals: 0,
            locals: Vec::new(),
            sites: FxHashMap::default(),
            functions: 0,
        };
        for (index, global) in module.globals.iter().enumerate() {
            let shape = Shape::variable(types, global.ty, global.bytes.len() as u64);
            objects.add(What::Global(GlobalId(index as u32)), shape);
        }
        for (index, function) in module.functions.iter().enumerate() {
            let id = FunctionId(index as u32);
            objects.locals.push(objects.what.len() as u32);
            for (local, declared) in function.locals.iter().enumerate() {
                let shape = Shape::variable(types, declared.ty, 0);
                objects.add(What::Local(id, LocalId(local as u32)), shape);
            }
        }
        for (index, function) in module.functions.iter().enumerate() {
            let id = FunctionId(index as u32);
            for (edge, it) in function.edges.iter().enumerate() {
                let Operation::Allocate { size, storage, .. } = &it.operation else {
                    continue;
                };
                let size = match (&size.kind, size.ty) {
                    (ExprKind::Const(size), Scalar::Int(_)) => *size,
                    _ => options.bytes,
                };
                let shape = Shape {
                    ty: None,
                    count: 1,
                    size,
                };
                let object = objects.add(What::Site(id, edge as u32, *storage), shape);
                objects.sites.insert((id, edge as u32), object);
            }
        }
        objects.functions = objects.what.len() as u32;
        for index in 0..module.functions.len() {
            let shape = Shape {
                ty: None,
                count: 1,
                size: 1,
            };
            objects.add(What::Function(FunctionId(index as u32)), shape);
        }
        objects
    }

    fn add(&mut self, what: What, shape: Shape) -> ObjectId {
        self.what.push(what);
        self.shapes.push(shape);
        ObjectId(self.what.len() as u32 - 1)
    }

    pub(crate) fn len(&self) -> usize {
        self.what.len()
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.what.len() as u32).map(ObjectId)
    }

    /// A variable as seen from a function.
    pub(crate) fn variable(&self, function: FunctionId, var: Var) -> ObjectId {
        match var {
            Var::Global(global) => ObjectId(self.globals + global.0),
            Var::Local(local) => self.local(function, local),
        }
    }

    pub(crate) fn global(&self, global: GlobalId) -> ObjectId {
        ObjectId(self.globals + global.0)
    }

    pub(crate) fn local(&self, function: FunctionId, local: LocalId) -> ObjectId {
        ObjectId(self.locals[function.0 as usize] + local.0)
    }

    /// What an edge allocates.
    pub(crate) fn site(&self, function: FunctionId, edge: u32) -> ObjectId {
        self.sites[&(function, edge)]
    }

    pub(crate) fn function(&self, function: FunctionId) -> ObjectId {
        ObjectId(self.functions + function.0)
    }
}
