//! Atoms as conditions on a program.

use std::collections::{BTreeMap, BTreeSet};

use recurva_lang::guard::{Language, Observer};
use recurva_model::{Action, Edge, Guard, GuardOp, NodeId, Point, ProcId, Program};
use recurva_syntax::{Diagnostic, Diagnostics, Source, Span, did_you_mean};

use super::Formulas;

/// What atoms speak about.
#[derive(Clone, Copy, Debug)]
pub enum Atoms<'a> {
    /// The variables, labels and procedures of a program.
    Program,
    /// The same of a program that was made from C, in the language of C.
    C,
    /// The same, and names without `@` are labels as far as there are such: for machines, which
    /// have no variables.
    Machine(MachineAtoms<'a>),
    /// The letters of a machine, each with the nodes that stand for it.
    Letters(&'a [(Box<str>, Vec<Point>)]),
}

/// What atoms of a machine mean besides the labels of its program.
#[derive(Clone, Copy, Debug, Default)]
pub struct MachineAtoms<'a> {
    /// Names of the machine that nothing is labelled with, such as a stack symbol that never comes
    /// to the top: they are never true.
    pub unseen: &'a [Box<str>],
    /// The nodes that are positions for formulas about calls, if the machine makes calls. A call that
    /// is made between two positions is made at the first, and returns to the next one behind it.
    pub nested: Option<&'a [Point]>,
}

/// Reads the atoms of formulas and automata as conditions on a program.
///
/// They are `@label`, `in(procedure)`, `call`, `ret`, `loc` and boolean expressions over globals
/// and `procedure::local`, or as [`Atoms`] says; what is wrong with them is reported at its
/// place.
#[derive(Debug)]
pub struct Resolver<'a> {
    program: &'a Program,
    atoms: Atoms<'a>,
    observer: Observer<'a>,
}

impl<'a> Resolver<'a> {
    /// A resolver for a program.
    pub fn new(program: &'a Program, atoms: Atoms<'a>) -> Self {
        Resolver {
            program,
            atoms,
            observer: Observer::in_language(
                program,
                match atoms {
                    Atoms::C => Language::C,
                    Atoms::Program | Atoms::Machine(_) | Atoms::Letters(_) => Language::Ours,
                },
            ),
        }
    }

    /// The conditions of all atoms of an arena, in their order. `source` is the one that the
    /// formulas were read from.
    pub fn all(
        &self,
        formulas: &Formulas,
        source: &Source,
        diagnostics: &mut Diagnostics,
    ) -> Option<Vec<Guard>> {
        let atoms = formulas.atoms().iter();
        // Not `collect` at once: every atom that is wrong is reported.
        let guards: Vec<Option<Guard>> = atoms
            .map(|atom| self.atom(source, atom.span, &atom.text, diagnostics))
            .collect();
        guards.into_iter().collect()
    }

