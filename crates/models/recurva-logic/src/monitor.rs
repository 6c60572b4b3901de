//! Monitors, `.mon`.
//!
//! ```text
//! monitor double_lock            # several monitors may share a file
//!   init idle
//!   target error                 # reaching one of these states is the error
//!   idle -> held  when @acquire
//!   held -> idle  when @release
//!   held -> error when @acquire & (lock::id = 3)
//! ```
//!
//! One declaration or edge a line; `#` and `//` begin a comment. `repeating s1 s2` names
//! states that are an error when they come again and again. States are declared by the edges
//! that use them. Without `when` an edge can always be taken. For what may stand behind
//! `when` see [`recurva_lang::guard`].

use recurva_lang::guard::{Language, Observer};
use recurva_model::{
    Guard, GuardOp, Monitor, MonitorEdge, MonitorState, Op, Origin, Program, Type,
};
use recurva_syntax::{Diagnostic, Diagnostics, Source, Span, did_you_mean};
use rustc_hash::FxHashMap;

use crate::lines::{Line, lines};

/// What came of a text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The monitors; `None` if and only if there were errors.
    pub monitors: Option<Vec<Monitor>>,
    /// Errors and warnings in the order of the text.
    pub diagnostics: Diagnostics,
}

/// Reads the monitors of a file, which watch the given program.
pub fn parse(source: &Source, program: &Program) -> Parsed {
    parse_in(source, program, Language::Ours)
}

/// The same with guards in a language.
pub fn parse_in(source: &Source, program: &Program, language: Language) -> Parsed {
    let mut parser = Parser {
        source,
        program,
        observer: Observer::in_language(program, language),
        diagnostics: Diagnostics::default(),
        monitors: Vec::new(),
        names: FxHashMap::default(),
    };
    let mut draft: Option<Draft<'_>> = None;
    for line in lines(source) {
        parser.line(&line, &mut draft);
    }
    parser.finish(draft.take());
    let Parser {
        mut diagnostics,
        monitors,
        ..
    } = parser;
    if monitors.is_empty() && !diagnostics.has_errors() {
        diagnostics.report(|| {
            Diagnostic::error("there is no monitor in this file", source.end())
                .help("a monitor begins with a line such as `monitor name`")
        });
    }
    diagnostics.sort();
    let monitors = (!diagnostics.has_errors()).then_some(monitors);
    Parsed {
        monitors,
        diagnostics,
    }
}

/// The words that begin a line.
const WORDS: [&str; 4] = ["monitor", "init", "target", "repeating"];

struct Parser<'a> {
    source: &'a Source,
    program: &'a Program,
    observer: Observer<'a>,
    diagnostics: Diagnostics,
    monitors: Vec<Monitor>,
    /// The names of the monitors so far.
    names: FxHashMap<&'a str, Span>,
}

