//! Formulas in.

use std::borrow::Cow;

use recurva_model::{Type, VarRef};
use recurva_syntax::{Cursor, Diagnostic, Diagnostics, Postfix, Power, Source, Span, did_you_mean};

use super::{
    CHOICE, Infix, Names, PREFIX,
    token::{Kind, Words},
    type_of_text,
};
use crate::formula::{Arithmetic, Builder, Formula, Node, Part, Reading, Scope, Sort, When};

/// The formula that a text says, about the variables of a procedure.
///
/// # Errors
///
/// If it says none: what is wrong, with the places in the text.
pub fn parse(source: &Source, scope: Scope<'_>, names: &dyn Names) -> Result<Formula, Diagnostics> {
    let mut reader = Reader {
        cursor: Cursor::new(source, Words::new(source)),
        scope,
        names,
        postfix: Postfix::default(),
        brackets: Vec::new(),
    };
    let read = reader.read();
    let mut diagnostics = reader.cursor.into_diagnostics();
    if read.is_none() || diagnostics.has_errors() {
        return Err(diagnostics);
    }
    match build(reader.postfix.finish()) {
        Ok(formula) => Ok(formula),
        Err(diagnostic) => {
            diagnostics.report(|| diagnostic);
            Err(diagnostics)
        }
    }
}

/// An operator, an operand, or a bracket that waits to be closed.
#[derive(Clone, Copy, Debug)]
struct Item {
    what: What,
    span: Span,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Bool(bool),
    Int(i128),
    Variable(VarRef, When, Sort),
    Element(VarRef, When, Sort),
    Not,
    Negate,
    Cast(Type),
    Infix(Infix),
    If,
    /// An open bracket without a meaning of its own; never part of what is finished.
    Bracket,
}

/// An open bracket.
struct Bracket {
    opener: Span,
    closer: Kind,
}

struct Reader<'r, 's> {
    cursor: Cursor<'s, Words<'s>>,
    scope: Scope<'r>,
    names: &'r dyn Names,
    postfix: Postfix<Item>,
    brackets: Vec<Bracket>,
}

/// What comes behind an operand.
enum After {
    Operator,
    Operand,
    End,
}

impl Reader<'_, '_> {
    /// Reads all of the text; `None` if it is broken, which has been reported.
    fn read(&mut self) -> Option<()> {
        loop {
            self.operand()?;
            let mut after = After::Operator;
            while let After::Operator = after {
                after = self.after_operand()?;
            }
            if let After::End = after {
                return Some(());
            }
        }
    }

    fn open(&mut self, what: What, opener: Span, closer: Kind) {
        self.postfix.open(Item { what, span: opener });
        self.brackets.push(Bracket { opener, closer });
    }

    /// Passes prefix operators, opening brackets and one operand.
    fn operand(&mut self) -> Option<()> {
        loop {
            let token = self.cursor.peek();
            let span = token.span;
            let item = |what| Item { what, span };
            match token.kind {
                Kind::Not => self.postfix.prefix(item(What::Not), PREFIX),
                Kind::Infix(Infix::Arithmetic(Arithmetic::Subtract)) => {
                    if self.cursor.second() == Kind::Number {
                        self.cursor.bump();
                        return self.number(Some(span));
                    }
                    self.postfix.prefix(item(What::Negate), PREFIX);
                }
                Kind::Open if self.cursor.second() == Kind::Type => {
                    self.cursor.bump();
                    self.cast(span)?;
                    continue;
                }
                Kind::Open => self.open(What::Bracket, span, Kind::Close),
                Kind::Number => return self.number(None),
                Kind::True | Kind::False => {
                    let value = token.kind == Kind::True;
                    self.postfix.operand(item(What::Bool(value)));
                    self.cursor.bump();
                    return Some(());
                }
                Kind::Name | Kind::Quoted => {
                    let name = self.cursor.bump();
                    let variable = self.variable(name.span)?;
                    match self.value(variable, name.span, When::Now)? {
                        After::Operand => continue,
                        _ => return Some(()),
                    }
                }
                Kind::Old => {
                    self.cursor.bump();
                    let open = self.cursor.expect(Kind::Open)?;
                    if !matches!(self.cursor.peek().kind, Kind::Name | Kind::Quoted) {
                        self.cursor.unexpected("a name", |it| {
                            it.help("the index of an array stands outside: `\\old(a)[i]`")
                        });
                        return None;
                    }
                    let name = self.cursor.bump();
                    let variable = self.variable(name.span)?;
                    let close = self.cursor.expect_closing(Kind::Close, open.span)?;
                    match self.value(variable, span.to(close.span), When::Entry)? {
                        After::Operand => continue,
                        _ => return Some(()),
                    }
                }
                _ => {
                    self.cursor.unexpected("an operand", |it| it);
                    return None;
                }
            }
            self.cursor.bump();
        }
    }

