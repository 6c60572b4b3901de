//! The meaning of formulas on words with repetitions ([`Word`]), which may be far too long to be
//! spelled out.
//!
//! Whether a formula and its parts hold at a position follows from the letter there, from which
//! of them hold at the next position and, for the operators of CaRet, at the next position of
//! the same invocation and where the invocation was called. A piece of a word is a call that
//! returns. So it is a function from what holds behind it and where it was called to what holds
//! at its first position, and is worked out once for each argument.
//!
//! Parts of formulas are worked out before what is made of them, over the whole word: only what
//! is known is looked at.
//!
//! As [`Evaluation`](super::Evaluation) it shares nothing with the translation to automata.

use recurva_model::{Item, Letter, Patience, PieceId, Stop, Word};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::{Chain, FormulaId, Formulas, Modality, Operator};

/// Which parts of a formula hold at a position, as bits in the order of
/// [`WordEvaluation::formulas`]. Most formulas have few parts, and words have many positions.
type Values = SmallVec<[u64; 1]>;

/// A piece, what holds behind it, and what holds where it was called, if that is a position.
type Call = (PieceId, Values, Option<Values>);

/// The values of a formula and all its parts on a word.
#[derive(Debug)]
pub struct WordEvaluation<'a> {
    parts: Parts<'a>,
    word: &'a Word,
    /// The items of the stem and of one or more turns.
    items: Vec<Item>,
    /// Where the last turn begins.
    back: usize,
    /// What holds at the first position of each item, or after it if it has none.
    rows: Vec<Values>,
    known: FxHashMap<Call, Values>,
}

/// A formula and all that it is made of.
#[derive(Debug)]
struct Parts<'a> {
    formulas: &'a Formulas,
    /// The formula, last, and all its parts, each after its own parts.
    list: Vec<FormulaId>,
    places: FxHashMap<FormulaId, usize>,
    /// Those that are looked at where the running procedure was called.
    called: Values,
}

/// What a position can see.
#[derive(Clone, Copy)]
struct View<'v> {
    letter: Letter,
    next: &'v [u64],
    /// At the next position of the same invocation.
    local: Option<&'v [u64]>,
    /// Where the invocation was called.
    caller: Option<&'v [u64]>,
}

impl<'a> WordEvaluation<'a> {
    /// Evaluates a formula.
    pub fn new(formulas: &'a Formulas, formula: FormulaId, word: &'a Word) -> Self {
        let evaluation = Self::with_patience(formulas, formula, word, &mut Patience::endless());
        evaluation.expect("patience has no end")
    }

    /// The same for those who may not want to wait for it.
    ///
    /// # Errors
    ///
    /// If patience ends before the formula is evaluated.
    pub fn with_patience(
        formulas: &'a Formulas,
        formula: FormulaId,
        word: &'a Word,
        patience: &mut Patience<'_>,
    ) -> Result<Self, Stop> {
        let parts = Parts::new(formulas, formula);
        // What is said of callers may change from turn to turn if each turn leaves calls behind,
        // but once more for each operator only.
        let callers =
            |&&id: &&FormulaId| matches!(formulas.operator(id), Operator::Along(Chain::Callers, _));
        let grows = word.turn().contains(&Item::Into);
        let turns = match parts.list.iter().filter(callers).count() {
            0 => 1,
            count if grows => count + 1,
            _ => 1,
        };
        let mut items = word.stem().to_vec();
        for _ in 0..turns {
            items.extend_from_slice(word.turn());
        }
        let mut evaluation = WordEvaluation {
            word,
            back: items.len() - word.turn().len(),
            rows: vec![parts.nothing(); items.len()],
            items,
            parts,
            known: FxHashMap::default(),
        };
        evaluation.settle(patience)?;
        Ok(evaluation)
    }

    /// The formula, last, and all its parts, each after its own parts.
    pub fn formulas(&self) -> &[FormulaId] {
        &self.parts.list
    }

    /// Whether the formula holds on the word.
    pub fn holds(&self) -> bool {
        get(&self.rows[0], self.parts.list.len() - 1)
    }

