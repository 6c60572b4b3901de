//! From the items of a file to the automaton: what names mean, and what fits.

use recurva_syntax::{Diagnostic, Diagnostics, Source, Span, did_you_mean};
use rustc_hash::FxHashMap;

use super::{
    Alternating, Child, Counting, Guard, Nondeterministic, Push, StateId, Term, TermId, Transition,
    parse::{self, ChildItem, File, Head, Item, Name, Placed},
};
use crate::ntmu::Modality;

/// An automaton of either kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Automaton {
    /// It walks down trees without an order.
    Alternating(Alternating),
    /// It labels ordered binary trees.
    Nondeterministic(Nondeterministic),
}

/// What reading an automaton gives.
#[derive(Debug)]
pub struct Parsed {
    /// The automaton; `None` if and only if there were errors.
    pub automaton: Option<Automaton>,
    /// What is wrong, in the order of the text.
    pub diagnostics: Diagnostics,
}

/// Reads an automaton. Names of propositions are not looked up.
pub fn parse(source: &Source) -> Parsed {
    let (file, diagnostics) = parse::parse(source);
    let mut resolver = Resolver {
        file: &file,
        names: FxHashMap::default(),
        diagnostics,
    };
    let automaton = resolver.automaton();
    let mut diagnostics = resolver.diagnostics;
    diagnostics.sort();
    Parsed {
        automaton: automaton.filter(|_| !diagnostics.has_errors()),
        diagnostics,
    }
}

struct Resolver<'f, 's> {
    file: &'f File<'s>,
    names: FxHashMap<&'s str, StateId>,
    diagnostics: Diagnostics,
}

impl Resolver<'_, '_> {
    fn automaton(&mut self) -> Option<Automaton> {
        let file = self.file;
        for (index, state) in file.states.iter().enumerate() {
            let name = state.name;
            let first = *self.names.entry(name.text).or_insert(StateId(index as u32));
            if first.index() != index {
                let first = file.states[first.index()].name.span;
                self.diagnostics.report(|| {
                    Diagnostic::error(
                        format!("state `{}` is declared twice", name.text),
                        name.span,
                    )
                    .label("declared again here")
                    .note(first, "first declared here")
                });
            }
        }
        let init = self.init();
        let automaton = match file.head? {
            Head::Alternating => Automaton::Alternating(self.alternating(Counting::All)?),
            Head::Stairs => Automaton::Alternating(self.alternating(Counting::Stairs)?),
            Head::Nondeterministic => Automaton::Nondeterministic(self.nondeterministic()?),
        };
        let init = init?;
        Some(match automaton {
            Automaton::Alternating(mut automaton) => {
                automaton.set_init(init);
                Automaton::Alternating(automaton)
            }
            Automaton::Nondeterministic(mut automaton) => {
                automaton.set_init(init);
                Automaton::Nondeterministic(automaton)
            }
        })
    }

    fn init(&mut self) -> Option<StateId> {
        let Some((&first, more)) = self.file.init.split_first() else {
            if !self.file.broken {
                let text = "an automaton begins in a state";
                self.diagnostics
                    .report(|| Diagnostic::error(text, Span::at(0)).help("say which by `init q`"));
            }
            return None;
        };
        if let Some(second) = more.first() {
            self.diagnostics.report(|| {
                Diagnostic::error("there is one initial state", second.span)
                    .note(first.span, "the first one")
            });
        }
        self.state(first)
    }

    fn state(&mut self, name: Name<'_>) -> Option<StateId> {
        let found = self.names.get(name.text).copied();
        if found.is_none() && !self.file.broken {
            let all = self.file.states.iter().map(|state| state.name.text);
            self.diagnostics.report(|| {
                let text: String = name.text.chars().take(40).collect();
                Diagnostic::error(format!("there is no state `{text}`"), name.span)
                    .help_if(did_you_mean(name.text, all))
            });
        }
        found
    }

    fn alternating(&mut self, counting: Counting) -> Option<Alternating> {
        let file = self.file;
        let (first, more) = file.states.split_first()?;
        let mut automaton = Alternating::new(counting, first.name.text, first.priority);
        for state in more {
            automaton.add_state(state.name.text, state.priority);
        }
        for (index, state) in file.states.iter().enumerate() {
            let Some((_, items)) = &state.term else {
                let span = state.name.span;
                self.diagnostics.report(|| {
                    Diagnostic::error("this state has no term", span)
                        .help("`= true` accepts everything, `= false` nothing")
                });
                continue;
            };
            if let Some(term) = self.term(&mut automaton, items) {
                automaton.set_term(StateId(index as u32), term);
            }
        }
        Some(automaton)
    }

