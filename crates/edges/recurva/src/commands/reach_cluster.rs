//! `recurva reach` on several workers and processes, behind the feature `cluster`.

use std::path::{Path, PathBuf};

use clap::Args;
use recurva_check::{
    open,
    reach::{
        Count, Edge, Grammar, Graph, NO_INDEX,
        cluster::{Change, Workers, count_on},
    },
};
use recurva_process::{
    Exit,
    output::{self, Loudness},
};

#[derive(Args, Debug)]
pub(crate) struct ClusterArguments {
    /// Count on differential dataflow with this many threads.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    workers: Option<u16>,

    /// Count on differential dataflow with a process for each line of this file, host:port.
    /// Start each of them with the same arguments and its own --process.
    #[arg(long, value_name = "HOSTS", requires = "process")]
    cluster: Option<PathBuf>,

    /// Which line of the file of --cluster this process is, from 0.
    #[arg(long, value_name = "NUMBER", requires = "cluster")]
    process: Option<u16>,

    /// Count again after each change of this file: `A from to label` adds an edge, `D` removes it.
    #[arg(long, value_name = "FILE")]
    updates: Option<PathBuf>,
}

impl ClusterArguments {
    /// Whether differential dataflow is asked for.
    pub(crate) fn is_asked(&self) -> bool {
        self.workers.is_some() || self.cluster.is_some() || self.updates.is_some()
    }

    /// The counts at the beginning and after each change; `None` if another process has them.
    pub(crate) fn count(
        &self,
        graph: &Graph,
        grammar: &Grammar,
    ) -> Result<Option<Vec<Count>>, Exit> {
        let batches = match &self.updates {
            Some(path) => updates(path, graph)?,
            None => Vec::new(),
        };
        let hosts = self.cluster.clone().zip(self.process.map(usize::from));
        let workers = Workers {
            threads: self.workers.unwrap_or(1).into(),
            hosts,
        };
        count_on(&workers, graph, grammar, &batches).map_err(|error| {
            output::error(&format!("the cluster failed: {error}"));
            Exit::Unknown
        })
    }
}

/// Each line as a batch of its own.
fn updates(path: &Path, graph: &Graph) -> Result<Vec<Vec<Change>>, Exit> {
    let refused = |refused| output::refused(&refused, Loudness::default());
    let source = open(path).map_err(refused)?;
    let mut batches = Vec::new();
    for (number, line) in source.text().lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let change = match words[..] {
            [] => continue,
            [sign @ ("A" | "D"), from, to, label] => change(graph, sign == "A", from, to, label),
            _ => None,
        };
        let Some(change) = change else {
            let name = source.name();
            output::error(&format!(
                "{name}:{}: this is no change of the graph",
                number + 1
            ));
            output::help("expected: A or D, two nodes of the graph and one of its labels");
            return Err(Exit::BadInput);
        };
        batches.push(vec![change]);
    }
    Ok(batches)
}

fn change(graph: &Graph, added: bool, from: &str, to: &str, label: &str) -> Option<Change> {
    let (from, to) = (graph.node(from)?, graph.node(to)?);
    // A label as it stands, or one such as call_7 of the graph's call_i.
    let labels = graph.labels();
    let plain = labels.iter().position(|it| **it == *label);
    let (label, index) = match plain {
        Some(place) => (place, NO_INDEX),
        None => {
            let (base, index) = label.rsplit_once('_')?;
            let indexed = format!("{base}_i");
            let place = labels.iter().position(|it| **it == *indexed)?;
            (place, index.parse().ok()?)
        }
    };
    Some(Change {
        edge: Edge {
            from,
            to,
            label: label as u32,
            index,
        },
        added,
    })
}
