//! Words of one length: all that can be reached, one by one.

use rustc_hash::FxHashMap;

use crate::{
    Dfa, Letter, Meter, Relation, Stop,
    meter::{heap, table},
    parts,
};

/// Steps from words of any length up to a bound.
#[derive(Debug)]
pub(crate) struct Stepper {
    /// For each state, by the left letter: right letters and targets.
    rows: Vec<FxHashMap<Letter, Vec<(Letter, u32)>>>,
    viable: Vec<Vec<bool>>,
    bytes: usize,
}

impl Stepper {
    pub(crate) fn new(
        relation: &Relation,
        longest: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Stepper, Stop> {
        let dfa = relation.dfa();
        let members = dfa.classes().members();
        let level = meter.level();
        let mut steps = 0;
        let mut rows = Vec::with_capacity(dfa.states());
        for state in 0..dfa.states() as u32 {
            let mut row: FxHashMap<Letter, Vec<(Letter, u32)>> = FxHashMap::default();
            for (class, to) in dfa.edges(state) {
                for &letter in &members[class as usize] {
                    let (a, b) = parts(letter);
                    row.entry(a).or_default().push((b, to));
                }
            }
            // In the order of the letters, whatever the classes are.
            row.values_mut().for_each(|list| list.sort_unstable());
            let lists = row.values().map(|list| heap(8 * list.capacity()));
            let size = lists.sum::<usize>() + table(row.len(), 32);
            steps += size;
            meter.pass(size as u64 / 8)?;
            meter.hold(level, steps)?;
            rows.push(row);
        }
        let bytes = steps + (longest + 1) * dfa.states();
        meter.hold(level, bytes)?;
        let viable = dfa.viable(longest);
        meter.release(level);
        Ok(Stepper {
            rows,
            viable,
            bytes,
        })
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// All words to which a step leads, in the order of the letters.
    pub(crate) fn next(
        &self,
        word: &[Letter],
        meter: &mut Meter<'_>,
        out: &mut Vec<Vec<Letter>>,
    ) -> Result<(), Stop> {
        let mut partial: Vec<(Vec<Letter>, u32)> = vec![(Vec::with_capacity(word.len()), 0)];
        for (done, letter) in word.iter().enumerate() {
            let viable = &self.viable[word.len() - done - 1];
            let mut longer = Vec::with_capacity(partial.len());
            for (prefix, state) in partial {
                let edges = self.rows[state as usize].get(letter);
                let mut to_go = edges
                    .into_iter()
                    .flatten()
                    .filter(|&&(_, to)| viable[to as usize])
                    .peekable();
                meter.work(1)?;
                // The last one takes the prefix over.
                while let Some(&(b, to)) = to_go.next() {
                    if to_go.peek().is_none() {
                        let mut prefix = prefix;
                        prefix.push(b);
                        longer.push((prefix, to));
                        break;
                    }
                    let mut copy = prefix.clone();
                    copy.push(b);
                    longer.push((copy, to));
                }
            }
            partial = longer;
        }
        if word.is_empty() && !self.viable[0][0] {
            return Ok(());
        }
        out.extend(partial.into_iter().map(|(word, _)| word));
        Ok(())
    }
}

/// A search of all words of one length, breadth first: a shortest run to a bad word, if there is
/// one.
///
/// # Errors
///
/// If the meter says stop.
pub fn search(
    (initial, relation, bad): (&Dfa, &Relation, &Dfa),
    length: usize,
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<Vec<Letter>>>, Stop> {
    let level = meter.level();
    let stepper = Stepper::new(relation, length, meter)?;
    let fixed = stepper.bytes();
    // Each word is in the list and in the table.
    let one = 32 + 2 * heap(4 * length);
    let mut words: Vec<(Vec<Letter>, usize)> = Vec::new();
    let mut known: FxHashMap<Vec<Letter>, ()> = FxHashMap::default();
    for word in initial.words(length, meter)? {
        known.insert(word.clone(), ());
        words.push((word, usize::MAX));
    }
    let mut at = 0;
    let mut out = Vec::new();
    while at < words.len() {
        meter.progress.states = words.len() as u64;
        meter.work(length as u64)?;
        let tables = table(known.len(), 24) + words.len() * one;
        meter.hold(level, fixed + tables)?;
        if bad.accepts(&words[at].0) {
            meter.release(level);
            return Ok(Some(run_to(&words, at)));
        }
        stepper.next(&words[at].0, meter, &mut out)?;
        for word in out.drain(..) {
            if known.insert(word.clone(), ()).is_none() {
                words.push((word, at));
            }
        }
        at += 1;
    }
    meter.release(level);
    Ok(None)
}

/// The words on the way to one.
fn run_to(words: &[(Vec<Letter>, usize)], mut at: usize) -> Vec<Vec<Letter>> {
    let mut run = Vec::new();
    while let Some((word, before)) = words.get(at) {
        run.push(word.clone());
        at = *before;
    }
    run.reverse();
    run
}
