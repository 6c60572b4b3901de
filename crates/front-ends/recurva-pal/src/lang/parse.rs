//! The parser of monitors.

use recurva_syntax::{Cursor, Diagnostic, Diagnostics, Source, Span, did_you_mean};

use super::{
    ast::{Include, Monitor, Name, Threads},
    check::check,
    declaration::declaration,
    fragment::{Tokens, balanced},
    item::{ITEMS, Items},
    token::{Bracket, CTokens, Kind},
};

/// What came of a text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The monitor; `None` if and only if there were errors.
    pub monitor: Option<Monitor>,
    /// Errors and warnings in the order of the text.
    pub diagnostics: Diagnostics,
}

/// Reads a monitor.
pub fn parse(source: &Source) -> Parsed {
    let whole = Span::new(0, source.end().end);
    let mut parser = Parser {
        cursor: Cursor::new(source, CTokens::new(source, whole)),
        monitor: Monitor::default(),
        threads: None,
    };
    while !parser.cursor.at(Kind::End) {
        parser.entry();
    }
    let Parser {
        cursor, monitor, ..
    } = parser;
    let mut diagnostics = cursor.into_diagnostics();
    if monitor.events.is_empty() && !diagnostics.has_errors() {
        diagnostics.report(|| {
            Diagnostic::error("there is no event in this file", source.end())
                .help("an event is written `event { pattern { f($?); } guard { x == 0 } }`")
        });
    }
    check(source, &monitor, &mut diagnostics);
    diagnostics.sort();
    Parsed {
        monitor: (!diagnostics.has_errors()).then_some(monitor),
        diagnostics,
    }
}

/// The words that begin an entry of the file.
const ENTRIES: [&str; 4] = ["global", "event", "monitor", "pattern"];

struct Parser<'s> {
    cursor: Tokens<'s>,
    monitor: Monitor,
    /// Where it was said how threads share the monitor.
    threads: Option<Span>,
}

