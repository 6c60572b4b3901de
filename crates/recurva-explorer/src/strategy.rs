//! Why a formula about branching fails, as the page walks through it.

use recurva_check::nested::{Refutation, proof::ClaimId};
use recurva_logic::ntmu::{Fixpoint, FormulaId, Formulas, Modality, Operator};
use recurva_report::parts::{Lines, positions};
use rustc_hash::FxHashMap;

use crate::{
    document::{FormulaNode, Strategy, StrategyPosition},
    places::Texts,
};

/// A formula with more parts is not drawn as a tree to its end.
const PARTS: usize = 2_000;

/// Formulas are cut where they are longer.
const WIDTH: usize = 160;

/// The strategy that refutes a formula.
pub(crate) fn strategy(
    refutation: &Refutation<'_>,
    lines: &Lines<'_>,
    texts: &Texts<'_>,
) -> Strategy {
    let formulas = refutation.negation.formulas();
    let claimed = refutation.proof.claim(ClaimId::FIRST).formula;
    let root = formulas.negation_of(claimed).unwrap_or(claimed);
    let (formula, numbers) = tree(formulas, root);
    let positions = positions(refutation, lines).into_iter().map(|position| {
        let binder = match formulas.operator(position.formula) {
            Operator::Variable(variable) => formulas.binder(variable),
            _ => None,
        };
        let formula = binder.unwrap_or(position.formula);
        let note = refutation.notes.get(&position.id);
        let point = note.and_then(|note| note.point);
        StrategyPosition {
            state: position.state.into(),
            state_kind: position.kind,
            procedure: position.procedure.map(Into::into),
            point: point.map(|point| [point.procedure.0, point.node.0]),
            place: texts.place(refutation.nsm.state(position.id).origin),
            values: position.values,
            fails: position.fails,
            formula: numbers.get(&formula).copied(),
            facts: position.facts,
            moves: position.moves,
        }
    });
    Strategy {
        formula,
        positions: positions.collect(),
    }
}

/// The formula as a tree, outermost first; a part that occurs twice is one node.
fn tree(formulas: &Formulas, root: FormulaId) -> (Vec<FormulaNode>, FxHashMap<FormulaId, usize>) {
    let mut numbers = FxHashMap::from_iter([(root, 0)]);
    let mut found = vec![root];
    let mut nodes = Vec::new();
    while let Some(&id) = found.get(nodes.len()) {
        let mut children = Vec::new();
        for &part in formulas.parts(id) {
            let next = found.len();
            match numbers.get(&part) {
                Some(&number) => children.push(number),
                None if next < PARTS => {
                    numbers.insert(part, next);
                    found.push(part);
                    children.push(next);
                }
                None => {}
            }
        }
        nodes.push(FormulaNode {
            text: formulas.show_written(id).clipped(WIDTH),
            operator: operator(formulas, id),
            children,
        });
    }
    (nodes, numbers)
}

fn operator(formulas: &Formulas, id: FormulaId) -> String {
    let proposition = |p: recurva_logic::ntmu::PropositionId| {
        let (text, _) = &formulas.propositions()[p.0 as usize];
        text.to_string()
    };
    let modal = |modality, name: &str| match modality {
        Modality::Some => format!("<{name}>"),
        Modality::All => format!("[{name}]"),
    };
    match formulas.operator(id) {
        Operator::True => "true".to_owned(),
        Operator::False => "false".to_owned(),
        Operator::Proposition(p) => proposition(p),
        Operator::NotProposition(p) => format!("!{}", proposition(p)),
        Operator::Variable(variable) => formulas.variable_name(variable).to_owned(),
        Operator::And => "&".to_owned(),
        Operator::Or => "|".to_owned(),
        Operator::Fixpoint(fixpoint, variable) => {
            let name = formulas.variable_name(variable);
            match fixpoint {
                Fixpoint::Least => format!("mu {name}."),
                Fixpoint::Greatest => format!("nu {name}."),
            }
        }
        Operator::Call(modality) => modal(modality, "call"),
        Operator::Local(modality) => modal(modality, "loc"),
        Operator::Return(modality, marker) => format!("{} R{marker}", modal(modality, "ret")),
        Operator::MayReturn => "<ret> true".to_owned(),
        Operator::NoReturn => "[ret] false".to_owned(),
    }
}
