//! All-pairs reachability: which nodes of a graph are connected by paths of a context-free
//! language, which vertices of a machine by runs; and data flow over programs.

use std::{ops::ControlFlow, path::Path};

use recurva_lang::rsm;
use recurva_model::{Program, Rsm, rsm::VertexId};
use recurva_reach::{Error, Mismatch, Progress as Solving, Solution, replay, replay_rsm};
use recurva_syntax::{Source, did_you_mean};

pub use recurva_reach::{
    Algorithm, Context, Count, Edge, Grammar, Graph, Hop, Layout, LiveVariables, NO_INDEX,
    Notation, Step, Unassigned, Witness,
};

#[cfg(feature = "cluster")]
pub use recurva_reach::cluster;

use crate::{Limit, Limits, Refused, Said, Watch, Work, watch::Clock};

/// How pairs are found.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// How many threads may work.
    pub threads: usize,
    /// When to give up.
    pub limits: Limits,
}

impl Options {
    fn of_engine(&self) -> recurva_reach::Options {
        recurva_reach::Options {
            algorithm: self.algorithm,
            threads: self.threads,
            memory: self.limits.memory.unwrap_or(u64::MAX),
        }
    }
}

/// A graph and a language, read.
#[derive(Debug)]
pub struct Inputs {
    /// The graph.
    pub graph: Graph,
    /// The language.
    pub grammar: Grammar,
    /// Warnings.
    pub said: Vec<Said>,
    peak_bytes: u64,
}

