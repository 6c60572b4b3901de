//! What can be observed of an infinite run, stored so that repetition costs nothing.

use crate::{Letter, Malformed};

/// Index of a piece of a [`Word`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PieceId(pub u32);

impl PieceId {
    /// The position in [`Word::pieces`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A position of a word, or a stretch of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// One position: the conditions that hold there.
    Letter(Letter),
    /// All positions of a piece. In what was observed of a run this is a call that returns.
    Piece(PieceId),
    /// No position: what follows happens in a call that never returns.
    Into,
}

/// An infinite word: a stem, and a turn that is repeated for ever.
///
/// A run that calls the same procedure a million times in the same way has a million equal
/// stretches. Each is stored once, as a *piece*; pieces refer only to earlier ones, so nothing
/// that walks a word recurses. Calls that never return are in the stem and in the turn only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pieces: Vec<Box<[Item]>>,
    stem: Box<[Item]>,
    turn: Box<[Item]>,
}

impl Word {
    /// A word from its parts. Pieces may refer only to earlier ones, and the turn must have a
    /// position.
    pub fn new(
        pieces: Vec<Box<[Item]>>,
        stem: impl Into<Box<[Item]>>,
        turn: impl Into<Box<[Item]>>,
    ) -> Result<Self, Malformed> {
        let word = Word {
            pieces,
            stem: stem.into(),
            turn: turn.into(),
        };
        let earlier = |items: &[Item], before: usize| {
            let known = |item: &Item| matches!(item, Item::Piece(p) if p.index() >= before);
            !items.iter().any(known)
        };
        if word.pieces.iter().any(|items| items.contains(&Item::Into)) {
            return Err(Malformed::new("word", "a call in a piece does not return"));
        }
        let mut pieces = word.pieces.iter().enumerate();
        let ends = [&word.stem, &word.turn];
        let fits = pieces.all(|(index, items)| earlier(items, index))
            && ends.iter().all(|items| earlier(items, word.pieces.len()));
        if !fits {
            return Err(Malformed::new("word", "a piece is not an earlier one"));
        }
        if word.letters(&word.turn).next().is_none() {
            return Err(Malformed::new("word", "the turn has no position"));
        }
        Ok(word)
    }

    /// The pieces.
    pub fn pieces(&self) -> &[Box<[Item]>] {
        &self.pieces
    }

    /// What comes first.
    pub fn stem(&self) -> &[Item] {
        &self.stem
    }

    /// What is then repeated for ever.
    pub fn turn(&self) -> &[Item] {
        &self.turn
    }

    /// The letters of some items, all pieces spelled out. There may be very many.
    pub fn letters<'w>(&'w self, items: &'w [Item]) -> impl Iterator<Item = Letter> + 'w {
        let mut open = vec![items.iter()];
        std::iter::from_fn(move || {
            loop {
                match open.last_mut()?.next() {
                    Some(Item::Letter(letter)) => return Some(*letter),
                    Some(Item::Piece(piece)) => open.push(self.pieces[piece.index()].iter()),
                    Some(Item::Into) => {}
                    None => {
                        open.pop();
                    }
                }
            }
        })
    }

    /// The word at the positions whose letter has this bit; `None` if there are only finitely
    /// many of them.
    pub fn filtered(&self, bit: Letter) -> Option<Word> {
        let keep = |items: &[Item]| {
            let wanted = |item: &&Item| match item {
                Item::Letter(letter) => letter & bit != 0,
                Item::Piece(_) | Item::Into => true,
            };
            items
                .iter()
                .filter(wanted)
                .copied()
                .collect::<Box<[Item]>>()
        };
        let pieces = self.pieces.iter().map(|piece| keep(piece)).collect();
        Word::new(pieces, keep(&self.stem), keep(&self.turn)).ok()
    }

    /// How many positions the stem and the turn have, all pieces spelled out; saturating.
    pub fn lengths(&self) -> (u64, u64) {
        let mut lengths: Vec<u64> = Vec::with_capacity(self.pieces.len());
        let length = |items: &[Item], lengths: &[u64]| {
            let of = |item: &Item| match item {
                Item::Letter(_) => 1,
                Item::Piece(piece) => lengths[piece.index()],
                Item::Into => 0,
            };
            items.iter().map(of).fold(0, u64::saturating_add)
        };
        for piece in &self.pieces {
            let own = length(piece, &lengths);
            lengths.push(own);
        }
        (length(&self.stem, &lengths), length(&self.turn, &lengths))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_spelled_out() {
        let piece = |index| Item::Piece(PieceId(index));
        let mut pieces: Vec<Box<[Item]>> = vec![[Item::Letter(1), Item::Letter(2)].into()];
        for index in 0..70 {
            pieces.push([piece(index), piece(index)].into());
        }
        let word = Word::new(pieces.clone(), [piece(2)], [Item::Letter(3), piece(70)]).unwrap();
        assert_eq!(
            word.letters(word.stem()).collect::<Vec<_>>(),
            [1, 2].repeat(4)
        );
        assert_eq!(
            word.letters(word.turn()).take(3).collect::<Vec<_>>(),
            [3, 1, 2]
        );
        assert_eq!(word.lengths(), (8, u64::MAX));
        assert!(Word::new(pieces, [piece(71)], [Item::Letter(0)]).is_err());
        assert!(Word::new(vec![Box::default()], [], [piece(0)]).is_err());
    }
}
