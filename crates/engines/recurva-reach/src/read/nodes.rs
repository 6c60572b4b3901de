//! Nodes and labels while a graph is being read.

use recurva_syntax::{Diagnostic, Diagnostics, Span};
use rustc_hash::FxHashMap;

use crate::{Edge, Graph};

/// Edges so far. Nodes are kept as numbers for as long as all of them are numbers.
#[derive(Debug, Default)]
pub(super) struct Builder {
    edges: Vec<Edge>,
    alone: Vec<u32>,
    texts: Option<FxHashMap<Box<str>, u32>>,
    labels: Vec<Box<str>>,
    label_index: FxHashMap<Box<str>, u32>,
    /// The label of the last edge: mostly that of the next one too.
    last: u32,
}

impl Builder {
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
    pub(super) fn finish(self) -> Graph {
        match self.texts {
            None => Graph::of_numbers(self.labels, self.edges, &self.alone),
            Some(texts) => Graph::of_texts(self.labels, self.edges, texts),
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
