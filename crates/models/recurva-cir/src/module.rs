//! Modules: whole programs.

use crate::{Expr, Operation, Place, TypeId, Types};

/// A variable of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(pub u32);

/// A function of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// A variable of the function at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// A node of the function at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// A text of the module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub u32);

/// Where something comes from: bytes of a unit's preprocessed text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Which text.
    pub source: SourceId,
    /// The first byte.
    pub start: u32,
    /// Behind the last byte.
    pub end: u32,
}

/// A text that the program was read from.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// The name of its file.
    pub name: Box<str>,
    /// The text after preprocessing, with its line markers.
    pub text: Vec<u8>,
    /// Whether it is one of ours: a model of the library.
    pub is_library: bool,
}

/// A whole program.
#[derive(Clone, Debug)]
pub struct Module {
    /// The texts it was read from.
    pub sources: Vec<SourceText>,
    /// Its types.
    pub types: Types,
    /// Its variables with static storage, string literals included.
    pub globals: Vec<Global>,
    /// Its functions.
    pub functions: Vec<Function>,
    /// Where runs begin.
    pub entry: FunctionId,
}

/// A variable with static storage.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name in the source. Those of functions: `f::x`. Of a string literal: empty.
    pub name: Box<str>,
    /// Its type.
    pub ty: TypeId,
    /// Its bytes at first; as many as its type has, or more for a flexible array.
    pub bytes: Vec<u8>,
    /// Addresses in it: at these offsets.
    pub addresses: Vec<(u64, InitialValue)>,
    /// Whether it must not be changed.
    pub is_const: bool,
    /// Its declaration.
    pub origin: Origin,
}

/// An address that is known when the program begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitialValue {
    /// Of a variable, and so many bytes.
    Global(GlobalId, i64),
    /// Of a function.
    Function(FunctionId),
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name in the source.
    pub name: Box<str>,
    /// Its variables: the parameters first.
    pub locals: Vec<Local>,
    /// How many of them are parameters.
    pub parameters: u32,
    /// Whether more arguments may follow.
    pub is_variadic: bool,
    /// The variable that has the result when the exit is reached.
    pub result: Option<LocalId>,
    /// The type of the result; `None` is `void`.
    pub result_type: Option<TypeId>,
    /// Its nodes, by the place they stand for; none if it has no body.
    pub nodes: Vec<Origin>,
    /// Its edges, sorted by where they start. Those of a node exclude each other: at most one of its
    /// [`Operation::Assume`]s is true, and any other operation stands alone.
    pub edges: Vec<Edge>,
    /// Where it begins.
    pub entry: NodeId,
    /// Where it ends.
    pub exit: NodeId,
    /// Names of nodes: labels of the source.
    pub labels: Vec<Label>,
    /// Its name where it is defined or declared.
    pub origin: Origin,
}

/// A label of the source.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name.
    pub name: Box<str>,
    /// The node.
    pub node: NodeId,
    /// Where it stands.
    pub origin: Origin,
}

/// A variable of a function: an object that lives as long as the call.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name in the source; made up if it has none.
    pub name: Box<str>,
    /// Its type.
    pub ty: TypeId,
    /// Whose it is.
    pub kind: LocalKind,
    /// Its declaration.
    pub origin: Origin,
}

/// Whose variable it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalKind {
    /// The user's.
    User,
    /// Made up by the translation, and its address is never taken. Users do not see it.
    Temporary,
}

/// An edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it starts.
    pub from: NodeId,
    /// Where it leads; of a call, where control returns to.
    pub to: NodeId,
    /// What it does.
    pub operation: Operation,
    /// What it comes from.
    pub origin: Origin,
}

impl Module {
    /// A function.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The function with that name and a body, or without one if there is no other.
    pub fn find_function(&self, name: &str) -> Option<FunctionId> {
        let named = || {
            (0..)
                .zip(&self.functions)
                .filter(|(_, it)| *it.name == *name)
        };
        let with_body = named().find(|(_, it)| it.has_body());
        let found = with_body.or_else(|| named().next())?;
        Some(FunctionId(found.0))
    }

    /// A variable of the program.
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.0 as usize]
    }
}

impl Function {
    /// Whether it has a body.
    pub fn has_body(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// The edges that start at a node, as indices of [`Self::edges`].
    pub fn outgoing(&self, node: NodeId) -> std::ops::Range<usize> {
        let start = self.edges.partition_point(|edge| edge.from < node);
        let end = self.edges.partition_point(|edge| edge.from <= node);
        start..end
    }
}

impl Place {
    /// All of a variable.
    pub fn whole(var: crate::Var, ty: TypeId) -> Self {
        Place {
            base: crate::Base::Var(var),
            path: Vec::new(),
            ty,
            bits: None,
        }
    }
}

impl Expr {
    /// A number of a type.
    pub fn constant(value: u64, ty: crate::Scalar) -> Self {
        Expr {
            kind: crate::ExprKind::Const(value),
            ty,
        }
    }
}
