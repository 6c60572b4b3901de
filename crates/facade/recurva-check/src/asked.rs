//! What a user asks of a model, and which questions make sense of which.

use recurva_syntax::Source;

/// All that is asked of a model at a time. With nothing in it the model's own properties are asked
/// about.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// That no node with one of these labels is reached; `procedure::label` picks one procedure's.
    pub reach: Vec<String>,
    /// That no run comes to nodes with one of these labels again and again.
    pub repeat: Vec<String>,
    /// Formulas of linear-time temporal logic.
    pub ltl: Vec<String>,
    /// Formulas of CaRet.
    pub caret: Vec<String>,
    /// Formulas of NT-µ.
    pub ntmu: Vec<String>,
    /// That one assertion does not fail: its place among the program's, from 0.
    pub assertion: Option<usize>,
    /// The properties of a file. Its name says what they are written in.
    pub spec: Option<Source>,
    /// Of the file, or of the model's own named properties, only this one.
    pub property: Option<String>,
    /// Of a monitor on a C program, only the guards of events that match something there: for
    /// monitors that were not written for this program.
    pub matched_only: bool,
}

/// A kind of question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum QuestionKind {
    /// The model's own properties.
    Own,
    /// That a label is not reached.
    Reach,
    /// That a label does not come again and again.
    Repeat,
    /// Formulas of linear-time temporal logic.
    Ltl,
    /// Formulas of CaRet.
    Caret,
    /// Formulas of NT-µ.
    Ntmu,
    /// Monitors.
    Monitor,
    /// A Büchi automaton of what must not happen.
    Automaton,
    /// An automaton on nested trees.
    Tree,
    /// A monitor of PAL, which becomes part of the model.
    Pal,
    /// Properties in the language of the software verification competition.
    Task,
}

impl QuestionKind {
    /// All of them.
    pub const ALL: [QuestionKind; 11] = [
        QuestionKind::Own,
        QuestionKind::Reach,
        QuestionKind::Repeat,
        QuestionKind::Ltl,
        QuestionKind::Caret,
        QuestionKind::Ntmu,
        QuestionKind::Monitor,
        QuestionKind::Automaton,
        QuestionKind::Tree,
        QuestionKind::Pal,
        QuestionKind::Task,
    ];

    /// How it is asked on the command line.
    pub fn option(self) -> &'static str {
        match self {
            QuestionKind::Own => "no question",
            QuestionKind::Reach => "--reach",
            QuestionKind::Repeat => "--repeat",
            QuestionKind::Ltl => "--ltl",
            QuestionKind::Caret => "--caret",
            QuestionKind::Ntmu => "--ntmu",
            QuestionKind::Monitor => "--spec x.mon",
            QuestionKind::Automaton => "--spec x.hoa",
            QuestionKind::Tree => "--spec x.nta",
            QuestionKind::Pal => "--spec x.pal",
            QuestionKind::Task => "--spec x.prp",
        }
    }

    /// The kind of the properties in a file, by its extension.
    pub fn of_file(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        let mut formats = SPEC_FORMATS.iter();
        let found = formats.find(|(known, ..)| *known == extension);
        found.map(|(_, kind, _)| *kind)
    }
}

/// The formats of files with properties: extension, kind, and what users call them.
pub const SPEC_FORMATS: [(&str, QuestionKind, &str); 9] = [
    ("mon", QuestionKind::Monitor, "monitors"),
    ("pal", QuestionKind::Pal, "monitors"),
    ("spc", QuestionKind::Pal, "monitors"),
    ("ltl", QuestionKind::Ltl, "formulas"),
    ("caret", QuestionKind::Caret, "formulas"),
    ("ntmu", QuestionKind::Ntmu, "formulas"),
    ("hoa", QuestionKind::Automaton, "automata"),
    ("nta", QuestionKind::Tree, "automata"),
    ("prp", QuestionKind::Task, "properties of C programs"),
];

/// What a model is made of, as far as it matters for what can be asked of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A program with procedures and variables.
    Program,
    /// A C program.
    C,
    /// A machine with procedures or calls.
    Machine,
    /// A pushdown system: what it pushes need not be a call.
    Pushdown,
    /// A system of any size.
    System,
}

/// Why a question makes no sense of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Senseless {
    /// Why.
    pub reason: &'static str,
    /// What to ask instead.
    pub instead: &'static str,
}

/// The one table of questions that make no sense: all others are answered.
pub fn senseless(sort: Sort, kind: QuestionKind) -> Option<Senseless> {
    let (reason, instead) = match (sort, kind) {
        (Sort::C, _) => return None,
        (_, QuestionKind::Task) => (
            "the properties of the software verification competition are about C programs",
            "ask with --reach, --ltl or --spec x.mon",
        ),
        (Sort::Program | Sort::Machine, _) => return None,
        (Sort::Pushdown, QuestionKind::Caret) => (
            "a formula of CaRet is about calls, and a pushdown system has none",
            "give the system as a program or as a recursive state machine",
        ),
        (Sort::Pushdown, _) | (Sort::System, QuestionKind::Own) => return None,
        (Sort::System, QuestionKind::Reach | QuestionKind::Repeat) => (
            "a system of any size has words and no labels",
            "say in the file which words are bad: `bad …`",
        ),
        (Sort::System, QuestionKind::Ltl | QuestionKind::Automaton | QuestionKind::Monitor) => (
            "the properties of a system of any size are in its file, with its processes' names",
            "add it to the file: `bad …` or `live …`",
        ),
        (
            Sort::System,
            QuestionKind::Caret | QuestionKind::Ntmu | QuestionKind::Tree | QuestionKind::Pal,
        ) => (
            "a system of any size makes no calls",
            "add a property to the file: `bad …` or `live …`",
        ),
    };
    Some(Senseless { reason, instead })
}

impl Asked {
    /// The kinds of questions that are asked, in order.
    pub fn kinds(&self) -> Vec<QuestionKind> {
        let spec = self.spec.as_ref();
        let given = [
            (!self.reach.is_empty(), QuestionKind::Reach),
            (!self.repeat.is_empty(), QuestionKind::Repeat),
            (!self.ltl.is_empty(), QuestionKind::Ltl),
            (!self.caret.is_empty(), QuestionKind::Caret),
            (!self.ntmu.is_empty(), QuestionKind::Ntmu),
            (self.assertion.is_some(), QuestionKind::Own),
        ];
        let given = given.into_iter().filter(|(given, _)| *given);
        let mut kinds: Vec<QuestionKind> = given.map(|(_, kind)| kind).collect();
        kinds.extend(spec.and_then(|spec| QuestionKind::of_file(spec.name())));
        if kinds.is_empty() && spec.is_none() {
            kinds.push(QuestionKind::Own);
        }
        kinds
    }
}
