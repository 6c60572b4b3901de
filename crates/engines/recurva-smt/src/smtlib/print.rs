//! Terms as text. What is there several times is written once, so that a text is as long as its terms
//! are many.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use super::symbol;
use crate::{Node, Op, Sort, Term, Terms};

/// Terms are not nested more deeply than that in a script: some solvers cannot read it.
const DEPTH: u32 = 100;

/// A sort.
pub fn print_sort(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::Int => "Int".to_owned(),
        Sort::Bits(width) => format!("(_ BitVec {width})"),
        Sort::Array(index, element) => {
            let (index, element) = (print_sort(index.into()), print_sort(element.into()));
            format!("(Array {index} {element})")
        }
    }
}

/// Declarations of all variables, definitions of what is there several times, and assertions.
pub fn print_script(terms: &Terms, assertions: &[Term]) -> String {
    let parts = terms.parts(assertions);
    let mut printer = Printer::new(terms, &parts, assertions);
    let mut text = String::new();
    for &part in &parts {
        if let Some(name) = terms.variable_name(part) {
            let sort = print_sort(terms.sort(part));
            let _ = writeln!(text, "(declare-fun {} () {sort})", symbol(name));
        }
    }
    printer.name_what_is_deep(&parts);
    for &part in &parts {
        if let Some(name) = printer.shared.get(&part) {
            let sort = print_sort(terms.sort(part));
            let _ = write!(text, "(define-fun %{name} () {sort} ");
            printer.write(&mut text, part);
            text.push_str(")\n");
        }
    }
    for &assertion in assertions {
        text.push_str("(assert ");
        printer.refer(&mut text, assertion);
        text.push_str(")\n");
    }
    text
}

/// One term; what is there several times is bound by `let`.
pub fn print_term(terms: &Terms, root: Term) -> String {
    let parts = terms.parts(&[root]);
    let printer = Printer::new(terms, &parts, &[]);
    // Those that need no others first, together.
    let mut levels: Vec<Vec<Term>> = Vec::new();
    let mut level: FxHashMap<Term, usize> = FxHashMap::default();
    for &part in &parts {
        let below = terms.operands(part).iter().map(|it| level[it]).max();
        let below = below.unwrap_or(0);
        if printer.shared.contains_key(&part) {
            if levels.len() <= below {
                levels.push(Vec::new());
            }
            levels[below].push(part);
            level.insert(part, below + 1);
        } else {
            level.insert(part, below);
        }
    }
    let mut text = String::new();
    for bound in &levels {
        text.push_str("(let (");
        for &part in bound {
            let _ = write!(text, "(%{} ", printer.shared[&part]);
            printer.write(&mut text, part);
            text.push(')');
        }
        text.push_str(") ");
    }
    printer.refer(&mut text, root);
    text.extend(std::iter::repeat_n(')', levels.len()));
    text
}

/// Knows which terms have names. No variable has such a name: a `%` in one has two digits behind it
/// and a `$` before it.
struct Printer<'a> {
    terms: &'a Terms,
    shared: FxHashMap<Term, usize>,
}

enum Piece {
    Term(Term),
    Close,
}

impl<'a> Printer<'a> {
    fn new(terms: &'a Terms, parts: &[Term], roots: &[Term]) -> Self {
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        let operands = parts.iter().flat_map(|&it| terms.operands(it));
        for &used in operands.chain(roots) {
            *uses.entry(used).or_default() += 1;
        }
        let mut shared = FxHashMap::default();
        for &part in parts {
            let is_shared = uses.get(&part).is_some_and(|&it| it > 1);
            if is_shared && !terms.operands(part).is_empty() {
                shared.insert(part, shared.len());
            }
        }
        Printer { terms, shared }
    }

    fn name_what_is_deep(&mut self, parts: &[Term]) {
        let mut depth: FxHashMap<Term, u32> = FxHashMap::default();
        for &part in parts {
            let below = self.terms.operands(part).iter().map(|it| depth[it]).max();
            let mut own = below.map_or(0, |it| it + 1);
            if own >= DEPTH && !self.shared.contains_key(&part) {
                self.shared.insert(part, self.shared.len());
            }
            if self.shared.contains_key(&part) {
                own = 0;
            }
            depth.insert(part, own);
        }
    }

