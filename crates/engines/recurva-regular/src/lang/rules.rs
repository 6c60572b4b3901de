//! Guarded commands of one process among others, compiled to transducers.

use recurva_syntax::Diagnostic;

use super::{
    reading::{Change, Read, Reader, changed, changes, condition, once},
    token::Kind,
    variables::{Set, Variables},
};
use crate::{ACTOR, Letter, Meter, Nfa, Stop, pair, parts, system::Topology};

/// Which other processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Others {
    Left,
    Right,
    All,
}

/// A guarded command.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    when: Set,
    changes: Vec<Change>,
    forall: Vec<(Others, Set)>,
    exists: Vec<(Others, Set)>,
    left: Option<(Set, Vec<Change>)>,
    right: Option<(Set, Vec<Change>)>,
    broadcasts: Vec<(Others, Set, Vec<Change>)>,
}

/// How many `exists others` a rule may have: each doubles the transducer.
const MAX_EITHER: usize = 4;

const CLAUSES: &str = "`when`, `forall`, `exists`, `left`, `right`, `both`, `all` or `do`";

/// Reads the clauses of a rule.
pub(super) fn rule(cursor: &mut Reader<'_>, variables: &Variables) -> Read<Rule> {
    let any = vec![true; variables.letters().unwrap_or(0) as usize];
    let mut rule = Rule {
        when: any,
        changes: Vec::new(),
        forall: Vec::new(),
        exists: Vec::new(),
        left: None,
        right: None,
        broadcasts: Vec::new(),
    };
    let mut clauses = 0;
    let mut seen = Vec::new();
    while cursor.at(Kind::Name) {
        clauses += 1;
        let word = cursor.bump();
        let text = cursor.text(word.span);
        let sets: &[&str] = match text {
            "both" => &["left", "right"],
            "when" | "do" | "left" | "right" => &[text],
            _ => &[],
        };
        for part in sets {
            once(cursor, &mut seen, part, word.span)?;
        }
        match text {
            "when" => rule.when = condition(cursor, variables)?,
            "do" => rule.changes = changes(cursor, variables)?,
            text @ ("forall" | "exists") => {
                let others = others(cursor)?;
                let set = condition(cursor, variables)?;
                match text {
                    "forall" => rule.forall.push((others, set)),
                    _ => rule.exists.push((others, set)),
                }
            }
            text @ ("left" | "right" | "both") => {
                cursor.expect(Kind::Colon)?;
                let set = condition(cursor, variables)?;
                let list = match cursor.eat(Kind::Arrow) {
                    Some(_) => changes(cursor, variables)?,
                    None => Vec::new(),
                };
                if text != "right" {
                    rule.left = Some((set.clone(), list.clone()));
                }
                if text != "left" {
                    rule.right = Some((set, list));
                }
            }
            "all" => {
                let others = others(cursor)?;
                let set = condition(cursor, variables)?;
                cursor.expect(Kind::Arrow)?;
                let list = changes(cursor, variables)?;
                rule.broadcasts.push((others, set, list));
            }
            other => {
                let message = format!("`{other}` begins no part of a rule");
                cursor.diagnostics().report(|| {
                    Diagnostic::error(message, word.span)
                        .help(format!("a part begins with {CLAUSES}"))
                });
                return None;
            }
        }
    }
    if clauses == 0 {
        cursor.unexpected(CLAUSES, |d| d);
        return None;
    }
    let either = rule
        .exists
        .iter()
        .filter(|(others, _)| *others == Others::All);
    if either.count() > MAX_EITHER {
        let place = cursor.previous();
        cursor.diagnostics().report(|| {
            let message = format!("a rule has at most {MAX_EITHER} parts `exists others`");
            Diagnostic::error(message, place)
        });
        return None;
    }
    Some(rule)
}

/// `left :`, `right :` or `others :`.
fn others(cursor: &mut Reader<'_>) -> Read<Others> {
    let others = match cursor.text(cursor.peek().span) {
        "left" => Others::Left,
        "right" => Others::Right,
        "others" => Others::All,
        _ => {
            cursor.unexpected("`left`, `right` or `others`", |d| d);
            return None;
        }
    };
    cursor.bump();
    cursor.expect(Kind::Colon)?;
    Some(others)
}

/// The two sides of the process that acts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

impl Others {
    fn has(self, side: Side) -> bool {
        match self {
            Others::All => true,
            Others::Left => side == Side::Left,
            Others::Right => side == Side::Right,
        }
    }
}

/// Which neighbours a letter is.
#[derive(Clone, Copy, Default)]
struct Neighbour {
    left: bool,
    right: bool,
}

impl Rule {
    /// The steps of the rule, as an automaton over pairs; the pair of the process that acts has the
    /// mark [`ACTOR`].
    pub(super) fn compile(
        &self,
        variables: &Variables,
        topology: Topology,
        meter: &mut Meter<'_>,
    ) -> Result<Nfa, Stop> {
        let compiler = Compiler {
            rule: self,
            variables,
            letters: variables.letters().unwrap_or(0),
        };
        compiler.steps(topology, meter)
    }
}

struct Compiler<'a> {
    rule: &'a Rule,
    variables: &'a Variables,
    letters: Letter,
}

