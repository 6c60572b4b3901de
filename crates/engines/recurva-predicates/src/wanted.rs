//! Conditions carried backwards along a run: what they ask of earlier values.

use recurva_model::{Action, EdgeId, Expr, NodeId, Op, Place, Point, ProcId, Program, VarRef};
use rustc_hash::FxHashMap;

use crate::{
    abstraction::Abstraction,
    cuts::{CutId, End, Segment},
    expression::{atoms, positive, read, rebuilt},
    pool::length,
    post::Way,
    run::Move,
};

/// As many conditions are carried on.
const MOST: usize = 60;

/// Conditions at each cut of a run, suggested by what is asked later.
pub(crate) fn wanted(abstraction: &Abstraction<'_>, moves: &[Move]) -> FxHashMap<CutId, Vec<Expr>> {
    let program = abstraction.program;
    let cuts = &abstraction.cuts;
    let mut found: FxHashMap<CutId, Vec<Expr>> = FxHashMap::default();
    // What is asked after the move, and of each caller after its call returned.
    let mut asked: Vec<Expr> = Vec::new();
    let mut callers: Vec<Vec<Expr>> = Vec::new();
    // For each return the move that made its call, and for each call whether it returns.
    let mut calls = Vec::new();
    let mut pairs: FxHashMap<usize, usize> = FxHashMap::default();
    let mut returns: FxHashMap<usize, usize> = FxHashMap::default();
    for (at, one) in moves.iter().enumerate() {
        match one {
            Move::Call(_) => calls.push(at),
            Move::Return => {
                if let Some(call) = calls.pop() {
                    pairs.insert(at, call);
                    returns.insert(call, at);
                }
            }
            Move::Step(_) => {}
        }
    }
    for (at, &one) in moves.iter().enumerate().rev() {
        match one {
            Move::Step(segment) => {
                let segment = &cuts.segments[segment.index()];
                asked = before(abstraction, segment, &asked);
                keep(abstraction, &mut found, segment.from, &asked);
            }
            Move::Call(segment) => {
                let segment = &cuts.segments[segment.index()];
                let End::Call(edge) = segment.end else {
                    continue;
                };
                let mut here = entered(program, cuts.procedure(segment.from), edge, &asked);
                if returns.contains_key(&at)
                    && let Some(more) = callers.pop()
                {
                    add(&mut here, more);
                }
                asked = before(abstraction, segment, &here);
                keep(abstraction, &mut found, segment.from, &asked);
            }
            Move::Return => {
                let Some(Move::Call(segment)) = pairs.get(&at).map(|&it| moves[it]) else {
                    continue;
                };
                let segment = &cuts.segments[segment.index()];
                let End::Call(edge) = segment.end else {
                    continue;
                };
                let procedure = cuts.procedure(segment.from);
                let (kept, inside) = returned(abstraction, procedure, edge, &asked);
                callers.push(kept);
                asked = inside;
                if let Action::Call { callee, .. } = program.edge(procedure, edge).action {
                    keep(abstraction, &mut found, cuts.exit(program, callee), &asked);
                }
            }
        }
    }
    found
}

fn keep(
    abstraction: &Abstraction<'_>,
    found: &mut FxHashMap<CutId, Vec<Expr>>,
    cut: CutId,
    asked: &[Expr],
) {
    let here = found.entry(cut).or_default();
    for one in asked {
        let one = at_cut(abstraction, cut, one);
        if !here.contains(&one) {
            here.push(one);
        }
    }
}

/// A condition at a cut. At an entry, what was at the entry is what is now.
fn at_cut(abstraction: &Abstraction<'_>, cut: CutId, condition: &Expr) -> Expr {
    let procedure = abstraction.cuts.procedure(cut);
    if abstraction.cuts.entry(abstraction.program, procedure) != cut {
        return condition.clone();
    }
    let now = condition.ops().iter().map(|op| match *op {
        Op::ReadNext(variable) => Op::Read(variable),
        Op::IndexNext(variable) => Op::Index(variable),
        other => other,
    });
    Expr::new(now.collect::<Vec<Op>>())
}