impl<'s> Parser<'s> {
    fn word(&self) -> &'s str {
        match self.cursor.at(Kind::Word) {
            true => self.cursor.text(self.cursor.peek().span),
            false => "",
        }
    }

    /// Reads one entry, or skips what is none.
    fn entry(&mut self) {
        let token = self.cursor.peek();
        match token.kind {
            Kind::Include => self.include(),
            Kind::Directive => {
                self.cursor.bump();
                self.cursor.diagnostics().report(|| {
                    Diagnostic::error(
                        "of all directives only `#include` can stand here",
                        token.span,
                    )
                    .help("put the others in a header, and `#include` that")
                });
            }
            Kind::Word => match self.word() {
                "global" => {
                    self.cursor.bump();
                    let declared = declaration(&mut self.cursor, token.span);
                    self.monitor.globals.extend(declared);
                }
                "event" => self.event(),
                "monitor" => self.threads(),
                "pattern" => self.open_event(),
                "before" | "after" if self.cursor.second() == Kind::Word => self.open_event(),
                _ => self.unknown(),
            },
            _ => self.unknown(),
        }
    }

    fn include(&mut self) {
        let token = self.cursor.bump();
        let line = self.cursor.text(token.span);
        let text = line.split_once("include").map_or("", |(_, name)| name);
        let text = text.find("//").map_or(text, |at| &text[..at]).trim();
        let named = |open, close| {
            let inner = text
                .strip_prefix(open)
                .and_then(|it| it.strip_suffix(close));
            inner.is_some_and(|name: &str| !name.is_empty() && !name.contains([open, close]))
        };
        if !named('"', '"') && !named('<', '>') {
            self.cursor.diagnostics().report(|| {
                Diagnostic::error("this `#include` names no header", token.span)
                    .help("headers are named `\"rule.h\"` or `<stdio.h>`, and nothing follows")
            });
        }
        self.monitor.includes.push(Include {
            text: text.into(),
            span: token.span,
        });
    }

    fn threads(&mut self) {
        let word = self.cursor.bump();
        let threads = match self.word() {
            "locked" => Some(Threads::Locked),
            "per" => {
                self.cursor.bump();
                match self.word() {
                    "thread" => Some(Threads::PerThread),
                    "process" => Some(Threads::None),
                    _ => None,
                }
            }
            _ => None,
        };
        let Some(threads) = threads else {
            self.cursor
                .unexpected("`per thread`, `per process` or `locked`", |it| {
                    it.help("this line says how threads share the monitor: `monitor per thread;`")
                });
            return self.skip();
        };
        self.cursor.bump();
        if self.cursor.expect(Kind::Semicolon).is_none() {
            return self.skip();
        }
        if let Some(first) = self.threads.replace(word.span) {
            self.cursor.diagnostics().report(|| {
                Diagnostic::error("this was said before", word.span).note(first, "the first time")
            });
        }
        self.monitor.threads = threads;
    }

    /// An event between braces.
    fn event(&mut self) {
        let word = self.cursor.bump();
        let name = self.cursor.eat(Kind::Word).map(|token| Name {
            text: self.cursor.text(token.span).into(),
            span: token.span,
        });
        let Some(opener) = self.cursor.expect(Kind::Open(Bracket::Curly)) else {
            return self.skip();
        };
        let mut items = Items::default();
        while !items_end(&self.cursor) {
            if items.item(&mut self.cursor) {
                continue;
            }
            if self.word() == "event" {
                break;
            }
            let near = did_you_mean(self.word(), ITEMS);
            let global = self.word() == "global";
            items.broken = true;
            self.cursor.unexpected("a part of an event", |it| {
                it.help_if(near)
                    .help_if(global.then(|| "variables of an event are `local`".to_owned()))
                    .help(
                        "an event has `pattern`, `local`, `guard`, `action`, `before` and `after`",
                    )
            });
            balanced(&mut self.cursor, |kind| kind == Kind::Close(Bracket::Curly));
        }
        self.cursor
            .expect_closing(Kind::Close(Bracket::Curly), opener.span);
        let span = word.span.to(self.cursor.previous());
        self.finish(items, name, span);
    }

    /// An event without `event` and its braces.
    fn open_event(&mut self) {
        let start = self.cursor.peek().span;
        let mut items = Items::default();
        loop {
            let begins = match self.word() {
                "pattern" => true,
                "before" | "after" => self.cursor.second() == Kind::Word,
                _ => false,
            };
            if (begins && items.has_pattern()) || !items.item(&mut self.cursor) {
                break;
            }
        }
        let span = start.to(self.cursor.previous());
        if let Some(brace) = self.cursor.eat(Kind::Close(Bracket::Curly)) {
            // As the thesis prints it: the line with `event {` is missing.
            self.cursor.diagnostics().warn(|| {
                Diagnostic::warning("this `}` closes nothing", brace.span)
                    .note(Span::new(start.start, start.end), "the event begins here")
                    .help("write `event {` before it, or leave out the `}`")
            });
        }
        self.finish(items, None, span);
    }

    fn finish(&mut self, items: Items, name: Option<Name>, span: Span) {
        let number = self.monitor.events.len() + 1;
        let event = items.finish(&mut self.cursor, (name, number), span);
        self.monitor.events.extend(event);
    }

    /// Reports text that is no entry and goes on at the next one.
    fn unknown(&mut self) {
        let word = self.word();
        let inner = ITEMS.contains(&word);
        let near = did_you_mean(word, ENTRIES);
        self.cursor
            .unexpected("`global`, `event`, `monitor` or `#include`", |it| {
                it.help_if(near).help_if(
                    inner.then(|| format!("`{word}` belongs in an event: `event {{ {word} … }}`")),
                )
            });
        self.skip();
    }

    /// Goes to the next entry.
    fn skip(&mut self) {
        while !self.cursor.at(Kind::End) && !self.at_entry() {
            // What stands between braces is no entry.
            balanced(&mut self.cursor, |kind| kind != Kind::Open(Bracket::Curly));
            if !self.at_entry() {
                self.cursor.bump();
            }
        }
    }

    fn at_entry(&self) -> bool {
        let directive = matches!(self.cursor.peek().kind, Kind::Include | Kind::Directive);
        directive || ENTRIES.contains(&self.word())
    }
}

/// Whether the items of an event between braces are over.
fn items_end(cursor: &Tokens<'_>) -> bool {
    matches!(cursor.peek().kind, Kind::Close(Bracket::Curly) | Kind::End)
}
