//! Programs as the page shows them.

use recurva_model::{Action, ProcId, Program, Variable};
use recurva_report::parts::Lines;

use crate::{
    document::{Machine, MachineEdge, MachineNode, Procedure, Slot},
    drawing,
    places::Texts,
};

/// A program with a drawing of each procedure.
pub(crate) fn machine(program: &Program, lines: &Lines<'_>, texts: &Texts<'_>) -> Machine {
    let mut labels: Vec<Vec<Vec<String>>> = program
        .procedures()
        .iter()
        .map(|procedure| vec![Vec::new(); procedure.nodes.len()])
        .collect();
    for label in program.labels() {
        let node = &mut labels[label.point.procedure.index()][label.point.node.index()];
        node.push(label.name.to_string());
    }
    let procedures = program.procedures().iter().zip(labels).enumerate();
    let procedures = procedures.map(|(index, (procedure, labels))| {
        let nodes = procedure.nodes.iter().zip(labels);
        let nodes: Vec<MachineNode> = nodes
            .map(|(node, labels)| MachineNode {
                place: texts.place(node.origin),
                labels,
            })
            .collect();
        let edges: Vec<MachineEdge> = procedure
            .edges
            .iter()
            .map(|edge| MachineEdge {
                from: edge.from.0,
                to: edge.to.0,
                place: texts.place(edge.origin),
                text: lines.excerpt(edge.origin).unwrap_or_default(),
                callee: match edge.action {
                    Action::Call { callee, .. } => Some(callee.0),
                    Action::Assign { .. } => None,
                },
            })
            .collect();
        let parameters = &procedure.locals[..procedure.parameters];
        let mut shown = Procedure {
            name: procedure.name.to_string(),
            signature: signature(procedure),
            place: texts.place(procedure.origin),
            locals: slots(&procedure.locals),
            parameters: parameters.iter().map(Variable::slots).sum(),
            entry: procedure.entry.0,
            exit: procedure.exit.0,
            nodes,
            edges,
            drawing: None,
            folded: None,
        };
        drawing::draw(&mut shown, program, ProcId(index as u32), lines);
        shown
    });
    Machine {
        globals: slots(program.globals()),
        procedures: procedures.collect(),
        main: program.main().0,
    }
}

/// `bool A1(bool i)`.
fn signature(procedure: &recurva_model::Procedure) -> String {
    let of = |variable: &Variable| match variable.len {
        None => variable.ty.to_string(),
        Some(len) => format!("{}[{len}]", variable.ty),
    };
    let results = procedure.results.iter();
    let results: Vec<String> = results
        .map(|&local| of(&procedure.locals[local as usize]))
        .collect();
    let parameters: Vec<String> = procedure.locals[..procedure.parameters]
        .iter()
        .map(|variable| format!("{} {}", of(variable), variable.name))
        .collect();
    let result = match results.is_empty() {
        true => "void".to_owned(),
        false => results.join(", "),
    };
    format!("{result} {}({})", procedure.name, parameters.join(", "))
}

/// A slot for each value that the variables hold.
fn slots(variables: &[Variable]) -> Vec<Slot> {
    let each = |variable: &Variable| {
        let slot = |name: String| Slot {
            name,
            ty: variable.ty.to_string(),
            hidden: variable.hidden,
        };
        match variable.len {
            None => vec![slot(variable.name.to_string())],
            Some(len) => (0..len)
                .map(|index| slot(format!("{}[{index}]", variable.name)))
                .collect(),
        }
    };
    variables.iter().flat_map(each).collect()
}

/// Values as they are shown, slot by slot.
pub(crate) fn shown(values: &[u64], types: &[recurva_model::Type]) -> Vec<String> {
    let pairs = values.iter().zip(types);
    pairs.map(|(&value, ty)| ty.show(value)).collect()
}
