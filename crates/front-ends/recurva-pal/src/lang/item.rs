//! The items of an event.

use recurva_syntax::{Diagnostic, Span, did_you_mean};

use super::{
    ast::{Decl, Event, Fragment, Name, Part, Pattern},
    declaration::declaration,
    fragment::{Tokens, bracketed, fragment},
    pattern::pattern,
    token::{Bracket, Kind},
};

/// The words that begin an item.
pub(super) const ITEMS: [&str; 6] = ["pattern", "local", "guard", "action", "before", "after"];

/// When the code of an event is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Before,
    After,
}

impl When {
    fn of(word: &str) -> Self {
        match word {
            "after" => When::After,
            _ => When::Before,
        }
    }

    fn word(self) -> &'static str {
        match self {
            When::Before => "before",
            When::After => "after",
        }
    }
}

/// A part and where it was begun.
#[derive(Debug, Default)]
struct Draft {
    part: Part,
    place: Option<Span>,
}

/// An event that is being read.
#[derive(Debug, Default)]
pub(super) struct Items {
    /// Something could not be read: a pattern may be missing.
    pub(super) broken: bool,
    locals: Vec<Decl>,
    pattern: Option<Pattern>,
    /// Where the pattern was begun, even if it is wrong.
    seen_pattern: Option<Span>,
    /// What stands before the word `pattern`.
    when: Option<When>,
    bare: Draft,
    before: Draft,
    after: Draft,
}

impl Items {
    /// Whether a pattern has been read.
    pub(super) fn has_pattern(&self) -> bool {
        self.seen_pattern.is_some()
    }

    /// Reads the item that begins with the word in front, if it begins one.
    pub(super) fn item(&mut self, cursor: &mut Tokens<'_>) -> bool {
        let token = cursor.peek();
        if token.kind != Kind::Word {
            return false;
        }
        let word = cursor.text(token.span);
        match word {
            "pattern" => self.pattern(cursor, None),
            "before" | "after" if cursor.second() == Kind::Word => {
                cursor.bump();
                if cursor.text(cursor.peek().span) == "pattern" {
                    self.pattern(cursor, Some(When::of(word)));
                } else {
                    self.broken = true;
                    let near = did_you_mean(cursor.text(cursor.peek().span), ["pattern"]);
                    cursor.unexpected("`{` or `pattern`", |it| it.help_if(near));
                    cursor.bump();
                    if let Some(opener) = cursor.eat(Kind::Open(Bracket::Curly)) {
                        bracketed(cursor, opener.span);
                    }
                }
            }
            "before" | "after" => self.block(cursor, When::of(word)),
            "local" => {
                cursor.bump();
                self.locals.extend(declaration(cursor, token.span));
            }
            "guard" | "action" => code(cursor, &mut self.bare),
            _ => return false,
        }
        true
    }

    fn pattern(&mut self, cursor: &mut Tokens<'_>, when: Option<When>) {
        let word = cursor.bump();
        if let Some(first) = self.seen_pattern {
            cursor.diagnostics().report(|| {
                Diagnostic::error("an event has one pattern", word.span)
                    .note(first, "this is the first one")
                    .help("write another event for it")
            });
        }
        self.seen_pattern = Some(word.span);
        self.when = when;
        let Some(opener) = cursor.expect(Kind::Open(Bracket::Curly)) else {
            return;
        };
        let (tokens, closer) = bracketed(cursor, opener.span);
        self.pattern = pattern(cursor, &tokens, opener.span.to(closer));
    }

