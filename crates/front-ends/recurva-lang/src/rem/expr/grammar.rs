//! From tokens to expressions, without recursion.
//!
//! | binds | operators |
//! |---|---|
//! | weakest | `\|\|` |
//! | | `&&` |
//! | | `\|` |
//! | | `^` |
//! | | `&` |
//! | | `!`, `A i (l,h)`, `E i (l,h)` |
//! | | `==` `!=` |
//! | | `<` `<=` `>` `>=` |
//! | | `<<` `>>` |
//! | | `+` `-` |
//! | | `*` `/` `%` |
//! | tightest | `-` before an operand |
//!
//! Moped's grammar has `!` and quantifiers before booleans only, so they reach over a
//! comparison of integers; over a comparison of booleans `!` may reach or not, the result is
//! the same.

use recurva_model::Binary;
use recurva_syntax::{Diagnostic, Postfix, Power, Span};

use super::{
    Expr, Item, Quantifier, Reference, What,
    constant::{Constants, constant, number},
};
use crate::{
    names::{Name, Names},
    parsing::{Tokens, expect_name, name, symbol},
    token::{Keyword, Kind, Symbol, clip},
};

/// The level of `!` and of quantifiers.
const PREFIX: u8 = 6;
const NEGATE: u8 = 12;

/// A parser that can read expressions.
pub(crate) struct ParseExpr<'p, 's> {
    pub(crate) cursor: &'p mut Tokens<'s>,
    pub(crate) names: &'p mut Names<'s>,
    pub(crate) constants: &'p Constants,
}

/// An open bracket, and whether a quantifier stands before what comes next outside it.
struct Bracket {
    opener: Span,
    closer: Symbol,
    quantified: bool,
}

#[derive(Default)]
struct State {
    postfix: Postfix<Item>,
    brackets: Vec<Bracket>,
    /// A quantifier waits for the end of its body.
    quantified: bool,
}

impl State {
    fn open(&mut self, item: Item, opener: Span, closer: Symbol) {
        self.postfix.open(item);
        self.brackets.push(Bracket {
            opener,
            closer,
            quantified: std::mem::take(&mut self.quantified),
        });
    }
}

impl ParseExpr<'_, '_> {
    /// Reads an expression; `None` if it is broken, which has been reported.
    pub(crate) fn parse(&mut self) -> Option<Expr> {
        let start = self.cursor.peek().span;
        let mut state = State::default();
        loop {
            self.operand(&mut state)?;
            if !self.after_operand(&mut state)? {
                break;
            }
        }
        Some(Expr {
            items: state.postfix.finish().into_boxed_slice(),
            span: start.to(self.cursor.previous()),
        })
    }

    /// Passes prefix operators, opening brackets and one operand.
    fn operand(&mut self, state: &mut State) -> Option<()> {
        loop {
            let token = self.cursor.peek();
            let item = |what| Item {
                what,
                span: token.span,
            };
            match token.kind {
                Kind::Symbol(Symbol::Not) => {
                    state.postfix.prefix(item(What::Not), PREFIX);
                    self.cursor.bump();
                }
                Kind::Symbol(Symbol::Minus) => {
                    state.postfix.prefix(item(What::Negate), NEGATE);
                    self.cursor.bump();
                }
                Kind::Symbol(Symbol::Open) => {
                    state.open(item(What::Parenthesis), token.span, Symbol::Close);
                    self.cursor.bump();
                }
                Kind::Number => {
                    let text = self.cursor.text(token.span);
                    self.cursor.bump();
                    // One that is too large has been reported; the rest can be checked.
                    let value = number(text, token.span, self.cursor).unwrap_or_default();
                    state.postfix.operand(item(What::Number(value)));
                    return Some(());
                }
                Kind::Keyword(Keyword::Yes | Keyword::No) => {
                    let truth = token.kind == Kind::Keyword(Keyword::Yes);
                    state.postfix.operand(item(What::Truth(truth)));
                    self.cursor.bump();
                    return Some(());
                }
                Kind::Name if at_quantifier(self.cursor) => {
                    let found = quantifier(self.cursor, self.names, self.constants)?;
                    let item = |what| Item {
                        what,
                        span: found.span,
                    };
                    state.postfix.operand(item(What::Bind(found)));
                    state.postfix.prefix(item(What::Quantify), PREFIX);
                    state.quantified = true;
                }
                Kind::Name => {
                    if self.variable(state)? {
                        return Some(());
                    }
                }
                _ => {
                    self.no_operand(token.kind);
                    return None;
                }
            }
        }
    }

