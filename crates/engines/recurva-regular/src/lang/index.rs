//! Where the names of a system are declared and used.

use recurva_syntax::{
    Diagnostics, Index, Lexer, Source, Span, Symbol, SymbolId, SymbolKind, Token,
};
use rustc_hash::FxHashMap;

use super::token::{Kind, Tokens};

/// Where the names of a text are declared and used, as far as its tokens tell: a name means the
/// same wherever it stands. What cannot be read is left out.
pub fn index(source: &Source) -> Index {
    let mut walker = Walker {
        source,
        tokens: tokens(source),
        at: 0,
        index: Index::default(),
        names: FxHashMap::default(),
        used: Vec::new(),
    };
    walker.items();
    walker.finish()
}

fn tokens(source: &Source) -> Vec<Token<Kind>> {
    let mut lexer = Tokens::new(source, Span::new(0, source.end().end));
    let mut ignored = Diagnostics::default();
    let mut list = Vec::new();
    loop {
        let token = lexer.next_token(&mut ignored);
        if token.kind == Kind::End {
            return list;
        }
        list.push(token);
    }
}

struct Walker<'s> {
    source: &'s Source,
    tokens: Vec<Token<Kind>>,
    at: usize,
    index: Index,
    /// What a name that can be used stands for.
    names: FxHashMap<&'s str, SymbolId>,
    /// Names that are not declared where they stand.
    used: Vec<Span>,
}

impl<'s> Walker<'s> {
    fn peek(&self) -> Option<Token<Kind>> {
        self.tokens.get(self.at).copied()
    }

    fn is(&self, kind: Kind) -> bool {
        self.peek().is_some_and(|token| token.kind == kind)
    }

    fn next(&mut self) -> Option<Token<Kind>> {
        let token = self.peek()?;
        self.at += 1;
        Some(token)
    }

    /// Passes a token of that kind if it is in front.
    fn eat(&mut self, kind: Kind) -> Option<Token<Kind>> {
        match self.is(kind) {
            true => self.next(),
            false => None,
        }
    }

    fn items(&mut self) {
        while let Some(token) = self.next() {
            match token.kind {
                Kind::Item => self.item(token.span),
                Kind::Live => self.live(token.span),
                _ => {}
            }
        }
    }

    /// The end of the item in front.
    fn end(&self) -> u32 {
        let rest = self.tokens[self.at..].iter();
        let mut inside = rest.take_while(|it| !matches!(it.kind, Kind::Item | Kind::Live));
        let last = inside.by_ref().last();
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        last.or(before).map_or(0, |token| token.span.end)
    }

    fn item(&mut self, word: Span) {
        let extent = Span::new(word.start, self.end());
        match self.source.slice(word) {
            "process" | "control" => self.variables(),
            "channel" => {
                if let Some(name) = self.eat(Kind::Name) {
                    let detail = format!("channel {}", self.source.slice(name.span));
                    self.declare(name.span, extent, SymbolKind::Variable, detail, None);
                }
                self.values(extent.end);
            }
            "counter" => {
                while let Some(name) = self.eat(Kind::Name) {
                    let detail = format!("counter {}", self.source.slice(name.span));
                    self.declare(name.span, name.span, SymbolKind::Variable, detail, None);
                    self.eat(Kind::Comma);
                }
            }
            kind @ ("transition" | "rule" | "bad") => {
                let symbol = match kind {
                    "bad" => SymbolKind::Property,
                    _ => SymbolKind::Action,
                };
                let next = self.tokens.get(self.at + 1);
                let named = next.is_some_and(|it| it.kind == Kind::Colon);
                let name = if named { self.eat(Kind::Name) } else { None };
                let (place, detail) = match name {
                    Some(name) => {
                        let text = self.source.slice(name.span);
                        (name.span, format!("{kind} {text}"))
                    }
                    None => (word, kind.to_owned()),
                };
                // A property without a name goes by its word, a step by none.
                if name.is_some() || symbol == SymbolKind::Property {
                    self.declare(place, extent, symbol, detail, None);
                }
                self.rest(extent.end);
            }
            // The words of these lines are no names of ours.
            "system" | "topology" => self.skip(extent.end),
            _ => self.rest(extent.end),
        }
    }

