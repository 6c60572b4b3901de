//! `recurva reach`: pairs of nodes that paths of a language connect.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    time::Instant,
};

use clap::{Args, ValueEnum};
use recurva_lang::rsm;
use recurva_model::Rsm;
use recurva_reach::{
    Algorithm, Context, Error, Grammar, Graph, Layout, Notation, Options, Solution, Step, Witness,
    read, replay, replay_rsm, solve, solve_rsm,
};
use recurva_syntax::{Diagnostics, Source, did_you_mean};
use serde_json::{Value, json};

use crate::{
    args::Format,
    convert,
    exit::Exit,
    limits::{cores, default_memory, parse_bytes},
    load, output,
};

#[derive(Args, Debug)]
pub(crate) struct ReachArguments {
    /// A graph with labels on its edges: one edge on each line (from, to, label and perhaps an
    /// index), .csv or .dot; or a recursive state machine (.rsm).
    #[arg(value_name = "GRAPH")]
    graph: PathBuf,

    /// The language of the paths: rules on lines (.cfg, .cnf) or EBNF such as
    /// 'A = (a | call_i A ret_i)*;' (any other extension). Not for a machine.
    #[arg(long, value_name = "FILE")]
    grammar: Option<PathBuf>,

    /// Of a machine: runs that end with the stack they began with, or all.
    #[arg(long, value_enum, default_value_t = Which::Any)]
    context: Which,

    /// List the nodes that this one is related to; with --to, ask about one pair.
    #[arg(long, value_name = "NODE")]
    from: Option<String>,

    /// List the nodes that are related to this one.
    #[arg(long, value_name = "NODE")]
    to: Option<String>,

