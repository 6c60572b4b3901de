//! The procedure of one function, edge by edge.
//!
//! A *cursor* is the node where the next step starts. To evaluate an expression is pure, but one
//! with many [cases](crate::cases) goes to a temporary variable first, which moves the cursor on.

mod address;
mod bytes;
mod call;
mod cell;
mod expression;
mod float;
mod frame;
mod heap;
pub(crate) mod initialised;
mod memory;
mod operation;
mod place;
mod predicate;

use recurva_cir::{Base, Check, Expr as CExpr, ExprKind, FunctionId, Scalar};
use recurva_model::{Action, Edge, Node, NodeId, Place, ProcId, Type, VarRef, Variable};
use rustc_hash::FxHashMap;

use crate::{
    LimitReason, NoteKind,
    body::initialised::Given,
    cases::{Case, Cases},
    lower::Lowering,
    lowered::{Chosen, EdgeInfo},
    objects::ObjectId,
    pointers::Scene,
    value::Value,
};

/// More cases than this go to a temporary variable before they are combined with others.
const MOST_CASES: usize = 8;

/// A procedure under construction.
pub(crate) struct Body<'l, 'a> {
    pub(crate) lowering: &'l mut Lowering<'a>,
    pub(crate) function: FunctionId,
    pub(crate) procedure: ProcId,
    pub(crate) locals: Vec<Variable>,
    pub(crate) parameters: usize,
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) infos: Vec<EdgeInfo>,
    /// Where the next step starts.
    cursor: NodeId,
    /// What is being lowered.
    origin: recurva_cir::Origin,
    edge: Option<u32>,
    /// How many choices there are so far on the edges being made.
    choices: u32,
    /// Temporary variables by their type, and how many of each are in use.
    temporaries: FxHashMap<Type, (Vec<u32>, usize)>,
    limits: FxHashMap<(Option<u32>, LimitReason), NodeId>,
    /// The number of the slot of each local that is in one.
    slots: FxHashMap<ObjectId, VarRef>,
    /// The pointers that have just been checked, and how many bytes can be accessed there.
    checked: Vec<CExpr>,
    /// The variables of this frame.
    leaves: FxHashMap<(ObjectId, usize), VarRef>,
    /// The flags beside them that say what has a value.
    given: FxHashMap<VarRef, VarRef>,
}

/// An assignment of the model.
pub(crate) type Write = (Place, Value);

impl<'l, 'a> Body<'l, 'a> {
    pub(crate) fn new(
        lowering: &'l mut Lowering<'a>,
        function: FunctionId,
        procedure: ProcId,
    ) -> Self {
        Body {
            lowering,
            function,
            procedure,
            locals: Vec::new(),
            parameters: 0,
            nodes: Vec::new(),
            edges: Vec::new(),
            infos: Vec::new(),
            cursor: NodeId(0),
            origin: recurva_cir::Origin::default(),
            edge: None,
            choices: 0,
            temporaries: FxHashMap::default(),
            limits: FxHashMap::default(),
            slots: FxHashMap::default(),
            checked: Vec::new(),
            leaves: FxHashMap::default(),
            given: FxHashMap::default(),
        }
    }

