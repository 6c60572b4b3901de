//! What was found, as formulas at the nodes.

use std::collections::BTreeMap;

use recurva_certificate::{
    Formula, Proof,
    formula::{Part, When},
};
use recurva_encode::Joints;
use recurva_explicit::program::Words;
use recurva_model::{NodeId, Patience, Point, ProcId};
use rustc_hash::FxHashSet;

use crate::{
    Failed, Limit,
    entries::Scalar,
    factor::{Column, Factory, Table},
    ranges::{ANY, SetId},
    search::{Edge, Search},
};

/// A scalar at the entry or now.
type Place = (Scalar, When);

/// What is said of one value: nothing if it is open.
type Row = Box<[Option<u64>]>;

/// So many values, known or not, are looked at for one formula.
const MAX_CELLS: usize = 1 << 26;

impl<W: Words> Search<'_, '_, W> {
    /// The proof, when the search is over: the formulas name the values at the entry of `needed` scalars.
    pub(crate) fn proof(
        &self,
        needed: &[Vec<usize>],
        max_size: u64,
        patience: &mut Patience<'_>,
    ) -> Result<Proof, Failed> {
        let joints = Joints::new(self.program);
        let mut found: BTreeMap<Point, Vec<Edge>> = BTreeMap::new();
        for &edge in &self.edges {
            let point = self.system.point(&self.states[edge.state as usize]);
            if joints.contains(point) {
                found.entry(point).or_default().push(edge);
            }
        }
        let mut proof = Proof::default();
        let mut left = max_size;
        let entered: FxHashSet<ProcId> = self.contexts.iter().map(|it| it.procedure).collect();
        for (procedure, parts) in (0..).map(ProcId).zip(self.program.procedures()) {
            if !entered.contains(&procedure) {
                continue;
            }
            for node in (0..parts.nodes.len() as u32).map(NodeId) {
                let point = Point { procedure, node };
                let edges = found.get(&point).map_or(&[][..], |it| it);
                let is_left_out = edges.is_empty() && node == parts.exit;
                if !joints.contains(point) || is_left_out {
                    continue;
                }
                let formula = match node == parts.entry {
                    true => self.formula(self.at_entry(procedure), patience)?,
                    false => {
                        let needed = &needed[procedure.index()];
                        self.formula(self.under_way(procedure, needed, edges)?, patience)?
                    }
                };
                left = (left.checked_sub(size(&formula))).ok_or(Failed::TooLarge(Limit::Size))?;
                proof.formulas.insert(point, formula);
            }
        }
        Ok(proof)
    }

    /// What is known when a procedure is entered.
    fn at_entry(&self, procedure: ProcId) -> (Vec<Place>, Vec<Row>) {
        let (scalars, known) = &self.scalars[procedure.index()];
        let places = scalars[..*known].iter().map(|&it| (it, When::Now));
        let contexts = self.contexts.iter().filter(|it| it.procedure == procedure);
        (
            places.collect(),
            contexts.map(|it| it.known.clone()).collect(),
        )
    }

    /// What is known of invocations that are at a node.
    fn under_way(
        &self,
        procedure: ProcId,
        needed: &[usize],
        edges: &[Edge],
    ) -> Result<(Vec<Place>, Vec<Row>), Failed> {
        let scalars = &self.scalars[procedure.index()].0;
        if edges.len().saturating_mul(needed.len() + scalars.len()) > MAX_CELLS {
            return Err(Failed::TooLarge(Limit::Size));
        }
        let at_entry = needed.iter().map(|&it| (scalars[it], When::Entry));
        let now = scalars.iter().map(|&it| (it, When::Now));
        let rows = edges.iter().map(|edge| {
            let entry = &self.contexts[edge.context as usize].known;
            let entry = needed.iter().map(|&it| entry[it]);
            let now = self.system.known(&self.states[edge.state as usize]);
            entry.chain(now.concat()).collect()
        });
        Ok((at_entry.chain(now).collect(), rows.collect()))
    }

    fn formula(
        &self,
        (places, rows): (Vec<Place>, Vec<Row>),
        patience: &mut Patience<'_>,
    ) -> Result<Formula, Failed> {
        let mut factory = Factory::default();
        let said: Vec<usize> = (0..places.len())
            .filter(|&index| rows.iter().any(|row| row[index].is_some()))
            .collect();
        let columns = said.iter().map(|&index| {
            let (scalar, when) = places[index];
            Column {
                part: term(&mut factory, scalar, when),
                ty: scalar.ty,
            }
        });
        let columns: Vec<Column> = columns.collect();
        let sets = &mut factory.sets;
        let mut set = |index: usize, value: Option<u64>| -> SetId {
            let ty = places[index].0.ty;
            value.map_or(ANY, |value| sets.single(ty.to_number(value)))
        };
        let rows = rows
            .iter()
            .map(|row| said.iter().map(|&index| set(index, row[index])).collect())
            .collect();
        let part = factory.formula(Table { columns, rows }, patience)?;
        Ok(factory.builder.finish(part))
    }
}

fn term(factory: &mut Factory, scalar: Scalar, when: When) -> Part {
    let builder = &mut factory.builder;
    match scalar.element {
        None => builder.variable(scalar.variable, when),
        Some(element) => {
            let index = builder.int(element.into());
            builder.element(scalar.variable, when, index)
        }
    }
}

/// How many operators and operands a formula has when it is written down.
fn size(formula: &Formula) -> u64 {
    let mut sizes: Vec<u64> = Vec::with_capacity(formula.nodes().len());
    for node in formula.nodes() {
        let operands = node.operands().map(|it| sizes[it.index()]);
        sizes.push(operands.fold(1, u64::saturating_add));
    }
    sizes.last().copied().unwrap_or(0)
}
