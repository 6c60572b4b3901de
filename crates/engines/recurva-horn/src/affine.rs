//! Linear equations that hold at nodes, found without a solver.
//!
//! The values at a node, with a 1 before them, are kept as the linear space that they span: a basis of it.
//! An assignment of a linear expression maps each vector of the basis; what is not linear may be anything.
//! Guards are not looked at. Spaces only grow, so that it ends. It is computed modulo a prime: what is
//! found may be wrong, and has to be shown.

use recurva_certificate::formula::When;
use recurva_model::{
    Action, Binary, Expr, NodeId, Op, Patience, Place, Point, ProcId, Stop, Type, Unary, VarRef,
};

use crate::{make::Prepared, reduced::holds, scope::Slot};

/// Computed modulo this.
const PRIME: i128 = (1 << 61) - 1;

/// Procedures with more variables than that are left out.
const MOST: usize = 48;

/// Factors are no larger than that in the equations that are given out.
const LARGE: i128 = 1 << 40;

/// A sum of multiples of values that is equal to a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Equation {
    pub(crate) factors: Vec<(Slot, i128)>,
    pub(crate) number: i128,
}

type Vector = Vec<i128>;

/// Vectors none of which is a sum of multiples of others; each has a 1 where all others have 0.
#[derive(Clone, Debug, Default)]
struct Space {
    rows: Vec<(usize, Vector)>,
}

fn power(mut base: i128, mut exponent: i128) -> i128 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * base % PRIME;
        }
        base = base * base % PRIME;
        exponent >>= 1;
    }
    result
}

impl Space {
    /// Adds a vector; whether it is new.
    fn add(&mut self, mut vector: Vector) -> bool {
        for (lead, row) in &self.rows {
            let times = vector[*lead];
            subtract(&mut vector, row, times);
        }
        let Some(lead) = vector.iter().position(|&it| it != 0) else {
            return false;
        };
        let inverse = power(vector[lead], PRIME - 2);
        vector.iter_mut().for_each(|it| *it = *it * inverse % PRIME);
        for (_, row) in &mut self.rows {
            let times = row[lead];
            subtract(row, &vector, times);
        }
        self.rows.push((lead, vector));
        true
    }

    /// A basis of the vectors whose product with each vector of the space is 0.
    fn equations(&self, width: usize) -> Vec<Vector> {
        let leads: Vec<usize> = self.rows.iter().map(|it| it.0).collect();
        let free = (0..width).rev().filter(|it| !leads.contains(it));
        free.map(|column| {
            let mut equation = vec![0; width];
            equation[column] = 1;
            for (lead, row) in &self.rows {
                equation[*lead] = (PRIME - row[column]) % PRIME;
            }
            equation
        })
        .collect()
    }
}

fn subtract(from: &mut [i128], row: &[i128], times: i128) {
    if times == 0 {
        return;
    }
    for (from, row) in from.iter_mut().zip(row) {
        *from = (*from + (PRIME - times) * row) % PRIME;
    }
}

/// What is known of a procedure: its values, in the order of a vector.
struct Values {
    slots: Vec<Slot>,
}

impl Values {
    /// Where a variable's value of now is, 0 being the 1.
    fn place(&self, variable: VarRef) -> Option<usize> {
        let is_it = |slot: &Slot| slot.variable == variable && slot.when == When::Now;
        self.slots.iter().position(is_it).map(|it| it + 1)
    }
}

/// The equations at some nodes of a procedure, over the values that matter there.
pub(crate) fn equations(
    prepared: &Prepared,
    procedure: ProcId,
    at: &[Point],
    patience: &mut Patience<'_>,
) -> Result<Vec<(Point, Vec<Equation>)>, Stop> {
    let program = prepared.program();
    let declared = program.procedure(procedure);
    let is_number = |variable: VarRef| {
        let declared = program.variable(procedure, variable);
        declared.len.is_none() && matches!(declared.ty, Type::Int { bits: 2.., .. })
    };
    let globals = (0..program.globals().len() as u32).map(VarRef::Global);
    let locals = (0..declared.locals.len() as u32).map(VarRef::Local);
    let at_entry = prepared.scopes.at_entry(&prepared.reduced, procedure);
    let mut slots = Vec::new();
    for variable in globals.chain(locals).filter(|&it| is_number(it)) {
        let is_used = at
            .iter()
            .any(|&it| prepared.scopes.live(it).contains(variable));
        if is_used || at_entry.contains(&variable) {
            slots.push(Slot {
                variable,
                when: When::Now,
            });
        }
        if at_entry.contains(&variable) && prepared.scopes.changes(procedure, variable) {
            slots.push(Slot {
                variable,
                when: When::Entry,
            });
        }
    }
    if slots.len() > MOST {
        return Ok(Vec::new());
    }
    let values = Values { slots };
    let width = values.slots.len() + 1;
    let mut spaces = vec![Space::default(); declared.nodes.len()];
    let mut work: Vec<(NodeId, Vector)> = Vec::new();
    let entry = declared.entry;
    let unit = |places: &[usize]| {
        let mut vector = vec![0; width];
        places.iter().for_each(|&it| vector[it] = 1);
        vector
    };
    work.push((entry, unit(&[0])));
    for (index, slot) in values.slots.iter().enumerate() {
        if slot.when == When::Now {
            let is_twin = |it: &Slot| it.variable == slot.variable && it.when == When::Entry;
            let twin = values.slots.iter().position(is_twin).map(|it| it + 1);
            let places: Vec<usize> = [Some(index + 1), twin].into_iter().flatten().collect();
            work.push((entry, unit(&places)));
        }
    }
    while let Some((node, vector)) = work.pop() {
        patience.work(width as u64 * width as u64)?;
        if !spaces[node.index()].add(vector.clone()) {
            continue;
        }
        let point = Point { procedure, node };
        for (_, edge) in program.edges_from(point) {
            let to = Point {
                node: edge.to,
                ..point
            };
            if !holds(&prepared.reduced.is_relevant, to) {
                continue;
            }
            for next in after(prepared, &values, &edge.action, &vector) {
                work.push((edge.to, next));
            }
        }
    }
    let mut found = Vec::new();
    for &point in at {
        let wanted = prepared.scopes.slots(&prepared.reduced, point);
        let kept: Vec<usize> = (0..values.slots.len())
            .filter(|&it| wanted.contains(&values.slots[it]))
            .collect();
        let mut space = Space::default();
        for (_, row) in &spaces[point.node.index()].rows {
            let part = kept.iter().map(|&it| row[it + 1]);
            space.add([row[0]].into_iter().chain(part).collect());
        }
        if space.rows.is_empty() {
            continue;
        }
        let equations = space.equations(kept.len() + 1);
        let equations = equations
            .iter()
            .filter_map(|it| small(it, &kept, &values.slots));
        found.push((point, equations.collect()));
    }
    Ok(found)
}

