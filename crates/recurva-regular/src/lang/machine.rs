//! Control states with unbounded channels and counters, as words with padding: the control letter,
//! then for each channel a mark and its messages among blanks, then a mark and the counters in
//! unary notation, one above the other.

use recurva_syntax::{Diagnostic, Span, did_you_mean};

use super::{
    counters::{Difference, Track, compare},
    reading::{Change, Read, Reader, assigned_twice, change, changed, condition, letters_of, once},
    token::Kind,
    variables::{Set, Variables},
};
use crate::{Letter, MAX_LETTERS, Meter, Nfa, Stop, pair, parts};

/// How many counters there may be: each doubles the number of letters.
pub(super) const MAX_COUNTERS: usize = 6;

/// A channel.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) name: String,
    pub(super) messages: Vec<String>,
    pub(super) lossy: bool,
}

/// What there is besides the control variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Storage {
    pub(super) channels: Vec<Channel>,
    pub(super) counters: Vec<String>,
}

/// The largest number that may stand beside a counter.
const MAX_NUMBER: i64 = 64;

/// What happens to a channel.
#[derive(Clone, Copy, Debug)]
enum Message {
    Send(usize),
    Receive(usize),
}

/// A guarded command, or a condition if it has no effect.
#[derive(Clone, Debug)]
pub(super) struct Command {
    when: Set,
    changes: Vec<Change>,
    messages: Vec<(usize, Message)>,
    tests: Vec<Difference>,
}

impl Storage {
    /// The number of the blank; the numbers of messages, marks and counters follow.
    fn blank(variables: &Variables) -> Letter {
        variables.letters().unwrap_or(0)
    }

    fn mark(variables: &Variables) -> Letter {
        Storage::blank(variables) + 1
    }

    fn message(&self, variables: &Variables, channel: usize, message: usize) -> Letter {
        let earlier: usize = self.channels[..channel]
            .iter()
            .map(|c| c.messages.len())
            .sum();
        Storage::mark(variables) + 1 + (earlier + message) as Letter
    }

    fn tracks(&self, variables: &Variables) -> Letter {
        let all: usize = self.channels.iter().map(|c| c.messages.len()).sum();
        Storage::mark(variables) + 1 + all as Letter
    }

    /// How many letters there are; `None` if there are too many.
    pub(super) fn letters(&self, variables: &Variables) -> Option<u32> {
        let counters = if self.counters.is_empty() {
            0
        } else {
            1 << self.counters.len()
        };
        variables.letters()?;
        let count = self.tracks(variables) + counters;
        (count <= MAX_LETTERS).then_some(count)
    }