    fn no_operand(&mut self, kind: Kind) {
        self.cursor
            .unexpected("an expression", |diagnostic| match kind {
                Kind::Keyword(Keyword::Undef) => {
                    diagnostic.help("`undef` stands alone, as in `x = undef;`")
                }
                Kind::Keyword(_) => diagnostic.help("this word is reserved"),
                Kind::Symbol(Symbol::Tilde) => diagnostic.help("negation is written `!`"),
                _ => diagnostic,
            });
    }

    /// A constant or a variable; whether the operand is complete. If not, an index follows.
    fn variable(&mut self, state: &mut State) -> Option<bool> {
        let base = name(self.cursor, self.names);
        if self.cursor.at(symbol(Symbol::Open)) {
            let text = self.cursor.text(base.span);
            self.cursor.diagnostics().report(|| {
                Diagnostic::error("a call cannot be part of an expression", base.span)
                    .label(format!("`{}` is called here", clip(text)))
                    .help("a call is a statement of its own: store its result in a variable first")
            });
            return None;
        }
        if let Some((value, _)) = self.constants.get(base.id) {
            let what = What::Number(value);
            let span = base.span;
            state.postfix.operand(Item { what, span });
            return Some(true);
        }
        let field = field(self.cursor, self.names)?;
        let span = base.span.to(field.map_or(base.span, |field| field.span));
        let reference = Reference { base, field };
        let Some(bracket) = self.cursor.eat(symbol(Symbol::OpenIndex)) else {
            let what = What::Leaf(reference);
            state.postfix.operand(Item { what, span });
            self.no_prime()?;
            return Some(true);
        };
        let what = What::Element(reference);
        state.open(Item { what, span }, bracket.span, Symbol::CloseIndex);
        Some(false)
    }

    /// Passes an operator, or finds that the expression is over (false).
    fn after_operand(&mut self, state: &mut State) -> Option<bool> {
        loop {
            let token = self.cursor.peek();
            if token.kind == symbol(Symbol::Equal) && !state.brackets.is_empty() {
                no_comparison(self.cursor);
                return None;
            }
            if let Some(infix) = Infix::of(token.kind) {
                self.cursor.bump();
                let what = match infix.what {
                    What::Binary(operator @ (Binary::Equal | Binary::NotEqual))
                        if state.quantified =>
                    {
                        What::Doubtful(operator)
                    }
                    what => what,
                };
                // An operator that binds less tightly ends the body of the quantifier.
                state.quantified &= infix.level > PREFIX;
                let span = token.span;
                state.postfix.infix(Item { what, span }, infix.power());
                return Some(true);
            }
            let Some(bracket) = state.brackets.pop() else {
                return Some(false);
            };
            self.cursor
                .expect_closing(symbol(bracket.closer), bracket.opener)?;
            state.quantified = bracket.quantified;
            let mut item = state.postfix.close()?;
            if let What::Element(reference) = &mut item.what {
                self.behind_index(reference)?;
                item.span = item.span.to(self.cursor.previous());
                state.postfix.operand(item);
            }
        }
    }

    /// What may follow `a[e]`.
    fn behind_index(&mut self, reference: &mut Reference) -> Option<()> {
        if reference.field.is_none() {
            reference.field = field(self.cursor, self.names)?;
        }
        one_index(self.cursor)?;
        self.no_prime()
    }

    fn no_prime(&mut self) -> Option<()> {
        let token = self.cursor.peek();
        if token.kind != symbol(Symbol::Tick) {
            return Some(());
        }
        self.cursor.diagnostics().report(|| {
            Diagnostic::error("primed variables are not supported", token.span)
                .help("assign the new value: `x = e;`, or any value: `x = undef;`")
        });
        None
    }
}

/// Reports `=` where two values are compared.
pub(crate) fn no_comparison(cursor: &mut Tokens<'_>) {
    let token = cursor.peek();
    cursor.diagnostics().report(|| {
        Diagnostic::error("comparison is written `==`", token.span).label("this assigns")
    });
}