/// The images of a vector; several span all values that are possible.
fn after(prepared: &Prepared, values: &Values, action: &Action, vector: &[i128]) -> Vec<Vector> {
    let mut next = vector.to_vec();
    let mut unknown: Vec<usize> = Vec::new();
    match action {
        Action::Assign { assigns, .. } => {
            for (place, value) in assigns {
                let Some(at) = values.place(Place::variable(place)) else {
                    continue;
                };
                match linear(value, values, vector) {
                    Some(number) => next[at] = number,
                    None => unknown.push(at),
                }
            }
        }
        Action::Call {
            callee, results, ..
        } => {
            let results = results.iter().flatten().copied();
            let globals = (0..prepared.program().globals().len() as u32).map(VarRef::Global);
            let changed = globals.filter(|&it| prepared.scopes.changes(*callee, it));
            unknown.extend(results.chain(changed).filter_map(|it| values.place(it)));
        }
    }
    unknown.iter().for_each(|&at| next[at] = 0);
    let others = unknown.into_iter().map(|at| {
        let mut unit = vec![0; next.len()];
        unit[at] = 1;
        unit
    });
    others.chain([next.clone()]).collect()
}

/// The value of a linear expression for a vector.
fn linear(expression: &Expr, values: &Values, vector: &[i128]) -> Option<i128> {
    // What is a multiple of the 1 has to be known: a product with it is linear.
    let mut stack: Vec<(i128, Option<i128>)> = Vec::new();
    let modulo = |number: i128| number.rem_euclid(PRIME);
    for &op in expression.ops() {
        let value = match op {
            Op::Const(bits, ty @ Type::Int { .. }) => {
                let number = modulo(ty.to_number(bits));
                (number * vector[0] % PRIME, Some(number))
            }
            Op::Read(variable) => (vector[values.place(variable)?], None),
            Op::Convert(Type::Int { .. }, Type::Int { .. }) => stack.pop()?,
            Op::Unary(Unary::Negate, Type::Int { .. }) => {
                let (value, constant) = stack.pop()?;
                (modulo(-value), constant.map(|it| modulo(-it)))
            }
            Op::Binary(operator, Type::Int { .. }) => {
                let ((right, right_constant), (left, left_constant)) = (stack.pop()?, stack.pop()?);
                let both = left_constant.zip(right_constant);
                match operator {
                    Binary::Add => (modulo(left + right), both.map(|it| modulo(it.0 + it.1))),
                    Binary::Subtract => (modulo(left - right), both.map(|it| modulo(it.0 - it.1))),
                    Binary::Multiply => match (left_constant, right_constant) {
                        (_, Some(factor)) => {
                            (left * factor % PRIME, both.map(|it| it.0 * it.1 % PRIME))
                        }
                        (Some(factor), None) => (right * factor % PRIME, None),
                        (None, None) => return None,
                    },
                    _ => return None,
                }
            }
            _ => return None,
        };
        stack.push(value);
    }
    stack.pop().map(|it| it.0)
}

/// An equation with small factors, if it has such.
fn small(equation: &[i128], kept: &[usize], slots: &[Slot]) -> Option<Equation> {
    let near = |number: i128| match number > PRIME / 2 {
        true => number - PRIME,
        false => number,
    };
    let numbers = (1..=12).find_map(|times| {
        let numbers: Vec<i128> = equation.iter().map(|it| near(it * times % PRIME)).collect();
        numbers.iter().all(|it| it.abs() < LARGE).then_some(numbers)
    })?;
    let factors = kept.iter().zip(&numbers[1..]).filter(|it| *it.1 != 0);
    let factors: Vec<(Slot, i128)> = factors.map(|(&at, &factor)| (slots[at], factor)).collect();
    (!factors.is_empty()).then(|| Equation {
        factors,
        number: -numbers[0],
    })
}
