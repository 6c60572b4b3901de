//! From tokens to the system.

use recurva_model::{
    Pds,
    pds::{Control, Head, HeadSet, PdsLabel, PdsParts, StackSymbol},
};
use recurva_syntax::{Diagnostic, Diagnostics, Source, Span, did_you_mean};
use rustc_hash::FxHashMap;

use crate::{
    flat::{Alphabet, Dots, Kind, Name, Reader},
    token::clip,
};

/// Reads a system; `None` if there was an error.
pub(crate) fn parse(source: &Source) -> (Option<Pds>, Diagnostics) {
    let mut parser = Parser {
        reader: Reader::new(source, Dots::InNames),
        controls: FxHashMap::default(),
        symbols: FxHashMap::default(),
        alphabet: Alphabet::default(),
        parts: PdsParts {
            controls: Vec::new(),
            symbols: Vec::new(),
            alphabet: Vec::new(),
            rules: Vec::new(),
            initial: Head {
                control: Control(0),
                symbol: StackSymbol(0),
            },
            accept: Vec::new(),
            labels: Vec::new(),
        },
        initial: None,
        asked: Vec::new(),
        first: None,
    };
    while !parser.reader.at(Kind::End) {
        match parser.line() {
            Some(()) => parser.reader.end_of_line(),
            None => parser.reader.skip_line(),
        }
    }
    parser.finish(source)
}

/// An `accept` or `label` item, to be resolved when all rules are known.
struct Asked<'s> {
    control: Name<'s>,
    symbol: Option<Name<'s>>,
    /// The propositions; `None` for `accept`.
    names: Option<Vec<Name<'s>>>,
}

struct Parser<'s> {
    reader: Reader<'s>,
    controls: FxHashMap<&'s str, Control>,
    symbols: FxHashMap<&'s str, StackSymbol>,
    alphabet: Alphabet<'s>,
    parts: PdsParts,
    /// Where the initial configuration stands.
    initial: Option<Span>,
    asked: Vec<Asked<'s>>,
    /// The left-hand side of the first rule, for a suggestion.
    first: Option<String>,
}

impl<'s> Parser<'s> {
    fn line(&mut self) -> Option<()> {
        if self.reader.at(Kind::Open) {
            return self.initial();
        }
        let word = self.reader.text();
        // A location may have the name of a keyword.
        let is_rule = self.reader.second() == Kind::Less;
        match word {
            "accept" if !is_rule => self.accept(),
            "label" if !is_rule => self.label(),
            _ if self.reader.at(Kind::Name) => self.rule(),
            _ => {
                self.reader.unexpected("a rule", |diagnostic| {
                    diagnostic.help(
                        "a line is the initial configuration `(p <x>)`, a rule \
                         `p <x> --> q <y z>`, or begins with `accept` or `label`",
                    )
                });
                None
            }
        }
    }

    fn control(&mut self, name: Name<'s>) -> Control {
        let next = Control(self.parts.controls.len() as u32);
        let control = *self.controls.entry(name.text).or_insert(next);
        if control == next {
            self.parts.controls.push(name.text.into());
        }
        control
    }

    fn symbol(&mut self, name: Name<'s>) -> StackSymbol {
        let next = StackSymbol(self.parts.symbols.len() as u32);
        let symbol = *self.symbols.entry(name.text).or_insert(next);
        // Fresh symbols are in the list but not in the map; numbers stay unique.
        if symbol == next {
            self.parts.symbols.push(name.text.into());
        }
        symbol
    }

    /// `<x y …>`, with the place.
    fn stack(&mut self) -> Option<(Vec<Name<'s>>, Span)> {
        let open = self.reader.expect(Kind::Less, "`<`")?;
        let mut names = Vec::new();
        while let Some(name) = self.reader.eat(Kind::Name) {
            names.push(name);
            self.reader.eat(Kind::Comma);
        }
        if self.reader.eat(Kind::Greater).is_none() {
            self.reader
                .unexpected("a stack symbol or `>`", |diagnostic| {
                    diagnostic.note(open.span, "to match this `<`")
                });
            return None;
        }
        Some((names, open.span.to(self.reader.previous())))
    }