    /// A term by its name, if it has one.
    fn refer(&self, text: &mut String, term: Term) {
        match self.shared.get(&term) {
            Some(name) => {
                let _ = write!(text, "%{name}");
            }
            None => self.write(text, term),
        }
    }

    /// A term, its parts by name.
    fn write(&self, text: &mut String, root: Term) {
        let mut stack = vec![Piece::Term(root)];
        while let Some(piece) = stack.pop() {
            let Piece::Term(term) = piece else {
                text.push(')');
                continue;
            };
            if !text.ends_with(['(', ' ']) && !text.is_empty() {
                text.push(' ');
            }
            if let Some(name) = self.shared.get(&term)
                && term != root
            {
                let _ = write!(text, "%{name}");
                continue;
            }
            match self.terms.node(term) {
                Node::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
                Node::Bits(bits, width) => write_bits(text, *bits, *width),
                Node::Int(number) => write_int(text, *number),
                Node::Variable(number) => text.push_str(&symbol(self.terms.name(*number))),
                Node::Constant(value, _) => {
                    let sort = print_sort(self.terms.sort(term));
                    let _ = write!(text, "((as const {sort})");
                    stack.push(Piece::Close);
                    stack.push(Piece::Term(*value));
                }
                Node::Apply(op, of) => {
                    let is_int = of
                        .first()
                        .is_some_and(|&it| self.terms.sort(it) == Sort::Int);
                    text.push('(');
                    write_operator(text, *op, is_int);
                    stack.push(Piece::Close);
                    stack.extend(of.iter().rev().map(|&it| Piece::Term(it)));
                }
            }
        }
    }
}

fn write_bits(text: &mut String, bits: u128, width: u32) {
    let _ = match width % 4 {
        0 => write!(text, "#x{bits:00$x}", width as usize / 4),
        _ => write!(text, "#b{bits:00$b}", width as usize),
    };
}

fn write_int(text: &mut String, number: i128) {
    let _ = match number < 0 {
        true => write!(text, "(- {})", number.unsigned_abs()),
        false => write!(text, "{number}"),
    };
}

fn write_operator(text: &mut String, op: Op, is_int: bool) {
    let (word, int) = match op {
        Op::Extract { high, low } => {
            let _ = write!(text, "(_ extract {high} {low})");
            return;
        }
        Op::ZeroExtend(by) => {
            let _ = write!(text, "(_ zero_extend {by})");
            return;
        }
        Op::SignExtend(by) => {
            let _ = write!(text, "(_ sign_extend {by})");
            return;
        }
        Op::Negate => ("bvneg", "-"),
        Op::Add => ("bvadd", "+"),
        Op::Subtract => ("bvsub", "-"),
        Op::Multiply => ("bvmul", "*"),
        Op::Less => ("bvslt", "<"),
        Op::LessEqual => ("bvsle", "<="),
        Op::Not => ("not", "not"),
        Op::And => ("and", "and"),
        Op::Or => ("or", "or"),
        Op::Equal => ("=", "="),
        Op::If => ("ite", "ite"),
        Op::BitNot => ("bvnot", "bvnot"),
        Op::BitAnd => ("bvand", "bvand"),
        Op::BitOr => ("bvor", "bvor"),
        Op::BitXor => ("bvxor", "bvxor"),
        Op::UnsignedDivide => ("bvudiv", "bvudiv"),
        Op::UnsignedRemainder => ("bvurem", "bvurem"),
        Op::SignedDivide => ("bvsdiv", "bvsdiv"),
        Op::SignedRemainder => ("bvsrem", "bvsrem"),
        Op::IntDivide => ("div", "div"),
        Op::IntModulo => ("mod", "mod"),
        Op::ShiftLeft => ("bvshl", "bvshl"),
        Op::LogicalShiftRight => ("bvlshr", "bvlshr"),
        Op::ArithmeticShiftRight => ("bvashr", "bvashr"),
        Op::UnsignedLess => ("bvult", "bvult"),
        Op::UnsignedLessEqual => ("bvule", "bvule"),
        Op::Concat => ("concat", "concat"),
        Op::Select => ("select", "select"),
        Op::Store => ("store", "store"),
    };
    text.push_str(if is_int { int } else { word });
}
