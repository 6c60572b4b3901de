//! SMT-LIB 2: terms written and read.

mod model;
mod operators;
mod print;
mod read;
mod sexpr;

pub use model::read_model;
pub use print::{print_script, print_sort, print_term};
pub use read::{read_sort, read_term};
pub use sexpr::{Atom, Items, Sexpr, Sexprs};

/// The symbol of a variable. It is no name of an operator, whatever the variable is called, and
/// different ones have different symbols.
///
/// ```
/// use recurva_smt::smtlib;
///
/// assert_eq!(smtlib::symbol("x"), "$x");
/// assert_eq!(smtlib::symbol("a|b c"), "|$a%7cb c|");
/// assert_eq!(smtlib::name("$a%7cb c").as_deref(), Some("a|b c"));
/// ```
pub fn symbol(name: &str) -> String {
    let mut text = String::from("$");
    let mut is_simple = true;
    for &byte in name.as_bytes() {
        match byte {
            b'%' | b'|' | b'\\' | 0..=31 | 127.. => text.push_str(&format!("%{byte:02x}")),
            _ => {
                is_simple &= sexpr::is_simple(byte);
                text.push(char::from(byte));
            }
        }
    }
    match is_simple {
        true => text,
        false => format!("|{text}|"),
    }
}

/// The name of the variable whose symbol this is, as [`Sexpr::symbol`] has it.
pub fn name(symbol: &str) -> Option<String> {
    let mut rest = symbol.strip_prefix('$')?.bytes();
    let mut name = Vec::with_capacity(rest.len());
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            name.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        let (high, low) = (digit()?, digit()?);
        name.push((high * 16 + low) as u8);
    }
    String::from_utf8(name).ok()
}
