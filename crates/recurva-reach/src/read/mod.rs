//! Graphs from text: edge lists, CSV and DOT.
//!
//! An edge list has one edge on a line, `from to label [index]`, between blanks or tabs; CSV
//! has the same columns between commas; in DOT these are the attributes `label` and `index`.
//! A node is a number below 2^32 or any other word. Blank lines and lines that begin with `#` or
//! `%` say nothing.

mod dot;
mod lines;
mod nodes;

use std::path::Path;

use recurva_syntax::{Diagnostic, Diagnostics, Source, Span};

use crate::{
    Error, Graph, NO_INDEX, Tick,
    meter::{Account, Meter},
};

/// A word, and where it is.
type Word<'t> = (&'t str, Span);

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
    /// The most bytes that were held at a time, the text included.
    pub peak_bytes: u64,
}

/// Reads a graph. At most `memory` bytes are held at a time, the text included.
///
/// ```
/// use recurva_reach::{Layout, carry_on, read};
/// use recurva_syntax::Source;
///
/// let source = Source::new("x.g", "0 1 a\n1 7 call_i 3\n")?;
/// let parsed = read(&source, Layout::EdgeList, u64::MAX, &mut carry_on)?;
/// let graph = parsed.graph.expect("there are no errors");
/// assert_eq!(graph.nodes(), 3);
/// assert_eq!(graph.label(&graph.edges()[1]), "call_3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(
    source: &Source,
    layout: Layout,
    memory: u64,
    tick: &mut Tick<'_>,
) -> Result<Parsed, Error> {
    let account = Account::new(memory);
    let meter = &Meter::begin(&account, tick)?;
    let _text = meter.hold(source.text().len())?;
    let mut diagnostics = Diagnostics::default();
    let graph = match layout {
        Layout::EdgeList => lines::read(source, &mut diagnostics, lines::Columns::Blanks, meter)?,
        Layout::Csv => lines::read(source, &mut diagnostics, lines::Columns::Commas, meter)?,
        Layout::Dot => dot::read(source, &mut diagnostics, meter)?,
    };
    Ok(Parsed {
        graph: (!diagnostics.has_errors()).then_some(graph),
        diagnostics,
        peak_bytes: account.peak(),
    })
}

/// The index of a label, which is there if and only if the label ends in `_i`; `how` says in words
/// how it is written.
fn index_of(
    (label, span): Word<'_>,
    written: Option<Word<'_>>,
    how: &str,
    diagnostics: &mut Diagnostics,
) -> Option<u32> {
    let index = match written {
        None => NO_INDEX,
        Some((word, span)) => match nodes::number(word).and_then(|it| u32::try_from(it).ok()) {
            Some(index) if index != NO_INDEX => index,
            _ => {
                diagnostics.report(|| {
                    Diagnostic::error(format!("`{word}` is no index"), span)
                        .label("expected a number below 4294967295")
                });
                return None;
            }
        },
    };
    if (index == NO_INDEX) == label.ends_with("_i") {
        diagnostics.report(|| match index {
            NO_INDEX => Diagnostic::error(format!("the label `{label}` has no index"), span)
                .label(format!("a label that ends in `_i` {how}")),
            _ => Diagnostic::error(format!("the label `{label}` takes no index"), span)
                .label(format!("only a label that ends in `_i` {how}")),
        });
        return None;
    }
    Some(index)
}
