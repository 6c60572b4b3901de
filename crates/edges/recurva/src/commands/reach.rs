//! `recurva reach`: pairs of nodes that paths of a language connect.

use std::{
    io,
    path::{Path, PathBuf},
    time::Instant,
};

use clap::{Args, ValueEnum};
use recurva_check::{
    Refused, open,
    reach::{Algorithm, Context, Pairs, Step, Witness},
};
use recurva_process::{
    Exit, Line,
    amounts::cores,
    files::Output,
    output::{self, Loudness},
};
use serde_json::{Value, json};

use crate::{limits::LimitArguments, options::Format};

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

    #[command(flatten)]
    pub(crate) limits: LimitArguments,

    /// The form of the answer.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Leave out warnings.
    #[arg(long, short)]
    quiet: bool,

    #[cfg(feature = "cluster")]
    #[command(flatten)]
    cluster: super::reach_cluster::ClusterArguments,
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

pub(crate) fn run(arguments: &ReachArguments) -> Exit {
    match answer(arguments) {
        Ok(()) => Exit::Holds,
        Err(exit) => exit,
    }
}

impl ReachArguments {
    fn loudness(&self) -> Loudness {
        Loudness {
            quiet: self.quiet,
            verbose: false,
        }
    }

    /// Prints why there is no answer.
    fn refused(&self, refused: &Refused) -> Exit {
        output::refused(refused, self.loudness())
    }

    /// The files that are read, none of which may be written to.
    fn inputs(&self) -> Vec<&Path> {
        let grammar = self.grammar.as_deref();
        std::iter::once(&*self.graph).chain(grammar).collect()
    }
}

fn answer(arguments: &ReachArguments) -> Result<(), Exit> {
    let started = Instant::now();
    #[cfg(feature = "cluster")]
    if let (true, Some(grammar)) = (arguments.cluster.is_asked(), &arguments.grammar) {
        return on_cluster(arguments, grammar);
    }
    let threads = arguments.threads.or_else(cores).map(|cores| cores.min(2));
    let options = recurva_check::reach::Options {
        algorithm: arguments.algorithm.into(),
        threads: threads.unwrap_or(1).into(),
        limits: arguments.limits.limits(),
    };
    let mut line = Line::new(arguments.quiet);
    let pairs = pairs(arguments, &options, &mut line);
    drop(line);
    let (pairs, said) = pairs.map_err(|refused| arguments.refused(&refused))?;
    output::said(&said, arguments.loudness());
    let question = Question {
        arguments,
        pairs,
        started,
    };
    question.answer()
}

fn pairs(
    arguments: &ReachArguments,
    options: &recurva_check::reach::Options,
    line: &mut Line,
) -> Result<(Pairs, Vec<recurva_check::Said>), Refused> {
    let graph = open(&arguments.graph)?;
    match &arguments.grammar {
        Some(grammar) => Pairs::of_graph(&graph, &open(grammar)?, options, line),
        None => {
            let context = match arguments.context {
                Which::Same => Context::Same,
                Which::Any => Context::Any,
            };
            Pairs::of_machine(&graph, context, options, line)
        }
    }
}

#[cfg(feature = "cluster")]
fn on_cluster(arguments: &ReachArguments, grammar: &Path) -> Result<(), Exit> {
    let refused = |refused: Refused| arguments.refused(&refused);
    let (graph, grammar) = (
        open(&arguments.graph).map_err(refused)?,
        open(grammar).map_err(refused)?,
    );
    let inputs = recurva_check::reach::read(&graph, &grammar, arguments.limits.limits(), &mut ());
    let inputs = inputs.map_err(refused)?;
    output::said(&inputs.said, arguments.loudness());
    let counts = arguments.cluster.count(&inputs.graph, &inputs.grammar)?;
    for count in counts.unwrap_or_default() {
        let all = count.with_diagonal();
        let line = match arguments.format {
            Format::Text => format!("pairs: {}, with the diagonal: {all}", count.pairs),
            Format::Json => json!({ "pairs": count.pairs, "pairs_with_diagonal": all }).to_string(),
        };
        output::stdout(format!("{line}\n").as_bytes());
    }
    Ok(())
}

