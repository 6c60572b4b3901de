//! Graphs from text: edge lists, CSV and DOT.
//!
//! An edge list has one edge on a line, `from to label [index]`, between blanks or tabs; CSV
//! has the same columns between commas; in DOT the label is the attribute `label`. A node is a
//! number below 2^32 or any other word. Blank lines and lines that begin with `#` or `%` say
//! nothing.

mod dot;
mod lines;
mod nodes;

use std::path::Path;

use recurva_syntax::{Diagnostics, Source};

use crate::Graph;

/// How a graph is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// `from to label [index]` on each line.
    EdgeList,
    /// `from,to,label[,index]` on each line, with or without a heading.
    Csv,
    /// Graphviz.
    Dot,
}

impl Layout {
    /// The layout of a file, by its extension.
    pub fn of(path: &Path) -> Self {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("csv") => Layout::Csv,
            Some("dot" | "gv") => Layout::Dot,
            _ => Layout::EdgeList,
        }
    }
}

/// What came of a text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The graph; `None` if and only if there were errors.
    pub graph: Option<Graph>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

/// Reads a graph.
///
/// ```
/// use recurva_reach::{Layout, read};
/// use recurva_syntax::Source;
///
/// let source = Source::new("x.g", "0 1 a\n1 7 call_i 3\n")?;
/// let graph = read(&source, Layout::EdgeList).graph.expect("there are no errors");
/// assert_eq!(graph.nodes(), 3);
/// assert_eq!(graph.label(&graph.edges()[1]), "call_3");
/// # Ok::<(), recurva_syntax::LoadError>(())
/// ```
pub fn read(source: &Source, layout: Layout) -> Parsed {
    let mut diagnostics = Diagnostics::default();
    let graph = match layout {
        Layout::EdgeList => lines::read(source, &mut diagnostics, lines::Columns::Blanks),
        Layout::Csv => lines::read(source, &mut diagnostics, lines::Columns::Commas),
        Layout::Dot => dot::read(source, &mut diagnostics),
    };
    let graph = (!diagnostics.has_errors()).then_some(graph);
    Parsed { graph, diagnostics }
}