    /// Passes the type and the end of a cast.
    fn cast(&mut self, opener: Span) -> Option<()> {
        let token = self.cursor.bump();
        let Some(ty) = type_of_text(self.cursor.text(token.span)) else {
            self.cursor.diagnostics().report(|| {
                Diagnostic::error("there is no such type", token.span)
                    .help("types have 1 to 64 bits: `int32`, `uint8`")
            });
            return None;
        };
        let close = self.cursor.expect_closing(Kind::Close, opener)?;
        let item = Item {
            what: What::Cast(ty),
            span: opener.to(close.span),
        };
        self.postfix.prefix(item, PREFIX);
        Some(())
    }

    /// Passes a number, behind a minus or not.
    fn number(&mut self, minus: Option<Span>) -> Option<()> {
        let token = self.cursor.bump();
        let text = self.cursor.text(token.span);
        let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        // The parsers take a sign, too.
        let magnitude = match hexadecimal {
            Some(digits) if digits.bytes().all(|it| it.is_ascii_hexdigit()) => {
                u128::from_str_radix(digits, 16).ok()
            }
            None if text.bytes().all(|it| it.is_ascii_digit()) => text.parse().ok(),
            _ => None,
        };
        let value = magnitude.and_then(|it| match minus {
            None => i128::try_from(it).ok(),
            Some(_) => 0i128.checked_sub_unsigned(it),
        });
        let Some(value) = value else {
            self.cursor
                .diagnostics()
                .report(|| Diagnostic::error("this is no number, or too large a one", token.span));
            return None;
        };
        let span = minus.unwrap_or(token.span).to(token.span);
        let what = What::Int(value);
        self.postfix.operand(Item { what, span });
        Some(())
    }

    fn variable(&mut self, span: Span) -> Option<VarRef> {
        let text = self.cursor.text(span);
        let name = text.strip_prefix('`').unwrap_or(text);
        let name = name.strip_suffix('`').unwrap_or(name);
        let (scope, names) = (self.scope, self.names);
        let found = names.find(scope.procedure, name);
        if found.is_none() {
            self.cursor.diagnostics().report(|| {
                let known: Vec<String> = scope
                    .variables()
                    .filter_map(|(it, _)| names.name(scope.procedure, it))
                    .map(Cow::into_owned)
                    .collect();
                let help = did_you_mean(name, known.iter().map(String::as_str));
                Diagnostic::error(format!("there is no variable `{name}`"), span).help_if(help)
            });
        }
        found
    }