/// Reads a graph and a grammar; their names say how they are written.
///
/// # Errors
///
/// If one of them is wrong, or a limit is hit.
pub fn read(
    graph: &Source,
    grammar: &Source,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Result<Inputs, Refused> {
    let mut clock = Clock::new(limits, watch);
    let memory = limits.memory.unwrap_or(u64::MAX);
    let parsed = Grammar::read(grammar, Notation::of(Path::new(grammar.name())));
    let layout = Layout::of(Path::new(graph.name()));
    let read = recurva_reach::read(graph, layout, memory, &mut |now| solving(&mut clock, now));
    let read = read.map_err(|error| refused(&error, &clock))?;
    let mut said = Vec::new();
    let mut report = |source: &Source, diagnostics: recurva_syntax::Diagnostics| {
        if !diagnostics.is_empty() {
            said.push(Said::Text(source.clone(), diagnostics));
        }
    };
    report(grammar, parsed.diagnostics);
    report(graph, read.diagnostics);
    match (read.graph, parsed.grammar) {
        (Some(graph), Some(grammar)) => Ok(Inputs {
            graph,
            grammar,
            said,
            peak_bytes: read.peak_bytes,
        }),
        _ => Err(Refused::Said(said)),
    }
}

/// All pairs of related nodes, as an answer to questions.
#[derive(Debug)]
pub struct Pairs {
    subject: Subject,
    solution: Solution,
    limits: Limits,
    /// What reading held at the most.
    read_bytes: u64,
}

/// What was solved.
#[derive(Debug)]
enum Subject {
    Graph(Graph, Grammar),
    Machine(Rsm, Context),
}

impl Pairs {
    /// The nodes of a graph that paths of a language connect; and warnings.
    ///
    /// # Errors
    ///
    /// If an input is wrong, the algorithm does not apply, or a limit is hit.
    pub fn of_graph(
        graph: &Source,
        grammar: &Source,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<(Self, Vec<Said>), Refused> {
        if graph.name().ends_with(".rsm") {
            return Err(Refused::Said(vec![Said::error_if(
                "--grammar is for graphs: a machine has its own language",
                None,
            )]));
        }
        let mut inputs = read(graph, grammar, options.limits, watch)?;
        let mut clock = Clock::new(options.limits, watch);
        let mut warnings = recurva_syntax::Diagnostics::default();
        let solution = recurva_reach::solve(
            &inputs.graph,
            &inputs.grammar,
            &options.of_engine(),
            &mut warnings,
            &mut |now| solving(&mut clock, now),
        );
        if !warnings.is_empty() {
            warnings.sort();
            inputs.said.push(Said::Text(grammar.clone(), warnings));
        }
        let solution = solution.map_err(|error| refused(&error, &clock))?;
        let pairs = Pairs {
            subject: Subject::Graph(inputs.graph, inputs.grammar),
            solution,
            limits: options.limits,
            read_bytes: inputs.peak_bytes,
        };
        Ok((pairs, inputs.said))
    }

    /// The vertices of a recursive state machine that runs connect; and warnings.
    ///
    /// # Errors
    ///
    /// If the machine is wrong, the algorithm does not apply, or a limit is hit.
    pub fn of_machine(
        source: &Source,
        context: Context,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<(Self, Vec<Said>), Refused> {
        if !source.name().ends_with(".rsm") {
            return Err(Refused::error(
                "a graph needs a language: --grammar FILE",
                "for example a file with S = (a | call_i S ret_i)*;",
            ));
        }
        let parsed = rsm::parse(source);
        let said = match parsed.diagnostics.is_empty() {
            true => Vec::new(),
            false => vec![Said::Text(source.clone(), parsed.diagnostics)],
        };
        let Some(rsm) = parsed.rsm else {
            return Err(Refused::Said(said));
        };
        let mut clock = Clock::new(options.limits, watch);
        let engine = options.of_engine();
        let solution =
            recurva_reach::solve_rsm(&rsm, context, &engine, &mut |now| solving(&mut clock, now));
        let solution = solution.map_err(|error| refused(&error, &clock))?;
        let pairs = Pairs {
            subject: Subject::Machine(rsm, context),
            solution,
            limits: options.limits,
            read_bytes: 0,
        };
        Ok((pairs, said))
    }

    /// What a node is called.
    pub fn name(&self, node: u32) -> String {
        match &self.subject {
            Subject::Graph(graph, _) => graph.name(node),
            Subject::Machine(rsm, _) => rsm.name(VertexId(node)),
        }
    }

    /// The node of a name.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn find(&self, name: &str) -> Result<u32, Refused> {
        let (found, near) = match &self.subject {
            Subject::Graph(graph, _) => (graph.node(name), None),
            Subject::Machine(rsm, _) => {
                let names: Vec<String> = rsm.vertices().map(|it| rsm.name(it)).collect();
                let found = names.iter().position(|it| it == name);
                let near = did_you_mean(name, names.iter().map(String::as_str));
                (found.map(|node| node as u32), near)
            }
        };
        found.ok_or_else(|| {
            let text = format!("there is no node `{name}`");
            Refused::Said(vec![Said::error_if(text, near)])
        })
    }

    /// The algorithm that found them.
    pub fn algorithm(&self) -> Algorithm {
        self.solution.algorithm()
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> u32 {
        self.solution.nodes()
    }

    /// How many facts were stored, if the algorithm stores single ones.
    pub fn facts(&self) -> Option<u64> {
        self.solution.facts()
    }

    /// How many summaries there are.
    pub fn summaries(&self) -> usize {
        self.solution.summaries()
    }

    /// The most bytes that were held at a time.
    pub fn peak_bytes(&self) -> u64 {
        self.solution.peak_bytes().max(self.read_bytes)
    }

    /// Whether a pair is among them.
    pub fn contains(&self, from: u32, to: u32) -> bool {
        self.solution.contains(from, to)
    }

    /// The nodes that one is related to.
    pub fn targets_of(&self, node: u32) -> Vec<u32> {
        self.solution.targets_of(node)
    }

    /// The nodes that are related to one.
    pub fn sources_of(&self, node: u32) -> Vec<u32> {
        self.solution.sources_of(node)
    }

    /// How many there are.
    ///
    /// # Errors
    ///
    /// If a limit is hit.
    pub fn count(&self, watch: &mut dyn Watch) -> Result<Count, Refused> {
        let mut clock = Clock::new(self.limits, watch);
        let count = self.solution.count(&mut |now| solving(&mut clock, now));
        count.map_err(|error| refused(&error, &clock))
    }

    /// Gives out each node with the nodes it is related to, all in order. Stops at an error, which
    /// is in the answer then.
    ///
    /// # Errors
    ///
    /// If a limit is hit.
    pub fn rows<E>(
        &self,
        give: impl FnMut(u32, &[u32]) -> Result<(), E>,
        watch: &mut dyn Watch,
    ) -> Result<Result<(), E>, Refused> {
        let mut clock = Clock::new(self.limits, watch);
        let given = self
            .solution
            .rows(give, &mut |now| solving(&mut clock, now));
        given.map_err(|error| refused(&error, &clock))
    }

    /// A shortest path that shows why a pair is among them, walked again edge by edge by code that
    /// shares nothing with the algorithms; `None` if the pair is not among them.
    ///
    /// # Errors
    ///
    /// If there are no witnesses for the grammar, or a limit is hit.
    pub fn witness(
        &self,
        from: u32,
        to: u32,
        watch: &mut dyn Watch,
    ) -> Result<Option<Witness>, Refused> {
        if !self.contains(from, to) {
            return Ok(None);
        }
        let mut clock = Clock::new(self.limits, watch);
        let mut tick = |now: &Solving| solving(&mut clock, now);
        let found = self.solution.witness(from, to, &mut tick);
        let found = found.map_err(|error| refused(&error, &clock))?;
        let Some(witness) = found else {
            return Err(Refused::error(
                "there are no witnesses for this grammar",
                "indices have to be matched in pairs of labels, such as call_i A ret_i",
            ));
        };
        let replayed = match &self.subject {
            Subject::Graph(graph, grammar) => replay(&witness, graph, grammar, (from, to)),
            Subject::Machine(rsm, context) => replay_rsm(&witness, rsm, *context, (from, to)),
        };
        match replayed {
            Ok(replayed) => Ok(Some(replayed.witness().clone())),
            Err(mismatch) => Err(fault(&mismatch)),
        }
    }
}

fn fault(mismatch: &Mismatch) -> Refused {
    Refused::Internal(mismatch.to_string())
}

/// Where a variable may be read that was never assigned.
///
/// # Errors
///
/// If a limit is hit.
pub fn unassigned(
    program: &Program,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Result<Vec<Unassigned>, Refused> {
    let mut clock = Clock::new(limits, watch);
    let memory = limits.memory.unwrap_or(u64::MAX);
    let found = recurva_reach::unassigned(program, memory, &mut |now| solving(&mut clock, now));
    found.map_err(|error| refused(&error, &clock))
}

/// The variables that are live at each statement.
///
/// # Errors
///
/// If a limit is hit.
pub fn live_variables<'p>(
    program: &'p Program,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Result<LiveVariables<'p>, Refused> {
    let mut clock = Clock::new(limits, watch);
    let memory = limits.memory.unwrap_or(u64::MAX);
    let found = recurva_reach::live_variables(program, memory, &mut |now| solving(&mut clock, now));
    found.map_err(|error| refused(&error, &clock))
}

fn solving(clock: &mut Clock<'_>, now: &Solving) -> ControlFlow<()> {
    let work = Work {
        what: "finding pairs",
        round: 0,
        number: now.facts,
        unit: "facts",
        bytes: now.bytes,
    };
    clock.tick(&work.into())
}

fn refused(error: &Error, clock: &Clock<'_>) -> Refused {
    match error {
        Error::DoesNotApply { .. } => Refused::error(error.to_string(), "leave out --algorithm"),
        Error::TooLarge => Refused::Said(vec![Said::error_if(error.to_string(), None)]),
        Error::OutOfMemory(found) => Refused::Limit(Limit::Memory(found.limit)),
        Error::Stopped => Refused::Limit(clock.hit()),
    }
}