/// Whether a quantifier stands in front: `A` or `E` and a name.
pub(crate) fn at_quantifier(cursor: &Tokens<'_>) -> bool {
    cursor.at(Kind::Name)
        && cursor.second() == Kind::Name
        && matches!(cursor.text(cursor.peek().span), "A" | "E")
}

/// Reads `A i (low,high)` or `E i (low,high)`.
pub(crate) fn quantifier<'s>(
    cursor: &mut Tokens<'s>,
    names: &mut Names<'s>,
    constants: &Constants,
) -> Option<Quantifier> {
    let word = cursor.bump();
    let name = name(cursor, names);
    if let Some((_, place)) = constants.get(name.id) {
        let text = cursor.text(name.span);
        cursor.diagnostics().report(|| {
            Diagnostic::error(format!("`{}` is a constant", clip(text)), name.span)
                .note(place, "defined here")
        });
        return None;
    }
    let bracket = cursor.expect(symbol(Symbol::Open))?;
    let (low, first) = constant(cursor, names, constants)?;
    cursor.expect(symbol(Symbol::Comma))?;
    let (high, last) = constant(cursor, names, constants)?;
    let close = cursor.expect_closing(symbol(Symbol::Close), bracket.span)?;
    if low > high {
        cursor.diagnostics().report(|| {
            Diagnostic::error("there is no number in this range", first.to(last))
                .label(format!("{low} is above {high}"))
        });
    }
    Some(Quantifier {
        all: cursor.text(word.span) == "A",
        name: name.id,
        low,
        high: high.max(low),
        span: word.span.to(close.span),
    })
}

/// `.f`, if it is there.
pub(crate) fn field<'s>(cursor: &mut Tokens<'s>, names: &mut Names<'s>) -> Option<Option<Name>> {
    if cursor.eat(symbol(Symbol::Dot)).is_none() {
        return Some(None);
    }
    expect_name(cursor, names, "the name of a field").map(Some)
}

/// Refuses a second index.
pub(crate) fn one_index(cursor: &mut Tokens<'_>) -> Option<()> {
    if !cursor.at(symbol(Symbol::OpenIndex)) {
        return Some(());
    }
    let place = cursor.peek().span;
    cursor.diagnostics().report(|| {
        Diagnostic::error("arrays have one dimension only", place)
            .help("compute one index from the two, as in `a[3 * i + j]`")
    });
    None
}

/// An operator between operands.
#[derive(Clone, Copy)]
pub(crate) struct Infix {
    pub(crate) what: What,
    level: u8,
}

impl Infix {
    /// The operator that a token stands for.
    pub(crate) fn of(kind: Kind) -> Option<Infix> {
        use Binary::*;
        let Kind::Symbol(symbol) = kind else {
            return None;
        };
        let (what, level) = match symbol {
            Symbol::OrOr => (What::Logical(Or), 1),
            Symbol::AndAnd => (What::Logical(And), 2),
            Symbol::Or => (What::Binary(Or), 3),
            Symbol::Xor => (What::Binary(Xor), 4),
            Symbol::And => (What::Binary(And), 5),
            Symbol::EqualEqual => (What::Binary(Equal), 7),
            Symbol::NotEqual => (What::Binary(NotEqual), 7),
            Symbol::Less => (What::Binary(Less), 8),
            Symbol::LessEqual => (What::Binary(LessEqual), 8),
            Symbol::Greater => (What::Binary(Greater), 8),
            Symbol::GreaterEqual => (What::Binary(GreaterEqual), 8),
            Symbol::ShiftLeft => (What::Binary(ShiftLeft), 9),
            Symbol::ShiftRight => (What::Binary(ShiftRight), 9),
            Symbol::Plus => (What::Binary(Add), 10),
            Symbol::Minus => (What::Binary(Subtract), 10),
            Symbol::Star => (What::Binary(Multiply), 11),
            Symbol::Slash => (What::Binary(Divide), 11),
            Symbol::Percent => (What::Binary(Remainder), 11),
            _ => return None,
        };
        Some(Infix { what, level })
    }

    /// The operator, if constants may be combined with it.
    pub(crate) fn arithmetic(self) -> Option<Binary> {
        match self.what {
            What::Binary(operator) if !operator.is_comparison() => Some(operator),
            _ => None,
        }
    }

    /// How tightly it binds.
    pub(crate) const fn power(self) -> Power {
        Power::left(self.level)
    }
}
