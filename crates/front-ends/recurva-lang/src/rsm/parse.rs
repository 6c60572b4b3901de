//! From tokens to the syntax of a file.

use recurva_model::rsm::Role;
use recurva_syntax::{Diagnostic, Diagnostics, Source, did_you_mean};

use super::ast::{Component, Edge, File, Path};
use crate::flat::{Dots, Kind, Name, Reader};

const WORDS: [&str; 8] = [
    "component",
    "entry",
    "exit",
    "node",
    "box",
    "label",
    "init",
    "accept",
];

/// Reads a file.
pub(crate) fn parse(source: &Source) -> (File<'_>, Diagnostics) {
    let mut parser = Parser {
        reader: Reader::new(source, Dots::Separate),
        file: File::default(),
        orphaned: false,
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
    /// It has been said that an item belongs to no component.
    orphaned: bool,
}

impl<'s> Parser<'s> {
    /// One item; `None` if the rest of its line is to be passed.
    fn line(&mut self) -> Option<()> {
        let word = self.reader.text();
        // A vertex may have the name of a keyword.
        if !self.reader.at(Kind::Name)
            || matches!(
                self.reader.second(),
                Kind::Arrow | Kind::LongArrow | Kind::Dot
            )
        {
            return self.edge();
        }
        match word {
            "component" => self.component(),
            "entry" => self.nodes(Role::Entry),
            "exit" => self.nodes(Role::Exit),
            "node" => self.nodes(Role::Inner),
            "box" => self.boxes(),
            "label" => self.label(),
            "init" => {
                let list = self.paths("an entry such as `A1.u1`");
                self.file.init_broken |= list.is_none();
                self.file.init.extend(list?);
                Some(())
            }
            "accept" => {
                let list = self.paths("a vertex such as `A1.u3`");
                self.file.accept.extend(list?);
                Some(())
            }
            _ => {
                self.file.incomplete = true;
                self.reader.unexpected("an item", |diagnostic| {
                    diagnostic.help_if(did_you_mean(word, WORDS)).help(
                        "a line is an edge `u -> v`, or begins with `component`, `entry`, \
                         `exit`, `node`, `box`, `label`, `init` or `accept`",
                    )
                });
                None
            }
        }
    }

    /// The component that items belong to.
    fn current(&mut self, item: Name<'s>) -> Option<&mut Component<'s>> {
        if self.file.components.is_empty() && !self.orphaned {
            (self.file.incomplete, self.orphaned) = (true, true);
            self.reader.diagnostics().report(|| {
                Diagnostic::error("this belongs to no component", item.span)
                    .help("begin with a line `component NAME`")
            });
        }
        self.file.components.last_mut()
    }

    fn component(&mut self) -> Option<()> {
        self.reader.bump();
        let name = self.reader.expect(Kind::Name, "the name of a component");
        self.file.incomplete |= name.is_none();
        self.file.components.push(Component {
            name: name?,
            nodes: Vec::new(),
            boxes: Vec::new(),
            edges: Vec::new(),
            labels: Vec::new(),
        });
        Some(())
    }

    /// Names up to the end of the line, with or without commas.
    fn names(&mut self, expected: &str) -> Option<Vec<Name<'s>>> {
        let mut names = vec![self.reader.word(expected)?];
        while !self.reader.at(Kind::Line) {
            self.reader.eat(Kind::Comma);
            names.push(self.reader.word(expected)?);
        }
        Some(names)
    }

    fn nodes(&mut self, role: Role) -> Option<()> {
        let word = self.reader.bump();
        let mut names = Vec::new();
        loop {
            let Some(name) = self.reader.expect(Kind::Name, "the name of a node") else {
                self.file.incomplete = true;
                break;
            };
            names.push((name, role));
            self.reader.eat(Kind::Comma);
            if self.reader.at(Kind::Line) {
                break;
            }
        }
        self.current(word)?.nodes.extend(names);
        // What is wrong with the line has been said.
        (!self.file.incomplete).then_some(())
    }

    fn boxes(&mut self) -> Option<()> {
        let word = self.reader.bump();
        let pair = self.box_of();
        self.file.incomplete |= pair.is_none();
        let pair = pair?;
        self.current(word)?.boxes.extend(pair);
        Some(())
    }

    /// `b1 b2 : A`
    fn box_of(&mut self) -> Option<Vec<(Name<'s>, Name<'s>)>> {
        let mut boxes = vec![self.reader.expect(Kind::Name, "the name of a box")?];
        while self.reader.at(Kind::Name) || self.reader.at(Kind::Comma) {
            self.reader.eat(Kind::Comma);
            boxes.push(self.reader.expect(Kind::Name, "the name of a box")?);
        }
        if self.reader.eat(Kind::Colon).is_none() {
            self.reader.unexpected("`:`", |diagnostic| {
                diagnostic.help("a box is declared with its component: `box b1 : A2`")
            });
            return None;
        }
        let component = self.reader.expect(Kind::Name, "the name of a component")?;
        Some(boxes.into_iter().map(|name| (name, component)).collect())
    }

    fn label(&mut self) -> Option<()> {
        let word = self.reader.bump();
        let path = self.path("a vertex")?;
        self.reader.expect(Kind::Colon, "`:`")?;
        let names = self.names("a proposition")?;
        self.current(word)?.labels.push((path, names));
        Some(())
    }

    fn edge(&mut self) -> Option<()> {
        let start = self.reader.span();
        let from = self.path("an item")?;
        if self.reader.at(Kind::LongArrow) {
            let span = self.reader.span();
            self.reader.diagnostics().report(|| {
                Diagnostic::error("an edge is written with `->`", span)
                    .help("`-->` is for the rules of a pushdown system (.pds)")
            });
            return None;
        }
        self.reader.expect(Kind::Arrow, "`->`")?;
        let to = self.path("a vertex")?;
        let letter = match self.reader.eat(Kind::Colon) {
            Some(_) => Some(self.reader.word("a letter")?),
            None => None,
        };
        let edge = Edge {
            from,
            to,
            letter,
            origin: self.reader.since(start),
        };
        let item = Name {
            text: "",
            span: start.to(self.reader.previous()),
        };
        self.current(item)?.edges.push(edge);
        Some(())
    }

    /// Vertices with their components, up to the end of the line.
    fn paths(&mut self, expected: &str) -> Option<Vec<Path<'s>>> {
        self.reader.bump();
        let mut paths = vec![self.path(expected)?];
        while !self.reader.at(Kind::Line) {
            self.reader.eat(Kind::Comma);
            paths.push(self.path(expected)?);
        }
        Some(paths)
    }

    fn path(&mut self, expected: &str) -> Option<Path<'s>> {
        let first = self.reader.expect(Kind::Name, expected)?;
        let mut names = vec![first];
        while self.reader.eat(Kind::Dot).is_some() {
            names.push(self.reader.expect(Kind::Name, "a name behind the dot")?);
        }
        let span = first.span.to(self.reader.previous());
        if names.len() > 3 {
            self.reader.diagnostics().report(|| {
                Diagnostic::error("a vertex has no such name", span)
                    .help("the longest is `component.box.port`")
            });
            return None;
        }
        Some(Path { names, span })
    }
}
