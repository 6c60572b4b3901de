//! Which values at the entry have to be named where an invocation is under way.
//!
//! If calls with different values may go on after each other's exits, and nothing new is reached by that,
//! then it does not matter which of the values there were: formulas need not tell them apart.

use std::collections::{BTreeMap, BTreeSet};

use recurva_explicit::program::Words;
use recurva_model::{Move, Moves, Patience, ProcId, RecursiveSystem, Site, Stop};

use crate::search::{Edge, Search, have_common_values};

/// So many returns are tried to see whether some values can be left out.
const MAX_RETURNS: usize = 20_000;
/// So many groups of entry states are compared with each other.
const MAX_GROUPS: usize = 256;

/// The entry states of a procedure that agree on some scalars.
type Groups = BTreeMap<Vec<Option<u64>>, Vec<u32>>;

impl<W: Words> Search<'_, '_, W> {
    /// For each procedure, the numbers of the scalars whose values at the entry make a difference.
    pub(crate) fn needed_at_entries(
        &self,
        patience: &mut Patience<'_>,
    ) -> Result<Vec<Vec<usize>>, Stop> {
        let mut of_procedure: Vec<Vec<u32>> = vec![Vec::new(); self.program.procedures().len()];
        for (number, context) in (0..).zip(&self.contexts) {
            of_procedure[context.procedure.index()].push(number);
        }
        let procedures = (0..).map(ProcId).zip(&of_procedure);
        procedures
            .map(|(procedure, contexts)| self.needed(procedure, contexts, patience))
            .collect()
    }

    fn needed(
        &self,
        procedure: ProcId,
        contexts: &[u32],
        patience: &mut Patience<'_>,
    ) -> Result<Vec<usize>, Stop> {
        let known = |context: u32| &self.contexts[context as usize].known;
        let count = self.scalars[procedure.index()].1;
        let varies = |&number: &usize| {
            let mut values = contexts.iter().map(|&it| known(it)[number]);
            let first = values.next();
            values.any(|it| Some(it) != first)
        };
        let mut kept: Vec<usize> = (0..count).filter(varies).collect();
        if kept.is_empty() || self.suffices(contexts, &[], patience)? {
            return Ok(Vec::new());
        }
        for number in kept.clone() {
            let less: Vec<usize> = kept.iter().copied().filter(|&it| it != number).collect();
            if !less.is_empty() && self.suffices(contexts, &less, patience)? {
                kept = less;
            }
        }
        Ok(kept)
    }

    /// Whether nothing new is reached if only these scalars tell entry states apart.
    fn suffices(
        &self,
        contexts: &[u32],
        kept: &[usize],
        patience: &mut Patience<'_>,
    ) -> Result<bool, Stop> {
        let mut groups = Groups::new();
        for &context in contexts {
            patience.work(kept.len() as u64 + 1)?;
            let known = &self.contexts[context as usize].known;
            let key = kept.iter().map(|&it| known[it]).collect();
            groups.entry(key).or_default().push(context);
        }
        let open =
            |key: &Vec<Option<u64>>| -> Vec<bool> { key.iter().map(Option::is_none).collect() };
        let masks: BTreeSet<Vec<bool>> = groups.keys().map(open).collect();
        if masks.len() > 1 && groups.len() > MAX_GROUPS {
            return Ok(false);
        }
        let mut left = MAX_RETURNS;
        for (key, members) in &groups {
            let mut exits = BTreeSet::new();
            let others = groups.iter().filter(|(other, _)| match masks.len() {
                1 => *other == key,
                _ => have_common_values(key, other),
            });
            for &context in others.flat_map(|(_, others)| others) {
                exits.extend(&self.contexts[context as usize].exits);
            }
            for &member in members {
                if !self.may_go_on(member, &exits, &mut left, patience)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether the callers of an entry state reach nothing new if they go on after these exits.
    fn may_go_on(
        &self,
        context: u32,
        exits: &BTreeSet<u32>,
        left: &mut usize,
        patience: &mut Patience<'_>,
    ) -> Result<bool, Stop> {
        let own = &self.contexts[context as usize];
        let own_exits: BTreeSet<u32> = own.exits.iter().copied().collect();
        for &exit in exits.difference(&own_exits) {
            for &(from, site) in &own.callers {
                patience.step()?;
                if *left == 0 || !self.is_known_return(from, site, exit) {
                    return Ok(false);
                }
                *left -= 1;
            }
        }
        Ok(true)
    }

    fn is_known_return(&self, from: Edge, site: Site, exit: u32) -> bool {
        let mut moves = Moves::default();
        let state = |number: u32| &self.states[number as usize];
        (self.system).resume(state(from.state), site, state(exit), &mut moves);
        // A return leaves nothing to choose.
        let is_complete = moves.cursor().is_empty();
        is_complete
            && moves.drain().all(|item| match item {
                Move::Step(to) | Move::Refine(to) => self.number(&to).is_some_and(|state| {
                    let context = from.context;
                    self.edges.contains(&Edge { context, state })
                }),
                Move::Call { .. } => false,
            })
    }
}