    /// Show a shortest path from the first node to the second.
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"],
          conflicts_with_all = ["from", "to", "count", "out"])]
    witness: Option<Vec<String>>,

    /// Print only how many there are.
    #[arg(long)]
    count: bool,

    /// Write all pairs to this file (- for the standard output), one on each line.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "to"])]
    out: Option<PathBuf>,

    /// How the pairs are found; auto picks the fastest that applies.
    #[arg(long, value_enum, default_value_t = Choice::Auto)]
    algorithm: Choice,

    /// How many threads may work; by default two, if the machine has them.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    /// Give up when the tables hold more than this: 500MB, 4GiB. By default 80 % of the
    /// machine's memory, where that is known.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<u64>,

    /// The form of the answer.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Leave out warnings.
    #[arg(long, short)]
    quiet: bool,

    #[cfg(feature = "cluster")]
    #[command(flatten)]
    cluster: crate::reach_cluster::ClusterArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Which {
    Same,
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Choice {
    Auto,
    /// The reference: single facts in hash tables.
    Naive,
    /// Rows and columns of sets, for any grammar.
    Worklist,
    /// Summaries of calls, then a closure: rounds, or facts where rounds do not pay.
    Summaries,
    /// Summaries in rounds only.
    Rounds,
    /// Summaries by single facts only.
    Facts,
    /// Closure alone: for regular languages and machines without boxes.
    Closure,
    /// Union-find: for brackets that are each other's reverse.
    Dyck,
    /// One depth-first search: if no call can be reached from its own entry.
    Bounded,
    /// Components one after the other: if there is no recursion.
    Hierarchical,
}

impl From<Choice> for Algorithm {
    fn from(choice: Choice) -> Self {
        match choice {
            Choice::Auto => Algorithm::Auto,
            Choice::Naive => Algorithm::Naive,
            Choice::Worklist => Algorithm::Worklist,
            Choice::Summaries => Algorithm::Summaries,
            Choice::Rounds => Algorithm::Rounds,
            Choice::Facts => Algorithm::Facts,
            Choice::Closure => Algorithm::Closure,
            Choice::Dyck => Algorithm::Dyck,
            Choice::Bounded => Algorithm::Bounded,
            Choice::Hierarchical => Algorithm::Hierarchical,
        }
    }
}

/// At most this many edges of a witness are printed.
const MOST_HOPS: usize = 1000;

/// What nodes are called.
enum Nodes {
    Graph(Graph, Grammar),
    Machine(Rsm, Context),
}

impl Nodes {
    fn name(&self, node: u32) -> String {
        match self {
            Nodes::Graph(graph, _) => graph.name(node),
            Nodes::Machine(rsm, _) => rsm.name(recurva_model::rsm::VertexId(node)),
        }
    }

    fn find(&self, name: &str) -> Result<u32, Exit> {
        let names = |rsm: &Rsm| rsm.vertices().map(|it| rsm.name(it)).collect::<Vec<_>>();
        let (found, near) = match self {
            Nodes::Graph(graph, _) => (graph.node(name), None),
            Nodes::Machine(rsm, _) => {
                let names = names(rsm);
                let found = names.iter().position(|it| it == name);
                let near = did_you_mean(name, names.iter().map(String::as_str));
                (found.map(|node| node as u32), near)
            }
        };
        found.ok_or_else(|| {
            output::error(&format!("there is no node `{name}`"));
            if let Some(near) = near {
                output::help(&near);
            }
            Exit::BadInput
        })
    }
}

pub(crate) fn run(arguments: &ReachArguments) -> Exit {
    match answer(arguments) {
        Ok(()) => Exit::Holds,
        Err(exit) => exit,
    }
}

fn answer(arguments: &ReachArguments) -> Result<(), Exit> {
    let started = Instant::now();
    let threads = arguments
        .threads
        .or_else(|| cores().map(|cores| cores.min(2)));
    let options = Options {
        algorithm: arguments.algorithm.into(),
        threads: threads.unwrap_or(1).into(),
        memory: arguments.memory.or_else(default_memory).unwrap_or(u64::MAX),
    };
    #[cfg(feature = "cluster")]
    if let (true, Some(grammar)) = (arguments.cluster.is_asked(), &arguments.grammar) {
        return on_cluster(arguments, grammar);
    }
    let is_machine = arguments.graph.extension().is_some_and(|it| it == "rsm");
    let (nodes, solution) = match (&arguments.grammar, is_machine) {
        (None, true) => machine(arguments, &options)?,
        (Some(grammar), false) => graph(arguments, grammar, &options)?,
        (Some(_), true) => {
            output::error("--grammar is for graphs: a machine has its own language");
            return Err(Exit::BadInput);
        }
        (None, false) => {
            output::error("a graph needs a language: --grammar FILE");
            output::help("for example a file with S = (a | call_i S ret_i)*;");
            return Err(Exit::BadInput);
        }
    };
    let question = Question {
        arguments,
        nodes,
        solution,
        started,
    };
    question.answer()
}

fn machine(arguments: &ReachArguments, options: &Options) -> Result<(Nodes, Solution), Exit> {
    let source = load::open(&arguments.graph)?;
    let parsed = rsm::parse(&source);
    report(&source, &parsed.diagnostics, arguments);
    let rsm = parsed.rsm.ok_or(Exit::BadInput)?;
    let context = match arguments.context {
        Which::Same => Context::Same,
        Which::Any => Context::Any,
    };
    let solution = solve_rsm(&rsm, context, options).map_err(|error| failed(&error))?;
    Ok((Nodes::Machine(rsm, context), solution))
}

fn graph(
    arguments: &ReachArguments,
    grammar: &Path,
    options: &Options,
) -> Result<(Nodes, Solution), Exit> {
    let (graph, grammar, grammar_source, mut diagnostics) = inputs(arguments, grammar)?;
    let solution = solve(&graph, &grammar, options, &mut diagnostics);
    diagnostics.sort();
    report(&grammar_source, &diagnostics, arguments);
    let solution = solution.map_err(|error| failed(&error))?;
    Ok((Nodes::Graph(graph, grammar), solution))
}

/// Reads the graph and the grammar. What there is to say about the grammar may not be all yet.
fn inputs(
    arguments: &ReachArguments,
    grammar: &Path,
) -> Result<(Graph, Grammar, Source, Diagnostics), Exit> {
    let grammar_source = load::open(grammar)?;
    let parsed = Grammar::read(&grammar_source, Notation::of(grammar));
    if parsed.grammar.is_none() {
        report(&grammar_source, &parsed.diagnostics, arguments);
    }
    let source = load::open(&arguments.graph)?;
    let read = read(&source, Layout::of(&arguments.graph));
    report(&source, &read.diagnostics, arguments);
    match (read.graph, parsed.grammar) {
        (Some(graph), Some(grammar)) => Ok((graph, grammar, grammar_source, parsed.diagnostics)),
        _ => Err(Exit::BadInput),
    }
}

#[cfg(feature = "cluster")]
fn on_cluster(arguments: &ReachArguments, grammar: &Path) -> Result<(), Exit> {
    let (graph, grammar, grammar_source, diagnostics) = inputs(arguments, grammar)?;
    report(&grammar_source, &diagnostics, arguments);
    for count in arguments
        .cluster
        .count(&graph, &grammar)?
        .unwrap_or_default()
    {
        let all = count.with_diagonal();
        let line = match arguments.format {
            Format::Text => format!("pairs: {}, with the diagonal: {all}", count.pairs),
            Format::Json => json!({ "pairs": count.pairs, "pairs_with_diagonal": all }).to_string(),
        };
        output::stdout(format!("{line}\n").as_bytes());
    }
    Ok(())
}

fn report(source: &Source, diagnostics: &Diagnostics, arguments: &ReachArguments) {
    if diagnostics.has_errors() || (!diagnostics.is_empty() && !arguments.quiet) {
        output::diagnostics(source, diagnostics);
    }
}

fn failed(error: &Error) -> Exit {
    output::error(&error.to_string());
    match error {
        Error::DoesNotApply { .. } => {
            output::help("leave out --algorithm");
            Exit::BadInput
        }
        Error::TooLarge => Exit::BadInput,
        Error::OutOfMemory(_) => {
            output::help("raise the limit with --memory");
            Exit::Unknown
        }
    }
}

struct Question<'a> {
    arguments: &'a ReachArguments,
    nodes: Nodes,
    solution: Solution,
    started: Instant,
}