    /// The condition of an atom that stands at a place of a source.
    pub fn atom(
        &self,
        source: &Source,
        place: Span,
        text: &str,
        diagnostics: &mut Diagnostics,
    ) -> Option<Guard> {
        if let Atoms::Letters(letters) = self.atoms {
            return letter(letters, text, place, diagnostics);
        }
        let program = self.program;
        let is_global = |name: &str| program.globals().iter().any(|g| *g.name == *name);
        if !is_global(text)
            && let Some(guard) = self.label(text).or_else(|| self.kind(text))
        {
            return Some(guard);
        }
        if text.starts_with("on_stack(") {
            diagnostics.report(|| {
                let message = "the atom `on_stack(…)` is not supported yet by this engine";
                Diagnostic::error(message, place)
                    .help("`in(procedure)` asks which procedure is running")
            });
            return None;
        }
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '\'');
        if matches!(self.atoms, Atoms::Machine(_))
            && text.chars().all(is_plain)
            && !matches!(text, "true" | "false" | "T" | "F" | "1" | "0")
        {
            diagnostics.report(|| self.unknown_name(text, place));
            return None;
        }
        let mut found = diagnostics.attempt();
        let guard = self.observer.parse(source, place, &mut found);
        if guard.is_none()
            && let Some(whole) = split_word(source, place).filter(|whole| is_global(whole))
        {
            diagnostics.report(|| {
                Diagnostic::error(format!("there is no global variable `{text}`"), place)
                    .help(format!("as in Spot, `{whole}` is an operator and a name; write `\"{whole}\"` for the variable"))
            });
            return None;
        }
        diagnostics.append(found);
        guard
    }

    /// A label without a mark in front, if that is allowed.
    fn label(&self, text: &str) -> Option<Guard> {
        let Atoms::Machine(machine) = self.atoms else {
            return None;
        };
        let labels = self.program.labels().iter();
        let points: Vec<Point> = labels
            .filter(|label| *label.name == *text)
            .map(|label| label.point)
            .collect();
        let is_name = !points.is_empty() || machine.unseen.iter().any(|name| **name == *text);
        is_name.then(|| at(points))
    }

    /// Says that a machine has no such name.
    fn unknown_name(&self, text: &str, place: Span) -> Diagnostic {
        let names = self.program.labels().iter().map(|label| &*label.name);
        Diagnostic::error(format!("the machine has no name `{text}`"), place)
            .help_if(did_you_mean(text, names))
    }

    /// The kind of a position: one where a call is made, one that a call returns to, or neither.
    fn kind(&self, text: &str) -> Option<Guard> {
        if !matches!(text, "call" | "ret" | "loc") {
            return None;
        }
        let (mut calls, mut returns, mut all) = (Vec::new(), Vec::new(), Vec::new());
        for (index, procedure) in self.program.procedures().iter().enumerate() {
            let point = |node| Point {
                procedure: ProcId(index as u32),
                node,
            };
            for edge in &procedure.edges {
                if matches!(edge.action, Action::Call { .. }) {
                    calls.push(point(edge.from));
                    returns.push(point(edge.to));
                }
            }
            all.extend((0..procedure.nodes.len() as u32).map(|node| point(NodeId(node))));
        }
        if let Atoms::Machine(MachineAtoms {
            nested: Some(positions),
            ..
        }) = self.atoms
        {
            calls = self.at_positions(calls, positions, |edge| (edge.to, edge.from));
            returns = self.at_positions(returns, positions, |edge| (edge.from, edge.to));
        }
        match text {
            "call" => Some(at(calls)),
            "ret" => Some(at(returns)),
            _ => {
                calls.extend(returns);
                calls.sort_unstable();
                all.retain(|point| calls.binary_search(point).is_err());
                Some(at(all))
            }
        }
    }

    /// The positions that are nearest to some nodes, in the direction that `ends` gives the edges.
    fn at_positions(
        &self,
        mut nodes: Vec<Point>,
        positions: &[Point],
        ends: impl Fn(&Edge) -> (NodeId, NodeId),
    ) -> Vec<Point> {
        let positions: BTreeSet<Point> = positions.iter().copied().collect();
        let mut between: BTreeMap<Point, Vec<Point>> = BTreeMap::new();
        for (index, procedure) in self.program.procedures().iter().enumerate() {
            let point = |node| Point {
                procedure: ProcId(index as u32),
                node,
            };
            for edge in &procedure.edges {
                let (from, to) = ends(edge);
                if matches!(edge.action, Action::Assign { .. }) && !positions.contains(&point(from))
                {
                    between.entry(point(from)).or_default().push(point(to));
                }
            }
        }
        let mut seen: BTreeSet<Point> = nodes.iter().copied().collect();
        while let Some(node) = nodes.pop() {
            let next = between.get(&node).into_iter().flatten();
            nodes.extend(next.filter(|next| seen.insert(**next)));
        }
        seen.retain(|node| positions.contains(node));
        seen.into_iter().collect()
    }
}

/// A letter of a machine.
fn letter(
    letters: &[(Box<str>, Vec<Point>)],
    text: &str,
    place: Span,
    diagnostics: &mut Diagnostics,
) -> Option<Guard> {
    let found = letters.iter().find(|(name, _)| **name == *text);
    if found.is_none() {
        diagnostics.report(|| {
            let names = || letters.iter().map(|(name, _)| &**name);
            let listed = || match letters.len() {
                0 => Some("no edge of the machine has a letter".to_owned()),
                1..=12 => Some(format!(
                    "the letters are {}",
                    names().collect::<Vec<_>>().join(", ")
                )),
                _ => None,
            };
            Diagnostic::error(format!("the machine has no letter `{text}`"), place)
                .help_if(did_you_mean(text, names()).or_else(listed))
        });
    }
    found.map(|(_, points)| at(points.clone()))
}

/// That control is at one of these points.
fn at(mut points: Vec<Point>) -> Guard {
    points.sort_unstable();
    points.dedup();
    Guard::new([GuardOp::At(points.into())])
}

/// The word that the letters `F`, `G` and `X` before a name make with it.
fn split_word(source: &Source, place: Span) -> Option<&str> {
    let before = source.text().get(..place.start as usize)?;
    let letters = before.len() - before.trim_end_matches(['F', 'G', 'X']).len();
    let start = place.start - letters as u32;
    (letters > 0).then(|| source.slice(Span::new(start, place.end)))
}
