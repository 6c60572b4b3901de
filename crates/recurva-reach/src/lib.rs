//! All-pairs reachability.

mod bind;
mod closure;
mod grammar;
mod graph;
mod machine;
mod read;
mod relation;
mod sets;
mod summaries;

pub use grammar::{Grammar, Notation, ParsedGrammar};
pub use graph::{Edge, Graph, NO_INDEX, NotAGraph};
pub(crate) use machine::{Machine, Summary};
pub use read::{Layout, Parsed, read};
pub use relation::Count;

/// Experiment.
pub fn experiment(graph: &Graph, grammar: &Grammar, threads: usize) -> Count {
    let t = std::time::Instant::now();
    let mut diagnostics = recurva_syntax::Diagnostics::default();
    let structure = grammar::structure::Structure::new(grammar).unwrap();
    let bound = bind::Bound::new(grammar, graph, &mut diagnostics);
    let product = machine::Product::new(&structure, &bound).unwrap();
    eprintln!("product {:?} nodes {} calls {} entries {}", t.elapsed(), product.machine.nodes, product.machine.calls.len(), product.machine.entries().len());
    let s = summaries::summaries(&product.machine, summaries::Way::Both, threads);
    eprintln!("summaries {:?} {}", t.elapsed(), s.len());
    let paths = relation::Paths::new(&product.machine.with(&s), product.width, (product.start, product.end), product.reflexive);
    eprintln!("paths {:?} comps {} edges {}", t.elapsed(), paths.graph.len(), paths.graph.arrows.edges());
    let c = paths.count(threads);
    eprintln!("count {:?}", t.elapsed());
    c
}