    /// What holds at the first position of every item of the stem and of the turn, after some
    /// turns if that makes a difference: for each item a value for each of [`Self::formulas`].
    pub fn rows(&self) -> (Vec<Vec<bool>>, Vec<Vec<bool>>) {
        let row = |row: &Values| -> Vec<bool> {
            (0..self.parts.list.len()).map(|at| get(row, at)).collect()
        };
        let stem = self.rows[..self.word.stem().len()].iter().map(row);
        (
            stem.collect(),
            self.rows[self.back..].iter().map(row).collect(),
        )
    }

    /// Finds out what holds where, one formula after another.
    fn settle(&mut self, patience: &mut Patience<'_>) -> Result<(), Stop> {
        let (local, caller) = self.links();
        for at in 0..self.parts.list.len() {
            // More is asked about each piece now.
            self.known.clear();
            if let Operator::Along(Chain::Callers, _) = self.parts.operator(at) {
                // Callers come first.
                for index in 0..self.items.len() {
                    patience.step()?;
                    self.settle_letter(at, index, &local, &caller);
                }
                self.pass_back(at, &local, &caller, Pass::Others, patience)?;
                self.pass_back(at, &local, &caller, Pass::Others, patience)?;
                continue;
            }
            let start = self.parts.greatest(at);
            self.rows.iter_mut().for_each(|row| set(row, at, start));
            // The first pass settles where the turn begins, the second one all others.
            self.pass_back(at, &local, &caller, Pass::All, patience)?;
            self.pass_back(at, &local, &caller, Pass::All, patience)?;
        }
        Ok(())
    }

    /// For each item the next position of the same invocation, and the position where a call was
    /// made: of a letter its caller, of a piece the position before it.
    fn links(&self) -> (Vec<Option<usize>>, Vec<Option<usize>>) {
        let count = self.items.len();
        let mut local = vec![None; count];
        let mut ahead = None;
        for index in (self.back..count).rev().chain((0..count).rev()) {
            local[index] = ahead;
            match self.items[index] {
                Item::Letter(_) => ahead = Some(index),
                Item::Into => ahead = None,
                Item::Piece(_) => {}
            }
        }
        let mut caller = vec![None; count];
        let (mut outside, mut before) = (None, None);
        for (index, (item, caller)) in self.items.iter().zip(&mut caller).enumerate() {
            match item {
                Item::Letter(_) => {
                    *caller = outside;
                    before = Some(index);
                }
                // A call that no position comes before does not count as one.
                Item::Piece(_) => *caller = before.or(outside),
                Item::Into => outside = before.take().or(outside),
            }
        }
        (local, caller)
    }

    fn settle_letter(
        &mut self,
        at: usize,
        index: usize,
        local: &[Option<usize>],
        caller: &[Option<usize>],
    ) {
        let Item::Letter(letter) = self.items[index] else {
            return;
        };
        let row = |index: usize| &*self.rows[index];
        let view = View {
            letter,
            next: row(self.next(index)),
            local: local[index].map(row),
            caller: caller[index].map(row),
        };
        let holds = self.parts.holds(at, row(index), &view);
        set(&mut self.rows[index], at, holds);
    }

    fn pass_back(
        &mut self,
        at: usize,
        local: &[Option<usize>],
        caller: &[Option<usize>],
        pass: Pass,
        patience: &mut Patience<'_>,
    ) -> Result<(), Stop> {
        for index in (0..self.items.len()).rev() {
            patience.step()?;
            let next = self.next(index);
            match self.items[index] {
                Item::Letter(_) if pass == Pass::Others => {}
                Item::Letter(_) => self.settle_letter(at, index, local, caller),
                Item::Into => {
                    let value = get(&self.rows[next], at);
                    set(&mut self.rows[index], at, value);
                }
                Item::Piece(piece) => {
                    let context = caller[index].map(|call| self.parts.context(&self.rows[call]));
                    let first =
                        self.before((piece, self.rows[next].clone(), context), at, patience)?;
                    set(&mut self.rows[index], at, get(&first, at));
                }
            }
        }
        Ok(())
    }