    /// A variable was passed: it is an operand, or its index comes next.
    fn value(&mut self, variable: VarRef, span: Span, when: When) -> Option<After> {
        let is_array = self.cursor.at(Kind::OpenIndex);
        let reading = match is_array {
            true => Reading::Element,
            false => Reading::Scalar,
        };
        let sort = match self.scope.read(variable, when, reading) {
            Ok(sort) => sort,
            Err(reason) => {
                let error = || Diagnostic::error(reason, span);
                self.cursor.diagnostics().report(error);
                return None;
            }
        };
        if is_array {
            let bracket = self.cursor.bump();
            let what = What::Element(variable, when, sort);
            self.postfix.open(Item { what, span });
            self.brackets.push(Bracket {
                opener: bracket.span,
                closer: Kind::CloseIndex,
            });
            return Some(After::Operand);
        }
        let what = What::Variable(variable, when, sort);
        self.postfix.operand(Item { what, span });
        Some(After::Operator)
    }

    /// Passes an operator or a closing bracket, or finds that the text is over.
    fn after_operand(&mut self) -> Option<After> {
        let token = self.cursor.peek();
        let item = |what| Item {
            what,
            span: token.span,
        };
        match token.kind {
            Kind::Infix(operator) => {
                let what = What::Infix(operator);
                self.postfix.infix(item(what), operator.power());
                self.cursor.bump();
                return Some(After::Operand);
            }
            Kind::Question => {
                // What stands between `?` and `:` is as in brackets.
                self.postfix.infix(item(What::If), Power::right(CHOICE));
                self.open(What::Bracket, token.span, Kind::Colon);
                self.cursor.bump();
                return Some(After::Operand);
            }
            _ => {}
        }
        let Some(bracket) = self.brackets.last() else {
            if token.kind != Kind::End {
                self.cursor.unexpected("an operator or the end", |it| it);
                return None;
            }
            return Some(After::End);
        };
        let (opener, closer) = (bracket.opener, bracket.closer);
        self.cursor.expect_closing(closer, opener)?;
        self.brackets.pop();
        let closed = self.postfix.close();
        if let Some(element) = closed.filter(|it| matches!(it.what, What::Element(..))) {
            let span = element.span.to(token.span);
            self.postfix.operand(Item { span, ..element });
        }
        Some(match closer {
            Kind::Colon => After::Operand,
            _ => After::Operator,
        })
    }
}

/// An operand that was built.
#[derive(Clone, Copy)]
struct Built {
    part: Part,
    sort: Sort,
    span: Span,
}

impl Built {
    fn expect(self, sort: Sort) -> Result<Part, Diagnostic> {
        match self.sort == sort {
            true => Ok(self.part),
            false => {
                let message = format!("this is {}, where {sort} is needed", self.sort);
                Err(Diagnostic::error(message, self.span))
            }
        }
    }

    fn expect_same(self, other: Built, operator: Span) -> Result<(), Diagnostic> {
        match self.sort == other.sort {
            true => Ok(()),
            false => {
                let message = format!("these are {} and {}", self.sort, other.sort);
                Err(Diagnostic::error(message, operator)
                    .note(self.span, format!("this is {}", self.sort))
                    .note(other.span, format!("this is {}", other.sort)))
            }
        }
    }
}