    /// The names of the letters.
    pub(super) fn names(&self, variables: &Variables) -> Vec<String> {
        let mut names = variables.names();
        names.push("_".to_owned());
        names.push("#".to_owned());
        for channel in &self.channels {
            names.extend(channel.messages.iter().cloned());
        }
        if !self.counters.is_empty() {
            for bits in 0..1usize << self.counters.len() {
                let set = self
                    .counters
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| bits >> at & 1 == 1);
                let set: Vec<&str> = set.map(|(_, name)| name.as_str()).collect();
                names.push(if set.is_empty() {
                    "0".to_owned()
                } else {
                    set.join("+")
                });
            }
        }
        names
    }

    /// The words whose control is in a set and whose channels and counters are empty.
    pub(super) fn initial(&self, variables: &Variables, control: &Set) -> Nfa {
        let mut nfa = Nfa::letter(&letters_of(control).collect::<Vec<_>>());
        let mark = Nfa::letter(&[Storage::mark(variables)]);
        for _ in &self.channels {
            nfa = nfa
                .concat(&mark)
                .concat(&Nfa::letter(&[Storage::blank(variables)]).star());
        }
        if !self.counters.is_empty() {
            nfa = nfa
                .concat(&mark)
                .concat(&Nfa::letter(&[self.tracks(variables)]).star());
        }
        nfa
    }

    /// The steps of a command.
    pub(super) fn steps(
        &self,
        variables: &Variables,
        command: &Command,
        meter: &mut Meter<'_>,
    ) -> Result<Nfa, Stop> {
        let mut own: Vec<Letter> = Vec::new();
        for a in letters_of(&command.when) {
            own.extend(
                changed(variables, &command.changes, a)
                    .into_iter()
                    .map(|b| pair(a, b)),
            );
        }
        own.sort_unstable();
        own.dedup();
        let mut nfa = Nfa::letter(&own);
        for channel in 0..self.channels.len() {
            let found = command.messages.iter().find(|(c, _)| *c == channel);
            let part = self.channel(variables, channel, found.map(|(_, message)| *message));
            nfa = nfa.concat(&self.marked(variables)).concat(&part);
        }
        if !self.counters.is_empty() {
            let part = compare(
                self.counters.len(),
                self.tracks(variables),
                &command.tests,
                meter,
            )?;
            nfa = nfa.concat(&self.marked(variables)).concat(&part);
        }
        Ok(nfa)
    }

    fn marked(&self, variables: &Variables) -> Nfa {
        let mark = Storage::mark(variables);
        Nfa::letter(&[pair(mark, mark)])
    }

    /// The words that satisfy a condition.
    pub(super) fn words(
        &self,
        variables: &Variables,
        command: &Command,
        meter: &mut Meter<'_>,
    ) -> Result<Nfa, Stop> {
        let steps = self.steps(variables, command, meter)?;
        Ok(crate::relation::relabelled_nfa(&steps, |letter| {
            vec![parts(letter).0]
        }))
    }

    /// Losing any message of a lossy channel.
    pub(super) fn losses(&self, variables: &Variables) -> Vec<(String, Nfa)> {
        let mut list = Vec::new();
        for (lossy, channel) in self.channels.iter().enumerate().filter(|(_, c)| c.lossy) {
            let same = |letter| pair(letter, letter);
            let control: Vec<Letter> = (0..Storage::blank(variables)).map(same).collect();
            let mut nfa = Nfa::letter(&control);
            for other in 0..self.channels.len() {
                let any = self.channel(variables, other, None);
                let part = if other == lossy {
                    let blank = Storage::blank(variables);
                    let messages = 0..channel.messages.len();
                    let lost = messages.map(|m| pair(self.message(variables, other, m), blank));
                    any.concat(&Nfa::letter(&lost.collect::<Vec<_>>()))
                        .concat(&any)
                } else {
                    any
                };
                nfa = nfa.concat(&self.marked(variables)).concat(&part);
            }
            if !self.counters.is_empty() {
                let tracks = self.tracks(variables);
                let all: Vec<Letter> = (tracks..tracks + (1 << self.counters.len()))
                    .map(same)
                    .collect();
                nfa = nfa
                    .concat(&self.marked(variables))
                    .concat(&Nfa::letter(&all).star());
            }
            list.push((format!("lose {}", channel.name), nfa));
        }
        list
    }

    /// What a step does to a channel: messages are written behind all others and taken from the
    /// front.
    fn channel(&self, variables: &Variables, channel: usize, message: Option<Message>) -> Nfa {
        let blank = Storage::blank(variables);
        let count = self.channels[channel].messages.len();
        let mut any: Vec<Letter> = vec![pair(blank, blank)];
        any.extend((0..count).map(|m| {
            let letter = self.message(variables, channel, m);
            pair(letter, letter)
        }));
        let any = Nfa::letter(&any).star();
        let blanks = Nfa::letter(&[pair(blank, blank)]).star();
        match message {
            None => any,
            Some(Message::Send(m)) => {
                let written = pair(blank, self.message(variables, channel, m));
                any.concat(&Nfa::letter(&[written])).concat(&blanks)
            }
            Some(Message::Receive(m)) => {
                let taken = pair(self.message(variables, channel, m), blank);
                blanks.concat(&Nfa::letter(&[taken])).concat(&any)
            }
        }
    }
}

/// Reads `when …`, `if …` and `do …`.
pub(super) fn command(
    cursor: &mut Reader<'_>,
    variables: &Variables,
    storage: &Storage,
) -> Read<Command> {
    let mut command = Command {
        when: vec![true; variables.letters().unwrap_or(0) as usize],
        changes: Vec::new(),
        messages: Vec::new(),
        tests: Vec::new(),
    };
    let mut clauses = 0;
    let mut seen = Vec::new();
    while cursor.at(Kind::Name) {
        clauses += 1;
        let word = cursor.bump();
        let text = cursor.text(word.span);
        if matches!(text, "when" | "do") {
            once(cursor, &mut seen, text, word.span)?;
        }
        match text {
            "when" => command.when = condition(cursor, variables)?,
            "if" => loop {
                let test = comparison(cursor, storage)?;
                command.tests.push(test);
                if cursor.eat(Kind::Comma).is_none() && cursor.eat(Kind::And).is_none() {
                    break;
                }
            },
            "do" => loop {
                effect(cursor, variables, storage, &mut command)?;
                if cursor.eat(Kind::Comma).is_none() {
                    break;
                }
            },
            other => {
                let message = format!("`{other}` begins no part of a rule");
                cursor.diagnostics().report(|| {
                    Diagnostic::error(message, word.span)
                        .help("with channels and counters a part begins with `when`, `if` or `do`")
                });
                return None;
            }
        }
    }
    if clauses == 0 {
        cursor.unexpected("`when`, `if` or `do`", |d| d);
        return None;
    }
    Some(command)
}