    /// `(p <x>)`
    fn initial(&mut self) -> Option<()> {
        let open = self.reader.bump();
        let control = self.reader.expect(Kind::Name, "a control location")?;
        let (word, stack) = self.stack()?;
        if self.reader.eat(Kind::Close).is_none() {
            self.reader.unexpected("`)`", |diagnostic| {
                diagnostic.note(open.span, "to match this `(`")
            });
            return None;
        }
        let span = open.span.to(self.reader.previous());
        if let Some(first) = self.initial {
            self.reader.diagnostics().report(|| {
                Diagnostic::error("there are two initial configurations", span)
                    .note(first, "the first one")
                    .help("let one location choose between them by rules")
            });
            return Some(());
        }
        self.initial = Some(span);
        if word.is_empty() {
            self.reader.diagnostics().report(|| {
                Diagnostic::error("the initial stack is empty", stack)
                    .help("no rule applies to an empty stack")
            });
            return Some(());
        }
        let control = self.control(control);
        let origin = self.reader.since(open.span);
        let symbols: Vec<StackSymbol> = word.into_iter().map(|name| self.symbol(name)).collect();
        let symbol = match symbols[..] {
            [only] => only,
            _ => {
                let start = StackSymbol(self.parts.symbols.len() as u32);
                self.parts.symbols.push("~start".into());
                let from = Head {
                    control,
                    symbol: start,
                };
                self.parts.add_rule(from, control, &symbols, None, origin);
                start
            }
        };
        self.parts.initial = Head { control, symbol };
        Some(())
    }

    /// `p <x> --> q <y z> "letter"`
    fn rule(&mut self) -> Option<()> {
        let start = self.reader.bump();
        if !self.reader.at(Kind::Less) {
            let near = did_you_mean(start.text, ["accept", "label"]);
            self.reader.unexpected("`<`", |diagnostic| match near {
                Some(near) => diagnostic.help(near),
                None => diagnostic.help("a rule is written `p <x> --> q <y z>`"),
            });
            return None;
        }
        let (left, span) = self.stack()?;
        let [top] = left[..] else {
            self.reader.diagnostics().report(|| {
                Diagnostic::error("the left-hand side of a rule has just one symbol", span)
                    .help("a rule sees only the top of the stack")
            });
            return None;
        };
        let wrong = match self.reader.text() {
            "->" => Some("a rule is written with `-->`"),
            _ => None,
        };
        if let Some(message) = wrong {
            let arrow = self.reader.bump();
            self.reader
                .diagnostics()
                .report(|| Diagnostic::error(message, arrow.span));
        } else {
            self.reader.expect(Kind::LongArrow, "`-->`")?;
        }
        let to = self.reader.expect(Kind::Name, "a control location")?;
        let (word, _) = self.stack()?;
        let letter = self.reader.eat(Kind::Text);
        let origin = self.reader.since(start.span);
        if self.reader.at(Kind::Open) {
            let span = self.reader.span();
            self.reader.diagnostics().report(|| {
                Diagnostic::error("symbolic rules cannot be read", span)
                    .help("only plain pushdown systems, without variables, are")
            });
            return None;
        }
        if self.reader.at(Kind::Name) {
            let text = clip(self.reader.text());
            self.reader.unexpected("the end of the line", |diagnostic| {
                diagnostic.help(format!("a letter stands in quotes: `\"{text}\"`"))
            });
            return None;
        }
        let from = Head {
            control: self.control(start),
            symbol: self.symbol(top),
        };
        if self.first.is_none() {
            self.first = Some(format!("({} <{}>)", start.text, top.text));
        }
        let to = self.control(to);
        let word: Vec<StackSymbol> = word.into_iter().map(|name| self.symbol(name)).collect();
        let letter = letter.and_then(|text| self.alphabet.letter(text.text.trim_matches('"')));
        self.parts.add_rule(from, to, &word, letter, origin);
        Some(())
    }