/// A monitor that is being read.
struct Draft<'a> {
    name: &'a str,
    place: Span,
    initial: Option<(&'a str, Span)>,
    /// States named as targets or repeating, and which.
    marks: Vec<(&'a str, Span, Mark)>,
    states: Vec<MonitorState>,
    index: FxHashMap<&'a str, u32>,
    edges: Vec<MonitorEdge>,
    /// A line could not be read: states may be missing.
    incomplete: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Target,
    Repeating,
}

impl<'a> Draft<'a> {
    fn state(&mut self, name: &'a str) -> u32 {
        *self.index.entry(name).or_insert_with(|| {
            self.states.push(MonitorState {
                name: name.into(),
                target: false,
                repeating: false,
            });
            self.states.len() as u32 - 1
        })
    }
}

impl<'a> Parser<'a> {
    fn line(&mut self, line: &Line<'a>, draft: &mut Option<Draft<'a>>) {
        let Some(&(word, place)) = line.words.first() else {
            return;
        };
        let arrow = line.words.get(1).is_some_and(|&(word, _)| word == "->");
        if word == "monitor" && !arrow {
            let finished = draft.take();
            self.finish(finished);
            *draft = self.begin(line, place);
            return;
        }
        let Some(draft) = draft else {
            self.diagnostics.report(|| {
                let help = did_you_mean(word, ["monitor"]);
                Diagnostic::error("expected a line that begins a monitor", place)
                    .help_if(help)
                    .help("a monitor begins with a line such as `monitor name`")
            });
            return;
        };
        let read = match word {
            _ if arrow => self.edge(line, draft),
            "init" => self.init(line, place, draft),
            "target" => self.marks(line, place, Mark::Target, draft),
            "repeating" => self.marks(line, place, Mark::Repeating, draft),
            _ => {
                self.diagnostics.report(|| {
                    Diagnostic::error("this line is neither an edge nor a declaration", line.span)
                        .help_if(did_you_mean(word, WORDS))
                        .help("an edge is written `from -> to when guard`")
                });
                None
            }
        };
        draft.incomplete |= read.is_none();
    }

    fn begin(&mut self, line: &Line<'a>, word: Span) -> Option<Draft<'a>> {
        let (name, place) = match line.words[..] {
            [_, named] => named,
            [_, named, (_, more), ..] => {
                self.extra(more, "a monitor has one name");
                named
            }
            _ => {
                self.missing(word, "the name of the monitor");
                ("", word)
            }
        };
        if let Some(first) = self.names.insert(name, place) {
            self.diagnostics.report(|| {
                Diagnostic::error(format!("there are two monitors called `{name}`"), place)
                    .note(first, "the first one")
            });
        }
        Some(Draft {
            name,
            place,
            initial: None,
            marks: Vec::new(),
            states: Vec::new(),
            index: FxHashMap::default(),
            edges: Vec::new(),
            incomplete: false,
        })
    }

    fn init(&mut self, line: &Line<'a>, word: Span, draft: &mut Draft<'a>) -> Option<()> {
        let Some(&(name, place)) = line.words.get(1) else {
            return self.missing(word, "the name of the initial state");
        };
        if let Some(&(_, more)) = line.words.get(2) {
            return self.extra(more, "a monitor has one initial state");
        }
        if let Some((_, first)) = draft.initial {
            self.diagnostics.report(|| {
                Diagnostic::error("a monitor has one initial state", place)
                    .note(first, "the initial state is named here")
            });
            return None;
        }
        draft.initial = Some((name, place));
        Some(())
    }

    fn marks(
        &mut self,
        line: &Line<'a>,
        word: Span,
        mark: Mark,
        draft: &mut Draft<'a>,
    ) -> Option<()> {
        if line.words.len() < 2 {
            return self.missing(word, "the name of a state");
        }
        draft.marks.extend(
            line.words[1..]
                .iter()
                .map(|&(name, place)| (name, place, mark)),
        );
        Some(())
    }

    fn edge(&mut self, line: &Line<'a>, draft: &mut Draft<'a>) -> Option<()> {
        let (from, _) = line.words[0];
        let Some(&(to, place)) = line.words.get(2) else {
            return self.missing(line.words[1].1, "the state the edge leads to");
        };
        let guard = match line.words.get(3) {
            None => Some(Guard::new([GuardOp::Plain(Op::Const(1, Type::Bool))])),
            Some(&("when", when)) => {
                let place = Span::new(when.end, line.span.end);
                if line.words.len() == 4 {
                    self.missing(when, "a guard");
                    None
                } else {
                    self.observer
                        .parse(self.source, place, &mut self.diagnostics)
                }
            }
            Some(&(_, other)) => {
                self.diagnostics.report(|| {
                    Diagnostic::error("expected `when`", other)
                        .note(place, "the edge leads to this state")
                        .help("an edge is written `from -> to when guard`")
                });
                None
            }
        };
        // The states are there even if the guard is wrong.
        let (from, to) = (draft.state(from), draft.state(to));
        let origin = Origin {
            start: line.span.start,
            end: line.span.end,
        };
        draft.edges.push(MonitorEdge {
            from,
            to,
            guard: guard?,
            origin,
        });
        Some(())
    }

    fn missing(&mut self, behind: Span, what: &str) -> Option<()> {
        self.diagnostics.report(|| {
            Diagnostic::error(format!("expected {what}"), behind.behind())
                .label(format!("{what} is missing here"))
        });
        None
    }

    fn extra(&mut self, place: Span, message: &str) -> Option<()> {
        self.diagnostics
            .report(|| Diagnostic::error(message, place).label("this is one word too many"));
        None
    }

    /// Checks a monitor that was read to its end.
    fn finish(&mut self, draft: Option<Draft<'a>>) {
        let Some(mut draft) = draft else { return };
        let initial = match draft.initial {
            Some((name, place)) => self.known_state(&draft, name, place),
            None if draft.incomplete => None,
            None => {
                self.diagnostics.report(|| {
                    let message = format!("monitor `{}` has no initial state", draft.name);
                    Diagnostic::error(message, draft.place).help("add a line such as `init idle`")
                });
                None
            }
        };
        if draft.marks.is_empty() && !draft.incomplete {
            self.diagnostics.report(|| {
                let message = format!("monitor `{}` watches for nothing", draft.name);
                Diagnostic::error(message, draft.place)
                    .help("name the states to warn of: `target error` or `repeating busy`")
            });
        }
        for (name, place, mark) in std::mem::take(&mut draft.marks) {
            let Some(state) = self.known_state(&draft, name, place) else {
                continue;
            };
            let state = &mut draft.states[state as usize];
            match mark {
                Mark::Target => state.target = true,
                Mark::Repeating => state.repeating = true,
            }
        }
        let Some(initial) = initial else { return };
        if self.diagnostics.has_errors() {
            return;
        }
        match Monitor::new(self.program, draft.name, draft.states, initial, draft.edges) {
            Ok(monitor) => self.monitors.push(monitor),
            Err(error) => self.diagnostics.report(|| {
                Diagnostic::error(format!("internal error: {error}"), draft.place)
                    .help("this is a mistake in Recurva; please report it with this file")
            }),
        }
    }

    fn known_state(&mut self, draft: &Draft<'a>, name: &str, place: Span) -> Option<u32> {
        let found = draft.index.get(name).copied();
        if found.is_none() && !draft.incomplete {
            self.diagnostics.report(|| {
                let states = draft.states.iter().map(|state| &*state.name);
                Diagnostic::error(format!("no edge leads from or to a state `{name}`"), place)
                    .help_if(did_you_mean(name, states))
            });
        }
        found
    }
}

/// Where the names of the monitors in a text are declared, also if the rest is wrong.
pub fn names(source: &Source) -> Vec<Span> {
    let mut start = 0;
    let mut found = Vec::new();
    for line in source.text().split_inclusive('\n') {
        let mut words = line.split_whitespace();
        if let (Some("monitor"), Some(name)) = (words.next(), words.next())
            && name != "->"
        {
            let behind = line.find("monitor").map_or(0, |at| at + "monitor".len());
            let at = start + behind + line[behind..].find(name).unwrap_or(0);
            found.push(Span::new(at as u32, (at + name.len()) as u32));
        }
        start += line.len();
    }
    found
}
