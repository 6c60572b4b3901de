//! Nodes and labels while a graph is being read.

use recurva_syntax::{Diagnostic, Diagnostics, Span};
use rustc_hash::FxHashMap;

use crate::{
    Edge, Graph,
    meter::{Halt, Held, Meter, heap, table},
};

/// Edges so far. Nodes are kept as numbers for as long as all of them are numbers.
///
/// Callers see to it that the limits are looked at: [`Builder::fits`].
#[derive(Debug)]
pub(super) struct Builder {
    edges: Vec<Edge>,
    alone: Vec<u32>,
    texts: Option<FxHashMap<Box<str>, u32>>,
    labels: Vec<Box<str>>,
    label_index: FxHashMap<Box<str>, u32>,
    /// The label of the last edge: mostly that of the next one too.
    last: u32,
    /// All of that, but for the names.
    held: Held,
    /// What names and labels take.
    names: usize,
    names_held: Held,
}

impl Builder {
    pub(super) fn new(meter: &Meter<'_>) -> Result<Self, Halt> {
        Ok(Builder {
            edges: Vec::new(),
            alone: Vec::new(),
            texts: None,
            labels: Vec::new(),
            label_index: FxHashMap::default(),
            last: 0,
            held: meter.hold(0)?,
            names: 0,
            names_held: meter.hold(0)?,
        })
    }

    /// Makes sure that one more edge fits, with nodes and a label of its own.
    #[inline]
    pub(super) fn fits(&mut self, meter: &Meter<'_>) -> Result<(), Halt> {
        self.held.room(&mut self.edges)?;
        self.held.room(&mut self.alone)?;
        if self.names > self.names_held.bytes() {
            let entry = size_of::<(Box<str>, u32)>();
            let texts = self.texts.as_ref().map_or(0, FxHashMap::capacity);
            let tables = table(texts, entry) + table(self.label_index.capacity(), entry);
            // A table that grows is there twice for a while.
            let grown = 2 * self.names + 3 * tables;
            drop(meter.hold(grown.saturating_sub(self.names_held.bytes()))?);
            self.names_held.set(self.names + tables)?;
        }
        meter.work(1)
    }

    /// The node of a word; `None` if an error was reported.
    pub(super) fn node(
        &mut self,
        word: &str,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<u32> {
        if self.texts.is_none() {
            if let Some(number) = number(word) {
                return match u32::try_from(number) {
                    Ok(u32::MAX) | Err(_) => {
                        diagnostics.report(|| too_large(word, span));
                        None
                    }
                    Ok(number) => Some(number),
                };
            }
            if !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()) {
                diagnostics.report(|| too_large(word, span));
                return None;
            }
            self.name_numbers();
        }
        let texts = self.texts.get_or_insert_default();
        if let Some(&node) = texts.get(word) {
            return Some(node);
        }
        let node = texts.len() as u32;
        texts.insert(word.into(), node);
        self.names += heap(word.len());
        Some(node)
    }

    /// A node that is no number has come: the numbers so far become names too.
    fn name_numbers(&mut self) {
        let mut texts: FxHashMap<Box<str>, u32> = FxHashMap::default();
        let mut renamed: FxHashMap<u32, u32> = FxHashMap::default();
        let mut rename = |number: u32| {
            *renamed.entry(number).or_insert_with(|| {
                let node = texts.len() as u32;
                texts.insert(number.to_string().into(), node);
                node
            })
        };
        for edge in &mut self.edges {
            edge.from = rename(edge.from);
            edge.to = rename(edge.to);
        }
        for node in &mut self.alone {
            *node = rename(*node);
        }
        let names = texts.keys().map(|name| heap(name.len()));
        self.names += names.sum::<usize>();
        self.texts = Some(texts);
    }

    /// The number of a label.
    pub(super) fn label(&mut self, word: &str) -> u32 {
        let last = self.labels.get(self.last as usize);
        if last.is_some_and(|label| **label == *word) {
            return self.last;
        }
        self.last = match self.label_index.get(word) {
            Some(&label) => label,
            None => {
                let label = self.labels.len() as u32;
                self.labels.push(word.into());
                self.label_index.insert(word.into(), label);
                self.names += 2 * heap(word.len()) + 32;
                label
            }
        };
        self.last
    }

    /// Adds an edge.
    pub(super) fn edge(&mut self, edge: Edge) {
        self.edges.push(edge);
    }

    /// Adds a node that may have no edge.
    pub(super) fn alone(&mut self, node: u32) {
        self.alone.push(node);
    }

    /// Whether all nodes so far are numbers. A node's number may change when they no longer are.
    pub(super) fn all_numbers(&self) -> bool {
        self.texts.is_none()
    }

    /// The graph.
    pub(super) fn finish(mut self, meter: &Meter<'_>) -> Result<Graph, Halt> {
        self.edges.shrink_to_fit();
        match self.texts {
            None => Graph::of_numbers(self.labels, self.edges, &self.alone, meter),
            Some(texts) => Graph::of_texts(self.labels, self.edges, texts, meter),
        }
    }
}

/// A word of digits as a number.
pub(super) fn number(word: &str) -> Option<u64> {
    if word.is_empty() || word.len() > 18 {
        return None;
    }
    word.bytes().try_fold(0, |number: u64, byte| {
        byte.is_ascii_digit()
            .then(|| number * 10 + u64::from(byte - b'0'))
    })
}

fn too_large(word: &str, span: Span) -> Diagnostic {
    Diagnostic::error(format!("the node {word} is too large"), span)
        .label("nodes are numbers below 4294967295")
        .help("number the nodes anew, or give them names that are no numbers")
}