/// Where a predicate that is looked for after a segment could have been known before: by the same
/// comparison with the same constant.
pub(crate) fn earlier(
    abstraction: &Abstraction<'_>,
    segment: &Segment,
    way: Way,
    predicate: &Expr,
) -> Vec<(CutId, Expr)> {
    let (program, cuts) = (abstraction.program, &abstraction.cuts);
    let procedure = cuts.procedure(segment.from);
    let mut found = Vec::new();
    let asked = std::slice::from_ref(predicate);
    let at_end = match (segment.end, way) {
        (End::Cut(_), _) => asked.to_vec(),
        (End::Call(edge), Way::Forward) => entered(program, procedure, edge, asked),
        (End::Call(edge), Way::Through) => {
            let (kept, inside) = returned(abstraction, procedure, edge, asked);
            if let Action::Call { callee, .. } = program.edge(procedure, edge).action {
                let exit = cuts.exit(program, callee);
                found.extend(inside.into_iter().map(|it| (exit, it)));
            }
            kept
        }
    };
    let before = carried(abstraction, segment, &at_end, &|_| Vec::new());
    found.extend(
        before
            .iter()
            .map(|it| (segment.from, at_cut(abstraction, segment.from, it))),
    );
    let constants = |it: &Expr| -> Vec<Op> {
        let ops = it.ops().iter().copied();
        ops.filter(|it| matches!(it, Op::Const(..))).collect()
    };
    found.retain(|(_, it)| {
        it.ops().len() == predicate.ops().len() && constants(it) == constants(predicate)
    });
    found
}

fn add(to: &mut Vec<Expr>, more: impl IntoIterator<Item = Expr>) {
    for one in more {
        if to.len() < MOST && !to.contains(&one) {
            to.push(one);
        }
    }
}

/// What is asked at the beginning of a segment, when some is asked at its end, and by the conditions on the
/// way.
fn before(abstraction: &Abstraction<'_>, segment: &Segment, asked: &[Expr]) -> Vec<Expr> {
    let procedure = abstraction.cuts.procedure(segment.from);
    let length = length(abstraction.program, procedure);
    carried(abstraction, segment, asked, &|guard| {
        let mut found = Vec::new();
        atoms(guard, &length, &mut found);
        found
    })
}

/// What is asked at the beginning of a segment, when some is asked at its end, and by some of each guard.
fn carried(
    abstraction: &Abstraction<'_>,
    segment: &Segment,
    asked: &[Expr],
    of_guard: &dyn Fn(&Expr) -> Vec<Expr>,
) -> Vec<Expr> {
    let program = abstraction.program;
    let procedure = abstraction.cuts.procedure(segment.from);
    let end = match segment.end {
        End::Cut(cut) => Some(abstraction.cuts.points[cut.index()].node),
        End::Call(_) => None,
    };
    let mut at: FxHashMap<NodeId, Vec<Expr>> = FxHashMap::default();
    for &node in segment.nodes.iter().rev() {
        let mut here = Vec::new();
        for (id, edge) in program.edges_from(Point { procedure, node }) {
            match &edge.action {
                Action::Call { .. } => {
                    if segment.end != End::Call(id) {
                        continue;
                    }
                    add(&mut here, asked.iter().cloned());
                }
                Action::Assign { assigns, .. } => {
                    let later = match Some(edge.to) == end {
                        true => asked,
                        false => match at.get(&edge.to) {
                            Some(later) => later,
                            None => continue,
                        },
                    };
                    let moved: Vec<Expr> = later
                        .iter()
                        .filter_map(|it| assigned(program, procedure, assigns, it))
                        .collect();
                    add(&mut here, moved);
                }
            }
            add(&mut here, of_guard(&edge.guard));
        }
        at.insert(node, here);
    }
    let first = segment.nodes.first();
    first.and_then(|it| at.remove(it)).unwrap_or_default()
}

