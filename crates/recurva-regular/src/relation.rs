//! Length-preserving relations on words: automata over pairs of letters.

use rustc_hash::FxHashMap;

use crate::{Builder, Dfa, Letter, Meter, Nfa, Stop, nfa::Pairs};

/// How many letters an alphabet may have, so that a pair of letters fits into a [`Letter`] and leaves
/// room for a mark.
pub const MAX_LETTERS: u32 = 1 << 15;

/// Marks, in automata over pairs, the pair of the process that acts.
pub const ACTOR: Letter = 1 << 31;

/// Two letters as one.
pub const fn pair(a: Letter, b: Letter) -> Letter {
    a << 16 | b
}

/// The two letters of a pair.
pub const fn parts(pair: Letter) -> (Letter, Letter) {
    (pair >> 16, pair & 0xffff)
}

/// A word of pairs.
pub fn zip(first: &[Letter], second: &[Letter]) -> Vec<Letter> {
    first
        .iter()
        .zip(second)
        .map(|(&a, &b)| pair(a, b))
        .collect()
}

/// A relation between words of equal length.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Relation {
    dfa: Dfa,
}

/// A new automaton from the edges of a product, with labels that are computed once for each pair
/// of classes.
fn product(
    (a, b): (&Nfa, &Nfa),
    label: impl Fn(&[Letter], &[Letter]) -> Vec<Letter>,
    meter: &mut Meter<'_>,
) -> Result<Dfa, Stop> {
    let (members_a, members_b) = (a.classes().members(), b.classes().members());
    let mut labels: FxHashMap<(u32, u32), Vec<Letter>> = FxHashMap::default();
    let mut pairs = Pairs::default();
    let mut builder = Builder::default();
    let mut made = 0;
    let level = meter.level();
    let mut listed = 0;
    let mut state = |builder: &mut Builder, number: u32| {
        while made <= number {
            builder.state(false);
            made += 1;
        }
        number
    };
    for &x in a.initial() {
        for &y in b.initial() {
            let number = state(&mut builder, pairs.number((x, y)));
            builder.initial(number);
        }
    }
    let mut now = 0;
    while let Some((x, y)) = pairs.todo.pop_front() {
        if a.is_accepting(x) && b.is_accepting(y) {
            builder.accept(now);
        }
        meter.work((a.edges(x).len() * b.edges(y).len()) as u64 + 1)?;
        for &(ca, tx) in a.edges(x) {
            for &(cb, ty) in b.edges(y) {
                let list = match labels.get(&(ca, cb)) {
                    Some(list) => list,
                    None => {
                        let (ma, mb) = (&members_a[ca as usize], &members_b[cb as usize]);
                        let mut list = label(ma, mb);
                        meter.work((ma.len() + mb.len() + list.len()) as u64)?;
                        list.sort_unstable();
                        list.dedup();
                        // The builder keeps it twice more.
                        listed += 64 + 12 * list.len();
                        labels.entry((ca, cb)).or_insert(list)
                    }
                };
                if !list.is_empty() {
                    let to = state(&mut builder, pairs.number((tx, ty)));
                    builder.edge(now, list, to);
                }
            }
        }
        now += 1;
        meter.hold(level, listed + pairs.bytes() + builder.bytes())?;
    }
    drop((labels, pairs));
    let nfa = builder.finish_within(meter)?;
    meter.hold(level, nfa.bytes())?;
    let dfa = nfa.determinise(meter)?;
    meter.release(level);
    Ok(dfa)
}

/// Pairs `(x, z)` with `(x, y)` in the one list and `(y, z)` in the other.
fn joined(
    first: impl Iterator<Item = (Letter, Letter)>,
    second: impl Iterator<Item = (Letter, Letter)>,
    join: impl Fn(Letter, Letter) -> Letter,
) -> Vec<Letter> {
    let mut by_middle: FxHashMap<Letter, Vec<Letter>> = FxHashMap::default();
    for (y, z) in second {
        by_middle.entry(y).or_default().push(z);
    }
    let mut list = Vec::new();
    for (x, y) in first {
        let ends = by_middle.get(&y).into_iter().flatten();
        list.extend(ends.map(|&z| join(x, z)));
    }
    list
}