fn effect(
    cursor: &mut Reader<'_>,
    variables: &Variables,
    storage: &Storage,
    command: &mut Command,
) -> Read<()> {
    let name = cursor.peek();
    let text = cursor.text(name.span);
    if let Some(channel) = storage.channels.iter().position(|c| c.name == text) {
        cursor.bump();
        let sends = match cursor.bump().kind {
            Kind::Not => true,
            Kind::Question => false,
            _ => {
                let message = format!("expected `!` or `?` behind the channel `{text}`");
                cursor.diagnostics().report(|| {
                    Diagnostic::error(message, name.span).help("`c ! m` sends and `c ? m` receives")
                });
                return None;
            }
        };
        let token = cursor.bump();
        let message = cursor.text(token.span);
        let messages = &storage.channels[channel].messages;
        let Some(found) = messages.iter().position(|m| m == message) else {
            let near = did_you_mean(message, messages.iter().map(String::as_str));
            let text = format!("`{message}` is no message of `{text}`");
            cursor
                .diagnostics()
                .report(|| Diagnostic::error(text, token.span).help_if(near));
            return None;
        };
        if command.messages.iter().any(|(c, _)| *c == channel) {
            let text = format!("a step does one thing with the channel `{text}`");
            cursor
                .diagnostics()
                .report(|| Diagnostic::error(text, name.span));
            return None;
        }
        let message = if sends {
            Message::Send(found)
        } else {
            Message::Receive(found)
        };
        command.messages.push((channel, message));
    } else if let Some(counter) = storage.counters.iter().position(|c| c == text) {
        cursor.bump();
        cursor.expect(Kind::Assign)?;
        let (track, number) = term(cursor, storage)?;
        let after = Track::After(counter);
        if command.tests.iter().any(|test| test.left == after) {
            assigned_twice(cursor, name.span);
            return None;
        }
        command.tests.push(Difference {
            left: after,
            right: track,
            order: Kind::Equal,
            number,
        });
    } else {
        change(cursor, variables, &mut command.changes)?;
    }
    Some(())
}

/// `x`, `x + 1`, `x - 1` or `3`.
fn term(cursor: &mut Reader<'_>, storage: &Storage) -> Read<(Track, i64)> {
    let token = cursor.peek();
    let text = cursor.text(token.span);
    if token.kind == Kind::Number {
        cursor.bump();
        return Some((Track::Zero, number(cursor, token.span)?));
    }
    let Some(counter) = storage.counters.iter().position(|c| c == text) else {
        let near = did_you_mean(text, storage.counters.iter().map(String::as_str));
        cursor.unexpected("a counter or a number", |d| d.help_if(near));
        return None;
    };
    cursor.bump();
    let sign = match cursor.peek().kind {
        Kind::Plus => 1,
        Kind::Minus => -1,
        _ => return Some((Track::Before(counter), 0)),
    };
    cursor.bump();
    let token = cursor.expect(Kind::Number)?;
    Some((Track::Before(counter), sign * number(cursor, token.span)?))
}

fn number(cursor: &mut Reader<'_>, span: Span) -> Read<i64> {
    let value = cursor.text(span).parse().ok().filter(|n| *n <= MAX_NUMBER);
    if value.is_none() {
        let message = format!("numbers beside counters are at most {MAX_NUMBER}");
        cursor
            .diagnostics()
            .report(|| Diagnostic::error(message, span));
    }
    value
}

/// `x + 1 <= y`.
fn comparison(cursor: &mut Reader<'_>, storage: &Storage) -> Read<Difference> {
    let (left, plus) = term(cursor, storage)?;
    let order = cursor.peek().kind;
    if !matches!(
        order,
        Kind::Equal | Kind::NotEqual | Kind::Less | Kind::AtMost | Kind::Greater | Kind::AtLeast
    ) {
        cursor.unexpected("a comparison", |d| d);
        return None;
    }
    cursor.bump();
    let (right, number) = term(cursor, storage)?;
    Some(Difference {
        left,
        right,
        order,
        number: number - plus,
    })
}
