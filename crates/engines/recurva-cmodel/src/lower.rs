//! From a module to a program.

use std::sync::Arc;

use recurva_cir::{FunctionId, Module, Origin};
use recurva_model::{
    Action, Edge, Label, NodeId, Parts, Patience, Place, Point, ProcId, Procedure, Program, Type,
    VarRef, Variable,
};
use rustc_hash::FxHashMap;

use crate::{
    Addressed, ERROR, Failed, Failure, LIMIT, Limit, LowerOptions, Lowered, Note, NoteKind,
    Refused, Shown, ShownAs, Wanted,
    body::{Body, initialised::flags_of},
    callgraph::CallGraph,
    heap_types::typed_sites,
    lowered::EdgeInfo,
    names::{constants, part_name},
    objects::{ObjectId, Objects, What},
    plan::{Aims, Home, Plan},
    pointers::{PointsTo, Scene},
    uses::{Kind, Uses},
    value::Value,
};

/// A program under construction.
pub(crate) struct Lowering<'a> {
    pub(crate) scene: Scene<'a>,
    pub(crate) plan: Plan,
    pub(crate) graph: CallGraph,
    pub(crate) wanted: &'a Wanted,
    pub(crate) options: &'a LowerOptions,
    pub(crate) errors: Vec<Failed>,
    pub(crate) limits: Vec<Limit>,
    pub(crate) shown: Vec<Shown>,
    /// The flags that say which slots are alive.
    pub(crate) alive: FxHashMap<ObjectId, VarRef>,
    /// The variables that say how large objects are.
    pub(crate) sizes: FxHashMap<ObjectId, (VarRef, Type)>,
    /// For each node of the function at hand the edges that lead there.
    pub(crate) incoming: Vec<Vec<u32>>,
    notes: Vec<Note>,
    globals: Vec<Variable>,
    /// The first value of each flag or variable that was made up: false.
    cleared: Vec<u32>,
    leaves: FxHashMap<(ObjectId, usize), VarRef>,
    /// The flags beside them that say what has a value.
    pub(crate) given: FxHashMap<VarRef, VarRef>,
    taken: FxHashMap<ObjectId, VarRef>,
    procedures: FxHashMap<FunctionId, ProcId>,
    sources: Vec<u32>,
}

/// Lowers a module to a program in which what is wanted is reachability of nodes.
///
/// # Errors
///
/// If patience ends, if something wanted is not in the program, or if the module is wrong.
pub fn lower(
    module: &Module,
    wanted: &Wanted,
    options: &LowerOptions,
    patience: &mut Patience<'_>,
) -> Result<Lowered, Refused> {
    patience.step()?;
    if !module.function(module.entry).has_body() {
        return Err(Refused::NoEntry);
    }
    check_names(module, wanted)?;
    let mut objects = Objects::new(module, options);
    let first = PointsTo::new(module, &objects, patience)?;
    let points_to = match typed_sites(module, &mut objects, &first) {
        true => PointsTo::new(module, &objects, patience)?,
        false => first,
    };
    let scene = Scene {
        module,
        objects: &objects,
        points_to: &points_to,
    };
    let graph = CallGraph::new(module, &points_to);
    let uses = Uses::new(scene, patience)?;
    let aims = Aims {
        lifetime: wanted.has(recurva_cir::Check::Lifetime) || wanted.has(recurva_cir::Check::Free),
    };
    let plan = Plan::new(scene, &uses, &graph, options, aims);
    let mut starts = Vec::with_capacity(module.sources.len());
    let mut next = 0u32;
    for source in &module.sources {
        starts.push(next);
        next = next.saturating_add(source.text.len() as u32 + 1);
    }
    let lowering = Lowering {
        scene,
        plan,
        graph,
        wanted,
        options,
        errors: Vec::new(),
        limits: Vec::new(),
        shown: Vec::new(),
        alive: FxHashMap::default(),
        sizes: FxHashMap::default(),
        incoming: Vec::new(),
        notes: Vec::new(),
        globals: Vec::new(),
        cleared: Vec::new(),
        leaves: FxHashMap::default(),
        given: FxHashMap::default(),
        taken: FxHashMap::default(),
        procedures: FxHashMap::default(),
        sources: starts,
    };
    lowering.run(patience)
}

/// Refuses names that are nowhere in the program.
fn check_names(module: &Module, wanted: &Wanted) -> Result<(), Refused> {
    let labels = || module.functions.iter().flat_map(|it| &it.labels);
    for name in &wanted.labels {
        if !labels().any(|label| label.name == *name) {
            return Err(Refused::NotFound(name.clone()));
        }
    }
    for name in &wanted.functions {
        if module.find_function(name).is_none() {
            return Err(Refused::NotFound(name.clone()));
        }
    }
    Ok(())
}

