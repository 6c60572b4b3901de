//! Formulas as expressions of C that mean the same there, where arithmetic has bounds.

use super::Named;
use recurva_certificate::{
    Formula,
    formula::{Arithmetic, Node, Part, When},
    text::Names,
};
use recurva_model::{ProcId, Program, Type, VarRef};

/// Longer ones are left out.
const LONGEST: usize = 4000;

/// A part of a formula in C.
#[derive(Clone)]
enum Written {
    /// A condition.
    Truth(String),
    /// A value of `long long` that lies between two numbers.
    Number(String, i128, i128),
    /// A name or a number that is an `int` as it stands; its value lies between two numbers.
    Plain(String, i128, i128),
}

impl Written {
    fn range(&self) -> Option<(i128, i128)> {
        match *self {
            Written::Number(_, low, high) | Written::Plain(_, low, high) => Some((low, high)),
            Written::Truth(_) => None,
        }
    }

    /// As a value of `long long`.
    fn wide(&self) -> Option<String> {
        match self {
            Written::Number(text, ..) => Some(text.clone()),
            Written::Plain(text, ..) => Some(format!("(long long){text}")),
            Written::Truth(_) => None,
        }
    }

    fn truth(&self) -> Option<&str> {
        match self {
            Written::Truth(text) => Some(text),
            _ => None,
        }
    }
}

/// Those conjuncts of a formula that can be said in C about the values of now; `None` if there are none.
pub(super) fn c_expression(
    program: &Program,
    procedure: ProcId,
    formula: &Formula,
    named: &Named<'_>,
) -> Option<String> {
    let conjuncts = formula.conjuncts();
    let written = conjuncts.iter().filter_map(|it| {
        let text = conjunct(program, procedure, it, named)?;
        (text != "1").then_some(text)
    });
    let all: Vec<String> = written.collect();
    let text = all.join(" && ");
    (!text.is_empty() && text.len() <= LONGEST).then_some(text)
}

fn conjunct(
    program: &Program,
    procedure: ProcId,
    formula: &Formula,
    named: &Named<'_>,
) -> Option<String> {
    let mut written: Vec<Option<Written>> = Vec::with_capacity(formula.nodes().len());
    for &node in formula.nodes() {
        let text = write(program, procedure, node, &written, named);
        written.push(text.filter(|it| match it {
            Written::Truth(text) | Written::Number(text, ..) | Written::Plain(text, ..) => {
                text.len() <= LONGEST
            }
        }));
    }
    Some(written.pop()??.truth()?.to_owned())
}

fn write(
    program: &Program,
    procedure: ProcId,
    node: Node,
    written: &[Option<Written>],
    named: &Named<'_>,
) -> Option<Written> {
    let part = |part: Part| written[part.index()].as_ref();
    let truth = |it: Part| part(it).and_then(Written::truth);
    let joined = |left: Part, operator: &str, right: Part| -> Option<Written> {
        let text = format!("({} {operator} {})", truth(left)?, truth(right)?);
        Some(Written::Truth(text))
    };
    Some(match node {
        Node::Bool(value) => Written::Truth(i32::from(value).to_string()),
        Node::Int(value) => {
            let text = match i32::try_from(value) {
                Ok(i32::MIN) => "(-2147483647 - 1)".to_owned(),
                Ok(0..) => value.to_string(),
                Ok(_) => format!("({value})"),
                Err(_) => {
                    i64::try_from(value).ok().filter(|it| *it != i64::MIN)?;
                    return Some(Written::Number(format!("({value}LL)"), value, value));
                }
            };
            Written::Plain(text, value, value)
        }
        Node::Variable(variable, When::Now) => variable_now(program, procedure, variable, named)?,
        Node::Not(inner) => Written::Truth(format!("!{}", truth(inner)?)),
        Node::And(left, right) => joined(left, "&&", right)?,
        Node::Or(left, right) => joined(left, "||", right)?,
        Node::Implies(left, right) => {
            Written::Truth(format!("(!{} || {})", truth(left)?, truth(right)?))
        }
        Node::Equal(left, right) => match (part(left)?, part(right)?) {
            (Written::Truth(left), Written::Truth(right)) => {
                Written::Truth(format!("(!{left} == !{right})"))
            }
            (left, right) => compared(left, "==", right)?,
        },
        Node::Less(left, right) => compared(part(left)?, "<", part(right)?)?,
        Node::LessEqual(left, right) => compared(part(left)?, "<=", part(right)?)?,
        Node::Arithmetic(operator, left, right) => {
            let sign = match operator {
                Arithmetic::Add => "+",
                Arithmetic::Subtract => "-",
                Arithmetic::Multiply => "*",
                Arithmetic::Divide | Arithmetic::Remainder => return None,
            };
            let (left, right) = (part(left)?, part(right)?);
            let (low, high) = bounds(operator, left.range()?, right.range()?)?;
            let text = format!("({} {sign} {})", left.wide()?, right.wide()?);
            Written::Number(text, low, high)
        }
        // What looks at the entry, at elements or at bits is left out: that is allowed.
        Node::Variable(_, When::Entry)
        | Node::Element(..)
        | Node::If(..)
        | Node::Wrap(..)
        | Node::Bits(..) => return None,
    })
}

