//! The items of a file, one by one.

use recurva_syntax::{Cursor, Diagnostic, Source, Span, did_you_mean};

use super::{
    formula,
    machine::{Channel, Command, MAX_COUNTERS, Storage, command},
    reading::{Over, Read, Reader, condition, regular},
    rules::rule,
    token::{ITEMS, Kind, Tokens},
    variables::{Values, Variable, Variables},
};
use crate::{
    ACTOR, Dfa, MAX_LETTERS, Meter, Nfa, Parsed, Relation, Stop,
    json::stem,
    live::{Fair, Requirement},
    relation::relabelled_nfa,
    system::{Action, Bad, System, Topology},
};

/// How much work a model may take to compile.
const WORK: u64 = 100_000_000;

/// Reads a system.
pub fn parse(source: &Source) -> Parsed<System> {
    let whole = Span::new(0, source.end().end);
    let mut items = Items {
        cursor: Cursor::new(source, Tokens::new(source, whole)),
        meter: Meter::new(WORK),
        variables: Variables::default(),
        storage: Storage::default(),
        shape: None,
        topology: Topology::Line,
        ordered: None,
        system: System {
            name: stem(source.name()),
            letters: Vec::new(),
            initial: Dfa::empty(),
            actions: Vec::new(),
            bad: Vec::new(),
            live: Vec::new(),
            fair: Vec::new(),
        },
        initial: None,
        spoken: Vec::new(),
    };
    items.all();
    let Items { cursor, system, .. } = items;
    let mut diagnostics = cursor.into_diagnostics();
    diagnostics.sort();
    Parsed {
        value: (!diagnostics.has_errors()).then_some(system),
        diagnostics,
    }
}

/// What words are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// One letter for each process.
    Processes,
    /// A control state, channels and counters.
    Machine,
}

struct Items<'s> {
    cursor: Reader<'s>,
    meter: Meter<'static>,
    variables: Variables,
    storage: Storage,
    shape: Option<Shape>,
    topology: Topology,
    ordered: Option<Span>,
    system: System,
    initial: Option<Span>,
    /// The names that `fair` was read with: a rule of that name would come too late.
    spoken: Vec<Span>,
}

