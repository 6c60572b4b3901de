//! Pushdown systems: ⟨p, γ⟩ ↪ ⟨q, w⟩ with |w| ≤ 2, and a letter or none.
//!
//! A configuration is a control location and a stack of symbols; its *head* is the location
//! with the topmost symbol. A rule replaces the topmost symbol by none, one or two, and
//! changes the location. A configuration with an empty stack has no head and no successor.
//!
//! Longer right-hand sides are split by [`PdsParts::add_rule`].

mod to_program;
mod to_rsm;

use std::collections::HashSet;

use crate::{Malformed, Origin, rsm::Letter};

pub use to_program::ProgramOfPds;
pub use to_rsm::{Heads, Position, RsmOfPds};

/// Index of a control location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Control(pub u32);

impl Control {
    /// The position in [`PdsParts::controls`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Index of a stack symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StackSymbol(pub u32);

impl StackSymbol {
    /// The position in [`PdsParts::symbols`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A control location with the topmost stack symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Head {
    /// The control location.
    pub control: Control,
    /// The topmost symbol.
    pub symbol: StackSymbol,
}

/// What a rule writes in place of the topmost symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Word {
    /// Nothing.
    Pop,
    /// One symbol.
    Swap(StackSymbol),
    /// Two symbols.
    Push {
        /// The new topmost symbol.
        top: StackSymbol,
        /// The one below it.
        below: StackSymbol,
    },
}

impl Word {
    /// The symbols, topmost first.
    pub fn symbols(self) -> impl Iterator<Item = StackSymbol> {
        let (first, second) = match self {
            Word::Pop => (None, None),
            Word::Swap(symbol) => (Some(symbol), None),
            Word::Push { top, below } => (Some(top), Some(below)),
        };
        first.into_iter().chain(second)
    }
}

/// A rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The head it applies to.
    pub from: Head,
    /// The control location it leads to.
    pub to: Control,
    /// What it writes.
    pub word: Word,
    /// The letter it reads; `None` is a silent rule.
    pub letter: Option<Letter>,
    /// The text it came from.
    pub origin: Origin,
}

/// A set of heads: those that agree with what is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeadSet {
    /// Only heads with this control location.
    pub control: Option<Control>,
    /// Only heads with this symbol.
    pub symbol: Option<StackSymbol>,
}

impl HeadSet {
    /// Whether the head is in the set.
    pub fn contains(self, head: Head) -> bool {
        self.control.is_none_or(|control| control == head.control)
            && self.symbol.is_none_or(|symbol| symbol == head.symbol)
    }

    /// The only head in the set, if both parts are given.
    pub fn single(self) -> Option<Head> {
        Some(Head {
            control: self.control?,
            symbol: self.symbol?,
        })
    }
}

impl From<Head> for HeadSet {
    fn from(head: Head) -> Self {
        HeadSet {
            control: Some(head.control),
            symbol: Some(head.symbol),
        }
    }
}

/// A proposition that is true at some heads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PdsLabel {
    /// The heads.
    pub heads: HeadSet,
    /// The proposition.
    pub name: Box<str>,
    /// Where it is said.
    pub origin: Origin,
}

/// The parts of a [`Pds`], as a front end assembles them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PdsParts {
    /// The names of the control locations, all different.
    pub controls: Vec<Box<str>>,
    /// The names of the stack symbols, all different.
    pub symbols: Vec<Box<str>>,
    /// The letters, all different.
    pub alphabet: Vec<Box<str>>,
    /// The rules.
    pub rules: Vec<Rule>,
    /// The head of the initial configuration, which has nothing below it.
    pub initial: Head,
    /// The accepting heads. None at all means that they are not given.
    pub accept: Vec<HeadSet>,
    /// The propositions.
    pub labels: Vec<PdsLabel>,
}

