//! The part before `--BODY--`.

use recurva_syntax::{Cursor, Diagnostic, Span, did_you_mean};
use rustc_hash::FxHashMap;

use super::{
    label::{expression, set},
    read::{number, unquote},
    token::{Kind, Words},
};
use crate::automaton::{Letters, MAX_ATOMS, MAX_SETS, Set};

/// The headers the format defines.
const KNOWN: [&str; 10] = [
    "HOA:",
    "States:",
    "Start:",
    "AP:",
    "Alias:",
    "Acceptance:",
    "acc-name:",
    "tool:",
    "name:",
    "properties:",
];

/// What the header says.
#[derive(Debug)]
pub(super) struct Header<'s> {
    /// Where the format is named.
    pub(super) place: Span,
    pub(super) name: Option<String>,
    pub(super) states: Option<u32>,
    pub(super) starts: Vec<(u32, Span)>,
    pub(super) atoms: Option<Vec<Box<str>>>,
    /// Where the atoms are named, without their quotes.
    pub(super) places: Vec<Span>,
    /// What each alias stands for.
    pub(super) aliases: FxHashMap<&'s str, Set>,
    /// How many acceptance sets are declared.
    pub(super) declared: u32,
    /// The sets that must be seen infinitely often, in order.
    pub(super) sets: Vec<u32>,
}

impl<'s> Header<'s> {
    /// Reads up to and including `--BODY--`. `None` if that is not found.
    pub(super) fn read(cursor: &mut Cursor<'s, Words<'s>>, letters: &mut Letters) -> Option<Self> {
        let first = cursor.peek();
        if cursor.text(first.span) != "HOA:" {
            cursor.unexpected("`HOA: v1`", |diagnostic| diagnostic);
            return None;
        }
        cursor.bump();
        let version = cursor.expect(Kind::Word)?;
        if cursor.text(version.span) != "v1" {
            cursor.diagnostics().report(|| {
                Diagnostic::error("only version 1 of the format can be read", version.span)
                    .label("expected `v1`")
            });
            return None;
        }
        let mut header = Header {
            place: first.span.to(version.span),
            name: None,
            states: None,
            starts: Vec::new(),
            atoms: None,
            places: Vec::new(),
            aliases: FxHashMap::default(),
            declared: 0,
            sets: Vec::new(),
        };
        let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
        while let Some(token) = cursor.eat(Kind::Header) {
            let word = cursor.text(token.span);
            let single = !matches!(word, "Start:" | "Alias:" | "properties:");
            let known = KNOWN.contains(&word);
            if let Some(first) = seen.insert(word, token.span).filter(|_| single && known) {
                cursor.diagnostics().report(|| {
                    Diagnostic::error(format!("`{word}` is given twice"), token.span)
                        .note(first, "the first time")
                });
            }
            if header.item(cursor, letters, (word, token.span)).is_none() {
                cursor.skip_until(|kind| matches!(kind, Kind::Header | Kind::Body));
            }
        }
        cursor.expect(Kind::Body)?;
        if !seen.contains_key("Acceptance:") {
            cursor.diagnostics().report(|| {
                Diagnostic::error("there is no `Acceptance:` header", header.place)
                    .help("a Büchi automaton has `Acceptance: 1 Inf(0)`")
            });
        }
        Some(header)
    }

