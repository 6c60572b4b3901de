//! Data flow over the functions of a C program: local variables that may be read before they have a
//! value, that are live, and functions that no run calls.
//!
//! Each function is looked at by itself. A variable whose address is taken is left out: somebody else
//! may read or write it.

use recurva_cir::{
    Argument, Base, ExprKind, Function, LocalId, LocalKind, Module, NodeId, Operation, Origin,
    Part, Place, Unknown, Var,
};
use recurva_syntax::{Source, Span};

use super::places::{Files, Preprocessed};

/// What is asked about the functions of a C program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CFlowKind {
    /// Where a local variable may be read that was given no value.
    Uninitialised,
    /// Which local variables may still be read at each statement.
    Live,
    /// Which functions no run calls.
    Uncalled,
}

/// What was found, with the texts that it is in.
#[derive(Clone, Debug, Default)]
pub struct CFlow {
    /// The texts.
    pub sources: Vec<Source>,
    /// What was found, in the order of the texts.
    pub rows: Vec<CFlowRow>,
}

/// A place, and the variables that something is said about there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CFlowRow {
    /// The number of the text.
    pub source: usize,
    /// Where it begins in the text, and where it ends.
    pub place: (u32, u32),
    /// The function.
    pub function: String,
    /// The variables.
    pub variables: Vec<String>,
}

impl CFlowRow {
    /// The place in the text.
    pub fn span(&self) -> Span {
        Span::new(self.place.0, self.place.1)
    }
}

/// Places in the user's files for what is found.
pub(super) struct Finder<'a> {
    pub(super) module: &'a Module,
    pub(super) texts: &'a [Preprocessed<'a>],
    pub(super) files: &'a mut Files,
}

impl Finder<'_> {
    pub(super) fn uninitialised(&mut self) -> CFlow {
        let mut rows = Vec::new();
        for function in &self.module.functions {
            for (origin, local) in unassigned(function) {
                self.row(&mut rows, origin, function, vec![name(function, local)]);
            }
        }
        self.finish(rows)
    }

    pub(super) fn live(&mut self) -> CFlow {
        let mut rows = Vec::new();
        for function in &self.module.functions {
            for (number, live) in live(function).into_iter().enumerate() {
                let names = live.iter().map(|local| name(function, local));
                self.row(&mut rows, function.nodes[number], function, names.collect());
            }
        }
        self.finish(rows)
    }

    /// The functions of the whole program, `self`'s, that are not among those that runs call.
    pub(super) fn uncalled(&mut self, called: &Module) -> CFlow {
        let mut rows = Vec::new();
        for function in self.module.functions.iter().filter(|it| it.has_body()) {
            let same = |it: &Function| it.name == function.name && it.origin == function.origin;
            if !called.functions.iter().any(same) {
                self.row(&mut rows, function.origin, function, Vec::new());
            }
        }
        self.finish(rows)
    }

    fn row(
        &mut self,
        rows: &mut Vec<CFlowRow>,
        origin: Origin,
        function: &Function,
        variables: Vec<String>,
    ) {
        // Models of the library are none of the user's texts.
        let Some(text) = self.texts.get(origin.source.0 as usize) else {
            return;
        };
        let place = self.files.place(text, Span::new(origin.start, origin.end));
        if let Some((source, span)) = place {
            rows.push(CFlowRow {
                source,
                place: (span.start, span.end),
                function: function.name.to_string(),
                variables,
            });
        }
    }

    fn finish(&self, mut rows: Vec<CFlowRow>) -> CFlow {
        rows.sort();
        rows.dedup();
        CFlow {
            sources: self.files.all(),
            rows,
        }
    }
}

fn name(function: &Function, local: LocalId) -> String {
    function.locals[local.0 as usize].name.to_string()
}

/// A set of local variables.
#[derive(Clone, PartialEq, Eq)]
struct Locals(Vec<bool>);

impl Locals {
    fn none(function: &Function) -> Self {
        Locals(vec![false; function.locals.len()])
    }

    /// Adds all of the others; whether there is a new one.
    fn join(&mut self, others: &Locals) -> bool {
        let mut is_new = false;
        for (here, there) in self.0.iter_mut().zip(&others.0) {
            is_new |= *there && !*here;
            *here |= *there;
        }
        is_new
    }

    fn set(&mut self, local: LocalId, value: bool) {
        if let Some(here) = self.0.get_mut(local.0 as usize) {
            *here = value;
        }
    }