    fn next(&self, index: usize) -> usize {
        match index + 1 {
            end if end == self.items.len() => self.back,
            next => next,
        }
    }

    /// What holds at the first position of a piece, of the formulas up to one. What is asked
    /// about later ones is not known there.
    fn before(
        &mut self,
        call: Call,
        upto: usize,
        patience: &mut Patience<'_>,
    ) -> Result<Values, Stop> {
        if let Some(first) = self.known.get(&call) {
            return Ok(first.clone());
        }
        let mut open = vec![Body::new(self.word, call.clone())];
        while let Some(body) = open.last_mut() {
            match body.go_on(&self.parts, &self.known, upto, patience)? {
                Progress::Needs(call) => open.push(Body::new(self.word, call)),
                Progress::Done => {
                    if let Some(body) = open.pop() {
                        self.known.insert(body.call, body.now);
                    }
                }
            }
        }
        Ok(self.known.get(&call).cloned().unwrap_or(call.1))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    All,
    /// Not the letters, which are settled.
    Others,
}

/// A piece that is being followed backwards.
struct Body<'w> {
    call: Call,
    /// What is left of it, as letters with the pieces behind them.
    left: &'w [Item],
    /// How many of the pieces behind the last letter are still to be followed.
    pieces: usize,
    /// What holds at the first position behind those.
    now: Values,
    /// What holds at the next letter, where there is one.
    local: Option<Values>,
    /// What is thought to hold where the pieces behind the last letter were called. A formula
    /// that looks there looks for a smaller one, so this gets better from the first one on.
    thought: Values,
}

enum Progress {
    Needs(Call),
    Done,
}

impl<'w> Body<'w> {
    fn new(word: &'w Word, call: Call) -> Self {
        let left = &word.pieces()[call.0.index()];
        Body {
            left,
            pieces: trailing(left),
            now: call.1.clone(),
            local: None,
            thought: smallvec![0; call.1.len()],
            call,
        }
    }

    fn go_on(
        &mut self,
        parts: &Parts<'_>,
        known: &FxHashMap<Call, Values>,
        upto: usize,
        patience: &mut Patience<'_>,
    ) -> Result<Progress, Stop> {
        loop {
            patience.step()?;
            let group = trailing(self.left);
            let letter = match self.left[..self.left.len() - group] {
                [.., Item::Letter(letter)] => Some(letter),
                _ => None,
            };
            while self.pieces > 0 {
                let index = self.left.len() - group + self.pieces - 1;
                // A call that never returns is not in a piece.
                if let Item::Piece(piece) = self.left[index] {
                    let context = match letter {
                        Some(_) => Some(self.thought.clone()),
                        // A call that no position comes before does not count as one.
                        None => self.call.2.clone(),
                    };
                    let call = (piece, self.now.clone(), context);
                    match known.get(&call) {
                        Some(first) => self.now.clone_from(first),
                        None => return Ok(Progress::Needs(call)),
                    }
                }
                self.pieces -= 1;
            }
            let Some(letter) = letter else {
                return Ok(Progress::Done);
            };
            let view = View {
                letter,
                next: &self.now,
                local: self.local.as_deref(),
                caller: self.call.2.as_deref(),
            };
            let here = parts.all(&view, upto);
            let context = parts.context(&here);
            if group > 0 && context != self.thought {
                // Once more, with what is known better now.
                self.thought = context;
                self.pieces = group;
                self.now = self.local.clone().unwrap_or_else(|| self.call.1.clone());
                continue;
            }
            self.left = &self.left[..self.left.len() - group - 1];
            self.pieces = trailing(self.left);
            self.thought.fill(0);
            self.local = Some(here.clone());
            self.now = here;
        }
    }
}

/// How many items there are behind the last letter.
fn trailing(items: &[Item]) -> usize {
    let is_letter = |item: &Item| matches!(item, Item::Letter(_));
    let last = items.iter().rposition(is_letter);
    items.len() - last.map_or(0, |last| last + 1)
}

