//! Declarations: what words are made of.

use recurva_syntax::{Diagnostic, Span};

use super::{
    items::{Items, Shape},
    machine::{Channel, MAX_COUNTERS},
    reading::Read,
    token::Kind,
    variables::{Values, Variable, Variables},
};
use crate::MAX_LETTERS;

impl Items<'_, '_, '_> {
    pub(super) fn variables(&mut self, span: Span, shape: Shape) -> Read<()> {
        if self.shape.is_some() {
            let help = "there is one `process` or `control`";
            self.error("the variables are declared twice", span, Some(help.into()));
            return None;
        }
        let opener = self.cursor.expect(Kind::OpenBrace)?;
        let mut list: Vec<Variable> = Vec::new();
        while self.cursor.at(Kind::Name) || self.cursor.at(Kind::Item) {
            let token = self.cursor.bump();
            let name = self.cursor.text(token.span).to_owned();
            self.cursor.expect(Kind::Colon)?;
            let values = self.values()?;
            if let Some(other) = list.iter().find(|other| other.name == name) {
                let (message, place) = (format!("there are two variables `{name}`"), other.span);
                self.cursor
                    .diagnostics()
                    .report(|| Diagnostic::error(message, token.span).note(place, "the other one"));
                return None;
            }
            list.push(Variable {
                name,
                span: token.span,
                values,
            });
            while self.cursor.eat(Kind::Semicolon).is_some() {}
        }
        if list.is_empty() {
            self.cursor.unexpected("a variable", |d| d);
            return None;
        }
        self.cursor.expect_closing(Kind::CloseBrace, opener.span)?;
        self.variables = Variables { list };
        if let Some(both) = self.variables.name_and_value() {
            let (message, place) = (
                format!("`{}` is a variable and a value", both.name),
                both.span,
            );
            self.error(message, place, Some("give one of them another name".into()));
            return None;
        }
        self.shape = Some(shape);
        self.letters(span)
    }

    fn values(&mut self) -> Read<Values> {
        if self.cursor.text(self.cursor.peek().span) == "bool" {
            self.cursor.bump();
            return Some(Values::Bool);
        }
        if self.cursor.at(Kind::Number) && self.cursor.second() == Kind::Range {
            let low = self.number()?;
            self.cursor.bump();
            let end = self.cursor.peek().span;
            let high = self.number()?;
            if low > high || high - low >= MAX_LETTERS {
                self.error("this range has no values or too many", end, None);
                return None;
            }
            return Some(Values::Numbers(low, high));
        }
        let mut names: Vec<String> = Vec::new();
        loop {
            let token = self.cursor.peek();
            if !matches!(token.kind, Kind::Name | Kind::Number | Kind::Item) {
                self.cursor.unexpected("a value", |d| {
                    d.help("values are names, `bool`, or a range such as `0..3`")
                });
                return None;
            }
            self.cursor.bump();
            let name = self.cursor.text(token.span).to_owned();
            if names.contains(&name) {
                self.error(
                    format!("the value `{name}` is there twice"),
                    token.span,
                    None,
                );
                return None;
            }
            names.push(name);
            if self.cursor.eat(Kind::Comma).is_none() {
                return Some(Values::Names(names));
            }
        }
    }

    fn number(&mut self) -> Read<u32> {
        let token = self.cursor.expect(Kind::Number)?;
        let number = self.cursor.text(token.span).parse().ok();
        if number.is_none() {
            self.error("this number is too large", token.span, None);
        }
        number
    }

    fn machine(&mut self, span: Span) -> Read<()> {
        if self.shape(span)? == Shape::Processes {
            let help = "declare the control states with `control { … }` instead of `process`";
            self.error(
                "channels and counters go with control states",
                span,
                Some(help.into()),
            );
            return None;
        }
        Some(())
    }

    pub(super) fn channel(&mut self, span: Span) -> Read<()> {
        self.machine(span)?;
        let token = self.cursor.expect(Kind::Name)?;
        let name = self.cursor.text(token.span).to_owned();
        self.cursor.expect(Kind::Colon)?;
        let Values::Names(messages) = self.values()? else {
            self.error("messages are names", token.span, None);
            return None;
        };
        let lossy = self.cursor.text(self.cursor.peek().span) == "lossy";
        if lossy {
            self.cursor.bump();
        }
        let taken = self
            .storage
            .channels
            .iter()
            .any(|channel| channel.name == name);
        if taken || self.variables.find(&name).is_some() {
            self.error(format!("the name `{name}` is taken"), token.span, None);
            return None;
        }
        self.storage.channels.push(Channel {
            name,
            messages,
            lossy,
        });
        self.letters(span)
    }

    pub(super) fn counters(&mut self, span: Span) -> Read<()> {
        self.machine(span)?;
        loop {
            let token = self.cursor.expect(Kind::Name)?;
            let name = self.cursor.text(token.span).to_owned();
            let channel = self
                .storage
                .channels
                .iter()
                .any(|channel| channel.name == name);
            if channel
                || self.storage.counters.contains(&name)
                || self.variables.find(&name).is_some()
            {
                self.error(format!("the name `{name}` is taken"), token.span, None);
                return None;
            }
            // The others are known from here on, so that rules with them are no further mistakes.
            self.storage.counters.push(name);
            if self.storage.counters.len() == MAX_COUNTERS + 1 {
                let message = format!("there are more than {MAX_COUNTERS} counters");
                self.error(message, token.span, None);
            }
            if self.cursor.eat(Kind::Comma).is_none() {
                return self.letters(span);
            }
        }
    }
}
