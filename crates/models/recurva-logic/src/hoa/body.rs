//! The part behind `--BODY--`.

use recurva_syntax::{Cursor, Diagnostic, Span};
use rustc_hash::FxHashMap;

use super::{
    header::Header,
    label::{expression, set},
    read::number,
    token::{Kind, Words},
};
use crate::automaton::{Cube, Edge, Label, Letters, Marks, Tgba, Unfit};

/// More atoms than this need labels that are written.
const MOST_IMPLICIT: usize = 16;

/// The states and their edges.
#[derive(Debug, Default)]
pub(super) struct Body {
    edges: Vec<Vec<Edge>>,
    defined: FxHashMap<u32, Span>,
    /// Every place where a state is named.
    named: Vec<(u32, Span)>,
}

impl Body {
    /// Reads up to `--END--`. `None` if a state cannot be read.
    pub(super) fn read<'s>(
        cursor: &mut Cursor<'s, Words<'s>>,
        header: &Header<'s>,
        letters: &mut Letters,
    ) -> Option<Self> {
        let mut body = Body::default();
        while cursor.at(Kind::Header) {
            let token = cursor.bump();
            if cursor.text(token.span) != "State:" {
                cursor
                    .diagnostics()
                    .report(|| Diagnostic::error("expected `State:` or `--END--`", token.span));
                return None;
            }
            body.state(cursor, header, letters)?;
        }
        body.check_names(cursor, header);
        Some(body)
    }

    fn state<'s>(
        &mut self,
        cursor: &mut Cursor<'s, Words<'s>>,
        header: &Header<'s>,
        letters: &mut Letters,
    ) -> Option<()> {
        let label = label(cursor, header, letters)?;
        let (state, place) = number(cursor)?;
        cursor.eat(Kind::Text);
        let marks = marks(cursor, header)?;
        if let Some(first) = self.defined.insert(state, place) {
            cursor.diagnostics().report(|| {
                Diagnostic::error(format!("state {state} is given twice"), place)
                    .note(first, "the first time")
            });
        }
        self.named.push((state, place));
        let mut list: Vec<(Option<Label>, u32, Marks, Span)> = Vec::new();
        while matches!(cursor.peek().kind, Kind::OpenLabel | Kind::Number) {
            let own = self::label(cursor, header, letters)?;
            if let (Some(_), Some(_)) = (&own, &label) {
                let place = cursor.previous();
                cursor.diagnostics().report(|| {
                    Diagnostic::error("the state has a label, so its edges have none", place)
                });
                return None;
            }
            let (target, span) = number(cursor)?;
            if cursor.at(Kind::And) {
                cursor.unexpected("an edge or a state", |diagnostic| {
                    diagnostic.help("alternating automata cannot be read")
                });
                return None;
            }
            let own_marks = self::marks(cursor, header)?;
            self.named.push((target, span));
            list.push((
                own.or_else(|| label.clone()),
                target,
                marks | own_marks,
                span,
            ));
        }
        let edges = self.finish_edges(cursor, header, place, list)?;
        // Gaps are states without edges; absurd numbers are found when all states are known.
        let index = state as usize;
        if index < cursor.source().text().len() {
            if self.edges.len() <= index {
                self.edges.resize(index + 1, Vec::new());
            }
            self.edges[index] = edges;
        }
        Some(())
    }

    /// Gives edges without labels the letters in turn.
    fn finish_edges(
        &self,
        cursor: &mut Cursor<'_, Words<'_>>,
        header: &Header<'_>,
        place: Span,
        list: Vec<(Option<Label>, u32, Marks, Span)>,
    ) -> Option<Vec<Edge>> {
        let atoms = header.atoms.as_ref().map_or(0, Vec::len);
        let labelled = list.iter().filter(|(label, ..)| label.is_some()).count();
        let implicit = labelled == 0 && !list.is_empty();
        if labelled > 0 && labelled < list.len() {
            let bare = list.iter().find(|(label, ..)| label.is_none());
            let span = bare.map_or(place, |&(.., span)| span);
            cursor.diagnostics().report(|| {
                Diagnostic::error("this edge has no label, but others of the state have", span)
            });
            return None;
        }
        if implicit && (atoms > MOST_IMPLICIT || list.len() != 1 << atoms) {
            let found = list.len();
            cursor.diagnostics().report(|| {
                let message = if atoms > MOST_IMPLICIT {
                    format!("with more than {MOST_IMPLICIT} atoms edges need labels")
                } else {
                    format!(
                        "{} edges without labels were expected, one for each letter; there are {found}",
                        1 << atoms
                    )
                };
                Diagnostic::error(message, place)
            });
            return None;
        }
        let all = (1u64 << atoms.min(63)) - 1;
        let edges = list
            .into_iter()
            .zip(0u64..)
            .map(|((label, target, marks, _), letter)| Edge {
                target,
                marks,
                label: label.unwrap_or_else(|| {
                    Label::new([Cube {
                        positive: letter & all,
                        negative: !letter & all,
                    }])
                }),
            });
        Some(
            edges
                .filter(|edge| !edge.label.cubes().is_empty())
                .collect(),
        )
    }

    fn check_names(&self, cursor: &mut Cursor<'_, Words<'_>>, header: &Header<'_>) {
        let length = cursor.source().text().len();
        for &(state, place) in self.named.iter().chain(&header.starts) {
            let exists = match header.states {
                // A state takes more room in the text than its number says.
                Some(count) => state < count && (state as usize) < length,
                None => self.defined.contains_key(&state),
            };
            if !exists {
                cursor.diagnostics().report(|| {
                    let help = header
                        .states
                        .map(|count| format!("`States:` announces {count}"));
                    Diagnostic::error(format!("there is no state {state}"), place).help_if(help)
                });
            }
        }
    }

    /// The automaton. Several initial states become a new one with the edges of all of them.
    pub(super) fn automaton(mut self, header: &Header<'_>) -> Result<Tgba, Unfit> {
        let last = self
            .named
            .iter()
            .chain(&header.starts)
            .map(|&(state, _)| state)
            .max();
        let count = last.map_or(0, |last| last as usize + 1);
        if self.edges.len() < count {
            self.edges.resize(count, Vec::new());
        }
        let initial = match header.starts[..] {
            [(state, _)] => state,
            _ => {
                let starts = header.starts.iter();
                let edges: Vec<Edge> = starts
                    .flat_map(|&(state, _)| self.edges[state as usize].clone())
                    .collect();
                self.edges.push(edges);
                self.edges.len() as u32 - 1
            }
        };
        let atoms = header.atoms.clone().unwrap_or_default();
        Tgba::new(atoms, initial, header.sets.len() as u32, self.edges)
    }
}

