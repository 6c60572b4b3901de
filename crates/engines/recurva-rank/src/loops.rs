//! Which loops of a graph an accepted run may stay in, and where each of them is cut.

use recurva_model::{Patience, Stack, Stop};

use crate::product::{Does, Graph, Move, PlaceId};

/// Marks of the watcher as the low bits, and [`JUMPS`].
pub(crate) type Wanted = u64;

/// The mark of calls that never return.
pub(crate) const JUMPS: Wanted = 1 << 32;

/// Places that a run may stay among for ever.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// Where it is cut: without this place no accepted run stays among those that are left, but in
    /// loops that come later in the list.
    pub(crate) head: PlaceId,
    /// The places, in order.
    pub(crate) members: Vec<PlaceId>,
    /// The marks that a way from the head back to the head may miss.
    pub(crate) tracked: Wanted,
}

impl Loop {
    pub(crate) fn contains(&self, place: PlaceId) -> bool {
        self.members.binary_search(&place).is_ok()
    }
}

/// So many places are tried out as heads of one loop.
const TRIED: usize = 8;

/// A graph with what makes a path through it accepted.
pub(crate) struct Fair<'g> {
    pub(crate) graph: &'g Graph,
    /// The marks that must come again and again.
    pub(crate) wanted: Wanted,
    /// Whether a path that takes jumps again and again counts.
    pub(crate) jumps_count: bool,
}

impl<'g> Fair<'g> {
    pub(crate) fn new(graph: &'g Graph, acceptance: u32, stack: Stack) -> Self {
        let jumps = match stack {
            Stack::Diverging => JUMPS,
            Stack::Any | Stack::Finite => 0,
        };
        Fair {
            graph,
            wanted: Wanted::from(acceptance) | jumps,
            jumps_count: stack != Stack::Finite,
        }
    }

    /// The wanted marks that a move surely passes.
    pub(crate) fn surely(&self, it: &Move) -> Wanted {
        let jump = match it.does {
            Does::Jump { .. } => JUMPS,
            _ => 0,
        };
        (Wanted::from(it.marks) | jump) & self.wanted
    }

    /// The wanted marks that it may pass.
    pub(crate) fn perhaps(&self, it: &Move) -> Wanted {
        self.surely(it) | Wanted::from(it.inside) & self.wanted
    }

    /// Whether an accepted path may take it again and again.
    pub(crate) fn counts(&self, it: &Move) -> bool {
        self.jumps_count || !matches!(it.does, Does::Jump { .. })
    }

    /// All loops that an accepted path may stay in, the outer ones first.
    pub(crate) fn loops(&self, patience: &mut Patience<'_>) -> Result<Vec<Loop>, Stop> {
        let mut found = Vec::new();
        let everything: Vec<PlaceId> = (0..self.graph.places.len()).collect();
        let mut open = self.components(&everything, patience)?;
        while let Some(members) = open.pop() {
            let (head, inner) = self.cut(&members, patience)?;
            open.extend(inner);
            let tracked = self.tracked(head, &members, patience)?;
            found.push(Loop {
                head,
                members,
                tracked,
            });
        }
        Ok(found)
    }

    /// Where a loop is best cut, and the loops that are left then.
    fn cut(
        &self,
        members: &[PlaceId],
        patience: &mut Patience<'_>,
    ) -> Result<(PlaceId, Vec<Vec<PlaceId>>), Stop> {
        // Places have numbers in the order in which they are met with, so the first one is where
        // the loop is entered.
        let mut candidates = vec![members[0]];
        let mut marked: Vec<PlaceId> = Vec::new();
        for &place in members {
            for it in &self.graph.moves[place] {
                if self.perhaps(it) != 0 && members.binary_search(&it.to).is_ok() {
                    marked.push(it.to);
                }
            }
        }
        marked.sort_unstable();
        marked.dedup();
        candidates.extend(marked.into_iter().take(TRIED));
        let mut best: Option<(usize, PlaceId, Vec<Vec<PlaceId>>)> = None;
        for head in candidates {
            let rest: Vec<PlaceId> = members.iter().copied().filter(|&it| it != head).collect();
            let inner = self.components(&rest, patience)?;
            let left = inner.iter().map(Vec::len).sum();
            if best.as_ref().is_none_or(|(least, ..)| left < *least) {
                best = Some((left, head, inner));
            }
        }
        Ok(match best {
            Some((_, head, inner)) => (head, inner),
            None => (members[0], Vec::new()),
        })
    }