impl PdsParts {
    /// Adds a rule whose right-hand side may be of any length.
    ///
    /// ⟨p, γ⟩ ↪ ⟨q, w₁…wₙ⟩ with n > 2 is split into n − 1 rules by as many fresh symbols
    /// less one: ⟨p, γ⟩ ↪ ⟨q, z₁ wₙ⟩ with the letter, then silently ⟨q, z₁⟩ ↪ ⟨q, z₂ wₙ₋₁⟩
    /// and so on up to ⟨q, zₙ₋₂⟩ ↪ ⟨q, w₁ w₂⟩. The fresh symbols are named after the top
    /// one, w₁, with a `~`.
    pub fn add_rule(
        &mut self,
        from: Head,
        to: Control,
        word: &[StackSymbol],
        letter: Option<Letter>,
        origin: Origin,
    ) {
        let mut rule = Rule {
            from,
            to,
            word: Word::Pop,
            letter,
            origin,
        };
        let mut rest = word;
        while let [before @ .., below] = rest
            && rest.len() > 2
        {
            let fresh = StackSymbol(self.symbols.len() as u32);
            let name = self.symbols.get(word[0].index()).map_or("", |name| name);
            // No name in a text holds a `~`, and the number is different each time.
            let name = format!("{name}~{}", fresh.0);
            self.symbols.push(name.into());
            rule.word = Word::Push {
                top: fresh,
                below: *below,
            };
            self.rules.push(rule);
            rule.letter = None;
            rule.from = Head {
                control: to,
                symbol: fresh,
            };
            rest = before;
        }
        rule.word = match *rest {
            [] => Word::Pop,
            [symbol] => Word::Swap(symbol),
            [top, below, ..] => Word::Push { top, below },
        };
        self.rules.push(rule);
    }
}

/// A checked pushdown system. See [the module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pds {
    parts: PdsParts,
}

impl Pds {
    /// Checks that all parts fit together.
    pub fn new(parts: PdsParts) -> Result<Self, Malformed> {
        check(&parts).map_err(|(place, reason)| Malformed::new(place, reason))?;
        Ok(Pds { parts })
    }

    /// The parts back, to change them and build another system.
    pub fn into_parts(self) -> PdsParts {
        self.parts
    }

    /// The parts, to look at.
    pub fn parts(&self) -> &PdsParts {
        &self.parts
    }

    /// The rules.
    pub fn rules(&self) -> &[Rule] {
        &self.parts.rules
    }

    /// The head of the initial configuration.
    pub fn initial(&self) -> Head {
        self.parts.initial
    }

    /// Whether a head is accepting.
    pub fn is_accepting(&self, head: Head) -> bool {
        self.parts.accept.iter().any(|set| set.contains(head))
    }

    /// The name of a control location.
    pub fn control(&self, control: Control) -> &str {
        &self.parts.controls[control.index()]
    }

    /// The name of a stack symbol.
    pub fn symbol(&self, symbol: StackSymbol) -> &str {
        &self.parts.symbols[symbol.index()]
    }

    /// A head in words: `p <γ>`.
    pub fn show(&self, head: Head) -> String {
        format!(
            "{} <{}>",
            self.control(head.control),
            self.symbol(head.symbol)
        )
    }
}

fn check(parts: &PdsParts) -> Result<(), (&'static str, &'static str)> {
    let require = |condition, place, reason| match condition {
        true => Ok(()),
        false => Err((place, reason)),
    };
    let unique = |names: &[Box<str>]| {
        let mut seen = HashSet::new();
        names.iter().all(|name| seen.insert(&**name))
    };
    require(unique(&parts.controls), "control locations", "a name twice")?;
    require(unique(&parts.symbols), "stack symbols", "a name twice")?;
    require(unique(&parts.alphabet), "alphabet", "a letter twice")?;
    let control = |control: Control| control.index() < parts.controls.len();
    let symbol = |symbol: StackSymbol| symbol.index() < parts.symbols.len();
    let head = |head: Head| control(head.control) && symbol(head.symbol);
    let set = |set: HeadSet| set.control.is_none_or(control) && set.symbol.is_none_or(symbol);
    let count = u32::try_from(parts.rules.len()).is_ok();
    require(count, "rules", "too many")?;
    require(head(parts.initial), "initial configuration", "no such head")?;
    for rule in &parts.rules {
        require(head(rule.from), "rule", "no such left-hand side")?;
        require(control(rule.to), "rule", "no such control location")?;
        require(rule.word.symbols().all(symbol), "rule", "no such symbol")?;
        let letter = |letter: Letter| letter.index() < parts.alphabet.len();
        require(rule.letter.is_none_or(letter), "rule", "no such letter")?;
    }
    for &heads in &parts.accept {
        require(set(heads), "accept", "no such heads")?;
    }
    for label in &parts.labels {
        require(set(label.heads), "label", "no such heads")?;
    }
    Ok(())
}