    /// `live NAME : …`, all of it one token; a formula without a name goes by the word.
    fn live(&mut self, line: Span) {
        let text = self.source.slice(line);
        let word = Span::new(line.start, line.start + "live".len() as u32);
        let rest = text.get("live".len()..).unwrap_or_default();
        let head = rest.split_once(':').map_or("", |(head, _)| head);
        let name = head.trim();
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | ' ');
        let named = !name.is_empty() && name.chars().all(plain) && !name.starts_with("forall ");
        let start = word.end + (head.len() - head.trim_start().len()) as u32;
        let place = match named {
            true => Span::new(start, start + name.len() as u32),
            false => word,
        };
        let detail = text.to_owned();
        self.declare(place, line, SymbolKind::Property, detail, None);
    }

    /// `{ x : a, b; y : bool }`
    fn variables(&mut self) {
        if self.eat(Kind::OpenBrace).is_none() {
            return;
        }
        while let Some(name) = self.peek() {
            if !matches!(name.kind, Kind::Name | Kind::Item) {
                break;
            }
            self.at += 1;
            if self.eat(Kind::Colon).is_none() {
                break;
            }
            let from = self.at;
            while let Some(token) = self.peek() {
                let ends = matches!(token.kind, Kind::Semicolon | Kind::CloseBrace);
                let next = self.tokens.get(self.at + 1);
                let named = self.at > from && next.is_some_and(|it| it.kind == Kind::Colon);
                if ends || named {
                    break;
                }
                self.at += 1;
            }
            let values = Span::new(name.span.end, self.tokens[self.at - 1].span.end);
            let text = self.source.slice(values).trim_start_matches([':', ' ']);
            let detail = format!("{} : {text}", self.source.slice(name.span));
            let (extent, kind) = (name.span.to(values), SymbolKind::Variable);
            let variable = self.declare(name.span, extent, kind, detail, None);
            let declared: Vec<Span> = self.tokens[from..self.at]
                .iter()
                .filter(|token| matches!(token.kind, Kind::Name | Kind::Item))
                .map(|token| token.span)
                .collect();
            for value in declared {
                let text = self.source.slice(value);
                if text != "bool" {
                    let detail = format!("{text}, value of {}", self.source.slice(name.span));
                    self.declare(value, value, SymbolKind::Value, detail, Some(variable));
                }
            }
            while self.eat(Kind::Semicolon).is_some() {}
        }
    }

    /// The messages of a channel.
    fn values(&mut self, end: u32) {
        while let Some(token) = self.peek().filter(|token| token.span.end <= end) {
            self.at += 1;
            let text = self.source.slice(token.span);
            if token.kind == Kind::Name && text != "lossy" {
                let detail = format!("message {text}");
                self.declare(token.span, token.span, SymbolKind::Value, detail, None);
            }
        }
    }

    /// Notes the names up to the end of an item.
    fn rest(&mut self, end: u32) {
        while let Some(token) = self.peek().filter(|token| token.span.end <= end) {
            self.at += 1;
            if token.kind == Kind::Name {
                self.used.push(token.span);
            }
        }
    }

    fn skip(&mut self, end: u32) {
        while self.peek().is_some_and(|token| token.span.end <= end) {
            self.at += 1;
        }
    }

    fn declare(
        &mut self,
        place: Span,
        extent: Span,
        kind: SymbolKind,
        detail: String,
        parent: Option<SymbolId>,
    ) -> SymbolId {
        let source = self.source;
        let name = source.slice(place);
        let symbol = self.index.declare(Symbol {
            name: name.to_owned(),
            kind,
            place,
            extent,
            detail,
            parent,
        });
        // Properties cannot be used, and of two with one name the first counts.
        if kind != SymbolKind::Property {
            self.names.entry(name).or_insert(symbol);
        }
        symbol
    }

    fn finish(mut self) -> Index {
        for place in self.used {
            if let Some(&symbol) = self.names.get(self.source.slice(place)) {
                self.index.refer(place, symbol);
            }
        }
        self.index.finish()
    }
}