    /// `p` or `p <x>`
    fn heads(&mut self) -> Option<(Name<'s>, Option<Name<'s>>)> {
        let control = self.reader.expect(Kind::Name, "a control location")?;
        if !self.reader.at(Kind::Less) {
            return Some((control, None));
        }
        let (word, span) = self.stack()?;
        if let [symbol] = word[..] {
            return Some((control, Some(symbol)));
        }
        self.reader.diagnostics().report(|| {
            Diagnostic::error("a head has just one symbol", span)
                .help("it is a control location with the top of the stack, `p <x>`")
        });
        None
    }

    fn accept(&mut self) -> Option<()> {
        self.reader.bump();
        loop {
            let (control, symbol) = self.heads()?;
            self.asked.push(Asked {
                control,
                symbol,
                names: None,
            });
            self.reader.eat(Kind::Comma);
            if self.reader.at(Kind::Line) {
                return Some(());
            }
        }
    }

    fn label(&mut self) -> Option<()> {
        self.reader.bump();
        let (control, symbol) = self.heads()?;
        self.reader.expect(Kind::Colon, "`:`")?;
        let mut names = vec![self.reader.word("a proposition")?];
        while !self.reader.at(Kind::Line) {
            self.reader.eat(Kind::Comma);
            names.push(self.reader.word("a proposition")?);
        }
        self.asked.push(Asked {
            control,
            symbol,
            names: Some(names),
        });
        Some(())
    }

    /// What `accept` and `label` lines name must occur in the system.
    fn resolve(&mut self) {
        for asked in std::mem::take(&mut self.asked) {
            let control = self.controls.get(asked.control.text).copied();
            if control.is_none() {
                let all = self.parts.controls.iter().map(|name| &**name);
                unknown(
                    self.reader.diagnostics(),
                    "control location",
                    asked.control,
                    all,
                );
            }
            let symbol = asked.symbol.map(|name| {
                let symbol = self.symbols.get(name.text).copied();
                if symbol.is_none() {
                    let all = self.parts.symbols.iter().map(|name| &**name);
                    unknown(self.reader.diagnostics(), "stack symbol", name, all);
                }
                symbol
            });
            let (Some(control), symbol @ (None | Some(Some(_)))) = (control, symbol) else {
                continue;
            };
            let heads = HeadSet {
                control: Some(control),
                symbol: symbol.flatten(),
            };
            match asked.names {
                None => self.parts.accept.push(heads),
                Some(names) => self.parts.labels.extend(names.iter().map(|name| PdsLabel {
                    heads,
                    name: name.text.into(),
                    origin: name.origin(),
                })),
            }
        }
    }

    fn finish(mut self, source: &Source) -> (Option<Pds>, Diagnostics) {
        if !self.reader.diagnostics().has_errors() {
            self.resolve();
        }
        let first = self.first.take();
        // Only if all else is right: the line may be one that could not be read.
        if self.initial.is_none() && !self.reader.diagnostics().has_errors() {
            self.reader.diagnostics().report(|| {
                let hint = first.unwrap_or_else(|| "(p <x>)".to_owned());
                Diagnostic::error("there is no initial configuration", source.end())
                    .help(format!("add a line such as `{hint}`"))
            });
        }
        self.parts.alphabet = self.alphabet.into_list();
        let mut diagnostics = self.reader.into_diagnostics();
        if diagnostics.has_errors() {
            return (None, diagnostics);
        }
        match Pds::new(self.parts) {
            Ok(pds) => (Some(pds), diagnostics),
            Err(error) => {
                diagnostics.report(|| {
                    Diagnostic::error(format!("internal error: {error}"), Span::at(0))
                        .help("this is a mistake in Recurva; please report it with this file")
                });
                (None, diagnostics)
            }
        }
    }
}

fn unknown<'n>(
    diagnostics: &mut Diagnostics,
    what: &str,
    name: Name<'_>,
    all: impl Iterator<Item = &'n str>,
) {
    diagnostics.report(|| {
        let text = clip(name.text);
        Diagnostic::error(format!("{what} `{text}` occurs in no rule"), name.span)
            .help_if(did_you_mean(name.text, all))
    });
}
