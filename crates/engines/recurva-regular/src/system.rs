//! Systems: an alphabet, where runs begin, what a step is, and what must not be.

use crate::{
    Dfa, Letter, Meter, Nfa, Relation, Stop,
    live::{Fair, Live},
};

/// How processes are connected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Topology {
    /// In a row.
    #[default]
    Line,
    /// In a row whose ends are neighbours too.
    Ring,
}

/// A part of the transition relation that has a name.
#[derive(Clone, Debug)]
pub struct Action {
    /// The name; empty if the text gave none.
    pub name: String,
    /// The steps.
    pub relation: Relation,
    /// The same with the pair of the process that acts marked by [`ACTOR`](crate::ACTOR), if there
    /// is such a process.
    pub marked: Option<Nfa>,
}

/// A set of words that no run may come to.
#[derive(Clone, Debug)]
pub struct Bad {
    /// The name of the property.
    pub name: String,
    /// The words.
    pub words: Dfa,
}

/// A system: words over an alphabet, and steps between words of equal length.
#[derive(Clone, Debug)]
pub struct System {
    /// Its name.
    pub name: String,
    /// The names of the letters.
    pub letters: Vec<String>,
    /// The words in which runs begin.
    pub initial: Dfa,
    /// The steps, one relation for each action.
    pub actions: Vec<Action>,
    /// What no run may come to.
    pub bad: Vec<Bad>,
    /// Formulas that all fair runs must satisfy.
    pub live: Vec<Live>,
    /// What must happen again and again in a fair run.
    pub fair: Vec<Fair>,
}

impl System {
    /// All steps as one relation.
    ///
    /// # Errors
    ///
    /// If the meter says stop.
    pub fn relation(&self, meter: &mut Meter<'_>) -> Result<Relation, Stop> {
        let mut all = Relation::new(Dfa::empty());
        for action in &self.actions {
            all = all.union(&action.relation, meter)?;
        }
        Ok(all)
    }

    /// A word as text.
    pub fn show(&self, word: &[Letter]) -> String {
        if word.is_empty() {
            return "ε".to_owned();
        }
        let names = word.iter().map(|&letter| self.letter(letter));
        names.collect::<Vec<_>>().join(" ")
    }

    /// The name of a letter.
    pub fn letter(&self, letter: Letter) -> &str {
        self.letters.get(letter as usize).map_or("?", |name| name)
    }
}