/// What a condition after an assignment asks before it.
fn assigned(
    program: &Program,
    procedure: ProcId,
    assigns: &[(Place, Expr)],
    condition: &Expr,
) -> Option<Expr> {
    let with = |op: Op, element: u64| {
        let (Op::Read(variable) | Op::Index(variable)) = op else {
            return Some(read(op, element));
        };
        let mut value = read(op, element);
        for (place, new) in assigns {
            match place {
                Place::Scalar(written) if *written == variable => value = new.ops().to_vec(),
                Place::Element(written, index) if *written == variable => match *index.ops() {
                    [Op::Const(at, _)] if at == element => value = new.ops().to_vec(),
                    [Op::Const(..)] => {}
                    _ => return None,
                },
                _ => {}
            }
        }
        Some(value)
    };
    let moved = rebuilt(condition, with, length(program, procedure))?;
    normal(program, procedure, &moved)
}

/// Simplified once more, without negation in front.
fn normal(program: &Program, procedure: ProcId, condition: &Expr) -> Option<Expr> {
    let whole = crate::expression::simplified(condition, length(program, procedure))?;
    match whole.ops() {
        [Op::Const(..)] => None,
        _ => Some(positive(whole)),
    }
}

/// What conditions at the entry of a callee ask of the caller, before the call.
fn entered(program: &Program, caller: ProcId, edge: EdgeId, asked: &[Expr]) -> Vec<Expr> {
    let Action::Call {
        callee, arguments, ..
    } = &program.edge(caller, edge).action
    else {
        return Vec::new();
    };
    let with = |op: Op, element: u64| match op {
        Op::Read(VarRef::Local(index)) | Op::ReadNext(VarRef::Local(index)) => {
            Some(arguments.get(index as usize)?.ops().to_vec())
        }
        Op::Index(VarRef::Local(_)) | Op::IndexNext(VarRef::Local(_)) => None,
        Op::ReadNext(global) => Some(vec![Op::Read(global)]),
        Op::IndexNext(global) => Some(read(Op::Index(global), element)),
        _ => Some(read(op, element)),
    };
    let mut found = Vec::new();
    for condition in asked {
        let moved = rebuilt(condition, with, length(program, *callee));
        add(
            &mut found,
            moved.and_then(|it| normal(program, caller, &it)),
        );
    }
    found
}

/// What conditions after a call ask: of the caller before it, and of the callee at its exit.
fn returned(
    abstraction: &Abstraction<'_>,
    caller: ProcId,
    edge: EdgeId,
    asked: &[Expr],
) -> (Vec<Expr>, Vec<Expr>) {
    let program = abstraction.program;
    let Action::Call {
        callee,
        arguments,
        results,
    } = &program.edge(caller, edge).action
    else {
        return (Vec::new(), Vec::new());
    };
    let result_of = |variable: VarRef| {
        let position = results.iter().position(|it| *it == Some(variable))?;
        program.procedure(*callee).results.get(position).copied()
    };
    let changes = |op: &Op| match *op {
        Op::Read(variable) | Op::Index(variable) => {
            result_of(variable).is_some()
                || matches!(variable, VarRef::Global(_))
                    && !abstraction.fixed.contains(*callee, variable)
        }
        _ => false,
    };
    let inside = |op: Op, element: u64| match op {
        Op::Read(variable) => {
            if let Some(local) = result_of(variable) {
                return Some(vec![Op::Read(VarRef::Local(local))]);
            }
            if let VarRef::Global(_) = variable {
                return Some(vec![op]);
            }
            // What the caller has in a variable is in a parameter, too.
            let given = arguments
                .iter()
                .position(|it| it.as_read() == Some(variable))?;
            Some(vec![Op::ReadNext(VarRef::Local(given as u32))])
        }
        Op::Index(VarRef::Global(_)) => Some(read(op, element)),
        _ => None,
    };
    let (mut kept, mut found) = (Vec::new(), Vec::new());
    for condition in asked {
        if !condition.ops().iter().any(changes) {
            add(&mut kept, [condition.clone()]);
        }
        let moved = rebuilt(condition, inside, length(program, caller));
        add(
            &mut found,
            moved.and_then(|it| normal(program, *callee, &it)),
        );
    }
    (kept, found)
}