    /// A `before` or `after` block.
    fn block(&mut self, cursor: &mut Tokens<'_>, when: When) {
        let word = cursor.bump();
        let draft = match when {
            When::Before => &mut self.before,
            When::After => &mut self.after,
        };
        if let Some(first) = draft.place {
            twice(cursor, when, word.span, first);
        }
        draft.place = Some(word.span);
        let Some(opener) = cursor.expect(Kind::Open(Bracket::Curly)) else {
            return;
        };
        loop {
            let token = cursor.peek();
            match token.kind {
                Kind::Word if matches!(cursor.text(token.span), "guard" | "action") => {
                    code(cursor, draft);
                }
                Kind::Close(Bracket::Curly) => {
                    cursor.bump();
                    return;
                }
                Kind::End => {
                    cursor.expect_closing(Kind::Close(Bracket::Curly), opener.span);
                    return;
                }
                _ => {
                    let near = did_you_mean(cursor.text(token.span), ["guard", "action"]);
                    cursor.unexpected("`guard`, `action` or `}`", |it| {
                        it.help_if(near).help(format!(
                            "code is written `{} {{ action {{ x = 1; }} }}`",
                            when.word()
                        ))
                    });
                    bracketed(cursor, opener.span);
                    return;
                }
            }
        }
    }

    /// The event, if there is a pattern.
    pub(super) fn finish(
        mut self,
        cursor: &mut Tokens<'_>,
        (name, number): (Option<Name>, usize),
        span: Span,
    ) -> Option<Event> {
        let when = self.when.unwrap_or(When::Before);
        let position = match when {
            When::Before => &mut self.before,
            When::After => &mut self.after,
        };
        if let Some(bare) = self.bare.place {
            match position.place {
                Some(first) => twice(cursor, when, bare, first),
                None => *position = self.bare,
            }
        }
        if self.seen_pattern.is_none() && !self.broken {
            cursor.diagnostics().report(|| {
                Diagnostic::error("this event has no pattern", Span::at(span.start))
                    .help("say what it waits for: `pattern { $1 = open($?); }`")
            });
        }
        Some(Event {
            name,
            number,
            locals: self.locals,
            pattern: self.pattern?,
            before: self.before.part,
            after: self.after.part,
            span,
        })
    }
}

fn twice(cursor: &mut Tokens<'_>, when: When, second: Span, first: Span) {
    let word = when.word();
    cursor.diagnostics().report(|| {
        Diagnostic::error(format!("this event has two `{word}` parts"), second)
            .note(first, "this is the other one")
            .help("a guard or action outside `before` and `after` is a part of its own; join them")
    });
}

/// A guard or an action.
fn code(cursor: &mut Tokens<'_>, draft: &mut Draft) {
    let word = cursor.bump();
    draft.place.get_or_insert(word.span);
    let is_guard = cursor.text(word.span) == "guard";
    let Some(opener) = cursor.expect(Kind::Open(Bracket::Curly)) else {
        return;
    };
    let (tokens, closer) = bracketed(cursor, opener.span);
    let inner = Span::new(opener.span.end, closer.start);
    let text = fragment(cursor.source(), &tokens, inner);
    if is_guard && tokens.is_empty() {
        cursor.diagnostics().report(|| {
            Diagnostic::error("this guard is empty", opener.span.to(closer))
                .help("a guard is an expression in C: `guard { open == 0 }`")
        });
    }
    if let Some(action) = draft.part.action.as_ref().filter(|_| is_guard) {
        let first = action.span;
        cursor.diagnostics().warn(|| {
            Diagnostic::warning("this guard is checked before the action is run", word.span)
                .note(first, "this is the action")
                .help("write the guard first")
        });
    }
    let slot = match is_guard {
        true => &mut draft.part.guard,
        false => &mut draft.part.action,
    };
    keep(cursor, slot, text, word.span);
}

fn keep(cursor: &mut Tokens<'_>, slot: &mut Option<Fragment>, text: Fragment, word: Span) {
    if let Some(first) = slot {
        let (what, first) = (cursor.text(word), first.span);
        cursor.diagnostics().report(|| {
            Diagnostic::error(format!("there are two {what}s here"), word)
                .note(first, "this is the first one")
                .help("join them")
        });
    }
    *slot = Some(text);
}
