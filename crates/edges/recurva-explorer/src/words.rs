//! Systems of any size as the page shows them.

use recurva_draw::machines;
use recurva_regular::{
    Letter,
    engine::Run,
    express::{Alphabet, expression},
    live::Lasso,
    system::System,
};

use crate::{
    document::{NamedDrawing, Words},
    drawing::laid_out,
};

/// Expressions are left out where they are longer.
const EXPRESSION: usize = 400;

/// A run that comes to a bad word.
pub fn finite_words(system: &System, run: &Run) -> Words {
    let actions = run.actions.iter();
    Words {
        words: spelled(system, &run.words),
        actions: actions.map(|&at| system.actions[at].name.clone()).collect(),
        turn: None,
        process: None,
    }
}

/// An infinite run that violates a formula.
pub fn infinite_words(system: &System, lasso: &Lasso) -> Words {
    let mut words = spelled(system, &lasso.stem);
    let turn = words.len();
    words.extend(spelled(system, &lasso.turn));
    Words {
        words,
        actions: Vec::new(),
        turn: Some(turn),
        process: lasso.process,
    }
}

fn spelled(system: &System, words: &[Vec<Letter>]) -> Vec<Vec<String>> {
    let spell = |word: &Vec<Letter>| {
        let letters = word.iter();
        letters
            .map(|&letter| system.letter(letter).to_owned())
            .collect()
    };
    words.iter().map(spell).collect()
}

/// The automata of a system: where it begins, its actions, what must not be reached.
pub fn automata(system: &System) -> Vec<NamedDrawing> {
    let parts = machines::parts(system).into_iter();
    let drawn = parts.filter_map(|(name, dfa, alphabet)| automaton(&name, dfa, alphabet));
    drawn.collect()
}

/// One automaton; `None` if it is too large to be drawn.
pub fn automaton(
    name: &str,
    dfa: &recurva_regular::Dfa,
    alphabet: Alphabet<'_>,
) -> Option<NamedDrawing> {
    let about = expression(dfa, alphabet).filter(|text| text.chars().count() <= EXPRESSION);
    let mut graph = machines::words(dfa, alphabet, name);
    graph.name.clear();
    Some(NamedDrawing {
        name: name.to_owned(),
        about: about.unwrap_or_default(),
        drawing: laid_out(graph)?,
    })
}