impl Question<'_> {
    fn answer(&self) -> Result<(), Exit> {
        let arguments = self.arguments;
        if let Some([from, to]) = arguments.witness.as_deref() {
            return self.witness(from, to);
        }
        if let Some(path) = &arguments.out {
            return self.store(path);
        }
        match (&arguments.from, &arguments.to) {
            (None, None) => self.count(),
            (Some(from), Some(to)) => {
                let (start, end) = (self.nodes.find(from)?, self.nodes.find(to)?);
                let yes = self.solution.contains(start, end);
                self.print(
                    || if yes { "yes\n" } else { "no\n" }.to_owned(),
                    || json!({ "from": from, "to": to, "related": yes }),
                );
            }
            (Some(from), None) => {
                let list = self.solution.targets_of(self.nodes.find(from)?);
                self.list("from", from, &list);
            }
            (None, Some(to)) => {
                let list = self.solution.sources_of(self.nodes.find(to)?);
                self.list("to", to, &list);
            }
        }
        Ok(())
    }

    /// Prints an answer in the form that was asked for.
    fn print(&self, text: impl FnOnce() -> String, value: impl FnOnce() -> Value) {
        match self.arguments.format {
            Format::Text => output::stdout(text().as_bytes()),
            Format::Json => {
                let mut value = value();
                value["algorithm"] = self.solution.algorithm().name().into();
                value["model"] = self.arguments.graph.display().to_string().into();
                value["stats"] = self.stats();
                output::stdout(format!("{value}\n").as_bytes());
            }
        }
    }

    fn stats(&self) -> Value {
        json!({
            "states": self.solution.nodes(),
            "path_edges": self.solution.facts(),
            "summaries": self.solution.summaries(),
            "seconds": self.started.elapsed().as_secs_f64(),
            "peak_bytes": self.solution.bytes(),
        })
    }

    fn count(&self) {
        let count = self.solution.count();
        let all = count.with_diagonal();
        self.print(
            || format!("pairs: {}, with the diagonal: {all}\n", count.pairs),
            || json!({ "pairs": count.pairs, "pairs_with_diagonal": all }),
        );
    }

    fn list(&self, direction: &str, node: &str, list: &[u32]) {
        if self.arguments.count {
            let count = list.len();
            self.print(
                || format!("nodes: {count}\n"),
                || json!({ direction: node, "count": count }),
            );
            return;
        }
        let names: Vec<String> = list.iter().map(|&it| self.nodes.name(it)).collect();
        self.print(
            || names.iter().map(|name| format!("{name}\n")).collect(),
            || json!({ direction: node, "nodes": names }),
        );
    }

    fn store(&self, path: &Path) -> Result<(), Exit> {
        let mut count = 0u64;
        let names: Vec<String> = (0..self.solution.nodes())
            .map(|it| self.nodes.name(it))
            .collect();
        let mut write = |out: &mut dyn Write| -> io::Result<()> {
            let mut lines: Vec<u8> = Vec::new();
            self.solution.rows(|from, list| {
                lines.clear();
                for &to in list {
                    lines.extend_from_slice(names[from as usize].as_bytes());
                    lines.push(b'\t');
                    lines.extend_from_slice(names[to as usize].as_bytes());
                    lines.push(b'\n');
                }
                count += list.len() as u64;
                out.write_all(&lines)
            })
        };
        if path.as_os_str() == "-" {
            output::stdout_with(write);
            return Ok(());
        }
        convert::store_with(path, &mut write).map_err(|cause| {
            output::error(&format!("cannot write {}: {cause}", path.display()));
            Exit::BadInput
        })?;
        let name = path.display().to_string();
        self.print(
            || format!("pairs written to {name}: {count}\n"),
            || json!({ "out": name, "pairs_with_diagonal": count }),
        );
        Ok(())
    }

    fn witness(&self, from: &str, to: &str) -> Result<(), Exit> {
        let (start, end) = (self.nodes.find(from)?, self.nodes.find(to)?);
        if !self.solution.contains(start, end) {
            self.print(
                || format!("{from} is not related to {to}\n"),
                || json!({ "from": from, "to": to, "related": false }),
            );
            return Ok(());
        }
        let Some(witness) = self.solution.witness(start, end) else {
            output::error("there are no witnesses for this grammar");
            output::help("indices have to be matched in pairs of labels, such as call_i A ret_i");
            return Err(Exit::BadInput);
        };
        let replayed = match &self.nodes {
            Nodes::Graph(graph, grammar) => replay(&witness, graph, grammar, (start, end)),
            Nodes::Machine(rsm, context) => replay_rsm(&witness, rsm, *context, (start, end)),
        };
        let replayed = replayed.map_err(|error| {
            output::internal_error(&error.to_string());
            Exit::Internal
        })?;
        let witness = replayed.witness();
        self.print(
            || self.text(witness, from, to),
            || {
                json!({
                    "from": from, "to": to, "related": true,
                    "length": witness.length(), "parts": self.parts(witness),
                })
            },
        );
        Ok(())
    }

    fn text(&self, witness: &Witness, from: &str, to: &str) -> String {
        let length = match witness.length() {
            Some(length) => length.to_string(),
            None => "at least 2^64 - 1".to_owned(),
        };
        let mut text = format!("{from} to {to}, edges: {length}\n");
        for hop in witness.hops().take(MOST_HOPS) {
            let (from, to) = (self.nodes.name(hop.from), self.nodes.name(hop.to));
            let label = &witness.labels()[hop.label as usize];
            text.push_str(&format!("  {from} -{label}-> {to}\n"));
        }
        let more = witness
            .length()
            .map(|it| it.saturating_sub(MOST_HOPS as u64));
        match more {
            Some(0) => {}
            Some(more) => text.push_str(&format!("  and {more} more\n")),
            None => text.push_str("  and many more\n"),
        }
        text
    }

    /// Each part as a list of edges and numbers of other parts.
    fn parts(&self, witness: &Witness) -> Vec<Vec<Value>> {
        let step = |step: &Step| match *step {
            Step::Part(part) => json!({ "part": part }),
            Step::Edge(hop) => json!({
                "from": self.nodes.name(hop.from),
                "to": self.nodes.name(hop.to),
                "label": witness.labels()[hop.label as usize],
            }),
        };
        let parts = witness.parts().iter();
        parts.map(|part| part.iter().map(step).collect()).collect()
    }
}
