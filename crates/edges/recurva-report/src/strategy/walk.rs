//! A walk through a strategy: the user picks a way where there are several, and the strategy
//! answers.

use std::fmt::Write;

use recurva_check::branching::{
    Refutation,
    proof::{Called, ClaimId},
};
use recurva_syntax::Source;

use super::{MoveKind, Strategy};
use crate::lines::Lines;

/// A walk. It knows the calls that have been entered, so that a return leads back to its call.
#[derive(Debug)]
pub struct Walk<'a> {
    refutation: &'a Refutation<'a>,
    lines: Lines<'a>,
    /// Where the walk has been, the current place last.
    path: Vec<Place>,
}

#[derive(Clone, Debug)]
struct Place {
    claim: ClaimId,
    /// The calls that are pending.
    calls: Vec<Called>,
}

/// Where a choice leads, and how it is called.
struct Choice {
    text: String,
    place: Place,
}

impl<'a> Walk<'a> {
    /// A walk that begins at the initial state.
    pub fn new(source: &'a Source, refutation: &'a Refutation<'a>) -> Self {
        Walk {
            refutation,
            lines: Lines::new(source),
            path: vec![Place {
                claim: ClaimId::FIRST,
                calls: Vec::new(),
            }],
        }
    }

    fn strategy(&self) -> Strategy<'_> {
        Strategy {
            refutation: self.refutation,
            lines: &self.lines,
        }
    }

    fn choices(&self) -> Vec<Choice> {
        let Some(here) = self.path.last() else {
            return Vec::new();
        };
        let strategy = self.strategy();
        let to = |claim: ClaimId| strategy.place(strategy.state(claim));
        let mut list = Vec::new();
        for next in strategy.position(here.claim).moves {
            match next.kind {
                MoveKind::Steps(claims) => {
                    list.extend(claims.into_iter().map(|claim| Choice {
                        text: format!("step to {}", to(claim)),
                        place: Place {
                            claim,
                            calls: here.calls.clone(),
                        },
                    }));
                }
                MoveKind::Calls(calls) => {
                    for call in calls {
                        let mut pending = here.calls.clone();
                        pending.push(call.clone());
                        list.push(Choice {
                            text: format!("into the call, at {}", to(call.callee)),
                            place: Place {
                                claim: call.callee,
                                calls: pending,
                            },
                        });
                        let returns = call.returns.iter();
                        list.extend(returns.map(|&(_, claim)| Choice {
                            text: format!("over the call, back at {}", to(claim)),
                            place: Place {
                                claim,
                                calls: here.calls.clone(),
                            },
                        }));
                    }
                }
                MoveKind::Returns(marker, states) => {
                    let mut calls = here.calls.clone();
                    let Some(call) = calls.pop() else { continue };
                    for &(given, claim) in &call.returns {
                        if given == marker && states.contains(&strategy.state(claim)) {
                            list.push(Choice {
                                text: format!("return to {}", to(claim)),
                                place: Place {
                                    claim,
                                    calls: calls.clone(),
                                },
                            });
                        }
                    }
                }
            }
        }
        list
    }

    /// The current position and the ways to go on, numbered from 1.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let Some(here) = self.path.last() else {
            return out;
        };
        let strategy = self.strategy();
        let state = strategy.state(here.claim);
        let position = strategy.position(here.claim);
        let line = strategy
            .line(state)
            .map_or(String::new(), |line| format!("{line}: "));
        // Writing to a string cannot fail.
        let _ = write!(out, "{line}{}", strategy.place(state));
        let values = strategy.values(state);
        if !values.is_empty() {
            let _ = write!(out, "   {}", values.join(", "));
        }
        if !here.calls.is_empty() {
            let _ = write!(out, "   (pending calls: {})", here.calls.len());
        }
        out.push('\n');
        let own = self.refutation.proof.claim(here.claim).formula;
        let _ = writeln!(out, "  ✗ {}", strategy.formula(strategy.failing(own)));
        let inner = position
            .fails
            .filter(|&fails| fails != strategy.failing(own));
        if let Some(inner) = inner {
            let _ = writeln!(out, "  ✗ {}", strategy.formula(inner));
        }
        for fact in &position.facts {
            let _ = writeln!(out, "  {fact}");
        }
        let choices = self.choices();
        for (index, choice) in choices.iter().enumerate() {
            let _ = writeln!(out, "  {}  {}", index + 1, choice.text);
        }
        if choices.is_empty() {
            out.push_str("  nothing follows\n");
        }
        out
    }

    /// Goes on by a way, from 1; whether there is that way.
    pub fn take(&mut self, number: usize) -> bool {
        let choice = number.checked_sub(1);
        let choice = choice.and_then(|index| self.choices().into_iter().nth(index));
        match choice {
            Some(choice) => {
                self.path.push(choice.place);
                true
            }
            None => false,
        }
    }

    /// Goes one step back; whether there was one.
    pub fn back(&mut self) -> bool {
        let can = self.path.len() > 1;
        if can {
            self.path.pop();
        }
        can
    }
}