/// A procedure with what its edges come from.
struct Made {
    procedure: Procedure,
    infos: Vec<EdgeInfo>,
}

impl Lowering<'_> {
    fn run(mut self, patience: &mut Patience<'_>) -> Result<Lowered, Refused> {
        let module = self.scene.module;
        let reachable: Vec<FunctionId> = (0..module.functions.len() as u32)
            .map(FunctionId)
            .filter(|id| self.scene.points_to.reachable[id.0 as usize])
            .filter(|id| module.function(*id).has_body())
            .collect();
        // The first procedure is the one that begins.
        for (index, &id) in reachable.iter().enumerate() {
            self.procedures.insert(id, ProcId(index as u32 + 1));
        }
        self.prepare_flags();
        let mut labels = Vec::new();
        let mut made = Vec::new();
        for &id in &reachable {
            made.push(self.function(id, &mut labels, patience)?);
        }
        made.insert(0, self.start());
        let mut functions: Vec<Option<FunctionId>> = vec![None];
        functions.extend(reachable.into_iter().map(Some));
        for (name, points) in [
            (
                ERROR,
                self.errors
                    .iter()
                    .map(|it| (it.point, it.origin))
                    .collect::<Vec<_>>(),
            ),
            (
                LIMIT,
                self.limits.iter().map(|it| (it.point, it.origin)).collect(),
            ),
        ] {
            labels.extend(points.into_iter().map(|(point, origin)| Label {
                name: name.into(),
                point,
                origin: self.origin(origin),
            }));
        }
        let addressed = self.addressed();
        let (mut procedures, mut edges) = (Vec::new(), Vec::new());
        for it in made {
            procedures.push(it.procedure);
            edges.push(it.infos);
        }
        let mut parts = Parts {
            globals: self.globals,
            procedures,
            main: ProcId(0),
            labels,
            failures: Vec::new(),
        };
        if self.options.classes {
            crate::classes::classify(&mut parts, &mut edges, patience)?;
        }
        let program = Program::new(parts)?.with_constants(constants(self.scene.module));
        Ok(Lowered {
            program: Arc::new(program),
            errors: self.errors,
            limits: self.limits,
            notes: self.notes,
            functions,
            shown: self.shown,
            addressed,
            edges,
            sources: self.sources,
        })
    }

    /// The variables that pointers can point to, by their addresses.
    fn addressed(&self) -> Vec<Addressed> {
        let mut found = Vec::new();
        for (&(object, leaf), &variable) in &self.leaves {
            let planned = self.plan.object(object);
            let leaf = &planned.leaves[leaf];
            let Some(base) = planned.base.filter(|_| leaf.start.is_multiple_of(8)) else {
                continue;
            };
            let slots = (planned.slots > 1).then_some((u64::from(planned.slots), planned.stride));
            let inner = leaf.dims.iter().map(|dim| (dim.count, dim.stride));
            found.push(Addressed {
                variable,
                address: base + leaf.start / 8,
                width: leaf.width,
                is_pointer: leaf.kind == Kind::Pointer,
                arrays: slots.into_iter().chain(inner).collect(),
            });
        }
        found.sort_by_key(|it| (it.address, it.width));
        found
    }

    fn function(
        &mut self,
        id: FunctionId,
        labels: &mut Vec<Label>,
        patience: &mut Patience<'_>,
    ) -> Result<Made, Refused> {
        let function = self.scene.module.function(id);
        let procedure = self.procedures[&id];
        self.incoming = vec![Vec::new(); function.nodes.len()];
        for (index, edge) in function.edges.iter().enumerate() {
            self.incoming[edge.to.0 as usize].push(index as u32);
        }
        let origins: Vec<recurva_model::Origin> =
            function.nodes.iter().map(|&it| self.origin(it)).collect();
        let mut body = Body::new(self, id, procedure);
        let nodes = origins.into_iter();
        body.nodes = nodes.map(|origin| recurva_model::Node { origin }).collect();
        let moved = body.declare();
        let entry = body.prologue(&moved);
        for (index, edge) in function.edges.iter().enumerate() {
            patience.work(256)?;
            body.lower_edge(index, edge);
        }
        let (exit, results) = body.epilogue();
        let made = finish(body, &function.name, entry, exit, results);
        let point = |node: u32| Point {
            procedure,
            node: NodeId(node),
        };
        for label in &function.labels {
            labels.push(Label {
                name: label.name.clone(),
                point: point(label.node.0),
                origin: self.origin(label.origin),
            });
            if self.wanted.labels.contains(&label.name) {
                self.errors.push(Failed {
                    point: point(label.node.0),
                    kind: Failure::Label(label.name.clone()),
                    origin: label.origin,
                });
            }
        }
        if self.wanted.functions.contains(&function.name) {
            self.errors.push(Failed {
                point: point(entry.0),
                kind: Failure::Function(function.name.clone()),
                origin: function.origin,
            });
        }
        Ok(made)
    }

    /// The procedure with which runs begin.
    fn start(&mut self) -> Made {
        let entry = self.scene.module.entry;
        self.incoming = Vec::new();
        let mut body = Body::new(self, entry, ProcId(0));
        let (start, exit) = body.begin();
        let mut made = finish(body, "(start)", start, exit, Vec::new());
        let first = made
            .procedure
            .edges
            .iter_mut()
            .find(|edge| edge.from == start);
        if let Some(Edge {
            action: Action::Assign { assigns, .. },
            ..
        }) = first
        {
            let initial = self.initial_values();
            assigns.extend(initial);
        }
        made
    }

    /// The values of all globals at first.
    fn initial_values(&self) -> Vec<(Place, recurva_model::Expr)> {
        let mut assigns = Vec::new();
        let place = |variable: VarRef, index: u64, total: u64| match total {
            1 => Place::Scalar(variable),
            _ => {
                let index = Value::constant(index, Type::unsigned(32));
                Place::Element(variable, index.into_expr())
            }
        };
        let mut leaves: Vec<(&(ObjectId, usize), &VarRef)> = self.leaves.iter().collect();
        leaves.sort_by_key(|it| it.0);
        for (&(object, leaf), &variable) in leaves {
            if !matches!(self.scene.objects.what[object.index()], What::Global(_)) {
                continue;
            }
            let leaf = &self.plan.object(object).leaves[leaf];
            for element in 0..leaf.count() {
                let start = leaf.start_of(element);
                if let Some(value) = self.initial(object, start, leaf.width) {
                    let value = value.convert(leaf.ty).into_expr();
                    assigns.push((place(variable, element, leaf.count()), value));
                }
                if let Some(&flags) = self.given.get(&variable) {
                    let value = Value::truth().into_expr();
                    assigns.push((place(flags, element, leaf.count()), value));
                }
            }
        }
        for &index in &self.cleared {
            let declared = &self.globals[index as usize];
            let total = declared.slots() as u64;
            for element in 0..total {
                let value = Value::constant(0, declared.ty).into_expr();
                assigns.push((place(VarRef::Global(index), element, total), value));
            }
        }
        assigns
    }

    /// A place of the source as one of the program.
    pub(crate) fn origin(&self, origin: Origin) -> recurva_model::Origin {
        let start = self.sources.get(origin.source.0 as usize);
        let start = start.copied().unwrap_or(0);
        recurva_model::Origin {
            start: start.saturating_add(origin.start),
            end: start.saturating_add(origin.end),
        }
    }

    pub(crate) fn note(&mut self, kind: NoteKind, origin: Origin) {
        let note = Note { kind, origin };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// The procedure of a function, if it has a body.
    pub(crate) fn procedure(&self, function: FunctionId) -> Option<ProcId> {
        self.procedures.get(&function).copied()
    }

    /// The type of the numbers of slots.
    pub(crate) fn slot_type(&self) -> Type {
        let most = self.options.objects.max(2) - 1;
        Type::unsigned((32 - most.leading_zeros()) as u8)
    }

    /// A variable for so many values of a leaf.
    pub(crate) fn variable(
        &self,
        object: ObjectId,
        leaf: usize,
        count: u64,
    ) -> (Variable, ShownAs) {
        let planned = &self.plan.object(object).leaves[leaf];
        let (start, width) = (planned.start, planned.width);
        let what = match self.scene.objects.what[object.index()] {
            What::Global(id) => ShownAs::Global(id, start, width),
            What::Local(function, id) => ShownAs::Local(function, id, start, width),
            What::Site(function, edge, _) => ShownAs::Heap(function, edge, start, width),
            What::Function(_) => ShownAs::Hidden,
        };
        let (name, origin, hidden) = part_name(self.scene.module, &what);
        let variable = Variable {
            name: name.into(),
            ty: planned.ty,
            len: (count > 1).then_some(count as u32),
            hidden,
            origin: self.origin(origin),
        };
        (variable, what)
    }

    /// The variable of a leaf that lives outside all frames.
    pub(crate) fn global_leaf(&mut self, object: ObjectId, leaf: usize) -> VarRef {
        if let Some(&variable) = self.leaves.get(&(object, leaf)) {
            return variable;
        }
        let planned = self.plan.object(object);
        debug_assert!(planned.home != Home::Frame);
        let count = planned.leaves[leaf].count() * u64::from(planned.slots);
        let (declared, what) = self.variable(object, leaf, count);
        let variable = VarRef::Global(self.globals.len() as u32);
        self.globals.push(declared);
        self.shown.push(Shown {
            procedure: None,
            variable,
            what,
        });
        self.leaves.insert((object, leaf), variable);
        if self.follows_values() && !self.plan.object(object).is_constant {
            let flags = VarRef::Global(self.globals.len() as u32);
            self.globals
                .push(flags_of(&self.globals[self.globals.len() - 1]));
            self.given.insert(variable, flags);
        }
        variable
    }

    fn hidden(&mut self, name: String, ty: Type, count: u32) -> VarRef {
        let index = self.globals.len() as u32;
        let variable = match count {
            1 => Variable::scalar(name, ty),
            _ => Variable::array(name, ty, count),
        };
        self.globals.push(Variable {
            hidden: true,
            ..variable
        });
        self.cleared.push(index);
        VarRef::Global(index)
    }

    /// Which slots of an object are alive.
    pub(crate) fn alive_flags(&mut self, object: ObjectId) -> VarRef {
        if let Some(&flags) = self.alive.get(&object) {
            return flags;
        }
        let slots = self.plan.object(object).slots;
        let flags = self.hidden(format!("$alive{}", object.0), Type::Bool, slots);
        self.alive.insert(object, flags);
        flags
    }

    /// Which slots of an object have ever been used.
    pub(crate) fn taken_flags(&mut self, object: ObjectId) -> VarRef {
        if let Some(&flags) = self.taken.get(&object) {
            return flags;
        }
        let slots = self.plan.object(object).slots;
        let flags = self.hidden(format!("$taken{}", object.0), Type::Bool, slots);
        self.taken.insert(object, flags);
        flags
    }

    /// How large the objects of a site are.
    pub(crate) fn size_of(&mut self, object: ObjectId) -> (VarRef, Type) {
        if let Some(&size) = self.sizes.get(&object) {
            return size;
        }
        let planned = self.plan.object(object);
        let bits = (64 - planned.shape.size.leading_zeros()).max(1) as u8;
        let (slots, ty) = (planned.slots, Type::unsigned(bits));
        let variable = self.hidden(format!("$size{}", object.0), ty, slots);
        self.sizes.insert(object, (variable, ty));
        (variable, ty)
    }

    /// Makes the flags of all objects that predicates may ask about, whatever is lowered first.
    fn prepare_flags(&mut self) {
        let mut first_of: FxHashMap<FunctionId, ObjectId> = FxHashMap::default();
        for object in self.scene.objects.ids() {
            let planned = self.plan.object(object);
            let (home, can_die, has_size) = (planned.home, planned.can_die, planned.has_size);
            match self.scene.objects.what[object.index()] {
                What::Site(function, ..) if self.is_reachable(function) => {
                    self.alive_flags(object);
                    if has_size {
                        self.size_of(object);
                    }
                }
                // All variables of one call are in slots of the same number.
                What::Local(function, _) if self.is_reachable(function) && home == Home::Slots => {
                    let first = *first_of.entry(function).or_insert(object);
                    let flags = self.alive_flags(first);
                    self.alive.insert(object, flags);
                }
                What::Local(function, _)
                    if self.is_reachable(function) && can_die && home == Home::Static =>
                {
                    self.alive_flags(object);
                }
                _ => {}
            }
        }
    }

    fn is_reachable(&self, function: FunctionId) -> bool {
        self.scene.points_to.reachable[function.0 as usize]
    }
}

/// The procedure of a body, its edges sorted.
fn finish(body: Body<'_, '_>, name: &str, entry: NodeId, exit: NodeId, results: Vec<u32>) -> Made {
    let origin = recurva_model::Origin::default();
    let mut pairs: Vec<(Edge, EdgeInfo)> = body.edges.into_iter().zip(body.infos).collect();
    pairs.sort_by_key(|(edge, _)| edge.from);
    let (edges, infos) = pairs.into_iter().unzip();
    Made {
        procedure: Procedure {
            name: name.into(),
            locals: body.locals,
            parameters: body.parameters,
            results,
            nodes: body.nodes,
            edges,
            entry,
            exit,
            origin,
        },
        infos,
    }
}
