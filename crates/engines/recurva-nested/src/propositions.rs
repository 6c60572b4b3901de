//! What the propositions of a formula or an automaton mean in a machine.

use std::fmt;

use recurva_logic::ntmu::{FormulaId, Formulas, Operator, PropositionId};
use recurva_model::nsm::{Kind, Nsm, Quotient, StateId};

/// Where the propositions of a formula or an automaton are true.
#[derive(Clone, Debug)]
pub struct Propositions {
    /// For each proposition, by state; nothing for one that is not used.
    holds: Vec<Vec<bool>>,
}

/// A formula speaks of what a machine does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownProposition {
    id: PropositionId,
    text: String,
}

impl UnknownProposition {
    /// The proposition: an index of
    /// [`Formulas::propositions`](recurva_logic::ntmu::Formulas::propositions), where its place
    /// in the source is.
    pub fn id(&self) -> PropositionId {
        self.id
    }
}

impl fmt::Display for UnknownProposition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.text.strip_prefix('@') {
            Some(state) => write!(f, "there is no state `{state}`"),
            None => write!(f, "there is no proposition `{}`", self.text),
        }
    }
}

impl std::error::Error for UnknownProposition {}

impl Propositions {
    /// Looks propositions up: those of the machine; `@v` for the state `v`; and `call`, `ret`
    /// and `loc` for the kinds of states, if the machine has none of that name. `None` is one
    /// that is not used.
    pub fn of<'t>(
        nsm: &Nsm,
        texts: impl IntoIterator<Item = Option<&'t str>>,
    ) -> Result<Self, UnknownProposition> {
        let holds = texts
            .into_iter()
            .enumerate()
            .map(|(index, text)| match text {
                Some(text) => lookup(nsm, text).ok_or_else(|| UnknownProposition {
                    id: PropositionId(index as u32),
                    text: text.to_owned(),
                }),
                None => Ok(Vec::new()),
            });
        Ok(Propositions {
            holds: holds.collect::<Result<_, _>>()?,
        })
    }

    /// Looks the propositions of a formula up.
    pub(crate) fn new(
        nsm: &Nsm,
        formulas: &Formulas,
        root: FormulaId,
    ) -> Result<Self, UnknownProposition> {
        // Definitions may have left propositions behind that the formula does not have.
        let used = used(formulas, root);
        let all = formulas.propositions().iter().zip(used);
        Propositions::of(nsm, all.map(|((text, _), used)| used.then_some(&**text)))
    }

    /// The same for a quotient that keeps states apart that look different.
    #[must_use]
    pub fn of_quotient(&self, nsm: &Nsm, quotient: &Quotient) -> Self {
        let count = quotient.nsm.states().len();
        let holds = self.holds.iter().map(|list| {
            let mut merged = vec![false; if list.is_empty() { 0 } else { count }];
            for state in nsm.ids().filter(|_| !list.is_empty()) {
                merged[quotient.class(state).index()] = list[state.index()];
            }
            merged
        });
        Propositions {
            holds: holds.collect(),
        }
    }

    /// Whether a proposition, which is used, is true in a state.
    pub fn holds(&self, proposition: PropositionId, state: StateId) -> bool {
        self.holds[proposition.0 as usize][state.index()]
    }

    /// The same for a proposition that may not be used: then it is not known.
    pub(crate) fn known(&self, proposition: PropositionId, state: StateId) -> Option<bool> {
        let list = self.holds.get(proposition.0 as usize)?;
        list.get(state.index()).copied()
    }

    /// A number for what can be seen of a state: equal for states that look alike.
    pub fn observations(&self, nsm: &Nsm) -> Vec<u64> {
        let mut known = rustc_hash::FxHashMap::default();
        let used = || self.holds.iter().filter(|list| !list.is_empty());
        let seen = nsm.ids().map(|state| {
            let row: Vec<bool> = used().map(|list| list[state.index()]).collect();
            let next = known.len() as u64;
            *known.entry(row).or_insert(next)
        });
        seen.collect()
    }
}

fn used(formulas: &Formulas, root: FormulaId) -> Vec<bool> {
    let mut used = vec![false; formulas.propositions().len()];
    for id in formulas.subformulas(root) {
        if let Operator::Proposition(p) | Operator::NotProposition(p) = formulas.operator(id) {
            used[p.0 as usize] = true;
        }
    }
    used
}

fn lookup(nsm: &Nsm, text: &str) -> Option<Vec<bool>> {
    let all = |test: &dyn Fn(StateId) -> bool| nsm.ids().map(test).collect();
    if let Some(proposition) = nsm.proposition(text) {
        return Some(all(&|state| nsm.holds(state, proposition)));
    }
    let kind = match text {
        "call" => Some(Kind::Call),
        "ret" => Some(Kind::Return),
        "loc" => Some(Kind::Local),
        _ => None,
    };
    if let Some(kind) = kind {
        return Some(all(&|state| nsm.kind(state) == kind));
    }
    let name = text.strip_prefix('@')?;
    let wanted = nsm.ids().find(|&state| nsm.name(state) == name)?;
    Some(all(&|state| state == wanted))
}
