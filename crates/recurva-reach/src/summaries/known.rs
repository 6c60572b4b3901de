//! The summaries that are known.

use crate::{
    Machine, Summary,
    meter::{Halt, Held, Meter, Tally},
    sets::Set,
};

/// Summaries, each once: as a list, and for each group and site the sites that they lead to.
pub(crate) struct Known {
    pub(crate) list: Vec<Summary>,
    pub(crate) held: Held,
    sites: u32,
    /// By group; a group without a summary has none.
    rows: Vec<Vec<Set>>,
    tally: Tally,
}

impl Known {
    pub(super) fn new(machine: &Machine, meter: &Meter<'_>) -> Result<Self, Halt> {
        let calls = machine.calls.iter().map(|call| call.site);
        let returns = machine.returns.iter().map(|it| it.site);
        let sites = calls.chain(returns).max().map_or(0, |site| site + 1);
        Ok(Known {
            list: Vec::new(),
            held: meter.hold(0)?,
            sites,
            rows: vec![Vec::new(); machine.moves.len()],
            tally: Tally::new(meter),
        })
    }

    /// Adds a summary; whether it is new.
    pub(super) fn insert(&mut self, summary: Summary) -> Result<bool, Halt> {
        let rows = &mut self.rows[summary.group as usize];
        if rows.is_empty() {
            self.tally.bytes += size_of::<Set>() * self.sites as usize;
            self.tally.tell()?;
            *rows = vec![Set::default(); self.sites as usize];
        }
        let row = &mut rows[summary.from as usize];
        if !row.insert(summary.to, self.sites, &mut self.tally.bytes) {
            return Ok(false);
        }
        self.tally.tell()?;
        self.held.room(&mut self.list)?;
        self.list.push(summary);
        Ok(true)
    }
}
