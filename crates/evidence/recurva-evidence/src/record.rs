//! What is observed along an execution, piece by piece.

use recurva_model::{
    Expr, Guard, Item, Letter, PieceId, Point, Word,
    semantics::{Configuration, Machine},
};
use rustc_hash::FxHashMap;

/// A stretch that is being observed.
#[derive(Clone, Debug)]
enum Stretch {
    Open(Vec<Item>),
    /// It is over, or was known from the beginning.
    Done(PieceId),
}

/// What has been observed so far. See [`Word`].
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pieces: Vec<Box<[Item]>>,
    /// The stem, once the turn has begun.
    stem: Option<Vec<Item>>,
    /// The stem or the turn, then the bodies being executed.
    stretches: Vec<Stretch>,
    /// The conditions as they read at each point.
    conditions: FxHashMap<Point, Box<[Expr]>>,
}

impl Default for Record {
    fn default() -> Self {
        Record {
            pieces: Vec::new(),
            stem: None,
            stretches: vec![Stretch::Open(Vec::new())],
            conditions: FxHashMap::default(),
        }
    }
}

impl Record {
    /// Observes a configuration.
    pub(crate) fn read(
        &mut self,
        machine: &Machine<'_>,
        observed: &[Guard],
        configuration: &Configuration,
    ) {
        let point = configuration.top().point();
        let conditions = self
            .conditions
            .entry(point)
            .or_insert_with(|| observed.iter().map(|guard| guard.at(point)).collect());
        let mut letter: Letter = 0;
        for (index, condition) in conditions.iter().enumerate() {
            let holds = machine.observe(configuration, condition) == Some(1);
            letter |= Letter::from(holds) << index;
        }
        self.push(Item::Letter(letter));
    }

    /// A call is made that does not return.
    pub(crate) fn go_into(&mut self) {
        self.push(Item::Into);
    }

    /// A body begins.
    pub(crate) fn enter(&mut self) {
        self.stretches.push(Stretch::Open(Vec::new()));
    }

    /// The innermost body is over: what was observed in it is a piece.
    pub(crate) fn finish(&mut self) -> PieceId {
        let piece = PieceId(self.pieces.len() as u32);
        match self.stretches.pop() {
            Some(Stretch::Done(piece)) => {
                self.stretches.push(Stretch::Done(piece));
                return piece;
            }
            Some(Stretch::Open(items)) => self.pieces.push(items.into()),
            None => {}
        }
        self.stretches.push(Stretch::Done(piece));
        piece
    }

    /// The innermost body goes as it went before.
    pub(crate) fn skip(&mut self, piece: PieceId) {
        self.stretches.pop();
        self.stretches.push(Stretch::Done(piece));
    }

    /// The innermost body returns.
    pub(crate) fn leave(&mut self) {
        let piece = self.finish();
        self.stretches.pop();
        self.push(Item::Piece(piece));
    }

    /// The turn begins in the configuration that was read last.
    pub(crate) fn start_turn(&mut self) {
        if let Some(Stretch::Open(items)) = self.stretches.last_mut() {
            let first = items.pop();
            let stem = std::mem::replace(items, first.into_iter().collect());
            self.stem = Some(stem);
        }
    }

    /// The word, at the end of the turn; if no turn has begun, of a run that stays in the
    /// configuration that was read last.
    pub(crate) fn into_word(mut self) -> Option<Word> {
        if self.stem.is_none() {
            self.start_turn();
        } else if let Some(Stretch::Open(items)) = self.stretches.last_mut() {
            // The last configuration is the first of the next turn.
            items.pop();
        }
        let Some(Stretch::Open(turn)) = self.stretches.pop() else {
            return None;
        };
        Word::new(self.pieces, self.stem?, turn).ok()
    }

    fn push(&mut self, item: Item) {
        if let Some(Stretch::Open(items)) = self.stretches.last_mut() {
            items.push(item);
        }
    }
}