/// Puts the formula together as it is written: nothing is simplified.
fn build(items: Vec<Item>) -> Result<Formula, Diagnostic> {
    let mut builder = Builder::default();
    let mut stack: Vec<Built> = Vec::new();
    for item in items {
        let mut pop = || {
            stack
                .pop()
                .ok_or_else(|| Diagnostic::error("an operand is missing", item.span))
        };
        let built = match item.what {
            What::Bool(value) => operand(item, builder.intern(Node::Bool(value)), Sort::Bool),
            What::Int(value) => operand(item, builder.intern(Node::Int(value)), Sort::Int),
            What::Variable(variable, when, sort) => {
                operand(item, builder.variable(variable, when), sort)
            }
            What::Element(array, when, sort) => {
                let index = pop()?.expect(Sort::Int)?;
                operand(item, builder.element(array, when, index), sort)
            }
            What::Not => {
                let inner = pop()?;
                let part = inner.expect(Sort::Bool)?;
                let item = Item {
                    span: item.span.to(inner.span),
                    ..item
                };
                operand(item, builder.intern(Node::Not(part)), Sort::Bool)
            }
            What::Negate => {
                let inner = pop()?;
                let part = inner.expect(Sort::Int)?;
                let zero = builder.int(0);
                let node = Node::Arithmetic(Arithmetic::Subtract, zero, part);
                let item = Item {
                    span: item.span.to(inner.span),
                    ..item
                };
                operand(item, builder.intern(node), Sort::Int)
            }
            What::Cast(ty) => {
                let inner = pop()?;
                let part = inner.expect(Sort::Int)?;
                let item = Item {
                    span: item.span.to(inner.span),
                    ..item
                };
                operand(item, builder.intern(Node::Wrap(ty, part)), Sort::Int)
            }
            What::If => {
                let (otherwise, then, condition) = (pop()?, pop()?, pop()?);
                then.expect_same(otherwise, item.span)?;
                let condition_part = condition.expect(Sort::Bool)?;
                let node = Node::If(condition_part, then.part, otherwise.part);
                let item = Item {
                    span: condition.span.to(otherwise.span),
                    ..item
                };
                operand(item, builder.intern(node), then.sort)
            }
            What::Infix(operator) => {
                let (right, left) = (pop()?, pop()?);
                infix(&mut builder, operator, left, right, item.span)?
            }
            What::Bracket => continue,
        };
        stack.push(built);
    }
    match stack[..] {
        [built] => Ok(builder.finish(built.expect(Sort::Bool)?)),
        _ => Err(Diagnostic::error("there is no formula", Span::at(0))),
    }
}

fn operand(item: Item, part: Part, sort: Sort) -> Built {
    Built {
        part,
        sort,
        span: item.span,
    }
}

fn infix(
    builder: &mut Builder,
    operator: Infix,
    left: Built,
    right: Built,
    at: Span,
) -> Result<Built, Diagnostic> {
    let operands = |sort| Ok((left.expect(sort)?, right.expect(sort)?));
    let span = left.span.to(right.span);
    let (node, sort) = match operator {
        Infix::And | Infix::Or | Infix::Implies | Infix::Equivalent => {
            let (left, right) = operands(Sort::Bool)?;
            let node = match operator {
                Infix::And => Node::And(left, right),
                Infix::Or => Node::Or(left, right),
                Infix::Implies => Node::Implies(left, right),
                _ => Node::Equal(left, right),
            };
            (node, Sort::Bool)
        }
        Infix::Equal | Infix::NotEqual => {
            left.expect_same(right, at)?;
            (Node::Equal(left.part, right.part), Sort::Bool)
        }
        Infix::Less | Infix::GreaterEqual => {
            let (left, right) = operands(Sort::Int)?;
            (Node::Less(left, right), Sort::Bool)
        }
        Infix::LessEqual | Infix::Greater => {
            let (left, right) = operands(Sort::Int)?;
            (Node::LessEqual(left, right), Sort::Bool)
        }
        Infix::Arithmetic(operator) => {
            let (left, right) = operands(Sort::Int)?;
            (Node::Arithmetic(operator, left, right), Sort::Int)
        }
        Infix::Bits(operator) => {
            let (left, right) = operands(Sort::Int)?;
            let (Node::Wrap(ty, _) | Node::Bits(_, ty, ..)) = builder.node(left) else {
                return Err(
                    Diagnostic::error("the type of this operation is not known", at)
                        .help("it is that of a cast on the left operand, as in `(uint32)x & y`"),
                );
            };
            (Node::Bits(operator, ty, left, right), Sort::Int)
        }
    };
    let mut part = builder.intern(node);
    if matches!(
        operator,
        Infix::NotEqual | Infix::GreaterEqual | Infix::Greater
    ) {
        part = builder.intern(Node::Not(part));
    }
    Ok(Built { part, sort, span })
}