    /// A term, and for each operand whether it is about propositions only.
    fn term(&mut self, automaton: &mut Alternating, items: &[Placed<'_>]) -> Option<TermId> {
        let mut stack: Vec<Operand> = Vec::new();
        for (item, span) in items {
            let operand = match item {
                Item::And | Item::Or | Item::Implies => {
                    let (right, left) = (stack.pop()?, stack.pop()?);
                    let left = match item {
                        Item::Implies => self.negation(automaton, left, "->")?,
                        _ => left,
                    };
                    let term = match item {
                        Item::And => automaton.and(left.term, right.term),
                        _ => automaton.or(left.term, right.term),
                    };
                    Operand {
                        term,
                        moves: left.moves.or(right.moves),
                    }
                }
                Item::Not => {
                    let operand = stack.pop()?;
                    self.negation(automaton, operand, "!")?
                }
                Item::Constant(value) => Operand {
                    term: automaton.constant(*value),
                    moves: None,
                },
                Item::Proposition(text) => {
                    let proposition = automaton.proposition_at(text, *span);
                    Operand {
                        term: automaton.add(Term::Proposition(proposition)),
                        moves: None,
                    }
                }
                Item::Bracket => continue,
                // An unknown state has been reported; there may be more of them.
                _ => Operand {
                    term: self
                        .a_move(automaton, item)
                        .unwrap_or_else(|| automaton.constant(false)),
                    moves: Some(*span),
                },
            };
            stack.push(operand);
        }
        stack.pop().map(|operand| operand.term)
    }

    fn a_move(&mut self, automaton: &mut Alternating, item: &Item<'_>) -> Option<TermId> {
        Some(match *item {
            Item::Go(target) => {
                let target = self.state(target)?;
                automaton.silent(target)
            }
            Item::Local(modality, target) => {
                let target = self.state(target)?;
                automaton.local(modality, target)
            }
            Item::Call(modality, target) => {
                let target = self.state(target)?;
                automaton.call(modality, target)
            }
            Item::Return(modality, pushed, target) => {
                let pushed = pushed.map(|pushed| self.state(pushed));
                let target = self.state(target)?;
                let push = match pushed {
                    None => Push::Any,
                    Some(pushed) => Push::Only(pushed?),
                };
                automaton.ret(modality, push, target)
            }
            Item::Any(modality, target) => {
                let target = self.state(target)?;
                automaton.any(modality, target)
            }
            _ => return None,
        })
    }

    /// The negation of what is about propositions only.
    fn negation(
        &mut self,
        automaton: &mut Alternating,
        operand: Operand,
        symbol: &str,
    ) -> Option<Operand> {
        if let Some(place) = operand.moves {
            self.diagnostics.report(|| {
                let message = match symbol {
                    "!" => "only propositions can be negated",
                    _ => "only propositions can stand before `->`",
                };
                Diagnostic::error(message, place)
                    .label("this is a move")
                    .help("`!<loc> q` is `[loc] r` with a state `r` that accepts what `q` does not")
            });
            return None;
        }
        let mut made: FxHashMap<TermId, TermId> = FxHashMap::default();
        for id in automaton.subterms(operand.term) {
            let term = match automaton.term(id) {
                Term::True => automaton.constant(false),
                Term::Proposition(p) => automaton.add(Term::NotProposition(p)),
                Term::NotProposition(p) => automaton.add(Term::Proposition(p)),
                Term::And(left, right) => automaton.or(made[&left], made[&right]),
                Term::Or(left, right) => automaton.and(made[&left], made[&right]),
                _ => automaton.constant(true),
            };
            made.insert(id, term);
        }
        Some(Operand {
            term: made[&operand.term],
            moves: None,
        })
    }

    fn nondeterministic(&mut self) -> Option<Nondeterministic> {
        let file = self.file;
        let (first, more) = file.states.split_first()?;
        let mut automaton = Nondeterministic::new(first.name.text, first.priority);
        for state in more {
            automaton.add_state(state.name.text, state.priority);
        }
        for state in &file.states {
            if let Some((equals, _)) = state.term {
                self.diagnostics.report(|| {
                    Diagnostic::error("a nondeterministic automaton has no terms", equals)
                        .help("write transitions on lines of their own: `q (p, !r) -> left, right`")
                });
            }
        }
        for line in &file.transitions {
            let from = self.state(line.from);
            let children = line.children.map(|child| match child {
                ChildItem::None => Some(Child::None),
                ChildItem::Down(state) => self.state(state).map(Child::Down),
                ChildItem::Back(pushed, state) => {
                    let (pushed, state) = (self.state(pushed), self.state(state));
                    let (pushed, state) = (pushed?, state?);
                    Some(Child::Back { pushed, state })
                }
            });
            let mut guard: Guard = Vec::new();
            for (text, value, span) in &line.guard {
                let proposition = automaton.proposition_at(text, *span);
                if guard.contains(&(proposition, !value)) {
                    self.diagnostics.report(|| {
                        Diagnostic::error(format!("`{text}` cannot hold and not hold"), *span)
                    });
                }
                guard.push((proposition, *value));
            }
            guard.sort_unstable();
            guard.dedup();
            if let (Some(from), [Some(left), Some(right)]) = (from, children) {
                automaton.transitions.push(Transition {
                    from,
                    guard,
                    children: [left, right],
                });
            }
        }
        Some(automaton)
    }
}

/// A term on the stack.
#[derive(Clone, Copy, Debug)]
struct Operand {
    term: TermId,
    /// A move in it, if there is one.
    moves: Option<Span>,
}

impl Alternating {
    /// `<> q` or `[] q`: along an edge of any kind.
    pub fn any(&mut self, modality: Modality, target: StateId) -> TermId {
        let local = self.local(modality, target);
        let call = self.call(modality, target);
        let ret = self.ret(modality, Push::Any, target);
        let moves = self.join(modality, local, call);
        self.join(modality, moves, ret)
    }
}
