//! Annotations and their clauses.

use recurva_syntax::{Cursor, Diagnostic, Diagnostics, Source, Span, did_you_mean};

use crate::{
    find::comments,
    parse::{Outcome, Parser, Wrong},
    token::{AcslLexer, Kind, Symbol},
    tree::{Expression, Notation},
};

/// What a source has in annotations.
#[derive(Clone, Debug, Default)]
pub struct Annotations {
    /// Those that could be read, in the order of the text.
    pub annotations: Vec<Annotation>,
    /// What is wrong with others.
    pub diagnostics: Diagnostics,
}

/// An annotation: a comment with clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// The comment.
    pub span: Span,
    /// Where the next token behind it stands: what it is about begins there.
    pub target: u32,
    /// What it says.
    pub clauses: Vec<Clause>,
}

/// A clause of an annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// What kind of clause it is.
    pub kind: ClauseKind,
    /// What it says; nothing if it is [read past](ClauseKind::Ignored).
    pub expression: Option<Expression>,
    /// All of it.
    pub span: Span,
}

/// What a clause is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClauseKind {
    /// `requires`: has to hold when a function is called.
    Requires,
    /// `ensures`: holds when it ends.
    Ensures,
    /// `loop invariant`: holds at the loop's head.
    LoopInvariant,
    /// `assert`
    Assert,
    /// A clause that changes nothing in what is proved: `assigns`, `loop assigns`, `loop variant`.
    Ignored(&'static str),
}

impl ClauseKind {
    /// The words that begin it.
    pub fn words(self) -> &'static str {
        match self {
            ClauseKind::Requires => "requires",
            ClauseKind::Ensures => "ensures",
            ClauseKind::LoopInvariant => "loop invariant",
            ClauseKind::Assert => "assert",
            ClauseKind::Ignored(words) => words,
        }
    }
}

/// Words that begin clauses that are read.
const KNOWN: [&str; 7] = [
    "requires",
    "ensures",
    "assert",
    "check",
    "loop",
    "assigns",
    "decreases",
];

/// Words that stand nowhere but where a clause begins.
const BEGINS: [&str; 5] = ["requires", "ensures", "assert", "loop", "assigns"];

/// Words that begin clauses of ACSL that are not.
const UNSUPPORTED: [&str; 29] = [
    "behavior",
    "assumes",
    "complete",
    "disjoint",
    "terminates",
    "exits",
    "breaks",
    "continues",
    "returns",
    "allocates",
    "frees",
    "admit",
    "for",
    "ghost",
    "logic",
    "predicate",
    "axiomatic",
    "axiom",
    "lemma",
    "inductive",
    "type",
    "global",
    "model",
    "invariant",
    "reads",
    "volatile",
    "import",
    "module",
    "calls",
];

/// Words behind `loop`.
const OF_LOOPS: [&str; 3] = ["invariant", "assigns", "variant"];

/// Reads all annotations of a C source.
pub fn read(source: &Source) -> Annotations {
    let mut read = Annotations::default();
    for comment in comments(source.text()) {
        let lexer = AcslLexer::new(source, comment.body);
        let mut parser = Parser {
            cursor: Cursor::new(source, lexer),
            notation: Notation::Acsl,
            whole: "the annotation",
        };
        let clauses = parser.clauses();
        read.diagnostics.append(parser.cursor.into_diagnostics());
        if !clauses.is_empty() {
            read.annotations.push(Annotation {
                span: comment.all,
                target: comment.target,
                clauses,
            });
        }
    }
    read.diagnostics.sort();
    read
}

/// What is done with what begins a clause.
enum Begun {
    Clause(ClauseKind),
    /// Nothing in this annotation is a clause.
    Foreign,
}