impl Items<'_> {
    fn error(&mut self, message: impl Into<String>, span: Span, help: Option<String>) {
        let message = message.into();
        self.cursor
            .diagnostics()
            .report(|| Diagnostic::error(message, span).help_if(help));
    }

    fn all(&mut self) {
        while !self.cursor.at(Kind::End) {
            let token = self.cursor.peek();
            let read = match token.kind {
                Kind::Item => {
                    self.cursor.bump();
                    self.item(token.span)
                }
                Kind::Live => {
                    self.cursor.bump();
                    self.live(token.span)
                }
                _ => {
                    let text = self.cursor.text(token.span);
                    let near = did_you_mean(text, ITEMS.iter().copied());
                    let help =
                        near.unwrap_or_else(|| format!("an item begins with {}", ITEMS.join(", ")));
                    self.cursor
                        .unexpected("an item at the start of a line", |d| d.help(help));
                    self.cursor.bump();
                    None
                }
            };
            if read.is_none() {
                self.cursor
                    .skip_until(|kind| matches!(kind, Kind::Item | Kind::Live));
            }
        }
        let end = self.cursor.source().end();
        if self.cursor.diagnostics().has_errors() {
            return;
        }
        if self.initial.is_none() {
            self.error("the system has no `initial` words", end, None);
        } else if self.system.actions.is_empty() {
            let help = "add a `transition` or a `rule`";
            self.error("the system has no steps", end, Some(help.into()));
        }
    }

    fn item(&mut self, span: Span) -> Read<()> {
        match self.cursor.text(span) {
            "system" => {
                let token = self.cursor.expect(Kind::Name)?;
                self.system.name = self.cursor.text(token.span).to_owned();
            }
            "process" => self.variables(span, Shape::Processes)?,
            "control" => self.variables(span, Shape::Machine)?,
            "channel" => self.channel(span)?,
            "counter" => self.counters(span)?,
            "topology" => {
                self.once("topology", self.ordered, span)?;
                self.early(span)?;
                self.ordered = Some(span);
                let token = self.cursor.expect(Kind::Name)?;
                self.topology = match self.cursor.text(token.span) {
                    "line" => Topology::Line,
                    "ring" => Topology::Ring,
                    other => {
                        let message = format!("`{other}` is no topology");
                        self.error(message, token.span, Some("it is `line` or `ring`".into()));
                        return None;
                    }
                };
            }
            "initial" => self.initial(span)?,
            "transition" => {
                let name = self.name()?;
                if self.shape(span)? == Shape::Machine {
                    let help = "with channels and counters steps are written as rules";
                    self.error("a transition is for processes", span, Some(help.into()));
                    return None;
                }
                let nfa = regular(&mut self.cursor, &self.variables, Over::Steps)?;
                self.action(name, &nfa, None, span)?;
            }
            "rule" => self.rule(span)?,
            "bad" => {
                let name = self.name()?;
                let nfa = match self.shape(span)? {
                    Shape::Processes => regular(&mut self.cursor, &self.variables, Over::Words)?,
                    Shape::Machine => {
                        let command = self.command()?;
                        let words = self
                            .storage
                            .words(&self.variables, &command, &mut self.meter);
                        self.done(words, span)?
                    }
                };
                let words = nfa.determinise(&mut self.meter);
                let words = self.done(words, span)?;
                let name = if name.is_empty() {
                    "bad".to_owned()
                } else {
                    name
                };
                self.unique(&name, span)?;
                self.system.bad.push(Bad { name, words });
            }
            _ => self.fair(span)?,
        }
        self.end_of_item()
    }

    fn end_of_item(&mut self) -> Read<()> {
        if matches!(self.cursor.peek().kind, Kind::Item | Kind::Live | Kind::End) {
            return Some(());
        }
        let near = did_you_mean(
            self.cursor.text(self.cursor.peek().span),
            ITEMS.iter().copied(),
        );
        let help = near.unwrap_or_else(|| "an item begins with its word on a new line".to_owned());
        self.cursor
            .unexpected("the end of the item", |d| d.help(help));
        None
    }

    /// The result of work that may have been too much.
    fn done<T>(&mut self, result: Result<T, Stop>, span: Span) -> Read<T> {
        match result {
            Ok(value) => Some(value),
            Err(stop) => {
                self.error(format!("this takes too much work: {stop}"), span, None);
                None
            }
        }
    }

    /// A name with a colon behind it, if there is one.
    fn name(&mut self) -> Read<String> {
        if self.cursor.at(Kind::Name) && self.cursor.second() == Kind::Colon {
            let token = self.cursor.bump();
            self.cursor.bump();
            return Some(self.cursor.text(token.span).to_owned());
        }
        self.cursor.eat(Kind::Colon);
        Some(String::new())
    }

    fn unique(&mut self, name: &str, span: Span) -> Read<()> {
        let bad = self.system.bad.iter().map(|bad| &bad.name);
        let known = bad.chain(self.system.live.iter().map(|live| &live.name));
        if known.into_iter().any(|other| other == name) {
            let help = "give each property a name of its own, as in `bad mutex : …`";
            self.error(
                format!("there are two properties `{name}`"),
                span,
                Some(help.into()),
            );
            return None;
        }
        Some(())
    }

    fn shape(&mut self, span: Span) -> Read<Shape> {
        if self.shape.is_none() {
            let help = "declare `process { … }` or `control { … }` first";
            self.error("the letters are not known yet", span, Some(help.into()));
        }
        self.shape
    }

    fn command(&mut self) -> Read<Command> {
        command(&mut self.cursor, &self.variables, &self.storage)
    }

    /// An item that may be there once.
    fn once(&mut self, word: &str, other: Option<Span>, span: Span) -> Read<()> {
        let Some(other) = other else {
            return Some(());
        };
        let message = format!("`{word}` is there twice");
        self.cursor
            .diagnostics()
            .report(|| Diagnostic::error(message, span).note(other, "the other one"));
        None
    }

    /// A declaration; what has been read already would not heed it.
    fn early(&mut self, span: Span) -> Read<()> {
        if !self.system.actions.is_empty() || !self.system.bad.is_empty() || self.initial.is_some()
        {
            let help = "declarations come before `initial`, `transition`, `rule` and `bad`";
            self.error(
                "it is too late for this declaration",
                span,
                Some(help.into()),
            );
            return None;
        }
        Some(())
    }

    /// Names of letters; they may not change once words have been read.
    fn letters(&mut self, span: Span) -> Read<()> {
        self.early(span)?;
        let count = match self.shape {
            Some(Shape::Machine) => self.storage.letters(&self.variables),
            _ => self.variables.letters(),
        };
        if count.is_none() {
            self.error(
                format!("there would be more than {MAX_LETTERS} letters"),
                span,
                None,
            );
            return None;
        }
        self.system.letters = match self.shape {
            Some(Shape::Machine) => self.storage.names(&self.variables),
            _ => self.variables.names(),
        };
        Some(())
    }

    fn variables(&mut self, span: Span, shape: Shape) -> Read<()> {
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

    fn channel(&mut self, span: Span) -> Read<()> {
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

    fn counters(&mut self, span: Span) -> Read<()> {
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
            self.storage.counters.push(name);
            if self.storage.counters.len() > MAX_COUNTERS {
                self.error(
                    format!("there are more than {MAX_COUNTERS} counters"),
                    token.span,
                    None,
                );
                return None;
            }
            if self.cursor.eat(Kind::Comma).is_none() {
                return self.letters(span);
            }
        }
    }

    fn initial(&mut self, span: Span) -> Read<()> {
        self.once("initial", self.initial, span)?;
        let nfa = match self.shape(span)? {
            Shape::Processes => regular(&mut self.cursor, &self.variables, Over::Words)?,
            Shape::Machine => {
                let set = condition(&mut self.cursor, &self.variables)?;
                let losses = self.storage.losses(&self.variables);
                for (name, nfa) in losses {
                    self.action(name, &nfa, None, span)?;
                }
                self.storage.initial(&self.variables, &set)
            }
        };
        let words = nfa.determinise(&mut self.meter);
        self.system.initial = self.done(words, span)?;
        self.initial = Some(span);
        Some(())
    }

    fn action(&mut self, name: String, nfa: &Nfa, marked: Option<Nfa>, span: Span) -> Read<()> {
        let steps = nfa.determinise(&mut self.meter);
        let relation = Relation::new(self.done(steps, span)?);
        self.system.actions.push(Action {
            name,
            relation,
            marked,
        });
        Some(())
    }

    fn rule(&mut self, span: Span) -> Read<()> {
        let token = self.cursor.peek().span;
        let name = self.name()?;
        if name.is_empty() {
            self.error(
                "a rule needs a name",
                token,
                Some("write `rule NAME : …`".into()),
            );
            return None;
        }
        if self.shape(span)? == Shape::Machine {
            let command = self.command()?;
            let steps = self
                .storage
                .steps(&self.variables, &command, &mut self.meter);
            let nfa = self.done(steps, span)?;
            return self.action(name, &nfa, None, span);
        }
        let mut spoken = self.spoken.iter();
        if let Some(&place) = spoken.find(|&&place| self.cursor.text(place) == name) {
            let message = format!("it is too late for a rule `{name}`");
            self.cursor.diagnostics().report(|| {
                Diagnostic::error(message, token)
                    .note(place, "read without it")
                    .help("rules come before the `fair` that names them")
            });
            return None;
        }
        let rule = rule(&mut self.cursor, &self.variables)?;
        let compiled = rule.compile(&self.variables, self.topology, &mut self.meter);
        let marked = self.done(compiled, span)?;
        let nfa = relabelled_nfa(&marked, |letter| vec![letter & !ACTOR]);
        self.action(name, &nfa, Some(marked), span)
    }

    fn fair(&mut self, span: Span) -> Read<()> {
        if self.shape(span)? == Shape::Machine {
            self.error("fairness is for processes", span, None);
            return None;
        }
        self.cursor.expect(Kind::Name)?;
        self.cursor.expect(Kind::Colon)?;
        let head = self.cursor.peek().span;
        let head_text = self.cursor.text(head);
        let requirement = match self.rules().is_empty() {
            true => {
                let set = condition(&mut self.cursor, &self.variables)?;
                if self.cursor.previous() == head {
                    self.spoken.push(head);
                }
                Requirement::Holds(set)
            }
            false => {
                let mut rules = Vec::new();
                loop {
                    let more = self.rules();
                    if more.is_empty() {
                        self.cursor.unexpected("the name of a rule", |d| d);
                        return None;
                    }
                    self.spoken.push(self.cursor.bump().span);
                    rules.extend(more);
                    if self.cursor.eat(Kind::Comma).is_none() {
                        break;
                    }
                }
                if self.cursor.previous() == head && self.variables.holds(head_text) {
                    let help = format!(
                        "write `({head_text})` for the condition, or give the rule another name"
                    );
                    let message = format!("`{head_text}` is a rule and a condition");
                    self.error(message, head, Some(help));
                    return None;
                }
                Requirement::Rule(rules)
            }
        };
        self.system.fair.push(Fair { requirement });
        Some(())
    }

    /// The rules whose name is in front.
    fn rules(&self) -> Vec<usize> {
        let text = self.cursor.text(self.cursor.peek().span);
        let actions = self.system.actions.iter().enumerate();
        let named = actions.filter(|(_, action)| action.marked.is_some() && action.name == text);
        named.map(|(at, _)| at).collect()
    }

    /// `live NAME : forall i : FORMULA`, on one line.
    fn live(&mut self, span: Span) -> Read<()> {
        if self.shape(span)? == Shape::Machine {
            let help = "a run of a channel or counter system ends when its padding is used up";
            self.error("formulas are for processes", span, Some(help.into()));
            return None;
        }
        let live = formula::live(&mut self.cursor, &self.variables, span)?;
        self.unique(&live.name, span)?;
        self.system.live.push(live);
        Some(())
    }
}
