//! Questions and answers.

use std::{sync::Arc, time::Instant};

use recurva_model::rsm::Rsm;
use recurva_syntax::Diagnostics;

use crate::{
    Algorithm, Context, Count, Error, Grammar, Graph, Machine, Options, Summary, Tick,
    bind::Bound,
    bounded::{self, Failure},
    dyck::{self, Classes},
    grammar::{normal::Normal, structure::Structure},
    hierarchical,
    machine::Product,
    meter::{Account, Held, Meter, Tally},
    naive,
    relation::Paths,
    rsm,
    sets::Set,
    summaries::{self, Way},
    witness::{self, Witness},
    worklist,
};

/// The pairs, in a form that answers questions.
#[derive(Clone, Debug)]
enum Pairs {
    Paths(Paths),
    Rows { rows: Vec<Set>, _held: Held },
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

/// Summaries, and what they take.
pub(crate) type Summaries = (Vec<Summary>, Held);

/// The answer to all questions about one graph and grammar, or one machine. No pair is stored
/// unless the algorithm does so by itself.
#[derive(Clone, Debug)]
pub struct Solution {
    algorithm: Algorithm,
    nodes: u32,
    threads: usize,
    pairs: Pairs,
    pub(crate) origin: Origin,
    pub(crate) summaries: Summaries,
    account: Arc<Account>,
    /// The graph.
    _held: Held,
    seconds: f64,
    facts: Option<u64>,
    /// The names of the symbols, and whether they are walked backwards.
    names: Vec<(Box<str>, bool)>,
}

/// Solves reachability over paths whose labels make a word of a grammar. Labels that the grammar
/// names and the graph does not have are warned about, at their places in the grammar.
///
/// ```
/// use recurva_reach::{Edge, Grammar, Graph, NO_INDEX, Notation, Options, carry_on, solve};
/// use recurva_syntax::{Diagnostics, Source};
///
/// let source = Source::new("brackets.ebnf", "S = a S b | a b;")?;
/// let grammar = Grammar::read(&source, Notation::Ebnf).grammar.expect("no errors");
/// let edge = |from, to, label| Edge { from, to, label, index: NO_INDEX };
/// let edges = vec![edge(0, 1, 0), edge(1, 2, 0), edge(2, 3, 1), edge(3, 4, 1)];
/// let graph = Graph::new(5, &["a", "b"], edges)?;
/// let (options, mut warnings) = (Options::default(), Diagnostics::default());
/// let solution = solve(&graph, &grammar, &options, &mut warnings, &mut carry_on)?;
/// assert_eq!(solution.count(&mut carry_on)?.pairs, 2);
/// assert!(solution.contains(0, 4) && solution.contains(1, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(
    graph: &Graph,
    grammar: &Grammar,
    options: &Options,
    diagnostics: &mut Diagnostics,
    tick: &mut Tick<'_>,
) -> Result<Solution, Error> {
    let started = Instant::now();
    let account = Account::new(options.memory);
    let meter = &Meter::begin(&account, tick)?;
    let held = meter.hold(graph.bytes())?;
    let bound = Bound::new(grammar, graph, diagnostics, meter)?;
    let algorithm = options.algorithm;
    let structure = match algorithm {
        Algorithm::Naive | Algorithm::Worklist => None,
        _ => Structure::new(grammar, meter)?,
    };
    let mut solution = Solution {
        algorithm,
        nodes: graph.nodes(),
        threads: options.threads.max(1),
        pairs: Pairs::Rows {
            rows: Vec::new(),
            _held: meter.hold(0)?,
        },
        origin: Origin::Nothing,
        summaries: (Vec::new(), meter.hold(0)?),
        _held: held,
        seconds: 0.0,
        facts: None,
        names: {
            let symbols = grammar.symbols.iter();
            symbols.map(|it| (it.name.clone(), it.reversed)).collect()
        },
        account: Arc::clone(&account),
    };
    let Some(structure) = structure else {
        solution.solve_normal(grammar, &bound, meter)?;
        solution.seconds = started.elapsed().as_secs_f64();
        // The structure is for witnesses only.
        if let Some(structure) = Structure::new(grammar, meter)? {
            solution.origin = Origin::Grammar { structure, bound };
        }
        return Ok(solution);
    };
    let mut solved = false;
    if matches!(algorithm, Algorithm::Auto | Algorithm::Dyck) {
        match dyck::classes(&structure, &bound, meter)? {
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
        solution.solve_normal(grammar, &bound, meter)?;
        solved = true;
    }
    if !solved {
        let product = Product::new(&structure, &bound, meter)?;
        let machine = &product.machine;
        let regular = structure.is_regular();
        (solution.summaries, solution.algorithm) = summarise(machine, options, regular, meter)?;
        let arrows = machine.with(&solution.summaries.0, meter)?;
        let ends = (product.start, product.end);
        let paths = Paths::new(&arrows, product.width, ends, product.reflexive, meter)?;
        solution.pairs = Pairs::Paths(paths);
    }
    solution.origin = Origin::Grammar { structure, bound };
    solution.seconds = started.elapsed().as_secs_f64();
    Ok(solution)
}

/// Solves reachability between the vertices of a recursive state machine. What the machine itself
/// takes is not counted.
pub fn solve_rsm(
    rsm: &Rsm,
    context: Context,
    options: &Options,
    tick: &mut Tick<'_>,
) -> Result<Solution, Error> {
    let started = Instant::now();
    let account = Account::new(options.memory);
    let meter = &Meter::begin(&account, tick)?;
    let machine = rsm::machine(rsm, meter)?;
    let (summaries, algorithm) = summarise(&machine, options, machine.calls.is_empty(), meter)?;
    let arrows = match context {
        Context::Same => machine.with(&summaries.0, meter)?,
        Context::Any => machine.with_calls(&summaries.0, meter)?,
    };
    let paths = Paths::new(&arrows, machine.nodes, (0, 0), true, meter)?;
    Ok(Solution {
        algorithm,
        nodes: machine.nodes,
        threads: options.threads.max(1),
        pairs: Pairs::Paths(paths),
        origin: Origin::Machine { machine, context },
        summaries,
        _held: meter.hold(0)?,
        seconds: started.elapsed().as_secs_f64(),
        facts: None,
        names: Vec::new(),
        account: Arc::clone(&account),
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
    options: &Options,
    regular: bool,
    meter: &Meter<'_>,
) -> Result<(Summaries, Algorithm), Error> {
    let algorithm = options.algorithm;
    let known = |way: Way| {
        let known = summaries::summaries(machine, way, options.threads.max(1), meter)?;
        Ok::<_, Error>((known.list, known.held))
    };
    let found = match algorithm {
        Algorithm::Auto | Algorithm::Closure if regular => (Vec::new(), meter.hold(0)?),
        Algorithm::Auto | Algorithm::Summaries => known(Way::Both)?,
        Algorithm::Rounds => known(Way::Rounds)?,
        Algorithm::Facts => known(Way::Facts)?,
        Algorithm::Closure => return Err(does_not_apply(algorithm, "there are calls")),
        Algorithm::Bounded => match bounded::bounded(machine, meter) {
            Ok(summaries) => summaries,
            Err(Failure::Halted(halt)) => return Err(halt.into()),
            Err(Failure::Unbounded { .. }) => {
                return Err(does_not_apply(
                    algorithm,
                    "a call can be reached from its own entry, so the stack is not bounded",
                ));
            }
        },
        Algorithm::Hierarchical => hierarchical::hierarchical(machine, meter)?
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

impl Solution {
    /// Solves on rules with two symbols.
    fn solve_normal(
        &mut self,
        grammar: &Grammar,
        bound: &Bound,
        meter: &Meter<'_>,
    ) -> Result<(), Error> {
        let normal = Normal::new(grammar);
        match self.algorithm {
            Algorithm::Naive => {
                let ((pairs, _held), facts) = naive::naive(&normal, bound, meter)?;
                let mut held = meter.hold(0)?;
                let mut rows = held.list(Set::default(), bound.nodes as usize)?;
                let mut tally = Tally::new(meter);
                for (from, to) in pairs {
                    rows[from as usize].insert(to, bound.nodes, &mut tally.bytes);
                    tally.tell()?;
                }
                held.add(std::mem::take(&mut tally.bytes))?;
                self.facts = Some(facts);
                self.pairs = Pairs::Rows { rows, _held: held };
            }
            Algorithm::Auto | Algorithm::Worklist => {
                let (rows, held, facts) = worklist::worklist(&normal, bound, meter)?;
                self.algorithm = Algorithm::Worklist;
                self.facts = Some(facts);
                self.pairs = Pairs::Rows { rows, _held: held };
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

    /// The most bytes that were held at a time so far, the graph and what questions took for a
    /// while included.
    pub fn peak_bytes(&self) -> u64 {
        self.account.peak()
    }

    /// How long solving took; counting comes on top.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// How many summaries there are.
    pub fn summaries(&self) -> usize {
        self.summaries.0.len()
    }

    /// How many facts of all symbols there are, if the algorithm stores them.
    pub fn facts(&self) -> Option<u64> {
        self.facts
    }

    /// How many pairs there are.
    pub fn count(&self, tick: &mut Tick<'_>) -> Result<Count, Error> {
        let meter = &Meter::begin(&self.account, tick)?;
        Ok(match &self.pairs {
            Pairs::Paths(paths) => paths.count(self.threads, meter)?,
            Pairs::Classes(classes) => classes.count(),
            Pairs::Rows { rows, .. } => {
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
        })
    }

    /// Whether a pair is in the relation. Nodes that do not exist are in no pair.
    pub fn contains(&self, from: u32, to: u32) -> bool {
        from.max(to) < self.nodes
            && match &self.pairs {
                Pairs::Paths(paths) => paths.contains(from, to),
                Pairs::Rows { rows, .. } => rows[from as usize].contains(to),
                Pairs::Classes(classes) => classes.contains(from, to),
            }
    }

    /// The nodes that a node is related to, in order.
    pub fn targets_of(&self, node: u32) -> Vec<u32> {
        match &self.pairs {
            _ if node >= self.nodes => Vec::new(),
            Pairs::Paths(paths) => paths.targets_of(node),
            Pairs::Rows { rows, .. } => rows[node as usize].list(),
            Pairs::Classes(classes) => classes.of(node).to_vec(),
        }
    }

    /// The nodes that are related to a node, in order.
    pub fn sources_of(&self, node: u32) -> Vec<u32> {
        match &self.pairs {
            _ if node >= self.nodes => Vec::new(),
            Pairs::Paths(paths) => paths.sources_of(node),
            Pairs::Classes(classes) => classes.of(node).to_vec(),
            Pairs::Rows { rows, .. } => {
                let rows = rows.iter().zip(0..).filter(|(row, _)| row.contains(node));
                rows.map(|(_, source)| source).collect()
            }
        }
    }

    /// Gives out each node with the nodes it is related to, all in order. Stops at an error, which
    /// is in the answer then.
    pub fn rows<E>(
        &self,
        mut give: impl FnMut(u32, &[u32]) -> Result<(), E>,
        tick: &mut Tick<'_>,
    ) -> Result<Result<(), E>, Error> {
        let meter = &Meter::begin(&self.account, tick)?;
        let mut give = |node: u32, list: &[u32]| match meter.work(1 + list.len() as u64) {
            Ok(()) => give(node, list).map_err(Ok),
            Err(halt) => Err(Err(halt)),
        };
        let given = match &self.pairs {
            Pairs::Paths(paths) => paths.rows(give, meter)?,
            Pairs::Classes(classes) => {
                (0..self.nodes).try_for_each(|node| give(node, classes.of(node)))
            }
            Pairs::Rows { rows, .. } => rows
                .iter()
                .zip(0..)
                .try_for_each(|(row, node)| give(node, &row.list())),
        };
        match given {
            Ok(()) => Ok(Ok(())),
            Err(Ok(error)) => Ok(Err(error)),
            Err(Err(halt)) => Err(halt.into()),
        }
    }

    /// A shortest path that shows why a pair is in the relation; `None` if it is not, or if the
    /// grammar uses indices otherwise than in pairs of labels.
    pub fn witness(
        &self,
        from: u32,
        to: u32,
        tick: &mut Tick<'_>,
    ) -> Result<Option<Witness>, Error> {
        if !self.contains(from, to) {
            return Ok(None);
        }
        witness::find(self, from, to, &Meter::begin(&self.account, tick)?)
    }
}
