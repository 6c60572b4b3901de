//! The program that is searched: a slice, or the whole. Whatever is found is a run of the whole.

use std::{collections::HashMap, sync::Arc};

use recurva_evidence::Trace;
use recurva_model::{
    Guard, Malformed, Monitor, MonitorEdge, NodeId, Patience, Point, ProcId, Program, Stop,
};
use recurva_slice::{Dropped, Observed, Slice};

use crate::Options;

/// A program, or a slice of it.
pub(crate) struct Sliced<'p> {
    whole: &'p Program,
    slice: Option<Slice<'p>>,
}

impl<'p> Sliced<'p> {
    /// What to search if this is observed.
    pub(crate) fn new(
        whole: &'p Program,
        observed: &Observed<'_>,
        options: &Options,
        patience: &mut Patience<'_>,
    ) -> Result<Self, Stop> {
        let slice = match options.slice {
            true => Some(Slice::with_patience(whole, observed, patience)?),
            false => None,
        };
        Ok(Sliced { whole, slice })
    }

    /// The program to search.
    pub(crate) fn program(&self) -> &Program {
        match &self.slice {
            None => self.whole,
            Some(slice) => slice.program(),
        }
    }

    /// The program to search, for another thread.
    pub(crate) fn shared(&self) -> Arc<Program> {
        match &self.slice {
            None => Arc::new(self.whole.clone()),
            Some(slice) => slice.program().clone(),
        }
    }

    /// What is not in it.
    pub(crate) fn dropped(&self) -> Option<&Dropped> {
        self.slice.as_ref().map(Slice::dropped)
    }

    /// The observed nodes that are in it.
    pub(crate) fn points(&self, points: &[Point]) -> Vec<Point> {
        match &self.slice {
            None => points.to_vec(),
            Some(slice) => points.iter().filter_map(|&p| slice.point(p)).collect(),
        }
    }

    /// For each node of it that of the whole program.
    pub(crate) fn in_whole(&self) -> HashMap<Point, Point> {
        let procedures = self.whole.procedures().iter().zip(0..);
        let nodes = procedures.flat_map(|(procedure, id)| {
            (0..procedure.nodes.len() as u32).map(move |node| Point {
                procedure: ProcId(id),
                node: NodeId(node),
            })
        });
        let mut found = HashMap::new();
        for node in nodes {
            let here = match &self.slice {
                None => Some(node),
                Some(slice) => slice.point(node),
            };
            if let Some(here) = here {
                found.entry(here).or_insert(node);
            }
        }
        found
    }

    /// Observed conditions as they read in it.
    pub(crate) fn guards(&self, guards: &[Guard]) -> Vec<Guard> {
        match &self.slice {
            None => guards.to_vec(),
            Some(slice) => guards.iter().map(|guard| slice.guard(guard)).collect(),
        }
    }

    /// An observing monitor as it reads in it.
    pub(crate) fn monitor(&self, monitor: &Monitor) -> Result<Monitor, Malformed> {
        let Some(slice) = &self.slice else {
            return Ok(monitor.clone());
        };
        let edges = monitor.edges().iter().map(|edge| MonitorEdge {
            guard: slice.guard(&edge.guard),
            ..edge.clone()
        });
        Monitor::new(
            slice.program(),
            monitor.name(),
            monitor.states().to_vec(),
            monitor.initial(),
            edges.collect(),
        )
    }

    /// A run of it as a run of the whole program.
    pub(crate) fn trace(&self, trace: Trace, patience: &mut Patience<'_>) -> Result<Trace, Stop> {
        match &self.slice {
            None => Ok(trace),
            Some(slice) => slice.trace(trace, patience),
        }
    }
}
