//! Questions and answers.

use std::{fmt, time::Instant};

use recurva_model::rsm::Rsm;
use recurva_syntax::Diagnostics;

use crate::{
    Count, Grammar, Graph, Machine, OutOfMemory, Summary,
    bind::Bound,
    bounded::{self, Failure},
    dyck::{self, Classes},
    grammar::{normal::Normal, structure::Structure},
    hierarchical,
    limits::Limits,
    machine::Product,
    naive,
    relation::Paths,
    rsm,
    sets::Set,
    summaries::{self, Way},
    witness::{self, Witness},
    worklist,
};

/// How the pairs are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// The first of [`Dyck`](Self::Dyck), [`Closure`](Self::Closure),
    /// [`Summaries`](Self::Summaries) and [`Worklist`](Self::Worklist) that fits.
    #[default]
    Auto,
    /// One fact at a time with hash tables: the reference, slow. For graphs.
    Naive,
    /// The thesis' worklist with set differences, for any grammar. For graphs.
    Worklist,
    /// Summaries of calls from entries, then a closure: rounds, and facts where rounds do not
    /// pay.
    Summaries,
    /// Summaries in rounds only.
    Rounds,
    /// Summaries by single facts only.
    Facts,
    /// Closure alone: for regular languages and machines without calls.
    Closure,
    /// Union-find: for a Dyck language whose brackets are each other's reverse. For graphs.
    Dyck,
    /// One depth-first search: for machines whose stack is bounded.
    Bounded,
    /// Components one after the other: for machines without recursion.
    Hierarchical,
}

impl Algorithm {
    /// All of them, with the names they have on the command line.
    pub const ALL: [(&'static str, Algorithm); 10] = [
        ("auto", Algorithm::Auto),
        ("naive", Algorithm::Naive),
        ("worklist", Algorithm::Worklist),
        ("summaries", Algorithm::Summaries),
        ("rounds", Algorithm::Rounds),
        ("facts", Algorithm::Facts),
        ("closure", Algorithm::Closure),
        ("dyck", Algorithm::Dyck),
        ("bounded", Algorithm::Bounded),
        ("hierarchical", Algorithm::Hierarchical),
    ];

    /// The name it has on the command line.
    pub fn name(self) -> &'static str {
        let entry = Algorithm::ALL.iter().find(|entry| entry.1 == self);
        entry.map_or("auto", |entry| entry.0)
    }
}

/// Which runs of a recursive state machine count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// Those that end with the stack they began with.
    Same,
    /// All: calls may be pending at the end.
    Any,
}

/// How to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How the pairs are found.
    pub algorithm: Algorithm,
    /// How many threads may work.
    pub threads: usize,
    /// How many bytes may be used.
    pub memory: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            algorithm: Algorithm::Auto,
            threads: 2,
            memory: u64::MAX,
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The algorithm that was asked for cannot solve this.
    DoesNotApply {
        /// Which one.
        algorithm: Algorithm,
        /// Why not.
        why: String,
    },
    /// The graph times the automata of the grammar has 2^32 nodes or more.
    TooLarge,
    /// The limit on memory was hit.
    OutOfMemory(OutOfMemory),
}