    fn has(&self, local: LocalId) -> bool {
        self.0.get(local.0 as usize).copied().unwrap_or(false)
    }

    fn iter(&self) -> impl Iterator<Item = LocalId> + '_ {
        let all = (0..).map(LocalId).zip(&self.0);
        all.filter(|(_, is_in)| **is_in).map(|(local, _)| local)
    }
}

/// The variables of the user that only this function reads and writes.
fn own(function: &Function) -> Locals {
    let mut own = Locals::none(function);
    for (number, local) in function.locals.iter().enumerate() {
        own.0[number] = local.kind == LocalKind::User && !local.name.is_empty();
    }
    for edge in &function.edges {
        edge.operation.visit(&mut |part| {
            if let Part::Expr(expr) = part
                && let ExprKind::Address(place) = &expr.kind
                && let Some(local) = local(place)
            {
                own.set(local, false);
            }
        });
    }
    own
}

fn local(place: &Place) -> Option<LocalId> {
    match place.base {
        Base::Var(Var::Local(local)) => Some(local),
        _ => None,
    }
}

/// The variables that an operation reads.
fn reads(operation: &Operation, read: &mut dyn FnMut(LocalId)) {
    match operation {
        Operation::Copy(_, from) | Operation::VaCopy { from, .. } => {
            local(from).into_iter().for_each(&mut *read);
        }
        Operation::VaArg { list, .. } => local(list).into_iter().for_each(&mut *read),
        Operation::Call { arguments, .. } => {
            for argument in arguments {
                if let Argument::Record(place) = argument {
                    local(place).into_iter().for_each(&mut *read);
                }
            }
        }
        _ => {}
    }
    operation.visit(&mut |part| {
        if let Part::Expr(expr) = part
            && let ExprKind::Load(place) = &expr.kind
        {
            local(place).into_iter().for_each(&mut *read);
        }
    });
}

/// Where variables are read that may have been given no value.
fn unassigned(function: &Function) -> Vec<(Origin, LocalId)> {
    if !function.has_body() {
        return Vec::new();
    }
    let own = own(function);
    let mut before = vec![Locals::none(function); function.nodes.len()];
    let mut entry = own.clone();
    (0..function.parameters).for_each(|number| entry.set(LocalId(number), false));
    before[function.entry.0 as usize] = entry;
    let mut open = vec![function.entry];
    while let Some(node) = open.pop() {
        for edge in &function.edges[function.outgoing(node)] {
            let mut after = before[node.0 as usize].clone();
            if let Some(local) = edge.operation.written().and_then(local) {
                let is_open = matches!(edge.operation, Operation::Havoc(_, Unknown::Uninitialised));
                after.set(local, is_open && own.has(local));
            }
            if before[edge.to.0 as usize].join(&after) {
                open.push(edge.to);
            }
        }
    }
    let mut found = Vec::new();
    for edge in &function.edges {
        let open = &before[edge.from.0 as usize];
        reads(&edge.operation, &mut |local| {
            if open.has(local) {
                found.push((edge.origin, local));
            }
        });
    }
    found
}

/// For each node the variables that may still be read.
fn live(function: &Function) -> Vec<Locals> {
    let own = own(function);
    let mut live = vec![Locals::none(function); function.nodes.len()];
    if !function.has_body() {
        return live;
    }
    if let Some(result) = function.result {
        live[function.exit.0 as usize].set(result, own.has(result));
    }
    let mut incoming: Vec<Vec<usize>> = vec![Vec::new(); function.nodes.len()];
    for (number, edge) in function.edges.iter().enumerate() {
        incoming[edge.to.0 as usize].push(number);
    }
    let mut open: Vec<NodeId> = (0..function.nodes.len() as u32).map(NodeId).collect();
    while let Some(node) = open.pop() {
        for &number in &incoming[node.0 as usize] {
            let edge = &function.edges[number];
            let mut before = live[node.0 as usize].clone();
            let whole = edge
                .operation
                .written()
                .filter(|place| place.path.is_empty());
            if let Some(local) = whole.and_then(local) {
                before.set(local, false);
            }
            reads(&edge.operation, &mut |local| {
                before.set(local, own.has(local));
            });
            if live[edge.from.0 as usize].join(&before) {
                open.push(edge.from);
            }
        }
    }
    live
}