    fn scene(&self) -> Scene<'a> {
        self.lowering.scene
    }

    /// The type of a scalar's values.
    fn repr(&self, scalar: Scalar) -> Type {
        match scalar {
            Scalar::Bool => Type::Bool,
            Scalar::Int(int) => Type::Int {
                bits: int.bits,
                signed: int.is_signed,
            },
            Scalar::Float(recurva_cir::Float::Single) => Type::unsigned(32),
            Scalar::Float(_) => Type::unsigned(64),
            Scalar::Pointer => self.lowering.plan.pointer,
        }
    }

    fn node(&mut self) -> NodeId {
        let origin = self.lowering.origin(self.origin);
        self.nodes.push(Node { origin });
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// Any value of a type, chosen on the edge being made.
    fn any(&mut self, ty: Type) -> Value {
        self.choices += 1;
        Value::any(ty, self.choices - 1)
    }

    fn push_edge(&mut self, to: NodeId, guard: Value, action: Action, chosen: Vec<Chosen>) {
        if guard.is_false() {
            return;
        }
        let origin = self.lowering.origin(self.origin);
        self.edges.push(Edge {
            from: self.cursor,
            to,
            guard: guard.into_expr(),
            action,
            origin,
        });
        self.infos.push(EdgeInfo {
            edge: self.edge,
            chosen,
        });
    }

    /// A step from the cursor.
    fn step(&mut self, to: NodeId, guard: Value, writes: Vec<Write>) {
        self.choosing_step(to, guard, writes, Vec::new());
    }

    fn choosing_step(&mut self, to: NodeId, guard: Value, writes: Vec<Write>, chosen: Vec<Chosen>) {
        let writes = self.with_flags(writes, &Given::Yes);
        self.plain_step(to, guard, writes, chosen);
    }

    /// A step whose writes are all there are.
    fn plain_step(&mut self, to: NodeId, guard: Value, writes: Vec<Write>, chosen: Vec<Chosen>) {
        let assigns = writes
            .into_iter()
            .map(|(place, value)| (place, value.into_expr()))
            .collect();
        let action = Action::Assign {
            assigns,
            constraint: None,
        };
        self.push_edge(to, guard, action, chosen);
    }

    /// A step from the cursor to where the model ends.
    fn limit(&mut self, guard: Value, reason: LimitReason) {
        if guard.is_false() {
            return;
        }
        let key = (self.edge, reason.clone());
        let node = match self.limits.get(&key) {
            Some(&node) => node,
            None => {
                let node = self.node();
                self.limits.insert(key, node);
                let point = recurva_model::Point {
                    procedure: self.procedure,
                    node,
                };
                self.lowering.limits.push(crate::Limit {
                    point,
                    reason,
                    origin: self.origin,
                });
                node
            }
        };
        self.step(node, guard, Vec::new());
    }

    fn note(&mut self, kind: NoteKind) {
        self.lowering.note(kind, self.origin);
    }

    /// A temporary variable. All of them are free again when the next operation begins.
    fn temporary(&mut self, ty: Type) -> VarRef {
        let next = self.locals.len() as u32;
        let (pool, used) = self.temporaries.entry(ty).or_default();
        *used += 1;
        if let Some(&local) = pool.get(*used - 1) {
            return VarRef::Local(local);
        }
        pool.push(next);
        self.locals.push(Variable {
            hidden: true,
            ..Variable::scalar(format!("$t{next}"), ty)
        });
        VarRef::Local(next)
    }

    fn free_temporaries(&mut self) {
        for (_, used) in self.temporaries.values_mut() {
            *used = 0;
        }
    }

    /// Splits off the cases that the model does not know: each is a step to a limit.
    fn without_limits<T>(&mut self, cases: Cases<T>) -> Vec<(Value, T)> {
        let mut known = Vec::with_capacity(cases.list.len());
        for Case { guard, outcome } in cases.list {
            match outcome {
                Ok(outcome) => known.push((guard, outcome)),
                Err(reason) => self.limit(guard, reason),
            }
        }
        known
    }

    /// The value in a variable if it has cases; the cursor moves behind the step that puts it there.
    fn settled(&mut self, cases: Cases<Value>, ty: Type) -> Value {
        if let Some(value) = cases.single() {
            return value.clone();
        }
        let known = self.without_limits(cases);
        if known.is_empty() {
            self.cursor = self.node();
            return Value::constant(0, ty);
        }
        let variable = self.temporary(ty);
        let next = self.node();
        for (guard, value) in known {
            let write = (Place::Scalar(variable), value);
            self.step(next, guard, vec![write]);
        }
        self.cursor = next;
        Value::read(variable, ty)
    }

    /// The cases, or one value if there are too many of them.
    fn few(&mut self, cases: Cases<Value>, ty: Type) -> Cases<Value> {
        match cases.list.len() > MOST_CASES {
            true => Cases::one(self.settled(cases, ty)),
            false => cases,
        }
    }

    /// Whether a pointer was just checked: something can be accessed where it points to.
    fn is_checked_pointer(&self, pointer: &CExpr) -> bool {
        let is_meant = |inner: &CExpr| match &inner.kind {
            _ if *inner == *pointer => true,
            ExprKind::Address(place) => {
                matches!(&place.base, Base::Deref(base, _) if **base == *pointer)
            }
            _ => false,
        };
        self.checked.iter().any(|check| {
            any_within(check, &mut |part| match &part.kind {
                ExprKind::IsValid(inner, count) => *count > 0 && is_meant(inner),
                _ => false,
            })
        })
    }

    /// Whether an index was just checked.
    fn is_checked_index(&self, index: &CExpr) -> bool {
        self.checked
            .iter()
            .any(|check| any_within(check, &mut |part| part == index))
    }
}

/// Whether an expression or one in it is of some kind.
fn any_within(expr: &CExpr, is_wanted: &mut dyn FnMut(&CExpr) -> bool) -> bool {
    let mut found = false;
    recurva_cir::Part::Expr(expr).visit(&mut |part| {
        if let recurva_cir::Part::Expr(part) = part {
            found = found || is_wanted(part);
        }
    });
    found
}

/// Whether a check says that an index or a pointer is where it should be.
fn bounds(check: Check) -> bool {
    matches!(check, Check::Bounds | Check::Null | Check::Lifetime)
}

/// A scalar variable of the model read.
fn read(variable: VarRef, ty: Type) -> Value {
    Value::read(variable, ty)
}
