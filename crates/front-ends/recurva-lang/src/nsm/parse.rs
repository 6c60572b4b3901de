//! From tokens to the items of a file.

use recurva_model::nsm::Kind as StateKind;
use recurva_syntax::{Diagnostic, Diagnostics, Source, did_you_mean};

use crate::flat::{Dots, Kind, Name, Reader};

/// A file. What could not be read has been reported and is left out.
#[derive(Debug, Default)]
pub(super) struct File<'s> {
    pub(super) states: Vec<State<'s>>,
    pub(super) init: Vec<Name<'s>>,
    pub(super) locals: Vec<[Name<'s>; 2]>,
    pub(super) calls: Vec<[Name<'s>; 2]>,
    /// Where it starts, the pending call, where it leads.
    pub(super) returns: Vec<[Name<'s>; 3]>,
    /// An `init` line could not be read: do not complain that there is none.
    pub(super) init_broken: bool,
    /// A declaration could not be read: its names would be blamed on their users.
    pub(super) incomplete: bool,
}

#[derive(Debug)]
pub(super) struct State<'s> {
    pub(super) name: Name<'s>,
    pub(super) kind: StateKind,
    pub(super) propositions: Vec<&'s str>,
}

const WORDS: [&str; 4] = ["local", "call", "return", "init"];

/// Reads a file.
pub(super) fn parse(source: &Source) -> (File<'_>, Diagnostics) {
    let mut parser = Parser {
        reader: Reader::new(source, Dots::InNames),
        file: File::default(),
    };
    while !parser.reader.at(Kind::End) {
        match parser.line() {
            Some(()) => parser.reader.end_of_line(),
            None => parser.reader.skip_line(),
        }
    }
    (parser.file, parser.reader.into_diagnostics())
}

struct Parser<'s> {
    reader: Reader<'s>,
    file: File<'s>,
}

impl<'s> Parser<'s> {
    /// One item; `None` if the rest of its line is to be passed.
    fn line(&mut self) -> Option<()> {
        if self.reader.at(Kind::Open) {
            return self.returning();
        }
        // A state may have the name of a keyword.
        let arrow = matches!(
            self.reader.second(),
            Kind::Arrow | Kind::LongArrow | Kind::CallArrow | Kind::ReturnArrow
        );
        if arrow || self.reader.at(Kind::Text) {
            return self.edge();
        }
        let word = self.reader.text();
        match word {
            "local" => self.states(StateKind::Local),
            "call" => self.states(StateKind::Call),
            "return" => self.states(StateKind::Return),
            "init" => {
                self.reader.bump();
                let name = self.reader.word("the name of a state");
                self.file.init_broken |= name.is_none();
                self.file.init.push(name?);
                Some(())
            }
            _ => {
                self.file.incomplete = true;
                self.reader.unexpected("an item", |diagnostic| {
                    diagnostic.help_if(did_you_mean(word, WORDS)).help(
                        "a line is a transition (`u -> v`, `c -call-> v`, `(u, c) -ret-> w`), \
                         or begins with `local`, `call`, `return` or `init`",
                    )
                });
                None
            }
        }
    }

    /// `local u v : p, q`
    fn states(&mut self, kind: StateKind) -> Option<()> {
        self.reader.bump();
        let read = self.declaration();
        self.file.incomplete |= read.is_none();
        let (names, propositions) = read?;
        let states = names.into_iter().map(|name| State {
            name,
            kind,
            propositions: propositions.clone(),
        });
        self.file.states.extend(states);
        Some(())
    }

    fn declaration(&mut self) -> Option<(Vec<Name<'s>>, Vec<&'s str>)> {
        let mut names = vec![self.reader.word("the name of a state")?];
        while !self.reader.at(Kind::Line) && !self.reader.at(Kind::Colon) {
            self.reader.eat(Kind::Comma);
            names.push(self.reader.word("the name of a state")?);
        }
        let mut propositions = Vec::new();
        if self.reader.eat(Kind::Colon).is_some() {
            propositions.push(self.reader.word("a proposition")?.text);
            while !self.reader.at(Kind::Line) {
                self.reader.eat(Kind::Comma);
                propositions.push(self.reader.word("a proposition")?.text);
            }
        }
        Some((names, propositions))
    }

    /// `u -> v` or `c -call-> v`
    fn edge(&mut self) -> Option<()> {
        let from = self.reader.word("an item")?;
        let arrow = self.reader.span();
        let list = if self.reader.eat(Kind::Arrow).is_some() {
            &mut self.file.locals
        } else if self.reader.eat(Kind::CallArrow).is_some() {
            &mut self.file.calls
        } else if self.reader.at(Kind::ReturnArrow) {
            let text = from.text;
            self.reader.diagnostics().report(|| {
                Diagnostic::error("a return depends on the pending call", arrow)
                    .help(format!("write it as `({text}, CALL) -ret-> TARGET`"))
            });
            return None;
        } else {
            self.reader
                .unexpected("`->` or `-call->`", |diagnostic| diagnostic);
            return None;
        };
        let to = self.reader.word("the name of a state")?;
        list.push([from, to]);
        Some(())
    }

    /// `(u, c) -ret-> w`
    fn returning(&mut self) -> Option<()> {
        self.reader.bump();
        let from = self.reader.word("the name of a state")?;
        self.reader
            .expect(Kind::Comma, "`,` and the pending call")?;
        let pending = self.reader.word("the name of a call state")?;
        self.reader.expect(Kind::Close, "`)`")?;
        self.reader.expect(Kind::ReturnArrow, "`-ret->`")?;
        let to = self.reader.word("the name of a return state")?;
        self.file.returns.push([from, pending, to]);
        Some(())
    }
}
