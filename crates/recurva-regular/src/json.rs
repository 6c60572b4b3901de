//! Models with explicit transducers in JSON, as the tool dodo and its followers write them.

use recurva_syntax::{Diagnostic, Diagnostics, Source, Span, did_you_mean};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use crate::{
    Builder, Dfa, Letter, MAX_LETTERS, Meter, Nfa, Parsed, Relation, Stop,
    lang::WORK,
    pair,
    system::{Action, Bad, System},
};

/// Reads a model. States are numbers or texts, letters texts, letters of the transducer `[a,b]`
/// or `a,b`; both spellings of the keys that are in use are known.
///
/// One that takes too much work to compile is an error like others.
pub fn parse(source: &Source) -> Parsed<System> {
    let (mut parsed, stopped) = read(source, &mut Meter::new(WORK));
    if let Some(stop) = stopped {
        let message = format!("this takes too much work: {stop}");
        let start = Span::new(0, source.end().end.min(1));
        parsed
            .diagnostics
            .report(|| Diagnostic::error(message, start));
    }
    parsed
}

/// Reads a model, for as long as the meter lets it.
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
        Some(stop) => Err(stop),
        None => Ok(parsed),
    }
}

/// What came of a text, and why it was not read to its end.
fn read(source: &Source, meter: &mut Meter<'_>) -> (Parsed<System>, Option<Stop>) {
    let mut reader = Reader {
        source,
        diagnostics: Diagnostics::default(),
        numbers: FxHashMap::default(),
        letters: Vec::new(),
    };
    let (system, stopped) = match reader.system(meter) {
        Ok(system) => (system, None),
        Err(stop) => (None, Some(stop)),
    };
    let parsed = Parsed {
        value: system.filter(|_| !reader.diagnostics.has_errors()),
        diagnostics: reader.diagnostics,
    };
    (parsed, stopped)
}

struct Reader<'s> {
    source: &'s Source,
    diagnostics: Diagnostics,
    numbers: FxHashMap<String, Letter>,
    letters: Vec<String>,
}

/// The automata of a model.
struct Automata {
    initial: Nfa,
    steps: Nfa,
    bad: Vec<(String, Nfa)>,
}

/// What the letters of an automaton are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Over {
    Letters,
    Pairs,
}

