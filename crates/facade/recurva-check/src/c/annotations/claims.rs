//! What is said about a program, and where in its units that is.

use std::rc::Rc;

use recurva_acsl::{Annotation, ClauseKind, Expression, Invariant, InvariantKind};
use recurva_c::{Kind, ast, tokens};
use recurva_cbuild::{Mark, MarkKind};
use recurva_model::Origin;
use recurva_syntax::{Diagnostic, Diagnostics, Source, Span, did_you_mean};

use super::{
    ClaimKind,
    sites::{Head, Site, SiteKind, Sites},
};
use crate::{
    Said,
    c::{Units, places::Files},
};

/// All that is said about a program by its sources, and by a witness.
#[derive(Debug, Default)]
pub(in crate::c) struct Claims {
    pub(super) list: Vec<Claim>,
    /// For each unit its sites; none if nothing is said about it.
    pub(super) units: Vec<Option<Sites>>,
    /// Places that need nodes.
    marks: Vec<Mark>,
    said: Vec<Said>,
}

/// Something that is said.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    pub(super) kind: ClaimKind,
    pub(super) expression: Rc<Expression>,
    /// The text that says it.
    pub(super) source: Source,
    /// What it says there.
    pub(super) span: Span,
    /// The same in the files of the program; of a witness what it is about.
    pub(super) place: Origin,
    pub(super) unit: usize,
    pub(super) at: At,
}

/// What something is said about.
#[derive(Clone, Debug)]
pub(super) enum At {
    /// A function.
    Function(Head, Span),
    /// A place with a mark; the offset tells which names are known.
    Mark(usize, u32),
}

impl Claims {
    /// What the sources of a program say, and a witness if there is one.
    pub(in crate::c) fn find(units: &Units, files: &mut Files, witness: Option<&Source>) -> Self {
        let mut claims = Claims {
            units: vec![None; units.texts.len()],
            ..Claims::default()
        };
        name_files(units, files);
        let mut diagnostics: Vec<Diagnostics> = Vec::new();
        let mut annotations: Vec<(usize, Vec<Annotation>)> = Vec::new();
        for (number, source) in files.all().iter().enumerate() {
            let mut of_file = Diagnostics::default();
            if recurva_acsl::has_annotations(source.text()) {
                let read = recurva_acsl::read(source);
                of_file = read.diagnostics;
                if !read.annotations.is_empty() {
                    annotations.push((number, read.annotations));
                }
            }
            diagnostics.push(of_file);
        }
        let mut of_witness = Diagnostics::default();
        let mut invariants = Vec::new();
        if let Some(witness) = witness {
            let read = recurva_acsl::witness(witness);
            of_witness = read.diagnostics;
            invariants = read.invariants;
        }
        if !annotations.is_empty() || !invariants.is_empty() {
            let places = claims.read_units(units, files);
            for (file, annotations) in annotations {
                let source = files.source(file).clone();
                let mut finder = Finder {
                    claims: &mut claims,
                    places: &places,
                    files,
                    diagnostics: &mut diagnostics[file],
                };
                annotations
                    .iter()
                    .for_each(|it| finder.annotation(file, &source, it));
            }
            if let Some(source) = witness {
                let mut finder = Finder {
                    claims: &mut claims,
                    places: &places,
                    files,
                    diagnostics: &mut of_witness,
                };
                invariants
                    .iter()
                    .for_each(|it| finder.invariant(source, it));
            }
        }
        for (number, mut list) in diagnostics.into_iter().enumerate() {
            list.sort();
            claims.say(files.source(number), list);
        }
        if let Some(source) = witness {
            of_witness.sort();
            claims.say(source, of_witness);
        }
        claims
    }

    fn say(&mut self, source: &Source, diagnostics: Diagnostics) {
        if !diagnostics.is_empty() {
            self.said.push(Said::Text(source.clone(), diagnostics));
        }
    }

    /// What is to be said about the texts.
    pub(in crate::c) fn said(&self) -> &[Said] {
        &self.said
    }

    /// The places that need nodes in a program about which this can be checked.
    pub(in crate::c) fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// The sites of all units with their places in the files.
    fn read_units(&mut self, units: &Units, files: &mut Files) -> Vec<Vec<Option<(usize, Span)>>> {
        let texts = units.preprocessed();
        let mut all = Vec::new();
        for (number, unit) in units.texts.iter().enumerate() {
            let mut places = Vec::new();
            // What cannot be read has been reported.
            if !unit.is_library
                && let Ok(tree) = ast::parse(&unit.text)
            {
                let sites = Sites::new(&tree);
                let found = sites.list.iter();
                places = found
                    .map(|site| files.place(&texts[number], first_line(&unit.text, site.span)))
                    .collect();
                self.units[number] = Some(sites);
            }
            all.push(places);
        }
        all
    }