/// `{0 1}`, if there is such a thing, as marks of the sets that count.
fn marks(cursor: &mut Cursor<'_, Words<'_>>, header: &Header<'_>) -> Option<Marks> {
    let Some(open) = cursor.eat(Kind::OpenMarks) else {
        return Some(0);
    };
    let mut marks = 0;
    while cursor.at(Kind::Number) {
        let (set, place) = number(cursor)?;
        if set >= header.declared {
            cursor.diagnostics().report(|| {
                Diagnostic::error(format!("there is no acceptance set {set}"), place)
                    .help(format!("`Acceptance:` declares {} sets", header.declared))
            });
            return None;
        }
        if let Ok(index) = header.sets.binary_search(&set) {
            marks |= 1 << index;
        }
    }
    cursor.expect_closing(Kind::CloseMarks, open.span)?;
    Some(marks)
}

/// More cubes than this are too much for a label.
const MOST_CUBES: usize = 1_000_000;

/// `[label]`, if there is one. The outer `None` is an error.
#[allow(
    clippy::option_option,
    reason = "an error and an absent label are different"
)]
fn label<'s>(
    cursor: &mut Cursor<'s, Words<'s>>,
    header: &Header<'s>,
    letters: &mut Letters,
) -> Option<Option<Label>> {
    let Some(open) = cursor.eat(Kind::OpenLabel) else {
        return Some(None);
    };
    let atoms = header.atoms.as_ref().map_or(0, Vec::len);
    let items = expression(cursor, Some(atoms), &header.aliases)?;
    let close = cursor.expect_closing(Kind::CloseLabel, open.span)?;
    let cubes = set(items, letters).and_then(|set| letters.cubes(set, MOST_CUBES));
    match cubes {
        Some(cubes) => Some(Some(Label::new(cubes))),
        None => {
            let place = open.span.to(close.span);
            cursor
                .diagnostics()
                .report(|| Diagnostic::error("this label is too large", place));
            None
        }
    }
}