    fn item(
        &mut self,
        cursor: &mut Cursor<'s, Words<'s>>,
        letters: &mut Letters,
        (word, place): (&str, Span),
    ) -> Option<()> {
        match word {
            "States:" => self.states = Some(number(cursor)?.0),
            "Start:" => {
                self.starts.push(number(cursor)?);
                if cursor.at(Kind::And) {
                    cursor.unexpected("a header", |diagnostic| {
                        diagnostic.help("alternating automata cannot be read")
                    });
                    return None;
                }
            }
            "AP:" => self.atomic(cursor)?,
            "Alias:" => {
                let alias = cursor.expect(Kind::Alias)?;
                let count = self.atoms.as_ref().map(Vec::len);
                let items = expression(cursor, count, &self.aliases)?;
                let Some(meaning) = set(items, letters) else {
                    cursor
                        .diagnostics()
                        .report(|| Diagnostic::error("this alias is too large", alias.span));
                    return None;
                };
                self.aliases.insert(cursor.text(alias.span), meaning);
            }
            "Acceptance:" => self.acceptance(cursor)?,
            "name:" => {
                let text = cursor.expect(Kind::Text)?;
                self.name = Some(unquote(cursor.text(text.span)));
            }
            "acc-name:" | "tool:" | "properties:" => {
                cursor.skip_until(|kind| matches!(kind, Kind::Header | Kind::Body));
            }
            // Headers in small letters are remarks; others change what the automaton means.
            _ if word.starts_with(|c: char| c.is_ascii_lowercase()) => {
                cursor.skip_until(|kind| matches!(kind, Kind::Header | Kind::Body));
            }
            _ => {
                cursor.diagnostics().report(|| {
                    Diagnostic::error(format!("the header `{word}` is not known"), place)
                        .help_if(did_you_mean(word, KNOWN))
                });
                return None;
            }
        }
        Some(())
    }

    fn atomic(&mut self, cursor: &mut Cursor<'s, Words<'s>>) -> Option<()> {
        let (count, place) = number(cursor)?;
        let mut atoms: Vec<Box<str>> = Vec::new();
        while let Some(text) = cursor.eat(Kind::Text) {
            atoms.push(unquote(cursor.text(text.span)).into());
            let Span { start, end } = text.span;
            self.places
                .push(Span::new(start + 1, (end - 1).max(start + 1)));
        }
        if atoms.len() != count as usize || atoms.len() > MAX_ATOMS {
            let found = atoms.len();
            cursor.diagnostics().report(|| {
                let message = if found > MAX_ATOMS {
                    format!("more than {MAX_ATOMS} atoms cannot be read")
                } else {
                    format!("{count} atoms are announced, and {found} are listed")
                };
                Diagnostic::error(message, place)
            });
            return None;
        }
        self.atoms = Some(atoms);
        Some(())
    }

    /// A conjunction of `Inf(…)`.
    fn acceptance(&mut self, cursor: &mut Cursor<'s, Words<'s>>) -> Option<()> {
        let (declared, place) = number(cursor)?;
        self.declared = declared;
        let mut brackets: Vec<Span> = Vec::new();
        loop {
            while let Some(open) = cursor.eat(Kind::Open) {
                brackets.push(open.span);
            }
            let word = cursor.peek();
            match cursor.text(word.span) {
                "t" => {
                    cursor.bump();
                }
                "Inf" => {
                    cursor.bump();
                    let open = cursor.expect(Kind::Open)?;
                    if cursor.at(Kind::Not) {
                        return unsupported(cursor);
                    }
                    let (set, span) = number(cursor)?;
                    cursor.expect_closing(Kind::Close, open.span)?;
                    if set >= declared {
                        cursor.diagnostics().report(|| {
                            Diagnostic::error(format!("there is no acceptance set {set}"), span)
                                .note(place, "this many are declared")
                        });
                        return None;
                    }
                    if !self.sets.contains(&set) {
                        self.sets.push(set);
                    }
                }
                _ => return unsupported(cursor),
            }
            while cursor.at(Kind::Close) && !brackets.is_empty() {
                cursor.bump();
                brackets.pop();
            }
            if cursor.eat(Kind::And).is_none() {
                break;
            }
        }
        if cursor.at(Kind::Or) {
            return unsupported(cursor);
        }
        if let Some(&opener) = brackets.last() {
            cursor.expect_closing(Kind::Close, opener)?;
        }
        self.sets.sort_unstable();
        if self.sets.len() > MAX_SETS as usize {
            cursor.diagnostics().report(|| {
                let message = format!("more than {MAX_SETS} acceptance sets cannot be read");
                Diagnostic::error(message, place)
            });
            return None;
        }
        Some(())
    }
}

fn unsupported(cursor: &mut Cursor<'_, Words<'_>>) -> Option<()> {
    cursor.unexpected("a conjunction of `Inf(…)`", |diagnostic| {
        diagnostic.help("only Büchi and generalised Büchi automata can be read")
    });
    None
}