    /// The number of a mark.
    fn mark(&mut self, mark: Mark) -> usize {
        let known = self.marks.iter().position(|it| *it == mark);
        known.unwrap_or_else(|| {
            self.marks.push(mark);
            self.marks.len() - 1
        })
    }
}

/// The first line of something: enough to find where it stands.
fn first_line(text: &[u8], span: Span) -> Span {
    let inner = text.get(span.range()).unwrap_or(b"");
    let length = inner.iter().position(|byte| *byte == b'\n');
    let length = length.unwrap_or(inner.len()) as u32;
    Span::new(span.start, span.start + length)
}

/// Makes all files known that the units name.
fn name_files(units: &Units, files: &mut Files) {
    let texts = units.preprocessed();
    for (unit, text) in units.texts.iter().zip(&texts) {
        if unit.is_library {
            continue;
        }
        for token in tokens(&unit.text) {
            if token.kind == Kind::Line {
                let behind = token.span.end.saturating_add(1).min(unit.text.len() as u32);
                files.place(text, Span::at(behind));
            }
        }
    }
}

struct Finder<'c> {
    claims: &'c mut Claims,
    /// For each unit and site its file and place there.
    places: &'c [Vec<Option<(usize, Span)>>],
    files: &'c Files,
    /// What is wrong with the text that is looked at.
    diagnostics: &'c mut Diagnostics,
}