fn variable_now(
    program: &Program,
    procedure: ProcId,
    variable: VarRef,
    named: &Named<'_>,
) -> Option<Written> {
    let declared = program.variable(procedure, variable);
    let name = named.names.name(procedure, variable)?.into_owned();
    let is_integer = (named.is_integer)(procedure, variable);
    if !is_integer || declared.hidden || *declared.name != *name || !is_lvalue(&name) {
        return None;
    }
    let ty = declared.ty;
    let (low, high) = (ty.to_number(smallest(ty)), ty.to_number(largest(ty)));
    Some(match ty {
        Type::Bool => Written::Truth(name),
        _ if ty.bits() < 32 || (ty.is_signed() && ty.bits() == 32) => {
            Written::Plain(name, low, high)
        }
        _ if i64::try_from(high).is_ok() => {
            Written::Number(format!("(long long){name}"), low, high)
        }
        _ => return None,
    })
}

fn smallest(ty: Type) -> u64 {
    match ty.is_signed() {
        true => 1 << (ty.bits() - 1),
        false => 0,
    }
}

fn largest(ty: Type) -> u64 {
    match ty.is_signed() {
        true => ty.mask() >> 1,
        false => ty.mask(),
    }
}

fn compared(left: &Written, operator: &str, right: &Written) -> Option<Written> {
    let text = match (left, right) {
        (Written::Plain(left, ..), Written::Plain(right, ..)) => {
            format!("({left} {operator} {right})")
        }
        _ => format!("({} {operator} {})", left.wide()?, right.wide()?),
    };
    Some(Written::Truth(text))
}

/// Between which numbers a result lies, if all of those are values of `long long`.
fn bounds(operator: Arithmetic, left: (i128, i128), right: (i128, i128)) -> Option<(i128, i128)> {
    let ends = [left.0, left.1];
    let all = ends
        .iter()
        .flat_map(|&a| [right.0, right.1].map(|b| operator.apply(a, b)));
    let all: Vec<i128> = all.collect::<Option<_>>()?;
    let (low, high) = (*all.iter().min()?, *all.iter().max()?);
    let fits = |it: i128| i64::try_from(it).is_ok();
    (fits(low) && fits(high)).then_some((low, high))
}

/// Whether a name is a variable of C, or a member of one.
fn is_lvalue(name: &str) -> bool {
    name.split('.').all(|part| {
        let mut characters = part.chars();
        let first = characters.next();
        let is_first = first.is_some_and(|it| it.is_ascii_alphabetic() || it == '_');
        is_first && characters.all(|it| it.is_ascii_alphanumeric() || it == '_')
    })
}
