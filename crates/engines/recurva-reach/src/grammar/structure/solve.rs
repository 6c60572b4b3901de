//! Recursion at the ends of rules as repetition.

use super::{Builder, Item, Letter, Sequence, Symbol};

pub(super) type RegexId = u32;

/// An expression; parts are earlier in the list.
#[derive(Clone, Debug)]
pub(super) enum Regex {
    Letter(Letter),
    Sequence(Vec<RegexId>),
    Choice(Vec<RegexId>),
    /// Any number of times.
    Star(RegexId),
    /// At least once.
    Plus(RegexId),
}

impl Builder<'_> {
    fn regex(&mut self, regex: Regex) -> RegexId {
        let size = |part: &RegexId| self.sizes[*part as usize];
        self.sizes.push(match &regex {
            Regex::Letter(_) => 1,
            Regex::Star(part) | Regex::Plus(part) => size(part),
            Regex::Sequence(parts) | Regex::Choice(parts) => {
                parts.iter().map(size).fold(0, u32::saturating_add)
            }
        });
        self.regexes.push(regex);
        self.regexes.len() as RegexId - 1
    }

    fn sequence(&mut self, items: &[Item]) -> Option<RegexId> {
        let mut parts = Vec::with_capacity(items.len());
        for &item in items {
            parts.push(match item {
                Item::Letter(letter) => self.regex(Regex::Letter(letter)),
                Item::Closed(regex) => regex,
                Item::Indexed(_) | Item::Symbol(_) => return None,
            });
        }
        Some(match *parts {
            [one] => one,
            _ => self.regex(Regex::Sequence(parts)),
        })
    }

    fn choice(&mut self, sequences: &[&[Item]]) -> Option<RegexId> {
        let mut parts = Vec::with_capacity(sequences.len());
        for sequence in sequences {
            parts.push(self.sequence(sequence)?);
        }
        Some(match *parts {
            [one] => one,
            _ => self.regex(Regex::Choice(parts)),
        })
    }

    /// The expression for a symbol whose recursion is at the ends of its rules: from
    /// `N → N N | B N | N A | x` it is `(B* x A*)+`, without the `+` if there is no `N → N N`.
    pub(super) fn solve(&mut self, symbol: Symbol) -> Option<RegexId> {
        let own = Item::Symbol(symbol);
        let alternatives: Vec<Sequence> = self.alternatives[symbol as usize].clone();
        let (mut before, mut base, mut behind) = (Vec::new(), Vec::new(), Vec::new());
        let mut twice = false;
        for sequence in &alternatives {
            let times = sequence.iter().filter(|&&item| item == own).count();
            let others = sequence.iter().filter(|&&item| item != own);
            if !others.copied().all(Item::is_closed) {
                return None;
            }
            match (times, &sequence[..]) {
                (0, all) => base.push(all),
                (1, [_]) => {}
                (1, [first, rest @ ..]) if *first == own => behind.push(rest),
                (1, [rest @ .., last]) if *last == own => before.push(rest),
                (2, [_, _]) => twice = true,
                _ => return None,
            }
        }
        let mut parts = Vec::new();
        if !before.is_empty() {
            let inner = self.choice(&before)?;
            parts.push(self.regex(Regex::Star(inner)));
        }
        parts.push(self.choice(&base)?);
        if !behind.is_empty() {
            let inner = self.choice(&behind)?;
            parts.push(self.regex(Regex::Star(inner)));
        }
        let once = self.regex(Regex::Sequence(parts));
        Some(match twice {
            true => self.regex(Regex::Plus(once)),
            false => once,
        })
    }
}