impl Relation {
    /// The relation that an automaton over pairs stands for.
    pub fn new(dfa: Dfa) -> Relation {
        Relation { dfa }
    }

    /// The automaton over pairs.
    pub fn dfa(&self) -> &Dfa {
        &self.dfa
    }

    /// Each word of a set with itself.
    ///
    /// # Errors
    ///
    /// As all operations here: if the meter says stop.
    pub fn identity(set: &Dfa, meter: &mut Meter<'_>) -> Result<Relation, Stop> {
        relabelled(&set.nfa(), |letter| vec![pair(letter, letter)], meter).map(Relation::new)
    }

    /// Any word of a set with any of the same length of another.
    ///
    /// # Errors
    ///
    /// If the meter says stop.
    pub fn cross(first: &Dfa, second: &Dfa, meter: &mut Meter<'_>) -> Result<Relation, Stop> {
        let label = |a: &[Letter], b: &[Letter]| {
            let all = a.iter().flat_map(|&x| b.iter().map(move |&y| pair(x, y)));
            all.collect()
        };
        product((&first.nfa(), &second.nfa()), label, meter).map(Relation::new)
    }

    /// With the two sides exchanged.
    ///
    /// # Errors
    ///
    /// If the meter says stop.
    pub fn inverse(&self, meter: &mut Meter<'_>) -> Result<Relation, Stop> {
        let swap = |letter| {
            let (a, b) = parts(letter);
            vec![pair(b, a)]
        };
        relabelled(&self.dfa.nfa(), swap, meter).map(Relation::new)
    }

    /// The words on the left side.
    ///
    /// # Errors
    ///
    /// If the meter says stop.
    pub fn domain(&self, meter: &mut Meter<'_>) -> Result<Dfa, Stop> {
        relabelled(&self.dfa.nfa(), |letter| vec![parts(letter).0], meter)
    }

    /// The words on the right side.
    ///
    /// # Errors
    ///
    /// If the meter says stop.
    pub fn range(&self, meter: &mut Meter<'_>) -> Result<Dfa, Stop> {
        relabelled(&self.dfa.nfa(), |letter| vec![parts(letter).1], meter)
    }

    /// What the words of a set are related to.
    ///
    /// # Errors
    ///
    /// If the meter says stop.
    pub fn image(&self, set: &Dfa, meter: &mut Meter<'_>) -> Result<Dfa, Stop> {
        let label = |a: &[Letter], b: &[Letter]| {
            let first = a.iter().map(|&x| (x, x));
            joined(first, b.iter().map(|&p| parts(p)), |_, z| z)
        };
        product((&set.nfa(), &self.dfa.nfa()), label, meter)
    }

    /// First this relation, then another.
    ///
    /// # Errors
    ///
    /// If the meter says stop.
    pub fn then(&self, other: &Relation, meter: &mut Meter<'_>) -> Result<Relation, Stop> {
        let label = |a: &[Letter], b: &[Letter]| {
            let (first, second) = (a.iter().map(|&p| parts(p)), b.iter().map(|&p| parts(p)));
            joined(first, second, pair)
        };
        product((&self.dfa.nfa(), &other.dfa.nfa()), label, meter).map(Relation::new)
    }

    /// Pairs of either relation.
    ///
    /// # Errors
    ///
    /// If the meter says stop.
    pub fn union(&self, other: &Relation, meter: &mut Meter<'_>) -> Result<Relation, Stop> {
        self.dfa.union(&other.dfa, meter).map(Relation::new)
    }

    /// Only pairs whose left side is in a set.
    ///
    /// # Errors
    ///
    /// If the meter says stop.
    pub fn from_set(&self, set: &Dfa, meter: &mut Meter<'_>) -> Result<Relation, Stop> {
        let label = |a: &[Letter], b: &[Letter]| {
            let kept = b.iter().filter(|&&p| a.binary_search(&parts(p).0).is_ok());
            kept.copied().collect()
        };
        product((&set.nfa(), &self.dfa.nfa()), label, meter).map(Relation::new)
    }

    /// Words read backwards on both sides.
    ///
    /// # Errors
    ///
    /// If the meter says stop.
    pub fn mirrored(&self, meter: &mut Meter<'_>) -> Result<Relation, Stop> {
        self.dfa.reversed(meter).map(Relation::new)
    }