impl Parser<'_> {
    /// The clauses that can be read.
    fn clauses(&mut self) -> Vec<Clause> {
        let mut clauses = Vec::new();
        while !self.cursor.at(Kind::End) {
            let start = self.cursor.peek().span;
            match self.begin(clauses.is_empty()) {
                Ok(Begun::Clause(kind)) => match self.rest(kind) {
                    Ok(expression) => clauses.push(Clause {
                        kind,
                        expression,
                        span: start.to(self.cursor.previous()),
                    }),
                    Err(Wrong) => self.recover(),
                },
                Ok(Begun::Foreign) => break,
                Err(Wrong) => self.recover(),
            }
        }
        clauses
    }

    /// Goes on behind the next semicolon, or where the next clause begins.
    fn recover(&mut self) {
        loop {
            let token = self.cursor.peek();
            let is_next = || BEGINS.contains(&self.cursor.text(token.span));
            match token.kind {
                Kind::End => return,
                Kind::Name if is_next() => return,
                Kind::Symbol(Symbol::Semicolon) => {
                    self.cursor.bump();
                    return;
                }
                _ => self.cursor.bump(),
            };
        }
    }

    /// The words that begin a clause.
    fn begin(&mut self, is_first: bool) -> Outcome<Begun> {
        let token = self.cursor.peek();
        let text = self.cursor.text(token.span);
        if !matches!(token.kind, Kind::Name | Kind::Type) {
            return match is_first {
                true => Ok(self.foreign(token.span)),
                false => self.unexpected("a clause", |it| it),
            };
        }
        let kind = match text {
            "requires" => ClauseKind::Requires,
            "ensures" => ClauseKind::Ensures,
            "assert" => ClauseKind::Assert,
            "assigns" => ClauseKind::Ignored("assigns"),
            "decreases" => ClauseKind::Ignored("decreases"),
            "check" => {
                self.cursor.bump();
                return self.checked();
            }
            "loop" => {
                self.cursor.bump();
                return self.of_loop();
            }
            _ if UNSUPPORTED.contains(&text) && (is_first || text != "type") => {
                self.cursor.diagnostics().warn(|| {
                    let text = format!("`{text}` is not supported: it is left out");
                    Diagnostic::warning(text, token.span)
                });
                return self.leave_out(text);
            }
            _ => {
                let near = did_you_mean(text, KNOWN.into_iter().chain(UNSUPPORTED));
                return match (near, is_first) {
                    (None, true) => Ok(self.foreign(token.span)),
                    (near, _) => {
                        let text = format!("`{text}` begins no clause");
                        self.error(|| Diagnostic::error(text, token.span).help_if(near))
                    }
                };
            }
        };
        self.cursor.bump();
        Ok(Begun::Clause(kind))
    }

    /// What does not look like ACSL at all may be for somebody else.
    fn foreign(&mut self, span: Span) -> Begun {
        self.cursor.diagnostics().warn(|| {
            Diagnostic::warning("this is no annotation of ACSL: it is left out", span)
                .help("clauses begin with requires, ensures, assert, loop invariant")
        });
        Begun::Foreign
    }

    /// Clauses that are only a line end at a semicolon; of others nobody can say where they end.
    fn leave_out(&mut self, word: &str) -> Outcome<Begun> {
        match word {
            "behavior" | "ghost" | "axiomatic" | "inductive" | "module" | "logic" | "predicate" => {
                Ok(Begun::Foreign)
            }
            _ => Err(Wrong),
        }
    }

    /// Behind `check`: an assertion or a clause that nobody relies on, which makes no difference here.
    fn checked(&mut self) -> Outcome<Begun> {
        let token = self.cursor.peek();
        match self.cursor.text(token.span) {
            "requires" | "ensures" | "loop" => self.begin(false),
            _ => Ok(Begun::Clause(ClauseKind::Assert)),
        }
    }

    /// Behind `loop`.
    fn of_loop(&mut self) -> Outcome<Begun> {
        let token = self.cursor.peek();
        let text = self.cursor.text(token.span);
        let kind = match text {
            "invariant" => ClauseKind::LoopInvariant,
            "assigns" => ClauseKind::Ignored("loop assigns"),
            "variant" => ClauseKind::Ignored("loop variant"),
            "allocates" | "frees" | "pragma" => {
                return self.unsupported(&format!("`loop {text}` is"), token.span);
            }
            _ => {
                let near = did_you_mean(text, OF_LOOPS);
                return self
                    .unexpected("`invariant`, `assigns` or `variant`", |it| it.help_if(near));
            }
        };
        self.cursor.bump();
        Ok(Begun::Clause(kind))
    }

    /// What a clause says, and its semicolon.
    fn rest(&mut self, kind: ClauseKind) -> Outcome<Option<Expression>> {
        let expression = match kind {
            ClauseKind::Ignored(_) => {
                let semicolon = Kind::Symbol(Symbol::Semicolon);
                self.cursor.skip_until(|kind| kind == semicolon);
                None
            }
            _ => Some(self.expression()?),
        };
        match self.eat(Symbol::Semicolon) {
            Some(_) => Ok(expression),
            None => self.unexpected("`;`", |it| it.help("a clause ends with `;`")),
        }
    }
}
