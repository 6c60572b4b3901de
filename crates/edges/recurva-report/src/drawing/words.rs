//! Runs of systems of any size as drawings: a row for each word.

use recurva_check::{Words, spelled};
use recurva_draw::{Class, Drawing, Edge, Graph, Node, Shape};

use crate::{Layout, numbers::counted, words::folded};

/// A row for each word, with the action that leads to it.
pub(super) fn draw(words: &Words, title: String, layout: Layout) -> Drawing {
    let mut graph = Graph::default();
    let turn = words.turn.as_deref().unwrap_or_default();
    let all: Vec<&Vec<String>> = words.stem.iter().chain(turn).collect();
    let hidden = folded(all.len(), layout.lines);
    let mut back = None;
    let mut last: Option<u32> = None;
    for (at, word) in all.iter().enumerate() {
        if at == words.stem.len() {
            let is_left_out = hidden.contains(&at) && at > hidden.start;
            // Then it begins at the row that says what is left out.
            back = Some(graph.nodes.len() as u32 - u32::from(is_left_out));
        }
        let mut node = match hidden.contains(&at) {
            true if at > hidden.start => continue,
            true => {
                let count = counted(hidden.len() as u64, "word");
                Node::new(Shape::Plain, format!("… {count}")).with(Class::Faint)
            }
            false => Node::new(Shape::Rounded, spelled(word)),
        };
        let is_last = at + 1 == all.len();
        if at == 0 {
            node = node.with(Class::Initial);
        }
        if is_last && words.turn.is_none() {
            node = node.with(Class::Error);
        }
        let node = graph.add(node.keyed(format!("w{at}")));
        graph.lanes.push(0);
        if let Some(last) = last {
            let action = at.checked_sub(1).and_then(|at| words.actions.get(at));
            let action = action.filter(|_| !hidden.contains(&at));
            let action = action.map_or("", String::as_str);
            graph.connect(Edge::new(last, node).labelled(action));
        }
        last = Some(node);
    }
    if let (Some(last), Some(back)) = (last, back) {
        let again = Edge::new(last, back).labelled("for ever");
        graph.connect(again.with(Class::Taken));
    }
    let size = words.size();
    let mut description = format!("A run of size {size}, word by word.");
    if !hidden.is_empty() {
        description += &format!(" {} are left out.", counted(hidden.len() as u64, "word"));
    }
    Drawing {
        title,
        description,
        graphs: vec![graph],
    }
}