impl Compiler<'_> {
    /// What another process on a side may do.
    fn other(&self, side: Side, neighbour: Neighbour) -> Vec<Letter> {
        let mut pairs = Vec::new();
        for a in 0..self.letters {
            let holds = |set: &Set| set[a as usize];
            let mut fine = self
                .rule
                .forall
                .iter()
                .all(|(o, set)| !o.has(side) || holds(set));
            let mut next: Option<Vec<Letter>> = None;
            let asked = [
                (neighbour.left, &self.rule.left),
                (neighbour.right, &self.rule.right),
            ];
            for (_, clause) in asked.iter().filter(|(is, _)| *is) {
                if let Some((set, changes)) = clause {
                    fine &= holds(set);
                    if !changes.is_empty() {
                        // A neighbour on both sides is changed twice.
                        let from = next.unwrap_or_else(|| vec![a]);
                        let each = from
                            .into_iter()
                            .flat_map(|l| changed(self.variables, changes, l));
                        next = Some(each.collect());
                    }
                }
            }
            if !fine {
                continue;
            }
            let next = next.unwrap_or_else(|| {
                let told = self
                    .rule
                    .broadcasts
                    .iter()
                    .find(|(o, set, _)| o.has(side) && holds(set));
                told.map_or_else(
                    || vec![a],
                    |(_, _, changes)| changed(self.variables, changes, a),
                )
            });
            pairs.extend(next.into_iter().map(|b| pair(a, b)));
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    fn one(&self, side: Side, neighbour: Neighbour) -> Nfa {
        Nfa::letter(&self.other(side, neighbour))
    }

    fn many(&self, side: Side) -> Nfa {
        self.one(side, Neighbour::default()).star()
    }

    /// The shapes that the words left and right of the process may have.
    fn shapes(&self, topology: Topology) -> Vec<(Nfa, Nfa)> {
        use Side::{Left, Right};
        let (left, right) = (self.rule.left.is_some(), self.rule.right.is_some());
        let as_left = Neighbour {
            left: true,
            right: false,
        };
        let as_right = Neighbour {
            left: false,
            right: true,
        };
        let as_both = Neighbour {
            left: true,
            right: true,
        };
        let before = match left {
            true => self.many(Left).concat(&self.one(Left, as_left)),
            false => self.many(Left),
        };
        let behind = match right {
            true => self.one(Right, as_right).concat(&self.many(Right)),
            false => self.many(Right),
        };
        let mut shapes = vec![(before.clone(), behind.clone())];
        if topology == Topology::Ring && left {
            // The first process: its left neighbour is the last one.
            let mut words = match right {
                true => self.one(Right, as_right).concat(&self.many(Right)),
                false => self.many(Right),
            };
            words = words.concat(&self.one(Right, as_left));
            if right {
                words = words.union(&self.one(Right, as_both));
            }
            shapes.push((Nfa::epsilon(), words));
        }
        if topology == Topology::Ring && right {
            // The last process: its right neighbour is the first one.
            let mut words = self.one(Left, as_right).concat(&self.many(Left));
            if left {
                words = words.concat(&self.one(Left, as_left));
                words = words.union(&self.one(Left, as_both));
            }
            shapes.push((words, Nfa::epsilon()));
        }
        shapes
    }

    fn steps(&self, topology: Topology, meter: &mut Meter<'_>) -> Result<Nfa, Stop> {
        let mut own: Vec<Letter> = Vec::new();
        for a in (0..self.letters).filter(|&a| self.rule.when[a as usize]) {
            let next = changed(self.variables, &self.rule.changes, a);
            own.extend(next.into_iter().map(|b| pair(a, b) | ACTOR));
        }
        own.sort_unstable();
        own.dedup();
        let actor = Nfa::letter(&own);
        let mut all = Nfa::empty();
        for (left, right) in self.shapes(topology) {
            // Each "some other" is found on the one side or on the other.
            let either: Vec<&Set> = self
                .rule
                .exists
                .iter()
                .filter(|(others, _)| *others == Others::All)
                .map(|(_, set)| set)
                .collect();
            for choice in 0u32..1 << either.len() {
                let (mut left, mut right) = (left.clone(), right.clone());
                for (others, set) in &self.rule.exists {
                    match others {
                        Others::Left => left = having(&left, set, meter)?,
                        Others::Right => right = having(&right, set, meter)?,
                        Others::All => {}
                    }
                }
                for (at, set) in either.iter().enumerate() {
                    if choice >> at & 1 == 0 {
                        left = having(&left, set, meter)?;
                    } else {
                        right = having(&right, set, meter)?;
                    }
                }
                all = all.union(&left.concat(&actor).concat(&right));
            }
        }
        Ok(all.trim())
    }
}

/// Only words in which some letter is, before the step, in a set.
fn having(nfa: &Nfa, set: &Set, meter: &mut Meter<'_>) -> Result<Nfa, Stop> {
    let used = || nfa.classes().letters().iter().map(|&(letter, _)| letter);
    let all: Vec<Letter> = used().collect();
    let some: Vec<Letter> = used()
        .filter(|&letter| set[parts(letter).0 as usize])
        .collect();
    let any = Nfa::letter(&all).star();
    let wanted = any.concat(&Nfa::letter(&some)).concat(&any);
    nfa.intersect(&wanted, meter)
}
