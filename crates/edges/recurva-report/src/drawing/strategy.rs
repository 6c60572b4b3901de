//! Strategies as drawings: a node for each position, an edge for each move.

use recurva_check::branching::Refutation;
use recurva_draw::{Class, Drawing, Edge, Graph, Node, Shape};

use crate::{
    Layout,
    lines::Lines,
    numbers::counted,
    strategy::{MoveData, PositionData, positions},
};

/// Longer texts are cut: a drawing is to be seen as a whole.
const WIDTH: usize = 48;

/// A node for each position with what fails there, an edge for each move.
pub(super) fn draw(
    refutation: &Refutation<'_>,
    lines: &Lines<'_>,
    title: String,
    layout: Layout,
) -> Drawing {
    let positions = positions(refutation, lines);
    let count = positions.len().min(layout.lines.max(1));
    let mut graph = Graph::default();
    for (index, position) in positions[..count].iter().enumerate() {
        graph.add(node(index, position, refutation, lines));
    }
    for (from, position) in positions[..count].iter().enumerate() {
        connect(&mut graph, from as u32, position, count);
    }
    let mut description = format!(
        "A strategy of {}: each says what fails there, and all ways on fail too.",
        counted(positions.len() as u64, "position")
    );
    if count < positions.len() {
        let left_out = counted((positions.len() - count) as u64, "position");
        description += &format!(" {left_out} are left out.");
    }
    Drawing {
        title,
        description,
        graphs: vec![graph],
    }
}

fn node(
    index: usize,
    position: &PositionData,
    refutation: &Refutation<'_>,
    lines: &Lines<'_>,
) -> Node {
    let origin = refutation.nsm.state(position.id).origin;
    let statement = match position.procedure {
        Some(_) => lines.excerpt(origin).filter(|text| !text.is_empty()),
        None => None,
    };
    let head = match (&position.procedure, statement) {
        (Some(procedure), Some(text)) => format!("{procedure}: {text}"),
        (Some(procedure), None) => procedure.to_string(),
        (None, _) => position.state.to_string(),
    };
    let head = match position.line {
        Some(line) if position.procedure.is_some() => format!("{line}  {head}"),
        _ => head,
    };
    let mut texts = vec![cut(&head)];
    if !position.values.is_empty() {
        texts.push(cut(&position.values.join(", ")));
    }
    texts.push(cut(&format!("✗ {}", position.fails)));
    texts.extend(position.facts.iter().map(|fact| cut(fact)));
    let returns = position.moves.iter().filter_map(|next| match next {
        MoveData::Return { states, .. } => Some(states.join(" or ")),
        MoveData::Step { .. } | MoveData::Call { .. } => None,
    });
    texts.extend(returns.map(|states| cut(&format!("returns to {states}"))));
    let mut classes = match position.kind {
        "call" => vec![Class::Call],
        "return" => vec![Class::Return],
        _ => Vec::new(),
    };
    if index == 0 {
        classes.push(Class::Initial);
    }
    if position.moves.is_empty() {
        classes.push(Class::Error);
    }
    Node {
        key: format!("p{index}"),
        lines: texts,
        hint: position.fails.clone(),
        shape: Shape::Box,
        classes,
        ..Node::default()
    }
}

/// Adds the moves of a position. Those to positions that are left out lead to a node that says so.
fn connect(graph: &mut Graph, from: u32, position: &PositionData, count: usize) {
    let mut left_out = 0;
    let mut lead = |graph: &mut Graph, to: usize, edge: &dyn Fn(Edge) -> Edge| match to < count {
        true => graph.connect(edge(Edge::new(from, to as u32))),
        false => left_out += 1,
    };
    for next in &position.moves {
        match next {
            MoveData::Step { to, .. } => {
                for &to in to {
                    lead(graph, to, &|edge| edge);
                }
            }
            MoveData::Call { callees, .. } => {
                for call in callees {
                    let called = |edge: Edge| edge.labelled("call").with(Class::Call);
                    lead(graph, call.callee, &called);
                    for back in &call.returns {
                        let returned =
                            |edge: Edge| edge.labelled("return").with(Class::Return).dashed();
                        lead(graph, back.to, &returned);
                    }
                }
            }
            // It leads to where the call went on, which is drawn there.
            MoveData::Return { .. } => {}
        }
    }
    if left_out > 0 {
        let node = Node::new(Shape::Plain, format!("… {}", counted(left_out, "way")));
        let to = graph.add(node.with(Class::Faint));
        graph.connect(Edge::new(from, to).with(Class::Faint));
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}