struct Question<'a> {
    arguments: &'a ReachArguments,
    pairs: Pairs,
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
            (None, None) => return self.count(),
            (Some(from), Some(to)) => {
                let yes = self.pairs.contains(self.find(from)?, self.find(to)?);
                self.print(
                    || if yes { "yes\n" } else { "no\n" }.to_owned(),
                    || json!({ "from": from, "to": to, "related": yes }),
                );
            }
            (Some(from), None) => {
                let list = self.pairs.targets_of(self.find(from)?);
                self.list("from", from, &list);
            }
            (None, Some(to)) => {
                let list = self.pairs.sources_of(self.find(to)?);
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
                value["algorithm"] = self.pairs.algorithm().name().into();
                value["model"] = self.arguments.graph.display().to_string().into();
                value["stats"] = self.stats();
                output::stdout(format!("{value}\n").as_bytes());
            }
        }
    }

    fn stats(&self) -> Value {
        json!({
            "states": self.pairs.nodes(),
            "path_edges": self.pairs.facts(),
            "summaries": self.pairs.summaries(),
            "seconds": self.started.elapsed().as_secs_f64(),
            "peak_bytes": self.pairs.peak_bytes(),
        })
    }

    fn find(&self, name: &str) -> Result<u32, Exit> {
        let found = self.pairs.find(name);
        found.map_err(|refused| self.arguments.refused(&refused))
    }

    fn count(&self) -> Result<(), Exit> {
        let mut line = Line::new(self.arguments.quiet);
        let count = self.pairs.count(&mut line);
        drop(line);
        let count = count.map_err(|refused| self.arguments.refused(&refused))?;
        let all = count.with_diagonal();
        self.print(
            || format!("pairs: {}, with the diagonal: {all}\n", count.pairs),
            || json!({ "pairs": count.pairs, "pairs_with_diagonal": all }),
        );
        Ok(())
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
        let names: Vec<String> = list.iter().map(|&it| self.pairs.name(it)).collect();
        self.print(
            || names.iter().map(|name| format!("{name}\n")).collect(),
            || json!({ direction: node, "nodes": names }),
        );
    }

    fn store(&self, path: &Path) -> Result<(), Exit> {
        let mut count = 0u64;
        let names: Vec<String> = (0..self.pairs.nodes())
            .map(|it| self.pairs.name(it))
            .collect();
        let target = Output::open(path, &self.arguments.inputs())?;
        let mut line = Line::new(self.arguments.quiet);
        let mut stopped = None;
        let written = target.write_with(|out| {
            let mut lines: Vec<u8> = Vec::new();
            let give = |from: u32, list: &[u32]| {
                lines.clear();
                for &to in list {
                    lines.extend_from_slice(names[from as usize].as_bytes());
                    lines.push(b'\t');
                    lines.extend_from_slice(names[to as usize].as_bytes());
                    lines.push(b'\n');
                }
                count += list.len() as u64;
                out.write_all(&lines)
            };
            match self.pairs.rows(give, &mut line) {
                Ok(given) => given,
                Err(refused) => {
                    stopped = Some(refused);
                    // So that nothing half written stays.
                    Err(io::Error::other("a limit was hit"))
                }
            }
        });
        drop(line);
        if let Some(refused) = stopped {
            return Err(self.arguments.refused(&refused));
        }
        written?;
        if target.is_stdout() {
            return Ok(());
        }
        let name = path.display().to_string();
        self.print(
            || format!("pairs written to {name}: {count}\n"),
            || json!({ "out": name, "pairs_with_diagonal": count }),
        );
        Ok(())
    }

    fn witness(&self, from: &str, to: &str) -> Result<(), Exit> {
        let (start, end) = (self.find(from)?, self.find(to)?);
        let mut line = Line::new(self.arguments.quiet);
        let witness = self.pairs.witness(start, end, &mut line);
        drop(line);
        let Some(witness) = witness.map_err(|refused| self.arguments.refused(&refused))? else {
            self.print(
                || format!("{from} is not related to {to}\n"),
                || json!({ "from": from, "to": to, "related": false }),
            );
            return Ok(());
        };
        self.print(
            || self.text(&witness, from, to),
            || {
                json!({
                    "from": from, "to": to, "related": true,
                    "length": witness.length(), "parts": self.parts(&witness),
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
            let (from, to) = (self.pairs.name(hop.from), self.pairs.name(hop.to));
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
                "from": self.pairs.name(hop.from),
                "to": self.pairs.name(hop.to),
                "label": witness.labels()[hop.label as usize],
            }),
        };
        let parts = witness.parts().iter();
        parts.map(|part| part.iter().map(step).collect()).collect()
    }
}