    /// The marks that a way from the head back to it may miss.
    fn tracked(
        &self,
        head: PlaceId,
        members: &[PlaceId],
        patience: &mut Patience<'_>,
    ) -> Result<Wanted, Stop> {
        let mut tracked = 0;
        let mut bits = self.wanted;
        while bits != 0 {
            let mark = bits & bits.wrapping_neg();
            bits ^= mark;
            let unmarked = |it: &Move| self.surely(it) & mark == 0;
            let parts = self.strong(members, &unmarked, patience)?;
            if parts.iter().any(|it| it.contains(&head)) {
                tracked |= mark;
            }
        }
        Ok(tracked)
    }

    /// The strongly connected components among some places in which an accepted path may stay, each
    /// in order.
    fn components(
        &self,
        places: &[PlaceId],
        patience: &mut Patience<'_>,
    ) -> Result<Vec<Vec<PlaceId>>, Stop> {
        let mut parts = self.strong(places, &|_| true, patience)?;
        parts.retain(|members| {
            let mut marks = 0;
            for &place in members {
                for it in &self.graph.moves[place] {
                    if self.counts(it) && members.binary_search(&it.to).is_ok() {
                        marks |= self.perhaps(it);
                    }
                }
            }
            marks == self.wanted
        });
        Ok(parts)
    }

    /// The strongly connected components among some places by moves of a kind, each in order, but
    /// single places that do not lead to themselves.
    fn strong(
        &self,
        places: &[PlaceId],
        is_taken: &dyn Fn(&Move) -> bool,
        patience: &mut Patience<'_>,
    ) -> Result<Vec<Vec<PlaceId>>, Stop> {
        const NEW: usize = usize::MAX;
        let count = self.graph.places.len();
        let mut is_inside = vec![false; count];
        places.iter().for_each(|&it| is_inside[it] = true);
        let next = |place: PlaceId, from: usize| -> Option<(usize, PlaceId)> {
            let moves = self.graph.moves[place].iter().enumerate().skip(from);
            let mut taken =
                moves.filter(|(_, it)| is_inside[it.to] && self.counts(it) && is_taken(it));
            taken.next().map(|(index, it)| (index + 1, it.to))
        };
        let mut number = vec![NEW; count];
        let mut low = vec![NEW; count];
        let mut is_open = vec![false; count];
        let mut open: Vec<PlaceId> = Vec::new();
        let mut numbered = 0;
        let mut found = Vec::new();
        for &root in places {
            if number[root] != NEW {
                continue;
            }
            let mut path: Vec<(PlaceId, usize)> = vec![(root, 0)];
            while let Some(&(place, from)) = path.last() {
                patience.work(1)?;
                if number[place] == NEW {
                    number[place] = numbered;
                    low[place] = numbered;
                    numbered += 1;
                    open.push(place);
                    is_open[place] = true;
                }
                if let Some((from, to)) = next(place, from) {
                    if let Some(top) = path.last_mut() {
                        top.1 = from;
                    }
                    if number[to] == NEW {
                        path.push((to, 0));
                    } else if is_open[to] {
                        low[place] = low[place].min(number[to]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    low[parent] = low[parent].min(low[place]);
                }
                if low[place] != number[place] {
                    continue;
                }
                let mut members = Vec::new();
                while let Some(member) = open.pop() {
                    is_open[member] = false;
                    members.push(member);
                    if member == place {
                        break;
                    }
                }
                members.sort_unstable();
                let mut own = self.graph.moves[place].iter();
                let is_cycle = members.len() > 1
                    || own.any(|it| it.to == place && self.counts(it) && is_taken(it));
                if is_cycle {
                    found.push(members);
                }
            }
        }
        Ok(found)
    }
}