impl<'a> Parts<'a> {
    fn new(formulas: &'a Formulas, formula: FormulaId) -> Self {
        let list = formulas.subformulas(formula);
        let places: FxHashMap<FormulaId, usize> = list.iter().copied().zip(0..).collect();
        let mut called: Values = smallvec![0; list.len().div_ceil(64)];
        for (at, &id) in list.iter().enumerate() {
            match formulas.operator(id) {
                Operator::Along(Chain::Callers, Modality::Next | Modality::WeakNext) => {
                    set(&mut called, places[&formulas.pair(id).0], true);
                }
                Operator::Along(Chain::Callers, _) => set(&mut called, at, true),
                _ => {}
            }
        }
        Parts {
            formulas,
            list,
            places,
            called,
        }
    }

    fn nothing(&self) -> Values {
        smallvec![0; self.called.len()]
    }

    fn operator(&self, at: usize) -> Operator {
        self.formulas.operator(self.list[at])
    }

    /// What a called procedure can ask about where it was called.
    fn context(&self, values: &Values) -> Values {
        values
            .iter()
            .zip(&self.called)
            .map(|(a, b)| a & b)
            .collect()
    }

    /// Whether a formula holds for ever that says nothing but that it holds again.
    fn greatest(&self, at: usize) -> bool {
        use Operator::*;
        match self.operator(at) {
            Globally | Release | WeakUntil => true,
            Along(_, modality) => {
                use Modality::*;
                matches!(modality, Globally | Release | WeakUntil | WeakNext)
            }
            _ => false,
        }
    }

    /// What holds at a position, of the formulas up to one.
    fn all(&self, view: &View<'_>, upto: usize) -> Values {
        let mut now = self.nothing();
        for at in 0..=upto {
            let holds = self.holds(at, &now, view);
            set(&mut now, at, holds);
        }
        now
    }

    /// Whether a formula holds at a position where its parts have the values in `now`.
    fn holds(&self, at: usize, now: &[u64], view: &View<'_>) -> bool {
        use Operator::*;
        let formula = self.list[at];
        let value = |part: FormulaId| get(now, self.places[&part]);
        let later = get(view.next, at);
        let parts = self.formulas.parts(formula);
        let (first, last) = self.formulas.pair(formula);
        match self.formulas.operator(formula) {
            True => true,
            False => false,
            Atom(atom) => atom.0 < Letter::BITS && view.letter >> atom.0 & 1 == 1,
            Not => !value(first),
            And => parts.iter().all(|&part| value(part)),
            Or => parts.iter().any(|&part| value(part)),
            Implies => !value(first) || value(last),
            Equivalent => value(first) == value(last),
            Xor => value(first) != value(last),
            Next => get(view.next, self.places[&first]),
            Finally => value(first) || later,
            Globally => value(first) && later,
            Until | WeakUntil => value(last) || value(first) && later,
            Release | StrongRelease => value(last) && (value(first) || later),
            Along(chain, modality) => {
                let ahead = match chain {
                    Chain::Local => view.local,
                    Chain::Callers => view.caller,
                };
                let again = ahead.map_or_else(|| self.greatest(at), |ahead| get(ahead, at));
                match modality {
                    Modality::Next | Modality::WeakNext => ahead.map_or_else(
                        || modality == Modality::WeakNext,
                        |ahead| get(ahead, self.places[&first]),
                    ),
                    Modality::Finally => value(first) || again,
                    Modality::Globally => value(first) && again,
                    Modality::Until | Modality::WeakUntil => value(last) || value(first) && again,
                    Modality::Release | Modality::StrongRelease => {
                        value(last) && (value(first) || again)
                    }
                }
            }
        }
    }
}

fn get(values: &[u64], at: usize) -> bool {
    values[at / 64] >> (at % 64) & 1 == 1
}

fn set(values: &mut [u64], at: usize, value: bool) {
    let bit = 1 << (at % 64);
    if value {
        values[at / 64] |= bit;
    } else {
        values[at / 64] &= !bit;
    }
}
