//! The items of a file, one by one.

use recurva_syntax::{Cursor, Diagnostic, Source, Span, did_you_mean};

use super::{
    expressions::{Over, regular},
    formula,
    machine::{Command, MAX_COUNTERS, Storage, command},
    reading::{Read, Reader, condition},
    rules::rule,
    token::{ITEMS, Kind, Tokens},
    variables::Variables,
};
use crate::{
    ACTOR, Dfa, MAX_LETTERS, Meter, Nfa, Parsed, Relation, Stop,
    json::stem,
    live::{Fair, Requirement},
    relation::relabelled_nfa,
    system::{Action, Bad, System, Topology},
};

/// How much work a model may take to compile, if nobody else says so.
pub(crate) const WORK: u64 = 100_000_000;

/// Reads a system. One that takes too much work to compile is an error like others.
pub fn parse(source: &Source) -> Parsed<System> {
    let mut meter = Meter::new(WORK);
    let (mut parsed, stopped) = read(source, &mut meter);
    if let Some((stop, span)) = stopped {
        parsed
            .diagnostics
            .report(|| Diagnostic::error(format!("this takes too much work: {stop}"), span));
        parsed.value = None;
    }
    parsed
}

/// Reads a system, for as long as the meter lets it.
///
/// # Errors
///
/// If the meter says stop. That says nothing about the text.
pub fn compile(source: &Source, meter: &mut Meter<'_>) -> Result<Parsed<System>, Stop> {
    let level = meter.level();
    meter.progress.technique = "compiling";
    meter.look()?;
    let (parsed, stopped) = read(source, meter);
    meter.release(level);
    match stopped {
        Some((stop, _)) => Err(stop),
        None => Ok(parsed),
    }
}

/// What came of a text, and if it was not read to its end, why and where.
fn read(source: &Source, meter: &mut Meter<'_>) -> (Parsed<System>, Option<(Stop, Span)>) {
    let whole = Span::new(0, source.end().end);
    let mut items = Items {
        cursor: Cursor::new(source, Tokens::new(source, whole)),
        meter,
        stopped: None,
        held: 0,
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
    let Items {
        cursor,
        system,
        stopped,
        ..
    } = items;
    let mut diagnostics = cursor.into_diagnostics();
    diagnostics.sort();
    let parsed = Parsed {
        value: (!diagnostics.has_errors()).then_some(system),
        diagnostics,
    };
    (parsed, stopped)
}

/// What words are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// One letter for each process.
    Processes,
    /// A control state, channels and counters.
    Machine,
}

pub(super) struct Items<'s, 'm, 'w> {
    pub(super) cursor: Reader<'s>,
    meter: &'m mut Meter<'w>,
    /// Why nothing more is read, and at which item.
    stopped: Option<(Stop, Span)>,
    /// What the automata of the system take.
    held: usize,
    pub(super) variables: Variables,
    pub(super) storage: Storage,
    pub(super) shape: Option<Shape>,
    topology: Topology,
    ordered: Option<Span>,
    system: System,
    initial: Option<Span>,
    /// The names that `fair` was read with: a rule of that name would come too late.
    spoken: Vec<Span>,
}

impl Items<'_, '_, '_> {
    pub(super) fn error(&mut self, message: impl Into<String>, span: Span, help: Option<String>) {
        let message = message.into();
        self.cursor
            .diagnostics()
            .report(|| Diagnostic::error(message, span).help_if(help));
    }

    fn all(&mut self) {
        while !self.cursor.at(Kind::End) && self.stopped.is_none() {
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
        if self.is_wrong() || self.stopped.is_some() {
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
                let nfa = self.regular(Over::Steps, span)?;
                self.action(name, &nfa, None, span)?;
            }
            "rule" => self.rule(span)?,
            "bad" => {
                let name = self.name()?;
                let nfa = match self.shape(span)? {
                    Shape::Processes => self.regular(Over::Words, span)?,
                    Shape::Machine => {
                        let command = self.command()?;
                        if self.is_wrong() {
                            return self.end_of_item();
                        }
                        let words = self.storage.words(&self.variables, &command, self.meter);
                        self.done(words, span)?
                    }
                };
                let words = nfa.determinise(self.meter);
                let words = self.kept(words, span)?;
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

    /// Whether there will be no system: then nothing more is compiled, and the rest of the text is
    /// only read for its mistakes.
    fn is_wrong(&mut self) -> bool {
        self.cursor.diagnostics().has_errors()
    }

    /// The result of work that may have been too much.
    fn done<T>(&mut self, result: Result<T, Stop>, span: Span) -> Read<T> {
        match result {
            Ok(value) => Some(value),
            Err(stop) => {
                self.stopped = Some((stop, span));
                None
            }
        }
    }

    /// An automaton that the system keeps.
    fn kept(&mut self, result: Result<Dfa, Stop>, span: Span) -> Read<Dfa> {
        let dfa = self.done(result, span)?;
        let level = self.meter.level() - self.held as u64;
        self.held += dfa.bytes();
        let held = self.meter.hold(level, self.held);
        self.done(held, span)?;
        Some(dfa)
    }

    fn regular(&mut self, over: Over, span: Span) -> Read<Nfa> {
        let nfa = regular(&mut self.cursor, &self.variables, over, self.meter);
        self.done(nfa, span)?
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

    pub(super) fn shape(&mut self, span: Span) -> Read<Shape> {
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
    pub(super) fn letters(&mut self, span: Span) -> Read<()> {
        self.early(span)?;
        if self.storage.counters.len() > MAX_COUNTERS {
            return None;
        }
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

    fn initial(&mut self, span: Span) -> Read<()> {
        self.once("initial", self.initial, span)?;
        let nfa = match self.shape(span)? {
            Shape::Processes => self.regular(Over::Words, span)?,
            Shape::Machine => {
                let set = condition(&mut self.cursor, &self.variables)?;
                if self.is_wrong() {
                    self.initial = Some(span);
                    return Some(());
                }
                let losses = self.storage.losses(&self.variables);
                for (name, nfa) in losses {
                    self.action(name, &nfa, None, span)?;
                }
                self.storage.initial(&self.variables, &set)
            }
        };
        let words = nfa.determinise(self.meter);
        self.system.initial = self.kept(words, span)?;
        self.initial = Some(span);
        Some(())
    }

    fn action(&mut self, name: String, nfa: &Nfa, marked: Option<Nfa>, span: Span) -> Read<()> {
        let steps = match self.is_wrong() {
            true => Ok(Dfa::empty()),
            false => nfa.determinise(self.meter),
        };
        let relation = Relation::new(self.kept(steps, span)?);
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
            let steps = match self.is_wrong() {
                true => Ok(Nfa::empty()),
                false => self.storage.steps(&self.variables, &command, self.meter),
            };
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
        let compiled = match self.is_wrong() {
            true => Ok(Nfa::empty()),
            false => rule.compile(&self.variables, self.topology, self.meter),
        };
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
        let live = formula::live(&mut self.cursor, &self.variables, span, self.meter);
        let live = self.done(live, span)??;
        self.unique(&live.name, span)?;
        self.system.live.push(live);
        Some(())
    }
}