impl Reader<'_> {
    fn error(&mut self, message: String, near: &str, help: Option<String>) {
        // The parser keeps no places: the first such text is shown.
        let text = self.source.text();
        let quoted = format!("\"{near}\"");
        let found = text.find(&quoted).map(|at| (at, quoted.len()));
        let (at, length) = found.unwrap_or((0, text.len().min(1)));
        let span = Span::new(at as u32, (at + length) as u32);
        self.diagnostics
            .report(|| Diagnostic::error(message, span).help_if(help));
    }

    /// The system, unless the text is wrong.
    fn system(&mut self, meter: &mut Meter<'_>) -> Result<Option<System>, Stop> {
        let Some(automata) = self.automata() else {
            return Ok(None);
        };
        // What is wrong is not worth the work.
        if self.diagnostics.has_errors() {
            return Ok(None);
        }
        let level = meter.level();
        let mut held = 0;
        let mut smallest = |nfa: &Nfa, meter: &mut Meter<'_>| -> Result<Dfa, Stop> {
            let dfa = nfa.determinise(meter)?;
            held += dfa.bytes();
            meter.hold(level, held)?;
            Ok(dfa)
        };
        let mut bad = Vec::new();
        for (name, words) in automata.bad {
            let words = smallest(&words, meter)?;
            bad.push(Bad { name, words });
        }
        Ok(Some(System {
            name: stem(self.source.name()),
            letters: self.letters.clone(),
            initial: smallest(&automata.initial, meter)?,
            actions: vec![Action {
                name: String::new(),
                relation: Relation::new(smallest(&automata.steps, meter)?),
                marked: None,
            }],
            bad,
            live: Vec::new(),
            fair: Vec::new(),
        }))
    }

    /// The automata as they are written.
    fn automata(&mut self) -> Option<Automata> {
        let value: Value = match serde_json::from_str(self.source.text()) {
            Ok(value) => value,
            Err(error) => {
                let at = offset(self.source.text(), error.line(), error.column());
                let message = error.to_string();
                let message = message.split(" at line").next().unwrap_or_default();
                let message = format!("this is not JSON: {message}");
                self.diagnostics
                    .report(|| Diagnostic::error(message, Span::at(at)));
                return None;
            }
        };
        let Value::Object(model) = value else {
            self.error("a model is an object".into(), "", None);
            return None;
        };
        let initial = self.part(&model, "initial")?;
        let transducer = self.part(&model, "transducer")?;
        self.alphabet(&model, initial);
        if self.letters.len() as u32 > MAX_LETTERS {
            self.error(
                format!("there are more than {MAX_LETTERS} letters"),
                "alphabet",
                None,
            );
            return None;
        }
        let initial = self.automaton(initial, "initial", Over::Letters)?;
        let steps = self.automaton(transducer, "transducer", Over::Pairs)?;
        let mut bad = Vec::new();
        let none = Map::new();
        let properties = match model.get("properties") {
            Some(Value::Object(properties)) => properties,
            None => &none,
            Some(_) => {
                self.error(
                    "`properties` is an object with an automaton for each name".into(),
                    "properties",
                    None,
                );
                return None;
            }
        };
        for (name, value) in properties {
            let Value::Object(object) = value else {
                self.error(format!("the property `{name}` is no automaton"), name, None);
                continue;
            };
            if let Some(nfa) = self.automaton(object, name, Over::Letters) {
                bad.push((name.clone(), nfa));
            }
        }
        Some(Automata {
            initial,
            steps,
            bad,
        })
    }

    fn part<'v>(
        &mut self,
        model: &'v Map<String, Value>,
        key: &str,
    ) -> Option<&'v Map<String, Value>> {
        match model.get(key) {
            Some(Value::Object(object)) => Some(object),
            Some(_) => {
                self.error(format!("`{key}` is an object: an automaton"), key, None);
                None
            }
            None => {
                let near = did_you_mean(key, model.keys().map(String::as_str));
                let help = near.or(Some(
                    "a model has `alphabet`, `initial`, `transducer` and `properties`".into(),
                ));
                self.error(format!("there is no `{key}`"), "", help);
                None
            }
        }
    }

    /// The letters: those the model lists, or those its initial automaton lists or reads.
    fn alphabet(&mut self, model: &Map<String, Value>, initial: &Map<String, Value>) {
        let lists = [model.get("alphabet"), initial.get("alphabet")];
        let mut names: Vec<String> = Vec::new();
        for value in lists
            .into_iter()
            .flatten()
            .filter_map(Value::as_array)
            .flatten()
        {
            names.extend(text(value));
        }
        for edge in initial
            .get("transitions")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            if names.is_empty() || lists.iter().all(Option::is_none) {
                names.extend(edge.get("letter").and_then(text));
            }
        }
        for name in names {
            let next = self.letters.len() as Letter;
            if *self.numbers.entry(name.clone()).or_insert(next) == next {
                self.letters.push(name);
            }
        }
    }

    fn letter(&mut self, text: &str, over: Over) -> Option<Letter> {
        if over == Over::Letters {
            if let Some(&letter) = self.numbers.get(text) {
                return Some(letter);
            }
            let help = did_you_mean(text, self.letters.iter().map(String::as_str));
            self.error(format!("`{text}` is not in the alphabet"), text, help);
            return None;
        }
        let inner = text.strip_prefix('[').and_then(|t| t.strip_suffix(']'));
        let inner = inner.unwrap_or(text);
        // A letter may have a comma in it.
        let known = |part: &str| self.numbers.get(part.trim()).copied();
        let cuts = inner.match_indices(',');
        let found =
            cuts.filter_map(|(at, _)| Some(pair(known(&inner[..at])?, known(&inner[at + 1..])?)));
        let found = found.into_iter().next();
        if found.is_none() {
            let help =
                "a step of the transducer is written `[a,b]`, with two letters of the alphabet";
            self.error(
                format!("`{text}` is no pair of letters"),
                text,
                Some(help.into()),
            );
        }
        found
    }

    fn automaton(&mut self, object: &Map<String, Value>, what: &str, over: Over) -> Option<Nfa> {
        let mut states: FxHashMap<String, u32> = FxHashMap::default();
        let mut builder = Builder::default();
        let mut number = |name: String, builder: &mut Builder| {
            *states.entry(name).or_insert_with(|| builder.state(false))
        };
        let initial = first(object, &["initialStates", "initialState"]);
        let accepting = first(object, &["acceptingStates", "accepting"]);
        let (Some(initial), Some(accepting)) = (initial, accepting) else {
            let message = format!("the automaton `{what}` needs `initialStates` and `accepting`");
            self.error(message, what, None);
            return None;
        };
        for name in several(initial) {
            let state = number(name, &mut builder);
            builder.initial(state);
        }
        for name in several(accepting) {
            let state = number(name, &mut builder);
            builder.accept(state);
        }
        let Some(Value::Array(transitions)) = object.get("transitions") else {
            self.error(
                format!("the automaton `{what}` needs a list of `transitions`"),
                what,
                None,
            );
            return None;
        };
        for edge in transitions {
            let from = edge
                .get("source")
                .or_else(|| edge.get("origin"))
                .and_then(text);
            let letter = edge.get("letter").and_then(text);
            let (Some(from), Some(letter), Some(target)) = (from, letter, edge.get("target"))
            else {
                let message =
                    format!("a transition of `{what}` needs `source`, `letter` and `target`");
                self.error(message, what, None);
                continue;
            };
            let Some(letter) = self.letter(&letter, over) else {
                continue;
            };
            let from = number(from, &mut builder);
            for name in several(target) {
                let to = number(name, &mut builder);
                builder.edge(from, &[letter], to);
            }
        }
        Some(builder.finish())
    }
}

/// The first key of some that is there.
fn first<'v>(object: &'v Map<String, Value>, keys: &[&str]) -> Option<&'v Value> {
    keys.iter().find_map(|&key| object.get(key))
}

/// A number or a text as a text.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// One or several names.
fn several(value: &Value) -> Vec<String> {
    match value {
        Value::Array(list) => list.iter().filter_map(text).collect(),
        other => text(other).into_iter().collect(),
    }
}

/// Where a line and column, both from 1, are.
fn offset(text: &str, line: usize, column: usize) -> u32 {
    let start: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let at = (start + column.saturating_sub(1)).min(text.len());
    let back = (0..=at).rev().find(|&at| text.is_char_boundary(at));
    back.unwrap_or_default() as u32
}

/// The name of a file without folders and extension.
pub(crate) fn stem(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    stem.to_owned()
}
