//! What has to hold before a step.

use super::{Atom, Live};
use crate::{ACTOR, Dfa, Letter, Meter, Nfa, Stop, parts, relation::relabelled_nfa};

/// What a label of the automaton says of the word before a step.
pub(super) struct Guard {
    /// The process has one of these letters, if it is asked; each is a set of words of one letter.
    letters: Vec<(Dfa, bool)>,
    words: Vec<(Dfa, bool)>,
}

impl Guard {
    pub(super) fn new(live: &Live, positive: u64, negative: u64) -> Guard {
        let mut guard = Guard {
            letters: Vec::new(),
            words: Vec::new(),
        };
        for (at, atom) in live.formula.atoms.iter().enumerate() {
            for (bits, wanted) in [(positive, true), (negative, false)] {
                if bits >> at & 1 == 1 {
                    match atom {
                        Atom::Letter(set) => guard.letters.push((set.clone(), wanted)),
                        Atom::Word(set) => guard.words.push((set.clone(), wanted)),
                    }
                }
            }
        }
        guard
    }

    /// Whether the process that the formula is about may have a letter.
    pub(super) fn allows(&self, letter: Letter) -> bool {
        self.letters
            .iter()
            .all(|(set, wanted)| set.accepts(&[letter]) == *wanted)
    }

    /// Only steps from words that are as they should be.
    pub(super) fn restrict(&self, steps: &Nfa, meter: &mut Meter<'_>) -> Result<Nfa, Stop> {
        let mut steps = steps.clone();
        for (set, wanted) in &self.words {
            // All pairs of the steps whose left side is a letter of the set, with either mark.
            let used: Vec<Letter> = steps.classes().letters().iter().map(|&(l, _)| l).collect();
            let lifted = relabelled_nfa(&set.nfa(), |a| {
                used.iter()
                    .copied()
                    .filter(|&l| parts(l & !ACTOR).0 == a)
                    .collect()
            });
            steps = match wanted {
                true => steps.intersect(&lifted, meter)?,
                false => {
                    let lifted = lifted.determinise(meter)?;
                    steps.determinise(meter)?.minus(&lifted, meter)?.nfa()
                }
            };
        }
        Ok(steps)
    }
}