impl Finder<'_> {
    /// The sites that follow an offset of a file: one in each unit that has the file.
    fn behind(&self, file: usize, offset: u32) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for (unit, places) in self.places.iter().enumerate() {
            let here = (0..).zip(places).filter_map(|(number, place)| {
                let (own, span) = (*place)?;
                (own == file && span.start >= offset).then_some((span.start, number))
            });
            found.extend(here.min().map(|(_, number)| (unit, number)));
        }
        found
    }

    fn site(&self, unit: usize, number: usize) -> Option<&Site> {
        self.claims.units[unit].as_ref()?.list.get(number)
    }

    fn annotation(&mut self, file: usize, source: &Source, annotation: &Annotation) {
        let sites = self.behind(file, annotation.span.end);
        let mut ignored: Vec<&str> = Vec::new();
        for clause in &annotation.clauses {
            let Some(expression) = &clause.expression else {
                if !ignored.contains(&clause.kind.words()) {
                    ignored.push(clause.kind.words());
                }
                continue;
            };
            let expression = Rc::new(expression.clone());
            let mut wrong = None;
            let mut is_placed = false;
            for &(unit, number) in &sites {
                match self.at(unit, number, clause.kind) {
                    Ok((kind, at)) => {
                        is_placed = true;
                        self.claims.list.push(Claim {
                            kind,
                            expression: Rc::clone(&expression),
                            source: source.clone(),
                            span: clause.span,
                            place: self.files.origin_of(file, clause.span),
                            unit,
                            at,
                        });
                    }
                    Err(why) => wrong = Some(why),
                }
            }
            if !is_placed {
                let text = wrong.unwrap_or("nothing that is compiled follows this annotation");
                let span = clause.span;
                let wrong = || Diagnostic::error(text, span);
                self.diagnostics.report(wrong);
            }
        }
        if !ignored.is_empty() {
            let what = ignored.join("`, `");
            self.diagnostics.warn(|| {
                let text = format!("`{what}`: read past; what changes is known from the program");
                Diagnostic::warning(text, annotation.span)
            });
        }
    }

    /// What a clause before a site is about.
    fn at(
        &mut self,
        unit: usize,
        number: usize,
        kind: ClauseKind,
    ) -> Result<(ClaimKind, At), &'static str> {
        let site = self.site(unit, number).cloned();
        let site = site.ok_or("nothing that is compiled follows this annotation")?;
        match kind {
            ClauseKind::Requires | ClauseKind::Ensures => match site.kind {
                SiteKind::Function(head) => {
                    let kind = match kind {
                        ClauseKind::Requires => ClaimKind::Requires,
                        _ => ClaimKind::Ensures,
                    };
                    Ok((kind, At::Function(head, site.span)))
                }
                _ => Err("a contract stands before a function"),
            },
            ClauseKind::LoopInvariant => {
                let found = self.inner_loop(unit, number);
                let site = found.ok_or("a loop invariant stands before a loop")?;
                let at = self.marked(unit, &site, MarkKind::LoopHead);
                Ok((ClaimKind::LoopInvariant, at))
            }
            ClauseKind::Assert | ClauseKind::Ignored(_) => match site.function {
                Some(_) => {
                    let at = self.marked(unit, &site, MarkKind::Between);
                    Ok((ClaimKind::Assertion, at))
                }
                None => Err("an assertion stands in a function"),
            },
        }
    }

    /// The loop at a site, or behind the labels there.
    fn inner_loop(&self, unit: usize, number: usize) -> Option<Site> {
        let sites = &self.claims.units[unit].as_ref()?.list;
        let mut rest = sites.get(number..)?.iter();
        let found = rest.find(|site| site.kind != SiteKind::Label)?;
        (found.kind == SiteKind::Loop).then(|| found.clone())
    }

    /// A place of a site that is to have a node.
    fn marked(&mut self, unit: usize, site: &Site, kind: MarkKind) -> At {
        let names = match kind {
            MarkKind::LoopHead => site.names,
            MarkKind::Between => site.span.start,
        };
        let mark = Mark {
            text: unit,
            offset: site.span.start,
            kind,
        };
        At::Mark(self.claims.mark(mark), names)
    }

    fn invariant(&mut self, source: &Source, invariant: &Invariant) {
        let wanted = last_part(&invariant.file);
        let files = self.files.all();
        let same = |it: &Source| last_part(it.name()) == wanted;
        let file = files.iter().position(same);
        let Some(file) = file else {
            let near = did_you_mean(wanted, files.iter().map(|it| last_part(it.name())));
            let text = format!("the program has no file `{wanted}`: this invariant is left out");
            return self.leave_out(text, invariant.span, near);
        };
        let mut is_placed = false;
        for unit in 0..self.places.len() {
            let Some(number) = self.on_line(unit, file, invariant) else {
                continue;
            };
            let Some(site) = self.site(unit, number).cloned() else {
                continue;
            };
            let kind = match invariant.kind {
                InvariantKind::Loop => MarkKind::LoopHead,
                InvariantKind::Location => MarkKind::Between,
            };
            let at = self.marked(unit, &site, kind);
            let place = self.places[unit][number];
            let place = place.map(|(file, span)| self.files.origin_of(file, span));
            is_placed = true;
            self.claims.list.push(Claim {
                kind: ClaimKind::Hint,
                expression: Rc::new(invariant.expression.clone()),
                source: source.clone(),
                span: invariant.span,
                place: place.unwrap_or_default(),
                unit,
                at,
            });
        }
        if !is_placed {
            let what = match invariant.kind {
                InvariantKind::Loop => "loop",
                InvariantKind::Location => "statement",
            };
            let line = invariant.line;
            let text = format!("no {what} begins in line {line}: this invariant is left out");
            self.leave_out(text, invariant.span, None);
        }
    }

    fn leave_out(&mut self, text: String, span: Span, help: Option<String>) {
        let warning = || Diagnostic::warning(text, span).help_if(help);
        self.diagnostics.warn(warning);
    }

    /// The site of a unit that an invariant is about: on its line, in its function, next to its column.
    fn on_line(&self, unit: usize, file: usize, invariant: &Invariant) -> Option<usize> {
        let sites = self.claims.units[unit].as_ref()?;
        let source = self.files.source(file);
        let mut found = Vec::new();
        for (number, site) in sites.list.iter().enumerate() {
            let Some((own, span)) = self.places[unit][number] else {
                continue;
            };
            let Some(function) = site.function else {
                continue;
            };
            let is_kind = match invariant.kind {
                InvariantKind::Loop => site.kind == SiteKind::Loop,
                InvariantKind::Location => true,
            };
            let wanted = invariant.function.as_deref();
            let is_function = wanted.is_none_or(|it| *sites.functions[function].name == *it);
            if own == file && is_kind && is_function {
                let (line, column) = source.line_column(span.start);
                if line == invariant.line as usize {
                    let wanted = invariant.column.unwrap_or(1) as usize;
                    // What stands behind the column is meant rather than what stands before.
                    let before = wanted.saturating_sub(1) > column;
                    found.push((before, column.abs_diff(wanted), number));
                }
            }
        }
        found.into_iter().min().map(|(_, _, number)| number)
    }
}

/// The name of a file without its folders.
fn last_part(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}
