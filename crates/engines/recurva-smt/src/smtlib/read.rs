//! Terms from text, without recursion.

use rustc_hash::FxHashMap;

use super::{
    operators::{self, Head},
    sexpr::{Atom, Sexpr},
};
use crate::{Sort, Term, Terms};

/// A sort.
///
/// # Errors
///
/// If it is none that terms have.
pub fn read_sort(text: Sexpr<'_>) -> Result<Sort, String> {
    let unknown = || format!("no sort: {}", clipped(text));
    let simple = |text: Sexpr<'_>| {
        let list = text.list();
        let symbols = |at: usize| list.get(at).and_then(|it| it.symbol());
        let sort = match (text.symbol(), list.len()) {
            (Some("Bool"), _) => Sort::Bool,
            (Some("Int"), _) => Sort::Int,
            (None, 3) if (symbols(0), symbols(1)) == (Some("_"), Some("BitVec")) => {
                Sort::Bits(list[2].numeral()?)
            }
            _ => return None,
        };
        sort.is_possible().then_some(sort)
    };
    if let Some(sort) = simple(text) {
        return Ok(sort);
    }
    match text.list()[..] {
        [array, index, element] if array.symbol() == Some("Array") => {
            let scalar = |text| simple(text)?.scalar();
            match (scalar(index), scalar(element)) {
                (Some(index), Some(element)) => Ok(Sort::Array(index, element)),
                _ => Err(unknown()),
            }
        }
        _ => Err(unknown()),
    }
}

enum Task<'a> {
    Read(Sexpr<'a>),
    Apply(Head<'a>, usize),
    Bind(Vec<&'a str>),
    Unbind(Vec<&'a str>),
}

/// A term over variables, which are known by their symbols.
///
/// # Errors
///
/// If it is none, of the sorts that terms have.
pub fn read_term(
    terms: &mut Terms,
    text: Sexpr<'_>,
    variables: &dyn Fn(&str) -> Option<Term>,
) -> Result<Term, String> {
    let mut bound: FxHashMap<&str, Vec<Term>> = FxHashMap::default();
    let mut values: Vec<Term> = Vec::new();
    let mut tasks = vec![Task::Read(text)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Read(text) => match text.atom() {
                Some(Atom::Symbol(name)) => {
                    let local = bound.get(&**name).and_then(|it| it.last()).copied();
                    let known = local.or_else(|| variables(name)).or_else(|| match &**name {
                        "true" => Some(terms.truth()),
                        "false" => Some(terms.falsity()),
                        _ => None,
                    });
                    values.push(known.ok_or_else(|| format!("`{name}` is not known"))?);
                }
                Some(atom) => values.push(number(terms, atom)?),
                None => open(terms, text, &mut tasks, &mut values)?,
            },
            Task::Apply(head, count) => {
                let of = values.split_off(values.len() - count);
                values.push(operators::apply(terms, head, &of)?);
            }
            Task::Bind(names) => {
                let of = values.split_off(values.len() - names.len());
                for (&name, value) in names.iter().zip(of) {
                    bound.entry(name).or_default().push(value);
                }
            }
            Task::Unbind(names) => {
                for name in names {
                    bound.entry(name).or_default().pop();
                }
            }
        }
    }
    match values[..] {
        [term] => Ok(term),
        _ => Err("no term".to_owned()),
    }
}

/// A list: what it takes to read it is put on the stack.
fn open<'a>(
    terms: &mut Terms,
    text: Sexpr<'a>,
    tasks: &mut Vec<Task<'a>>,
    values: &mut Vec<Term>,
) -> Result<(), String> {
    let wrong = || format!("no term: {}", clipped(text));
    let list = text.list();
    let Some((&first, of)) = list.split_first() else {
        return Err(wrong());
    };
    match (first.symbol(), of) {
        (Some("let"), &[bindings, body]) => {
            let mut names = Vec::new();
            let mut reads = Vec::new();
            for binding in bindings.items().ok_or_else(wrong)? {
                let [name, value] = binding.list()[..] else {
                    return Err(wrong());
                };
                names.push(name.symbol().ok_or_else(wrong)?);
                reads.push(Task::Read(value));
            }
            tasks.push(Task::Unbind(names.clone()));
            tasks.push(Task::Read(body));
            tasks.push(Task::Bind(names));
            tasks.extend(reads.into_iter().rev());
        }
        // Attributes say nothing about what it means.
        (Some("!"), [body, ..]) => tasks.push(Task::Read(*body)),
        (Some("_"), &[name, width]) => {
            let number = name.symbol().and_then(|it| it.strip_prefix("bv"));
            let number = number.and_then(|it| it.parse::<u128>().ok());
            match (number, width.numeral().map(Sort::Bits)) {
                (Some(number), Some(Sort::Bits(width))) if Sort::Bits(width).is_possible() => {
                    values.push(terms.bits(number, width));
                }
                _ => return Err(wrong()),
            }
        }
        _ => {
            let head = Head::read(first).ok_or_else(wrong)?;
            tasks.push(Task::Apply(head, of.len()));
            tasks.extend(of.iter().rev().map(|&it| Task::Read(it)));
        }
    }
    Ok(())
}

fn number(terms: &mut Terms, atom: &Atom) -> Result<Term, String> {
    let wrong = || format!("no number that terms have: {atom}");
    match atom {
        Atom::Numeral(digits) => {
            let number = digits.parse().map_err(|_| wrong())?;
            Ok(terms.int(number))
        }
        Atom::Bits(text) => {
            let (radix, each) = match text.starts_with("#x") {
                true => (16, 4),
                false => (2, 1),
            };
            let digits = &text[2..];
            let width = digits.len() as u64 * each;
            let sort = Sort::Bits(u32::try_from(width).map_err(|_| wrong())?);
            let bits = u128::from_str_radix(digits, radix).map_err(|_| wrong())?;
            match sort {
                Sort::Bits(width) if sort.is_possible() => Ok(terms.bits(bits, width)),
                _ => Err(wrong()),
            }
        }
        _ => Err(wrong()),
    }
}

/// The beginning of a text, for a message.
pub(super) fn clipped(text: Sexpr<'_>) -> String {
    let whole = text.to_string();
    match whole.char_indices().nth(80) {
        Some((at, _)) => format!("{}…", &whole[..at]),
        None => whole,
    }
}
