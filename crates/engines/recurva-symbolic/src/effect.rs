//! What blocks do: symbolic execution of their edges, and the image made of it.

use std::collections::HashSet;

use recurva_model::{Action, Edge, Expr, Place, Point, ProcId, Program};

use crate::{
    bits::Bits,
    eval::{Evaluator, Known, Value, Values, Written},
    layout::{BitNo, Copy, Layout},
    marking::Marking,
    plan::{Block, Choice, Part},
    scope::Scopes,
    space::{Bdd, Res, Space, VarNo},
    steps::{Steps, rename},
};

/// Parts of a relation are joined until they have this many nodes.
const PART_NODES: usize = 2_000;

/// What surrounds the compilation of an edge.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) program: &'a Program,
    pub(crate) space: &'a Space,
    pub(crate) layout: &'a Layout,
    pub(crate) scopes: &'a Scopes<'a>,
    /// Present values that are the same in all that is looked at.
    pub(crate) known: &'a Known,
    /// Which marks are told.
    pub(crate) marking: Marking,
}

/// When a step is possible, and what it makes of the values, as functions of the values
/// before and of the choices.
pub(crate) struct Effect {
    /// Where the step is possible.
    pub(crate) open: Bdd,
    /// The bits that change, with their new values.
    pub(crate) changes: Vec<(BitNo, Bdd)>,
    /// The decision variables that stand for choices.
    pub(crate) choices: Vec<VarNo>,
}