impl From<OutOfMemory> for Error {
    fn from(error: OutOfMemory) -> Self {
        Error::OutOfMemory(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::DoesNotApply { algorithm, why } => {
                write!(
                    f,
                    "the algorithm {} cannot solve this: {why}",
                    algorithm.name()
                )
            }
            Error::TooLarge => f.write_str(
                "the nodes of the graph times the states of the grammar are 2^32 or more",
            ),
            Error::OutOfMemory(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

/// The pairs, in a form that answers questions.
#[derive(Clone, Debug)]
enum Pairs {
    Paths(Paths),
    Rows(Vec<Set>),
    Classes(Classes),
}

/// What a witness is looked for in.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// A grammar over a graph.
    Grammar { structure: Structure, bound: Bound },
    /// A machine.
    Machine { machine: Machine, context: Context },
    /// Nothing: the grammar has no structure.
    Nothing,
}

/// The answer to all questions about one graph and grammar, or one machine. No pair is stored
/// unless the algorithm does so by itself.
#[derive(Clone, Debug)]
pub struct Solution {
    algorithm: Algorithm,
    nodes: u32,
    threads: usize,
    pairs: Pairs,
    pub(crate) origin: Origin,
    pub(crate) summaries: Vec<Summary>,
    bytes: usize,
    seconds: f64,
    facts: Option<u64>,
    /// The names of the symbols, and whether they are walked backwards.
    names: Vec<(Box<str>, bool)>,
}

/// Solves reachability over paths whose labels make a word of a grammar. Labels that the grammar
/// names and the graph does not have are warned about, at their places in the grammar.
///
/// ```
/// use recurva_reach::{Edge, Grammar, Graph, NO_INDEX, Notation, Options, solve};
/// use recurva_syntax::{Diagnostics, Source};
///
/// let source = Source::new("brackets.ebnf", "S = a S b | a b;")?;
/// let grammar = Grammar::read(&source, Notation::Ebnf).grammar.expect("no errors");
/// let edge = |from, to, label| Edge { from, to, label, index: NO_INDEX };
/// let edges = vec![edge(0, 1, 0), edge(1, 2, 0), edge(2, 3, 1), edge(3, 4, 1)];
/// let graph = Graph::new(5, &["a", "b"], edges)?;
/// let solution = solve(&graph, &grammar, &Options::default(), &mut Diagnostics::default())?;
/// assert_eq!(solution.count().pairs, 2);
/// assert!(solution.contains(0, 4) && solution.contains(1, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(
    graph: &Graph,
    grammar: &Grammar,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Result<Solution, Error> {
    let started = Instant::now();
    let bound = Bound::new(grammar, graph, diagnostics);
    let limits = options.limits();
    let algorithm = options.algorithm;
    let structure = match algorithm {
        Algorithm::Naive | Algorithm::Worklist => None,
        _ => Structure::new(grammar),
    };
    let mut solution = Solution {
        algorithm,
        nodes: graph.nodes(),
        threads: options.threads,
        pairs: Pairs::Rows(Vec::new()),
        origin: Origin::Nothing,
        summaries: Vec::new(),
        bytes: 0,
        seconds: 0.0,
        facts: None,
        names: {
            let symbols = grammar.symbols.iter();
            symbols.map(|it| (it.name.clone(), it.reversed)).collect()
        },
    };
    let Some(structure) = structure else {
        solution.solve_normal(grammar, &bound, &limits)?;
        solution.seconds = started.elapsed().as_secs_f64();
        // The structure is for witnesses only.
        if let Some(structure) = Structure::new(grammar) {
            solution.origin = Origin::Grammar { structure, bound };
        }
        return Ok(solution);
    };
    let mut solved = false;
    if matches!(algorithm, Algorithm::Auto | Algorithm::Dyck) {
        match dyck::classes(&structure, &bound) {
            Some(classes) => {
                solution.algorithm = Algorithm::Dyck;
                solution.pairs = Pairs::Classes(classes);
                solved = true;
            }
            None if algorithm == Algorithm::Dyck => {
                return Err(does_not_apply(
                    algorithm,
                    "the grammar is no S = (x_i S y_i | …)* where y is x reversed",
                ));
            }
            None => {}
        }
    }
    // Without brackets every node is an entry: then rows are worth no less than summaries.
    let loose = algorithm == Algorithm::Auto && !structure.is_bracketed();
    if !solved && loose && graph.nodes() <= 4096 {
        solution.solve_normal(grammar, &bound, &limits)?;
        solved = true;
    }
    if !solved {
        let product = Product::new(&structure, &bound).ok_or(Error::TooLarge)?;
        let machine = &product.machine;
        limits.check(machine.bytes())?;
        let regular = structure.is_regular();
        (solution.summaries, solution.algorithm) = summarise(machine, algorithm, regular, &limits)?;
        let arrows = machine.with(&solution.summaries);
        let ends = (product.start, product.end);
        let paths = Paths::new(&arrows, product.width, ends, product.reflexive);
        solution.bytes = machine.bytes() + arrows.bytes() + paths.bytes();
        solution.pairs = Pairs::Paths(paths);
    }
    solution.origin = Origin::Grammar { structure, bound };
    solution.seconds = started.elapsed().as_secs_f64();
    Ok(solution)
}

/// Solves reachability between the vertices of a recursive state machine.
pub fn solve_rsm(rsm: &Rsm, context: Context, options: &Options) -> Result<Solution, Error> {
    let started = Instant::now();
    let limits = options.limits();
    let machine = rsm::machine(rsm);
    limits.check(machine.bytes())?;
    let (summaries, algorithm) = summarise(
        &machine,
        options.algorithm,
        machine.calls.is_empty(),
        &limits,
    )?;
    let arrows = match context {
        Context::Same => machine.with(&summaries),
        Context::Any => machine.with_calls(&summaries),
    };
    let paths = Paths::new(&arrows, machine.nodes, (0, 0), true);
    Ok(Solution {
        algorithm,
        nodes: machine.nodes,
        threads: options.threads,
        bytes: machine.bytes() + arrows.bytes() + paths.bytes(),
        pairs: Pairs::Paths(paths),
        origin: Origin::Machine { machine, context },
        summaries,
        seconds: started.elapsed().as_secs_f64(),
        facts: None,
        names: Vec::new(),
    })
}

fn does_not_apply(algorithm: Algorithm, why: &str) -> Error {
    Error::DoesNotApply {
        algorithm,
        why: why.to_owned(),
    }
}

/// The summaries of a machine, and the algorithm that found them.
fn summarise(
    machine: &Machine,
    algorithm: Algorithm,
    regular: bool,
    limits: &Limits,
) -> Result<(Vec<Summary>, Algorithm), Error> {
    let found = match algorithm {
        Algorithm::Auto | Algorithm::Closure if regular => Vec::new(),
        Algorithm::Auto | Algorithm::Summaries => summaries::summaries(machine, Way::Both, limits)?,
        Algorithm::Rounds => summaries::summaries(machine, Way::Rounds, limits)?,
        Algorithm::Facts => summaries::summaries(machine, Way::Facts, limits)?,
        Algorithm::Closure => return Err(does_not_apply(algorithm, "there are calls")),
        Algorithm::Bounded => match bounded::bounded(machine, limits) {
            Ok(summaries) => summaries,
            Err(Failure::Memory(error)) => return Err(error.into()),
            Err(Failure::Unbounded { .. }) => {
                return Err(does_not_apply(
                    algorithm,
                    "a call can be reached from its own entry, so the stack is not bounded",
                ));
            }
        },
        Algorithm::Hierarchical => hierarchical::hierarchical(machine)
            .ok_or_else(|| does_not_apply(algorithm, "there is recursion"))?,
        Algorithm::Naive | Algorithm::Worklist | Algorithm::Dyck => {
            return Err(does_not_apply(algorithm, "it is for graphs and grammars"));
        }
    };
    let algorithm = match algorithm {
        Algorithm::Auto if regular => Algorithm::Closure,
        Algorithm::Auto => Algorithm::Summaries,
        other => other,
    };
    Ok((found, algorithm))
}

impl Options {
    fn limits(&self) -> Limits {
        Limits {
            threads: self.threads.max(1),
            memory: self.memory,
        }
    }
}

impl Solution {
    /// Solves on rules with two symbols.
    fn solve_normal(
        &mut self,
        grammar: &Grammar,
        bound: &Bound,
        limits: &Limits,
    ) -> Result<(), Error> {
        let normal = Normal::new(grammar);
        match self.algorithm {
            Algorithm::Naive => {
                let (pairs, facts) = naive::naive(&normal, bound, limits)?;
                let mut rows = vec![Set::default(); bound.nodes as usize];
                for (from, to) in pairs {
                    rows[from as usize].insert(to, bound.nodes);
                }
                self.facts = Some(facts);
                self.pairs = Pairs::Rows(rows);
            }
            Algorithm::Auto | Algorithm::Worklist => {
                let (rows, facts, bytes) = worklist::worklist(&normal, bound, limits)?;
                self.algorithm = Algorithm::Worklist;
                self.facts = Some(facts);
                self.bytes = bytes;
                self.pairs = Pairs::Rows(rows);
            }
            other => {
                return Err(does_not_apply(
                    other,
                    "indices of the grammar are not matched in pairs of labels",
                ));
            }
        }
        Ok(())
    }

    pub(crate) fn names(&self) -> &[(Box<str>, bool)] {
        &self.names
    }

    /// Which algorithm found it.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// About how many bytes the tables take; what a question takes for a while is not counted.
    pub fn bytes(&self) -> usize {
        let pairs = match &self.pairs {
            Pairs::Paths(paths) => paths.bytes(),
            Pairs::Rows(rows) => rows.iter().map(|row| row.bytes() + size_of::<Set>()).sum(),
            Pairs::Classes(classes) => classes.bytes(),
        };
        self.bytes.max(pairs)
    }

    /// How long solving took; counting comes on top.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// How many summaries there are.
    pub fn summaries(&self) -> usize {
        self.summaries.len()
    }

    /// How many facts of all symbols there are, if the algorithm stores them.
    pub fn facts(&self) -> Option<u64> {
        self.facts
    }

    /// How many pairs there are.
    pub fn count(&self) -> Count {
        match &self.pairs {
            Pairs::Paths(paths) => paths.count(self.threads),
            Pairs::Classes(classes) => classes.count(),
            Pairs::Rows(rows) => {
                let all: u64 = rows.iter().map(|row| u64::from(row.len())).sum();
                let own = rows
                    .iter()
                    .zip(0..)
                    .filter(|(row, node)| row.contains(*node));
                let diagonal = own.count() as u64;
                Count {
                    pairs: all - diagonal,
                    diagonal,
                }
            }
        }
    }

    /// Whether a pair is in the relation. Nodes that do not exist are in no pair.
    pub fn contains(&self, from: u32, to: u32) -> bool {
        from.max(to) < self.nodes
            && match &self.pairs {
                Pairs::Paths(paths) => paths.contains(from, to),
                Pairs::Rows(rows) => rows[from as usize].contains(to),
                Pairs::Classes(classes) => classes.contains(from, to),
            }
    }

    /// The nodes that a node is related to, in order.
    pub fn targets_of(&self, node: u32) -> Vec<u32> {
        match &self.pairs {
            _ if node >= self.nodes => Vec::new(),
            Pairs::Paths(paths) => paths.targets_of(node),
            Pairs::Rows(rows) => rows[node as usize].list(),
            Pairs::Classes(classes) => classes.of(node).to_vec(),
        }
    }

    /// The nodes that are related to a node, in order.
    pub fn sources_of(&self, node: u32) -> Vec<u32> {
        match &self.pairs {
            _ if node >= self.nodes => Vec::new(),
            Pairs::Paths(paths) => paths.sources_of(node),
            Pairs::Classes(classes) => classes.of(node).to_vec(),
            Pairs::Rows(rows) => {
                let rows = rows.iter().zip(0..).filter(|(row, _)| row.contains(node));
                rows.map(|(_, source)| source).collect()
            }
        }
    }

    /// Gives out each node with the nodes it is related to, all in order. Stops at an error.
    pub fn rows<E>(&self, mut give: impl FnMut(u32, &[u32]) -> Result<(), E>) -> Result<(), E> {
        match &self.pairs {
            Pairs::Paths(paths) => paths.rows(give),
            Pairs::Classes(classes) => {
                (0..self.nodes).try_for_each(|node| give(node, classes.of(node)))
            }
            Pairs::Rows(rows) => rows
                .iter()
                .zip(0..)
                .try_for_each(|(row, node)| give(node, &row.list())),
        }
    }

    /// A shortest path that shows why a pair is in the relation; `None` if it is not, or if the
    /// grammar uses indices otherwise than in pairs of labels. It is a claim:
    /// [`replay`](crate::replay()) walks it.
    pub fn witness(&self, from: u32, to: u32) -> Option<Witness> {
        if !self.contains(from, to) {
            return None;
        }
        witness::find(self, from, to)
    }
}