    /// Without the pairs of equal words.
    ///
    /// # Errors
    ///
    /// If the meter says stop.
    pub fn without_identity(&self, meter: &mut Meter<'_>) -> Result<Relation, Stop> {
        let used = self.dfa.classes().letters().iter();
        let same: Vec<Letter> = used
            .map(|&(letter, _)| letter)
            .filter(|&letter| parts(letter).0 == parts(letter).1)
            .collect();
        let identity = Nfa::letter(&same).star().determinise(meter)?;
        self.dfa.minus(&identity, meter).map(Relation::new)
    }

    /// The relation as a union of actions: by the first edge of the automaton that does not only
    /// copy. Pairs of equal words are left out.
    ///
    /// # Errors
    ///
    /// If the meter says stop.
    pub fn actions(&self, meter: &mut Meter<'_>) -> Result<Vec<Relation>, Stop> {
        let nfa = self.dfa.nfa();
        let members = nfa.classes().members();
        let copies = |&letter: &Letter| parts(letter).0 == parts(letter).1;
        let copied: Vec<Vec<Letter>> = members
            .iter()
            .map(|class| class.iter().copied().filter(copies).collect())
            .collect();
        let states = nfa.states() as u32;
        let level = meter.level();
        let mut kept = nfa.bytes();
        meter.hold(level, kept)?;
        let mut actions: Vec<Relation> = Vec::new();
        for from in 0..states {
            let mut targets: Vec<u32> = nfa.edges(from).iter().map(|&(_, to)| to).collect();
            targets.sort_unstable();
            targets.dedup();
            for to in targets {
                let edges = nfa.edges(from).iter().filter(|&&(_, other)| other == to);
                let letters = edges.flat_map(|&(class, _)| members[class as usize].iter().copied());
                let chosen: Vec<Letter> = letters.filter(|letter| !copies(letter)).collect();
                if chosen.is_empty() {
                    continue;
                }
                // A way that only copies stays in the first copy of the states; the chosen edge
                // leads to the second one.
                let mut builder = Builder::default();
                for _ in 0..states {
                    builder.state(false);
                }
                for state in 0..states {
                    builder.state(nfa.is_accepting(state));
                }
                nfa.initial()
                    .iter()
                    .for_each(|&state| builder.initial(state));
                builder.edge(from, &chosen, states + to);
                for state in 0..states {
                    for &(class, to) in nfa.edges(state) {
                        builder.edge(state, &copied[class as usize], to);
                        builder.edge(states + state, &members[class as usize], states + to);
                    }
                }
                let action = builder.finish_within(meter)?.determinise(meter)?;
                let action = Relation::new(action);
                if !action.dfa.is_empty() && !actions.contains(&action) {
                    kept += action.dfa.bytes();
                    meter.hold(level, kept)?;
                    actions.push(action);
                }
            }
        }
        meter.release(level);
        Ok(actions)
    }
}

/// The automaton with each letter replaced by others.
pub(crate) fn relabelled(
    nfa: &Nfa,
    change: impl Fn(Letter) -> Vec<Letter>,
    meter: &mut Meter<'_>,
) -> Result<Dfa, Stop> {
    relabelled_nfa(nfa, change).determinise(meter)
}

/// The same, not yet deterministic.
pub(crate) fn relabelled_nfa(nfa: &Nfa, change: impl Fn(Letter) -> Vec<Letter>) -> Nfa {
    let labels: Vec<Vec<Letter>> = nfa
        .classes()
        .members()
        .iter()
        .map(|members| {
            let mut list: Vec<Letter> = members.iter().flat_map(|&l| change(l)).collect();
            list.sort_unstable();
            list.dedup();
            list
        })
        .collect();
    let mut builder = Builder::default();
    for state in 0..nfa.states() as u32 {
        builder.state(nfa.is_accepting(state));
    }
    for &state in nfa.initial() {
        builder.initial(state);
    }
    for state in 0..nfa.states() as u32 {
        for &(class, to) in nfa.edges(state) {
            builder.edge(state, &labels[class as usize], to);
        }
    }
    builder.finish()
}