impl Context<'_> {
    pub(crate) fn evaluator(&self, procedure: ProcId) -> Evaluator<'_> {
        Evaluator {
            space: self.space,
            layout: self.layout,
            procedure,
            known: self.known,
        }
    }

    /// The present values at a node that are the same in a whole set.
    pub(crate) fn known_in(&self, at: Point, set: &Bdd) -> Res<Known> {
        let mut known = Known::default();
        for var in self.value_vars(at) {
            let high = self.space.var(var)?;
            if self.space.is_false(&self.space.and(set, &high)?) {
                known.insert(var, false);
            } else if self.space.is_false(&self.space.minus(set, &high)?) {
                known.insert(var, true);
            }
        }
        Ok(known)
    }

    /// The decision variables of each choice of an edge.
    pub(crate) fn choice_vars(&self, procedure: ProcId, part: &Part) -> Vec<Vec<VarNo>> {
        let types = self.program.edge(procedure, part.edge).choices();
        let places = part.choices.iter().zip(types);
        places
            .map(|(choice, ty)| match *choice {
                Choice::Target(variable) => {
                    let bits = self.layout.bits(procedure, variable);
                    bits.map(|bit| self.layout.var(bit, Copy::Next)).collect()
                }
                Choice::Pool(place) => {
                    let bits = self.layout.pool(place).take(ty.bits().into());
                    bits.map(|bit| self.layout.var(bit, Copy::Now)).collect()
                }
            })
            .collect()
    }

    pub(crate) fn choice_bits(&self, vars: &[Vec<VarNo>]) -> Res<Vec<Bits>> {
        vars.iter()
            .map(|vars| vars.iter().map(|&var| self.space.var(var)).collect())
            .collect()
    }

    /// What a block does.
    pub(crate) fn effect(&self, block: &Block) -> Res<Effect> {
        let id = block.from.procedure;
        let mut open = self.space.truth();
        let mut now = Written::default();
        let mut choices = Vec::new();
        for part in &block.parts {
            let vars = self.choice_vars(id, part);
            let bits = self.choice_bits(&vars)?;
            let edge = self.program.edge(id, part.edge);
            self.execute(id, edge, &bits, &mut open, &mut now)?;
            choices.extend(vars.into_iter().flatten());
        }
        let to = Point {
            procedure: id,
            node: block.to,
        };
        let mut changes = Vec::new();
        for (&variable, elements) in &now.variables {
            if !self.scopes.tracks(to, variable) {
                continue;
            }
            let bits = self.layout.bits(id, variable);
            for (bit, value) in bits.zip(elements.iter().flatten()) {
                if *value != self.space.var(self.layout.var(bit, Copy::Now))? {
                    changes.push((bit, value.clone()));
                }
            }
        }
        Ok(Effect {
            open,
            changes,
            choices,
        })
    }

    /// Executes an internal edge on what the block has done so far.
    fn execute(
        &self,
        id: ProcId,
        edge: &Edge,
        choices: &[Bits],
        open: &mut Bdd,
        now: &mut Written,
    ) -> Res<()> {
        let space = self.space;
        let evaluator = self.evaluator(id);
        let Action::Assign {
            assigns,
            constraint,
        } = &edge.action
        else {
            return Ok(());
        };
        let eval = |expr: &Expr, next: &Written| -> Res<Value> {
            let values = Values { now, next, choices };
            evaluator.eval(expr, &values)
        };
        *open = space.and(open, &eval(&edge.guard, now)?.holds(space)?)?;
        let mut next = now.clone();
        for (place, value) in assigns {
            if self.scopes.is_idle(id, edge, place, value) {
                continue;
            }
            let value = eval(value, now)?;
            *open = space.minus(open, &value.fault)?;
            let variable = place.variable();
            let mut elements = evaluator.elements(&next, variable)?;
            match place {
                Place::Scalar(_) => elements[0] = value.bits,
                Place::Element(_, index) => {
                    let index = eval(index, now)?;
                    *open = space.minus(open, &index.fault)?;
                    let mut in_range = space.falsity();
                    for (position, element) in elements.iter_mut().enumerate() {
                        let here = space.is_number(&index.bits, position as u64)?;
                        *element = space.select(&here, &value.bits, element)?;
                        in_range = space.or(&in_range, &here)?;
                    }
                    *open = space.and(open, &in_range)?;
                }
            }
            next.variables.insert(variable, elements);
        }
        if let Some(constraint) = constraint {
            *open = space.and(open, &eval(constraint, &next)?.holds(space)?)?;
        }
        *now = next;
        Ok(())
    }

    /// The image under a block, with all that is not followed at its end forgotten.
    pub(crate) fn steps(&self, block: &Block) -> Res<Steps> {
        let effect = self.effect(block)?;
        let (space, layout) = (self.space, self.layout);
        let id = block.from.procedure;
        let to = Point {
            procedure: id,
            node: block.to,
        };
        let now = |bit: BitNo| layout.var(bit, Copy::Now);
        let written: HashSet<VarNo> = effect.changes.iter().map(|&(bit, _)| now(bit)).collect();
        let forgotten = self.scopes.tracked(block.from);
        let forgotten = forgotten.filter(|&variable| !self.scopes.tracks(to, variable));
        let forgotten: Vec<VarNo> = forgotten
            .flat_map(|variable| layout.bits(id, variable).map(now))
            .collect();

        let choices: HashSet<VarNo> = effect.choices.iter().copied().collect();
        let open_support = space.support(&effect.open);
        let supports: Vec<Vec<VarNo>> = effect
            .changes
            .iter()
            .map(|(_, value)| space.support(value))
            .collect();
        let read: HashSet<VarNo> = supports.iter().flatten().copied().collect();
        // A choice that decides both whether the step is possible and what it does ties the
        // two together.
        let tied = open_support
            .iter()
            .any(|var| choices.contains(var) && read.contains(var));
        // If nothing that is written is read, the old values can go before the new ones
        // come, and no second copy is needed.
        let in_place = written.is_disjoint(&read)
            && !(tied && open_support.iter().any(|var| written.contains(var)));
        let copy = if in_place { Copy::Now } else { Copy::Next };

        let mut relation = Vec::new();
        for ((bit, value), support) in effect.changes.iter().zip(&supports) {
            let own = layout.var(*bit, Copy::Next);
            let free = support[..] == [own]
                && !open_support.contains(&own)
                && supports.iter().filter(|other| other.contains(&own)).count() == 1;
            if !free {
                let target = space.var(layout.var(*bit, copy))?;
                relation.push((*bit, space.equiv(&target, value)?));
            }
        }
        relation.sort_by_key(|&(bit, _)| std::cmp::Reverse(now(bit)));
        let mut parts: Vec<Bdd> = Vec::new();
        if tied {
            parts.push(effect.open.clone());
        }
        self.cluster(&mut parts, relation.into_iter().map(|(_, part)| part))?;
        let mut kept_choices = choices;
        if !in_place {
            // The next value of a variable holds the choice and the result at once.
            for (bit, _) in &effect.changes {
                kept_choices.remove(&layout.var(*bit, Copy::Next));
            }
        }
        let parts = self.without_own_choices(&parts, &kept_choices)?;
        let open = if tied {
            space.truth()
        } else {
            let mut own: Vec<VarNo> = open_support;
            own.retain(|var| kept_choices.contains(var));
            space.exists(&effect.open, &space.cube(own)?)?
        };

        let mut steps = Steps::default();
        let mentioned: HashSet<VarNo> = parts.iter().flat_map(|part| space.support(part)).collect();
        let mut later: Vec<VarNo> = kept_choices
            .into_iter()
            .filter(|var| mentioned.contains(var))
            .collect();
        let mut first: Vec<VarNo> = Vec::new();
        for var in forgotten.into_iter().chain(written) {
            let goes_later =
                mentioned.contains(&var) && !(in_place && is_target(layout, &effect, var));
            if goes_later {
                later.push(var);
            } else {
                first.push(var);
            }
        }
        steps.push(space, open, space.cube(first)?);
        steps.push_parts(space, &parts, &later)?;
        if !in_place {
            let pairs = effect.changes.iter();
            let pairs = pairs.map(|&(bit, _)| (layout.var(bit, Copy::Next), now(bit)));
            let (back, cube) = rename(space, &pairs.collect::<Vec<_>>())?;
            steps.push(space, back, cube);
        }
        Ok(steps)
    }

    /// Joins conjuncts to parts that are not too large.
    fn cluster(&self, parts: &mut Vec<Bdd>, conjuncts: impl Iterator<Item = Bdd>) -> Res<()> {
        for (index, conjunct) in conjuncts.enumerate() {
            // To count the nodes takes time, so it is done now and then.
            let is_large = |part: &Bdd| index % 8 == 0 && self.space.size(part) > PART_NODES;
            match parts.last_mut() {
                Some(part) if !is_large(part) => *part = self.space.and(part, &conjunct)?,
                _ => parts.push(conjunct),
            }
        }
        Ok(())
    }

    /// The parts with the choices quantified that only one of them mentions.
    fn without_own_choices(&self, parts: &[Bdd], choices: &HashSet<VarNo>) -> Res<Vec<Bdd>> {
        let supports: Vec<Vec<VarNo>> = parts.iter().map(|part| self.space.support(part)).collect();
        let mut result = Vec::with_capacity(parts.len());
        for (index, part) in parts.iter().enumerate() {
            let mut own: Vec<VarNo> = supports[index].clone();
            own.retain(|var| {
                let elsewhere = supports.iter().enumerate();
                let mut elsewhere = elsewhere.filter(|&(other, _)| other != index);
                choices.contains(var) && !elsewhere.any(|(_, support)| support.contains(var))
            });
            result.push(self.space.exists(part, &self.space.cube(own)?)?);
        }
        Ok(result)
    }
}

/// Whether a decision variable is the present value of a bit that changes.
fn is_target(layout: &Layout, effect: &Effect, var: VarNo) -> bool {
    effect
        .changes
        .iter()
        .any(|&(bit, _)| layout.var(bit, Copy::Now) == var)
}
