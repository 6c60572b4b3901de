//! A grammar meets a graph: which edges is a terminal?

use recurva_syntax::{Diagnostic, Diagnostics, did_you_mean};
use rustc_hash::FxHashMap;

use crate::{
    Grammar, Graph, NO_INDEX,
    graph::Edge,
    meter::{Halt, Held, Meter, heap},
};

/// An edge as a terminal sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Link {
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// Zero for a terminal without an index.
    pub(crate) index: u32,
}

/// The edges of each terminal.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) nodes: u32,
    /// By symbol; empty for symbols with rules.
    pub(crate) links: Vec<Vec<Link>>,
    _held: Held,
}

/// The name and the number of a label such as `call_17` or `op--3`.
fn split(label: &str) -> Option<(&str, u32)> {
    let name = label.trim_end_matches(|c: char| c.is_ascii_digit());
    let index = label[name.len()..]
        .parse()
        .ok()
        .filter(|&index| index != NO_INDEX)?;
    let name = name.strip_suffix("--").or_else(|| name.strip_suffix('_'))?;
    (!name.is_empty()).then_some((name, index))
}

impl Bound {
    /// Finds the edges of every terminal. A terminal without any gets a warning.
    pub(crate) fn new(
        grammar: &Grammar,
        graph: &Graph,
        diagnostics: &mut Diagnostics,
        meter: &Meter<'_>,
    ) -> Result<Self, Halt> {
        // For each name, the terminals that read it forwards and backwards.
        let mut readers: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
        for (symbol, info) in grammar.symbols.iter().enumerate() {
            if !info.has_rules {
                readers.entry(&info.name).or_default().push(symbol as u32);
            }
        }
        // For each label, the terminals that it is, and its own index. `call_7` is both the
        // grammar's `call_7` and its `call_i`.
        let _labels = meter.hold(graph.labels().len() * (heap(8) + 32))?;
        let labels: Vec<(Vec<u32>, Option<u32>)> = graph
            .labels()
            .iter()
            .map(|label| {
                let mut symbols = readers.get(&**label).cloned().unwrap_or_default();
                let parts = split(label);
                if let Some((name, _)) = parts
                    && let Some(indexed) = readers.get(format!("{name}_i").as_str())
                {
                    symbols.extend(indexed);
                }
                (symbols, parts.map(|(_, index)| index))
            })
            .collect();
        meter.work(graph.labels().len() as u64)?;
        let mut counts = vec![0usize; grammar.symbols.len()];
        for edge in graph.edges() {
            for &symbol in &labels[edge.label as usize].0 {
                counts[symbol as usize] += 1;
            }
        }
        let bytes = counts.iter().map(|&it| heap(it * size_of::<Link>()));
        let held = meter.hold(bytes.sum())?;
        let mut links: Vec<Vec<Link>> = counts.into_iter().map(Vec::with_capacity).collect();
        meter.work(graph.edges().len() as u64)?;
        for &Edge {
            from,
            to,
            label,
            index,
        } in graph.edges()
        {
            let (symbols, own) = &labels[label as usize];
            for &symbol in symbols {
                let info = &grammar.symbols[symbol as usize];
                let index = match (info.indexed, own) {
                    (true, &Some(own)) => own,
                    (true, None) if index != NO_INDEX => index,
                    _ => 0,
                };
                let (from, to) = if info.reversed {
                    (to, from)
                } else {
                    (from, to)
                };
                links[symbol as usize].push(Link { from, to, index });
            }
        }
        for (symbol, info) in grammar.symbols.iter().enumerate() {
            if !info.has_rules && links[symbol].is_empty() {
                diagnostics.warn(|| {
                    let rules = grammar
                        .symbols
                        .iter()
                        .filter(|it| it.has_rules && !it.hidden);
                    let names = graph.labels().iter().chain(rules.map(|it| &it.name));
                    let names = names.map(|name| &**name);
                    Diagnostic::warning(
                        format!("no edge of the graph has the label `{}`", info.name),
                        info.span,
                    )
                    .help_if(did_you_mean(&info.name, names))
                });
            }
        }
        meter.work(graph.edges().len() as u64)?;
        Ok(Bound {
            nodes: graph.nodes(),
            links,
            _held: held,
        })
    }
}
